"""Pooling over windows of fixed size, and its gradients."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

from lazymlir.dialect import Builder, Node, TensorType

from ..registry import aten
from .common import math_dtype

__all__ = ["maximum_gradient_by_blocks", "places_scattered"]

Ints = Sequence[int]

UNROLLED = 64
"""Windows of at most this many elements have their gradient written element by element: on XLA:CPU far faster than a scatter."""


class _Windows:
    """The windows of a pooling over the last dimensions."""

    def __init__(self, spatial: Ints, outputs: Ints, kernel: Ints, stride: Ints, padding: Ints, dilation: Ints = (1,)) -> None:
        rank = len(spatial)
        self.spatial, self.outputs = tuple(spatial), tuple(outputs)
        self.kernel = _per_dim(kernel, rank)
        self.stride = _per_dim(stride or kernel, rank)
        self.padding = _per_dim(padding, rank)
        self.dilation = _per_dim(dilation, rank)

    @property
    def rank(self) -> int:
        return len(self.spatial)

    @property
    def high(self) -> tuple[int, ...]:
        """Padding at the end, just enough for the last window (in ceil mode it may reach beyond the padding asked for)."""
        return tuple(
            max((count - 1) * stride + (kernel - 1) * dilation + 1 - size - low, 0)
            for size, count, kernel, stride, low, dilation in zip(
                self.spatial, self.outputs, self.kernel, self.stride, self.padding, self.dilation, strict=True
            )
        )

    @property
    def blocks(self) -> bool:
        """Whether the windows lie side by side."""
        return self.kernel == self.stride and not any(self.padding) and all(step == 1 for step in self.dilation)


def _per_dim(numbers: Ints, rank: int) -> tuple[int, ...]:
    return tuple(numbers) * rank if len(numbers) == 1 else tuple(numbers)


def _windows(x: TensorType, y: TensorType, rank: int, kernel: Ints, stride: Ints, padding: Ints, dilation: Ints = (1,)) -> _Windows:
    return _Windows(x.shape[-rank:], y.shape[-rank:], kernel, stride, padding, dilation)


# Maxima.


def _max_pool(rank: int) -> None:
    @aten(f"max_pool{rank}d_with_indices")
    def importer(
        b: Builder,
        out: tuple[TensorType, TensorType],
        x: Node,
        kernel: Ints,
        stride: Ints = (),
        padding: Ints = (0,),
        dilation: Ints = (1,),
        ceil_mode: bool = False,
    ) -> tuple[Node, Node]:
        w = _windows(x.type, out[0], rank, kernel, stride, padding, dilation)
        return b.max_pool(x, window=w.kernel, strides=w.stride, low=w.padding, high=w.high, dilation=w.dilation)

    @aten(f"max_pool{rank}d_with_indices_backward")
    def backward(
        b: Builder, out: TensorType, grad: Node, x: Node, kernel: Ints, stride: Ints, padding: Ints, dilation: Ints, ceil_mode: bool, indices: Node
    ) -> Node:
        w = _windows(x.type, grad.type, rank, kernel, stride, padding, dilation)
        if w.blocks:
            return maximum_gradient_by_blocks(b, out, grad, indices, w.kernel)
        if prod(w.kernel) <= UNROLLED:
            return _maximum_gradient_by_elements(b, out, grad, indices, w)
        return places_scattered(b, out, grad, indices, rank)


for _rank in (2, 3):
    _max_pool(_rank)


def row_major(spatial: Ints) -> list[int]:
    """How far apart neighbours along each dimension lie in the flattened space."""
    return [prod(spatial[dim + 1 :]) for dim in range(len(spatial))]


def narrowed(b: Builder, indices: Node, spatial: Ints) -> Node:
    """Places in 32 bits where that counts them all: twice as many in a vector register."""
    return b.cast(indices, "i32" if prod(spatial) < 2**31 else "i64")


def _spread(b: Builder, y: Node, kernel: Ints) -> Node:
    """Each element of the last dimensions repeated over a block of the kernel's size."""
    rank = len(kernel)
    lead, spatial = y.shape[:-rank], y.shape[-rank:]
    apart = b.reshape(y, (*lead, *(n for size in spatial for n in (size, 1))))
    repeated = b.expand(apart, (*lead, *(n for size, k in zip(spatial, kernel, strict=True) for n in (size, k))))
    return b.reshape(repeated, (*lead, *(size * k for size, k in zip(spatial, kernel, strict=True))))


