"""MLP 784-512-512-10, batch 64, Adam with default options, cross entropy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from benchmarks.workload import Prepared, Workload

from .training import prepare

__all__ = ["WORKLOADS"]


@dataclass(frozen=True)
class _Mlp:
    widths: tuple[int, ...] = (784, 512, 512, 10)
    batch: int = 64
    rate: float = 1e-3

    def torch_model(self) -> Any:
        from torch import nn

        layers: list[nn.Module] = []
        for before, after in zip(self.widths, self.widths[1:], strict=False):
            layers += [nn.Linear(before, after), nn.ReLU()]
        return nn.Sequential(*layers[:-1])

    def torch_optimizer(self, parameters: Any) -> Any:
        import torch

        return torch.optim.Adam(parameters, lr=self.rate)

    def torch_loss(self, model: Any, x: Any, y: Any) -> Any:
        import torch

        return torch.nn.functional.cross_entropy(model(x), y)

    def data(self) -> tuple[Any, Any]:
        import torch

        return torch.randn(self.batch, self.widths[0]), torch.randint(0, self.widths[-1], (self.batch,))

    def jax_step(self, model: Any, x: Any, y: Any) -> Callable[[], Any]:
        import jax

        from .in_jax import adam, as_jax, cross_entropy, linear, trained

        parameters = {name: as_jax(parameter) for name, parameter in model.named_parameters()}
        last = len(self.widths) - 2

        def loss_of(parameters: Any, x: jax.Array, y: jax.Array) -> jax.Array:
            for number in range(last):
                x = jax.nn.relu(linear(x, parameters, str(2 * number)))
            return cross_entropy(linear(x, parameters, str(2 * last)), y)

        return trained(loss_of, adam(self.rate), parameters, as_jax(x), as_jax(y))


def _prepare(column: str, tiny: bool) -> Prepared:
    task = _Mlp(widths=(12, 8, 8, 4), batch=4) if tiny else _Mlp()
    return prepare(column, task, tiny, group=20, warm_steps=30)


WORKLOADS = (Workload("mlp", "MLP 784-512-512-10, batch 64, Adam", "step", ("lazymlir", "steady", "jax", "eager", "compile", "xla"), _prepare),)
