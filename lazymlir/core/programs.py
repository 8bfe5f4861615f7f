"""The first level of the program cache: from a trace's records to variants of its program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import copysign
from operator import itemgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .script import Script

__all__ = ["Entry", "ProgramCache", "Variant"]

MAX_SEPARATE = 4
"""So many variants with results of their own; after that new ones compute what all of them do."""

WORTH_DONATING = 1 << 20
"""A variant that leaves this many bytes undonated which now could be donated does not serve."""


class Variant:
    """One compiled form of a trace. `conditions` are scalars that it took as constants; `offered` are the leaves that
    could be donated when it was compiled, `donated` those that are."""

    def __init__(
        self, program: Any, results: tuple[int, ...], conditions: Sequence[tuple[int, Any]], offered: frozenset[int], donated: frozenset[int]
    ) -> None:
        self.program = program
        self.results = results
        self.conditions = conditions
        self.offered = offered
        self.donated = donated
        if conditions:
            self._conditional = itemgetter(*[slot for slot, _ in conditions])
            self._constants = self._conditional(dict(conditions))
        self._zeros = [(slot, copysign(1.0, value)) for slot, value in conditions if value == 0]
        self._places: dict[tuple[int, ...], tuple[int, ...] | None] = {}

    def serves(self, wanted: tuple[int, ...], slots: Sequence[Any], dying: frozenset[int], leaves: Sequence[Any]) -> bool:
        if self.results != wanted and self.places(wanted) is None:
            return False
        if self.offered != dying:
            if not self.donated <= dying:
                return False
            if sum(leaves[leaf].nbytes for leaf in dying - self.offered) >= WORTH_DONATING:
                return False
        if self.conditions and self._conditional(slots) != self._constants:
            return False
        return all(copysign(1.0, slots[slot]) == sign for slot, sign in self._zeros)

    def places(self, wanted: tuple[int, ...]) -> tuple[int, ...] | None:
        """Where among the program's results each wanted one is; None where it does not compute all of them."""
        if wanted not in self._places:
            place = {number: i for i, number in enumerate(self.results)}
            self._places[wanted] = tuple([place[number] for number in wanted]) if all(number in place for number in wanted) else None
        return self._places[wanted]


def same_number(x: Any, y: Any) -> bool:
    """Equal, and of the same sign where both are 0."""
    return x == y and (x != 0 or copysign(1.0, x) == copysign(1.0, y))


@dataclass(eq=False)
class Entry:
    """What is known of one sequence of records under certain flags; `general` are the scalars that have been seen to vary.
    `script` is one that has these records, or begins with them; `used` tells when the entry was used last."""

    flags: Any = None
    script: Script | None = None
    used: int = 0
    variants: list[Variant] = field(default_factory=list)
    general: set[int] = field(default_factory=set)

    def find(self, wanted: tuple[int, ...], slots: Sequence[Any], dying: frozenset[int], leaves: Sequence[Any]) -> Variant | None:
        for variant in self.variants:
            if variant.serves(wanted, slots, dying, leaves):
                return variant
        return None

    def generalize(self, slots: Sequence[Any]) -> None:
        """Notes which conditions of the known variants do not hold now: those scalars are never specialised again."""
        for variant in self.variants:
            self.general.update(slot for slot, value in variant.conditions if not same_number(slots[slot], value))

    def results_to_compile(self, wanted: tuple[int, ...]) -> tuple[int, ...]:
        if len(self.variants) < MAX_SEPARATE:
            return wanted
        return tuple(sorted({*wanted, *(number for variant in self.variants for number in variant.results)}))

    def why_none_serves(self, wanted: tuple[int, ...], slots: Sequence[Any], dying: frozenset[int]) -> str:
        """For the log: what keeps the newest variant from serving."""
        if not self.variants:
            return "this sequence of operations is new"
        newest = self.variants[-1]
        missing = sorted(set(wanted) - set(newest.results))
        if missing:
            return f"{len(missing)} more results are alive at the barrier than before"
        changed = [(slot, value, slots[slot]) for slot, value in newest.conditions if not same_number(slots[slot], value)]
        if changed:
            slot, old, new = changed[0]
            return f"scalar {slot} was the constant {old} and is now {new}"
        return "other buffers die at the barrier than before"


class ProgramCache:
    """Entries by records and flags, the least recently used one dropped when there are more than a limit."""

    def __init__(self) -> None:
        self._entries: dict[Any, Entry] = {}
        self._uses = 0

    def __len__(self) -> int:
        return len(self._entries)

    def entry(self, flags: Any, records: Sequence[Any], limit: int) -> Entry:
        key = flags, tuple(records)
        found = self._entries.get(key)
        if found is None:
            self._keep(max(limit, 1) - 1)
            found = self._entries[key] = Entry(flags)
        return found

    def use(self, entry: Entry) -> None:
        self._uses += 1
        entry.used = self._uses

    def forget_half(self) -> None:
        """Drops the entries that were used longest ago."""
        self._keep(len(self._entries) - len(self._entries) // 2)

    def _keep(self, count: int) -> None:
        """Drops all but so many."""
        excess = len(self._entries) - count
        if excess > 0:
            for key in sorted(self._entries, key=lambda key: self._entries[key].used)[:excess]:
                del self._entries[key]