def _fit(b: Builder, x: Node, spatial: Ints) -> Node:
    """Padded with zeros or cropped at the end to the spatial sizes."""
    rank = len(spatial)
    high = [0] * (x.rank - rank) + [size - have for size, have in zip(spatial, x.shape[-rank:], strict=True)]
    if not any(high):
        return x
    none = (0,) * x.rank
    return b.pad(x, b.constant(0, TensorType((), x.dtype)), low=none, high=tuple(high), interior=none)


def _places(b: Builder, type_: TensorType, spatial: Ints) -> Node:
    """For each position of the last dimensions, its place in the flattened space of sizes `spatial`."""
    total = b.constant(0, type_)
    for i, step in enumerate(row_major(spatial)):
        along = b.iota(dim=type_.rank - len(spatial) + i, result=type_)
        total = b.add(total, along if step == 1 else b.mul(along, b.constant(step, type_)))
    return total


def maximum_gradient_by_blocks(b: Builder, out: TensorType, grad: Node, indices: Node, kernel: Ints) -> Node:
    """Where windows lie side by side, each element asks its window whether it was the largest."""
    spatial = out.shape[-len(kernel) :]
    indices = _spread(b, narrowed(b, indices, spatial), kernel)
    grad = _spread(b, grad, kernel)
    chosen = b.eq(indices, _places(b, indices.type, spatial))
    return _fit(b, b.where(chosen, grad, b.constant(0, grad.type)), spatial)


def _maximum_gradient_by_elements(b: Builder, out: TensorType, grad: Node, indices: Node, w: _Windows) -> Node:
    """For each element of the window, its gradients from all windows at once, put where they belong; then the sum."""
    dtype = math_dtype(out.dtype)
    grad, indices = b.cast(grad, dtype), narrowed(b, indices, w.spatial)
    steps = row_major(w.spatial)
    # Place of each window's start; padding may make it negative.
    scaled = [size * stride for size, stride in zip(steps, w.stride, strict=True)]
    starts = b.constant(0, indices.type)
    for i, step in enumerate(scaled):
        along = b.iota(dim=indices.rank - w.rank + i, result=indices.type)
        starts = b.add(starts, b.mul(along, b.constant(step, indices.type)))
    relative = b.sub(indices, starts)
    zeros, zero = b.constant(0, grad.type), b.constant(0, TensorType((), dtype))
    total: Node | None = None
    lead = (0,) * (grad.rank - w.rank)
    for element in product(*map(range, w.kernel)):
        low = [i * step - pad for i, step, pad in zip(element, w.dilation, w.padding, strict=True)]
        offset = sum(first * step for first, step in zip(low, steps, strict=True))
        piece = b.where(b.eq(relative, b.constant(offset, relative.type)), grad, zeros)
        high = [size - first - (count - 1) * stride - 1 for size, first, count, stride in zip(w.spatial, low, w.outputs, w.stride, strict=True)]
        interior = [stride - 1 for stride in w.stride]
        placed = b.pad(piece, zero, low=(*lead, *low), high=(*lead, *high), interior=(*lead, *interior))
        total = placed if total is None else b.add(total, placed)
    assert total is not None
    return b.cast(total, out.dtype)


def places_scattered(b: Builder, out: TensorType, grad: Node, indices: Node, rank: int) -> Node:
    """Adds each gradient where its index says."""
    dtype = math_dtype(out.dtype)
    lead = prod(out.shape[: len(out.shape) - rank])
    flat = TensorType((lead, prod(out.shape[len(out.shape) - rank :])), dtype)
    count = prod(grad.shape[grad.rank - rank :])
    update, index = (b.reshape(x, (lead, count)) for x in (b.cast(grad, dtype), indices))
    summed = b.scatter(b.constant(0, flat), index, update, dim=1, kind="add")
    return b.cast(b.reshape(summed, out.shape), out.dtype)


# Averages.


def _sizes_along(w: _Windows, dim: int, count_include_pad: bool) -> list[int]:
    """How many elements each window along `dim` counts, as torch does: at most up to the end of the padding."""
    size, pad, sizes = w.spatial[dim], w.padding[dim], []
    for i in range(w.outputs[dim]):
        start = i * w.stride[dim] - pad
        end = min(start + w.kernel[dim], size + pad)
        sizes.append(end - start if count_include_pad else min(end, size) - max(start, 0))
    return sizes


