"""Pooling over windows of fixed size, and its gradients."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

from lazymlir.dialect import Builder, Node, TensorType

from ..registry import aten
from .common import math_dtype

__all__ = ["Windows", "maximum_gradient", "places_scattered", "row_major"]

Ints = Sequence[int]

UNROLLED = 64
"""A gradient is gathered from at most this many windows: on XLA:CPU that is far faster than a scatter."""


class Windows:
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


def _windows(x: TensorType, y: TensorType, rank: int, kernel: Ints, stride: Ints, padding: Ints, dilation: Ints = (1,)) -> Windows:
    return Windows(x.shape[-rank:], y.shape[-rank:], kernel, stride, padding, dilation)


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
        return maximum_gradient(b, out, grad, indices, _windows(x.type, grad.type, rank, kernel, stride, padding, dilation))


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


def _placed(b: Builder, x: Node, starts: Ints, spatial: Ints, fill: float) -> Node:
    """`x` with its last dimensions standing at `starts` in a space of sizes `spatial`, cropped to it."""
    lead = (0,) * (x.rank - len(spatial))
    low = (*lead, *starts)
    high = (*lead, *(size - first - have for size, first, have in zip(spatial, starts, x.shape[-len(spatial) :], strict=True)))
    if not any((*low, *high)):
        return x
    return b.pad(x, b.constant(fill, TensorType((), x.dtype)), low=low, high=high, interior=(0,) * x.rank)


def _places(b: Builder, type_: TensorType, rank: int) -> Node:
    """For each element its place in the flattened last dimensions."""
    total = b.constant(0, type_)
    for i, step in enumerate(row_major(type_.shape[-rank:])):
        along = b.iota(dim=type_.rank - rank + i, result=type_)
        total = b.add(total, along if step == 1 else b.mul(along, b.constant(step, type_)))
    return total


def maximum_gradient(b: Builder, out: TensorType, grad: Node, indices: Node, w: Windows) -> Node:
    """Each element asks the windows that it may be in whether it was the largest. Windows begin `stride` apart, so these
    are a few neighbours; their answers are laid over the input by repeating each window's `stride` times."""
    reach = [-(-((k - 1) * dilation + 1) // stride) for k, dilation, stride in zip(w.kernel, w.dilation, w.stride, strict=True)]
    if prod(reach) > UNROLLED:
        return places_scattered(b, out, grad, indices, w.rank)
    dtype = out.dtype if prod(reach) == 1 else math_dtype(out.dtype)
    answers, shares = _spread(b, narrowed(b, indices, w.spatial), w.stride), _spread(b, b.cast(grad, dtype), w.stride)
    own = _places(b, TensorType(out.shape, answers.dtype), w.rank)
    nothing = b.constant(0, TensorType(out.shape, dtype))
    total: Node | None = None
    for neighbour in product(*map(range, reach)):
        starts = [i * stride - pad for i, stride, pad in zip(neighbour, w.stride, w.padding, strict=True)]
        chosen = b.eq(_placed(b, answers, starts, w.spatial, -1), own)
        share = b.where(chosen, _placed(b, shares, starts, w.spatial, 0), nothing)
        total = share if total is None else b.add(total, share)
    return nothing if total is None else b.cast(total, out.dtype)


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


def _sizes_along(w: Windows, dim: int, count_include_pad: bool) -> list[int]:
    """How many elements each window along `dim` counts, as torch does: at most up to the end of the padding."""
    size, pad, sizes = w.spatial[dim], w.padding[dim], []
    for i in range(w.outputs[dim]):
        start = i * w.stride[dim] - pad
        end = min(start + w.kernel[dim], size + pad)
        sizes.append(end - start if count_include_pad else min(end, size) - max(start, 0))
    return sizes


def _computed_sizes(b: Builder, w: Windows, dim: int, count_include_pad: bool, type_: TensorType) -> Node:
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


def _divided(b: Builder, x: Node, w: Windows, count_include_pad: bool, divisor: int | None) -> Node:
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
            return b.cast(_placed(b, _spread(b, shared, w.kernel), (0,) * rank, w.spatial, 0), out.dtype)
        low = [k - 1 - pad for k, pad in zip(w.kernel, w.padding, strict=True)]
        spans = [(count - 1) * stride + 1 for count, stride in zip(w.outputs, w.stride, strict=True)]
        high = [size + k - 1 - first - span for size, k, first, span in zip(w.spatial, w.kernel, low, spans, strict=True)]
        padded_high = [max(end, 0) for end in high]
        made = _sum_windows(b, shared, grad.rank - rank, window=w.kernel, low=low, high=padded_high, x_dilation=w.stride)
        return b.cast(_placed(b, made, (0,) * rank, w.spatial, 0), out.dtype)


for _rank in (2, 3):
    _avg_pool(_rank)
