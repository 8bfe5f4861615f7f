"""Printing a tensor copies it to the CPU once and formats it there; torch would run some twenty operations on the device."""

from __future__ import annotations

from typing import Any

import torch

from .tensors import is_lazy

__all__ = ["install"]


def install() -> None:
    """Replaces the function of torch that formats a tensor's elements."""
    original = torch._tensor_str._tensor_str

    def format_elements(x: torch.Tensor, *args: Any, **kwargs: Any) -> str:
        return original(x.detach().to("cpu") if is_lazy(x) else x, *args, **kwargs)

    torch._tensor_str._tensor_str = format_elements
