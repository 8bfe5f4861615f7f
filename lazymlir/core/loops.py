"""`lazymlir.loop`: a loop of the host's language that says so (hints.py)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from .engine import engine
from .hints import Hint

__all__ = ["loop"]

Item = TypeVar("Item")


def loop(iterable: Iterable[Item]) -> Iterator[Item]:
    """The items of `iterable`, as a hint that what is done with each is one iteration of a loop.

        for layer in lazymlir.loop(layers):
            x = layer(x)

    It changes no result. Where the iterations record different operations, the log of `passes` names the first.
    """
    hint = Hint(engine.here())
    for item in iterable:
        engine.trace.note(hint)
        yield item
    engine.trace.note(hint)
