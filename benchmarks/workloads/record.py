"""What recording an operation costs: a thousand of one kind, with no barrier inside the timed part.

Eager executes them instead: the time of its own operation, and of adding two tensors, is what the recorder is held against.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING, Any

from benchmarks.columns import backend
from benchmarks.workload import Prepared, Workload, at

if TYPE_CHECKING:
    import torch

__all__ = ["WORKLOADS"]

SIZE = 16
WARM = 5
"""A recorder may predict what has repeated so often."""

REPEATED = 3
"""A sample is the best of so many: they last a millisecond, which the system may take for something else."""

_numbers = count(1)

Chain = Callable[[Any, Any, int], Any]
"""From x (SIZE x SIZE), y like it and a number of operations to the last result."""


def scalar(x: torch.Tensor, y: torch.Tensor, n: int) -> torch.Tensor:
    for _ in range(n):
        x = x * 1.0001
    return x


def tensors(x: torch.Tensor, y: torch.Tensor, n: int) -> torch.Tensor:
    for _ in range(n):
        x = x + y
    return x


def in_place(x: torch.Tensor, y: torch.Tensor, n: int) -> torch.Tensor:
    x = x.clone()
    for _ in range(n):
        x.add_(y)
    return x


def on_view(x: torch.Tensor, y: torch.Tensor, n: int) -> torch.Tensor:
    x, y = x.clone(), y[0].clone()
    view = x[2]
    for _ in range(n):
        view.add_(y)
    return x


def layer_norm(x: torch.Tensor, y: torch.Tensor, n: int) -> torch.Tensor:
    from torch.nn.functional import layer_norm

    # Not a chain: XLA would compile two hundred layers in a row for minutes.
    result, weight, bias, shape = x, y[0], y[1], (SIZE,)
    for _ in range(n):
        result = layer_norm(x, shape, weight, bias)
    return result


def new_scalar(x: torch.Tensor, y: torch.Tensor, n: int) -> torch.Tensor:
    for _, number in zip(range(n), _numbers, strict=False):
        x = x * (1.0 + number * 1e-9)
    return x


def _prepare(column: str, tiny: bool, chain: Chain, operations: int, grad: bool) -> Prepared:
    import torch

    on = backend(column)
    operations = 5 if tiny else operations
    torch.manual_seed(0)
    x, y = (torch.rand(SIZE, SIZE).to(on.device) / 1e3 for _ in range(2))
    on.barrier()
    on.wait()
    if grad:
        x = x.detach().requires_grad_()

    def seconds(chain: Chain) -> tuple[float, torch.Tensor]:
        started = time.perf_counter()
        result = chain(x, y, operations)
        taken = (time.perf_counter() - started) / operations
        on.wait()
        return taken, result

    last = [float(seconds(chain)[1].detach().sum().cpu()) for _ in range(1 if tiny else WARM)]

    def sample() -> dict[str, float]:
        found = {"seconds": min(seconds(chain)[0] for _ in range(REPEATED))}
        if column == "eager":
            found["add"] = min(seconds(tensors)[0] for _ in range(REPEATED))
        return found

    return Prepared(sample, [] if chain is new_scalar else last[:1])


_COLUMNS = ("lazymlir", "eager", "xla")
_LONG = {"LAZYMLIR_MAX_TRACE": "100000"}


def _workload(name: str, title: str, chain: Chain, operations: int = 1000, grad: bool = False) -> Workload:
    return Workload(
        f"record-{name}", title, "record", _COLUMNS, at(_prepare, chain, operations, grad), unit="us", processes="record", environment=_LONG
    )


WORKLOADS = (
    _workload("scalar", "x = x * 1.0001", scalar),
    _workload("scalar-grad", "x = x * 1.0001, requires_grad", scalar, grad=True),
    _workload("add", "x = x + y", tensors),
    _workload("in-place", "x.add_(y)", in_place),
    _workload("view", "x[2].add_(y), one view", on_view, operations=200),
    _workload("layer-norm", "layer_norm", layer_norm),
    _workload("new-scalar", "x = x * (a new number)", new_scalar),
)
