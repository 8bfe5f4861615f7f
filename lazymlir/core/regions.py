"""Regions: what a function records to be run by the program where it decides so, and as often as it decides.

(LazyTensor paper: "encode control flow through special program annotations".) While a function is run for a region, this
thread records into a trace of the region's own. What it reads from around is captured: a leaf of that trace, and at the end
an operand of the one record that the outer trace gets (control.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from lazymlir.errors import ControlFlowError, fresh

from .engine import engine
from .graph import mlir_location
from .interrupts import held_back
from .locations import Location, describe
from .replay import Capture, Uncut
from .trace import Record, Trace
from .values import Value

if TYPE_CHECKING:
    from lazymlir.dialect import Builder, Node, TensorType

__all__ = ["Captured", "Fragment", "Inside", "Region", "recording"]


class Captured:
    """The values from around that the regions of one operation read, in the order in which they were first met. A value that
    stands for one that only the running program has (a loop's state) is among them."""

    def __init__(self) -> None:
        self.values: list[Value] = []
        self.stand_ins: list[Value] = []
        self._numbers: dict[int, int] = {}

    def number(self, value: Value) -> int:
        found = self._numbers.setdefault(id(value), len(self.values))
        if found == len(self.values):
            self.values.append(value)
        return found

    def stand_in(self, type_: TensorType) -> Value:
        """A value of this type that the running program will have."""
        value = Value(type_)
        self.number(value)
        self.stand_ins.append(value)
        return value


@dataclass(frozen=True)
class Fragment:
    """The records of a region and which of their values it gives; operand `~k` is captured value k. Equal ones make equal
    code, and where they were recorded does not count."""

    records: tuple[Record, ...]
    results: tuple[int, ...]
    locations: tuple[Location, ...] = field(compare=False)

    @cached_property
    def slot_kinds(self) -> tuple[str, ...]:
        return tuple([kind for signature, _ in self.records for kind in signature.slot_kinds])

    @cached_property
    def checks(self) -> tuple[tuple[type[Exception], str], ...]:
        return tuple([check for signature, _ in self.records for check in signature.checks])

    def emit(self, b: Builder, captured: Sequence[Node], scalars: Sequence[Node]) -> list[Node]:
        """Writes the records; returns the results. What the checks find is added to `b.checks`."""
        nodes: list[Node] = []
        around, start = b.loc, 0
        for (signature, operands), location in zip(self.records, self.locations, strict=True):
            b.loc = mlir_location(location)
            end = start + len(signature.slot_kinds)
            nodes += signature.emit(b, [nodes[n] if n >= 0 else captured[~n] for n in operands], scalars[start:end])
            start = end
        b.loc = around
        return [nodes[n] if n >= 0 else captured[~n] for n in self.results]


class Region(Trace):
    """What one function records."""

    def __init__(self, captured: Captured, thread: int | None) -> None:
        super().__init__(thread=thread)
        self._captured = captured
        self._made_here: dict[int, tuple[Value, Value]] = {}
        """By identity: values that are recorded only when something uses them, and what stands for them here."""

    def number(self, value: Value) -> int:
        if value.trace is self:
            return value.index
        if value.error is not None:
            raise fresh(value.error)
        later = value.recorded_later if value.trace is None and value.array is None else None
        if later is not None:
            if id(value) not in self._made_here:
                self._made_here[id(value)] = value, self.append(*later, ())[0]
            return self._made_here[id(value)][1].index
        return ~self._captured.number(value)

    def fragment(self, results: Sequence[Value]) -> Fragment:
        """All that is recorded so far, giving `results`."""
        numbers = tuple([self.number(value) for value in results])
        return Fragment(tuple(self.records), numbers, tuple(self.script.locations))


class Inside(Capture):
    """A function of `name` is being run for a region, where no barrier may come. `made` has the storages that it made itself."""

    def __init__(self, name: str, around: Capture | None) -> None:
        super().__init__()
        self.name = name
        self.around = around
        self.made: set[int] = set()
        if around is not None:
            self.copies = around.copies

    def _refusal(self, what: str) -> ControlFlowError:
        return ControlFlowError(
            f"{what}, at {describe(engine.here())}: a function given to lazymlir.{self.name} cannot do that, because it is recorded once and the "
            "program decides when it runs; return the tensor, or branch in Python"
        )


class Recording:
    """The regions of one operation `name`, while they are recorded."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.captured = Captured()
        self._regions: list[Region] = []

    def region(self) -> tuple[Region, Inside]:
        recorder = engine.recorders.current()
        region = Region(self.captured, recorder.thread)
        self._regions.append(region)
        return region, Inside(self.name, recorder.capture)

    @contextmanager
    def into(self, region: Region, inside: Inside) -> Iterator[None]:
        """What is recorded meanwhile goes into `region`. Raises what was refused, even if the program caught it."""
        recorder = engine.recorders.current()
        before = recorder.trace, recorder.capture, recorder.cutter
        try:
            recorder.trace, recorder.capture, recorder.cutter = region, inside, Uncut()
            yield
        finally:
            with held_back():
                recorder.trace, recorder.capture, recorder.cutter = before
        if inside.error is not None:
            raise fresh(inside.error)

    def operands(self) -> list[Value]:
        """What is captured; an error where a function took it from the other one."""
        if any(value.trace is region for value in self.captured.values for region in self._regions):
            raise self._leak()
        return self.captured.values

    def _leak(self) -> ControlFlowError:
        return ControlFlowError(
            f"a tensor that was made inside a function given to lazymlir.{self.name} is used outside of it: return it from the function"
        )

    def close(self) -> None:
        """The values made in regions, and those that stood for others, are of no use any more."""
        error = self._leak()
        for value in (*self.captured.stand_ins, *(value for region in self._regions for value in region.wanted())):
            value.lose(error)


@contextmanager
def recording(name: str) -> Iterator[Recording]:
    """Regions are recorded in the block, and the record of their operation. Other threads wait meanwhile. After an error all
    is as it was before."""
    with engine.lock:
        if engine.recorders.current().requested:
            engine.barrier()
        made, drawn = Recording(name), engine.random.count
        try:
            yield made
        except BaseException:
            engine.random.count = drawn
            raise
        finally:
            made.close()
