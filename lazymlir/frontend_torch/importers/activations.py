"""Activations and their gradients."""

from __future__ import annotations

import math
from typing import Any

import torch

from lazymlir.dialect import Builder, Node, TensorType
from lazymlir.dialect.types import BOOL

from ..registry import aten
from .common import math_dtype, wrap
from .formula import Term, absolute, conjugate, erf, exp, expm1, formula, import_formula, log1p, maximum, minimum, sigmoid, tanh, where


@formula("relu", exact=True)
def relu(x: Term) -> Term:
    if x.dtype == BOOL:
        torch.relu(torch.ones((), dtype=torch.bool))  # raises what this version of torch raises
    return maximum(x, 0)


@formula("threshold")
def threshold(x: Term, threshold: Any, value: Any) -> Term:
    return where(x <= threshold, value, x)


@formula("threshold_backward", exact=True)
def threshold_backward(gradient: Term, x: Term, threshold: Any) -> Term:
    return where(x <= threshold, 0, gradient)


@formula("hardtanh", exact=True)
def hardtanh(x: Term, min_val: Any = -1, max_val: Any = 1) -> Term:
    return minimum(maximum(x, min_val), max_val)


@formula("hardtanh_backward")
def hardtanh_backward(gradient: Term, x: Term, min_val: Any, max_val: Any) -> Term:
    return where((x <= min_val) | (x >= max_val), 0, gradient)


@formula("leaky_relu")
def leaky_relu(x: Term, negative_slope: Any = 0.01) -> Term:
    return where(x > 0, x, x * negative_slope)


@formula("leaky_relu_backward")
def leaky_relu_backward(gradient: Term, x: Term, negative_slope: Any, self_is_result: bool) -> Term:
    return where(x > 0, gradient, gradient * negative_slope)


@formula("_prelu_kernel")
def prelu(x: Term, weight: Term) -> Term:
    return where(x > 0, x, x * weight)


@formula("_prelu_kernel_backward")
def prelu_backward(gradient: Term, x: Term, weight: Term) -> tuple[Term, Term]:
    return where(x > 0, gradient, gradient * weight), where(x > 0, 0, x * gradient)


@formula("elu")
def elu(x: Term, alpha: Any = 1, scale: Any = 1, input_scale: Any = 1) -> Term:
    return where(x > 0, x * scale, expm1(x * input_scale) * alpha * scale)


@formula("elu_backward")
def elu_backward(gradient: Term, alpha: Any, scale: Any, input_scale: Any, is_result: bool, x: Term) -> Term:
    negative = x + alpha * scale if is_result else exp(x * input_scale) * alpha * scale
    return where(x <= 0, gradient * input_scale * negative, gradient * scale)


# math.sqrt(0.5), sqrt(2 / pi), 1 / sqrt(2 * pi)
_HALF_ROOT, _TANH_SCALE, _DENSITY, _CUBE = math.sqrt(0.5), math.sqrt(2 / math.pi), 1 / math.sqrt(2 * math.pi), 0.044715


@formula("gelu")
def gelu(x: Term, *, approximate: str = "none") -> Term:
    if approximate == "tanh":
        return 0.5 * x * (1 + tanh(_TANH_SCALE * (x + _CUBE * x * x * x)))
    return x * 0.5 * (1 + erf(x * _HALF_ROOT))


@formula("gelu_backward")
def gelu_backward(gradient: Term, x: Term, *, approximate: str = "none") -> Term:
    if approximate == "tanh":
        bent = tanh(_TANH_SCALE * (x + _CUBE * x * x * x))
        slope = (1 - bent * bent) * _TANH_SCALE * (1 + 3 * _CUBE * x * x)
        return gradient * (0.5 * (1 + bent) + 0.5 * x * slope)
    return gradient * (0.5 * (1 + erf(x * _HALF_ROOT)) + x * exp(-0.5 * x * x) * _DENSITY)


@formula("silu")
def silu(x: Term) -> Term:
    return x * sigmoid(x)


@formula("silu_backward")
def silu_backward(gradient: Term, x: Term) -> Term:
    gate = sigmoid(x)
    return gradient * gate * (1 + x * (1 - gate))


@formula("mish")
def mish(x: Term) -> Term:
    return x * tanh(log1p(exp(x)))


