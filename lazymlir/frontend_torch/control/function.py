"""Recording a user's function into a region."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from lazymlir.core.regions import Inside, Recording
from lazymlir.core.replay import capturing

__all__ = ["Function", "OwnWritesOnly", "claim"]


class Function:
    """One function of a control flow operation, and what it has recorded: its `region`."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self.region, self._inside = recording.region()

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Everything in the block is recorded into the region."""
        with self._recording.into(self.region, self._inside), OwnWritesOnly(self._inside):
            yield

    def owns(self, tensor: torch.Tensor) -> bool:
        """Whether the function made the tensor's memory."""
        return _storage(tensor) in self._inside.made


class OwnWritesOnly(TorchDispatchMode):
    """Refuses what writes into memory that the function did not make: nothing that it did would be undone where the program
    takes the other branch."""

    def __init__(self, inside: Inside) -> None:
        super().__init__()
        self._inside = inside

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        given = {_storage(x) for x in _tensors((args, kwargs))}
        for argument, value in (*zip(func._schema.arguments, args, strict=False), *((a, kwargs.get(a.name)) for a in func._schema.arguments)):
            if argument.alias_info is not None and argument.alias_info.is_write:
                self._require_own(func, value)
        made = func(*args, **kwargs)
        self._inside.made.update({_storage(x) for x in _tensors(made)} - given)
        return made

    def _require_own(self, func: Any, written: Any) -> None:
        for tensor in _tensors(written):
            if _storage(tensor) not in self._inside.made:
                self._inside.refuse(f"{func} writes into a tensor of shape {list(tensor.shape)} that was there before")


def claim(tensors: list[torch.Tensor]) -> None:
    """What an operation inside a region made without torch's dispatcher belongs to the function around it."""
    around = capturing()
    if isinstance(around, Inside):
        around.made.update(map(_storage, tensors))


def _tensors(tree: Any) -> list[torch.Tensor]:
    return [leaf for leaf in tree_leaves(tree) if isinstance(leaf, torch.Tensor)]


def _storage(tensor: torch.Tensor) -> int:
    return tensor.untyped_storage()._cdata
