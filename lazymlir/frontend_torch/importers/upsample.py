"""Resizing by interpolation: along one dimension after the other, each result is a weighted sum of two neighbours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from lazymlir.dialect import Builder, Node, TensorType

from ..registry import aten
from .common import math_dtype, spread
from .index import add_slices, take_slices

__all__ = ["scale_of"]

Ints = Sequence[int]
Scales = Sequence[float | None]


def scale_of(size: int, count: int, given: float | None, align_corners: bool) -> float:
    """How far apart in the input two results lie where a dimension of `size` is resized to `count`."""
    if align_corners:
        return (size - 1) / (count - 1) if count > 1 else 0.0
    return 1.0 / given if given is not None and given > 0 else size / count


class _Axis:
    """How one dimension is resized. Places are computed in float32, as torch computes them; those of a linear
    interpolation in float64 where that is the input's type."""

    def __init__(self, size: int, count: int, scale: float | None, align_corners: bool = False, dtype: str = "f32") -> None:
        self.size, self.count, self.dtype = size, count, dtype
        self.given = scale is not None and scale > 0
        self.scale = scale_of(size, count, scale, align_corners)
        self.align_corners = align_corners

    @property
    def times(self) -> int:
        """How often each element appears if all do equally often, else 0."""
        whole = self.count % self.size == 0 and self.scale == self.size / self.count
        return self.count // self.size if whole else 0


def _scaled(b: Builder, axis: _Axis, before: float = 0.0, after: float = 0.0) -> Node:
    """(i + before) * scale + after for each result i."""
    type_ = TensorType((axis.count,), axis.dtype)
    place = b.iota(dim=0, result=type_)
    if before:
        place = b.add(place, b.constant(before, type_))
    place = b.mul(place, b.constant(axis.scale, type_))
    return b.add(place, b.constant(after, type_)) if after else place


def _limited(b: Builder, place: Node, axis: _Axis) -> Node:
    return b.minimum(b.cast(place, "i64"), b.constant(axis.size - 1, TensorType(place.shape, "i64")))


def _nearest_places(b: Builder, axis: _Axis) -> Node:
    return _limited(b, b.floor(_scaled(b, axis)), axis)


def _nearest_exact_places(b: Builder, axis: _Axis) -> Node:
    return _limited(b, b.floor(_scaled(b, axis, before=0.5)), axis)


def _linear_places(b: Builder, axis: _Axis) -> tuple[Node, Node, Node]:
    """For each result its two neighbours and the weight of the second."""
    if axis.align_corners:
        place = _scaled(b, axis)
    else:
        place = _scaled(b, axis, before=0.5, after=-0.5)
        place = b.maximum(place, b.constant(0, place.type))
    lower = _limited(b, b.floor(place), axis)
    upper = b.minimum(b.add(lower, b.constant(1, lower.type)), b.constant(axis.size - 1, lower.type))
    weight = b.sub(place, b.cast(lower, place.dtype))
    one, zero = b.constant(1, weight.type), b.constant(0, weight.type)
    return lower, upper, b.minimum(b.maximum(weight, zero), one)


def _along(b: Builder, weight: Node, type_: TensorType, dim: int) -> Node:
    """One weight for each place along `dim`, for every element of `type_`."""
    return spread(b, b.cast(weight, type_.dtype), (dim,), type_.shape)


class _Nearest:
    def __init__(self, places: Callable[[Builder, _Axis], Node]) -> None:
        self.places = places

    def forward(self, b: Builder, x: Node, dim: int, axis: _Axis) -> Node:
        if not axis.times:
            return take_slices(b, x, dim, self.places(b, axis))
        lead, rest = x.shape[: dim + 1], x.shape[dim + 1 :]
        repeated = b.expand(b.reshape(x, (*lead, 1, *rest)), (*lead, axis.times, *rest))
        return b.reshape(repeated, (*x.shape[:dim], axis.count, *rest))

    def backward(self, b: Builder, y: Node, dim: int, axis: _Axis) -> Node:
        if not axis.times:
            return add_slices(b, y, dim, self.places(b, axis), axis.size)
        apart = b.reshape(y, (*y.shape[:dim], axis.size, axis.times, *y.shape[dim + 1 :]))
        return b.sum(apart, dims=(dim + 1,))


