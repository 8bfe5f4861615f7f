"""Windows of an image as the columns of a matrix, and the sum of such columns back into an image."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from lazymlir.dialect import Builder, Node, TensorType

from ..registry import aten
from .common import full, math_dtype
from .formula import Term

Ints = Sequence[int]

SLICED = 32
"""A dimension is taken apart into at most this many slices; larger windows are gathered by computed places."""


class _Windows(NamedTuple):
    """`count` windows of `kernel` elements along a dimension of `size`, its padding included."""

    size: int
    kernel: int
    dilation: int
    stride: int

    @property
    def count(self) -> int:
        return (self.size - self.dilation * (self.kernel - 1) - 1) // self.stride + 1

    @property
    def blocks(self) -> bool:
        """Whether the windows lie side by side."""
        return self.stride == self.kernel and self.dilation == 1

    def places(self, b: Builder) -> Node:
        """Where each element of each window stands: [kernel, count]."""
        type_ = TensorType((self.kernel, self.count), "i64")
        element, window = (Term(b, b.iota(dim=dim, result=type_)) for dim in (0, 1))
        return (element * self.dilation + window * self.stride).node

    def split(self, b: Builder, x: Node, dim: int) -> Node:
        """Dimension `dim` of `x` as two: the elements of a window, and the windows."""
        before, after = x.shape[:dim], x.shape[dim + 1 :]
        if self.blocks:
            whole = b.static_slice(x, dim, 0, self.count * self.kernel)
            return _swapped(b, b.reshape(whole, (*before, self.count, self.kernel, *after)), dim)
        if self.kernel > SLICED:
            made = b.index(x, self.places(b), dims=(dim,))
            return b.permute(made, (*range(2, dim + 2), 0, 1, *range(dim + 2, made.rank)))
        parts = [b.reshape(self._slice(b, x, dim, element), (*before, 1, self.count, *after)) for element in range(self.kernel)]
        return b.join(parts, dim)

    def _slice(self, b: Builder, x: Node, dim: int, element: int) -> Node:
        """Element number `element` of every window."""
        starts, sizes, steps = [0] * x.rank, list(x.shape), [1] * x.rank
        starts[dim], sizes[dim], steps[dim] = element * self.dilation, self.count, self.stride
        return b.slice(x, starts=tuple(starts), sizes=tuple(sizes), steps=tuple(steps))

    def joined(self, b: Builder, y: Node, dim: int) -> Node:
        """The transpose of `split`: each element is the sum of what windows say of it."""
        before, after = y.shape[:dim], y.shape[dim + 2 :]
        if self.blocks:
            whole = b.reshape(_swapped(b, y, dim), (*before, self.count * self.kernel, *after))
            return self._placed(b, whole, dim, 0, 1)
        if self.kernel > SLICED:
            order = (dim, dim + 1, *(d for d in range(y.rank) if d not in (dim, dim + 1)))
            base = full(b, 0, TensorType((*before, self.size, *after), y.dtype))
            return b.index_put(base, b.permute(y, order), self.places(b), dims=(dim,), kind="add")
        total: Term | None = None
        for element in range(self.kernel):
            part = b.reshape(b.static_slice(y, dim, element, 1), (*before, self.count, *after))
            placed = Term(b, self._placed(b, part, dim, element * self.dilation, self.stride))
            total = placed if total is None else total + placed
        assert total is not None
        return total.node

    def _placed(self, b: Builder, x: Node, dim: int, start: int, step: int) -> Node:
        """`x` from `start` on, `step` apart, among zeros."""
        low, high, interior = [0] * x.rank, [0] * x.rank, [0] * x.rank
        low[dim], interior[dim] = start, step - 1
        high[dim] = self.size - start - ((x.shape[dim] - 1) * step + 1)
        return b.pad(x, b.constant(0, TensorType((), x.dtype)), low=low, high=high, interior=interior)


def _swapped(b: Builder, x: Node, dim: int) -> Node:
    order = list(range(x.rank))
    order[dim], order[dim + 1] = dim + 1, dim
    return b.permute(x, order)


def _padded(b: Builder, x: Node, padding: Ints) -> Node:
    """With zeros around the last two dimensions; a negative padding crops."""
    if not any(padding):
        return x
    around = (0,) * (x.rank - 2) + tuple(padding)
    return b.pad(x, b.constant(0, TensorType((), x.dtype)), low=around, high=around, interior=(0,) * x.rank)


def _both(image: Ints, kernel: Ints, dilation: Ints, padding: Ints, stride: Ints) -> tuple[_Windows, _Windows, Ints]:
    """The windows along both dimensions, and the padding."""
    lengths = [2 * numbers if len(numbers) == 1 else numbers for numbers in map(tuple, (kernel, dilation, padding, stride))]
    kernel, dilation, padding, stride = lengths
    sizes = [size + 2 * pad for size, pad in zip(image, padding, strict=True)]
    vertical, horizontal = (_Windows(*along) for along in zip(sizes, kernel, dilation, stride, strict=True))
    return vertical, horizontal, padding


@aten("im2col")
def im2col(b: Builder, out: TensorType, x: Node, kernel: Ints, dilation: Ints, padding: Ints, stride: Ints) -> Node:
    if out.size == 0:
        return full(b, 0, out)
    vertical, horizontal, padding = _both(x.shape[-2:], kernel, dilation, padding, stride)
    image = b.reshape(x, (prod(x.shape[:-2]), *x.shape[-2:]))
    rows = vertical.split(b, _padded(b, image, padding), 1)
    windows = horizontal.split(b, rows, 3)  # channels, kernel rows, rows, kernel columns, columns
    return b.reshape(b.permute(windows, (0, 1, 3, 2, 4)), out.shape)


@aten("col2im")
def col2im(b: Builder, out: TensorType, x: Node, output_size: Ints, kernel: Ints, dilation: Ints, padding: Ints, stride: Ints) -> Node:
    if out.size == 0:
        return full(b, 0, out)
    vertical, horizontal, padding = _both(output_size, kernel, dilation, padding, stride)
    shape = (prod(out.shape[:-2]), vertical.kernel, horizontal.kernel, vertical.count, horizontal.count)
    windows = b.permute(b.reshape(b.cast(x, math_dtype(x.dtype)), shape), (0, 1, 3, 2, 4))
    image = vertical.joined(b, horizontal.joined(b, windows, 3), 1)
    return b.reshape(b.cast(_padded(b, image, [-pad for pad in padding]), out.dtype), out.shape)
