"""The backward pass: on the caller's thread, and what becomes of exceptions in it.

torch gives each device a thread for its part of the backward pass. All that is done there for this device is recording, and
waking another thread up takes as long as recording a hundred operations; where hooks run, what an interrupt meets and what
a debugger shows are the caller's too.

torch's engine unwinds a node whose hook failed (also those of saved tensors, as in checkpointing) with the Python error
still set, and restores the device's stream on the way, which asks the guard for its type. A Python function may not
return with an error set: the process would abort. So the guard takes the error, and the call that ran the engine, which
torch then leaves without one, raises it.
"""

from __future__ import annotations

from functools import wraps
from typing import Any

import torch

from lazymlir.core.engine import engine

from .tensors import is_lazy

__all__ = ["DeviceGuard", "install"]

_NOTHING = zip()
"""An iterator that has nothing to give. A loop over it ends in a check of whether an error is set, which it then raises: the
cheapest way for Python to look, and torch asks for the type twice for each operation that requires a gradient."""

_PRIVATEUSE1 = torch._C._autograd.DeviceType.PrivateUse1


class DeviceGuard(torch._C._acc.DeviceGuard):
    def type_(self) -> Any:
        try:
            for _ in _NOTHING:
                pass
        except BaseException as error:
            engine.defer(error)
        return _PRIVATEUSE1


def install() -> None:
    """Replaces the function of torch that runs the engine."""
    is_enabled, enable = torch._C._is_multithreading_enabled, torch._C._set_multithreading_enabled
    run = torch.autograd.graph._engine_run_backward

    @wraps(run)
    def run_and_raise(outputs: Any, *args: Any, **kwargs: Any) -> Any:
        with engine.lock:
            engine.recorders.current()  # from now on this thread has a recorder, which autograd's threads find
        threads = is_enabled()
        if any(isinstance(x, torch.Tensor) and is_lazy(x) for x in outputs):
            enable(False)
        try:
            return run(outputs, *args, **kwargs)
        except SystemError as error:
            without = error
        finally:
            enable(threads)
        engine.raise_deferred()
        raise without

    torch.autograd.graph._engine_run_backward = run_and_raise
    torch.autograd._engine_run_backward = run_and_raise
