"""Recording a user's function into a region."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from lazymlir.core.regions import Inside, Recording
from lazymlir.core.replay import capturing

__all__ = ["Function", "OwnWritesOnly", "claim", "tensors_in"]


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

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """torch would load dynamo to keep it out of here."""
        return False

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        for place, name in _written(func):
            for tensor in tensors_in(args[place] if place < len(args) else kwargs.get(name)):
                if _storage(tensor) not in self._inside.made:
                    self._inside.refuse(f"{func} writes into a tensor of shape {list(tensor.shape)} that was there before")
        made = func(*args, **kwargs)
        self._inside.made |= {_storage(x) for x in tensors_in(made)} - {_storage(x) for x in tensors_in((args, kwargs))}
        return made


@cache
def _written(func: Any) -> tuple[tuple[int, str], ...]:
    """Place and name of the arguments that an operation writes."""
    arguments = enumerate(func._schema.arguments)
    return tuple([(place, argument.name) for place, argument in arguments if argument.alias_info is not None and argument.alias_info.is_write])


def claim(tensors: list[torch.Tensor]) -> None:
    """What an operation inside a region made without torch's dispatcher belongs to the functions around it."""
    around = capturing()
    while isinstance(around, Inside):
        around.made.update(map(_storage, tensors))
        around = around.around


def tensors_in(tree: Any) -> Iterator[torch.Tensor]:
    """The tensors among the arguments or results of an operation."""
    if isinstance(tree, torch.Tensor):
        yield tree
    elif isinstance(tree, (tuple, list, dict)):
        for item in tree.values() if isinstance(tree, dict) else tree:
            yield from tensors_in(item)


def _storage(tensor: torch.Tensor) -> int:
    return tensor.untyped_storage()._cdata
