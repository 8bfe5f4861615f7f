"""Every flag of lazymlir, declared once.

A flag is the environment variable `LAZYMLIR_<NAME>`, read at first use, and the attribute `config.<name>`:

>>> from lazymlir.config import config
>>> config.set(max_trace=500)
>>> config.max_trace
500
>>> with config(max_trace=100, fallback="error"):
...     config.max_trace
100
>>> config.reset()

Values hold for the whole process, in a `with` block too. Reading one costs an attribute access.
"""

from __future__ import annotations

import difflib
import os
import sys
import threading
import types
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from .errors import ConfigError

__all__ = ["FLAGS", "LOG_TOPICS", "Config", "Flag", "config"]

LOG_TOPICS = ("recompiles", "fallbacks", "syncs", "passes", "cache", "steady")


@dataclass(frozen=True)
class Flag:
    """`accepts` says in words what `read` takes; `read` raises ValueError or TypeError for anything else.

    `in_cache_key`: whether a compiled program depends on the value, so that another value must not find it. `at_import`: it is
    read when lazymlir is imported, and cannot be set later.
    """

    name: str
    default: Any
    accepts: str
    help: str
    read: Callable[[Any], Any]
    in_cache_key: bool = False
    at_import: bool = False

    @property
    def variable(self) -> str:
        return f"LAZYMLIR_{self.name.upper()}"

    def check(self, value: Any, written: str) -> Any:
        """The value as it is kept; ConfigError, which shows it as `written`, where the flag does not accept it."""
        try:
            return self.read(value)
        except (ValueError, TypeError):
            raise ConfigError(f"{written} is not accepted: {self.variable} takes {self.accepts}") from None


def _choice(*choices: str) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        text = str(value).strip().lower()
        if text not in choices:
            raise ValueError(text)
        return text

    return read


def _integer(low: int, high: int | None = None) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        if isinstance(value, bool | float):
            raise TypeError(value)
        number = int(value)
        if number < low or (high is not None and number > high):
            raise ValueError(number)
        return number

    return read


def _boolean(value: Any) -> bool:
    text = str(value).strip().lower()
    if text not in ("0", "1", "false", "true", "no", "yes", "off", "on"):
        raise ValueError(text)
    return text in ("1", "true", "yes", "on")


def _topics(value: Any) -> tuple[str, ...]:
    """From `recompiles,syncs` or a sequence; `all` stands for every topic."""
    items = value.split(",") if isinstance(value, str) else list(value)
    names = [item.strip().lower() for item in items if item.strip()]
    if "all" in names:
        return LOG_TOPICS
    if any(name not in LOG_TOPICS for name in names):
        raise ValueError(value)
    return tuple(topic for topic in LOG_TOPICS if topic in names)


def _text(value: Any) -> str:
    return os.fspath(value)


FLAGS: dict[str, Flag] = {
    flag.name: flag
    for flag in (
        Flag("platform", "", "cpu, cuda, tpu or nothing", "where programs run; nothing: what jax chooses", _choice("", "cpu", "cuda", "tpu"), True),
        Flag("cache_size", 1024, "a whole number of at least 1", "how many compiled programs are kept", _integer(1)),
        Flag("max_trace", 2000, "a whole number of at least 1", "a trace longer than this is cut and run", _integer(1)),
        Flag("fallback", "warn", "warn or error", "what an operation without lowering does, besides running on the CPU", _choice("warn", "error")),
        Flag("debug", 0, "a whole number from 0 to 5", "how much is logged: see lazymlir/logs.py", _integer(0, 5)),
        Flag("logs", (), f"a list of {', '.join(LOG_TOPICS)} or all, separated by commas", "topics logged in full", _topics),
        Flag("dump", "", "a folder, or nothing", "folder that the IR of each compiled graph is written to", _text),
        Flag(
            "interpret",
            True,
            "true or false",
            "interpret tiny programs of integers until they run often, instead of compiling them",
            _boolean,
        ),
        Flag("verify", False, "true or false", "verify the IR after each pass, and not only what XLA gets", _boolean),
        Flag(
            "reroll",
            "auto",
            "off, auto or always",
            "unrolled loops become loops again: never, where it pays, wherever it can be",
            _choice("off", "auto", "always"),
            True,
        ),
        Flag(
            "cpu_malloc",
            False,
            "true or false",
            "keep memory that programs have used for the next one (glibc; for the whole process; read at import)",
            _boolean,
            at_import=True,
        ),
        Flag(
            "cpu_library",
            True,
            "true or false",
            "on a CPU, contractions and convolutions are computed by torch's kernels, which XLA's programs call",
            _boolean,
            True,
        ),
        Flag("passes", "", "the text of a pipeline, or nothing", "passes to run instead of the standard pipeline", _text, True),
    )
}


