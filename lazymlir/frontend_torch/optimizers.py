"""The automatic barrier: after `optimizer.step()`, as soon as its gradients are dropped."""

from __future__ import annotations

from typing import Any

import torch
from torch.optim.optimizer import register_optimizer_step_post_hook

from lazymlir.core.engine import engine

from .tensors import buffer_of, is_lazy

__all__ = ["install"]


def install() -> None:
    register_optimizer_step_post_hook(_after_step)


def _after_step(optimizer: torch.optim.Optimizer, args: Any, kwargs: Any) -> None:
    parameters = [p for group in optimizer.param_groups for p in group["params"]]
    if not any(is_lazy(p) for p in parameters):
        return
    engine.request_barrier([buffer_of(p.grad).value for p in parameters if p.grad is not None and is_lazy(p.grad)])
