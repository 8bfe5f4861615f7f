"""Lowerings of dialect/shape.py. Updates of slices are dynamic even at known starts: XLA does those in place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lazymlir.dialect import Node, TensorType, tensor_type
from lazymlir.dialect.shape import DYNAMIC, may_overlap
from lazymlir.mlir import ir

from .index import flat_places, narrow, put, take
from .overwrite import overwrite
from .registry import Emitter, i64s, lowering


@lowering("permute")
def permute(e: Emitter, result: TensorType, x: Node, dims: Sequence[int]) -> Node:
    return e.transpose(x, dims)


@lowering("reshape")
def reshape(e: Emitter, result: TensorType, x: Node, shape: Sequence[int]) -> Node:
    return e.reshape(x, shape)


@lowering("expand")
def expand(e: Emitter, result: TensorType, x: Node, shape: Sequence[int]) -> Node:
    return e.broadcast(x, shape, range(len(shape) - x.rank, len(shape)))


@lowering("optimization_barrier")
def optimization_barrier(e: Emitter, result: TensorType, x: Node) -> Node:
    return e.kept(x)[0]


@lowering("after")
def after(e: Emitter, result: TensorType, x: Node, other: Node) -> Node:
    return e.kept(x, other)[0]


@lowering("pad")
def pad(e: Emitter, result: TensorType, x: Node, value: Node, low: Sequence[int], high: Sequence[int], interior: Sequence[int]) -> Node:
    return e.pad(x, value, low, high, interior)


@lowering("cat")
def cat(e: Emitter, result: TensorType, x: Node, xs: Sequence[Node], dim: int) -> Node:
    return e.concatenate([*_parts(e, x, dim), *xs], dim)


def _parts(e: Emitter, x: Node, dim: int) -> Sequence[Node]:
    """What `x` was joined from along `dim`, if nothing else reads it (a join of several types takes several `cat`s)."""
    made_by = x.value.owner
    if isinstance(made_by, ir.Block) or made_by.name != "stablehlo.concatenate":
        return [x]
    if ir.IntegerAttr(made_by.attributes["dimension"]).value != dim or len(list(x.value.uses)) > 1:
        return [x]
    return [Node(operand, tensor_type(operand.type)) for operand in made_by.operands]


@lowering("flip")
def flip(e: Emitter, result: TensorType, x: Node, dims: Sequence[int]) -> Node:
    return e.op("reverse", result, x, dimensions=i64s(dims))


def _start_nodes(e: Emitter, starts: Sequence[int], operands: Sequence[Node]) -> Iterator[Node]:
    given = iter(operands)
    for start in starts:
        yield next(given) if start == DYNAMIC else e.scalar(start, "i64")


@lowering("slice")
def slice_(
    e: Emitter, result: TensorType, x: Node, operands: Sequence[Node], starts: Sequence[int], sizes: Sequence[int], steps: Sequence[int]
) -> Node:
    if not operands:
        return e.slice(x, starts, sizes, steps)
    spans = [(size - 1) * step + 1 if size else 0 for size, step in zip(sizes, steps, strict=True)]
    box = e.op("dynamic_slice", x.type.with_shape(tuple(spans)), x, *_start_nodes(e, starts, operands), slice_sizes=i64s(spans))
    return e.slice(box, [0] * x.rank, sizes, steps)


@lowering("update_slice")
def update_slice(e: Emitter, result: TensorType, x: Node, update: Node, operands: Sequence[Node], starts: Sequence[int]) -> Node:
    return update if update.shape == x.shape else overwrite(e, x, update, [*_start_nodes(e, starts, operands)])


def _run(sizes: Sequence[int], strides: Sequence[int]) -> tuple[int, int]:
    """How many of the first dimensions are left outside of the longest unbroken run that ends each row, and its length."""
    length = 1
    for dim in reversed(range(len(sizes))):
        if sizes[dim] != 1 and strides[dim] != length:
            return dim + 1, length
        length *= sizes[dim]
    return 0, length


@lowering("strided")
def strided(e: Emitter, result: TensorType, x: Node, start: Node, sizes: Sequence[int], strides: Sequence[int]) -> Node:
    if result.size == 0:
        return e.splat(0, result)
    outer, length = _run(sizes, strides)
    if outer == 0:
        run = e.op("dynamic_slice", x.type.with_shape((length,)), x, start, slice_sizes=i64s([length]))
        return e.reshape(run, sizes)
    places = flat_places(e, narrow(e, start, x), sizes[:outer], strides[:outer])
    return e.reshape(take(e, x, places, length), sizes)


@lowering("strided_update")
def strided_update(e: Emitter, result: TensorType, x: Node, update: Node, start: Node, strides: Sequence[int]) -> Node:
    if update.type.size == 0:
        return x
    outer, length = _run(update.shape, strides)
    if outer == 0:
        return overwrite(e, x, e.reshape(update, (length,)), [start])
    places = flat_places(e, narrow(e, start, x), update.shape[:outer], strides[:outer])
    return put(e, x, places, update, length, "set", unique=not may_overlap(update.shape, strides))
