"""torch's dtypes and the dialect's element types."""

from __future__ import annotations

import torch

__all__ = ["NAME_OF", "TORCH_OF", "dtype_name"]


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
