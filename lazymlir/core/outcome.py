"""What is known of a program after it was started: the first check that failed, and where its values were recorded."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any

from .locations import describe
from .trace import Trace
from .values import Value

__all__ = ["Outcome"]


class Outcome:
    """One run of a trace's program, with `failed` the array that tells the first failed check.

    Errors that values decide (an index out of range) are found by the program itself: nothing waits for them when they
    are recorded. They are looked at by the next read of one of the program's values or by the next barrier.
    """

    def __init__(self, trace: Trace, values: Sequence[Value], numbers: Sequence[int], failed: Any) -> None:
        self._records = trace.records
        self._locations = trace.locations
        self._values = [(number, weakref.ref(value), weakref.ref(value.array)) for number, value in zip(numbers, values, strict=True)]
        self._failed = failed
        self.lost: set[int] = set()
        """The identities of the arrays that hold nothing of use."""
        for value in values:
            value.outcome = self

    def look(self) -> Exception | None:
        """Waits for the program; the error of its first failed check, once. The values that were computed from what
        failed are lost: reading one raises the error again."""
        if self._failed is None:
            return None
        number, told = self._failed.tolist()
        error = self._error(number, told) if number >= 0 else None
        self._failed = None
        self._values, self._records, self._locations = [], [], []
        return error

    def _error(self, number: int, told: int) -> Exception:
        place, (kind, message) = self._record_of(number)
        error = kind(f"{message.format(told)} (recorded at {describe(self._locations[place])})")
        error.add_note("What was computed from it is lost and raises this error when it is used; everything else is there.")
        spoiled = self._computed_from(place)
        for result, value_ref, array_ref in self._values:
            array, value = array_ref(), value_ref()
            if result not in spoiled:
                continue
            if array is not None:
                self.lost.add(id(array))
            if value is not None:
                value.lose(error)
        return error

    def _record_of(self, number: int) -> tuple[int, tuple[type[Exception], str]]:
        """The record that a check belongs to, by place, and the check."""
        for place, (signature, _) in enumerate(self._records):
            if number < len(signature.checks):
                return place, signature.checks[number]
            number -= len(signature.checks)
        raise AssertionError("internal error: a check that was not recorded failed; please report this")

    def _computed_from(self, place: int) -> set[int]:
        """The results of a record and of all that use them."""
        spoiled: set[int] = set()
        result = 0
        for at, (signature, operands) in enumerate(self._records):
            end = result + len(signature.result_types)
            if at == place or not spoiled.isdisjoint(operands):
                spoiled.update(range(result, end))
            result = end
        return spoiled
