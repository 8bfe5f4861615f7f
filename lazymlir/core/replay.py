"""Recording a stretch of a program whole, and replaying it in bulk: the core of `lazymlir.steady`.

While a thread's recorder has a `Capture`, no barrier may run: what would need one is refused. What was recorded becomes a
`Replay`, which later makes the same trace again without calling a kernel, over other leaves and with other scalars. The
trace then runs through the ordinary barrier, so variants, donation, checks and failures are those of any other trace.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import get_ident
from typing import Any, NoReturn

from lazymlir.errors import LazymlirError, SteadyError, fresh

from .cut import Cutter
from .engine import engine
from .locations import describe
from .trace import UNSEEN, Trace
from .values import Value

__all__ = ["Capture", "Replay", "Uncut", "capturing", "recording_whole"]


class Capture:
    """A stretch being recorded. `copies` are the values that were put on the device meanwhile, each with what it was made
    of; `error` is the first refusal, which stands even if the program catches it."""

    def __init__(self) -> None:
        self.copies: list[tuple[Value, Any]] = []
        self.error: LazymlirError | None = None

    def refuse(self, what: str) -> NoReturn:
        raise self._noted(self._refusal(what))

    def _noted(self, error: LazymlirError) -> BaseException:
        """Keeps one error, and gives another to raise: its traceback would keep alive what the stretch holds."""
        self.error = self.error or error
        return fresh(error)

    def _refusal(self, what: str) -> LazymlirError:
        return SteadyError(
            f"{what}, at {describe(engine.here())}: a steady function cannot do that, because its Python will not run again; "
            "return the tensor and read it outside"
        )


class Uncut(Cutter):
    """A stretch is never cut by its length."""

    def due(self, length: int, limit: int) -> bool:
        return False


def capturing() -> Capture | None:
    """The capture of this thread, or of the one that it works for."""
    with engine.lock:
        return engine.recorders.current().capture


@contextmanager
def recording_whole() -> Iterator[tuple[Capture, Trace]]:
    """From one barrier on, everything that the block records is one trace, not yet run; then recording goes on as usual."""
    with engine.lock:
        engine.barrier()
        recorder = engine.recorders.current()
        capture = recorder.capture = Capture()
        cutter, recorder.cutter = recorder.cutter, Uncut()
        recorder.begin(0)  # not predicted: it is looked at, and has to know its own lines
        trace = recorder.trace
    try:
        yield capture, trace
    finally:
        recorder.capture, recorder.cutter = None, cutter


class Replay:
    """A recorded trace, to be made again. `wanted` are the numbers of the results to compute, ascending."""

    def __init__(self, trace: Trace, wanted: Sequence[int]) -> None:
        self._script, self._position, self._located = trace.script, trace.position, trace.located
        types = [type_ for signature, _ in trace.records for type_ in signature.result_types]
        self._wanted = [(number, types[number]) for number in wanted]
        self._unseen = [UNSEEN] * len(types)

    def begin(self, values: Sequence[Value], slots: list[Any]) -> tuple[Trace, list[Value]] | None:
        """The trace over these present values as its leaves, and its results, pending; None where two leaves are one array:
        a trace has each only once. `run` comes next."""
        trace = Trace(engine.recorders.settle, self._script, get_ident())
        leaves = [value.array for value in values]
        trace.number_leaves(leaves, [weakref.ref(value) for value in values])
        if not trace.has_distinct_leaves:
            return None
        trace.position, trace.located = self._position, self._located
        trace.slots = slots
        trace.results = results = self._unseen.copy()
        made = []
        for number, type_ in self._wanted:
            value = Value(type_, None, trace, number)
            results[number] = weakref.ref(value)
            made.append(value)
        return trace, made

    @staticmethod
    def run(trace: Trace) -> None:
        """The barrier of a trace that `begin` made, when its results are where they are to stay: what dies may be donated."""
        engine.run(trace)
