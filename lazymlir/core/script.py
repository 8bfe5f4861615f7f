"""Scripts: what traces have recorded, and what the next one is expected to record again.

A training step records the same operations each time. So a trace does not write its records down: it follows a script, as
long as each record equals the one at the same place of an earlier trace. At the first that differs it goes on along another
script that begins in the same way, or writes a new one. At a barrier the script and the place in it say which program to run,
and nothing was copied or hashed to find it.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .locations import Location

if TYPE_CHECKING:
    from .programs import Entry
    from .trace import Record

__all__ = ["Script"]

MAX_BRANCHES = 256
"""So many other ways to go on are remembered of one script."""


class Script:
    """Records in order, with where in the user's program each was first recorded.

    It is written while it is `open`; afterwards nothing of it changes but what is remembered beside it: `memos` by the place
    of a call's first record, for the frontend's use, `entries` of the program cache by the number of records, and the scripts
    that followed upon it or begin as it does. All of that is found again if it is lost, so it is kept weakly: a script lives
    as long as the cache knows a program for it.
    """

    __slots__ = (
        "__weakref__",
        "_branches",
        "_found_at",
        "_rests",
        "_successor",
        "entries",
        "first_check",
        "locations",
        "memos",
        "open",
        "records",
        "result_ends",
        "slot_ends",
    )

    def __init__(self) -> None:
        self.open = True
        self.records: list[Record] = []
        self.locations: list[Location] = []
        self.result_ends, self.slot_ends = [0], [0]
        """How many results and scalars the first so many records have."""
        self.memos: dict[int, Any] = {}
        self.entries: weakref.WeakValueDictionary[int, Entry] = weakref.WeakValueDictionary()
        self.first_check: int | None = None
        """The place of the first record that requires something of values."""
        self._branches: weakref.WeakValueDictionary[Any, Script] = weakref.WeakValueDictionary()
        self._rests: weakref.WeakValueDictionary[Any, Script] = weakref.WeakValueDictionary()
        self._successor: weakref.ref[Script] | None = None
        self._found_at: tuple[weakref.WeakValueDictionary[Any, Script], Any] | None = None

    def write(self, record: Record, location: Location) -> None:
        """Appends a record; the script is open."""
        signature = record[0]
        if signature.checks and self.first_check is None:
            self.first_check = len(self.records)
        self.records.append(record)
        self.result_ends.append(self.result_ends[-1] + len(signature.result_types))
        self.slot_ends.append(self.slot_ends[-1] + len(signature.slot_kinds))
        self.locations.append(location)

    def results_of(self, place: int) -> range:
        """The numbers of a record's results."""
        return range(self.result_ends[place], self.result_ends[place + 1])

    def slots_of(self, start: int, end: int | None = None) -> slice:
        """Where the scalars of a record are, or those of all from `start` to before `end`."""
        return slice(self.slot_ends[start], self.slot_ends[start + 1 if end is None else end])

    def truncate(self, length: int) -> None:
        """Takes back what was written last; the script is open."""
        del self.records[length:], self.locations[length:], self.result_ends[length + 1 :], self.slot_ends[length + 1 :]
        if self.first_check is not None and self.first_check >= length:
            self.first_check = None

    def branch(self, position: int, record: Record) -> Script:
        """The script to go on with where the record at `position` is another: a known one, or a new one to be written."""
        key = position, record
        known = self._branches.get(key)
        if known is not None and known.records[position] == record:  # not so where an interrupt came before it was written
            return known
        made = Script()
        made.records = self.records[:position]
        made.locations = self.locations[:position]
        made.result_ends, made.slot_ends = self.result_ends[: position + 1], self.slot_ends[: position + 1]
        made.memos = {start: memo for start, memo in self.memos.items() if memo.end <= position}
        if self.first_check is not None and self.first_check < position:
            made.first_check = self.first_check
        if len(self._branches) < MAX_BRANCHES:
            made._found_at = self._branches, key
        return made

    def rest(self, position: int, records: Sequence[Record], locations: Sequence[Location]) -> Script:
        """The script of a trace that goes on with `records` where one with this script was cut at `position`: a known one, or
        a new one."""
        known = self._rests.get(position)
        if known is not None and known.records[: len(records)] == records:
            return known
        made = Script()
        for record, location in zip(records, locations, strict=True):
            made.write(record, location)
        made._found_at = self._rests, position
        return made

    def close(self, known: Script | None = None) -> Script:
        """The script is complete. Returns it, or `known` if that has the same records: where this one was begun, that is
        found from now on."""
        script = known if known is not None and known.records == self.records else self
        self.open = False
        if self._found_at is not None:
            scripts, key = self._found_at
            scripts[key] = script
            self._found_at = None
        return script

    @property
    def successor(self) -> Script:
        """What a trace that comes after this one is expected to repeat: what did the last time."""
        found = self._successor() if self._successor is not None else None
        return self if found is None else found

    @successor.setter
    def successor(self, script: Script) -> None:
        if self._successor is None or self._successor() is not script:
            self._successor = weakref.ref(script)
