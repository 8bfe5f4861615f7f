"""Optimizers in a steady function: steps counted on the device, and rates that are followed.

torch's Adam family corrects its averages in Python, from a step counted on the host, so each step would be another
program. While a body is recorded such an optimizer runs fused, or else capturable, with its `step` on the device; its
flags are as before afterwards.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from operator import is_
from typing import Any

import torch
from torch.optim import Adagrad, Adam, AdamW, Optimizer
from torch.optim.optimizer import register_optimizer_step_pre_hook

from lazymlir.core.replay import capturing

from ..tensors import is_lazy
from .numbers import Followed, Table

__all__ = ["Rates", "device_steps", "install", "move_steps"]

_FUSED = (Adam, AdamW, torch.optim.SGD, Adagrad)

_COUNTED = ("step", "eta", "mu", "mu_product")
"""What optimizers keep on the host unless they are fused or capturable."""

_moved: weakref.WeakSet[Optimizer] = weakref.WeakSet()
"""Optimizers whose steps were moved to the device."""


def install() -> None:
    register_optimizer_step_pre_hook(_before_step)


def _before_step(optimizer: Optimizer, args: Any, kwargs: Any) -> None:
    """Outside of steady functions the step is counted on the host again: else reading it would wait for the device."""
    if optimizer not in _moved or capturing() is not None:
        return
    for group in optimizer.param_groups:
        if not (group.get("fused") or group.get("capturable")):
            for state in _states(optimizer, group):
                for name in _COUNTED:
                    if is_lazy(state.get(name)):
                        state[name] = state[name].cpu()
    _moved.discard(optimizer)


def _states(optimizer: Optimizer, group: dict[str, Any]) -> list[dict[str, Any]]:
    return [optimizer.state[p] for p in group["params"] if p in optimizer.state]


def _flag(optimizer: Optimizer, group: dict[str, Any]) -> str | None:
    """What to switch on for a group of parameters, so that its step is counted on the device."""
    if group.get("differentiable") or not all(is_lazy(p) for p in group["params"]):
        return None
    if type(optimizer) in _FUSED and all(p.is_floating_point() for p in group["params"]):
        return None if group.get("capturable") else "fused"
    return "capturable" if "capturable" in group else None


def move_steps(optimizers: Sequence[Optimizer]) -> bool:
    """Moves to the device the steps that will be counted there; whether there were any."""
    moved = False
    for optimizer in optimizers:
        for group in optimizer.param_groups:
            if _flag(optimizer, group) is None and not group.get("capturable"):
                continue
            for state in _states(optimizer, group):
                for name in _COUNTED:
                    if isinstance(state.get(name), torch.Tensor) and not is_lazy(state[name]):
                        state[name] = state[name].to("lazymlir")
                        moved = True
            _moved.add(optimizer)
    return moved


@contextmanager
def device_steps(optimizers: Sequence[Optimizer]) -> Iterator[None]:
    """The block's steps are counted on the device."""
    before: list[tuple[dict[str, Any], str, Any]] = []
    scaling = [(optimizer, getattr(optimizer, "_step_supports_amp_scaling", None)) for optimizer in optimizers]
    try:
        for optimizer in optimizers:
            for group in optimizer.param_groups:
                flag = _flag(optimizer, group)
                if flag is not None:
                    before.append((group, flag, group.get(flag)))
                    group[flag] = True
            if all(group.get("fused") for group in optimizer.param_groups):
                optimizer._step_supports_amp_scaling = True  # so a GradScaler leaves found infinities to the kernel
        yield
    finally:
        for group, flag, value in before:
            group[flag] = value
        for optimizer, value in scaling:
            if value is None:
                optimizer.__dict__.pop("_step_supports_amp_scaling", None)
            else:
                optimizer._step_supports_amp_scaling = value


class Rates:
    """The numbers in the parameter groups of optimizers, in order."""

    def __init__(self, optimizers: Sequence[Optimizer]) -> None:
        self.groups: list[dict[str, Any]] = [group for optimizer in optimizers for group in optimizer.param_groups]
        self.keys = {(id(group), key) for group in self.groups for key in group if key != "params"}
        self._values = self._look()

    def _look(self) -> list[Any]:
        return [value for group in self.groups for value in group.values()]

    def numbers(self) -> list[float]:
        """What they are now."""
        found: list[float] = []
        for value in self._look():
            if type(value) is float:
                found.append(value)
            elif type(value) in (tuple, list):
                found += [item for item in value if type(item) is float]
        return found

    @contextmanager
    def followed(self, table: Table, first: int, follow: bool) -> Iterator[list[str]]:
        """The block sees followed numbers, `n[first]` and so on, or else they are conditions. Fills the list with those that it changed."""
        changed: list[str] = []
        put: list[tuple[dict[str, Any], str, Any, Any]] = []
        count = first

        def take(x: Any) -> Any:
            nonlocal count
            if type(x) is not float:
                return x
            count += 1
            if follow:
                return table.follow(x, f"n[{count - 1}]")
            table.require(f"n[{count - 1}]", x)
            return x

        for group in self.groups:
            for key, value in list(group.items()):
                followed = type(value)(map(take, value)) if type(value) in (tuple, list) and key != "params" else take(value)
                if type(value) in (float, tuple, list) and key != "params":
                    put.append((group, key, value, followed))
                    group[key] = followed
        try:
            yield changed
        finally:
            for group, key, value, followed in put:
                now = group.get(key)
                if now is followed:
                    group[key] = value
                else:
                    changed.append(key)
                    group[key] = _plain(now)

    def rest(self) -> list[Any]:
        """Everything that is no number to follow, with a mark for each of these."""
        return [_mark(value) for value in self._look()]

    def unchanged(self) -> bool:
        """Whether they are the very objects that were there last time."""
        now = self._look()
        if len(now) == len(self._values) and all(map(is_, now, self._values)):
            return True
        self._values = now
        return False


def _mark(x: Any) -> Any:
    if type(x) is float:
        return "a float"
    return tuple(map(_mark, x)) if type(x) in (tuple, list) and all(isinstance(item, (float, int)) for item in x) else x


def _plain(x: Any) -> Any:
    if type(x) is Followed:
        return x.true
    return type(x)(map(_plain, x)) if type(x) in (tuple, list) else x
