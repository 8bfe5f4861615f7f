"""Normalization over the batch, the last dimensions, or groups of channels; statistics of 16-bit floats in float32."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import torch

from lazymlir.dialect import Builder, Node, TensorType

from ..registry import aten
from .common import math_dtype, spread, to

Types = tuple[TensorType | None, ...]
Nodes = tuple[Node | None, ...]

_aten = torch.ops.aten
_HALVES = (torch.float16, torch.bfloat16)


def _statistics_dtype(x: torch.Tensor, *parameters: torch.Tensor | None) -> torch.dtype:
    """float32 where a half input meets float32 parameters, else the input's own, as on the CPU."""
    mixed = x.dtype in _HALVES and any(p is not None and p.dtype == torch.float32 for p in parameters)
    return torch.float32 if mixed else x.dtype


def _meta(overload: Any) -> Any:
    """Results and errors of a forward's meta kernel, with the dtypes that the CPU's kernel gives the statistics."""

    def meta(x: torch.Tensor, *rest: Any) -> Any:
        parameters = [p for p in rest if isinstance(p, torch.Tensor)]
        y, mean, deviation, *others = overload(x, *rest)
        dtype = _statistics_dtype(x, *parameters)
        return y, mean.to(dtype), deviation.to(dtype), *others

    return meta


def _meta_backward(overload: Any) -> Any:
    """An input's gradient has the input's dtype and memory format."""

    def meta(grad: torch.Tensor, x: torch.Tensor, *rest: Any) -> Any:
        grad_x, *others = overload(grad, x, *rest)
        if grad_x is not None:
            grad_x = grad_x.to(x.dtype).contiguous(memory_format=torch._prims_common.suggest_memory_format(x))
        return grad_x, *others

    return meta


# What all of them share: rows to be normalized are given by the dimensions to reduce.


class _Rows:
    """A tensor whose mean over `dims` is taken; statistics have the shape of the other dimensions."""

    def __init__(self, b: Builder, x: Node, dims: Sequence[int]) -> None:
        self.b, self.x, self.dims = b, x, tuple(dims)
        self.kept = tuple(dim for dim in range(x.rank) if dim not in self.dims)
        self.count = prod(x.shape[dim] for dim in self.dims)

    def spread(self, statistic: Node) -> Node:
        return spread(self.b, self.b.cast(statistic, self.x.dtype), self.kept, self.x.shape)

    def total(self, x: Node) -> Node:
        return self.b.sum(x, dims=self.dims)

    def mean(self, x: Node) -> Node:
        total = self.total(x)
        return self.b.div(total, self.b.constant(self.count, total.type))

    def centered(self, mean: Node) -> Node:
        return self.b.sub(self.x, self.spread(mean))

    def moments(self, precise: bool = False) -> tuple[Node, Node]:
        """Mean and variance (over all elements), in two passes as the CPU takes them; the mean rounded once if `precise`."""
        mean = self.b.cast(self.mean(self.b.cast(self.x, "f64")), self.x.dtype) if precise else self.mean(self.x)
        centered = self.centered(mean)
        return mean, self.mean(self.b.mul(centered, centered))

    def gradient(self, grad: Node, mean: Node, deviation: Node) -> Node:
        """The gradient of (x - mean) * deviation for its output's gradient, through both statistics; summed as the CPU sums it,
        before the deviation."""
        b = self.b
        centered = self.centered(mean)
        normal = b.mul(centered, self.spread(deviation))
        inner = b.sub(grad, self.spread(self.mean(grad)))
        along = self.mean(b.mul(grad, centered))
        along = b.mul(along, b.reshape(b.cast(deviation, along.dtype), along.shape))
        inner = b.sub(inner, b.mul(normal, self.spread(along)))
        return b.mul(inner, self.spread(deviation))


def _inverse_deviation(b: Builder, variance: Node, eps: Node) -> Node:
    return b.rsqrt(b.add(variance, to(b, eps, variance.dtype, variance.shape)))


def _affine(b: Builder, x: Node, weight: Node | None, bias: Node | None, kept: Sequence[int]) -> Node:
    """x * weight + bias, which belong to the dimensions `kept`."""
    if weight is not None:
        x = b.mul(x, spread(b, b.cast(weight, x.dtype), kept, x.shape))
    if bias is not None:
        x = b.add(x, spread(b, b.cast(bias, x.dtype), kept, x.shape))
    return x


def _rounded(b: Builder, nodes: Nodes, out: Types) -> Nodes:
    """Each result in its own type; None for one not asked for."""
    return tuple(None if node is None or type_ is None else b.cast(node, type_.dtype) for node, type_ in zip(nodes, out, strict=True))


# Batch normalization: channels are dimension 1.


def _channel_rows(b: Builder, x: Node) -> _Rows:
    return _Rows(b, b.cast(x, math_dtype(x.dtype)), [dim for dim in range(x.rank) if dim != 1])


