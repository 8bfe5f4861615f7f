"""Operations on the bits of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from lazymlir.dialect import Builder, Node, TensorType
from lazymlir.dialect.types import is_float

from ..registry import aten
from .common import as_dims, math_dtype
from .formula import Term, absolute, where

FRACTION_BITS = {"f32": 23, "f64": 52}


@aten("frexp.Tensor")
def frexp(b: Builder, out: Sequence[TensorType], x: Node) -> tuple[Node, Node]:
    """A fraction of at least a half and below 1, and the exponent of the power of 2 that it is to be multiplied by."""
    wide = Term(b, b.cast(x, math_dtype(x.dtype)))
    fraction_bits = FRACTION_BITS[wide.dtype]
    integer = "i64" if wide.dtype == "f64" else "i32"
    half_exponent = 1022 if wide.dtype == "f64" else 126
    bits = wide.bitcast(integer)
    exponent_field = (1 << (8 if integer == "i32" else 11)) - 1 << fraction_bits
    exponent = (bits & exponent_field).apply("shift_right_logical", fraction_bits) - half_exponent
    fraction = ((bits & ~exponent_field) | half_exponent << fraction_bits).bitcast(wide.dtype)
    regular = (absolute(wide) > 0) & Term(b, b.is_finite(wide.node))  # others are their own fraction
    fraction, exponent = where(regular, fraction, wide), where(regular, exponent, 0)
    return b.cast(fraction.node, out[0].dtype), b.cast(exponent.node, out[1].dtype)


@aten("hash_tensor")
def hash_tensor(b: Builder, out: TensorType, x: Node, dim: Sequence[int] = (), *, keepdim: bool = False, mode: int = 0) -> Node:
    """The exclusive or of all elements as 64 bits: floats as doubles, integers with their sign."""
    if mode != 0:
        raise RuntimeError(f"Unknown hash_tensor mode: {mode}")
    wide = b.bitcast(b.cast(x, "f64"), dtype="i64") if is_float(x.dtype) else b.cast(x, "i64")
    dims = as_dims(dim, x.rank)
    kept = [d for d in range(x.rank) if d not in dims]
    rows = b.reshape(b.permute(wide, (*kept, *dims)), (*(x.shape[d] for d in kept), prod(x.shape[d] for d in dims)))
    return b.reshape(b.bitcast(_exclusive_or(b, rows), dtype=out.dtype), out.shape)


def _exclusive_or(b: Builder, x: Node) -> Node:
    """Over the last dimension, one half with the other until one element is left."""
    dim = x.rank - 1
    while (size := x.shape[dim]) > 1:
        half = size // 2
        joined = b.bitwise_xor(b.static_slice(x, dim, 0, half), b.static_slice(x, dim, half, half))
        x = b.join((joined, b.static_slice(x, dim, size - 1, 1)), dim) if size % 2 else joined
    return x
