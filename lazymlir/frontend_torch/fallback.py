"""The fallback: an operation without an importer runs once in eager torch on the CPU.

Never silent: it is counted as `aten::<operation>`, warned of once per operation and line, and refused under
LAZYMLIR_FALLBACK=error.
"""

from __future__ import annotations

import warnings
from typing import Any

import torch

from lazymlir import metrics
from lazymlir.config import config
from lazymlir.core.engine import engine
from lazymlir.core.locations import resolve
from lazymlir.core.replay import capturing
from lazymlir.errors import FallbackError
from lazymlir.logs import log

from .tensors import DEVICE_NAME, from_host, is_lazy, set_geometry, to_host

__all__ = ["FallbackWarning", "fallback", "run_on_host"]


class FallbackWarning(UserWarning):
    """An operation has no lowering and ran on the CPU."""


_warned: set[tuple[str, Any]] = set()


def fallback(overload: Any, *args: Any, **kwargs: Any) -> Any:
    """The boxed kernel of every operation without one."""
    name = overload._schema.name
    capture = capturing()
    if capture is not None:
        capture.refuse(f"{name} has no lowering and would run on the CPU")
    _report(name)
    return run_on_host(overload, args, kwargs)


def _report(name: str) -> None:
    place = resolve(engine.here())
    if config.fallback == "error":
        raise FallbackError(f"{name} has no lowering (at {place}), and LAZYMLIR_FALLBACK=error refuses to run it on the CPU")
    metrics.count(name)
    log("fallbacks", 1, "%s ran on the CPU, at %s", name, place)
    if (name, place) not in _warned:
        _warned.add((name, place))
        warnings.warn_explicit(
            f"{name} has no lowering for device {DEVICE_NAME} and ran on the CPU: the trace was cut there", FallbackWarning, place.file, place.line
        )


class _Host:
    """CPU stand-ins of one operation's arguments; a tensor given twice has one stand-in."""

    def __init__(self) -> None:
        self.pairs: dict[int, tuple[torch.Tensor, torch.Tensor]] = {}

    def convert(self, argument: Any) -> Any:
        if is_lazy(argument):
            if id(argument) not in self.pairs:
                self.pairs[id(argument)] = (argument, _stand_in(argument))
            return self.pairs[id(argument)][1]
        if isinstance(argument, (list, tuple)):
            return [self.convert(item) for item in argument]
        if isinstance(argument, torch.device) and argument.type == DEVICE_NAME:
            return torch.device("cpu")
        return argument

    def back(self, result: Any) -> Any:
        if isinstance(result, torch.Tensor):
            for original, stand_in in self.pairs.values():
                if result is stand_in:
                    return original
            return from_host(result) if result.device.type == "cpu" else result
        if isinstance(result, (list, tuple)):
            return [self.back(item) for item in result] if isinstance(result, list) else tuple(self.back(item) for item in result)
        return result


def _stand_in(tensor: torch.Tensor) -> torch.Tensor:
    """An independent CPU tensor with the same elements, and the same strides where they are dense."""
    host = to_host(tensor)
    if host.stride() == tensor.stride():
        return host
    strided = torch.empty_like(torch.empty_strided(tensor.shape, tensor.stride(), device="meta"), device="cpu", dtype=tensor.dtype)
    return strided.copy_(host)


def _numbers_as_tensors(overload: Any, args: list[Any]) -> list[Any]:
    """Python numbers where the schema says Tensor: torch hands them to kernels unwrapped."""
    schema = overload._schema.arguments
    return [
        torch.tensor(argument) if str(declared.type) == "Tensor" and isinstance(argument, (bool, int, float, complex)) else argument
        for argument, declared in zip(args, schema, strict=False)
    ]


def run_on_host(overload: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Runs an operation on CPU copies of its arguments; writes back what it mutated."""
    with engine.lock:
        host = _Host()
        cpu_args = _numbers_as_tensors(overload, [host.convert(argument) for argument in args])
        cpu_kwargs = {name: host.convert(argument) for name, argument in kwargs.items()}
        if cpu_kwargs.get("pin_memory") is not None:
            cpu_kwargs["pin_memory"] = None
        result = _with_device_seed(overload, cpu_args, cpu_kwargs)
        if overload._schema.is_mutable:
            _write_back(overload, args, kwargs, host)
        return host.back(result)


def _with_device_seed(overload: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """A random operation draws from a generator seeded by the device's own stream."""
    takes_generator = any(argument.name == "generator" for argument in overload._schema.arguments)
    if takes_generator and kwargs.get("generator") is None and not any(isinstance(argument, torch.Generator) for argument in args):
        kwargs["generator"] = torch.Generator("cpu").manual_seed(engine.random.next() & (2**63 - 1))
    return overload(*args, **kwargs)


def _write_back(overload: Any, args: Any, kwargs: dict[str, Any], host: _Host) -> None:
    given = dict(zip((argument.name for argument in overload._schema.arguments), args, strict=False)) | kwargs
    for argument in overload._schema.arguments:
        if argument.alias_info is None or not argument.alias_info.is_write or argument.name not in given:
            continue
        written = given[argument.name]
        for tensor in written if isinstance(written, (list, tuple)) else [written]:
            if is_lazy(tensor):
                stand_in = host.pairs[id(tensor)][1]
                if tensor.shape != stand_in.shape:
                    tensor.resize_(stand_in.shape)
                    set_geometry(tensor, tuple(stand_in.shape), stand_in.stride(), tensor.storage_offset())
                tensor.copy_(stand_in)
