"""The automatic barrier after `optimizer.step()`, as soon as its gradients are dropped; and Adam's steps as one operation each."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import torch
from torch.optim import adam
from torch.optim.optimizer import register_optimizer_step_post_hook
from torch.utils.weak import WeakTensorKeyDictionary

from lazymlir.core.engine import engine

from .tensors import DEVICE_NAME, buffer_of, is_lazy

__all__ = ["install"]

Tensors = list[torch.Tensor]


def install() -> None:
    register_optimizer_step_post_hook(_after_step)
    adam._multi_tensor_adam = _as_one(adam._multi_tensor_adam)


def _after_step(optimizer: torch.optim.Optimizer, args: Any, kwargs: Any) -> None:
    parameters = [p for group in optimizer.param_groups for p in group["params"]]
    if not any(is_lazy(p) for p in parameters):
        return
    engine.request_barrier([buffer_of(p.grad).value for p in parameters if p.grad is not None and is_lazy(p.grad)])


def _as_one(composed: Callable[..., None]) -> Callable[..., None]:
    """The step of Adam and AdamW over lists, which torch composes of a dozen operations, and of Python for each parameter.
    It is the fused one, with steps that are counted on the host as well."""

    @wraps(composed)
    def step(parameters: Tensors, grads: Tensors, averages: Tensors, squares: Tensors, largest: Tensors, steps: Tensors, **options: Any) -> None:
        plain = not options["capturable"] and all(type(options[name]) is float for name in ("lr", "beta1", "beta2"))
        if not parameters or not plain or not all(is_lazy(p) and p.is_floating_point() for p in parameters):
            return composed(parameters, grads, averages, squares, largest, steps, **options)
        torch._foreach_add_(steps, 1)
        fused: Any = torch._fused_adamw_ if options["decoupled_weight_decay"] else torch._fused_adam_
        numbers = {name: options[name] for name in ("lr", "beta1", "beta2", "weight_decay", "eps", "amsgrad", "maximize")}
        places: dict[float, list[int]] = {}
        for i, count in enumerate(steps):
            places.setdefault(count.item(), []).append(i)
        for count, own in places.items():
            lists = ([some[i] for i in own] if some else [] for some in (parameters, grads, averages, squares, largest))
            fused(*lists, [_on_device(steps[own[0]], count)] * len(own), **numbers)

    return step


_counts: Any = WeakTensorKeyDictionary()
"""For a step on the host, what it was last time and the same on the device: a number that is another one each time would
have to be sent there."""


def _on_device(step: torch.Tensor, count: float) -> torch.Tensor:
    before, known = _counts.get(step, (None, None))
    if before != count - 1:
        known = torch.tensor(count - 1, dtype=step.dtype).to(DEVICE_NAME)
    known.add_(1)
    _counts[step] = count, known
    return known
