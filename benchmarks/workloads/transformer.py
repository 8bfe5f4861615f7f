"""Transformer encoder, 4 layers, width 256, 4 heads, 128 places, batch 8, AdamW."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from benchmarks.workload import Prepared, Workload

from .training import prepare

__all__ = ["WORKLOADS"]


@dataclass(frozen=True)
class _Encoder:
    layers: int = 4
    width: int = 256
    heads: int = 4
    places: int = 128
    batch: int = 8
    rate: float = 1e-3

    def torch_model(self) -> Any:
        from torch import nn

        layer = nn.TransformerEncoderLayer(self.width, self.heads, 4 * self.width, dropout=0.0, activation="gelu", batch_first=True, norm_first=True)
        return nn.TransformerEncoder(layer, self.layers, enable_nested_tensor=False)

    def torch_optimizer(self, parameters: Any) -> Any:
        import torch

        return torch.optim.AdamW(parameters, lr=self.rate)

    def torch_loss(self, model: Any, x: Any, y: Any) -> Any:
        import torch

        return torch.nn.functional.mse_loss(model(x), y)

    def data(self) -> tuple[Any, Any]:
        import torch

        shape = (self.batch, self.places, self.width)
        return torch.randn(shape), torch.randn(shape)

    def jax_step(self, model: Any, x: Any, y: Any) -> Callable[[], Any]:
        import jax
        import jax.numpy as jnp

        from .in_jax import Arrays, adam, as_jax, linear, trained

        parameters = {name: as_jax(parameter) for name, parameter in model.named_parameters()}
        depth = self.width // self.heads

        def norm(x: jax.Array, p: Arrays, name: str) -> jax.Array:
            mean = x.mean(-1, keepdims=True)
            variance = jnp.square(x - mean).mean(-1, keepdims=True)
            return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * p[f"{name}.weight"] + p[f"{name}.bias"]

        def attention(x: jax.Array, p: Arrays, name: str) -> jax.Array:
            batch, places, width = x.shape
            projected = x @ p[f"{name}.in_proj_weight"].T + p[f"{name}.in_proj_bias"]
            q, k, v = (part.reshape(batch, places, self.heads, depth) for part in jnp.split(projected, 3, -1))
            weights = jax.nn.softmax(jnp.einsum("bqhd,bkhd->bhqk", q, k) / depth**0.5, axis=-1)
            mixed = jnp.einsum("bhqk,bkhd->bqhd", weights, v).reshape(batch, places, width)
            return linear(mixed, p, f"{name}.out_proj")

        def loss_of(p: Arrays, x: jax.Array, y: jax.Array) -> jax.Array:
            for number in range(self.layers):
                layer = f"layers.{number}"
                x = x + attention(norm(x, p, f"{layer}.norm1"), p, f"{layer}.self_attn")
                hidden = jax.nn.gelu(linear(norm(x, p, f"{layer}.norm2"), p, f"{layer}.linear1"), approximate=False)
                x = x + linear(hidden, p, f"{layer}.linear2")
            return jnp.square(x - y).mean()

        return trained(loss_of, adam(self.rate, decay=1e-2), parameters, as_jax(x), as_jax(y))


def _prepare(column: str, tiny: bool) -> Prepared:
    task = _Encoder(layers=1, width=8, heads=2, places=4, batch=2) if tiny else _Encoder()
    return prepare(column, task, tiny)


_COLUMNS = ("lazymlir", "steady", "jax", "eager", "compile", "xla")

WORKLOADS = (Workload("transformer", "Transformer encoder, 4 layers, d256 h4 T128, batch 8, AdamW", "step", _COLUMNS, _prepare),)
