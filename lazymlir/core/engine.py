"""The engine: the one object that holds a device's mutable state, and the barrier."""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from lazymlir import metrics
from lazymlir.config import config
from lazymlir.errors import LazymlirError
from lazymlir.logs import log

from .cut import WINDOW, Cutter
from .graph import build
from .locations import describe, here
from .programs import Entry, ProgramCache, Variant
from .rng import RandomKeys
from .split import Split
from .trace import Signature, Trace
from .values import Value

if TYPE_CHECKING:
    from lazymlir.runtime.compiler import Compiler

__all__ = ["Engine", "engine"]

MAX_VARIANTS = 16


class Engine:
    """Records into a trace, and at a barrier runs it: the whole of it, always, for every value that is still alive.

    Because nothing of a trace survives its barrier but the values that buffers hold, no operation ever runs twice, and
    an input whose buffer has moved on may be overwritten (LazyTensor paper, section on input/output aliasing).
    """

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.trace = Trace()
        self.random = RandomKeys()
        self.programs = ProgramCache()
        self.compiler: Compiler | None = None
        self._cutter = Cutter()
        self._requested = False
        self._watch: _Watch | None = None
        self._deferred: BaseException | None = None
        self._running: list[weakref.ref[Any]] = []

    # Recording.

    def record(self, signature: Signature, operands: Sequence[Value], slots: Sequence[Any] = ()) -> list[Value]:
        """Appends one operation to the trace; returns its results, pending."""
        with self.lock:
            if self._requested:
                self.barrier()
            trace = self.trace
            if self._cutter.due(len(trace.records), config.max_trace):
                self._cut()
                trace = self.trace
            return trace.append(signature, operands, slots, here())

    @contextmanager
    def inspection(self) -> Iterator[Trace]:
        """The trace, for looking at: what is recorded meanwhile is forgotten after, and no barrier runs."""
        with self.lock:
            requested, self._requested = self._requested, False
            mark = self.trace.mark()
            try:
                yield self.trace
            finally:
                self.trace.rollback(mark)
                self._requested = requested

    # Barriers.

    def sync(self, wait: bool = False) -> None:
        """A barrier asked for by the user."""
        metrics.count("MarkStep")
        self.barrier()
        if wait:
            self._wait()

    def barrier(self) -> None:
        """Cuts the trace, runs it, and gives every live buffer its value."""
        with self.lock:
            self._requested = False
            self.raise_deferred()
            self._cutter.reset()
            trace = self.trace
            self.trace = Trace()
            self._run_or_restore(trace)

    def _wait(self) -> None:
        """Returns when every program started has ended."""
        running, self._running = self._running, []
        for ref in running:
            array = ref()
            if array is not None and not array.is_deleted():
                array.block_until_ready()

    def read(self, value: Value) -> Any:
        """The device array of a value, after a barrier if it is pending; the caller's line is the one that waits."""
        if value.array is None and value.error is None:
            with self.lock:
                self.trace.number(value)
            log("syncs", 2, "a host read cuts the trace of %d operations", len(self.trace.records))
            self.barrier()
        if value.error is not None:
            raise value.error
        return value.array

    def request_barrier(self, values: Sequence[Value]) -> None:
        """A barrier as soon as the last of `values` has died, before the next operation is recorded, or at the next read
        of a pending value, whichever comes first. So an optimizer's gradients, dropped right after the step, are no
        results of its program."""
        with self.lock:
            self._requested = True
            self._watch = _Watch(self, values)
            if not values:
                self.barrier()

    def _all_died(self, watch: _Watch) -> None:
        """Called while an object is being freed, where an exception would be lost: it is kept for the next operation."""
        with self.lock:
            if not self._requested or watch is not self._watch:
                return
            try:
                self.barrier()
            except BaseException as error:
                self.defer(error)

    def defer(self, error: BaseException) -> None:
        """Keeps an error that cannot be raised here: the next operation, barrier or read of a pending value raises it."""
        self._deferred, self._requested = error, True

    def raise_deferred(self) -> None:
        if self._deferred is not None:
            error, self._deferred, self._requested = self._deferred, None, False
            raise error

    def _cut(self) -> None:
        """Runs the first part of a trace that grew too long; of a loop, every whole part that is there."""
        trace = self.trace
        position = self._cutter.choose([signature for signature, _ in trace.records], config.max_trace, trace.held())
        while 0 < position <= len(self.trace.records) - WINDOW:
            log("syncs", 2, "a trace of %d operations is cut at %d", len(self.trace.records), position)
            split = Split(self.trace, position)
            try:
                self._run(split.head)
            except Exception as error:
                self._salvage(split.head, error)
                self.trace = split.finish()
                raise
            except BaseException:
                split.undo()
                raise
            self.trace = split.finish()
            if not self._cutter.repeats:
                return

    # Running.

    def _run_or_restore(self, trace: Trace) -> None:
        """Runs a trace. If it fails, what can still be computed is, and the rest raises the error when it is read; if it is
        interrupted, the trace is as if the barrier had not begun."""
        try:
            self._run(trace)
        except Exception as error:
            self._salvage(trace, error)
            raise
        except BaseException:
            self.trace = trace
            raise
        trace.close()

    def _run(self, trace: Trace) -> None:
        wanted_values = trace.wanted()
        if not wanted_values:
            return
        wanted = tuple([value.index for value in wanted_values])
        dying = trace.dying()
        entry = self.programs.entry((config.cache_key, tuple(trace.records)), config.cache_size)
        variant = entry.find(wanted, trace.slots, dying, trace.leaves)
        if variant is None:
            variant = self._compile(entry, trace, wanted, dying)
        else:
            metrics.count("CachedCompile")
        started = time.perf_counter()
        arrays = variant.program.run(trace.leaves, trace.slots)
        metrics.record_time("ExecuteTime", time.perf_counter() - started)
        self._running = [ref for ref in self._running[-8:] if ref() is not None]
        self._running.append(weakref.ref(arrays[0]))
        _fill(wanted_values, wanted, variant.results, arrays)

    def _compile(self, entry: Entry, trace: Trace, wanted: tuple[int, ...], dying: frozenset[int]) -> Variant:
        from lazymlir.runtime.compiler import Compiler

        if self.compiler is None:
            self.compiler = Compiler()
        why = entry.why_none_serves(wanted, trace.slots, dying)
        entry.generalize(trace.slots)
        results = entry.results_to_compile(wanted)
        place = describe(trace.locations[-1]) if trace.locations else "nowhere"
        graph = build(trace, results, dying, entry.general)
        compiled = self.compiler.compile(graph, f"{len(trace.records)} operations up to {place}; {why}")
        variant = Variant(compiled.program, results, compiled.conditions, dying, compiled.donated)
        entry.variants.append(variant)
        del entry.variants[:-MAX_VARIANTS]
        return variant

    def _salvage(self, trace: Trace, error: Exception) -> None:
        """After a failure: each live value is computed by itself if it can be, else reading it raises its error."""
        for value in trace.wanted():
            try:
                variant = self._compile(Entry(), trace, (value.index,), frozenset())
                arrays = variant.program.run(trace.leaves, trace.slots)
                arrays[0].block_until_ready()
                _fill([value], (value.index,), variant.results, arrays)
            except Exception as own:
                place = describe(trace.location_of(value.index))
                own.add_note(f"The value was recorded at {place}; it is lost, every other one is there.")
                value.error = own if isinstance(own, LazymlirError) else error
                value.trace = None
        trace.close()


def _fill(values: Sequence[Value], wanted: tuple[int, ...], results: tuple[int, ...], arrays: Sequence[Any]) -> None:
    if results != wanted:
        place = {number: i for i, number in enumerate(results)}
        arrays = [arrays[place[number]] for number in wanted]
    for value, array in zip(values, arrays, strict=True):
        value.array = array
        value.trace = None


class _Watch:
    """Notices the death of the last of some values."""

    def __init__(self, engine: Engine, values: Sequence[Value]) -> None:
        self._engine = engine
        self._left = len(values)
        self._refs = [weakref.ref(value, self) for value in values]

    def __call__(self, _: weakref.ref[Value]) -> None:
        self._left -= 1
        if self._left == 0:
            self._engine._all_died(self)


engine = Engine()
"""The engine of the device `lazymlir:0`."""
