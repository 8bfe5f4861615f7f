"""Numbers as element types hold them: which conversions lose nothing, and what a converted number is.

Everything here is exact; where torch and XLA might round differently the answer is None, and nothing is folded.
"""

from __future__ import annotations

import math
import struct

from lazymlir.dialect.types import BOOL, is_complex, is_float, is_integer, is_unsigned, itemsize

__all__ = ["all_ones", "convert", "converts_exactly", "folds_casts", "held", "identical"]

_SIGNIFICAND = {"f16": 11, "bf16": 8, "f32": 24, "f64": 53}
_WIDER = {"f16": ("f16", "f32", "f64"), "bf16": ("bf16", "f32", "f64"), "f32": ("f32", "f64"), "f64": ("f64",)}
_PACKED = {"f16": "<e", "f32": "<f", "f64": "<d"}


def part(dtype: str) -> str:
    """The real type of the parts of a complex type; other types as they are."""
    return dtype[len("complex<") : -1] if is_complex(dtype) else dtype


def identical(x: complex, y: complex) -> bool:
    """Equal bit for bit: 0.0 is not -0.0, and NaN is NaN."""
    if isinstance(x, complex) or isinstance(y, complex):
        x, y = complex(x), complex(y)
        return identical(x.real, y.real) and identical(x.imag, y.imag)
    return (x == y and math.copysign(1, x) == math.copysign(1, y)) or (x != x and y != y)


def all_ones(dtype: str) -> int:
    """The number whose bits are all 1."""
    return True if dtype == BOOL else _wrap(-1, dtype)


def held(value: complex, dtype: str) -> complex | None:
    """`value` as a splat constant of this type holds it; None where rounding is not certain."""
    if dtype == BOOL:
        return bool(value)
    if is_complex(dtype):
        number = complex(value)
        real, imag = _round(number.real, part(dtype)), _round(number.imag, part(dtype))
        return None if real is None or imag is None else complex(real, imag)
    if isinstance(value, complex):
        return None
    if is_float(dtype):
        return _round(value, dtype)
    return None if isinstance(value, float) else _wrap(int(value), dtype)


def _wrap(value: int, dtype: str) -> int:
    bits = 8 * itemsize(dtype)
    value &= (1 << bits) - 1
    return value if is_unsigned(dtype) or value < 1 << (bits - 1) else value - (1 << bits)


def _round(value: float, dtype: str) -> float | None:
    number = float(value)
    if number != value and not math.isnan(number):  # an integer beyond 2**53
        return None
    if dtype == "bf16":
        return number if _fits_bf16(number) else None
    try:
        return struct.unpack(_PACKED[dtype], struct.pack(_PACKED[dtype], number))[0]
    except OverflowError:
        return math.copysign(math.inf, number)


def _fits_bf16(number: float) -> bool:
    if not math.isfinite(number):
        return True
    try:
        return struct.unpack("<f", b"\0\0" + struct.pack("<f", number)[2:])[0] == number
    except OverflowError:
        return False


def convert(value: complex, source: str, target: str) -> complex | None:
    """The number that casting a constant `value` of type `source` to `target` gives; None where it is not certain."""
    number = held(value, source)
    if number is None:
        return None
    if target == BOOL:
        return number != 0
    if isinstance(number, complex) and is_complex(target):
        return number
    number = number.real
    if is_integer(target):
        return _to_integer(number, target)
    rounded = held(number, part(target))
    if rounded is None:
        return None
    if target in ("f16", "bf16") and not identical(rounded, float(number)):  # some round twice, by way of f32
        return None
    return complex(number) if is_complex(target) else float(number)


def _to_integer(number: float, dtype: str) -> int | None:
    if not isinstance(number, float):
        return _wrap(int(number), dtype)
    if not math.isfinite(number) or _wrap(int(number), dtype) != int(number):
        return None
    return int(number)


def converts_exactly(source: str, target: str) -> bool:
    """Whether every number of `source` is one of `target`."""
    if source in (BOOL, target):
        return True
    if is_complex(target):
        return converts_exactly(part(source), part(target))
    if is_complex(source) or target == BOOL:
        return False
    if is_float(source):
        return target in _WIDER[source]
    bits = 8 * itemsize(source) - (not is_unsigned(source))
    if is_float(target):
        return bits <= _SIGNIFICAND[target]
    return bits <= 8 * itemsize(target) - (not is_unsigned(target)) and (is_unsigned(source) or not is_unsigned(target))


def folds_casts(source: str, between: str, target: str) -> bool:
    """Whether casting from `source` by way of `between` to `target` is the same as casting at once."""
    if is_integer(source) and is_integer(between) and is_integer(target):
        return itemsize(between) >= itemsize(target) or converts_exactly(source, between)
    if not converts_exactly(source, between):
        return False
    if is_integer(target):  # what a float out of range becomes may depend on the float's type
        return converts_exactly(source, target)
    return is_float(source) or target not in ("f16", "bf16") or converts_exactly(source, target)
