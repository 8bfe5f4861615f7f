"""Adaptive pooling: window i of n over a dimension of size s runs from floor(i * s / n) to ceil((i + 1) * s / n)."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from lazymlir.dialect import Builder, Node, TensorType
from lazymlir.dialect.types import is_float, is_unsigned, itemsize

from ..registry import aten
from .common import math_dtype
from .pool import Windows, maximum_gradient, places_scattered, row_major

Ints = Sequence[int]


def _bounds(size: int, count: int) -> list[tuple[int, int]]:
    return [(i * size // count, -(-(i + 1) * size // count)) for i in range(count)]


class _Adaptive:
    """The windows along one dimension as nodes: where each of their elements stands, and which of them there are."""

    def __init__(self, b: Builder, size: int, count: int) -> None:
        bounds = _bounds(size, count)
        self.length = max((end - start for start, end in bounds), default=1)
        places = TensorType((count, self.length), "i64")

        def number(value: int) -> Node:
            return b.constant(value, places)

        window = b.iota(dim=0, result=places)
        self.start = b.div(b.mul(window, number(size)), number(count))
        end = b.div(b.add(b.mul(b.add(window, number(1)), number(size)), number(count - 1)), number(count))
        place = b.add(self.start, b.iota(dim=1, result=places))
        self.inside = b.lt(place, end)
        self.place = b.minimum(place, number(size - 1))

    def take(self, b: Builder, x: Node, dim: int) -> Node:
        """The elements of every window: windows and their elements first, then the other dimensions of `x`."""
        return b.index(x, self.place, dims=(dim,))

    def spread(self, b: Builder, x: Node, shape: Ints) -> Node:
        """A value for each window's element, for each of `shape`."""
        return b.expand(b.reshape(x, (*x.shape, *(1 for _ in shape[2:]))), tuple(shape))


def _back(b: Builder, x: Node, dim: int) -> Node:
    """The first dimension moved to `dim`."""
    order = list(range(1, x.rank))
    order.insert(dim, 0)
    return b.permute(x, order)


# Averages: a sum along one dimension after the other. The transpose of such a sum is one with the sizes exchanged.


