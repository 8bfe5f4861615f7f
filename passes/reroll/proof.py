"""The proof that a repeat is a loop: where each operand of an iteration comes from.

Operand `c` of the body is, in every iteration,

- *inner*: the same result of the same iteration;
- *carried*: the same result of the iteration `distance` before; the first iterations have other values instead of it;
- *invariant*: one value from before the loop;
- *varying*: in each iteration another value from before the loop, all of one type.

Where an operand is none of these in the first or last iterations, or in one in the middle, the loop is made of the
iterations that are left, as many as follow each other. Anything else is no loop.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence as Items
from dataclasses import dataclass, field

import numpy as np

from .sequence import Array, Flags, Sequence

__all__ = ["INNER", "INVARIANT", "VARYING", "Loop", "best_start", "prove", "read_afterwards", "viewed_in"]

INNER, INVARIANT, VARYING = 0, -1, -2
"""Kinds of operands; a positive number is the distance of a carried one."""


@dataclass
class Loop:
    """Operations `start` to `start + period * count`, which are `count` iterations. Of each operand of an iteration,
    `kinds` says what it is, and `sources[t]` holds the values that it is in iteration t."""

    start: int
    period: int
    count: int
    kinds: Array
    sources: Array
    inside: list[Loop] = field(default_factory=lambda: list[Loop]())
    """Loops in the first iteration."""

    @property
    def end(self) -> int:
        return self.start + self.period * self.count


def viewed_in(sequence: Sequence, loop: Loop, value: int, offset: int = 0) -> int | None:
    """The operand that a value of the loop is a view of, to be made again after the loop: not one of an earlier iteration,
    which may be a view of one before it, and so on."""
    edge = sequence.viewed(value)
    if edge is None:
        return None
    start = loop.start + offset
    iteration = (int(sequence.maker[value]) - start) // loop.period
    source = int(sequence.source[edge])
    before = source < sequence.first_value[start]
    return edge if before or source >= sequence.first_value[start + iteration * loop.period] else None


def read_afterwards(sequence: Sequence, loop: Loop, offsets: Items[int] = (0,)) -> dict[int, set[int]]:
    """Which results of an iteration are read after the loop, and of which iterations, in any of the places where it stands.
    What is a view is made again, so that is read which it is a view of."""
    per_iteration = int(sequence.first_value[loop.start + loop.period] - sequence.first_value[loop.start])
    needed: dict[int, set[int]] = {}
    for offset in offsets:
        low = int(sequence.first_value[loop.start + offset])
        values, readers = sequence.reads(low, low + per_iteration * loop.count)
        for value in np.unique(values[readers >= loop.end + offset]).tolist():
            root = value
            while root >= low and (edge := viewed_in(sequence, loop, root, offset)) is not None:
                root = int(sequence.source[edge])
            if root >= low:
                iteration, result = divmod(root - low, per_iteration)
                needed.setdefault(result, set()).add(iteration)
    return needed


def best_start(sequence: Sequence, start: int, period: int, count: int, slack: int) -> int:
    """Of the starts `start` to `start + slack`, the one where the fewest values go from one iteration to the next."""
    if slack == 0:
        return start
    middle = start + (count // 2) * period
    low = sequence.first_value[start]
    ends: dict[int, int] = {}
    for op in range(middle, middle + period):
        for value in sequence.source[sequence.first_edge[op] : sequence.first_edge[op + 1]].tolist():
            if value >= low:
                ends[value] = op
    crossing = np.zeros(2 * period + 1, np.int64)
    always = 0
    for value, op in ends.items():
        made = int(sequence.maker[value])
        if op - made >= period:
            always += 1
            continue
        begin = (made + 1 - start) % period
        crossing[begin] += 1
        crossing[begin + op - made] -= 1
    counts = np.cumsum(crossing)
    counts = counts[:period] + counts[period : 2 * period]
    return start + int(np.argmin(counts[: slack + 1]))


def prove(sequence: Sequence, start: int, period: int, count: int, offsets: Items[int] = (0,)) -> Loop | None:
    """The loop of most iterations among these; None where no two are one. In an iteration of other loops it has to be the
    same loop in all of them: `offsets` says how far they stand apart."""
    width = int(sequence.first_edge[start + period] - sequence.first_edge[start])
    per_iteration = int(sequence.first_value[start + period] - sequence.first_value[start])
    low, high = 0, count
    while high - low >= 2:
        first = start + low * period
        sources = _sources(sequence, first, width, high - low)
        kinds, bad = _kinds(sequence, sources, int(sequence.first_value[first]), per_iteration)
        if not bad.any():
            loop = Loop(first, period, high - low, kinds, sources)
            return loop if len(offsets) == 1 or _is_same_everywhere(sequence, loop, offsets) else None
        # What stands before the odd iteration may be a loop too, and is found when the rest has been looked at.
        before, after = int(np.argmax(bad)), int(np.argmax(bad[::-1]))
        if after >= before:
            low = high - after
        else:
            high = low + before
    return None


def _sources(sequence: Sequence, start: int, width: int, count: int) -> Array:
    begin = int(sequence.first_edge[start])
    return sequence.source[begin : begin + width * count].reshape(count, width)


def _is_same_everywhere(sequence: Sequence, loop: Loop, offsets: Items[int]) -> bool:
    """Whether operands are the same kinds wherever the loop stands: what is made in it is the same result, what is made
    before it has the same type, and is one value where it was one."""
    count, width = loop.sources.shape
    everywhere: Array = np.stack([_sources(sequence, loop.start + offset, width, count) for offset in offsets])
    bases: Array = sequence.first_value[loop.start + np.array(offsets)]
    relative: Array = everywhere - bases[:, None, None]
    outside: Flags = relative < 0
    types: Array = sequence.type_of[everywhere]
    invariant: Array = everywhere[:, :, loop.kinds == INVARIANT]
    return bool(
        (outside == outside[0]).all()
        and ((relative == relative[0]) | outside).all()
        and (types == types[0]).all()
        and (invariant == invariant[:, :1]).all()
    )


def _kinds(sequence: Sequence, sources: Array, base: int, per_iteration: int) -> tuple[Array, Flags]:
    """What each operand is, and the iterations that have to stay out for it."""
    count = len(sources)
    iterations: Array = np.arange(count)[:, None]
    relative: Array = sources - (base + per_iteration * iterations)
    outside: Flags = sources < base
    types: Array = sequence.type_of[sources]
    kinds: Array = np.maximum(0, -(relative[-1] // per_iteration))
    odd: Flags = (types != types[-1]) | ((relative != relative[-1]) & ~(outside & (iterations < kinds)))
    bad: Flags = np.zeros(count, bool)
    for column in np.flatnonzero(outside[-1] | odd.any(axis=0)).tolist():
        if outside[:, column].all():
            differs = sources[:, column] != sources[count // 2, column]
            kinds[column] = VARYING if differs.any() else INVARIANT
            if count > 2 and not differs[1:-1].any():
                bad[differs] = True  # only the first or the last one has another value
            bad[types[:, column] != types[-1, column]] = True
            continue
        inside = np.flatnonzero(~outside[:, column])
        made = sources[inside, column]
        if len(made) > 1 and (made == made[0]).all():
            bad[(made[0] - base) // per_iteration] = True  # later ones read it too: it has to be made before the loop
            continue
        offsets: list[int] = relative[inside, column].tolist()
        ((usual, times),) = Counter(offsets).most_common(1)
        if len(offsets) > 2 * times:
            bad[inside] = True  # another loop, right after this one, that reads its results
            continue
        distance = kinds[column] = max(0, -(usual // per_iteration))
        initial: Flags = outside[:, column] & (iterations[:, 0] < distance)
        bad[(relative[:, column] != usual) & ~initial] = True
        bad[types[:, column] != types[inside[-1], column]] = True
    return kinds, bad
