"""Tensor types as plain data: what the type rules of the dialect compute with."""

from __future__ import annotations

from math import prod
from typing import NamedTuple

FLOATS = ("f16", "bf16", "f32", "f64")
INTEGERS = ("i8", "i16", "i32", "i64", "ui8", "ui16", "ui32", "ui64")
COMPLEX_PARTS = {"complex<f32>": "f32", "complex<f64>": "f64"}
COMPLEXES = tuple(COMPLEX_PARTS)
COMPLEX_OF = {part: dtype for dtype, part in COMPLEX_PARTS.items()}
"""The complex type by that of its parts."""
BOOL = "i1"
DTYPES = (*FLOATS, *INTEGERS, *COMPLEXES, BOOL)

_BITS = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64, "complex<f32>": 64, "complex<f64>": 128, BOOL: 8}


class TensorType(NamedTuple):
    """A static shape and an element type spelled as in MLIR ("f32", "i64", "i1" for booleans, "complex<f32>")."""

    shape: tuple[int, ...]
    dtype: str

    @property
    def rank(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        """Number of elements."""
        return prod(self.shape)

    @property
    def nbytes(self) -> int:
        return self.size * itemsize(self.dtype)

    def with_shape(self, shape: tuple[int, ...]) -> TensorType:
        return TensorType(tuple(shape), self.dtype)

    def with_dtype(self, dtype: str) -> TensorType:
        return TensorType(self.shape, dtype)

    def __str__(self) -> str:
        return f"tensor<{''.join(f'{n}x' for n in self.shape)}{self.dtype}>"


def itemsize(dtype: str) -> int:
    """Bytes of one element in memory (a boolean takes one)."""
    bits = _BITS.get(dtype)
    return (bits if bits is not None else int(dtype.lstrip("ui"))) // 8


def real_dtype(dtype: str) -> str:
    """That of a complex type's parts; a type that is not complex itself."""
    return COMPLEX_PARTS.get(dtype, dtype)


def is_float(dtype: str) -> bool:
    return dtype in FLOATS


def is_complex(dtype: str) -> bool:
    return dtype in COMPLEXES


def is_integer(dtype: str) -> bool:
    """Signed and unsigned integers; booleans are not integers."""
    return dtype in INTEGERS


def is_unsigned(dtype: str) -> bool:
    return dtype.startswith("ui")


def lowest(dtype: str) -> float:
    """What no element of the type is below: the neutral element of a maximum."""
    if is_float(dtype):
        return float("-inf")
    return 0 if dtype == BOOL or is_unsigned(dtype) else -(2 ** (8 * itemsize(dtype) - 1))


def highest(dtype: str) -> float:
    """What no element of the type is above: the neutral element of a minimum."""
    if is_float(dtype):
        return float("inf")
    if dtype == BOOL:
        return 1
    bits = 8 * itemsize(dtype)
    return 2**bits - 1 if is_unsigned(dtype) else 2 ** (bits - 1) - 1
