"""`lazymlir.Tensor`, the factories beside it, and the barrier."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

import lazymlir.frontend_torch  # noqa: F401  (registers the device)
from lazymlir.core.engine import engine

__all__ = [
    "Tensor", "arange", "as_tensor", "device", "empty", "eye", "full", "linspace", "manual_seed", "mark_step", "ones", "rand", "randint", "randn",
    "randperm", "sync", "tensor", "zeros",
]  # fmt: skip


class _TensorMeta(type):
    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, torch.Tensor) and instance.device.type == "lazymlir"


class Tensor(metaclass=_TensorMeta):
    """The type of the device's tensors: `isinstance(x, lazymlir.Tensor)` says whether `x` lies on device `lazymlir`.

    They are plain `torch.Tensor` objects; calling the class makes one from data.
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> torch.Tensor:  # type: ignore[misc]
        return tensor(*args, **kwargs)


def device() -> torch.device:
    """The device: `torch.device("lazymlir", 0)`."""
    return torch.device("lazymlir", 0)


def sync(wait: bool = False) -> None:
    """A barrier: runs everything recorded and gives every live tensor its value.

    Returns as soon as the program has started; with `wait=True`, when it has ended. Raises CompileError where XLA refuses
    the program, and the errors of earlier programs that nothing has read yet.
    """
    engine.sync(wait)


mark_step = sync
"""PyTorch/XLA's name for `sync`."""


def manual_seed(seed: int) -> None:
    """Seeds the device's random stream; `torch.manual_seed` does too."""
    engine.random.reseed(seed)


def _on_device(function: Callable[..., torch.Tensor]) -> Callable[..., torch.Tensor]:
    def factory(*args: Any, **kwargs: Any) -> torch.Tensor:
        kwargs.setdefault("device", device())
        return function(*args, **kwargs)

    factory.__name__ = function.__name__
    factory.__doc__ = f"`torch.{function.__name__}` on device lazymlir."
    return factory


tensor = _on_device(torch.tensor)
as_tensor = _on_device(torch.as_tensor)
empty = _on_device(torch.empty)
zeros = _on_device(torch.zeros)
ones = _on_device(torch.ones)
full = _on_device(torch.full)
arange = _on_device(torch.arange)
linspace = _on_device(torch.linspace)
eye = _on_device(torch.eye)
rand = _on_device(torch.rand)
randn = _on_device(torch.randn)
randint = _on_device(torch.randint)
randperm = _on_device(torch.randperm)
