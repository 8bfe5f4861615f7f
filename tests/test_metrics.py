"""Counters and timers behave as PyTorch/XLA's."""

from __future__ import annotations

import gc
import itertools
import threading
import time

import pytest

from lazymlir import metrics


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts of its own for each test."""
    monkeypatch.setattr(metrics, "_counters", {})
    monkeypatch.setattr(metrics, "_timers", {})


def test_a_counter_counts() -> None:
    assert metrics.counter_value("MarkStep") is None
    assert metrics.counter_names() == []
    metrics.count("MarkStep")
    metrics.count("MarkStep", 2)
    metrics.count("CachedCompile", 0)
    assert metrics.counter_value("MarkStep") == 3
    assert metrics.counter_names() == ["CachedCompile", "MarkStep"]


def test_a_timer_keeps_number_sum_and_samples() -> None:
    assert metrics.metric_data("CompileTime") is None
    before = time.time()
    metrics.record_time("CompileTime", 0.5)
    metrics.record_time("CompileTime", 0.25)
    data = metrics.metric_data("CompileTime")
    assert data is not None
    count, total, samples = data
    assert (count, total, [value for _, value in samples]) == (2, 0.75, [0.5, 0.25])
    assert all(before <= at <= time.time() for at, _ in samples)
    assert metrics.metric_names() == ["CompileTime"]


def test_a_timer_keeps_the_latest_samples_only() -> None:
    for number in range(metrics.SAMPLES_KEPT + 5):
        metrics.record_time("ExecuteTime", float(number))
    data = metrics.metric_data("ExecuteTime")
    assert data is not None
    assert data[0] == metrics.SAMPLES_KEPT + 5
    assert [len(data[2]), data[2][0][1]] == [metrics.SAMPLES_KEPT, 5.0]


def test_a_block_is_timed_even_if_it_raises() -> None:
    with metrics.timer("ExecuteTime"):
        time.sleep(0.01)
    with pytest.raises(KeyError), metrics.timer("ExecuteTime"):
        raise KeyError
    data = metrics.metric_data("ExecuteTime")
    assert data is not None
    assert data[0] == 2
    assert 0.01 <= data[1] < 5


def test_fallbacks_are_the_counters_of_aten_operations() -> None:
    for name in ("aten::_linalg_eigh", "MarkStep", "aten::nonzero"):
        metrics.count(name)
    assert metrics.executed_fallback_ops() == ["aten::_linalg_eigh", "aten::nonzero"]


def test_clear_all_forgets_everything() -> None:
    metrics.count("MarkStep")
    metrics.record_time("CompileTime", 1.0)
    metrics.clear_all()
    assert (metrics.counter_names(), metrics.metric_names(), metrics.metrics_report()) == ([], [], "")


def test_the_reports_show_names_numbers_and_durations() -> None:
    metrics.count("UncachedCompile", 2)
    for seconds in (1.5, 0.002, 0.00003):
        metrics.record_time("CompileTime", seconds)
    assert metrics.short_metrics_report() == "CompileTime: 3 in 1.502s\nUncachedCompile: 2"
    assert metrics.metrics_report().splitlines() == [
        "Metric: CompileTime",
        "  TotalSamples: 3",
        "  Accumulator: 1.502s",
        "  Percentiles: 1%=30us; 10%=30us; 50%=2ms; 90%=1.5s; 99%=1.5s",
        "Counter: UncachedCompile",
        "  Value: 2",
    ]


def test_threads_may_count_at_the_same_time() -> None:
    def work() -> None:
        for number in range(1000):
            metrics.count(f"counter {number}")
            metrics.record_time(f"timer {number}", 1.0)
            metrics.metrics_report() if number % 250 == 0 else None

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(metrics.counter_names()) == len(metrics.metric_names()) == 1000


def test_a_report_bears_counts_made_while_it_is_written() -> None:
    def another(*_: object) -> None:
        metrics.count(f"from collection {next(collections)}")

    collections = itertools.count()
    for number in range(10_000):
        metrics.count(f"counter {number}")
    thresholds = gc.get_threshold()
    gc.callbacks.append(another)
    gc.set_threshold(1)
    try:
        assert "counter 9999" in metrics.metrics_report() and "counter 9999" in metrics.short_metrics_report()
    finally:
        gc.set_threshold(*thresholds)
        gc.callbacks.remove(another)
    assert len(metrics.counter_names()) > 10_000
