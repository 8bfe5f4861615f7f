"""Whether everything that a function can reach is as it was when it was recorded.

Of three looks at each container (at the start of one recording, at the start and at the end of the next) the entries that
never changed are held to: later each must be the same object still, or an equal number. What changed is a counter or a
log, or a place that the body itself fills, and is free.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from operator import is_
from types import CellType
from typing import Any

from .numbers import is_plain, same_plain
from .reach import ABSENT, Container, Reach, version_of

__all__ = ["Guard", "same"]


def same(x: Any, y: Any) -> bool:
    return x is y or (is_plain(x) and is_plain(y) and same_plain(x, y))


class Guard:
    """What must stay of the containers of a walk; `but` are entries, by identity and key, that something else looks after.

    A look at hundreds of entries takes some microseconds: all dicts whose every entry is held are one pass in C.
    """

    def __init__(self, before: Reach, start: Reach, end: Reach, but: set[tuple[int, Any]]) -> None:
        self._empty: list[Any] = []
        """Dicts and lists that hold nothing, as most tables of hooks."""
        self._dicts: list[dict[Any, Any]] = []
        self._lists: list[list[Any]] = []
        self._cells: list[CellType] = []
        self._some: list[tuple[Any, list[Any]]] = []
        """Containers of which only some entries are held, by a function of the key."""
        self._names: dict[int, Container] = {}
        self.held: set[tuple[int, Any]] = set()
        self._looks = start.looks
        looks = [_by_container(reach) for reach in (before, start, end)]
        for container in start.containers:
            self._add(container, [look.get(id(container.held), {}) for look in looks], but)
        self._hosts = [x for i, (x, _, version) in start.hosts.items() if before.hosts.get(i, (x, "", None))[2] == version]
        """CPU tensors of which the body may have made anything: nobody wrote them between the recordings."""
        self._versions = list(map(version_of, self._hosts))
        self._remember()

    def _add(self, container: Container, looks: list[dict[Any, Any]], but: set[tuple[int, Any]]) -> None:
        held: Any = container.held
        identity = id(held)
        names = looks[1].keys() if container.names is None else container.names
        # What the body writes is its own matter, a counter perhaps; what others wrote in between, it may have read.
        keys = [key for key in names if (identity, key) not in but and all(key in look and same(look[key], looks[1][key]) for look in looks[1:])]
        if not keys and looks[1]:
            return
        self._names[identity] = container
        self.held.update((identity, key) for key in keys)
        whole = container.names is None and len(keys) == len(looks[1]) and all(look.keys() == looks[1].keys() for look in looks)
        if type(held) is CellType:
            self._cells.append(held)
        elif whole and not keys:
            self._empty.append(held)
        elif whole:
            wholes: list[Any] = self._lists if isinstance(held, list) else self._dicts
            wholes.append(held)
        elif isinstance(held, type):
            self._some.append((lambda key, held=held: vars(held).get(key, ABSENT), keys))
        elif isinstance(held, list):
            self._some.append((lambda key, held=held: held[key] if key < len(held) else ABSENT, keys))
        else:
            self._some.append((lambda key, held=held: held.get(key, ABSENT), keys))

    def _now(self) -> Iterable[Any]:
        return chain(
            chain.from_iterable(map(dict.values, self._dicts)),
            chain.from_iterable(self._lists),
            [cell.cell_contents for cell in self._cells],
            chain.from_iterable([map(get, keys) for get, keys in self._some]),
        )

    def _remember(self) -> None:
        self._lengths = list(map(len, self._dicts)), list(map(len, self._lists))
        self._values = list(self._now())

    def broken(self) -> str | None:
        """What is not as it was; None if everything is."""
        try:
            kept = (
                not any(self._empty)
                and list(map(len, self._dicts)) == self._lengths[0]
                and list(map(len, self._lists)) == self._lengths[1]
                and all(map(is_, self._now(), self._values))
            )
            if self._hosts and list(map(version_of, self._hosts)) != self._versions:
                return "a CPU tensor was written"
            return None if kept else self._compare()
        except ValueError:
            return "a variable of the function is gone"

    def holds_of(self, reach: Reach) -> bool:
        """Whether everything was so in another walk, too."""
        looks = [self._looks.get(entry, ABSENT) for entry in self.held]
        return all(map(same, looks, [reach.looks.get(entry, ABSENT) for entry in self.held]))

    def _compare(self) -> str | None:
        filled = next(filter(None, self._empty), None)
        if filled is not None:
            return f"{self._names[id(filled)].path} was empty"
        for held, length in zip(chain(self._dicts, self._lists), chain(*self._lengths), strict=True):
            if len(held) != length:
                return f"{self._names[id(held)].path} has {len(held)} entries and had {length}"
        for i, (now, before) in enumerate(zip(self._now(), self._values, strict=True)):
            if not same(now, before):
                return f"{self._name(i)} changed"
        self._values = list(self._now())
        return None

    def _name(self, position: int) -> str:
        for held in chain(self._dicts, self._lists, self._cells):
            keys = list(held) if isinstance(held, dict) else range(1 if type(held) is CellType else len(held))
            if position < len(keys):
                return self._names[id(held)].name_of(keys[position])
            position -= len(keys)
        keys = [key for _, keys in self._some for key in keys]
        return str(keys[position])


def _by_container(reach: Reach) -> dict[int, dict[Any, Any]]:
    looks: dict[int, dict[Any, Any]] = {}
    for (identity, key), value in reach.looks.items():
        looks.setdefault(identity, {})[key] = value
    return looks
