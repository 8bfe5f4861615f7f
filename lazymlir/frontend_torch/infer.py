"""What an operation returns, found once per signature by running it on torch's meta device.

Mistakes in shapes, dtypes and arguments raise here, before anything is recorded: torch's own exceptions at the line
that made them.
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import torch

from lazymlir.core.values import Layout, contiguous_strides
from lazymlir.dialect import TensorType

from .dtypes import TORCH_OF, dtype_name

__all__ = ["OutSpec", "infer", "meta_tensor", "stand_in", "unnoticed"]


class OutSpec(NamedTuple):
    """A new tensor to make: strides are None where contiguous."""

    sizes: tuple[int, ...]
    dtype: torch.dtype
    strides: tuple[int, ...] | None

    @property
    def type(self) -> TensorType:
        return TensorType(self.sizes, dtype_name(self.dtype))


@contextlib.contextmanager
def unnoticed() -> Iterator[None]:
    """While the CPU is asked what it would do: no gradient, no random number of its stream, and no warning is left behind."""
    with torch.no_grad(), torch.random.fork_rng(devices=[]), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def meta_tensor(layout: Layout) -> torch.Tensor:
    return torch.empty_strided(layout.sizes, layout.strides, dtype=TORCH_OF[layout.dtype], device="meta")


def spec_of(tensor: torch.Tensor) -> OutSpec:
    sizes = tuple(tensor.shape)
    strides = tensor.stride()
    dtype_name(tensor.dtype)
    return OutSpec(sizes, tensor.dtype, None if strides == contiguous_strides(sizes) else strides)


_refused = object()


def infer(function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> list[OutSpec | int | None]:
    """Specifications of what `function` returns for meta arguments, flat; None for a result that is not there, and a number
    that shapes decide as it is.

    Where the meta device refuses, the CPU is asked with zeros of the same layout: its errors are the ones users know, and
    it knows the operations that have no meta kernel.
    """
    returned: Any = _refused
    with contextlib.suppress(RuntimeError, NotImplementedError, IndexError, ValueError, TypeError, AssertionError):
        returned = function(*args, **_on(kwargs, "meta"))
    if returned is _refused:
        host_kwargs = {name: stand_in(argument) for name, argument in _on(kwargs, "cpu").items()}
        with torch.random.fork_rng(devices=[]):  # a random operation must not advance the CPU's stream
            returned = function(*(stand_in(argument) for argument in args), **host_kwargs)
    flat = returned if isinstance(returned, (tuple, list)) else (returned,)
    return [spec_of(item) if isinstance(item, torch.Tensor) else item for item in flat]


def _on(kwargs: dict[str, Any], device: str) -> dict[str, Any]:
    """Keyword arguments for another device."""
    changed = {"device": torch.device(device), "pin_memory": None}
    return {name: changed.get(name, value) if value is not None else None for name, value in kwargs.items()}


def stand_in(argument: Any) -> Any:
    """A CPU stand-in of a tensor: the same layout, all zeros, in as little memory as possible."""
    if isinstance(argument, (list, tuple)):
        return type(argument)(stand_in(item) for item in argument)
    if not isinstance(argument, torch.Tensor):
        return argument
    if argument.numel() * argument.element_size() <= _SMALL:
        return torch.empty_strided(argument.shape, argument.stride(), dtype=argument.dtype, device="cpu").zero_()
    return torch.zeros((), dtype=argument.dtype, device="cpu").expand(argument.shape)


_SMALL = 1 << 26
