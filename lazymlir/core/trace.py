"""The trace: the operations recorded since the last barrier, in order, as compact data."""

from __future__ import annotations

import weakref
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from operator import call
from typing import TYPE_CHECKING, Any

from lazymlir.dialect.types import TensorType
from lazymlir.errors import fresh

from .locations import Location, here
from .script import Script
from .values import Value

if TYPE_CHECKING:
    from lazymlir.dialect import Builder, Node

    from .hints import Hint

__all__ = ["UNSEEN", "Record", "Signature", "Trace"]

Emit = Callable[["Builder", Sequence["Node"], Sequence["Node"]], "Sequence[Node]"]


class Signature:
    """Everything static about a record: operation, operand types, static attributes, kinds of its scalars, result types.

    Interned by whoever makes it and compared by identity. `emit(builder, operands, scalars)` writes the record's
    operations into a graph and returns one node for each result. `checks` are the errors and messages of the conditions
    that it requires, in order.
    """

    __slots__ = ("__weakref__", "checks", "emit", "name", "operand_types", "result_types", "slot_kinds")

    def __init__(
        self, name: str, emit: Emit, operand_types: Sequence[TensorType], slot_kinds: Sequence[str], result_types: Sequence[TensorType]
    ) -> None:
        self.name = name
        self.emit = emit
        self.operand_types = tuple(operand_types)
        self.slot_kinds = tuple(slot_kinds)
        self.result_types = tuple(result_types)
        self.checks: tuple[tuple[type[Exception], str], ...] = ()

    def __repr__(self) -> str:
        return self.name


Record = tuple[Signature, tuple[int, ...]]
"""A signature and its operands: results are numbered from 0 in order, leaf k is `~k`."""


def _gone() -> weakref.ref[Any]:
    return weakref.ref(set())


UNSEEN = _gone()
"""Among a trace's results: one that nothing refers to, and nothing ever did."""


