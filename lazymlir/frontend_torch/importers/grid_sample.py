"""Sampling an image where a grid says. Along each axis a sample takes a few neighbours, its taps; a tap of the image is one
of each axis, and a sample is the sum of its taps by the products of their weights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import NamedTuple

from lazymlir.dialect import Builder, Node, TensorType

from ..registry import aten
from .common import full, math_dtype
from .cubic import cubic_slopes, cubic_weights
from .formula import Term, absolute, floor, fmod, round_, where

BILINEAR, NEAREST, BICUBIC = 0, 1, 2
ZEROS, BORDER, REFLECTION = 0, 1, 2
"""torch's interpolation and padding modes."""


class _Axis(NamedTuple):
    """The taps along one axis for every sample: places within the image, weights, the weights' derivatives by the grid, and
    whether the tap is inside."""

    places: list[Term]
    weights: list[Term]
    slopes: list[Term]
    inside: list[Term]


class _Position(NamedTuple):
    """Coordinates in pixels, and their derivatives by what they were made of."""

    value: Term
    slope: Term


def _constant_like(x: Term, value: float) -> Term:
    return Term(x.b, x.same(value))


def _in_pixels(x: Term, size: int, align_corners: bool) -> _Position:
    """From the range -1 to 1: the centres of the outermost pixels, or their outer edges."""
    scale = (size - 1) / 2 if align_corners else size / 2
    value = (x + 1) * scale
    return _Position(value if align_corners else value - 0.5, _constant_like(x, scale))


def _clipped(position: _Position, size: int, volume: bool) -> _Position:
    """At the borders the derivative is 0. torch takes NaN for 0 in an image, for the last place in a volume."""
    value, slope = position
    inside = (value > 0) & (value < size - 1)
    last = ~(value <= 0) if volume else value >= size - 1
    return _Position(where(inside, value, where(last, _constant_like(value, size - 1), 0)), where(inside, slope, 0))


def _reflected(position: _Position, size: int, align_corners: bool, volume: bool) -> _Position:
    """Mirrored at the outermost pixels' centres or edges, as often as needed."""
    low, span = (0.0, size - 1) if align_corners else (-0.5, size)
    if span == 0:
        return _Position(_constant_like(position.value, 0), _constant_like(position.value, 0))
    distance = position.value - low
    beyond, distance = distance < 0, absolute(distance)
    odd = fmod(floor(distance / span), 2).equals(1)
    extra = fmod(distance, span)
    slope = where(odd ^ beyond, -position.slope, position.slope)
    return _clipped(_Position(where(odd, span - extra, extra) + low, slope), size, volume)


def _padded(position: _Position, size: int, padding: int, align_corners: bool, volume: bool) -> _Position:
    if padding == BORDER:
        return _clipped(position, size, volume)
    return _reflected(position, size, align_corners, volume) if padding == REFLECTION else position


def _axis(x: Term, size: int, mode: int, padding: int, align_corners: bool, volume: bool) -> _Axis:
    position = _in_pixels(x, size, align_corners)
    if mode == BICUBIC:  # only the taps are kept within the image
        value, slope = position
        first = floor(value) - 1
        part = value - first - 1
        weights, slopes = cubic_weights(part, -0.75), [by * slope for by in cubic_slopes(part, -0.75)]
        places = [_padded(_Position(first + float(i), slope), size, padding, align_corners, volume).value for i in range(4)]
    elif mode == NEAREST:
        value = _padded(position, size, padding, align_corners, volume).value
        places, weights, slopes = [round_(value)], [_constant_like(value, 1)], [_constant_like(value, 0)]
    else:
        value, slope = _padded(position, size, padding, align_corners, volume)
        first = floor(value)
        part = value - first
        places, weights, slopes = [first, first + 1], [1 - part, part], [-slope, slope]
    inside = [(place >= 0) & (place < size) for place in places]
    return _Axis([where(within, place, 0) for within, place in zip(inside, places, strict=True)], weights, slopes, inside)


class _Tap(NamedTuple):
    """One tap of the image for every sample: its pixel's row in the table, whether it is inside, its weight, and the
    weight's derivative along each axis."""

    row: Term
    inside: Term
    weight: Term
    slopes: list[Term]


