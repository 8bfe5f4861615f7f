"""Recurrent networks and attention against CPU eager, forward and backward, and no fallback."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from ops_support import DEVICE, cases, check, with_options
from torch import nn
from torch.nn import functional as F

from lazymlir import metrics

INF = float("inf")


def of_module(module: nn.Module, *inputs: torch.Tensor, **options: Any) -> tuple[Callable[..., Any], tuple[torch.Tensor, ...]]:
    """A module as a function of its parameters and inputs."""
    names = [name for name, _ in module.named_parameters()]

    def run(*tensors: torch.Tensor) -> Any:
        parameters = dict(zip(names, tensors, strict=False))
        moved = {name: x.to(tensors[0].device) if isinstance(x, torch.Tensor) else x for name, x in options.items()}
        return torch.func.functional_call(module, parameters, tensors[len(names) :], moved)

    return run, (*(p.detach().clone() for p in module.parameters()), *inputs)


def test_recurrent_networks():
    x = torch.randn(2, 2, 3)
    last = of_module(nn.LSTM(3, 4), x)
    table = {
        "lstm": of_module(nn.LSTM(3, 4), x),
        "lstm without bias": of_module(nn.LSTM(3, 4, bias=False, batch_first=True), x),
        "lstm, both ways": of_module(nn.LSTM(3, 4, bidirectional=True), x),
        "gru": of_module(nn.GRU(3, 4), x),
        "gru without bias": of_module(nn.GRU(3, 4, bias=False, batch_first=True), x),
        "rnn": of_module(nn.RNN(3, 4), x),
        "lstm cell": of_module(nn.LSTMCell(3, 4), x[0]),
        "gru cell": of_module(nn.GRUCell(3, 4), x[0]),
        "lstm, last cell only": (lambda *tensors: last[0](*tensors)[1][1], last[1]),
    }
    check(cases(table), gradients=True)


def attention_inputs(heads: int = 4, groups: int = 4, keys: int = 7) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    return torch.randn(2, heads, 5, 8), torch.randn(2, groups, keys, 8), torch.randn(2, groups, keys, 8)


def test_attention():
    attend = F.scaled_dot_product_attention
    mask = torch.rand(5, 7) > 0.4
    mask[2] = False  # nothing to attend to: the result is 0
    closed = torch.where(mask, 0.0, -INF)
    table = {
        "plain": (attend, attention_inputs()),
        "causal": (with_options(attend, is_causal=True), attention_inputs()),
        "scaled": (with_options(attend, scale=0.3), attention_inputs()),
        "boolean mask": (lambda q, k, v: attend(q, k, v, mask.to(q.device)), attention_inputs()),
        "additive mask": (lambda q, k, v: attend(q, k, v, closed.to(q.device)), attention_inputs()),
        "grouped": (with_options(attend, enable_gqa=True), attention_inputs(groups=2)),
        "other value size": (attend, (*attention_inputs()[:2], torch.randn(2, 4, 7, 3))),
        "no heads": (attend, tuple(x[:, 0] for x in attention_inputs())),
        "broadcast keys": (attend, (torch.randn(2, 4, 5, 8), torch.randn(1, 4, 7, 8), torch.randn(1, 4, 7, 8))),
        "no keys": (attend, attention_inputs(keys=0)),
        "heads do not fit": (attend, attention_inputs(groups=3)),
        "mask does not fit": (lambda q, k, v: attend(q, k, v, torch.zeros(3, 3, device=q.device)), attention_inputs()),
    }
    check(cases(table), gradients=True)


def test_attention_has_gradients_for_its_mask_and_second_derivatives():
    def run(device: str) -> list[torch.Tensor]:
        torch.manual_seed(0)
        q, k, v = (x.to(device).requires_grad_() for x in attention_inputs())
        bias = torch.randn(2, 1, 5, 7).to(device).requires_grad_()
        y = F.scaled_dot_product_attention(q, k, v, bias)
        first = torch.autograd.grad(y.sum(), (q, bias), create_graph=device != "cpu")
        if device == "cpu":  # its own kernel has no second derivative
            composed = torch.ops.aten._scaled_dot_product_attention_math(q, k, v, bias)[0]
            first = torch.autograd.grad(composed.sum(), (q, bias), create_graph=True)
        return [*first, *torch.autograd.grad(first[0].square().sum(), (k, bias))]

    metrics.clear_all()
    for got, expected in zip(run(DEVICE), run("cpu"), strict=True):
        torch.testing.assert_close(got.detach().cpu(), expected.detach(), rtol=1e-4, atol=1e-5)
    assert metrics.executed_fallback_ops() == []


def test_dropout_in_attention_is_the_same_backward():
    q = torch.zeros(1, 1, 3, 8, device=DEVICE)
    v = torch.ones(1, 1, 1000, 1, device=DEVICE, requires_grad=True)
    y = F.scaled_dot_product_attention(q, q.expand(1, 1, 3, 8)[:, :, :1].expand(1, 1, 1000, 8), v, dropout_p=0.25)
    (gradient,) = torch.autograd.grad(y[0, 0, 0, 0], v)
    assert gradient.sum().item() == pytest.approx(y[0, 0, 0, 0].item(), rel=1e-5)
    assert (gradient != 0).float().mean().item() == pytest.approx(0.75, abs=0.05)


@pytest.mark.parametrize("norm_first", [False, True])
def test_the_fast_path_of_transformer_encoders(norm_first):
    layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True, norm_first=norm_first, activation="gelu")
    encoder = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False).eval()
    twin = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False).eval()
    twin.load_state_dict(encoder.state_dict())
    twin.to(DEVICE)
    x, padding = torch.randn(2, 5, 8), torch.tensor([[False] * 5, [False] * 3 + [True] * 2])
    causal = nn.Transformer.generate_square_subsequent_mask(5)
    metrics.clear_all()
    with torch.no_grad():
        for options in ({}, {"mask": causal}, {"src_key_padding_mask": padding}):
            got = twin(x.to(DEVICE), **{name: mask.to(DEVICE) for name, mask in options.items()})
            torch.testing.assert_close(got.cpu(), encoder(x, **options), rtol=1e-4, atol=1e-5)
    assert metrics.executed_fallback_ops() == []


def test_multihead_attention_gives_its_weights():
    module = nn.MultiheadAttention(8, 2, batch_first=True).eval()
    x, y = torch.randn(2, 5, 8), torch.randn(2, 3, 8)
    metrics.clear_all()
    with torch.no_grad():
        expected = module(x, y, y, average_attn_weights=False)
        got = module.to(DEVICE)(x.to(DEVICE), y.to(DEVICE), y.to(DEVICE), average_attn_weights=False)
    for a, b in zip(got, expected, strict=True):
        torch.testing.assert_close(a.cpu(), b)
    assert metrics.executed_fallback_ops() == []
