"""What recording an operation costs in time and memory, by the length of the trace.

Nothing of a long trace is compiled: its last result is dropped, so that a barrier finds nothing wanted and forgets it.
"""

from __future__ import annotations

import gc
import time

from benchmarks.columns import backend
from benchmarks.worker import resident
from benchmarks.workload import Prepared, Workload, at

from .record import SIZE, scalar

__all__ = ["LENGTHS", "WORKLOADS"]

LENGTHS = (100, 1_000, 10_000, 100_000)


def _prepare(column: str, tiny: bool, length: int) -> Prepared:
    import torch

    on = backend(column)
    length = min(length, 50) if tiny else length
    x = torch.rand(SIZE, SIZE).to(on.device)
    on.barrier()
    on.wait()

    def record(n: int) -> tuple[float, float]:
        """Seconds and bytes per operation."""
        gc.collect()
        before, started = resident(), time.perf_counter()
        result = scalar(x, x, n)
        seconds = time.perf_counter() - started
        grown = (resident() - before) * 2**20
        del result
        on.wait()
        return seconds / n, grown / n

    for _ in range(1 if tiny else 3):
        record(min(length, 100))
    bytes_each = record(length)[1]
    return Prepared(lambda: record(length)[0], facts={"bytes_per_op": bytes_each} if length >= 10_000 else {})


WORKLOADS = tuple(
    Workload(
        f"length-{length}",
        f"x = x * 1.0001, {length:,} times",
        "trace length",
        ("lazymlir", "eager", "xla"),
        at(_prepare, length),
        unit="us",
        environment={"LAZYMLIR_MAX_TRACE": "1000000"},
    )
    for length in LENGTHS
)
