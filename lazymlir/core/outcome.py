"""What is known of a program after it was started: which of its checks failed, and what was computed from what failed."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any

from .locations import describe
from .trace import Trace
from .values import Value

__all__ = ["Outcome"]


class Outcome:
    """One run of a trace's program, with `found` the array of what its checks found: two numbers each, whether it failed
    and what it tells.

    Errors that values decide (an index out of range) are found by the program itself: nothing waits for them when they
    are recorded. They are looked at by the next read of one of the program's values or by the next barrier.
    """

    def __init__(self, trace: Trace, values: Sequence[Value], numbers: Sequence[int], found: Any) -> None:
        self._script, self._located = trace.script, trace.located  # not the trace, which holds arrays
        self._values = [(number, weakref.ref(value), weakref.ref(value.array)) for number, value in zip(numbers, values, strict=True)]
        self._found = found
        self.lost: dict[int, Exception] = {}
        """By the identity of an array that holds nothing of use: what failed."""
        for value in values:
            value.outcome = self

    def look(self) -> Exception | None:
        """Waits for the program; the error of its first failed check, once. The values that were computed from what
        failed are lost: reading one raises the error that it comes from."""
        if self._found is None:
            return None
        found = self._found.tolist()
        errors = [self._error(number // 2, found[number + 1]) for number in range(0, len(found), 2) if found[number]]
        self._found = None
        self._values = []
        return errors[0] if errors else None

    def _error(self, number: int, told: int) -> Exception:
        place, (kind, message) = self._record_of(number)
        error = kind(f"{message.format(told)} (recorded at {describe(self._located.get(place, self._script.locations[place]))})")
        error.add_note("What was computed from it is lost and raises this error when it is used; everything else is there.")
        spoiled = self._computed_from(place)
        for result, value_ref, array_ref in self._values:
            array, value = array_ref(), value_ref()
            if result not in spoiled:
                continue
            if array is not None:
                self.lost.setdefault(id(array), error)
            if value is not None and value.error is None:
                value.lose(error)
        return error

    def _record_of(self, number: int) -> tuple[int, tuple[type[Exception], str]]:
        """The record that a check belongs to, by place, and the check."""
        for place, (signature, _) in enumerate(self._script.records):
            if number < len(signature.checks):
                return place, signature.checks[number]
            number -= len(signature.checks)
        raise AssertionError("internal error: a check that was not recorded failed; please report this")

    def _computed_from(self, place: int) -> set[int]:
        """The results of a record and of all that use them."""
        spoiled: set[int] = set()
        result = 0
        for at, (signature, operands) in enumerate(self._script.records):
            end = result + len(signature.result_types)
            if at == place or not spoiled.isdisjoint(operands):
                spoiled.update(range(result, end))
            result = end
        return spoiled
