"""Python numbers that an element type cannot hold: torch refuses them where it converts the number itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

__all__ = ["fits", "must_fit"]

C_NAMES = {
    torch.uint8: "uint8_t", torch.int8: "int8_t", torch.int16: "short", torch.int32: "int", torch.int64: "int64_t", torch.uint16: "uint16_t",
    torch.uint32: "uint32_t", torch.uint64: "uint64_t", torch.float16: "c10::Half", torch.bfloat16: "c10::BFloat16", torch.float32: "float",
    torch.float64: "double",
}  # fmt: skip
"""What torch's message calls an element type."""


def must_fit(number: complex, dtype: torch.dtype) -> None:
    """torch's error where `number` is beyond what `dtype` holds; infinities and NaN fit floats, and an unsigned integer
    wraps negative numbers around."""
    if dtype.is_complex or dtype == torch.bool or not _overflows(number, dtype):
        return
    raise RuntimeError(f"value cannot be converted to type {C_NAMES[dtype]} without overflow")


def _overflows(number: complex, dtype: torch.dtype) -> bool:
    if isinstance(number, complex):
        if number.imag:
            return True
        number = number.real
    if dtype.is_floating_point:
        limit = torch.finfo(dtype).max
        return abs(number) > limit and abs(number) != float("inf")
    limits = torch.iinfo(dtype)
    lowest = -limits.max if limits.min == 0 and isinstance(number, int) else limits.min
    return not lowest <= number <= limits.max


def fits(promoted: bool = False, **places: int) -> Callable[..., None]:
    """A check for importers: the numbers given by these names, or at these places, fit the first argument's element type,
    or what it is promoted to with the number."""

    def check(x: Any, *args: Any, **kwargs: Any) -> None:
        for name, place in places.items():
            number: Any = args[place - 1] if place <= len(args) else kwargs.get(name)
            if type(number) in (int, float, complex):
                must_fit(number, torch.result_type(x, number) if promoted else x.dtype)
            elif isinstance(number, torch.Tensor) and number.is_complex():
                must_fit(1j, x.dtype)

    return check
