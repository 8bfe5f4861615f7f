"""Python numbers that an element type cannot hold: torch refuses them where it converts the number itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from .dtypes import NAME_OF, TORCH_OF

__all__ = ["is_real", "limits", "must_fit", "overflows"]

C_NAMES = {
    torch.uint8: "uint8_t", torch.int8: "int8_t", torch.int16: "short", torch.int32: "int", torch.int64: "int64_t", torch.uint16: "uint16_t",
    torch.uint32: "uint32_t", torch.uint64: "uint64_t", torch.float16: "c10::Half", torch.bfloat16: "c10::BFloat16", torch.float32: "float",
    torch.float64: "double", torch.complex64: "c10::complex<float>", torch.complex128: "c10::complex<double>",
}  # fmt: skip
"""What torch's message calls an element type."""


def must_fit(number: complex, dtype: torch.dtype) -> None:
    """torch's error where `number` is beyond what `dtype` holds; infinities and NaN fit floats, and an unsigned integer
    wraps negative numbers around."""
    if dtype == torch.bool or (dtype == torch.uint8 and type(number) is int and -256 < number < 0) or not overflows(number, NAME_OF[dtype]):
        return
    raise RuntimeError(f"value cannot be converted to type {C_NAMES[dtype]} without overflow")


def overflows(number: complex, dtype: str) -> bool:
    """Whether `number` is beyond what an element type of the dialect holds."""
    low, high = _LIMITS[dtype]
    if not isinstance(number, complex):
        return not low <= number <= high and not (dtype in _WITH_INFINITY and number - number != 0)
    if dtype not in _COMPLEX:
        return bool(number.imag) or overflows(number.real, dtype)
    return overflows(number.real, dtype) or overflows(number.imag, dtype)


def limits(dtype: str) -> tuple[float, float]:
    """The finite numbers that an element type of the dialect holds, from the lowest to the highest."""
    return _LIMITS[dtype]


def _limits(dtype: torch.dtype) -> tuple[float, float]:
    if dtype == torch.bool:  # whose operations take integers for integers
        dtype = torch.int64
    found = torch.finfo(dtype) if dtype.is_floating_point or dtype.is_complex else torch.iinfo(dtype)
    return found.min, found.max


_LIMITS = {name: _limits(dtype) for name, dtype in TORCH_OF.items()}
_COMPLEX = {NAME_OF[dtype] for dtype in (torch.complex64, torch.complex128)}
_WITH_INFINITY = {NAME_OF[dtype] for dtype in C_NAMES if dtype.is_floating_point or dtype.is_complex}


def is_real(**places: int) -> Callable[..., None]:
    """A check for importers: the tensors given by these names, or at these places, are complex only where the first argument is."""

    def check(x: Any, *args: Any, **kwargs: Any) -> None:
        for name, place in places.items():
            number: Any = args[place - 1] if place <= len(args) else kwargs.get(name)
            if isinstance(number, torch.Tensor) and number.is_complex():
                must_fit(1j, x.dtype)

    return check
