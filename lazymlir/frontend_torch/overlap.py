"""Operations that torch refuses because the memory they write overlaps: with itself, or in part with an operand; or
because they would resize an operand.

Which operations refuse is torch's own knowledge: where memory overlaps, the CPU is asked with tensors that lie the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from torch.utils._pytree import tree_leaves

from lazymlir.core.values import layout_of, repeats

from .dtypes import NAME_OF
from .infer import unnoticed

__all__ = ["guarded", "require_apart"]

_storage_of = torch.Tensor.untyped_storage
_Tensor = torch.Tensor
_answers: dict[Any, str | None] = {}
_minding: dict[Any, bool] = {}
_SMALL = 1 << 26


def guarded(overload: Any, kernel: Callable[..., Any]) -> Callable[..., Any]:
    """`kernel` of an overload, which first refuses what torch refuses. Lists of tensors that are written are not looked into."""
    places, names = _written(overload)
    if not places and not names:
        return kernel

    def guard(*args: Any, **kwargs: Any) -> Any:
        for place in places:
            if place < len(args) and isinstance(args[place], _Tensor):
                require_apart(overload, args[place], args, kwargs)
        for name in names:
            if isinstance(kwargs.get(name), _Tensor):
                require_apart(overload, kwargs[name], args, kwargs)
        return kernel(*args, **kwargs)

    return guard


def _written(overload: Any) -> tuple[list[int], list[str]]:
    """The arguments that an overload writes: by place, and by name only."""
    arguments = overload._schema.arguments
    written = [(place, argument) for place, argument in enumerate(arguments) if argument.alias_info is not None and argument.alias_info.is_write]
    return [place for place, argument in written if not argument.kwarg_only], [argument.name for _, argument in written if argument.kwarg_only]


def require_apart(overload: Any, written: torch.Tensor, args: Sequence[Any], kwargs: dict[str, Any]) -> None:
    """torch's error if `written` overlaps with itself or in part with another argument, or is both operand and `out=`, and
    `overload` minds."""
    suspect, same = repeats(written.shape, written.stride()), -1  # it is among the arguments itself
    storage = _storage_of(written)
    for other in _operands(args, kwargs):
        if other is written:
            same += 1
        elif isinstance(other, _Tensor) and _storage_of(other) is storage:
            overlap = _overlap(written, other)
            suspect, same = suspect or overlap == _IN_PART, same + (overlap == _WHOLLY)
    if same > 0 and (kwargs or _minds_itself(overload, args)):
        suspect = True
    if suspect:
        _ask(overload, args, kwargs)


def _minds_itself(overload: Any, args: Sequence[Any]) -> bool:
    """Whether an operation refuses an operand that is the tensor it writes. The CPU is asked at the first call that it can answer."""
    minds = _minding.get(overload)
    if minds is None and sum(x.numel() * x.element_size() for x in _operands(args, {}) if isinstance(x, _Tensor)) <= _SMALL:
        try:
            minds = _refusal(overload, args, {}, pass_on=True) is not None
        except (RuntimeError, IndexError, ValueError, TypeError):
            return False
        _minding[overload] = minds
    return bool(minds)


def _operands(args: Sequence[Any], kwargs: dict[str, Any]) -> Iterator[Any]:
    """The arguments, and what lists among them hold."""
    for argument in args if not kwargs else (*args, *kwargs.values()):
        if isinstance(argument, (list, tuple)):
            yield from argument
        else:
            yield argument


_APART, _IN_PART, _WHOLLY = range(3)


def _overlap(one: torch.Tensor, other: torch.Tensor) -> int:
    """As torch sees it: only of tensors without gaps it is known whether they overlap."""
    if not (_dense(one) and _dense(other)) or not (one.numel() and other.numel()):
        return _APART
    first, last = _span(one)
    other_first, other_last = _span(other)
    if (first, last) == (other_first, other_last):
        return _WHOLLY if one.stride() == other.stride() else _IN_PART
    return _IN_PART if first < other_last and other_first < last else _APART


def _dense(x: torch.Tensor) -> bool:
    return layout_of(NAME_OF[x.dtype], tuple(x.shape), x.stride()).dense


def _span(x: torch.Tensor) -> tuple[int, int]:
    """The bytes of its storage that a tensor without gaps covers."""
    first = int(x.storage_offset()) * x.element_size()
    return first, first + x.numel() * x.element_size()


def _ask(overload: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> None:
    key = (overload, *_places((*args, *kwargs.values())))
    if key not in _answers:
        _answers[key] = _refusal(overload, args, kwargs)
    refusal = _answers[key]
    if refusal is not None:
        raise RuntimeError(refusal)


def _places(arguments: Sequence[Any]) -> list[Any]:
    """Where each tensor lies, in which of their memories."""
    storages: dict[int, int] = {}
    return [
        (storages.setdefault(id(_storage_of(x)), len(storages)), x.dtype, tuple(x.shape), x.stride(), x.storage_offset())
        for x in tree_leaves(list(arguments))
        if isinstance(x, _Tensor)
    ]


def _refusal(overload: Any, args: Sequence[Any], kwargs: dict[str, Any], pass_on: bool = False) -> str | None:
    """What torch says of memory; other errors are the kernel's own matter, and raised only to be passed on."""
    stand_ins = _StandIns()
    host_args = [stand_ins.of(argument) for argument in args]
    host_kwargs = {name: stand_ins.of(argument) for name, argument in kwargs.items()}
    try:
        with unnoticed():
            overload(*host_args, **host_kwargs)
    except (RuntimeError, IndexError, ValueError, TypeError) as error:
        if any(words in str(error) for words in _REFUSALS):
            return str(error)
        if pass_on:
            raise
    return None


_REFUSALS = ("single memory location", "doesn't match the broadcast shape")


class _StandIns:
    """CPU tensors of zeros that share memory as the device's do."""

    def __init__(self) -> None:
        self._memory: dict[int, torch.Tensor] = {}
        self._made: dict[int, torch.Tensor] = {}

    def of(self, argument: Any) -> Any:
        if isinstance(argument, (list, tuple)):
            return [self.of(item) for item in argument]
        if not isinstance(argument, torch.Tensor):
            return argument
        if id(argument) not in self._made:
            self._made[id(argument)] = self._make(argument)
        return self._made[id(argument)]

    def _make(self, argument: torch.Tensor) -> torch.Tensor:
        storage = _storage_of(argument)
        if id(storage) not in self._memory:
            self._memory[id(storage)] = torch.zeros(max(storage.nbytes(), argument.element_size()), dtype=torch.uint8)
        memory = self._memory[id(storage)].untyped_storage()
        return torch.empty(0, dtype=argument.dtype).set_(memory, argument.storage_offset(), tuple(argument.shape), argument.stride())
