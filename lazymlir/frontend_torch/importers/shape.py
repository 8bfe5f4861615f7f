"""Operations that join, move, repeat and mask elements, and tensors made from sizes and numbers.

Views need nothing here: torch finds their geometry and the buffer reads them. factories.py has the tensors that have no
operand, and the `*_scatter` operations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from lazymlir.dialect import Builder, Node, TensorType
from lazymlir.dialect.types import is_float, is_integer

from ..growth import grown
from ..registry import aten
from .common import full, math_dtype, to, wrap
from .formula import Term, absolute, is_nan, maximum, minimum, power, where
from .index import add_slices, take_slices


@aten("cat", unrecorded=grown)
def cat(b: Builder, out: TensorType, tensors: Sequence[Node], dim: int = 0) -> Node:
    """Joins what is not the empty 1-D tensor, which torch skips whatever the other shapes are."""
    joined = [b.cast(x, out.dtype) for x in tensors if x.shape != (0,) or out.rank == 1]
    return b.join(joined, wrap(dim, out.rank)) if joined else full(b, 0, out)


@aten("stack")
def stack(b: Builder, out: TensorType, tensors: Sequence[Node], dim: int = 0) -> Node:
    dim = wrap(dim, out.rank)
    layer = (*out.shape[:dim], 1, *out.shape[dim + 1 :])
    return b.cat(*(b.reshape(b.cast(x, out.dtype), layer) for x in tensors), dim=dim)


@aten("flip")
def flip(b: Builder, out: TensorType, x: Node, dims: Sequence[int]) -> Node:
    return b.flip(x, dims=tuple(wrap(dim, x.rank) for dim in dims)) if x.rank and dims else x


@aten("roll")
def roll(b: Builder, out: TensorType, x: Node, shifts: Sequence[int], dims: Sequence[int] = ()) -> Node:
    """Without `dims`, the flattened tensor."""
    if x.type.size == 0:
        return x
    made = x if dims else b.reshape(x, (x.type.size,))
    for shift, dim in zip(shifts, dims or (0,), strict=True):
        made = _rotate(b, made, shift, wrap(dim, made.rank)) if made.rank else made
    return b.reshape(made, out.shape)


def _rotate(b: Builder, x: Node, shift: int, dim: int) -> Node:
    size = x.shape[dim]
    start = -shift % size
    if start == 0:
        return x
    return b.join((b.static_slice(x, dim, start, size - start), b.static_slice(x, dim, 0, start)), dim)


@aten("repeat")
def repeat(b: Builder, out: TensorType, x: Node, repeats: Sequence[int]) -> Node:
    sizes = (1,) * (len(repeats) - x.rank) + x.shape
    apart = b.reshape(x, tuple(n for size in sizes for n in (1, size)))
    copies = b.expand(apart, tuple(n for pair in zip(repeats, sizes, strict=True) for n in pair))
    return b.reshape(copies, out.shape)


@aten("constant_pad_nd")
def constant_pad(b: Builder, out: TensorType, x: Node, pad: Sequence[int], value: Any = 0) -> Node:
    """`pad` counts from the last dimension: before, after."""
    none = (0,) * (x.rank - len(pad) // 2)
    low, high = (*none, *pad[::2][::-1]), (*none, *pad[1::2][::-1])
    filling = b.cast(value, out.dtype) if isinstance(value, Node) else full(b, value, out.with_shape(()))
    return b.pad(x, filling, low=low, high=high, interior=(0,) * x.rank)


# Padding with what is inside: a place for each element of the result, gathered dimension by dimension.


def _mirrored(b: Builder, size: int, low: int, high: int) -> Node:
    last = size - 1
    return (last - absolute(last - absolute(_shifted(b, size, low, high)))).node


def _clamped(b: Builder, size: int, low: int, high: int) -> Node:
    return minimum(maximum(_shifted(b, size, low, high), 0), size - 1).node


def _shifted(b: Builder, size: int, low: int, high: int) -> Term:
    return Term(b, b.iota(dim=0, result=TensorType((low + size + high,), "i64"))) - low


Places = Callable[[Builder, int, int, int], Node]


def _padding(x: TensorType, padding: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Dimension, elements before, elements after: `padding` counts from the last dimension."""
    return ((x.rank - 1 - i, padding[2 * i], padding[2 * i + 1]) for i in range(len(padding) // 2))


def _pad_inside(places: Places) -> Callable[..., Node]:
    def importer(b: Builder, out: TensorType, x: Node, padding: Sequence[int]) -> Node:
        for dim, low, high in _padding(x.type, padding):
            x = take_slices(b, x, dim, places(b, x.shape[dim], low, high))
        return x

    return importer


def _pad_inside_backward(places: Places) -> Callable[..., Node]:
    def importer(b: Builder, out: TensorType, gradient: Node, x: Node, padding: Sequence[int]) -> Node:
        for dim, low, high in _padding(x.type, padding):
            gradient = add_slices(b, gradient, dim, places(b, x.shape[dim], low, high), x.shape[dim])
        return gradient

    return importer


for _name, _places in (("reflection", _mirrored), ("replication", _clamped)):
    for _rank in (1, 2, 3):
        aten(f"{_name}_pad{_rank}d")(_pad_inside(_places))
        aten(f"{_name}_pad{_rank}d_backward")(_pad_inside_backward(_places))


@aten("channel_shuffle")
def channel_shuffle(b: Builder, out: TensorType, x: Node, groups: int) -> Node:
    batch, channels, *rest = x.shape
    split = b.reshape(x, (batch, groups, channels // groups, *rest))
    return b.reshape(b.permute(split, (0, 2, 1, *range(3, split.rank))), out.shape)


@aten("unfold_backward")
def unfold_backward(b: Builder, out: TensorType, gradient: Node, input_sizes: Sequence[int], dim: int, size: int, step: int) -> Node:
    """Adds each window's gradient to the places that the window covered."""
    if not input_sizes:
        return b.reshape(gradient, ())
    dim = wrap(dim, out.rank)
    windows = TensorType((gradient.shape[dim], size), "i64")
    places = Term(b, b.iota(dim=0, result=windows)) * step + Term(b, b.iota(dim=1, result=windows))
    order = (dim, out.rank, *(d for d in range(out.rank) if d != dim))
    return b.index_put(full(b, 0, out), b.permute(gradient, order), places.node, dims=(dim,), kind="add")


# Triangles and diagonals.


def _below_diagonal(b: Builder, shape: tuple[int, ...], diagonal: int) -> Node:
    """Whether column - row <= diagonal, in the last two dimensions."""
    matrix = TensorType(shape[-2:], "i64")
    rows, columns = (Term(b, b.iota(dim=dim, result=matrix)) for dim in (0, 1))
    return b.expand((columns <= rows + diagonal).node, shape)


@aten("tril")
def tril(b: Builder, out: TensorType, x: Node, diagonal: int = 0) -> Node:
    return b.where(_below_diagonal(b, x.shape, diagonal), x, full(b, 0, x.type))


@aten("triu")
def triu(b: Builder, out: TensorType, x: Node, diagonal: int = 0) -> Node:
    return b.where(_below_diagonal(b, x.shape, diagonal - 1), full(b, 0, x.type), x)


@aten("eye", "eye.m")
def eye(b: Builder, out: TensorType, n: int, m: int | None = None, **_: Any) -> Node:
    places = out.with_dtype("i64")
    return b.cast(b.eq(b.iota(dim=0, result=places), b.iota(dim=1, result=places)), out.dtype)


# Sequences. They are counted in 64 bits, so that each element is rounded once.


@aten("arange", static=("end",))
def arange(b: Builder, out: TensorType, end: Any, **_: Any) -> Node:
    """0, 1, ...: the other forms shift and scale this one (factories.py)."""
    return b.cast(b.iota(dim=0, result=out.with_dtype("i64")), out.dtype)


def _evenly(b: Builder, out: TensorType, start: Node, end: Node, steps: int, dtype: str) -> Term:
    """From both ends to the middle, as torch counts."""
    places = TensorType(out.shape, "i64")
    number = b.iota(dim=0, result=places)
    first, last = (Term(b, b.expand(b.reshape(b.cast(b.cast(node, out.dtype), dtype), ()), out.shape)) for node in (start, end))
    if steps == 1:
        return first
    step = (last - first) / (steps - 1)
    place = Term(b, b.cast(number, dtype))
    return where(Term(b, number) < steps // 2, first + step * place, last - step * (steps - 1 - place))


def _wide(dtype: str) -> str:
    return dtype if not (is_float(dtype) or is_integer(dtype)) else "f64"


@aten("linspace", "linspace.Tensor_Tensor", "linspace.Tensor_Scalar", "linspace.Scalar_Tensor")
def linspace(b: Builder, out: TensorType, start: Node, end: Node, steps: int, **_: Any) -> Node:
    return b.cast(_evenly(b, out, start, end, steps, _wide(out.dtype)).node, out.dtype)


@aten("logspace", "logspace.Tensor_Tensor", "logspace.Tensor_Scalar", "logspace.Scalar_Tensor")
def logspace(b: Builder, out: TensorType, start: Node, end: Node, steps: int, base: Any = 10.0, **_: Any) -> Node:
    exponents = _evenly(b, out, start, end, steps, _wide(out.dtype))
    if not isinstance(base, Node):
        base = b.constant(base, TensorType((), exponents.dtype))
    bases = Term(b, b.expand(b.cast(base, exponents.dtype), out.shape))
    return b.cast(power(bases, exponents).node, out.dtype)


@aten("linalg_cross")
def cross(b: Builder, out: TensorType, x: Node, y: Node, *, dim: int = -1) -> Node:
    dim = wrap(dim, out.rank)
    wide = math_dtype(out.dtype)
    left, right = (to(b, node, wide, out.shape) for node in (x, y))

    def product(turn: int, other: int) -> Term:
        """Of 16-bit floats rounded, as torch does here; the selection keeps the product out of a fused multiply-add."""
        made = Term(b, _rotate(b, left, -turn, dim)) * Term(b, _rotate(b, right, -other, dim))
        if wide == out.dtype:
            return made
        rounded = made.cast(out.dtype)
        return where(is_nan(rounded), float("nan"), rounded).cast(wide)

    return (product(1, 2) - product(2, 1)).cast(out.dtype).node
