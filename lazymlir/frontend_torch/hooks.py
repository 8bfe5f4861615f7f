"""Exceptions in backward hooks.

torch's engine unwinds a failing hook with the Python error still set, and asks the device's guard for its type on the
way: with a guard written in Python the process would abort. So a hook's exception is kept, and raised by the next
operation of the backward pass or, if none comes, at its end.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import torch

from lazymlir.core.engine import engine

from .tensors import is_lazy

__all__ = ["install"]


def _guarded(hook: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(hook)
    def call(*args: Any) -> Any:
        try:
            return hook(*args)
        except BaseException as error:
            if not _mentions_device(args):
                raise
            engine.defer(error)
            return None

    return call


def _mentions_device(args: Any) -> bool:
    return any(is_lazy(a) or (isinstance(a, (tuple, list)) and _mentions_device(a)) for a in args)


def install() -> None:
    """Replaces the functions of torch that register hooks and run the engine."""
    for name in ("register_hook", "register_post_accumulate_grad_hook"):
        setattr(torch.Tensor, name, _guarding(getattr(torch.Tensor, name)))
    original = torch.utils.hooks.BackwardHook.__init__

    @wraps(original)
    def make(self: Any, module: Any, user_hooks: Any, user_pre_hooks: Any) -> None:
        original(self, module, [_guarded(hook) for hook in user_hooks], [_guarded(hook) for hook in user_pre_hooks])

    torch.utils.hooks.BackwardHook.__init__ = make
    run = torch.autograd.graph._engine_run_backward

    @wraps(run)
    def run_and_raise(*args: Any, **kwargs: Any) -> Any:
        with engine.lock:
            engine.recorders.current()  # from now on this thread has a recorder, which autograd's threads find
        made = run(*args, **kwargs)
        engine.raise_deferred()
        return made

    torch.autograd.graph._engine_run_backward = run_and_raise
    torch.autograd._engine_run_backward = run_and_raise


def _guarding(register: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(register)
    def register_guarded(self: torch.Tensor, hook: Callable[..., Any]) -> Any:
        return register(self, _guarded(hook) if is_lazy(self) else hook)

    return register_guarded
