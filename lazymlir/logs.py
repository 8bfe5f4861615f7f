"""What lazymlir tells about its work, through the standard library's logging, to stderr.

`LAZYMLIR_LOGS=recompiles,syncs` shows everything about these topics; `LAZYMLIR_DEBUG` shows all topics up to a level:

    1  one line for each compilation, run and fallback
    2  the same with the user's line and timing
    3  the IR as it was recorded
    4  the IR after each pass
    5  StableHLO and HLO

The logger of a topic is `lazymlir.<topic>`; a program that wants the messages elsewhere gives the logger `lazymlir` a
handler of its own.
"""

from __future__ import annotations

import logging
import sys
from typing import Any

from .config import config

__all__ = ["enabled", "log"]


class _ToStderr(logging.StreamHandler[Any]):
    """Writes to what `sys.stderr` is at the time."""

    def __init__(self) -> None:
        logging.Handler.__init__(self)

    @property
    def stream(self) -> Any:
        return sys.stderr


_root = logging.getLogger("lazymlir")
_root.setLevel(logging.DEBUG)
_root.propagate = False
if not _root.handlers:
    _handler = _ToStderr()
    _handler.setFormatter(logging.Formatter("%(name)s: %(message)s"))
    _root.addHandler(_handler)


def enabled(topic: str, level: int) -> bool:
    """Whether a message would be shown; ask before making an expensive one."""
    return level <= config.debug or topic in config.logs


def log(topic: str, level: int, message: str, *args: Any) -> None:
    """Logs `message % args` about a topic (see LOG_TOPICS) at a level from 1 to 5; level 0 is a warning, always shown."""
    if enabled(topic, level):
        severity = logging.WARNING if level == 0 else logging.INFO if level <= 2 else logging.DEBUG
        logging.getLogger(f"lazymlir.{topic}").log(severity, message, *args)