class _Sampling:
    """All samples, as [batch, samples]. Pixels are the rows of a table: [batch and places, channels]. The taps are unrolled:
    XLA:CPU adds up gathered rows far faster so than by a reduction."""

    def __init__(self, b: Builder, x: TensorType, grid: Node, mode: int, padding: int, align_corners: bool) -> None:
        self.b, self.image = b, x
        self.spatial, self.outputs = x.shape[2:], grid.shape[1:-1]
        self.dtype = math_dtype(x.dtype)
        self.rank = len(self.spatial)
        self.samples = (x.shape[0], prod(self.outputs))
        flat = b.reshape(b.cast(grid, self.dtype), (*self.samples, self.rank))
        coordinates = [b.reshape(b.static_slice(flat, 2, self.rank - 1 - axis, 1), self.samples) for axis in range(self.rank)]
        self.axes = [_axis(Term(b, x), size, mode, padding, align_corners, self.rank == 3) for x, size in zip(coordinates, self.spatial, strict=True)]

    def taps(self) -> Iterator[_Tap]:
        dtype = "i32" if self.image.shape[0] * prod(self.spatial) < 2**31 else "i64"
        for numbers in product(*(range(len(axis.places)) for axis in self.axes)):
            chosen = list(zip(self.axes, numbers, strict=True))
            row = Term(self.b, self.b.iota(dim=0, result=TensorType(self.samples, dtype)))
            for (axis, number), size in zip(chosen, self.spatial, strict=True):
                row = row * size + axis.places[number].cast(dtype)
            inside = _product([axis.inside[number] for axis, number in chosen])
            weight = _product([axis.weights[number] for axis, number in chosen])
            if self.rank == 3:  # NaN beside a volume says nothing, beside an image it makes NaN of the sample
                weight = where(inside, weight, 0)
            slopes = [_product([axis.slopes[i] if axis is along else axis.weights[i] for axis, i in chosen]) for along in self.axes]
            yield _Tap(row, inside, weight, slopes)

    def rows(self, x: Node) -> Node:
        """The table of [batch, channels, ...], in the type to compute in."""
        moved = self.b.permute(self.b.cast(x, self.dtype), (0, *range(2, x.rank), 1))
        return self.b.reshape(moved, (x.shape[0] * prod(x.shape[2:]), x.shape[1]))

    def image_of(self, rows: Node, spatial: Sequence[int]) -> Node:
        apart = self.b.reshape(rows, (self.image.shape[0], *spatial, self.image.shape[1]))
        return self.b.permute(apart, (0, apart.rank - 1, *range(1, apart.rank - 1)))

    def over_channels(self, x: Term) -> Term:
        return Term(self.b, self.b.expand(self.b.reshape(x.node, (*self.samples, 1)), (*self.samples, self.image.shape[1])))

    def pixels(self, table: Node, tap: _Tap) -> Term:
        """0 outside of the image: [batch, samples, channels]."""
        return where(self.over_channels(tap.inside), Term(self.b, self.b.index(table, tap.row.node, dims=(0,))), 0)


def _product(parts: Sequence[Term]) -> Term:
    first, *rest = parts
    for part in rest:
        first = first * part
    return first


def _sum(parts: Sequence[Term]) -> Term:
    first, *rest = parts
    for part in rest:
        first = first + part
    return first


def _sample(b: Builder, out: TensorType, x: Node, grid: Node, mode: int, padding: int, align_corners: bool) -> Node:
    if out.size == 0:
        return full(b, 0, out)
    s = _Sampling(b, x.type, grid, mode, padding, align_corners)
    table = s.rows(x)
    total = _sum([s.pixels(table, tap) * s.over_channels(tap.weight) for tap in s.taps()])
    return b.cast(s.image_of(total.node, s.outputs), out.dtype)


def _sample_backward(
    b: Builder,
    out: Sequence[TensorType | None],
    grad: Node,
    x: Node,
    grid: Node,
    mode: int,
    padding: int,
    align_corners: bool,
    output_mask: Sequence[bool],
) -> tuple[Node | None, ...]:
    if grad.type.size == 0:
        return tuple(None if type_ is None else full(b, 0, type_) for type_ in out)
    s = _Sampling(b, x.type, grid, mode, padding, align_corners)
    incoming = Term(b, b.reshape(s.rows(grad), (*s.samples, grad.shape[1])))
    taps = _Stacked(s)
    by_image, by_grid = out
    return (
        None if by_image is None else b.cast(_image_gradient(s, taps, incoming), by_image.dtype),
        None if by_grid is None else full(b, 0, by_grid) if mode == NEAREST else _grid_gradient(s, taps, by_grid, incoming, x),
    )


class _Stacked:
    """All taps at once, as [taps, batch, samples]: a gradient needs them as one list of rows."""

    def __init__(self, s: _Sampling) -> None:
        self.b, self.channels = s.b, s.image.shape[1]
        self.taps = list(s.taps())
        self.rows = self.of([tap.row for tap in self.taps])
        self.inside = self.over_channels(self.of([tap.inside for tap in self.taps]))

    def of(self, parts: Sequence[Term]) -> Term:
        return Term(self.b, self.b.join([self.b.reshape(part.node, (1, *part.node.shape)) for part in parts], 0))

    def over_channels(self, x: Term) -> Term:
        return Term(self.b, self.b.expand(self.b.reshape(x.node, (*x.node.shape, 1)), (*x.node.shape, self.channels)))

    def over_taps(self, x: Term) -> Term:
        return Term(self.b, self.b.expand(x.node, (len(self.taps), *x.node.shape)))


def _image_gradient(s: _Sampling, taps: _Stacked, incoming: Term) -> Node:
    weights = taps.over_channels(taps.of([tap.weight for tap in taps.taps]))
    shares = where(taps.inside, taps.over_taps(incoming) * weights, 0)
    zeros = s.b.constant(0, TensorType((s.image.shape[0] * prod(s.spatial), s.image.shape[1]), s.dtype))
    return s.image_of(s.b.index_put(zeros, shares.node, taps.rows.node, dims=(0,), kind="add"), s.spatial)


def _grid_gradient(s: _Sampling, taps: _Stacked, out: TensorType, incoming: Term, x: Node) -> Node:
    b = s.b
    pixels = where(taps.inside, Term(b, b.index(s.rows(x), taps.rows.node, dims=(0,))), 0)
    shares = Term(b, b.sum((taps.over_taps(incoming) * pixels).node, dims=(3,)))
    along = [b.sum((shares * taps.of([tap.slopes[axis] for tap in taps.taps])).node, dims=(0,)) for axis in reversed(range(s.rank))]
    apart = b.join([b.reshape(part, (*s.samples, 1)) for part in along], 2)
    return b.cast(b.reshape(apart, out.shape), out.dtype)


aten("grid_sampler_2d", "grid_sampler_3d")(_sample)
aten("grid_sampler_2d_backward", "grid_sampler_3d_backward")(_sample_backward)
