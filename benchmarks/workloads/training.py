"""A training step, in PyTorch and in jax, from a workload's model; and how its first steps go."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import TYPE_CHECKING, Any, Protocol

from benchmarks.columns import TORCH, backend
from benchmarks.workload import Prepared

if TYPE_CHECKING:
    import torch

__all__ = ["Task", "prepare"]

WARM_STEPS = 12
COMPARED = 3
"""The losses of so many steps are compared."""

GROUP = 5
"""So many steps are timed as one, and waited for at the end."""


class Task(Protocol):
    """What to train, once in each language."""

    def torch_model(self) -> torch.nn.Module: ...

    def torch_optimizer(self, parameters: Any) -> torch.optim.Optimizer: ...

    def torch_loss(self, model: Any, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor: ...

    def data(self) -> tuple[torch.Tensor, torch.Tensor]: ...

    def jax_step(self, model: torch.nn.Module, x: torch.Tensor, y: torch.Tensor) -> Callable[[], Any]:
        """The same step in jax, from the initial values of the PyTorch model; returns the loss, and keeps its state."""
        ...


def prepare(column: str, task: Task, tiny: bool, group: int = GROUP, warm_steps: int = WARM_STEPS) -> Prepared:
    """The task's training step on a column; of a tiny one, as few steps as show that it runs."""
    import torch

    group, warm_steps = (1, 2) if tiny else (group, warm_steps)
    torch.manual_seed(0)
    model = task.torch_model()
    x, y = task.data()
    if column not in TORCH:
        step = task.jax_step(model, x, y)
        return timed(step, lambda loss: loss.block_until_ready(), group, warm_steps)
    on = backend(column)
    step = torch_step(task, model.to(on.device), x.to(on.device), y.to(on.device), on)
    return timed(step, lambda _: on.wait(), group, warm_steps)


def torch_step(task: Task, model: Any, x: Any, y: Any, on: Any) -> Callable[[], Any]:
    optimizer = task.torch_optimizer(model.parameters())
    called = on.model(model)

    def train(x: Any, y: Any) -> Any:
        loss = task.torch_loss(called, x, y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        return loss.detach()

    train = on.step(train)

    def step() -> Any:
        loss = train(x, y)
        on.barrier()
        return loss

    return step


def timed(step: Callable[[], Any], wait: Callable[[Any], Any], group: int, warm_steps: int) -> Prepared:
    """Runs the first steps, each waited for, and makes groups of steps ready to be timed."""
    losses, times = [], []
    for number in range(warm_steps):
        started = time.perf_counter()
        loss = step()
        wait(loss)
        times.append(time.perf_counter() - started)
        if number < COMPARED:
            losses.append(float(loss))

    def sample() -> float:
        started = time.perf_counter()
        for _ in range(group):
            loss = step()
        wait(loss)
        return (time.perf_counter() - started) / group

    return Prepared(sample, losses, {"first_step": times[0], "until_steady": until_steady(times)})


def until_steady(times: Sequence[float]) -> float:
    """Seconds until the first step that is about as fast as the last ones."""
    usual = median(times[-5:])
    first = next((place for place, seconds in enumerate(times) if seconds <= 1.25 * usual), len(times))
    return sum(times[:first])
