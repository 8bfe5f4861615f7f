"""Counters and timers, with PyTorch/XLA's names and functions.

>>> from lazymlir import metrics
>>> metrics.clear_all()
>>> metrics.count("MarkStep")
>>> metrics.counter_value("MarkStep"), metrics.counter_value("UncachedCompile")
(1, None)
>>> metrics.record_time("CompileTime", 0.25)
>>> metrics.metric_data("CompileTime")[:2]
(1, 0.25)
>>> print(metrics.short_metrics_report())
CompileTime: 1 in 250ms
MarkStep: 1
>>> metrics.clear_all()

Counts made by several threads at the same instant may miss one; nothing else can go wrong.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = [
    "clear_all",
    "count",
    "counter_names",
    "counter_value",
    "executed_fallback_ops",
    "metric_data",
    "metric_names",
    "metrics_report",
    "record_time",
    "short_metrics_report",
    "timer",
]

SAMPLES_KEPT = 1024
"""How many of the latest samples of a timer are kept."""

FALLBACK_PREFIX = "aten::"
"""The counter of an operation that ran on the CPU is its ATen name."""


class _Timer:
    __slots__ = ("count", "samples", "total")

    def __init__(self) -> None:
        self.count = 0
        self.total = 0.0
        self.samples: deque[tuple[float, float]] = deque(maxlen=SAMPLES_KEPT)


_counters: dict[str, int] = {}
_timers: dict[str, _Timer] = {}


def count(name: str, n: int = 1) -> None:
    """Adds `n` to a counter."""
    _counters[name] = _counters.get(name, 0) + n


def record_time(name: str, seconds: float) -> None:
    """Adds a sample to a timer."""
    timer_ = _timers.get(name)
    if timer_ is None:
        timer_ = _timers.setdefault(name, _Timer())
    timer_.count += 1
    timer_.total += seconds
    timer_.samples.append((time.time(), seconds))


@contextmanager
def timer(name: str) -> Iterator[None]:
    """Times a block, also one that raises."""
    started = time.perf_counter()
    try:
        yield
    finally:
        record_time(name, time.perf_counter() - started)


def counter_names() -> list[str]:
    """The counters that have counted anything."""
    return sorted(_counters)


def counter_value(name: str) -> int | None:
    """What a counter stands at; None if it never counted."""
    return _counters.get(name)


def metric_names() -> list[str]:
    """The timers that have a sample."""
    return sorted(_timers)


def metric_data(name: str) -> tuple[int, float, list[tuple[float, float]]] | None:
    """Number of samples, their sum in seconds, and the latest ones as (time of day, seconds); None if there is none."""
    found = _timers.get(name)
    return (found.count, found.total, list(found.samples)) if found else None


def executed_fallback_ops() -> list[str]:
    """The ATen operations that ran on the CPU for want of a lowering."""
    return [name for name in counter_names() if name.startswith(FALLBACK_PREFIX)]


def clear_all() -> None:
    """Forgets all counts and samples."""
    _counters.clear()
    _timers.clear()


def short_metrics_report() -> str:
    """One line for each timer and counter."""
    lines = [f"{name}: {data[0]} in {_duration(data[1])}" for name, data in _all_data()]
    return "\n".join(lines + [f"{name}: {value}" for name, value in _all_counters()])


def metrics_report() -> str:
    """Everything, in PyTorch/XLA's form."""
    lines: list[str] = []
    for name, (number, total, samples) in _all_data():
        lines += [f"Metric: {name}", f"  TotalSamples: {number}", f"  Accumulator: {_duration(total)}", f"  Percentiles: {_percentiles(samples)}"]
    for name, value in _all_counters():
        lines += [f"Counter: {name}", f"  Value: {value}"]
    return "\n".join(lines)


def _all_counters() -> list[tuple[str, int]]:
    # of a copy, which is taken in one step: while pairs are made, a collection may run that lets other threads count
    return sorted(_counters.copy().items())


def _all_data() -> Iterator[tuple[str, tuple[int, float, list[tuple[float, float]]]]]:
    for name in metric_names():
        data = metric_data(name)
        if data:
            yield name, data


def _percentiles(samples: list[tuple[float, float]]) -> str:
    values = sorted(value for _, value in samples)
    return "; ".join(f"{percent}%={_duration(values[min(len(values) * percent // 100, len(values) - 1)])}" for percent in (1, 10, 50, 90, 99))


def _duration(seconds: float) -> str:
    """1.5 as `1.5s`, 0.25 as `250ms`, 0.00001 as `10us`: three digits."""
    if seconds >= 1:
        return f"{seconds:.4g}s"
    return f"{seconds * 1e3:.3g}ms" if seconds >= 1e-3 else f"{seconds * 1e6:.3g}us"
