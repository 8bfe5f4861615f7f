"""What is known of a program after it was started: which of its checks failed, and what was computed from what failed."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any

from .locations import describe
from .recorder import Recorder
from .trace import Trace
from .values import Value

__all__ = ["Outcome"]


class Outcome:
    """One run of a trace's program. `found` is the array of what its checks found: two numbers each, whether it failed and
    what it tells; None for a program without checks that took what one before it, not looked at yet, computed.

    Errors that values decide (an index out of range) are found by the program itself: nothing waits for them when they
    are recorded. They are looked at by the next read of one of the program's values, or by a barrier when it has ended.
    """

    def __init__(
        self, recorder: Recorder, trace: Trace, values: Sequence[Value], numbers: Sequence[int], found: Any, pending: Sequence[Outcome]
    ) -> None:
        """`recorder` is that of the thread whose program it is, `pending` are the outcomes that nobody has looked at, of programs started before."""
        self.recorder = recorder
        self._script, self._located = trace.script, trace.located  # not the trace, which holds arrays
        self._arrays = {id(value.array): number for number, value in zip(numbers, values, strict=True)}
        self._values = [(number, weakref.ref(value), weakref.ref(value.array)) for number, value in zip(numbers, values, strict=True)]
        self._found = found
        self._taken = [(outcome, outcome.taken_by(trace.leaves)) for outcome in pending]
        self.error: Exception | None = None
        """Why something is spoiled."""
        self.spoiled: set[int] = set()
        """The results that hold nothing of use, by number."""
        self.lost: dict[int, Exception] = {}
        """By the identity of an array that holds nothing of use: what failed."""
        for value in values:
            value.outcome = self

    @property
    def is_known(self) -> bool:
        """Whether looking at it waits for nothing."""
        return self._found is None or self._found.is_ready()

    def taken_by(self, leaves: Sequence[Any]) -> dict[int, int]:
        """Which of these arrays are results, and of which number; by the number of the leaf."""
        arrays = self._arrays
        taken = {~leaf: arrays[id(array)] for leaf, array in enumerate(leaves) if id(array) in arrays}
        if taken:  # an array that is no more may have left its identity to another
            alive = {number for number, _, ref in self._values if ref() is not None}
            taken = {leaf: number for leaf, number in taken.items() if number in alive}
        return taken

    def look(self) -> Exception | None:
        """Waits for the program; the error of its first failed check, once. The values that were computed from what
        failed are lost: reading one raises the error that it comes from."""
        found = [] if self._found is None else self._found.tolist()
        self._found = None
        for earlier, taken in self._taken:
            spoiled = {leaf for leaf, number in taken.items() if number in earlier.spoiled}
            if spoiled:
                self._lose(self._computed_from(-1, spoiled), earlier.error)
        self._taken = []
        errors = [self._error(number // 2, found[number + 1]) for number in range(0, len(found), 2) if found[number]]
        return errors[0] if errors else None

    def _error(self, number: int, told: int) -> Exception:
        place, (kind, message) = self._record_of(number)
        error = kind(f"{message.format(told)} (recorded at {describe(self._located.get(place, self._script.locations[place]))})")
        error.add_note("What was computed from it is lost and raises this error when it is used; everything else is there.")
        self._lose(self._computed_from(place, set()), error)
        return error

    def _lose(self, spoiled: set[int], error: Exception | None) -> None:
        assert error is not None, "what is spoiled has an error"
        self.error = self.error or error
        self.spoiled |= spoiled
        for result, value_ref, array_ref in self._values:
            array, value = array_ref(), value_ref()
            if result not in spoiled:
                continue
            if array is not None:
                self.lost.setdefault(id(array), error)
            if value is not None and value.error is None:
                value.lose(error)

    def _record_of(self, number: int) -> tuple[int, tuple[type[Exception], str]]:
        """The record that a check belongs to, by place, and the check."""
        for place, (signature, _) in enumerate(self._script.records):
            if number < len(signature.checks):
                return place, signature.checks[number]
            number -= len(signature.checks)
        raise AssertionError("internal error: a check that was not recorded failed; please report this")

    def _computed_from(self, place: int, spoiled: set[int]) -> set[int]:
        """The results of a record, and of all that use these or spoiled operands."""
        spoiled = set(spoiled)
        for at, (_, operands) in enumerate(self._script.records):
            if at == place or not spoiled.isdisjoint(operands):
                spoiled.update(self._script.results_of(at))
        return {number for number in spoiled if number >= 0}
