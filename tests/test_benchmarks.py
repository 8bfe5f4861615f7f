"""The benchmarks run, compute the same on every column, and write what they found. Nothing here is timed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import lazymlir
from benchmarks.bars import BARS, judge
from benchmarks.columns import COLUMNS, why_not
from benchmarks.harness import Result, Results, losses_differ
from benchmarks.table import markdown, to_json
from benchmarks.workload import Workload
from benchmarks.workloads import WORKLOADS
from benchmarks.workloads.training import until_steady

HERE = [column for column in ("lazymlir", "steady", "eager", "jax") if why_not(column, None) is None]


def tiny(workload: Workload) -> list[Result]:
    """The workload on every column that runs in this process, at its smallest."""
    results = []
    for column in HERE:
        if column in workload.columns:
            prepared = workload.prepare(column, True)
            found = prepared.sample()
            samples = found if isinstance(found, dict) else {"seconds": found}
            assert all(seconds > 0 for seconds in samples.values())
            results.append(Result(workload.name, column, {name: [value] for name, value in samples.items()}, prepared.losses, prepared.facts))
    lazymlir.sync(wait=True)
    return results


SAME_WHEN_TINY = [name for name in WORKLOADS if name.startswith(("length-", "barrier-1")) and name not in ("length-100", "barrier-10")]


@pytest.mark.parametrize("name", [name for name in WORKLOADS if name not in (*SAME_WHEN_TINY, "import")])
def test_a_workload_computes_the_same_on_every_column(name: str) -> None:
    results = tiny(WORKLOADS[name])
    assert losses_differ(results, WORKLOADS[name].tolerance) is None
    if WORKLOADS[name].kind == "step":
        assert all(result.losses for result in results)


def test_different_losses_are_told() -> None:
    results = [Result("w", "eager", losses=[1.0, 0.5]), Result("w", "jax", losses=[1.0, 0.51])]
    assert "w: the losses on jax" in (losses_differ(results, 1e-3) or "")


def test_steady_state_begins_with_the_first_step_of_the_usual_speed() -> None:
    assert until_steady([3.0, 2.0, 0.1, 0.1, 0.11, 0.1, 0.1]) == 5.0


def measured() -> Results:
    """Two rounds of everything, PyTorch/XLA missing; lazymlir takes half of what the others do."""
    results = Results()
    for workload in WORKLOADS.values():
        for column in workload.columns:
            seconds = [1e-3, 3e-3] if column == "lazymlir" else [2e-3, 6e-3]
            samples = {"seconds": seconds, "add": [1e-3, 3e-3], "client": [1e-5, 1e-5]}
            facts = {"first_step": 1.5, "peak_mb": 300.0, "imported_mb": 100.0, "bytes_per_op": 500.0}
            result = Result(workload.name, column, samples, [0.5], facts)
            results[workload.name, column] = result if column != "xla" else Result(workload.name, column, missing="it is not here")
    return results


def test_ratios_are_taken_round_by_round() -> None:
    results = Results({("w", "lazymlir"): Result("w", "lazymlir", {"seconds": [1, 9]}), ("w", "jax"): Result("w", "jax", {"seconds": [2, 3]})})
    assert results.ratio("w", "lazymlir", "jax") == (0.5 + 3.0) / 2
    assert results.ratio("w", "lazymlir", "jax", best=True) == 0.5
    assert results.ratio("w", "lazymlir", "eager") is None


def test_the_table_shows_ratios_bars_and_what_is_missing() -> None:
    results, workloads = measured(), list(WORKLOADS.values())
    page = markdown(workloads, results, judge(results), {"rounds": 2, "cores": 2})
    assert "| **0.50** (0.50) |" in page
    assert "| MLP recorded / jax.jit | 0.50 | <= 1.5 | met |" in page
    assert "| record a chain / PyTorch/XLA's record | - | <= 0.6 | not measured |" in page
    assert "* PyTorch/XLA, mlp: it is not here" in page
    assert all(len(set(map(len_of_row, part.splitlines()))) == 1 for part in page.split("\n\n") if part.startswith("|"))


def len_of_row(line: str) -> int:
    return line.count("|")


def test_the_json_has_every_sample() -> None:
    results, workloads = measured(), list(WORKLOADS.values())
    found = json.loads(to_json(workloads, results, judge(results), {"rounds": 2}))
    (mlp,) = (entry for entry in found["results"] if (entry["workload"], entry["column"]) == ("mlp", "jax"))
    assert mlp["samples"]["seconds"] == {"median": 4e-3, "best": 2e-3, "all": [2e-3, 6e-3]}
    assert len(found["bars"]) == len(BARS)


def test_a_bar_names_workloads_that_there_are() -> None:
    assert all(bar.measured is not None or "XLA" in bar.title for bar in judge(measured()))


def test_the_picture_is_drawn_without_a_display(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="an extra of the benchmarks")
    from benchmarks.plot import plot

    plot(list(WORKLOADS.values()), measured(), tmp_path / "picture.svg")
    assert "<svg" in (tmp_path / "picture.svg").read_text()


def test_a_column_of_a_workload_exists() -> None:
    assert {column for workload in WORKLOADS.values() for column in workload.columns} <= set(COLUMNS)