def _computed_sizes(b: Builder, w: _Windows, dim: int, count_include_pad: bool, type_: TensorType) -> Node:
    """The same by arithmetic over the output's positions, since a graph holds no tables."""
    places = TensorType((w.outputs[dim],), "i64")

    def number(value: int) -> Node:
        return b.constant(value, places)

    start = b.sub(b.mul(b.iota(dim=0, result=places), number(w.stride[dim])), number(w.padding[dim]))
    end = b.minimum(b.add(start, number(w.kernel[dim])), number(w.spatial[dim] + w.padding[dim]))
    if not count_include_pad:
        start, end = b.maximum(start, number(0)), b.minimum(end, number(w.spatial[dim]))
    sizes = b.cast(b.sub(end, start), type_.dtype)
    return b.expand(b.reshape(sizes, (w.outputs[dim], *(1 for _ in range(w.rank - dim - 1)))), type_.shape)


def _divided(b: Builder, x: Node, w: _Windows, count_include_pad: bool, divisor: int | None) -> Node:
    """`x`, one element for each window, divided by the number of elements of its window."""
    if divisor is not None:
        return b.div(x, b.constant(divisor, x.type))
    count = 1
    area: Node | None = None
    for dim in range(w.rank):
        sizes = set(_sizes_along(w, dim, count_include_pad))
        if len(sizes) <= 1:
            count *= next(iter(sizes), 1)
            continue
        along = _computed_sizes(b, w, dim, count_include_pad, x.type)
        area = along if area is None else b.mul(area, along)
    splat = b.constant(count, x.type)
    return b.div(x, splat if area is None else b.mul(area, splat))


def _sum_windows(b: Builder, x: Node, lead: int, **spatial: Ints) -> Node:
    """A sum over windows of the last dimensions, given what is not 1 or 0."""
    neutral = {"window": 1, "strides": 1, "low": 0, "high": 0, "x_dilation": 1, "dilation": 1}
    rank = x.rank - lead
    whole = {name: (*((value,) * lead), *spatial.get(name, (value,) * rank)) for name, value in neutral.items()}
    return b.reduce_window(x, kind="sum", **whole)


def _avg_pool(rank: int) -> None:
    @aten(f"avg_pool{rank}d")
    def importer(
        b: Builder,
        out: TensorType,
        x: Node,
        kernel: Ints,
        stride: Ints = (),
        padding: Ints = (0,),
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> Node:
        w = _windows(x.type, out, rank, kernel, stride, padding)
        x = b.cast(x, math_dtype(x.dtype))
        total = _sum_windows(b, x, x.rank - rank, window=w.kernel, strides=w.stride, low=w.padding, high=w.high)
        return b.cast(_divided(b, total, w, count_include_pad, divisor_override), out.dtype)

    @aten(f"avg_pool{rank}d_backward")
    def backward(
        b: Builder,
        out: TensorType,
        grad: Node,
        x: Node,
        kernel: Ints,
        stride: Ints,
        padding: Ints,
        ceil_mode: bool,
        count_include_pad: bool,
        divisor_override: int | None,
    ) -> Node:
        w = _windows(x.type, grad.type, rank, kernel, stride, padding)
        shared = _divided(b, b.cast(grad, math_dtype(grad.dtype)), w, count_include_pad, divisor_override)
        if w.blocks:
            return b.cast(_fit(b, _spread(b, shared, w.kernel), w.spatial), out.dtype)
        low = [k - 1 - pad for k, pad in zip(w.kernel, w.padding, strict=True)]
        spans = [(count - 1) * stride + 1 for count, stride in zip(w.outputs, w.stride, strict=True)]
        high = [size + k - 1 - first - span for size, k, first, span in zip(w.spatial, w.kernel, low, spans, strict=True)]
        padded_high = [max(end, 0) for end in high]
        made = _sum_windows(b, shared, grad.rank - rank, window=w.kernel, low=low, high=padded_high, x_dilation=w.stride)
        return b.cast(_fit(b, made, w.spatial), out.dtype)


for _rank in (2, 3):
    _avg_pool(_rank)
