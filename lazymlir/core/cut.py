"""Where to cut a trace that grew too long.

XLA's compile time is superlinear, so an endless trace must be cut; but a cut at a fixed length drifts through a loop and
never meets a cached program. So it is cut where the program repeats itself: at a multiple of the trace's period, if
possible one after which the program still holds what it had just computed (the end of an iteration of the outer loop);
else where the opening of an earlier trace recurs; only else at the limit.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

__all__ = ["Cutter"]

WINDOW = 24
"""So many equal records in a row count as a recurrence."""

SHORTEST = 8
"""A part of a loop is at least the limit divided by this long."""


class Cutter:
    """Chooses cuts, and remembers how the traces that it made began.

    A trace is looked at when it reaches the limit. Once a loop was found there, also earlier: as soon as the part cut last
    time has come again, or at short lengths, so that programs are short: a long one costs more to compile and runs no
    faster.
    """

    def __init__(self, remembered: int = 256) -> None:
        self._openings: OrderedDict[tuple[Any, ...], None] = OrderedDict()
        self._remembered = remembered
        self._part: Sequence[Any] = ()
        self._held = False
        self._next = 0
        self.repeats = False
        """Whether the cut last chosen may be made again at once, in what is left."""

    def reset(self) -> None:
        """The program runs barriers of its own: no loop is expected."""
        self._next = 0
        self._part = ()

    def due(self, length: int, limit: int) -> bool:
        return length >= (self._next or limit) + WINDOW

    def choose(self, signatures: Sequence[Any], limit: int, held: Callable[[int], bool]) -> int:
        """How many of the first records to cut off: at least 1, at most `limit`, or 0 for not yet. `held(n)` tells whether
        the newest result of the first n records is still alive."""
        length = len(signatures)
        again = len(self._part) - WINDOW
        if 0 < again <= limit and signatures[: len(self._part)] == self._part and (not self._held or held(again)):
            return again
        shortest = max(limit // SHORTEST, 1)
        period = smallest_period(signatures)
        last = min(limit, length - WINDOW)
        ends = range(-(-shortest // period) * period, last + 1, period) if period else ()
        cut = next((end for end in ends if held(end)), 0)
        if not cut and length < limit + WINDOW:
            self._next = min(length + shortest, limit)
            return 0
        self._held = cut > 0
        preamble = 0 if ends else _preamble(signatures)
        if 0 < preamble <= limit:
            self._part, self._next, self.repeats = (), shortest, False
            return preamble
        self.repeats = bool(ends)
        cut = _shorten(cut, period or 1, shortest) or (ends[0] if ends else self._at_known_opening(signatures, limit) or limit)
        self._part = signatures[: cut + WINDOW] if ends else ()
        self._next = cut if ends else 0
        self._remember(signatures[:WINDOW])
        self._remember(signatures[cut : cut + WINDOW])
        return cut

    def _at_known_opening(self, signatures: Sequence[Any], limit: int) -> int | None:
        known = self._openings
        for start in range(min(limit, len(signatures) - WINDOW), 0, -1):
            if tuple(signatures[start : start + WINDOW]) in known:
                return start
        return None

    def _remember(self, opening: Sequence[Any]) -> None:
        if len(opening) < WINDOW:
            return
        self._openings[tuple(opening)] = None
        if len(self._openings) > self._remembered:
            self._openings.popitem(last=False)


def _shorten(length: int, period: int, shortest: int) -> int:
    """The shortest equal parts, each whole periods, that a length falls into."""
    parts = next((n for n in range(length // shortest, 0, -1) if length % (n * period) == 0), 1)
    return length // parts


def smallest_period(sequence: Sequence[Any]) -> int | None:
    """The smallest p at which the rest of the sequence repeats its beginning to the end, over at least WINDOW elements.

    >>> smallest_period("abc" * 20)
    3
    >>> smallest_period("abcdefgh") is None
    True
    """
    lengths = _match_lengths(sequence)
    end = len(sequence)
    for start in range(1, end - WINDOW + 1):
        if lengths[start] == end - start:
            return start
    return None


def _preamble(sequence: Sequence[Any]) -> int:
    """How many elements stand before a part that repeats with some period to the end, at least twice; 0 if none does.

    >>> _preamble("123" + "abcdefghijklmnopqrstuvwxyz" * 3)
    3
    """
    lengths = _match_lengths(sequence[::-1])
    periodic = [period + length for period, length in enumerate(lengths) if length >= max(period, WINDOW)]
    return len(sequence) - max(periodic) if periodic else 0


def _match_lengths(sequence: Sequence[Any]) -> list[int]:
    """For each position, how far the sequence from there equals its beginning (the Z function, linear time)."""
    count = len(sequence)
    lengths = [0] * count
    left = right = 0
    for i in range(1, count):
        length = min(right - i, lengths[i - left]) if i < right else 0
        while i + length < count and sequence[length] == sequence[i + length]:
            length += 1
        lengths[i] = length
        if i + length > right:
            left, right = i, i + length
    return lengths