def _moved(b: Builder, old: Node, new: Node, momentum: Node) -> Node:
    """(1 - momentum) * old + momentum * new."""
    part = to(b, momentum, new.dtype, new.shape)
    return b.add(b.mul(b.cast(old, new.dtype), b.sub(b.constant(1, part.type), part)), b.mul(new, part))


def _batch_norm(
    b: Builder,
    out: Types,
    x: Node,
    weight: Node | None,
    bias: Node | None,
    running_mean: Node | None,
    running_var: Node | None,
    training: bool,
    momentum: Node,
    eps: Node,
) -> list[Node]:
    """Results, then the running statistics after this batch if training."""
    rows = _channel_rows(b, x)
    if not training:
        assert running_mean is not None and running_var is not None
        mean, variance = (b.cast(statistic, rows.x.dtype) for statistic in (running_mean, running_var))
    else:
        mean, variance = rows.moments(precise=True)  # as the CPU's kernel, which adds up doubles
    deviation = _inverse_deviation(b, variance, eps)
    normal = b.mul(rows.centered(mean), rows.spread(deviation))
    y_type, mean_type, deviation_type = out[:3]
    assert y_type is not None and mean_type is not None and deviation_type is not None
    results = [b.cast(_affine(b, normal, weight, bias, (1,)), y_type.dtype)]
    if not training:  # as on the CPU, there are no statistics to save
        return [*results, b.constant(0, mean_type), b.constant(0, deviation_type)]
    results += [b.cast(mean, mean_type.dtype), b.cast(deviation, deviation_type.dtype)]
    if running_mean is not None:
        results.append(_moved(b, running_mean, mean, momentum))
    if running_var is not None:
        unbiased = b.mul(variance, b.constant(rows.count, variance.type))
        unbiased = b.div(unbiased, b.constant(rows.count - 1, variance.type))
        results.append(_moved(b, running_var, unbiased, momentum))
    return results


def _meta_batch_norm(overload: Any) -> Any:
    """In evaluation the CPU saves no statistics."""
    inner = _meta(overload)

    def meta(x: torch.Tensor, weight: Any, bias: Any, *rest: Any) -> Any:
        y, mean, deviation, *others = inner(x, weight, bias, *rest)
        training = next((item for item in rest if isinstance(item, bool)), True)
        if not training:
            mean, deviation = mean.new_empty(0), deviation.new_empty(0)
        return y, mean, deviation, *others

    return meta


def _running_if_training(given: dict[str, Any]) -> tuple[str, ...]:
    return ("running_mean", "running_var") if given["training"] else ()


for _name in ("native_batch_norm", "_native_batch_norm_legit"):
    aten(_name, mutates=_running_if_training, meta=_meta_batch_norm(getattr(_aten, _name).default))(_batch_norm)


@aten("_native_batch_norm_legit.no_stats", meta=_meta_batch_norm(_aten._native_batch_norm_legit.no_stats))
def _batch_norm_no_stats(
    b: Builder, out: Types, x: Node, weight: Node | None, bias: Node | None, training: bool, momentum: Node, eps: Node
) -> list[Node]:
    return _batch_norm(b, out, x, weight, bias, None, None, training, momentum, eps)


@aten("_batch_norm_with_update", mutates=("running_mean", "running_var"), meta=_meta_batch_norm(_aten._batch_norm_with_update.default))
def _batch_norm_with_update(
    b: Builder,
    out: Types,
    x: Node,
    weight: Node | None,
    bias: Node | None,
    running_mean: Node,
    running_var: Node,
    momentum: Node,
    eps: Node,
) -> list[Node]:
    made = _batch_norm(b, out, x, weight, bias, running_mean, running_var, True, momentum, eps)
    reserve = out[3]
    assert reserve is not None
    return [*made[:3], b.constant(0, reserve), *made[3:]]


@aten("_batch_norm_no_update", meta=_meta_batch_norm(_aten._batch_norm_no_update.default))
def _batch_norm_no_update(
    b: Builder,
    out: Types,
    x: Node,
    weight: Node | None,
    bias: Node | None,
    running_mean: Node,
    running_var: Node,
    momentum: Node,
    eps: Node,
) -> list[Node]:
    reserve = out[3]
    assert reserve is not None
    return [*_batch_norm(b, out, x, weight, bias, running_mean, running_var, False, momentum, eps), b.constant(0, reserve)]


@aten("native_batch_norm_backward", meta=_meta_backward(_aten.native_batch_norm_backward.default))
def _batch_norm_backward(
    b: Builder,
    out: Types,
    grad: Node,
    x: Node,
    weight: Node | None,
    running_mean: Node | None,
    running_var: Node | None,
    save_mean: Node | None,
    save_invstd: Node | None,
    train: bool,
    eps: Node,
    output_mask: Sequence[bool],
) -> Nodes:
    rows = _channel_rows(b, x)
    grad = b.cast(grad, rows.x.dtype)
    if train:
        assert save_mean is not None and save_invstd is not None
        mean, deviation = b.cast(save_mean, grad.dtype), b.cast(save_invstd, grad.dtype)
    else:
        assert running_mean is not None and running_var is not None
        mean = b.cast(running_mean, grad.dtype)
        deviation = _inverse_deviation(b, b.cast(running_var, grad.dtype), eps)
    scaled = _affine(b, grad, weight, None, (1,))
    grad_x = rows.gradient(scaled, mean, deviation) if train else b.mul(scaled, rows.spread(deviation))
    grad_weight = b.mul(rows.total(b.mul(grad, rows.centered(mean))), deviation)
    return _rounded(b, (grad_x, grad_weight, rows.total(grad)), out)