def _sum_along(b: Builder, x: Node, dim: int, count: int) -> Node:
    size = x.shape[dim]
    if size == count:
        return x
    if size % count == 0:
        split = b.reshape(x, (*x.shape[:dim], count, size // count, *x.shape[dim + 1 :]))
        return b.sum(split, dims=(dim + 1,))
    windows = _Adaptive(b, size, count)
    taken = windows.take(b, x, dim)
    inside = windows.spread(b, windows.inside, taken.shape)
    return _back(b, b.sum(b.where(inside, taken, b.constant(0, taken.type)), dims=(1,)), dim)


def _lengths(b: Builder, type_: TensorType, dim: int, size: int, count: int) -> Node:
    """How many of `size` elements each window along `dim` has, for every element of `type_`."""
    bounds = _bounds(size, count)
    lengths = {end - start for start, end in bounds}
    if len(lengths) == 1:
        return b.constant(lengths.pop(), type_)
    windows = _Adaptive(b, size, count)
    ones = b.cast(windows.inside, type_.dtype)
    summed = b.sum(ones, dims=(1,))
    return b.expand(b.reshape(summed, (count, *(1 for _ in type_.shape[dim + 1 :]))), type_.shape)


def _adaptive_avg_pool(rank: int) -> None:
    @aten(f"_adaptive_avg_pool{rank}d")
    def importer(b: Builder, out: TensorType, x: Node, output_size: Ints) -> Node:
        total, sizes = b.cast(x, math_dtype(x.dtype)), x.shape
        for dim in range(x.rank - rank, x.rank):
            total = _sum_along(b, total, dim, out.shape[dim])
        for dim in range(x.rank - rank, x.rank):
            total = b.div(total, _lengths(b, total.type, dim, sizes[dim], out.shape[dim]))
        return b.cast(total, out.dtype)

    @aten(f"_adaptive_avg_pool{rank}d_backward")
    def backward(b: Builder, out: TensorType, grad: Node, x: Node) -> Node:
        shared, counts = b.cast(grad, math_dtype(grad.dtype)), grad.shape
        for dim in range(x.rank - rank, x.rank):
            shared = b.div(shared, _lengths(b, shared.type, dim, x.shape[dim], counts[dim]))
        for dim in range(x.rank - rank, x.rank):
            shared = _sum_along_transposed(b, shared, dim, x.shape[dim])
        return b.cast(shared, out.dtype)


def _sum_along_transposed(b: Builder, y: Node, dim: int, size: int) -> Node:
    """What each of `size` elements gets from the windows that it is in."""
    count = y.shape[dim]
    if size % count:
        return _sum_along(b, y, dim, size)
    apart = b.reshape(y, (*y.shape[: dim + 1], 1, *y.shape[dim + 1 :]))
    repeated = b.expand(apart, (*y.shape[: dim + 1], size // count, *y.shape[dim + 1 :]))
    return b.reshape(repeated, (*y.shape[:dim], size, *y.shape[dim + 1 :]))


# Maxima.


def _lowest(dtype: str) -> float:
    if is_float(dtype):
        return -inf
    return 0 if is_unsigned(dtype) else -(2 ** (8 * itemsize(dtype) - 1))


def _maximum_along(b: Builder, x: Node, places: Node, dim: int, count: int) -> tuple[Node, Node]:
    """The largest element of each window along `dim`, and its entry of `places` (which has the shape of `x`)."""
    windows = _Adaptive(b, x.shape[dim], count)
    taken = windows.take(b, x, dim)
    inside = windows.spread(b, windows.inside, taken.shape)
    values, which = b.max(b.where(inside, taken, b.constant(_lowest(x.dtype), taken.type)), dim=1)
    chosen = b.gather(windows.take(b, places, dim), b.reshape(which, (count, 1, *which.shape[1:])), dim=1)
    return _back(b, values, dim), _back(b, b.reshape(chosen, which.shape), dim)


def _adaptive_max_pool(rank: int) -> None:
    @aten(f"adaptive_max_pool{rank}d")
    def importer(b: Builder, out: tuple[TensorType, TensorType], x: Node, output_size: Ints) -> tuple[Node, Node]:
        first, counts = x.rank - rank, out[0].shape[-rank:]
        spatial = x.shape[first:]
        if all(size % count == 0 for size, count in zip(spatial, counts, strict=True)):
            kernel = tuple(size // count for size, count in zip(spatial, counts, strict=True))
            none = (0,) * rank
            return b.max_pool(x, window=kernel, strides=kernel, low=none, high=none, dilation=(1,) * rank)
        places = b.constant(0, TensorType(x.shape, "i64"))
        for dim, step in enumerate(row_major(spatial)):
            along = b.iota(dim=first + dim, result=places.type)
            places = b.add(places, b.mul(along, b.constant(step, places.type)))
        for dim in reversed(range(rank)):
            x, places = _maximum_along(b, x, places, first + dim, counts[dim])
        return x, places

    @aten(f"adaptive_max_pool{rank}d_backward")
    def backward(b: Builder, out: TensorType, grad: Node, x: Node, indices: Node) -> Node:
        pairs = list(zip(x.shape[-rank:], grad.shape[-rank:], strict=True))
        if all(count and size % count == 0 for size, count in pairs):
            kernel = [size // count for size, count in pairs]
            return maximum_gradient(b, out, grad, indices, Windows(x.shape[-rank:], grad.shape[-rank:], kernel, kernel, (0,)))
        return places_scattered(b, out, grad, indices, rank)


for _rank in (2, 3):
    _adaptive_avg_pool(_rank)
    _adaptive_max_pool(_rank)