class Config:
    """The values of all flags as attributes; `config(name=value)` is a context manager that sets some for a while.

    `cache_key` holds the values that compiled programs depend on.
    """

    # Values live in the instance's dictionary, where reading them costs nothing. `__getattr__` is called while it is
    # still empty, and reads the environment.

    def __init__(self) -> None:
        self.__dict__["_lock"] = threading.RLock()

    def set(self, **values: Any) -> None:
        """Sets flags; ConfigError, and nothing set, where a name or a value is wrong."""
        checked = {name: _flag(name).check(value, f"{name}={value!r}") for name, value in values.items()}
        with self._lock:
            self._load()
            for name, value in checked.items():
                if FLAGS[name].at_import and value != self.__dict__[name]:
                    raise ConfigError(f"{name} is read when lazymlir is imported: set {FLAGS[name].variable} in the environment before")
            self.__dict__.update(checked)
            self._update_key()

    def get(self) -> dict[str, Any]:
        """All values by name."""
        with self._lock:
            self._load()
            return {name: self.__dict__[name] for name in FLAGS}

    def reset(self) -> None:
        """Forgets what was set: the environment is read again at the next use."""
        with self._lock:
            for name in (*FLAGS, "cache_key"):
                self.__dict__.pop(name, None)

    @contextmanager
    def __call__(self, **values: Any) -> Iterator[Config]:
        before = self.get()
        self.set(**values)
        try:
            yield self
        finally:
            self.set(**{name: before[name] for name in values})

    def __getattr__(self, name: str) -> Any:
        if name not in FLAGS and name != "cache_key":
            raise AttributeError(f"lazymlir has no flag {name!r}{_suggestion(name, FLAGS)}")
        with self._lock:
            self._load()
        return self.__dict__[name]

    def __setattr__(self, name: str, value: Any) -> None:
        self.set(**{name: value})

    def __repr__(self) -> str:
        return f"config({', '.join(f'{name}={value!r}' for name, value in self.get().items())})"

    def _load(self) -> None:
        if "cache_key" in self.__dict__:
            return
        values = {flag.name: _from_environment(flag) for flag in FLAGS.values()}
        self.__dict__.update(values)
        self._update_key()
        _warn_of_unknown()

    def _update_key(self) -> None:
        self.__dict__["cache_key"] = tuple(self.__dict__[flag.name] for flag in FLAGS.values() if flag.in_cache_key)


def _flag(name: str) -> Flag:
    if name not in FLAGS:
        raise ConfigError(f"lazymlir has no flag {name!r}{_suggestion(name, FLAGS) or '; it has ' + ', '.join(FLAGS)}")
    return FLAGS[name]


def _from_environment(flag: Flag) -> Any:
    text = os.environ.get(flag.variable)
    return flag.default if text is None else flag.check(text, f"{flag.variable}={text!r}")


_warned_of: set[str] = set()


def _warn_of_unknown() -> None:
    known = [flag.variable for flag in FLAGS.values()]
    for name in sorted(os.environ):
        if name.startswith("LAZYMLIR_") and name not in known and name not in _warned_of:
            _warned_of.add(name)
            warnings.warn(f"the environment variable {name} is no flag of lazymlir{_suggestion(name, known)}", stacklevel=2)


def _suggestion(name: str, known: Any) -> str:
    near = difflib.get_close_matches(name, known, 1)
    return f"; did you mean {near[0]}?" if near else ""


config = Config()


class _Module(types.ModuleType):
    """`lazymlir.config` is this module once anything has imported it: it answers as the object does."""

    def __getattr__(self, name: str) -> Any:
        return getattr(config, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in FLAGS:
            config.set(**{name: value})
        else:
            super().__setattr__(name, value)

    def __call__(self, **values: Any) -> Any:
        return config(**values)


sys.modules[__name__].__class__ = _Module