def _meta_batch_norm_backward(grad: torch.Tensor, x: torch.Tensor, *rest: Any) -> Any:
    """The same gradient, where the forward has made a reserve (which is empty)."""
    inner = _meta_backward(_aten.native_batch_norm_backward.default)
    return inner(grad, x, *rest[:-1])


@aten("batch_norm_backward", meta=_meta_batch_norm_backward)
def _batch_norm_backward_with_reserve(b: Builder, out: Types, grad: Node, x: Node, *rest: Any) -> Nodes:
    return _batch_norm_backward(b, out, grad, x, *rest[:-1])


# Layer normalization: over the last dimensions.


@aten("native_layer_norm", meta=_meta(_aten.native_layer_norm.default))
def _layer_norm(b: Builder, out: Types, x: Node, normalized_shape: Sequence[int], weight: Node | None, bias: Node | None, eps: Node) -> Nodes:
    inner = range(x.rank - len(normalized_shape), x.rank)
    rows = _Rows(b, b.cast(x, math_dtype(x.dtype)), inner)
    mean, variance = rows.moments()
    deviation = _inverse_deviation(b, variance, eps)
    normal = b.mul(rows.centered(mean), rows.spread(deviation))
    statistics = [b.reshape(statistic, type_.shape) for statistic, type_ in zip((mean, deviation), out[1:], strict=True) if type_ is not None]
    return _rounded(b, (_affine(b, normal, weight, bias, inner), *statistics), out)


@aten("native_layer_norm_backward")
def _layer_norm_backward(
    b: Builder,
    out: Types,
    grad: Node,
    x: Node,
    normalized_shape: Sequence[int],
    mean: Node,
    rstd: Node,
    weight: Node | None,
    bias: Node | None,
    output_mask: Sequence[bool],
) -> Nodes:
    inner = range(x.rank - len(normalized_shape), x.rank)
    rows = _Rows(b, b.cast(x, math_dtype(x.dtype)), inner)
    grad = b.cast(grad, rows.x.dtype)
    outer = rows.kept
    grad_x = rows.gradient(_affine(b, grad, weight, None, inner), mean, rstd)
    normal = b.mul(rows.centered(mean), rows.spread(rstd))
    grad_weight = b.sum(b.mul(grad, normal), dims=outer)
    return _rounded(b, (grad_x, grad_weight, b.sum(grad, dims=outer)), out)


# Group normalization: rows of [batch, group] over the group's channels and all of space.


def _grouped(b: Builder, x: Node, batch: int, channels: int, space: int, groups: int) -> Node:
    return b.reshape(b.cast(x, math_dtype(x.dtype)), (batch, groups, channels // groups, space))


def _of_channels(b: Builder, parameter: Node | None, groups: int) -> Node | None:
    return None if parameter is None else b.reshape(parameter, (groups, parameter.shape[0] // groups))


@aten("native_group_norm", meta=_meta(_aten.native_group_norm.default))
def _group_norm(
    b: Builder, out: Types, x: Node, weight: Node | None, bias: Node | None, batch: int, channels: int, space: int, groups: int, eps: Node
) -> Nodes:
    rows = _Rows(b, _grouped(b, x, batch, channels, space, groups), (2, 3))
    mean, variance = rows.moments()
    deviation = _inverse_deviation(b, variance, eps)
    normal = b.mul(rows.centered(mean), rows.spread(deviation))
    made = _affine(b, normal, _of_channels(b, weight, groups), _of_channels(b, bias, groups), (1, 2))
    return _rounded(b, (b.reshape(made, x.shape), mean, deviation), out)


@aten("native_group_norm_backward", meta=_meta_backward(_aten.native_group_norm_backward.default))
def _group_norm_backward(
    b: Builder,
    out: Types,
    grad: Node,
    x: Node,
    mean: Node,
    rstd: Node,
    weight: Node | None,
    batch: int,
    channels: int,
    space: int,
    groups: int,
    output_mask: Sequence[bool],
) -> Nodes:
    rows = _Rows(b, _grouped(b, x, batch, channels, space, groups), (2, 3))
    grad = b.reshape(b.cast(grad, rows.x.dtype), rows.x.shape)
    grad_x = rows.gradient(_affine(b, grad, _of_channels(b, weight, groups), None, (1, 2)), mean, rstd)
    normal = b.mul(rows.centered(mean), rows.spread(rstd))
    grad_weight, grad_bias = (b.reshape(b.sum(each, dims=(0, 3)), (channels,)) for each in (b.mul(grad, normal), grad))
    return _rounded(b, (b.reshape(grad_x, x.shape), grad_weight, grad_bias), out)
