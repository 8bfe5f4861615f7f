"""Where to cut a trace that grew too long.

XLA's compile time is superlinear, so an endless trace must be cut; but a cut at a fixed length drifts through a loop and
never meets a cached program. So it is cut where the program repeats itself: at the last multiple of the trace's period,
or where the opening of an earlier cut recurs; only else at the limit.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

__all__ = ["Cutter"]

WINDOW = 24
"""So many equal records in a row count as a recurrence."""


class Cutter:
    """Chooses cuts, and remembers how the traces that it made began."""

    def __init__(self, remembered: int = 256) -> None:
        self._openings: OrderedDict[tuple[Any, ...], None] = OrderedDict()
        self._remembered = remembered

    def choose(self, signatures: Sequence[Any], limit: int) -> int:
        """How many of the first records to cut off, at least 1 and at most `limit`."""
        cut = self._at_period(signatures, limit) or self._at_known_opening(signatures, limit) or limit
        self._remember(signatures[:WINDOW])
        self._remember(signatures[cut : cut + WINDOW])
        return cut

    def _at_period(self, signatures: Sequence[Any], limit: int) -> int | None:
        period = smallest_period(signatures)
        if period is None or period > limit:
            return None
        return limit // period * period

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
