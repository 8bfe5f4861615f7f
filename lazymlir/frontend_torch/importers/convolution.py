"""Convolution of any rank, its transpose, and the gradients of both: all are one correlation with other operands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import Any

import torch

from lazymlir.dialect import Builder, Node, TensorType

from ..registry import aten
from .common import math_dtype

Ints = Sequence[int]

SPLIT = 8
"""So many groups become a convolution each: XLA:CPU is several times slower at groups."""

UNROLLED = 25
"""Filters of single channels with at most this many elements are written out: on XLA:CPU many times faster."""

_aten = torch.ops.aten
_CHANNELS_LAST = {4: torch.channels_last, 5: torch.channels_last_3d}


def _is_channels_last(x: torch.Tensor) -> bool:
    wanted = _CHANNELS_LAST.get(x.dim())
    return wanted is not None and x.is_contiguous(memory_format=wanted) and not x.is_contiguous()


def _meta_forward(x: torch.Tensor, weight: torch.Tensor, *rest: Any) -> torch.Tensor:
    """As on the CPU, the result is channels-last if the input or the weight is."""
    made = _aten.convolution(x, weight, *rest)
    if _is_channels_last(x) or _is_channels_last(weight):
        return made.contiguous(memory_format=_CHANNELS_LAST[made.dim()])
    return made


def _meta_backward(grad: torch.Tensor, x: torch.Tensor, weight: torch.Tensor, *rest: Any) -> Any:
    return _aten.convolution_backward(grad, x, weight, [grad.shape[1]], *rest)


def _correlate(
    b: Builder,
    x: Node,
    weight: Node,
    sizes: Ints,
    *,
    strides: Ints,
    low: Ints,
    x_dilation: Ints,
    weight_dilation: Ints,
    groups: int = 1,
) -> Node:
    """The convolution whose result has the spatial `sizes`: the padding at the end follows from them.

    A negative padding crops: `x` where it is not dilated, else the result, since XLA:CPU's fast convolutions only pad.
    """
    starts = [max(-first, 0) for first in low]
    low = [max(first, 0) for first in low]
    high = []
    for i, size in enumerate(sizes):
        last = (size + starts[i] - 1) * strides[i] + (weight.shape[i + 2] - 1) * weight_dilation[i]
        end = last - ((x.shape[i + 2] - 1) * x_dilation[i] + low[i])
        if end < 0 and x_dilation[i] == 1:
            x = b.static_slice(x, i + 2, 0, x.shape[i + 2] + end)
        high.append(max(end, 0))
    padded = [(size - 1) * step + 1 + first + last for size, step, first, last in zip(x.shape[2:], x_dilation, low, high, strict=True)]
    windows = [(size - 1) * step + 1 for size, step in zip(weight.shape[2:], weight_dilation, strict=True)]
    counts = [(size - window) // stride + 1 for size, window, stride in zip(padded, windows, strides, strict=True)]
    made = b.convolution(
        x,
        weight,
        strides=tuple(strides),
        low=tuple(low),
        high=tuple(high),
        x_dilation=tuple(x_dilation),
        weight_dilation=tuple(weight_dilation),
        groups_count=groups,
        batch_groups=1,
        result=TensorType((x.shape[0], weight.shape[0], *counts), math_dtype(x.dtype)),
    )
    for i, size in enumerate(sizes):
        made = b.static_slice(made, i + 2, starts[i], size)
    return made


def _swap(b: Builder, x: Node) -> Node:
    """The first two dimensions exchanged."""
    return b.permute(x, (1, 0, *range(2, x.rank)))


def _mirrored(b: Builder, weight: Node, groups: int) -> Node:
    """The weight of the transposed correlation: input and output channels exchanged in each group, space reversed."""
    outs, ins, *spatial = weight.shape
    if groups == 1:
        joined = _swap(b, weight)
    else:
        grouped = b.reshape(weight, (groups, outs // groups, ins, *spatial))
        swapped = b.permute(grouped, (0, 2, 1, *range(3, grouped.rank)))
        joined = b.reshape(swapped, (groups * ins, outs // groups, *spatial))
    return b.flip(joined, dims=tuple(range(2, joined.rank))) if any(size > 1 for size in spatial) else joined


class _Geometry:
    """A convolution's stride, padding, dilation and groups."""

    def __init__(self, stride: Ints, padding: Ints, dilation: Ints, groups: int) -> None:
        self.stride, self.padding, self.dilation, self.groups = stride, padding, dilation, groups
        self.ones = (1,) * len(stride)

    def _low(self, kernel: Ints) -> list[int]:
        """Padding of the transposed correlation."""
        return [d * (k - 1) - p for d, k, p in zip(self.dilation, kernel, self.padding, strict=True)]

    def forward(self, b: Builder, x: Node, weight: Node, sizes: Ints) -> Node:
        if _is_depthwise(weight, self.groups):
            return _depthwise(b, x, weight, sizes, strides=self.stride, low=self.padding, x_dilation=self.ones, weight_dilation=self.dilation)
        if 1 < self.groups <= SPLIT:
            return self._split(b, _Geometry.forward, x, weight, sizes, weight_dim=0, result_dim=1)
        return _correlate(
            b,
            x,
            weight,
            sizes,
            strides=self.stride,
            low=self.padding,
            x_dilation=self.ones,
            weight_dilation=self.dilation,
            groups=self.groups,
        )

    def transposed(self, b: Builder, y: Node, weight: Node, sizes: Ints) -> Node:
        """What the correlation with `weight` is the transpose of: an input's gradient from an output's."""
        low = self._low(weight.shape[2:])
        if _is_depthwise(weight, self.groups):
            mirrored = b.flip(weight, dims=tuple(range(2, weight.rank)))
            each = _depthwise(b, y, mirrored, sizes, strides=self.ones, low=low, x_dilation=self.stride, weight_dilation=self.dilation)
            return _sum_multiples(b, each, self.groups)
        if 1 < self.groups <= SPLIT:
            return self._split(b, _Geometry.transposed, y, weight, sizes, weight_dim=0, result_dim=1)
        return _correlate(
            b,
            y,
            _mirrored(b, weight, self.groups),
            sizes,
            strides=self.ones,
            low=low,
            x_dilation=self.stride,
            weight_dilation=self.dilation,
            groups=self.groups,
        )

    def weight_gradient(self, b: Builder, x: Node, y: Node, sizes: Ints) -> Node:
        """From a correlation's input and the gradient of its output: the batch is what is summed over."""
        if x.shape[1] == self.groups > 1 and prod(sizes) <= UNROLLED:
            return _depthwise_weight_gradient(b, x, y, sizes, strides=self.stride, low=self.padding, dilation=self.dilation)
        if 1 < self.groups <= SPLIT:
            return self._split(b, _Geometry.weight_gradient, x, y, sizes, weight_dim=1, result_dim=0)
        made = _correlate(
            b,
            self._batches_as_features(b, x),
            _swap(b, y),
            sizes,
            strides=self.dilation,
            low=self.padding,
            x_dilation=self.ones,
            weight_dilation=self.stride,
            groups=self.groups,
        )
        return _swap(b, made)

    def _batches_as_features(self, b: Builder, x: Node) -> Node:
        """Batches of each group side by side as features, since XLA:CPU is slow at groups of batches."""
        if self.groups == 1:
            return _swap(b, x)
        batch, channels, *spatial = x.shape
        inner = channels // self.groups
        grouped = b.permute(b.reshape(x, (batch, self.groups, inner, *spatial)), (2, 1, 0, *range(3, x.rank + 1)))
        return b.reshape(grouped, (inner, self.groups * batch, *spatial))

    def _split(self, b: Builder, function: Any, x: Node, other: Node, sizes: Ints, *, weight_dim: int, result_dim: int) -> Node:
        """Group by group."""
        single = _Geometry(self.stride, self.padding, self.dilation, 1)
        channels, others = x.shape[1] // self.groups, other.shape[weight_dim] // self.groups
        parts = [
            function(single, b, b.static_slice(x, 1, i * channels, channels), b.static_slice(other, weight_dim, i * others, others), sizes)
            for i in range(self.groups)
        ]
        return b.join(parts, result_dim)


