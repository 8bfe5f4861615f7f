"""What the importers share: broadcasting and promotion made explicit."""

from __future__ import annotations

from collections.abc import Sequence

from lazymlir.dialect import Builder, Node, TensorType
from lazymlir.dialect.types import BOOL, is_complex, is_float

__all__ = ["OPMATH", "as_dims", "at_least_1d", "full", "is_inexact", "is_probability", "is_within", "math_dtype", "spread", "to", "truth", "wrap"]

OPMATH = {"f16": "f32", "bf16": "f32"}
"""The type that torch computes elementwise operations of a half type in: one rounding, at the end."""


def math_dtype(dtype: str) -> str:
    return OPMATH.get(dtype, dtype)


def to(b: Builder, x: Node, dtype: str, shape: Sequence[int] | None = None) -> Node:
    """`x` converted to `dtype` and broadcast to `shape`; expanding last keeps the conversion small."""
    x = b.cast(x, dtype)
    return x if shape is None else b.expand(x, shape)


def full(b: Builder, value: complex, type_: TensorType) -> Node:
    """A splat constant."""
    return b.constant(value, type_)


def spread(b: Builder, x: Node, kept: Sequence[int], shape: Sequence[int]) -> Node:
    """Values for the dimensions `kept`, for every element of `shape`."""
    sizes = [size if dim in kept else 1 for dim, size in enumerate(shape)]
    return b.expand(b.reshape(x, sizes), tuple(shape))


def wrap(dim: int, rank: int) -> int:
    """A dimension counted from the front; torch's error where there is no such dimension."""
    count = max(rank, 1)
    if not -count <= dim < count:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-count}, {count - 1}], but got {dim})")
    return dim % count


def as_dims(dims: int | Sequence[int] | None, rank: int) -> tuple[int, ...]:
    """Dimensions to reduce, counted from the front; None or none means all."""
    if dims is None or (isinstance(dims, (list, tuple)) and not dims):
        return tuple(range(rank))
    listed = [dims] if isinstance(dims, int) else dims
    return tuple(sorted({wrap(dim, rank) for dim in listed})) if rank else ()


def truth(b: Builder, x: Node) -> Node:
    """Whether each element is not 0."""
    return b.cast(x, BOOL)


def at_least_1d(b: Builder, x: Node) -> Node:
    """A 0-dim value as one element of a dimension: what torch takes it for where it indexes or reduces along one."""
    return b.reshape(x, (1,)) if x.rank == 0 else x


def is_within(b: Builder, index: Node, size: int, lowest: int = 0) -> Node:
    """Whether each number is at least `lowest` and below `size`."""
    return b.bitwise_and(b.ge(index, b.constant(lowest, index.type)), b.lt(index, b.constant(size, index.type)))


def is_probability(b: Builder, x: Node) -> Node:
    """Whether each number is between 0 and 1; NaN is not."""
    return b.bitwise_and(b.ge(x, b.constant(0, x.type)), b.le(x, b.constant(1, x.type)))


def is_inexact(dtype: str) -> bool:
    return is_float(dtype) or is_complex(dtype)
