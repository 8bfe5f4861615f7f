"""The same ResNet in jax, with images in NHWC or NCHW."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from .in_jax import Arrays, as_jax, cross_entropy, linear

__all__ = ["loss_of", "parameters_of"]


def parameters_of(model: Any, layout: str) -> tuple[Arrays, Arrays]:
    """Parameters and running statistics of the PyTorch model; kernels as HWIO beside images in NHWC."""
    parameters = {
        name: as_jax(p.permute(2, 3, 1, 0).contiguous() if p.dim() == 4 and layout == "NHWC" else p) for name, p in model.named_parameters()
    }
    return parameters, {name: as_jax(buffer) for name, buffer in model.named_buffers()}


def loss_of(layout: str, stages: int, blocks: int) -> Callable[..., Any]:
    kernels = "HWIO" if layout == "NHWC" else "OIHW"
    pixels = (1, 2) if layout == "NHWC" else (2, 3)
    others = (0, *pixels)

    def conv(x: jax.Array, kernel: jax.Array, stride: int) -> jax.Array:
        side = kernel.shape[kernels.index("H")] // 2
        return jax.lax.conv_general_dilated(x, kernel, (stride, stride), [(side, side)] * 2, dimension_numbers=(layout, kernels, layout))

    def norm(x: jax.Array, p: Arrays, buffers: Arrays, name: str) -> jax.Array:
        count = x.size // x.shape[layout.index("C")]
        mean = x.mean(others, keepdims=True)
        variance = jnp.square(x - mean).mean(others, keepdims=True)
        buffers[f"{name}.running_mean"] = 0.9 * buffers[f"{name}.running_mean"] + 0.1 * mean.ravel()
        buffers[f"{name}.running_var"] = 0.9 * buffers[f"{name}.running_var"] + 0.1 * variance.ravel() * (count / (count - 1))
        buffers[f"{name}.num_batches_tracked"] = buffers[f"{name}.num_batches_tracked"] + 1
        shaped = lambda values: values.reshape(mean.shape)  # noqa: E731
        return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * shaped(p[f"{name}.weight"]) + shaped(p[f"{name}.bias"])

    def block(x: jax.Array, p: Arrays, buffers: Arrays, name: str, stride: int) -> jax.Array:
        out = jax.nn.relu(norm(conv(x, p[f"{name}.conv1.weight"], stride), p, buffers, f"{name}.bn1"))
        out = norm(conv(out, p[f"{name}.conv2.weight"], 1), p, buffers, f"{name}.bn2")
        if f"{name}.shortcut.0.weight" in p:
            x = norm(conv(x, p[f"{name}.shortcut.0.weight"], stride), p, buffers, f"{name}.shortcut.1")
        return jax.nn.relu(out + x)

    def loss(p: Arrays, buffers: Arrays, x: jax.Array, y: jax.Array) -> tuple[jax.Array, Arrays]:
        buffers = dict(buffers)
        x = jax.nn.relu(norm(conv(x, p["conv1.weight"], 1), p, buffers, "bn1"))
        for stage in range(stages):
            for number in range(blocks):
                x = block(x, p, buffers, f"layers.{stage}.{number}", 2 if stage and not number else 1)
        return cross_entropy(linear(x.mean(pixels), p, "fc"), y), buffers

    return loss
