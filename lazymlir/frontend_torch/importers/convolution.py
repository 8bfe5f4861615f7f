"""Convolution of any rank, its transpose, and the gradients of both: all are one correlation with other operands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from lazymlir.dialect import Builder, Node, TensorType

from ..registry import aten
from .common import math_dtype

Ints = Sequence[int]

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
    batch_groups: int = 1,
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
        batch_groups=batch_groups,
        result=TensorType((x.shape[0] // batch_groups, weight.shape[0], *counts), math_dtype(x.dtype)),
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
    grouped = b.reshape(weight, (groups, outs // groups, ins, *spatial))
    swapped = b.permute(grouped, (0, 2, 1, *range(3, grouped.rank)))
    joined = b.reshape(swapped, (groups * ins, outs // groups, *spatial))
    return b.flip(joined, dims=tuple(range(2, joined.rank))) if any(size > 1 for size in spatial) else joined


class _Geometry:
    """A convolution's stride, padding, dilation and groups."""

    def __init__(self, stride: Ints, padding: Ints, dilation: Ints, groups: int) -> None:
        self.stride, self.padding, self.dilation, self.groups = stride, padding, dilation, groups
        self.ones = (1,) * len(stride)

    def forward(self, b: Builder, x: Node, weight: Node, sizes: Ints) -> Node:
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
        low = [d * (k - 1) - p for d, k, p in zip(self.dilation, weight.shape[2:], self.padding, strict=True)]
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
        made = _correlate(
            b,
            _swap(b, x),
            _swap(b, y),
            sizes,
            strides=self.dilation,
            low=self.padding,
            x_dilation=self.ones,
            weight_dilation=self.stride,
            batch_groups=self.groups,
        )
        return _swap(b, made)


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
