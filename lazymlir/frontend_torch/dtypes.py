"""torch's dtypes and the dialect's element types."""

from __future__ import annotations

import torch

__all__ = ["NAME_OF", "TORCH_OF", "dtype_name", "require_castable"]


class _Names(dict[torch.dtype, str]):
    def __missing__(self, dtype: torch.dtype) -> str:
        raise NotImplementedError(f"device lazymlir has no dtype {dtype}; it has {', '.join(map(str, self))}")


NAME_OF = _Names(
    {
        torch.float16: "f16",
        torch.bfloat16: "bf16",
        torch.float32: "f32",
        torch.float64: "f64",
        torch.complex64: "complex<f32>",
        torch.complex128: "complex<f64>",
        torch.bool: "i1",
        torch.int8: "i8",
        torch.int16: "i16",
        torch.int32: "i32",
        torch.int64: "i64",
        torch.uint8: "ui8",
        torch.uint16: "ui16",
        torch.uint32: "ui32",
        torch.uint64: "ui64",
    }
)
TORCH_OF = {name: dtype for dtype, name in NAME_OF.items()}


def dtype_name(dtype: torch.dtype) -> str:
    """The dialect's name; NotImplementedError for a dtype that the device does not have."""
    return NAME_OF[dtype]


def require_castable(result: torch.dtype, wanted: torch.dtype) -> None:
    """torch's error where an in-place or `out=` form would have to round its result to a narrower kind of number."""
    if not torch.can_cast(result, wanted):
        raise RuntimeError(f"result type {_scalar_name(result)} can't be cast to the desired output type {_scalar_name(wanted)}")


def _scalar_name(dtype: torch.dtype) -> str:
    return {torch.float32: "Float", torch.float64: "Double", torch.int64: "Long", torch.bool: "Bool"}.get(dtype, str(dtype)[6:].capitalize())
