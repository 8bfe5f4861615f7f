"""Lowerings of dialect/index.py. Whole slices are taken by XLA's own gather and scatter; single elements through one
index into the flattened tensor, which XLA:CPU scatters up to twice as fast as a vector of indices."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from lazymlir.dialect import Node, TensorType
from lazymlir.dialect.types import BOOL, is_float, itemsize
from lazymlir.mlir import ir, stablehlo

from .registry import Body, Emitter, i64, i64s, lowering

# kind of update: StableHLO operation, the same for booleans
UPDATES = {"add": ("add", "or"), "mul": ("multiply", "and"), "amax": ("maximum", "or"), "amin": ("minimum", "and")}


def narrow(e: Emitter, index: Node, x: Node) -> Node:
    """The index in 32 bits where they can count all of `x`."""
    return e.convert(index, "i32" if x.type.size < 2**31 else "i64")


def flat_places(e: Emitter, start: Node, sizes: Sequence[int], strides: Sequence[int]) -> Node:
    """`start + sum(i * strides)` for each element i of the shape `sizes`; `start` is one number or has that shape."""
    type_ = start.type.with_shape(tuple(sizes))
    places = start if start.shape == type_.shape else e.broadcast(start, sizes, [])
    for dim, stride in enumerate(strides):
        if sizes[dim] != 1 and stride != 0:
            places = e.op("add", type_, places, e.scaled(e.iota(type_, dim), stride))
    return places


def take(e: Emitter, x: Node, places: Node, length: int = 1) -> Node:
    """`length` elements of the flat `x` from each place on; the result's last dimension is `length`."""
    numbers = stablehlo.GatherDimensionNumbers.get([places.rank], [], [], [], [0], places.rank)
    type_ = x.type.with_shape((*places.shape, length))
    return e.op("gather", type_, x, places, dimension_numbers=numbers, slice_sizes=i64s([length]))


def put(e: Emitter, x: Node, places: Node, update: Node, length: int, kind: str, unique: bool = False) -> Node:
    """The inverse of `take`: updates the flat `x`."""
    numbers = stablehlo.ScatterDimensionNumbers.get([places.rank], [], [], [], [0], places.rank)
    return scatter_by(e, x, places, e.reshape(update, (*places.shape, length)), numbers, kind, unique)


def _updater(kind: str, dtype: str) -> Body:
    def body(e: Emitter, old: Node, new: Node) -> Sequence[Node]:
        return [new if kind == "set" else e.op(UPDATES[kind][dtype == BOOL], old.type, old, new)]

    return body


def scatter_by(e: Emitter, x: Node, places: Node, update: Node, numbers: ir.Attribute, kind: str, unique: bool = False) -> Node:
    """`stablehlo.scatter`. XLA:CPU applies the updates in order, so the last one of equal places stays."""
    dtype = x.dtype
    if kind in ("add", "mul"):
        x, update = e.widen(x), e.widen(update)
    attributes = {"scatter_dimension_numbers": numbers, "unique_indices": ir.BoolAttr.get(unique)}
    made = e.with_body("scatter", [x.type], [x, places, update], attributes, _updater(kind, dtype))[0]
    return e.convert(made, dtype)


def _row_major(shape: Sequence[int]) -> list[int]:
    return [prod(shape[dim + 1 :]) for dim in range(len(shape))]


def _element_places(e: Emitter, x: Node, index: Node, dim: int) -> Node:
    """Where each element that `gather` names stands in the flattened `x`."""
    strides = _row_major(x.shape)
    index = narrow(e, index, x)
    return flat_places(e, e.scaled(index, strides[dim]), index.shape, [0 if d == dim else stride for d, stride in enumerate(strides)])


@lowering("gather")
def gather(e: Emitter, result: TensorType, x: Node, index: Node, dim: int) -> Node:
    if result.size == 0:
        return e.splat(0, result)
    return e.reshape(take(e, e.reshape(x, (x.type.size,)), _element_places(e, x, index, dim)), result.shape)


@lowering("scatter")
def scatter(e: Emitter, result: TensorType, x: Node, index: Node, update: Node, dim: int, kind: str) -> Node:
    if update.type.size == 0:
        return x
    flat = e.reshape(x, (x.type.size,))
    return e.reshape(put(e, flat, _element_places(e, x, index, dim), update, 1, kind), x.shape)


