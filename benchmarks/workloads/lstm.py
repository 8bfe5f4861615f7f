"""LSTM of 2 layers, width 128, 64 places, batch 16, Adam."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from benchmarks.workload import Prepared, Workload

from .training import prepare

__all__ = ["WORKLOADS"]


@dataclass(frozen=True)
class _Lstm:
    layers: int = 2
    width: int = 128
    places: int = 64
    batch: int = 16
    rate: float = 1e-3

    def torch_model(self) -> Any:
        from torch import nn

        class Classifier(nn.Module):
            def __init__(self, width: int, layers: int) -> None:
                super().__init__()
                self.lstm = nn.LSTM(width, width, layers, batch_first=True)
                self.head = nn.Linear(width, 10)

            def forward(self, x: Any) -> Any:
                return self.head(self.lstm(x)[0][:, -1])

        return Classifier(self.width, self.layers)

    def torch_optimizer(self, parameters: Any) -> Any:
        import torch

        return torch.optim.Adam(parameters, lr=self.rate)

    def torch_loss(self, model: Any, x: Any, y: Any) -> Any:
        import torch

        return torch.nn.functional.cross_entropy(model(x), y)

    def data(self) -> tuple[Any, Any]:
        import torch

        return torch.randn(self.batch, self.places, self.width), torch.randint(0, 10, (self.batch,))

    def jax_step(self, model: Any, x: Any, y: Any) -> Callable[[], Any]:
        import jax
        import jax.numpy as jnp

        from .in_jax import Arrays, adam, as_jax, cross_entropy, linear, trained

        parameters = {name: as_jax(parameter) for name, parameter in model.named_parameters()}

        def layer(x: jax.Array, p: Arrays, number: int) -> jax.Array:
            """`x` and the result are (places, batch, width)."""
            name = f"lstm.{{}}_l{number}"
            projected = x @ p[name.format("weight_ih")].T + p[name.format("bias_ih")] + p[name.format("bias_hh")]
            hidden_weight = p[name.format("weight_hh")].T

            def cell(state: tuple[jax.Array, jax.Array], projected: jax.Array) -> tuple[tuple[jax.Array, jax.Array], jax.Array]:
                h, c = state
                i, f, g, o = jnp.split(projected + h @ hidden_weight, 4, -1)
                c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
                h = jax.nn.sigmoid(o) * jnp.tanh(c)
                return (h, c), h

            start = jnp.zeros((x.shape[1], self.width), x.dtype)
            return jax.lax.scan(cell, (start, start), projected)[1]

        def loss_of(p: Arrays, x: jax.Array, y: jax.Array) -> jax.Array:
            x = x.swapaxes(0, 1)
            for number in range(self.layers):
                x = layer(x, p, number)
            return cross_entropy(linear(x[-1], p, "head"), y)

        return trained(loss_of, adam(self.rate), parameters, as_jax(x), as_jax(y))


def _prepare(column: str, tiny: bool) -> Prepared:
    task = _Lstm(layers=1, width=4, places=2, batch=2) if tiny else _Lstm()
    return prepare(column, task, tiny)


_COLUMNS = ("lazymlir", "steady", "jax", "eager", "compile")
"""PyTorch/XLA is left out: its XLA compiles the unrolled step for minutes."""

WORKLOADS = (Workload("lstm", "LSTM 2 x 128, 64 places, batch 16, Adam", "step", _COLUMNS, _prepare),)
