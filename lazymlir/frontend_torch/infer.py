"""What an operation returns, found once per signature by running it on torch's meta device.

Mistakes in shapes, dtypes and arguments raise here, before anything is recorded: torch's own exceptions at the line
that made them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch

from lazymlir.core.values import Layout
from lazymlir.dialect import TensorType

from .dtypes import TORCH_OF, dtype_name
from .tensors import contiguous_strides

__all__ = ["OutSpec", "infer", "meta_tensor"]


class OutSpec(NamedTuple):
    """A new tensor to make: strides are None where contiguous."""

    sizes: tuple[int, ...]
    dtype: torch.dtype
    strides: tuple[int, ...] | None

    @property
    def type(self) -> TensorType:
        return TensorType(self.sizes, dtype_name(self.dtype))


def meta_tensor(layout: Layout) -> torch.Tensor:
    return torch.empty_strided(layout.sizes, layout.strides, dtype=TORCH_OF[layout.dtype], device="meta")


def spec_of(tensor: torch.Tensor) -> OutSpec:
    sizes = tuple(tensor.shape)
    strides = tensor.stride()
    dtype_name(tensor.dtype)
    return OutSpec(sizes, tensor.dtype, None if strides == contiguous_strides(sizes) else strides)


def infer(function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> list[OutSpec | None]:
    """Specifications of what `function` returns for meta arguments, flat; None for a result that is not there."""
    if "device" in kwargs:
        kwargs = {**kwargs, "device": torch.device("meta")}
    if kwargs.get("pin_memory") is not None:
        kwargs = {**kwargs, "pin_memory": None}
    returned = function(*args, **kwargs)
    flat = returned if isinstance(returned, (tuple, list)) else (returned,)
    return [spec_of(item) if isinstance(item, torch.Tensor) else None for item in flat]