class _Linear:
    @staticmethod
    def forward(b: Builder, x: Node, dim: int, axis: _Axis) -> Node:
        if axis.size == axis.count:
            return x
        lower, upper, weight = _linear_places(b, axis)
        first, second = take_slices(b, x, dim, lower), take_slices(b, x, dim, upper)
        part = _along(b, weight, first.type, dim)
        return b.add(b.mul(first, b.sub(b.constant(1, part.type), part)), b.mul(second, part))

    @staticmethod
    def backward(b: Builder, y: Node, dim: int, axis: _Axis) -> Node:
        if axis.size == axis.count:
            return y
        lower, upper, weight = _linear_places(b, axis)
        part = _along(b, weight, y.type, dim)
        first = add_slices(b, b.mul(y, b.sub(b.constant(1, part.type), part)), dim, lower, axis.size)
        return b.add(first, add_slices(b, b.mul(y, part), dim, upper, axis.size))


def _axes(sizes: Ints, counts: Ints, scales: Scales, align_corners: bool = False, dtype: str = "f32") -> list[tuple[int, _Axis]]:
    """The resized dimensions, counted from the third of the input."""
    scales = tuple(scales) + (None,) * (len(sizes) - len(scales))
    return [(dim + 2, _Axis(*along, align_corners, dtype)) for dim, along in enumerate(zip(sizes, counts, scales, strict=True))]


def _forward(b: Builder, out: TensorType, x: Node, way: _Nearest | _Linear, axes: list[tuple[int, _Axis]]) -> Node:
    made = b.cast(x, math_dtype(x.dtype))
    for dim, axis in axes:
        made = way.forward(b, made, dim, axis)
    return b.cast(made, out.dtype)


def _backward(b: Builder, out: TensorType, grad: Node, way: _Nearest | _Linear, axes: list[tuple[int, _Axis]]) -> Node:
    made = b.cast(grad, math_dtype(grad.dtype))
    for dim, axis in reversed(axes):
        made = way.backward(b, made, dim, axis)
    return b.cast(made, out.dtype)


_SCALES = ("scales", "scales_d", "scales_h", "scales_w")


def _static(rank: int) -> tuple[str, ...]:
    """A scale decides which elements are read, as a size does."""
    return ("scales",) if rank == 1 else _SCALES[-rank:]


def _upsample_nearest(name: str, way: _Nearest, rank: int) -> None:
    @aten(f"{name}{rank}d", static=_static(rank))
    def importer(b: Builder, out: TensorType, x: Node, output_size: Ints, *scales: float | None, **named: float | None) -> Node:
        return _forward(b, out, x, way, _axes(x.shape[2:], output_size, (*scales, *named.values())))

    @aten(f"{name}{rank}d_backward", static=_static(rank))
    def backward(b: Builder, out: TensorType, grad: Node, output_size: Ints, input_size: Ints, *scales: float | None, **named: float | None) -> Node:
        return _backward(b, out, grad, way, _axes(input_size[2:], output_size, (*scales, *named.values())))


def _is_no_byte(x: torch.Tensor, *_: Any, **__: Any) -> bool:
    """torch resizes images of bytes in fixed-point numbers, rounded after each dimension."""
    return x.dtype != torch.uint8


def _place_dtype(x: Node) -> str:
    return "f64" if x.dtype == "f64" else "f32"


def _upsample_linear(name: str, rank: int) -> None:
    way = _Linear()

    @aten(name, static=_static(rank), accepts=_is_no_byte)
    def importer(b: Builder, out: TensorType, x: Node, output_size: Ints, align_corners: bool, *scales: float | None, **named: float | None) -> Node:
        return _forward(b, out, x, way, _axes(x.shape[2:], output_size, (*scales, *named.values()), align_corners, _place_dtype(x)))

    @aten(f"{name}_backward", static=_static(rank))
    def backward(
        b: Builder,
        out: TensorType,
        grad: Node,
        output_size: Ints,
        input_size: Ints,
        align_corners: bool,
        *scales: float | None,
        **named: float | None,
    ) -> Node:
        return _backward(b, out, grad, way, _axes(input_size[2:], output_size, (*scales, *named.values()), align_corners, _place_dtype(grad)))


for _rank in (1, 2, 3):
    _upsample_nearest("upsample_nearest", _Nearest(_nearest_places), _rank)
    _upsample_nearest("_upsample_nearest_exact", _Nearest(_nearest_exact_places), _rank)
for _name, _rank in (("upsample_linear1d", 1), ("upsample_bilinear2d", 2), ("upsample_trilinear3d", 3)):
    _upsample_linear(_name, _rank)
