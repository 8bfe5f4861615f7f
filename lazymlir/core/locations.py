"""Where in the user's program an operation was recorded."""

from __future__ import annotations

import sys
import threading
from types import CodeType, FrameType
from typing import NamedTuple

__all__ = ["Location", "add_internal_folder", "describe", "here", "resolve"]

Location = tuple[CodeType, int] | None
"""A code object and an instruction in it: cheap to take, resolved to a line only when asked for."""


class Place(NamedTuple):
    """A line of a file; line 0 where nothing is known."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.line else "an unknown line"


_internal_folders: list[str] = []
_internal: dict[str, bool] = {}


def add_internal_folder(folder: str) -> None:
    """Frames of files below `folder` are never the user's."""
    _internal_folders.append(folder)
    _internal.clear()


def _is_internal(filename: str) -> bool:
    known = _internal.get(filename)
    if known is None:
        known = _internal[filename] = filename.startswith("<") or any(filename.startswith(folder) for folder in _internal_folders)
    return known


def here(thread: int | None = None) -> Location:
    """The innermost frame of the user's program, on this thread or, if it works for another, on `thread`."""
    found = _innermost(sys._getframe(1))
    if found is None and thread is not None and thread != threading.get_ident():
        found = _innermost(sys._current_frames().get(thread))
    return found


def _innermost(frame: FrameType | None) -> Location:
    internal = _internal
    while frame is not None:
        code = frame.f_code
        filename = code.co_filename
        known = internal.get(filename)
        if known is None:
            known = _is_internal(filename)
        if not known:
            return code, frame.f_lasti
        frame = frame.f_back
    return None


def resolve(location: Location) -> Place:
    """File and line."""
    if location is None:
        return Place("unknown", 0)
    code, instruction = location
    line = code.co_firstlineno
    for start, end, at in code.co_lines():
        if start <= instruction < end and at is not None:
            line = at
            break
    return Place(code.co_filename, line)


def describe(location: Location) -> str:
    return str(resolve(location))
