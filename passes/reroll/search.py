"""Which repeats of a sequence become loops: those that save most come first, then what is beside them and in them."""

from __future__ import annotations

from collections.abc import Sequence as Items

from .cost import Judge
from .proof import Loop, best_start, prove
from .repeats import Repeat, periods, repeats_of
from .sequence import Sequence

__all__ = ["find_loops"]


def find_loops(sequence: Sequence, judge: Judge) -> list[Loop]:
    """Loops apart from each other, in order, with those in them."""
    repeats = [repeat for period in periods(sequence.tokens) for repeat in repeats_of(sequence.tokens, period, judge.fewest)]
    return _Search(sequence, judge).within(0, len(sequence), repeats, (0,))


class _Search:
    def __init__(self, sequence: Sequence, judge: Judge) -> None:
        self.sequence = sequence
        self.judge = judge
        self.refused: set[tuple[int, int, int, Items[int]]] = set()

    def within(self, low: int, high: int, repeats: Items[Repeat], offsets: tuple[int, ...]) -> list[Loop]:
        """Loops of the operations `low` to `high`, which stand at each of `offsets` from there."""
        here = [_clipped(repeat, low, high) for repeat in repeats if repeat.start < high]
        here = [repeat for repeat in here if repeat.period * (repeat.times - 1) >= self.judge.fewest]
        here.sort(key=lambda repeat: (-repeat.period * (repeat.times - 1), repeat.period))
        for number, repeat in enumerate(here):
            loop = self._loop(repeat, offsets)
            if loop is None:
                continue
            rest = here[number:]
            all_iterations = tuple(offset + t * loop.period for offset in offsets for t in range(loop.count))
            loop.inside = self.within(loop.start, loop.start + loop.period, rest, all_iterations)
            return [*self.within(low, loop.start, rest, offsets), loop, *self.within(loop.end, high, rest, offsets)]
        return []

    def _loop(self, repeat: Repeat, offsets: tuple[int, ...]) -> Loop | None:
        start = best_start(self.sequence, *repeat)
        key = (start, repeat.period, repeat.times, offsets)
        if key in self.refused:
            return None
        loop = prove(self.sequence, start, repeat.period, repeat.times, offsets)
        if loop is not None and self.judge.pays(loop):
            return loop
        if loop is None:
            self.judge.is_none(start, repeat.period, repeat.times)
        self.refused.add(key)
        return None


def _clipped(repeat: Repeat, low: int, high: int) -> Repeat:
    end = repeat.start + repeat.period * repeat.times + repeat.slack
    if low <= repeat.start and end <= high:
        return repeat
    start = max(repeat.start, low)
    length = max(0, min(end, high) - start)
    return Repeat(start, repeat.period, length // repeat.period, length % repeat.period)
