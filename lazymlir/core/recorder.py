"""One recorder a thread: a trace, and when it is to be cut.

Threads that each repeat a step of their own must meet their own programs again, so their records never mix; a value that
another thread's trace still holds is computed first.
"""

from __future__ import annotations

import sys
import threading
import weakref
from collections.abc import Callable, Sequence
from threading import get_ident
from typing import TYPE_CHECKING, Any

from .cut import Cutter
from .script import Script
from .trace import Trace
from .values import Value

if TYPE_CHECKING:
    from .replay import Capture

__all__ = ["Recorder", "Recorders"]

Settle = Callable[[Value], None]


class Recorder:
    """What one thread has recorded. `requested` asks for a barrier before the next operation, `watch` waits for the values
    whose death is to bring it, `deferred` is an error that could not be raised where it happened, `capture` is there while a
    steady function's body is recorded whole."""

    def __init__(self, thread: int, settle: Settle) -> None:
        self.thread = thread
        self._settle = settle
        self._last: Script | None = None
        self.begin(sys.maxsize)
        self.cutter = Cutter()
        self.requested = False
        self.watch: Watch | None = None
        self.deferred: BaseException | None = None
        self.capture: Capture | None = None

    def begin(self, longest: int) -> None:
        """A new trace, which is expected to be what followed upon the last one the last time, if that is not too long."""
        script = None if self._last is None else self._last.successor
        if script is not None and len(script.records) > longest:
            script = None
        self.trace = Trace(self._settle, script, self.thread)
        self._began = True

    def note(self, trace: Trace) -> None:
        """A trace came to its end, or to its first cut."""
        script = trace.script
        script.close()  # where no program was wanted of it, nobody has
        if self._began and trace.position:
            if self._last is not None:
                self._last.successor = script
            self._last = script
            self._began = False

    def defer(self, error: BaseException) -> None:
        """Keeps an error for the next operation or barrier to raise."""
        self.deferred, self.requested = error, True

    def raise_deferred(self) -> None:
        if self.deferred is not None:
            error, self.deferred, self.requested = self.deferred, None, False
            raise error


class Recorders:
    """The recorders by thread. To be used under the engine's lock.

    A thread may work for another, as autograd's do: `inherit` tells where a thread's recorder is kept so that the threads
    it starts or hands work to find it.
    """

    def __init__(self, settle: Settle) -> None:
        self.settle = settle
        self._all: list[Recorder] = []
        self._local = threading.local()
        self._get: Callable[[], Any] = lambda: getattr(self._local, "recorder", None)
        self._put: Callable[[Any], None] = lambda recorder: setattr(self._local, "recorder", recorder)
        self._made = 0

    def inherit(self, get: Callable[[], Any], put: Callable[[Any], None]) -> None:
        """`put` keeps an object for the current thread, `get` finds it there and in threads that work for it, or None."""
        self._get, self._put = get, put

    def current(self) -> Recorder:
        try:
            recorder, made = self._local.known  # not kept by the thread's number: a later thread may get the same
        except AttributeError:
            return self._look_up()
        return recorder if made == self._made else self._look_up()

    def _look_up(self) -> Recorder:
        ident, found = get_ident(), self._get()
        if found is None:
            self._all = [recorder for recorder in self._all if recorder.trace.wanted() or recorder.deferred or not _ended(recorder, ident)]
            found = Recorder(ident, self.settle)
            self._put(found)
            self._all.append(found)
            self._made += 1
        if found.thread == ident or len(self._all) == 1:  # a worker of several threads has to look each time
            self._local.known = found, self._made
        return found

    def all(self) -> Sequence[Recorder]:
        return self._all

    def ended(self) -> list[Recorder]:
        """The recorders of threads that are no more."""
        return [recorder for recorder in self._all if _ended(recorder, get_ident())] if len(self._all) > 1 else []

    def drop(self, recorder: Recorder) -> None:
        self._all.remove(recorder)

    def of(self, trace: Trace) -> Recorder:
        """The recorder whose trace this is."""
        return next(recorder for recorder in self._all if recorder.trace is trace)


def _ended(recorder: Recorder, current: int) -> bool:
    return recorder.thread != current and recorder.thread not in sys._current_frames()


class Watch:
    """Calls `then(watch)` at the death of the last of some values."""

    def __init__(self, values: Sequence[Value], recorder: Recorder, then: Callable[[Watch], None]) -> None:
        self.recorder = recorder
        self._then = then
        self._left = len(values)
        self._refs = [weakref.ref(value, self) for value in values]

    def __call__(self, _: weakref.ref[Value]) -> None:
        self._left -= 1
        if self._left == 0:
            self._then(self)
