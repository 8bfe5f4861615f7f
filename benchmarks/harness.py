"""Runs workloads, the columns taking turns: A B C, B C A, C A B ... Each column of a workload is a process of its own."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from statistics import median
from typing import Any

from .columns import interpreter, why_not
from .workload import Workload

__all__ = ["Result", "Results", "environment", "losses_differ", "run"]

CHECKOUT = Path(__file__).resolve().parent.parent


@dataclass
class Result:
    """One workload on one column: samples in seconds per unit, by name (`seconds` is the main one), or why there are none."""

    workload: str
    column: str
    samples: dict[str, list[float]] = field(default_factory=dict)
    losses: list[float] = field(default_factory=list)
    facts: dict[str, float] = field(default_factory=dict)
    missing: str | None = None

    def best(self, name: str = "seconds") -> float | None:
        return min(self.samples[name]) if self.samples.get(name) else None

    def median(self, name: str = "seconds") -> float | None:
        return median(self.samples[name]) if self.samples.get(name) else None


class Results(dict[tuple[str, str], Result]):
    """Results by workload and column."""

    def ratio(self, workload: str, column: str, against: str, name: str = "seconds", best: bool = False) -> float | None:
        """How many times as long as `against`, whose sample is the one called `name`: the median of the ratios of each round,
        or the ratio of the best."""
        one, other = self.get((workload, column)), self.get((workload, against))
        if one is None or other is None or not one.samples.get("seconds") or not other.samples.get(name):
            return None
        mine, others = one.samples["seconds"], other.samples[name]
        if best or len(mine) != len(others):
            return min(mine) / min(others)
        return median(x / y for x, y in zip(mine, others, strict=True))


class WorkerError(RuntimeError):
    """A column could not do what it was asked to."""


_XLA = {"PJRT_DEVICE": "CPU", "TORCH_DEVICE_BACKEND_AUTOLOAD": "0"}  # its torch must not load the lazymlir of the checkout


class Worker:
    """A process that runs one column."""

    def __init__(self, column: str, peers: str | None, environment: dict[str, str]) -> None:
        self.said = tempfile.TemporaryFile("w+")  # noqa: SIM115  (closed in `end`)
        self.process = subprocess.Popen(
            [interpreter(column, peers), "-m", "benchmarks.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.said,
            text=True,
            cwd=CHECKOUT,
            env=os.environ | {"PYTHONPATH": str(CHECKOUT), **(_XLA if column == "xla" else {}), **environment},
        )
        self.broken: str | None = None

    def ask(self, **request: Any) -> dict[str, Any]:
        """The worker's answer; WorkerError where it failed or has ended."""
        if self.broken:
            raise WorkerError(self.broken)
        assert self.process.stdin is not None and self.process.stdout is not None
        try:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            status = self.process.wait()
            self.said.seek(0)
            last = (self.said.read().strip().splitlines() or [""])[-1]
            self.broken = f"its process ended with status {status}: {last}"
            raise WorkerError(self.broken)
        answer = json.loads(line)
        if "failed" in answer:
            raise WorkerError(answer["failed"])
        return answer

    def end(self) -> None:
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()
        self.process.wait()
        self.said.close()


def losses_differ(results: Iterable[Result], tolerance: float) -> str | None:
    """What is wrong where the losses of two columns are not equal."""
    first: Result | None = None
    for result in results:
        if not result.losses:
            continue
        first = first or result
        if len(result.losses) != len(first.losses) or not all(
            math.isclose(x, y, rel_tol=tolerance, abs_tol=tolerance * 1e-3) for x, y in zip(result.losses, first.losses, strict=True)
        ):
            return f"{result.workload}: the losses on {result.column}, {result.losses}, are not those on {first.column}, {first.losses}"
    return None


def run(workloads: Sequence[Workload], columns: Sequence[str], rounds: int, peers: str | None, tell: Callable[[str], None]) -> Iterator[Results]:
    """Every workload on every column that it has: all results so far, each time that there are more. `tell` hears how it goes."""
    results = Results()
    for _, group in groupby(workloads, key=lambda workload: workload.processes or workload.name):
        _run_group(list(group), columns, rounds, peers, tell, results)
        yield results


def _run_group(
    group: Sequence[Workload], columns: Sequence[str], rounds: int, peers: str | None, tell: Callable[[str], None], results: Results
) -> None:
    workers: dict[str, Worker] = {}
    try:
        for workload in group:
            for column in columns:
                if column in workload.columns:
                    results[workload.name, column] = _prepare(workload, column, peers, workers)
            found = [results[workload.name, column] for column in columns if (workload.name, column) in results]
            tell(f"{workload.name}: prepared " + ", ".join(r.column if r.missing is None else f"({r.column}: {r.missing})" for r in found))
            wrong = losses_differ(found, workload.tolerance)
            if wrong is not None:
                raise SystemExit(wrong)
        for number in range(rounds):
            for workload in group:
                turns = [column for column in columns if (workload.name, column) in results]
                for column in turns[number % len(turns) :] + turns[: number % len(turns)]:
                    _sample(results[workload.name, column], workers)
        for column, worker in workers.items():
            _finish(worker, [results[workload.name, column] for workload in group if (workload.name, column) in results])
    finally:
        for worker in workers.values():
            worker.end()


def _prepare(workload: Workload, column: str, peers: str | None, workers: dict[str, Worker]) -> Result:
    result = Result(workload.name, column, missing=why_not(column, peers))
    if result.missing is None:
        if column not in workers:
            workers[column] = Worker(column, peers, workload.environment)
        try:
            answer = workers[column].ask(prepare=workload.name, column=column, tiny=False)
            result.losses, result.facts = answer["losses"], answer["facts"]
        except WorkerError as error:
            result.missing = str(error)
    return result


def _sample(result: Result, workers: dict[str, Worker]) -> None:
    if result.missing is not None:
        return
    try:
        for name, seconds in workers[result.column].ask(sample=result.workload).items():
            result.samples.setdefault(name, []).append(seconds)
    except WorkerError as error:
        result.missing = str(error)


def _finish(worker: Worker, results: Sequence[Result]) -> None:
    try:
        memory = worker.ask(finish=True)
    except WorkerError:
        return
    for result in results:
        result.facts |= memory


def environment(peers: str | None) -> dict[str, Any]:
    """What was measured: versions, and how many cores there are."""
    from importlib.metadata import version

    names = ("torch", "jax", "jaxlib", "numpy", "transformers")
    found: dict[str, Any] = {"python": sys.version.split()[0], "cores": os.cpu_count(), **{name: version(name) for name in names}}
    if peers is not None:
        program = "from importlib.metadata import version; print(version('torch_xla'), 'with torch', version('torch'))"
        done = subprocess.run([peers, "-c", program], capture_output=True, text=True, check=False)
        found["torch_xla"] = done.stdout.strip()
    return found
