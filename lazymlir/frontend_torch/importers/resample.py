"""Resizing by cubic convolution, and with antialiasing: along each of two dimensions, a result is the weighted sum of a few
neighbours, its taps."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

from lazymlir.dialect import Builder, Node, TensorType

from ..registry import aten
from .common import full, math_dtype, spread
from .cubic import cubic_filter_far, cubic_filter_near, cubic_weights
from .formula import Term, absolute, floor, maximum, minimum, where
from .index import add_slices, take_slices
from .upsample import scale_of

Ints = Sequence[int]

UNROLLED = 96
"""At most so many taps are added up one by one, which XLA:CPU does far faster than a reduction."""


class _Taps(NamedTuple):
    """For each of the results along one dimension: where its taps stand, their weights, and which of them there are (None
    where all). Each is [taps, results]."""

    places: Term
    weights: Term
    valid: Term | None


class _Axis(NamedTuple):
    """A dimension of `size` resized to `count`."""

    size: int
    count: int
    scale: float

    def counted(self, b: Builder, taps: int, dim: int, dtype: str) -> Term:
        """The number of each tap (dimension 0) or of each result (dimension 1)."""
        return Term(b, b.iota(dim=dim, result=TensorType((taps, self.count), dtype)))


def _cubic_taps(b: Builder, axis: _Axis, align_corners: bool, dtype: str) -> _Taps:
    result = axis.counted(b, 1, 1, dtype)
    place = result * axis.scale if align_corners else (result + 0.5) * axis.scale - 0.5
    first = minimum(floor(place), axis.size - 1)
    part = minimum(maximum(place - first, 0), 1)
    weights = Term(b, b.join([weight.node for weight in cubic_weights(part, -0.75)], 0))
    places = Term(b, b.expand(first.cast("i64").node, weights.node.shape)) + axis.counted(b, 4, 0, "i64") - 1
    return _Taps(minimum(maximum(places, 0), axis.size - 1), weights, None)


def _triangle(x: Term) -> Term:
    x = absolute(x)
    return where(x < 1, 1 - x, 0)


def _cubic(x: Term) -> Term:
    x = absolute(x)
    return where(x < 1, cubic_filter_near(x, -0.5), where(x < 2, cubic_filter_far(x, -0.5), 0))


def _antialiased_taps(b: Builder, axis: _Axis, cubic: bool, dtype: str) -> _Taps:
    """The filter is as wide as a result's share of the input, and at least as for a larger result."""
    stretch = max(axis.scale, 1.0)
    support = (2.0 if cubic else 1.0) * stretch
    taps = ceil(support) * 2 + 1
    centre = (axis.counted(b, taps, 1, dtype) + 0.5) * axis.scale
    first = maximum((centre - support + 0.5).cast("i64"), 0)
    length = minimum((centre + support + 0.5).cast("i64"), axis.size) - first
    tap = axis.counted(b, taps, 0, "i64")
    valid = tap < length
    places = tap + first
    weights = (_cubic if cubic else _triangle)((places.cast(dtype) - centre + 0.5) * (1.0 / stretch))
    weights = where(valid, weights, 0)
    total = Term(b, b.expand(b.sum(weights.node, dims=(0,)), weights.node.shape))
    return _Taps(minimum(places, axis.size - 1), where(total.equals(0), weights, weights / total), valid)


def _along(x: Term, dim: int, shape: Sequence[int]) -> Term:
    """A number for each place along `dim`, for every element."""
    return Term(x.b, spread(x.b, x.node, range(dim, dim + x.node.rank), shape))


