"""The engine: the one object that holds a device's mutable state, and the barrier."""

from __future__ import annotations

import atexit
import threading
import time
import traceback
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from lazymlir import metrics
from lazymlir.config import config
from lazymlir.errors import LazymlirError, OutOfMemoryError, fresh
from lazymlir.logs import enabled, log

from .cut import WINDOW
from .graph import build
from .hints import remarks
from .interrupts import held_back
from .locations import Location, describe, here
from .outcome import Outcome
from .programs import Entry, ProgramCache, Variant
from .recorder import Recorder, Recorders, Watch
from .rng import RandomKeys
from .split import Split
from .trace import Signature, Trace
from .values import Value

if TYPE_CHECKING:
    from lazymlir.runtime.compiler import Compiler

__all__ = ["Engine", "engine"]

MAX_VARIANTS = 16

AHEAD = 2
"""So many programs may be under way before what the first of them found is waited for."""


class _Ready(NamedTuple):
    """A trace's program, the values that it is run for, and whether it also tells what its checks found."""

    variant: Variant
    wanted: list[Value]
    numbers: tuple[int, ...]
    checked: bool


class Engine:
    """Records into a trace, and at a barrier runs it: the whole of it, always, for every value that is still alive.

    Because nothing of a trace survives its barrier but the values that buffers hold, no operation ever runs twice, and
    an input whose buffer has moved on may be overwritten (LazyTensor paper, section on input/output aliasing).

    Each thread has a trace of its own; a barrier is one of the thread that makes it.
    """

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.recorders = Recorders(self._settle)
        self.random = RandomKeys()
        self.programs = ProgramCache()
        self.compiler: Compiler | None = None
        self._running: list[weakref.ref[Any]] = []
        self.outcomes: list[Outcome] = []
        """What programs with checks will tell, and those that took their results, in the order in which they were started."""
        self._reports = False
        self.left = False
        """Whether this process was forked from the one that the device belongs to."""

    def leave(self) -> None:
        """In a forked child: the device's threads did not come along, so nothing may be recorded or run here."""
        self.left = True
        self.lock._at_fork_reinit()  # another thread may have held it
        for recorder in self.recorders.all():
            recorder.requested = False
            recorder.begin(0)

        def refuse(*_: Any) -> Any:
            raise LazymlirError("a forked process cannot use device lazymlir: use CPU tensors in DataLoader workers, or the start method 'spawn'")

        self.record = self._barrier = refuse

    @property
    def trace(self) -> Trace:
        """The trace of this thread."""
        with self.lock:
            return self.recorders.current().trace

    def here(self) -> Location:
        """The line of the user's program that is running now."""
        with self.lock:
            return here(self.recorders.current().thread)

    # Recording.

    def record(self, signature: Signature, operands: Sequence[Value], slots: Sequence[Any] = ()) -> list[Value]:
        """Appends one operation to the trace; returns its results, pending."""
        with self.lock:
            recorder = self.recorders.current()
            if recorder.requested:
                self._barrier(recorder)
            elif recorder.cutter.due(recorder.trace.position, config.max_trace):
                self._cut(recorder)
            trace = recorder.trace
            try:
                return trace.append(signature, operands, slots)
            except BaseException:
                trace.mend()
                raise

    @contextmanager
    def inspection(self) -> Iterator[Trace]:
        """The trace, for looking at: what is recorded meanwhile is forgotten after, and no barrier runs."""
        with self.lock:
            recorder = self.recorders.current()
            requested, recorder.requested = recorder.requested, False
            trace = recorder.trace
            mark = trace.mark()
            try:
                yield trace
            finally:
                trace.rollback(mark)
                recorder.requested = requested

    def _settle(self, value: Value) -> None:
        """Computes a value that another thread's trace holds."""
        if value.trace is not None:
            self._barrier(self.recorders.of(value.trace))

    # Barriers.

    def sync(self, wait: bool = False) -> None:
        """A barrier asked for by the user; also for what threads that have ended left behind."""
        metrics.count("MarkStep")
        with self.lock:
            if self.recorders.current().capture is not None:
                return  # the end of the steady function is the barrier
            self._look()
            for recorder in self.recorders.ended():
                self._barrier(recorder)
                self.recorders.drop(recorder)
            self.barrier()
            if wait:
                self._wait()

    def barrier(self) -> None:
        """Cuts the trace, runs it, and gives every live buffer its value."""
        with self.lock:
            self._barrier(self.recorders.current())

    def run(self, trace: Trace) -> None:
        """A barrier of a trace made elsewhere, where nothing is recorded."""
        with self.lock:
            recorder = self.recorders.current()
            recorder.trace = trace
            self._barrier(recorder)

    def clear(self) -> None:
        """A barrier if anything is recorded; raises what is known to have failed."""
        with self.lock:
            recorder = self.recorders.current()
            if recorder.trace.position or recorder.requested:
                self._barrier(recorder)
            self._glance()

    def _barrier(self, recorder: Recorder) -> None:
        if recorder.capture is not None:
            recorder.capture.refuse("the value of a pending tensor is needed")
        recorder.requested = False
        recorder.raise_deferred()
        self._glance()
        recorder.cutter.reset()
        trace = recorder.trace
        trace.mend()
        try:
            ready = self._prepare(trace)
        except Exception as error:
            with held_back():
                recorder.begin(config.max_trace + WINDOW)
                self._salvage(trace, error)
            raise
        with held_back():
            recorder.note(trace)
            recorder.begin(config.max_trace + WINDOW)
            self._run(recorder, trace, ready)

    def _wait(self) -> None:
        """Returns when every program started has ended; raises what their checks found."""
        running, self._running = self._running, []
        for ref in running:
            array = ref()
            if array is not None and not array.is_deleted():
                array.block_until_ready()
        self._look()

    def read(self, value: Value) -> Any:
        """The device array of a value, after a barrier if it is pending; the caller's line is the one that waits."""
        with self.lock:
            recorder = self.recorders.current()
            if recorder.capture is not None:
                recorder.capture.refuse("a tensor's value is read on the host")
        if value.array is None and value.error is None:
            with self.lock:
                if value.trace is None:
                    recorder.trace.number(value)
                elif value.trace is not recorder.trace:
                    recorder = self.recorders.of(value.trace)
                metrics.count("HostRead")
                log("syncs", 2, "a host read cuts the trace of %d operations", recorder.trace.position)
                self._barrier(recorder)
        if value.outcome is not None:
            with self.lock:
                self._judge(value.outcome)
                value.outcome = None
        if value.error is not None:
            raise fresh(value.error)
        return value.array

    def request_barrier(self, values: Sequence[Value]) -> None:
        """A barrier as soon as the last of `values` has died, before the next operation is recorded, or at the next read
        of a pending value, whichever comes first. So an optimizer's gradients, dropped right after the step, are no
        results of its program."""
        with self.lock:
            recorder = self.recorders.current()
            if recorder.capture is not None:
                return  # the end of the steady function is the barrier
            recorder.requested = True
            recorder.watch = Watch(values, recorder, self._all_died)
            if not values:
                self._barrier(recorder)

    def _all_died(self, watch: Watch) -> None:
        """Called while an object is being freed, where an exception would be lost: it is kept for the next operation."""
        recorder = watch.recorder
        with self.lock:
            if not recorder.requested or watch is not recorder.watch:
                return
            try:
                self._barrier(recorder)
            except BaseException as error:
                recorder.defer(error)

    def defer(self, error: BaseException) -> None:
        """Keeps an error that cannot be raised here: the next operation, barrier or read of a pending value raises it."""
        with self.lock:
            self.recorders.current().defer(error)

    def raise_deferred(self) -> None:
        with self.lock:
            self.recorders.current().raise_deferred()

    def _cut(self, recorder: Recorder) -> None:
        """Runs the first part of a trace that grew too long; of a loop, every whole part that is there."""
        self._glance()  # what failed is taken out of the trace before it is measured
        cutter, trace = recorder.cutter, recorder.trace
        position = cutter.choose([signature for signature, _ in trace.records], config.max_trace, trace.held())
        while 0 < position <= recorder.trace.position - WINDOW:
            log("syncs", 2, "a trace of %d operations is cut at %d", recorder.trace.position, position)
            split = Split(recorder.trace, position)
            try:
                ready = self._prepare(split.head)
            except Exception as error:
                with held_back():
                    self._salvage(split.head, error)
                    recorder.trace = split.finish()
                raise
            except BaseException:
                split.undo()
                raise
            with held_back():
                recorder.note(split.head)
                try:
                    self._run(recorder, split.head, ready)
                finally:
                    recorder.trace = split.finish()
            if not cutter.repeats:
                return

    # Checks of programs that have run.

    def _glance(self) -> None:
        """Looks at the programs with checks that have ended. So that one runs while the next is recorded, none is waited for
        unless many are under way."""
        outcomes = self.outcomes
        while outcomes and (outcomes[0].is_known or len(outcomes) > AHEAD):
            self._judge(outcomes[0])

    def _look(self) -> None:
        """Waits for all programs with checks."""
        while self.outcomes:
            self._judge(self.outcomes[0])

    def _judge(self, outcome: Outcome) -> None:
        """Looks at what programs told, in order, up to this one. Raises the error of the first failed check, after everything
        computed from what failed was given up; that of another thread's program is raised there."""
        outcomes = self.outcomes
        while outcome in outcomes:
            first = outcomes.pop(0)
            error = first.look()
            if first.lost:
                for recorder in self.recorders.all():
                    recorder.trace.lose(first.lost)
            if error is not None:
                if first.recorder is self.recorders.current():
                    raise fresh(error)
                first.recorder.defer(fresh(error))

    # Running.

    def _prepare(self, trace: Trace) -> _Ready | None:
        """A program for the trace, compiled if need be; None where nothing is wanted of it. Changes nothing that counts:
        it may be interrupted."""
        wanted, checked = trace.wanted(), trace.checked
        if not wanted and not checked:
            return None
        numbers = tuple([value.index for value in wanted])
        dying = self._dying(trace)
        entry = self._entry(trace)
        variant = entry.find(numbers, trace.slots, dying, trace.leaves)
        if variant is None:
            variant = self._compile(entry, trace, numbers, dying, checked)
        else:
            metrics.count("CachedCompile")
        return _Ready(variant, wanted, numbers, checked)

    def _entry(self, trace: Trace) -> Entry:
        """What the program cache knows of the trace; the script that it followed or wrote is complete."""
        script, position = trace.script, trace.position
        entry = script.entries.get(position)
        if entry is None or entry.flags != config.cache_key:
            entry = self.programs.entry(config.cache_key, trace.records, config.cache_size)
            if script.open:
                script = trace.come_to_end(entry.script)
            script.entries[position] = entry
            entry.script = script
        self.programs.use(entry)
        return entry

    def _dying(self, trace: Trace) -> frozenset[int]:
        """The leaves that nothing needs after the trace: no buffer, and no other thread's trace."""
        dying = trace.dying()
        others = [recorder.trace for recorder in self.recorders.all() if recorder.trace is not trace]
        if not others or not dying:
            return dying
        held = {id(array) for other in others for array in other.leaves}
        return frozenset(leaf for leaf in dying if id(trace.leaves[leaf]) not in held)

    def _run(self, recorder: Recorder, trace: Trace, ready: _Ready | None) -> None:
        """Runs a trace's program. If it fails, what can still be computed is, and the rest raises the error when it is
        read."""
        try:
            if ready is not None:
                self._execute(recorder, trace, ready)
        except Exception as error:
            self._salvage(trace, error)
            raise
        trace.close()

    def _execute(self, recorder: Recorder, trace: Trace, ready: _Ready) -> None:
        started = time.perf_counter()
        try:
            arrays = ready.variant.program.run(trace.leaves, trace.slots)
        except OutOfMemoryError as error:
            type_, location = trace.largest()
            raise OutOfMemoryError(f"{error}; the largest tensor in it, {type_}, is recorded at {describe(location)}") from None
        metrics.record_time("ExecuteTime", time.perf_counter() - started)
        self._running = [ref for ref in self._running if (array := ref()) is not None and not array.is_deleted() and not array.is_ready()]
        self._running.append(weakref.ref(arrays[0]))
        found = arrays.pop() if ready.checked else None
        _fill(ready.wanted, ready.numbers, ready.variant, arrays)
        if found is not None or self.outcomes:
            self.outcomes.append(Outcome(recorder, trace, ready.wanted, ready.numbers, found, self.outcomes))
            if not self._reports:
                self._reports = True
                atexit.register(self._report)  # only now, so that it runs before jax takes its device away

    def _report(self) -> None:
        """At the end of the process: says what the last program found, which nothing will ask for any more."""
        for outcome in self.outcomes:
            error = outcome.look()
            if error is not None:
                traceback.print_exception(error)

    def _compile(self, entry: Entry, trace: Trace, wanted: tuple[int, ...], dying: frozenset[int], checked: bool) -> Variant:
        from lazymlir.runtime.compiler import Compiler

        if self.compiler is None:
            self.compiler = Compiler(self.programs.forget_half)
        why = entry.why_none_serves(wanted, trace.slots, dying)
        entry.generalize(trace.slots)
        results = entry.results_to_compile(wanted)
        place = describe(trace.location(trace.position - 1)) if trace.position else "nowhere"
        why = f"{trace.position} operations up to {place}; {why}"
        try:
            compiled = self.compiler.compile(build(trace, results, dying, entry.general, checked), why)
        except Exception as error:
            if config.reroll != "auto":
                raise
            with config(reroll="off"):
                compiled = self.compiler.compile(build(trace, results, dying, entry.general, checked), why)
            metrics.count("RerollFailed")
            log("recompiles", 0, "a program up to %s compiles only with its loops unrolled; please report this: %s", place, error)
        for remark in remarks(trace) if trace.begins and enabled("passes", 2) else ():
            log("passes", 2, "%s", remark)
        variant = Variant(compiled.program, results, compiled.conditions, dying, compiled.donated)
        entry.variants.append(variant)
        del entry.variants[:-MAX_VARIANTS]
        return variant

    def _salvage(self, trace: Trace, error: Exception) -> None:
        """After a failure: each live value is computed by itself if it can be, else reading it raises its error."""
        for value in trace.wanted():
            try:
                variant = self._compile(Entry(), trace, (value.index,), frozenset(), checked=False)
                arrays = variant.program.run(trace.leaves, trace.slots)
                arrays[0].block_until_ready()
                _fill([value], (value.index,), variant, arrays)
            except Exception as own:
                lost = fresh(own if isinstance(own, LazymlirError) else error)  # each value's names its own line
                lost.add_note(f"The value was recorded at {describe(trace.location_of(value.index))}; it is lost.")
                value.lose(lost)
        trace.close()


def _fill(values: Sequence[Value], wanted: tuple[int, ...], variant: Variant, arrays: Sequence[Any]) -> None:
    if variant.results != wanted:
        arrays = [arrays[place] for place in variant.places(wanted) or ()]
    for value, array in zip(values, arrays, strict=True):
        value.array = array
        value.trace = None
        if value.parts is not None:
            value.parts = None


engine = Engine()
"""The engine of the device `lazymlir:0`."""
