"""Operations that torch refuses because the memory they write overlaps: with itself, or in part with an operand; or
because they would resize an operand.

Which operations refuse is torch's own knowledge: where memory overlaps, the CPU is asked with tensors that lie the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from lazymlir.core.values import layout_of

from .dtypes import NAME_OF

__all__ = ["guarded", "require_apart"]

_storage_of = torch.Tensor.untyped_storage
_Tensor = torch.Tensor
_answers: dict[Any, str | None] = {}


def guarded(overload: Any, kernel: Callable[..., Any]) -> Callable[..., Any]:
    """`kernel` of an overload, which first refuses what torch refuses. Lists of tensors are not looked into."""
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
    """torch's error if `written` overlaps with itself or in part with another argument, or is both operand and result of
    another shape, and `overload` minds."""
    suspect = 0 in written.stride() and _repeats(written)
    storage = _storage_of(written)
    for other in args if not kwargs else (*args, *kwargs.values()):
        if other is written or not isinstance(other, _Tensor):
            continue
        if (_storage_of(other) is storage and _partial(written, other)) or (
            kwargs and other.shape != written.shape and any(written is argument for argument in args)
        ):
            suspect = True
    if suspect:
        _ask(overload, args, kwargs)


def _repeats(x: torch.Tensor) -> bool:
    return any(stride == 0 and size > 1 for size, stride in zip(x.shape, x.stride(), strict=True))


def _partial(one: torch.Tensor, other: torch.Tensor) -> bool:
    """As torch sees it: only of tensors without gaps it is known whether they overlap."""
    if not (_dense(one) and _dense(other)) or not (one.numel() and other.numel()):
        return False
    first, last = _span(one)
    other_first, other_last = _span(other)
    if (first, last) == (other_first, other_last):
        return one.stride() != other.stride()
    return first < other_last and other_first < last


def _dense(x: torch.Tensor) -> bool:
    return layout_of(NAME_OF[x.dtype], tuple(x.shape), x.stride()).dense


def _span(x: torch.Tensor) -> tuple[int, int]:
    """The bytes of its storage that a tensor without gaps covers."""
    first = int(x.storage_offset()) * x.element_size()
    return first, first + x.numel() * x.element_size()


def _ask(overload: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> None:
    stand_ins = _StandIns()
    host_args = [stand_ins.of(argument) for argument in args]
    host_kwargs = {name: stand_ins.of(argument) for name, argument in kwargs.items()}
    key = (overload, tuple(stand_ins.places))
    if key not in _answers:
        _answers[key] = _refusal(overload, host_args, host_kwargs)
    refusal = _answers[key]
    if refusal is not None:
        raise RuntimeError(refusal)


def _refusal(overload: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> str | None:
    """What torch says of memory; other errors are the kernel's own matter."""
    try:
        with torch.no_grad(), torch.random.fork_rng(devices=[]):
            overload(*args, **kwargs)
    except (RuntimeError, IndexError, ValueError, TypeError) as error:
        return str(error) if any(words in str(error) for words in _REFUSALS) else None
    return None


_REFUSALS = ("single memory location", "doesn't match the broadcast shape")


class _StandIns:
    """CPU tensors of zeros that share memory as the device's do."""

    def __init__(self) -> None:
        self.places: list[Any] = []
        self._memory: dict[int, torch.Tensor] = {}
        self._made: dict[int, tuple[int, torch.Tensor]] = {}

    def of(self, argument: Any) -> Any:
        if isinstance(argument, (list, tuple)):
            return [self.of(item) for item in argument]
        if not isinstance(argument, torch.Tensor):
            return argument
        if id(argument) not in self._made:
            self._made[id(argument)] = self._make(argument)
        number, made = self._made[id(argument)]
        self.places.append((number, made.dtype, tuple(made.shape), made.stride(), made.storage_offset()))
        return made

    def _make(self, argument: torch.Tensor) -> tuple[int, torch.Tensor]:
        storage = _storage_of(argument)
        memory = self._memory.setdefault(id(storage), torch.zeros(_bytes(storage, argument), dtype=torch.uint8))
        empty = torch.empty(0, dtype=argument.dtype)
        made = empty.set_(memory.untyped_storage(), argument.storage_offset(), tuple(argument.shape), argument.stride())
        return list(self._memory).index(id(storage)), made


def _bytes(storage: Any, argument: torch.Tensor) -> int:
    return max(storage.nbytes(), argument.element_size())