# A filter for each channel: sums of shifted products, elementwise.


def _is_depthwise(weight: Node, groups: int) -> bool:
    return weight.shape[1] == 1 and groups > 1 and prod(weight.shape[2:]) <= UNROLLED


def _shifted(
    b: Builder, x: Node, sizes: Ints, kernel: Ints, *, strides: Ints, low: Ints, x_dilation: Ints, weight_dilation: Ints
) -> Iterator[tuple[tuple[int, ...], Node]]:
    """For each element of the kernel, its place and what it is multiplied with in every window."""
    spans = [(size - 1) * stride + (k - 1) * dilation + 1 for size, stride, k, dilation in zip(sizes, strides, kernel, weight_dilation, strict=True)]
    have = [(n - 1) * step + 1 for n, step in zip(x.shape[2:], x_dilation, strict=True)]
    high = [span - n - first for span, n, first in zip(spans, have, low, strict=True)]
    if any((*low, *high)) or any(step > 1 for step in x_dilation):
        interior = (0, 0, *(step - 1 for step in x_dilation))
        x = b.pad(x, b.constant(0, TensorType((), x.dtype)), low=(0, 0, *low), high=(0, 0, *high), interior=interior)
    for element in product(*map(range, kernel)):
        starts = (0, 0, *(i * dilation for i, dilation in zip(element, weight_dilation, strict=True)))
        yield element, b.slice(x, starts=starts, sizes=(*x.shape[:2], *sizes), steps=(1, 1, *strides))