class Trace:
    """The first `position` records of `script`, with the scalars, the results (weakly) and the leaves of this time.

    The records say nothing of this step's scalars, arrays or source lines: they are the key of the trace. `settle` computes
    a value that another trace holds; `thread` is whose program is being recorded.
    """

    def __init__(self, settle: Callable[[Value], None] | None = None, script: Script | None = None, thread: int | None = None) -> None:
        self.settle = settle
        self.thread = thread
        self.script = Script() if script is None else script
        self.position = 0
        self.slots: list[Any] = []
        self.results: list[weakref.ref[Value]] = []
        self.leaves: list[Any] = []
        self.leaf_values: list[weakref.ref[Value]] = []
        self._leaf_of: dict[int, int] = {}
        self.located: dict[int, Location] = {}
        self.begins: dict[Hint, list[int]] = {}
        """The positions where iterations began, and where the loop ended."""

    @property
    def records(self) -> list[Record]:
        """The records so far, to be read only."""
        records = self.script.records
        return records if self.position == len(records) else records[: self.position]

    def location(self, place: int) -> Location:
        """Where record number `place` was recorded; where an equal one was, if the trace only followed a script there."""
        return self.located[place] if place in self.located else self.script.locations[place]

    def number(self, value: Value) -> int:
        """The operand number of `value`, which becomes a leaf, or is recorded, on first use."""
        if value.trace is self:
            return value.index
        if value.error is not None:
            raise fresh(value.error)
        if value.trace is not None and value.array is None and self.settle is not None:
            self.settle(value)
        if value.array is None:
            later = value.recorded_later
            if later is None:
                raise RuntimeError("internal error: a pending value of another trace was used; please report this")
            operands = tuple([self.number(part) for part in later[1]])
            number = len(self.results)
            self.results.append(weakref.ref(value))
            self._step((later[0], operands), False)
            value.trace, value.index = self, number
            return number
        leaf = self._leaf_of.setdefault(id(value.array), len(self.leaves))
        if leaf == len(self.leaves):
            self.leaves.append(value.array)
            self.leaf_values.append(weakref.ref(value))
        else:  # another trace has numbered it since
            self.leaf_values[leaf] = weakref.ref(value)
        value.trace = self
        value.index = ~leaf
        return ~leaf

    def number_leaves(self, leaves: list[Any], values: list[weakref.ref[Value]]) -> None:
        """Makes these arrays the leaves, in this order, of a trace that has none."""
        self.leaves, self.leaf_values = leaves, values
        self._leaf_of = {id(array): leaf for leaf, array in enumerate(leaves)}

    @property
    def has_distinct_leaves(self) -> bool:
        return len(self._leaf_of) == len(self.leaves)

    def append(self, signature: Signature, operands: Sequence[Value], slots: Sequence[Any]) -> list[Value]:
        """Records one operation and returns its results."""
        record = signature, tuple([v.index if v.trace is self else self.number(v) for v in operands])
        if slots:
            self.slots += slots
        results = self.results
        made = []
        for type_ in signature.result_types:
            value = Value(type_, None, self, len(results))
            results.append(weakref.ref(value))
            made.append(value)
        self._step(record)
        return made

    def mend(self) -> None:
        """After an interrupt in the middle of a call: what it has left behind beyond the records is dropped. The position is
        what counts, and moves last."""
        if self.script.open:
            self.script.truncate(self.position)
        del self.results[self.script.result_ends[self.position] :], self.slots[self.script.slot_ends[self.position] :]

    def note(self, hint: Hint) -> None:
        """An iteration of a loop begins here, or the loop ends."""
        self.begins.setdefault(hint, []).append(self.position)

    def _step(self, record: Record, located: bool = True) -> None:
        """One record on: along the script if it comes next there, else along another one."""
        script, position = self.script, self.position
        records = script.records
        if records[position] != record if position < len(records) else not script.open:
            script = self.script = script.branch(position, record)
        if script.open:
            script.write(record, here(self.thread) if located else None)
        elif record[0].checks:  # an error of this time's values has to name this time's line
            self.located[position] = here(self.thread)
        self.position = position + 1

    def come_to_end(self, known: Script | None) -> Script:
        """The script that was written is complete; it gives place to `known` if that has the same records."""
        written = self.script
        self.script = written.close(known)
        if self.script is not written:
            self.located = dict(enumerate(written.locations))
        return self.script

    def mark(self) -> tuple[Any, ...]:
        """How far the trace has come, for `rollback`."""
        return self.script, self.position, len(self.leaves)

    def rollback(self, mark: tuple[Any, ...]) -> None:
        """Forgets everything recorded since `mark`; none of it may be used any more."""
        self.script, self.position, leaves = mark
        for ref in self.results[self.script.result_ends[self.position] :]:
            value = ref()
            if value is not None:
                value.trace = None
        self.mend()
        self.forget_leaves(leaves)

    def forget_leaves(self, count: int) -> None:
        """Forgets all leaves but the first so many; no record uses the others."""
        for ref in self.leaf_values[count:]:
            value = ref()
            if value is not None:
                value.trace = None
        for array in self.leaves[count:]:
            del self._leaf_of[id(array)]
        del self.leaves[count:], self.leaf_values[count:]

    @property
    def checked(self) -> bool:
        """Whether some record requires something of values."""
        first = self.script.first_check
        return first is not None and first < self.position

    def lose(self, arrays: Mapping[int, BaseException]) -> None:
        """Takes out what is computed from leaves that turned out to be lost, given by the identities of their arrays."""
        lost = {~leaf: arrays[id(array)] for leaf, array in enumerate(self.leaves) if id(array) in arrays}
        if not lost:
            return
        for number, error in lost.items():
            value = self.leaf_values[~number]()
            if value is not None:
                value.lose(error)
        self.begins.clear()
        written, records, locations = self.script, self.records, [self.location(place) for place in range(self.position)]
        old_slots, old_results = self.slots, self.results
        self.script, self.position, self.slots, self.results, self.located = Script(), 0, [], [], {}
        renumbered: dict[int, int] = {}
        for place, ((signature, operands), location) in enumerate(zip(records, locations, strict=True)):
            numbers = written.results_of(place)
            values = [value for number in numbers if (value := old_results[number]()) is not None]
            error = next((lost[number] for number in operands if number in lost), None)
            if error is not None:
                lost.update(dict.fromkeys(numbers, error))
                for value in values:
                    value.lose(error)
                continue
            self.script.write((signature, tuple([renumbered.get(number, number) for number in operands])), location)
            self.position += 1
            self.slots += old_slots[written.slots_of(place)]
            for number in numbers:
                renumbered[number] = len(self.results)
                self.results.append(old_results[number])
            for value in values:
                value.index = renumbered[value.index]

    def wanted(self) -> list[Value]:
        """The pending values that are still alive, in order."""
        return [*filter(None, map(call, self.results))]

    def leaf_type(self, leaf: int) -> TensorType:
        """The type of a leaf whose value is still held."""
        value = self.leaf_values[leaf]()
        assert value is not None, "the leaf's value is held by the caller"
        return value.type

    def held(self) -> Callable[[int], bool]:
        """Tells whether the newest result of the first so many records is still alive."""
        ends = self.script.result_ends
        return lambda end: ends[end] > 0 and self.results[ends[end] - 1]() is not None

    def location_of(self, result: int) -> Location:
        """Where a result was recorded."""
        return self.location(bisect_right(self.script.result_ends, result) - 1)

    def largest(self) -> tuple[TensorType, Location]:
        """The type of the largest result, and where it was recorded."""
        results = [(type_, place) for place, (signature, _) in enumerate(self.records) for type_ in signature.result_types]
        type_, place = max(results, key=lambda result: result[0].nbytes)
        return type_, self.location(place)

    def dying(self) -> frozenset[int]:
        """The leaves whose value no buffer holds any more: their memory may be reused."""
        return frozenset(k for k, ref in enumerate(self.leaf_values) if ref() is None)

    def close(self) -> None:
        """Forgets the leaves' numbers, so that their values may enter another trace."""
        for ref in self.leaf_values:
            value = ref()
            if value is not None and value.trace is self:
                value.trace = None