@formula("mish_backward")
def mish_backward(gradient: Term, x: Term) -> Term:
    bent = tanh(log1p(exp(x)))
    return gradient * (bent + x * sigmoid(x) * (1 - bent * bent))


@formula("softplus")
def softplus(x: Term, beta: Any = 1, threshold: Any = 20) -> Term:
    return where(x * beta > threshold, x, log1p(exp(x * beta)) / beta)


@formula("softplus_backward")
def softplus_backward(gradient: Term, x: Term, beta: Any, threshold: Any) -> Term:
    power = exp(x * beta)
    return where(x * beta > threshold, gradient, gradient * power / (power + 1))


@formula("hardsigmoid")
def hardsigmoid(x: Term) -> Term:
    return minimum(maximum(x + 3, 0), 6) / 6


@formula("hardsigmoid_backward")
def hardsigmoid_backward(gradient: Term, x: Term) -> Term:
    return where((x > -3) & (x < 3), gradient / 6, 0)


@formula("hardswish")
def hardswish(x: Term) -> Term:
    return x * minimum(maximum(x + 3, 0), 6) / 6


@formula("hardswish_backward")
def hardswish_backward(gradient: Term, x: Term) -> Term:
    return where(x <= -3, 0, where(x < 3, gradient * (x / 3 + 0.5), gradient))


@formula("hardshrink", exact=True)
def hardshrink(x: Term, lambd: Any = 0.5) -> Term:
    return where(absolute(x) <= lambd, 0, x)


@formula("softshrink")
def softshrink(x: Term, lambd: Any = 0.5) -> Term:
    return where(x > lambd, x - lambd, where(x < -_term(x, lambd), x + lambd, x * 0))


def _term(x: Term, number: Any) -> Term:
    return number if isinstance(number, Term) else Term(x.b, x.same(number))


@formula("hardshrink_backward", "softshrink_backward", exact=True)
def shrink_backward(gradient: Term, x: Term, lambd: Any) -> Term:
    return where(absolute(x) <= lambd, 0, gradient)


@formula("sigmoid_backward")
def sigmoid_backward(gradient: Term, output: Term) -> Term:
    return gradient * conjugate(1 - output) * conjugate(output)


@formula("tanh_backward")
def tanh_backward(gradient: Term, output: Term) -> Term:
    return gradient * conjugate(1 - output * output)


def _log_sigmoid_types(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """The buffer stays empty, as on CUDA: the gradient computes it again."""
    return torch.empty_like(x, memory_format=torch.contiguous_format), x.new_empty((0,))


@aten("log_sigmoid_forward", meta=_log_sigmoid_types)
def log_sigmoid(b: Builder, out: tuple[TensorType, TensorType], x: Node) -> tuple[Node, Node]:
    made = import_formula(lambda x: minimum(x, 0) - log1p(exp(-absolute(x))))(b, out[0], x)
    return made, b.constant(0, out[1])


@aten("log_sigmoid_backward", meta=lambda gradient, x, buffer: torch.empty_like(x))
def log_sigmoid_backward(b: Builder, out: TensorType, gradient: Node, x: Node, buffer: Node) -> Node:
    return import_formula(lambda gradient, x: gradient * sigmoid(-x))(b, out, gradient, x)


def _halves(b: Builder, x: Node, dim: int) -> tuple[Term, Term]:
    dim = wrap(dim, x.rank)
    size = x.shape[dim] // 2
    x = b.cast(x, math_dtype(x.dtype))
    return Term(b, b.static_slice(x, dim, 0, size)), Term(b, b.static_slice(x, dim, size, size))


@aten("glu")
def glu(b: Builder, out: TensorType, x: Node, dim: int = -1) -> Node:
    left, right = _halves(b, x, dim)
    return b.cast((left * sigmoid(right)).node, out.dtype)


@aten("glu_backward")
def glu_backward(b: Builder, out: TensorType, gradient: Node, x: Node, dim: int) -> Node:
    left, right = _halves(b, x, dim)
    gate = sigmoid(right)
    incoming = Term(b, b.cast(gradient, gate.dtype)) * gate
    joined = b.cat(incoming.node, (incoming * left * (1 - gate)).node, dim=wrap(dim, x.rank))
    return b.cast(joined, out.dtype)