def _index_vectors(e: Emitter, x: Node, indices: Sequence[Node]) -> Node:
    """Indices of several dimensions side by side in a new last dimension; a single one needs none."""
    narrowed = [narrow(e, index, x) for index in indices]
    return narrowed[0] if len(narrowed) == 1 else e.concatenate([e.reshape(n, (*n.shape, 1)) for n in narrowed], indices[0].rank)


@lowering("index")
def index_(e: Emitter, result: TensorType, x: Node, indices: Sequence[Node], dims: Sequence[int]) -> Node:
    if result.size == 0:
        return e.splat(0, result)
    rank = indices[0].rank
    numbers = stablehlo.GatherDimensionNumbers.get(list(range(rank, result.rank)), sorted(dims), [], [], list(dims), rank)
    sizes = [1 if dim in dims else size for dim, size in enumerate(x.shape)]
    return e.op("gather", result, x, _index_vectors(e, x, indices), dimension_numbers=numbers, slice_sizes=i64s(sizes))


@lowering("index_put")
def index_put(e: Emitter, result: TensorType, x: Node, update: Node, indices: Sequence[Node], dims: Sequence[int], kind: str) -> Node:
    if update.type.size == 0:
        return x
    rank = indices[0].rank
    numbers = stablehlo.ScatterDimensionNumbers.get(list(range(rank, update.rank)), sorted(dims), [], [], list(dims), rank)
    return scatter_by(e, x, _index_vectors(e, x, indices), update, numbers, kind)


# float: the bits of its infinity, above which are only those of NaNs
_INFINITY = {"f16": 0x7C00, "bf16": 0x7F80, "f32": 0x7F80_0000, "f64": 0x7FF0_0000_0000_0000}


def _order_key(e: Emitter, x: Node) -> Node:
    """Signed integers in the order of `x`: NaN above all and -0.0 equal to 0.0, so that a plain comparison sorts them.

    Made from the bits alone: XLA:CPU takes subnormal numbers for 0 when it compares floats."""
    if not is_float(x.dtype):
        return e.convert(x, {BOOL: "i32", "ui32": "i64"}.get(x.dtype, x.dtype))
    type_ = x.type.with_dtype(f"i{8 * itemsize(x.dtype)}")
    bits = e.op("bitcast_convert", type_, x)
    largest = e.splat(2 ** (8 * itemsize(x.dtype) - 1) - 1, type_)
    magnitude = e.op("and", type_, bits, largest)
    negative = e.compare("LT", bits, e.splat(0, type_))
    key = e.select(negative, e.op("negate", type_, magnitude), magnitude)
    return e.select(e.compare("GT", magnitude, e.splat(_INFINITY[x.dtype], type_)), largest, key)


def _ascending(e: Emitter, left: Node, right: Node, *_: Node) -> Sequence[Node]:
    return [e.compare("LT", left, right)]


def _sort(e: Emitter, operands: Sequence[Node], dim: int, stable: bool) -> tuple[Node, ...]:
    """Ascending by the first operand."""
    attributes = {"dimension": i64(dim), "is_stable": ir.BoolAttr.get(stable)}
    op, made = e.emit_many("stablehlo.sort", [x.type for x in operands], operands, attributes, regions=1)
    pairs = [x.type.with_shape(()) for x in operands for _ in range(2)]
    e.region(op, 0, pairs, _ascending)
    return made


@lowering("sort")
def sort(e: Emitter, result: Sequence[TensorType], x: Node, dim: int, descending: bool) -> Sequence[Node]:
    """Sorts integer keys with places and fetches the values by place. A key of 32 bits and its place are one 64-bit
    number: XLA:CPU sorts a single operand 2 to 4 times as fast as a pair, and distinct numbers need no stable sort."""
    if result[0].size == 0:
        return x, e.splat(0, result[1])
    key = _order_key(e, x)
    if descending:
        key = e.op("not", key.type, key)
    places = e.iota(result[1], dim)
    if itemsize(key.dtype) <= 4:
        key = e.convert(key, "i64")
        shift = e.splat(32, key.type)
        joined = e.op("or", key.type, e.op("shift_left", key.type, key, shift), places)
        (joined,) = _sort(e, [joined], dim, stable=False)
        places = e.op("and", key.type, joined, e.splat(2**32 - 1, key.type))
    else:
        places = _sort(e, [key, places], dim, stable=True)[1]
    return gather(e, x.type, x, places, dim), places
