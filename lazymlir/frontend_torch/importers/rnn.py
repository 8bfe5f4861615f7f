"""The fused cells that torch's LSTM and GRU call on devices other than the CPU. The workspaces are ours to lay out."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from lazymlir.dialect import Builder, Node, TensorType

from ..registry import aten
from .common import math_dtype

Types = Sequence["TensorType | None"]


def _parts(b: Builder, x: Node, count: int) -> list[Node]:
    """Equal parts along the last dimension."""
    size = x.shape[-1] // count
    return [b.static_slice(x, x.rank - 1, i * size, size) for i in range(count)]


def _joined(b: Builder, parts: Sequence[Node]) -> Node:
    return b.join(parts, parts[0].rank - 1)


def _gates(b: Builder, gates: Node, bias: Node | None) -> Node:
    """Gates in the type to compute in, with their bias."""
    gates = b.cast(gates, math_dtype(gates.dtype))
    return gates if bias is None else b.add(gates, b.expand(b.cast(bias, gates.dtype), gates.shape))


def _one(b: Builder, like: Node) -> Node:
    return b.constant(1, like.type)


def _sigmoid_slope(b: Builder, y: Node) -> Node:
    return b.mul(y, b.sub(_one(b, y), y))


def _tanh_slope(b: Builder, y: Node) -> Node:
    return b.sub(_one(b, y), b.mul(y, y))


def _rounded(b: Builder, nodes: Sequence[Node | None], out: Types) -> tuple[Node | None, ...]:
    return tuple(None if node is None or type_ is None else b.cast(node, type_.dtype) for node, type_ in zip(nodes, out, strict=True))


def _batch_sum(b: Builder, x: Node) -> Node:
    return b.sum(x, dims=tuple(range(x.rank - 1)))


# LSTM: the workspace keeps the four gates after their activations.


def _meta_lstm(input_gates: torch.Tensor, hidden_gates: torch.Tensor, cx: torch.Tensor, *biases: torch.Tensor | None) -> tuple[torch.Tensor, ...]:
    return torch.empty_like(cx), torch.empty_like(cx), torch.empty_like(input_gates)


@aten("_thnn_fused_lstm_cell", meta=_meta_lstm)
def lstm_cell(
    b: Builder, out: Types, input_gates: Node, hidden_gates: Node, cx: Node, input_bias: Node | None = None, hidden_bias: Node | None = None
) -> tuple[Node | None, ...]:
    gates = b.add(_gates(b, input_gates, input_bias), _gates(b, hidden_gates, hidden_bias))
    into, forget, cell, outward = _parts(b, gates, 4)
    into, forget, cell, outward = b.sigmoid(into), b.sigmoid(forget), b.tanh(cell), b.sigmoid(outward)
    cy = b.add(b.mul(forget, b.cast(cx, gates.dtype)), b.mul(into, cell))
    hy = b.mul(outward, b.tanh(cy))
    return _rounded(b, (hy, cy, _joined(b, (into, forget, cell, outward))), out)


def _meta_lstm_backward(
    grad_hy: torch.Tensor | None, grad_cy: torch.Tensor | None, cx: torch.Tensor, cy: torch.Tensor, workspace: torch.Tensor, has_bias: bool
) -> tuple[torch.Tensor | None, ...]:
    bias = workspace.new_empty(workspace.shape[-1]) if has_bias else None
    return torch.empty_like(workspace), torch.empty_like(cx), bias


@aten("_thnn_fused_lstm_cell_backward_impl", meta=_meta_lstm_backward)
def lstm_cell_backward(
    b: Builder, out: Types, grad_hy: Node | None, grad_cy: Node | None, cx: Node, cy: Node, workspace: Node, has_bias: bool
) -> tuple[Node | None, ...]:
    dtype = math_dtype(workspace.dtype)
    into, forget, cell, outward = _parts(b, b.cast(workspace, dtype), 4)
    cx, reached = b.cast(cx, dtype), b.tanh(b.cast(cy, dtype))
    zeros = b.constant(0, cx.type)
    grad_hy = zeros if grad_hy is None else b.cast(grad_hy, dtype)
    grad_cy = zeros if grad_cy is None else b.cast(grad_cy, dtype)
    grad_cy = b.add(grad_cy, b.mul(b.mul(grad_hy, outward), _tanh_slope(b, reached)))
    grad_gates = _joined(
        b,
        (
            b.mul(b.mul(grad_cy, cell), _sigmoid_slope(b, into)),
            b.mul(b.mul(grad_cy, cx), _sigmoid_slope(b, forget)),
            b.mul(b.mul(grad_cy, into), _tanh_slope(b, cell)),
            b.mul(b.mul(grad_hy, reached), _sigmoid_slope(b, outward)),
        ),
    )
    grad_bias = _batch_sum(b, grad_gates) if has_bias else None
    return _rounded(b, (grad_gates, b.mul(grad_cy, forget), grad_bias), out)


# GRU: the workspace keeps the three gates after their activations, the hidden state, and the hidden part of the new gate.


def _meta_gru(input_gates: torch.Tensor, hidden_gates: torch.Tensor, hx: torch.Tensor, *biases: torch.Tensor | None) -> tuple[torch.Tensor, ...]:
    return torch.empty_like(hx), hx.new_empty((*hx.shape[:-1], 5 * hx.shape[-1]))


@aten("_thnn_fused_gru_cell", meta=_meta_gru)
def gru_cell(
    b: Builder, out: Types, input_gates: Node, hidden_gates: Node, hx: Node, input_bias: Node | None = None, hidden_bias: Node | None = None
) -> tuple[Node | None, ...]:
    input_parts = _parts(b, _gates(b, input_gates, input_bias), 3)
    hidden_parts = _parts(b, _gates(b, hidden_gates, hidden_bias), 3)
    reset, update = (b.sigmoid(b.add(i, h)) for i, h in zip(input_parts[:2], hidden_parts[:2], strict=True))
    new = b.tanh(b.add(input_parts[2], b.mul(reset, hidden_parts[2])))
    hx = b.cast(hx, new.dtype)
    hy = b.add(b.mul(b.sub(hx, new), update), new)
    return _rounded(b, (hy, _joined(b, (reset, update, new, hx, hidden_parts[2]))), out)


def _meta_gru_backward(grad_hy: torch.Tensor, workspace: torch.Tensor, has_bias: bool) -> tuple[torch.Tensor | None, ...]:
    gates = 3 * grad_hy.shape[-1]
    each = [workspace.new_empty((*grad_hy.shape[:-1], gates)) for _ in range(2)]
    bias = [workspace.new_empty(gates) if has_bias else None for _ in range(2)]
    return (*each, torch.empty_like(grad_hy), *bias)


@aten("_thnn_fused_gru_cell_backward", meta=_meta_gru_backward)
def gru_cell_backward(b: Builder, out: Types, grad_hy: Node, workspace: Node, has_bias: bool) -> tuple[Node | None, ...]:
    dtype = math_dtype(workspace.dtype)
    reset, update, new, hx, hidden_new = _parts(b, b.cast(workspace, dtype), 5)
    grad_hy = b.cast(grad_hy, dtype)
    grad_update = b.mul(b.mul(grad_hy, b.sub(hx, new)), _sigmoid_slope(b, update))
    grad_new = b.mul(b.mul(grad_hy, b.sub(_one(b, update), update)), _tanh_slope(b, new))
    grad_reset = b.mul(b.mul(grad_new, hidden_new), _sigmoid_slope(b, reset))
    grad_input = _joined(b, (grad_reset, grad_update, grad_new))
    grad_hidden = _joined(b, (grad_reset, grad_update, b.mul(grad_new, reset)))
    biases = [_batch_sum(b, each) if has_bias else None for each in (grad_input, grad_hidden)]
    return _rounded(b, (grad_input, grad_hidden, b.mul(grad_hy, update), *biases), out)
