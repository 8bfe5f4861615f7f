"""The exceptions of lazymlir's own making; shape, dtype and device mistakes raise torch's."""

from __future__ import annotations

import copy

__all__ = ["CompileError", "ConfigError", "ControlFlowError", "FallbackError", "LazymlirError", "OutOfMemoryError", "SteadyError", "fresh"]


class LazymlirError(Exception):
    """Base of every exception that lazymlir defines."""


class ConfigError(LazymlirError, ValueError):
    """A flag has an unknown name or a value that it does not accept; names both, and what it accepts."""


class CompileError(LazymlirError, RuntimeError):
    """A graph could not be made into a program; names the user's line and the file that the module was written to."""


class FallbackError(LazymlirError, RuntimeError):
    """An operation has no lowering, and `LAZYMLIR_FALLBACK=error` forbids to run it on the CPU instead."""


class ControlFlowError(LazymlirError, RuntimeError):
    """A function given to `lazymlir.cond` or `while_loop` does what cannot be part of a program; names the user's line."""


class OutOfMemoryError(LazymlirError, RuntimeError, MemoryError):
    """A program needs more memory than the device has. It was not started: no buffer lost its value."""


class SteadyError(LazymlirError, RuntimeError):
    """A function given to `lazymlir.steady` cannot be replayed without its Python; names the user's line."""


def fresh(error: BaseException) -> BaseException:
    """A copy of an error, to raise where it is kept: raising gives an exception a traceback, whose frames would keep alive
    what keeps the error; and to add notes to, which a plain copy would share."""
    made = copy.copy(error)
    made.__cause__ = error.__cause__
    if hasattr(error, "__notes__"):
        made.__notes__ = list(error.__notes__)
    return made
