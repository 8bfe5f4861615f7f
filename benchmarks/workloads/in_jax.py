"""What the jax versions share: parameters from a PyTorch model, optimizers with torch's mathematics, the jitted step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

__all__ = ["adam", "as_jax", "cross_entropy", "linear", "sgd", "trained"]

Arrays = dict[str, jax.Array]
Update = Callable[[Any, Any, Any], tuple[Any, Any]]


def as_jax(tensor: Any) -> jax.Array:
    """A copy on the device; int64 becomes int32, jax's integer."""
    return jnp.array(tensor.detach().numpy())


def linear(x: jax.Array, parameters: Arrays, name: str) -> jax.Array:
    return x @ parameters[f"{name}.weight"].T + parameters[f"{name}.bias"]


def cross_entropy(logits: jax.Array, targets: jax.Array) -> jax.Array:
    chosen = jnp.take_along_axis(jax.nn.log_softmax(logits), targets[:, None], axis=1)
    return -chosen.mean()


def adam(rate: float, decay: float = 0.0, betas: tuple[float, float] = (0.9, 0.999), epsilon: float = 1e-8) -> tuple[Callable[[Any], Any], Update]:
    """Adam, or AdamW where `decay` is not 0: what makes the state, and the update."""

    def init(parameters: Any) -> Any:
        zeros = lambda: jax.tree.map(jnp.zeros_like, parameters)  # noqa: E731
        return {"step": jnp.zeros((), jnp.float32), "mean": zeros(), "square": zeros()}

    def update(parameters: Any, gradients: Any, state: Any) -> tuple[Any, Any]:
        step = state["step"] + 1
        mean = jax.tree.map(lambda m, g: betas[0] * m + (1 - betas[0]) * g, state["mean"], gradients)
        square = jax.tree.map(lambda v, g: betas[1] * v + (1 - betas[1]) * g * g, state["square"], gradients)
        size = rate / (1 - betas[0] ** step)
        root = jnp.sqrt(1 - betas[1] ** step)
        moved = jax.tree.map(lambda p, m, v: p * (1 - rate * decay) - size * m / (jnp.sqrt(v) / root + epsilon), parameters, mean, square)
        return moved, {"step": step, "mean": mean, "square": square}

    return init, update


def sgd(rate: float, momentum: float, decay: float = 0.0) -> tuple[Callable[[Any], Any], Update]:
    def init(parameters: Any) -> Any:
        return jax.tree.map(jnp.zeros_like, parameters)

    def update(parameters: Any, gradients: Any, velocity: Any) -> tuple[Any, Any]:
        velocity = jax.tree.map(lambda p, g, v: momentum * v + g + decay * p, parameters, gradients, velocity)
        return jax.tree.map(lambda p, v: p - rate * v, parameters, velocity), velocity

    return init, update


def trained(
    loss_of: Callable[..., Any], optimizer: tuple[Callable[[Any], Any], Update], parameters: Any, x: jax.Array, y: jax.Array, buffers: Any = None
) -> Callable[[], jax.Array]:
    """The step as one jitted function with donated state. `loss_of(parameters, x, y)` is a loss; with buffers,
    `loss_of(parameters, buffers, x, y)` is a loss and the buffers after it."""
    init, update = optimizer

    def with_buffers(parameters: Any, buffers: Any, x: jax.Array, y: jax.Array) -> tuple[jax.Array, Any]:
        return loss_of(parameters, buffers, x, y) if buffers is not None else (loss_of(parameters, x, y), None)

    @jax.jit(donate_argnums=0)
    def train(everything: Any, x: jax.Array, y: jax.Array) -> tuple[Any, jax.Array]:
        parameters, buffers, state = everything
        (loss, buffers), gradients = jax.value_and_grad(with_buffers, has_aux=True)(parameters, buffers, x, y)
        parameters, state = update(parameters, gradients, state)
        return (parameters, buffers, state), loss

    everything = (parameters, buffers, init(parameters))

    def step() -> jax.Array:
        nonlocal everything
        everything, loss = train(everything, x, y)
        return loss

    step.lowered = lambda: train.lower(everything, x, y)  # type: ignore[attr-defined]
    return step
