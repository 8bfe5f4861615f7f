"""What a barrier costs whose program is there already, by the length of the trace; and what the client takes of it.

The program is one addition; the other operations of the trace are recorded and dropped, unless all results are kept.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import TYPE_CHECKING, Any

from benchmarks.columns import backend
from benchmarks.workload import Prepared, Workload, at

if TYPE_CHECKING:
    import torch

__all__ = ["LENGTHS", "WORKLOADS"]

LENGTHS = (1, 10, 100, 1_000, 5_000)
SIZE = 16
KEPT = 100


def _dead(x: torch.Tensor, n: int) -> list[torch.Tensor]:
    kept = x + 1.5
    for _ in range(n - 1):
        x = x * 1.0001
    return [kept]


def _kept(x: torch.Tensor, n: int) -> list[torch.Tensor]:
    return [x + 1.5 for _ in range(n)]


def _prepare(column: str, tiny: bool, length: int, record: Callable[[torch.Tensor, int], list[torch.Tensor]]) -> Prepared:
    import torch

    on = backend(column)
    length, times = (min(length, 5), 1) if tiny else (length, max(5, min(50, 20_000 // length)))
    x = torch.ones(SIZE, SIZE).to(on.device)
    on.barrier()
    on.wait()
    sync = _sync(column)

    def once() -> tuple[float, list[torch.Tensor]]:
        results = record(x, length)
        started = time.perf_counter()
        sync()
        taken = time.perf_counter() - started
        on.wait()
        return taken, results

    results = [once()[1] for _ in range(5)][-1]
    client = _client(length if record is _kept else 1) if column == "lazymlir" else None

    def sample() -> dict[str, float]:
        found = {"seconds": median(once()[0] for _ in range(times))}
        if client is not None:
            found["client"] = median(client() for _ in range(times))
        return found

    return Prepared(sample, [float(results[-1].sum().cpu())])


def _sync(column: str) -> Callable[[], object]:
    if column == "lazymlir":
        import lazymlir

        return lazymlir.sync
    return backend(column).barrier


def _client(results: int) -> Callable[[], float]:
    """Seconds that jaxlib's client takes to start a program of one argument and so many results."""
    import numpy as np

    from lazymlir.runtime.client import client

    type_ = f"tensor<{SIZE}x{SIZE}xf32>"
    types, names = ", ".join([type_] * results), ", ".join(f"%{number}" for number in range(results))
    body = "\n".join(f"%{number} = stablehlo.add %x, %x : {type_}" for number in range(results))
    program = client().compile(f"func.func public @main(%x: {type_}) -> ({types}) {{\n{body}\nreturn {names} : {types}\n}}")
    handlers: list[Any] = []
    argument = client().put(np.ones((SIZE, SIZE), np.float32))

    def once() -> float:
        started = time.perf_counter()
        arrays = client().execute(program, [argument], results, handlers)
        taken = time.perf_counter() - started
        arrays[0].block_until_ready()
        return taken

    return once


def _workload(name: str, title: str, length: int, record: Callable[[torch.Tensor, int], list[torch.Tensor]]) -> Workload:
    return Workload(
        f"barrier-{name}",
        title,
        "barrier",
        ("lazymlir", "xla"),
        at(_prepare, length, record),
        unit="us",
        processes="barrier",
        environment={"LAZYMLIR_MAX_TRACE": "100000"},
    )


WORKLOADS = (
    *(_workload(str(length), f"{length:,} recorded, 1 result", length, _dead) for length in LENGTHS),
    _workload("kept", f"{KEPT} recorded, {KEPT} results", KEPT, _kept),
)
