"""Pooling of windows whose places are drawn: about evenly apart, so that any number of them fits."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from lazymlir.dialect import Builder, Node, TensorType

from ..registry import aten
from .common import full, math_dtype
from .formula import Term, is_nan, where
from .pool import places_scattered, row_major

Ints = Sequence[int]


def _starts(b: Builder, sample: Term, size: int, count: int, kernel: int, dtype: str) -> Term:
    """Where each window begins along a dimension, [planes, count]; computed with the roundings of `dtype`, as in torch."""
    planes = sample.node.shape[0]
    type_ = TensorType((planes, count), "i64")
    window = Term(b, b.iota(dim=1, result=type_))
    if count == 1:
        return where(window.equals(0), Term(b, full(b, size - kernel, type_)), 0)

    def rounded(x: Term) -> Term:
        return x.cast(dtype).cast(sample.dtype)

    sample = Term(b, b.expand(b.reshape(sample.node, (planes, 1)), type_.shape))
    one = TensorType(type_.shape, sample.dtype)
    step = rounded(Term(b, full(b, size - kernel, one)) / (count - 1))
    place = rounded(rounded(rounded(window.cast(sample.dtype)) + sample) * step).cast("i64") - rounded(sample * step).cast("i64")
    return where(window.equals(count - 1), size - kernel, place)


def _fractional_max_pool(rank: int) -> None:
    @aten(f"fractional_max_pool{rank}d")
    def importer(b: Builder, out: Sequence[TensorType], x: Node, kernel: Ints, output_size: Ints, random_samples: Node) -> tuple[Node, Node]:
        if out[0].size == 0:
            return full(b, 0, out[0]), full(b, 0, out[1])
        spatial, counts = x.shape[-rank:], out[0].shape[-rank:]
        kernel = tuple(kernel) * rank if len(kernel) == 1 else tuple(kernel)
        planes = prod(x.shape[:-rank])
        samples = b.reshape(b.cast(random_samples, math_dtype(random_samples.dtype)), (planes, rank))
        shape = (planes, *counts, prod(kernel))
        element = Term(b, b.iota(dim=rank + 1, result=TensorType(shape, "i64")))
        place = Term(b, full(b, 0, element.node.type))
        for axis, step in enumerate(row_major(spatial)):
            column = rank - 1 - axis if rank == 2 else axis  # an image's samples are those of x, then of y
            sample = Term(b, b.reshape(b.static_slice(samples, 1, column, 1), (planes,)))
            starts = _starts(b, sample, spatial[axis], counts[axis], kernel[axis], random_samples.dtype)
            lead = (planes, *(count if dim == axis else 1 for dim, count in enumerate(counts)), 1)
            inner = prod(kernel[axis + 1 :])
            within = element / inner - element / (inner * kernel[axis]) * kernel[axis]
            place = place + (Term(b, b.expand(b.reshape(starts.node, lead), shape)) + within) * step
        return _largest(b, out, x, place, spatial)

    @aten(f"fractional_max_pool{rank}d_backward")
    def backward(b: Builder, out: TensorType, grad: Node, x: Node, kernel: Ints, output_size: Ints, indices: Node) -> Node:
        return full(b, 0, out) if grad.type.size == 0 else places_scattered(b, out, grad, indices, rank)


def _largest(b: Builder, out: Sequence[TensorType], x: Node, place: Term, spatial: Ints) -> tuple[Node, Node]:
    """The first of the largest elements of each window; the last NaN where there is one."""
    shape, planes = place.node.shape, place.node.shape[0]
    plane = b.reshape(x, (planes, prod(spatial)))
    flat = b.reshape(place.node, (planes, prod(shape[1:])))
    taken = b.reshape(b.gather(plane, flat, dim=1), shape)
    last = len(shape) - 1
    values, which = b.max(taken, dim=last)
    number = Term(b, b.iota(dim=last, result=TensorType(shape, "i64")))
    last_nan = Term(b, b.amax(where(is_nan(Term(b, taken)), number, -1).node, dims=(last,)))
    which = where(last_nan >= 0, last_nan, Term(b, which))
    chosen = b.gather(place.node, b.reshape(which.node, (*shape[:-1], 1)), dim=last)
    return b.reshape(values, out[0].shape), b.reshape(chosen, out[1].shape)


for _rank in (2, 3):
    _fractional_max_pool(_rank)