def _multiplied(b: Builder, x: Node, channels: int) -> Node:
    """Each channel repeated, to `channels` in all, in the type to sum in."""
    x = b.cast(x, math_dtype(x.dtype))
    batch, given, *spatial = x.shape
    if given == channels:
        return x
    apart = b.expand(b.reshape(x, (batch, given, 1, *spatial)), (batch, given, channels // given, *spatial))
    return b.reshape(apart, (batch, channels, *spatial))


def _sum_multiples(b: Builder, x: Node, groups: int) -> Node:
    batch, channels, *spatial = x.shape
    return x if channels == groups else b.sum(b.reshape(x, (batch, groups, channels // groups, *spatial)), dims=(2,))


def _depthwise(b: Builder, x: Node, weight: Node, sizes: Ints, **geometry: Ints) -> Node:
    channels, _, *kernel = weight.shape
    x, flat = _multiplied(b, x, channels), b.cast(b.reshape(weight, (channels, prod(kernel))), math_dtype(weight.dtype))
    total: Node | None = None
    for i, (_, piece) in enumerate(_shifted(b, x, sizes, kernel, **geometry)):
        factor = b.reshape(b.static_slice(flat, 1, i, 1), (channels, *(1 for _ in kernel)))
        term = b.mul(piece, b.expand(factor, piece.shape))
        total = term if total is None else b.add(total, term)
    assert total is not None
    return total


def _depthwise_weight_gradient(b: Builder, x: Node, y: Node, kernel: Ints, *, strides: Ints, low: Ints, dilation: Ints) -> Node:
    channels = y.shape[1]
    x, y = _multiplied(b, x, channels), b.cast(y, math_dtype(y.dtype))
    dims = (0, *range(2, y.rank))
    pieces = _shifted(b, x, y.shape[2:], kernel, strides=strides, low=low, x_dilation=(1,) * len(kernel), weight_dilation=dilation)
    sums = [b.reshape(b.sum(b.mul(piece, y), dims=dims), (channels, 1)) for _, piece in pieces]
    return b.reshape(b.join(sums, 1), (channels, 1, *kernel))


@aten("convolution_overrideable", meta=_meta_forward)
def convolution(
    b: Builder,
    out: TensorType,
    x: Node,
    weight: Node,
    bias: Node | None,
    stride: Ints,
    padding: Ints,
    dilation: Ints,
    transposed: bool,
    output_padding: Ints,
    groups: int,
) -> Node:
    geometry = _Geometry(stride, padding, dilation, groups)
    sizes = out.shape[2:]
    made = geometry.transposed(b, x, weight, sizes) if transposed else geometry.forward(b, x, weight, sizes)
    if bias is not None:
        offset = b.reshape(b.cast(bias, made.dtype), (*bias.shape, *(1 for _ in sizes)))
        made = b.add(made, b.expand(offset, out.shape))
    return b.cast(made, out.dtype)


@aten("convolution_backward_overrideable", meta=_meta_backward)
def convolution_backward(
    b: Builder,
    out: tuple[TensorType | None, ...],
    grad: Node,
    x: Node,
    weight: Node,
    stride: Ints,
    padding: Ints,
    dilation: Ints,
    transposed: bool,
    output_padding: Ints,
    groups: int,
    output_mask: Sequence[bool],
) -> tuple[Node | None, ...]:
    geometry = _Geometry(stride, padding, dilation, groups)
    grad_x = grad_weight = grad_bias = None
    if out[0] is not None:
        gradient = geometry.forward if transposed else geometry.transposed
        grad_x = b.cast(gradient(b, grad, weight, out[0].shape[2:]), out[0].dtype)
    if out[1] is not None:
        inner, outer = (grad, x) if transposed else (x, grad)
        grad_weight = b.cast(geometry.weight_gradient(b, inner, outer, out[1].shape[2:]), out[1].dtype)
    if out[2] is not None:
        grad_bias = b.sum(grad, dims=(0, *range(2, grad.rank)))
    return grad_x, grad_weight, grad_bias
