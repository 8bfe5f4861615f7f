"""Moving modules: their parameters stay the same objects, so that tied weights stay tied and optimizers keep their references."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import torch
from torch.nn.parameter import UninitializedBuffer, UninitializedParameter, is_lazy

__all__ = ["install"]


def install() -> None:
    """`Module.to` swaps tensors instead of setting .data, which takes one of the same kind of device only; those of lazy
    modules, which have no shape yet, are swapped for others of their kind."""
    torch.__future__.set_swap_module_params_on_conversion(True)
    convert = torch.nn.Module._apply

    @wraps(convert)
    def convert_initialized(self: torch.nn.Module, fn: Callable[[torch.Tensor], torch.Tensor], recurse: bool = True) -> torch.nn.Module:
        waiting = [(table, name, x) for table in (self._parameters, self._buffers) for name, x in table.items() if x is not None and is_lazy(x)]
        for table, name, _ in waiting:
            table[name] = None
        try:
            return convert(self, fn, recurse)
        finally:
            for table, name, x in waiting:
                table[name] = _converted(x, fn)

    torch.nn.Module._apply = convert_initialized


def _converted(x: Any, fn: Callable[[torch.Tensor], torch.Tensor]) -> Any:
    like = fn(torch.empty(0, dtype=x.dtype, device=x.device))
    kind: Any = UninitializedParameter if isinstance(x, UninitializedParameter) else UninitializedBuffer
    torch.utils.swap_tensors(x, kind(x.requires_grad, device=like.device, dtype=like.dtype))
    return x