def _weighted(b: Builder, x: Node, taps: _Taps, dim: int) -> Node:
    """Sums the taps: the transpose of `_shared`."""
    count, results = taps.places.node.shape
    if count > UNROLLED:
        taken = Term(b, b.index(x, taps.places.node, dims=(dim,)))
        weights, valid = (None if part is None else _along(part, 0, taken.node.shape) for part in (taps.weights, taps.valid))
        assert weights is not None
        summed = b.sum((taken * weights if valid is None else where(valid, taken * weights, 0)).node, dims=(0,))
        return b.permute(summed, (*range(1, dim + 1), 0, *range(dim + 1, x.rank)))
    total: Term | None = None
    for tap in range(count):
        places, weights, valid = (None if part is None else Term(b, b.reshape(b.static_slice(part.node, 0, tap, 1), (results,))) for part in taps)
        assert places is not None and weights is not None
        taken = Term(b, take_slices(b, x, dim, places.node))
        share = taken * _along(weights, dim, taken.node.shape)
        share = share if valid is None else where(_along(valid, dim, taken.node.shape), share, 0)
        total = share if total is None else total + share
    assert total is not None
    return total.node


def _shared(b: Builder, y: Node, taps: _Taps, dim: int, size: int) -> Node:
    """Gives each tap its share of a result's gradient."""
    count, results = taps.places.node.shape
    before, after = y.shape[:dim], y.shape[dim + 1 :]
    wide = (*before, count, results, *after)
    repeated = Term(b, b.expand(b.reshape(y, (*before, 1, results, *after)), wide))
    shares = repeated * _along(taps.weights, dim, wide)
    shares = shares if taps.valid is None else where(_along(taps.valid, dim, wide), shares, 0)
    flat = b.reshape(shares.node, (*before, count * results, *after))
    return add_slices(b, flat, dim, b.reshape(taps.places.node, (count * results,)), size)


def _resampled(name: str, antialias: bool, cubic: bool) -> None:
    def taps_of(b: Builder, axis: _Axis, align_corners: bool, dtype: str) -> _Taps:
        return _antialiased_taps(b, axis, cubic, dtype) if antialias else _cubic_taps(b, axis, align_corners, dtype)

    def axes(sizes: Ints, counts: Ints, align_corners: bool, scales: Sequence[float | None]) -> list[_Axis]:
        return [_Axis(size, count, scale_of(size, count, scale, align_corners)) for size, count, scale in zip(sizes, counts, scales, strict=True)]

    @aten(name, static=("scales_h", "scales_w"), accepts=lambda x, *_, **__: x.is_floating_point())
    def importer(
        b: Builder, out: TensorType, x: Node, output_size: Ints, align_corners: bool, scales_h: float | None = None, scales_w: float | None = None
    ) -> Node:
        if out.size == 0:
            return full(b, 0, out)
        made = b.cast(x, math_dtype(x.dtype))
        vertical, horizontal = axes(x.shape[2:], output_size, align_corners, (scales_h, scales_w))
        made = _weighted(b, made, taps_of(b, horizontal, align_corners, made.dtype), 3)
        return b.cast(_weighted(b, made, taps_of(b, vertical, align_corners, made.dtype), 2), out.dtype)

    @aten(f"{name}_backward", static=("scales_h", "scales_w"))
    def backward(
        b: Builder,
        out: TensorType,
        grad: Node,
        output_size: Ints,
        input_size: Ints,
        align_corners: bool,
        scales_h: float | None = None,
        scales_w: float | None = None,
    ) -> Node:
        if grad.type.size == 0:
            return full(b, 0, out)
        made = b.cast(grad, math_dtype(grad.dtype))
        vertical, horizontal = axes(input_size[2:], output_size, align_corners, (scales_h, scales_w))
        made = _shared(b, made, taps_of(b, vertical, align_corners, made.dtype), 2, vertical.size)
        return b.cast(_shared(b, made, taps_of(b, horizontal, align_corners, made.dtype), 3, horizontal.size), out.dtype)


_resampled("upsample_bicubic2d", antialias=False, cubic=True)
_resampled("_upsample_bilinear2d_aa", antialias=True, cubic=False)
_resampled("_upsample_bicubic2d_aa", antialias=True, cubic=True)
