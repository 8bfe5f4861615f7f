"""Ctrl-C at the wrong moment: between the start of a program that overwrites its inputs and the taking of its results."""

from __future__ import annotations

import threading
from _signal import SIGINT, getsignal, signal  # the module `signal` wraps these, at ten times their cost
from types import FrameType, TracebackType
from typing import Any

__all__ = ["held_back"]

_MAIN = threading.main_thread().ident


class held_back:
    """Holds SIGINT back in the main thread, where Python delivers it, while what runs cannot be undone."""

    def __init__(self) -> None:
        self._handler: Any = None
        self._caught: tuple[int, FrameType | None] | None = None

    def __enter__(self) -> None:
        if threading.get_ident() == _MAIN:
            handler = getsignal(SIGINT)
            if callable(handler):
                self._handler = handler
                signal(SIGINT, self._note)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self._caught = number, frame

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        if self._handler is not None:
            signal(SIGINT, self._handler)
            if self._caught is not None:
                self._handler(*self._caught)
