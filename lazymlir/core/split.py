"""Splitting a trace in two, so that the first part can run while the second goes on recording."""

from __future__ import annotations

import weakref

from lazymlir.dialect.types import TensorType

from .trace import Trace
from .values import Value

__all__ = ["Split"]


class Split:
    """`head` holds the first `position` records of `trace` and is ready to run; `finish()` makes the rest a trace.

    What the rest needs of the head (results, and leaves whose buffers have moved on) is kept alive in between.
    """

    def __init__(self, trace: Trace, position: int) -> None:
        self._trace = trace
        self._position = position
        self._rest_records = trace.records[position:]
        self.head = Trace(trace.settle, trace.script, trace.thread)
        head = self.head
        head.position = position
        slots = trace.script.slot_ends[position]
        head.slots = trace.slots[:slots]
        self._rest_slots = trace.slots[slots:]
        self._results = trace.script.result_ends[position]
        head.results = trace.results[: self._results]
        head.leaves = trace.leaves
        head.leaf_values = list(trace.leaf_values)
        self._kept: dict[int, Value] = {}
        for _, operands in self._rest_records:
            for number in operands:
                if number < self._results and number not in self._kept:
                    self._kept[number] = self._keep(number)
        for number in range(self._results):
            value = head.results[number]()
            if value is not None:
                value.trace = head

    def _keep(self, number: int) -> Value:
        """The value behind an operand of the rest, made again if no buffer holds it any more."""
        head = self.head
        refs, place = (head.results, number) if number >= 0 else (head.leaf_values, ~number)
        value = refs[place]()
        if value is None:
            value = Value(self._type_of(number), None if number >= 0 else head.leaves[place], head, number)
            refs[place] = weakref.ref(value)
        return value

    def _type_of(self, number: int) -> TensorType:
        for signature, operands in self._rest_records:
            if number in operands:
                return signature.operand_types[operands.index(number)]
        raise AssertionError("internal error: a kept value is an operand of the rest")

    def undo(self) -> None:
        """The head did not run: the trace is as it was."""
        for ref in self.head.results:
            value = ref()
            if value is not None:
                value.trace = self._trace

    def finish(self) -> Trace:
        """The rest as a trace of its own; the head has run. If it failed and the rest needs what it lost, the rest is
        lost with the same error."""
        old = self._trace
        rest = Trace(old.settle, thread=old.thread)
        old.close()
        lost = next((value.error for value in self._kept.values() if value.error is not None), None)
        for ref in old.results[self._results :]:
            value = ref()
            if value is not None:
                value.trace = rest if lost is None else None
                value.index -= self._results
                value.error = lost
            rest.results.append(ref)
        if lost is not None:
            return Trace(old.settle, thread=old.thread)
        rest.slots = self._rest_slots
        records = [(signature, tuple(self._renumber(rest, number) for number in operands)) for signature, operands in self._rest_records]
        locations = [old.location(self._position + place) for place in range(len(records))]
        rest.script, rest.position = self.head.script.rest(self._position, records, locations), len(records)
        return rest

    def _renumber(self, rest: Trace, number: int) -> int:
        return number - self._results if number >= self._results else rest.number(self._kept[number])
