"""Tandem repeats: stretches of a sequence that stand there several times, one right after the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from .sequence import Array

__all__ = ["Repeat", "periods", "repeats_of"]

SHORT = 16
"""Periods up to this one are all tried."""

GRAM = 8
"""Longer ones where stretches of so many equal items stand so far apart."""

LEVELS = 4
"""So often repeats are taken for one item, to find the periods of what they stand in."""


class Repeat(NamedTuple):
    """Items `start` to `start + period * times` are `times` times the same; so are those from each of the `slack` next starts."""

    start: int
    period: int
    times: int
    slack: int


def repeats_of(items: Array, period: int, fewest: int = 1) -> Iterator[Repeat]:
    """The maximal repeats of a period in which at least `fewest` items stand again."""
    if period >= len(items):
        return
    equal = items[:-period] == items[period:]
    if np.count_nonzero(equal) < period:
        return
    edges = np.flatnonzero(np.diff(np.concatenate(([False], equal, [False])).astype(np.int8)))
    lengths = edges[1::2] - edges[::2] + period
    long = lengths >= period + max(period, fewest)
    for start, length in zip(edges[::2][long].tolist(), lengths[long].tolist(), strict=True):
        yield Repeat(start, period, length // period, length % period)


def periods(items: Array) -> list[int]:
    """The distances at which items may repeat. In near-linear time: a long one is only taken where as many stretches stand
    that far apart as a repeat of it has, which only about a root of their number can."""
    found: set[int] = set()
    places: Array | None = None  # where items stood, once some are left out
    for _ in range(LEVELS):
        lengths = _periods(items)
        for period in lengths:
            equal = items[:-period] == items[period:]
            if np.count_nonzero(equal) < period:
                continue
            if places is None:
                found.add(period)
            else:
                far, counts = np.unique((places[period:] - places[:-period])[equal], return_counts=True)
                found |= set(far[counts >= period].tolist())
        collapsed, kept = _collapsed(items, lengths)
        if len(kept) == len(items):
            break
        items, places = collapsed, kept if places is None else places[kept]
    return sorted(found)


def _periods(items: Array) -> list[int]:
    count = len(items)
    found = set(range(1, min(SHORT, count // 2) + 1))
    if count > 2 * GRAM:
        grams = np.zeros(count - GRAM + 1, np.uint64)
        for i in range(GRAM):  # a hash: what it finds is compared item by item
            grams = grams * np.uint64(0x9E3779B97F4A7C15) + items[i : count - GRAM + 1 + i].astype(np.uint64) + np.uint64(1)
        order = np.argsort(grams, kind="stable")
        same = grams[order[1:]] == grams[order[:-1]]
        apart = np.bincount((order[1:] - order[:-1])[same], minlength=1)
        far = np.arange(len(apart))
        found |= set(far[(apart > 0) & (apart >= far - GRAM) & (far <= count // 2) & (far > 0)].tolist())
    return sorted(found)


def _collapsed(items: Array, lengths: list[int]) -> tuple[Array, Array]:
    """The items with one in place of each repeat, and where the items that are left stood."""
    covered, left_out = bytearray(len(items)), bytearray(len(items))
    made, known = items.copy(), items.tolist()
    numbers: dict[tuple[int, ...], int] = {}
    first = int(items.max()) + 1 if len(items) else 0
    for period in lengths:
        for start, _, times, _ in repeats_of(items, period):
            end = start + period * times
            if covered.find(1, start, end) < 0:
                covered[start:end] = bytes([1]) * (end - start)
                left_out[start + 1 : end] = bytes([1]) * (end - start - 1)
                made[start] = first + numbers.setdefault((times, *known[start : start + period]), len(numbers))
    kept = np.flatnonzero(np.frombuffer(left_out, np.uint8) == 0)
    return made[kept], kept
