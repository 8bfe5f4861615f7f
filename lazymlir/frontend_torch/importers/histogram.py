"""Counting elements, or adding up their weights, by bins: bin i holds what is between edge i and edge i + 1, the last one
also what is at its end."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from math import isfinite, prod
from typing import Any

import torch

from lazymlir.dialect import Builder, Node, TensorType
from lazymlir.dialect.types import BOOL, is_float

from ..registry import aten
from .common import full
from .formula import Term, maximum, minimum, where

Bins = tuple[Node, Term]
"""For each element its bin, and whether it is in one."""


def _range(b: Builder, x: Node, given: Sequence[float] | None, margin: float) -> tuple[Term, Term]:
    """The outermost edges, 0-dim: as given, or those of the data; with a margin where both are the same."""
    if given is None and x.type.size:
        ends = [Term(b, b.emit(kind, (x,), {"dims": tuple(range(x.rank))})) for kind in ("amin", "amax")]
        b.require(b.bitwise_and(*(b.is_finite(end.node) for end in ends)), RuntimeError, "the range of the elements is not finite")
    else:
        ends = [Term(b, full(b, end, TensorType((), x.dtype))) for end in given or (0, 1)]
    same = ends[0].equals(ends[1])
    return where(same, ends[0] - margin, ends[0]), where(same, ends[1] + margin, ends[1])


def _edges(b: Builder, ends: tuple[Term, Term], bins: int) -> Term:
    """Evenly apart, counted from the nearer end, as `linspace` does."""
    low, high = (Term(b, b.expand(end.node, (bins + 1,))) for end in ends)
    place = Term(b, b.iota(dim=0, result=TensorType((bins + 1,), low.dtype)))
    step = (high - low) / bins
    return where(place < (bins + 1) // 2, low + step * place, high - step * (bins - place))


def _spread(x: Term, shape: tuple[int, ...]) -> Term:
    return Term(x.b, x.b.expand(x.node, shape))


def _even_bins(b: Builder, x: Node, ends: tuple[Term, Term], edges: Term | None, bins: int) -> Bins:
    """By arithmetic; with the edges at hand, what the arithmetic gets wrong is put right."""
    value = Term(b, x)
    low, high = (_spread(end, x.shape) for end in ends)
    inside = (value >= low) & (value <= high)
    place = where(inside, (value - low) * bins / (high - low), 0).cast("i64")
    if edges is not None:
        first, last = maximum(place - 1, 0), minimum(place + 1, bins)
        reached = Term(b, full(b, 0, place.node.type))
        for step in range(3):
            candidate = minimum(first + step, last)
            below = Term(b, b.index(edges.node, candidate.node, dims=(0,))) <= value
            reached = reached + (below & (first + step <= last)).cast("i64")
        place = first + reached - 1
    return minimum(maximum(place, 0), bins - 1).node, inside


def _sought_bins(b: Builder, x: Node, edges: Node) -> Bins:
    """By how many of any edges an element has reached."""
    count = edges.shape[0]
    value = Term(b, b.expand(b.reshape(x, (*x.shape, 1)), (*x.shape, count)))
    reached = Term(b, b.expand(edges, value.node.shape)) <= value
    place = Term(b, b.sum(b.cast(reached.node, "i64"), dims=(x.rank,))) - 1
    first, last = (Term(b, b.expand(b.static_slice(edges, 0, at, 1), x.shape)) for at in (0, count - 1))
    inside = (Term(b, x) >= first) & (Term(b, x) <= last)
    return minimum(maximum(place, 0), max(count - 2, 0)).node, inside


def _collected(b: Builder, type_: TensorType, bins: Sequence[Bins], weight: Node | None) -> Term:
    """The weights of the elements by bin: [bins of each dimension...]. One place more takes what is in none."""
    size = type_.size
    inside = full(b, True, TensorType(bins[0][1].node.shape, BOOL))
    place = Term(b, full(b, 0, bins[0][0].type))
    for (number, within), count in zip(bins, type_.shape, strict=True):
        place, inside = place * count + Term(b, number), b.bitwise_and(inside, within.node)
    place = where(Term(b, inside), place, size)
    ones = full(b, 1, place.node.type.with_dtype(type_.dtype))
    weights = ones if weight is None else b.reshape(b.cast(weight, type_.dtype), place.node.shape)
    base = full(b, 0, TensorType((size + 1,), type_.dtype))
    return Term(b, b.reshape(b.static_slice(b.index_put(base, weights, place.node, dims=(0,), kind="add"), 0, 0, size), type_.shape))


def _density(b: Builder, counts: Term, edges: Sequence[Term]) -> Term:
    """Divided by the total and by the bins' widths."""
    shape = counts.node.shape
    total = Term(b, b.sum(counts.node, dims=tuple(range(len(shape)))))
    counts = counts / _spread(total, shape)
    for dim, edge in enumerate(edges):
        size = shape[dim]
        ends, begins = (Term(b, b.static_slice(edge.node, 0, start, size)) for start in (1, 0))
        widths = b.reshape((ends - begins).node, (size, *(1 for _ in shape[dim + 1 :])))
        counts = counts / _spread(Term(b, widths), shape)
    return counts


def _flat(b: Builder, x: Node) -> Node:
    return b.reshape(x, (x.type.size,))


def _bins_of(x: torch.Tensor, bins: int = 100, min: float = 0, max: float = 0) -> torch.Tensor:
    return x.new_empty((builtins.max(bins, 0),))


def _is_counted(x: torch.Tensor, *_: Any, **__: Any) -> bool:
    """Whole numbers too, which the CPU refuses and other devices take: mixtures of experts count tokens by them."""
    return x.dtype in (torch.float32, torch.float64) or not (x.is_floating_point() or x.is_complex() or x.dtype == torch.bool)


@aten("histc", static=("min", "max"), accepts=_is_counted, meta=_bins_of)
def histc(b: Builder, out: TensorType, x: Node, bins: int = 100, min: float = 0, max: float = 0) -> Node:
    if bins <= 0:
        raise RuntimeError(f"torch.histogram(): bins must be > 0, but got {bins} for dimension 0")
    if min > max:
        raise RuntimeError("torch.histc: max must be larger than min")
    if not (isfinite(min) and isfinite(max)):
        raise RuntimeError(f"torch.histc: range of [{min:g}, {max:g}] is not finite")
    if x.type.size == 0:
        return full(b, 0, out)
    number = x if is_float(x.dtype) else b.cast(x, "f64")
    ends = _range(b, number, None if min == max else (min, max), margin=1)
    return _collected(b, out, [_even_bins(b, _flat(b, number), ends, None, bins)], None).node


@aten("histogram.bin_ct")
def histogram(
    b: Builder,
    out: Sequence[TensorType],
    x: Node,
    bins: int = 100,
    *,
    range: Sequence[float] | None = None,
    weight: Node | None = None,
    density: bool = False,
) -> tuple[Node, Node]:
    ends = _range(b, x, range, margin=0.5)
    edges = _edges(b, ends, bins)
    found = _even_bins(b, _flat(b, x), ends, edges, bins)
    counts = _collected(b, out[0], [found], weight)
    return (_density(b, counts, [edges]) if density else counts).node, edges.node


@aten("histogram.bins_tensor")
def histogram_by_edges(
    b: Builder, out: Sequence[TensorType], x: Node, bins: Node, *, weight: Node | None = None, density: bool = False
) -> tuple[Node, Node]:
    counts = _collected(b, out[0], [_sought_bins(b, _flat(b, x), bins)], weight)
    return (_density(b, counts, [Term(b, bins)]) if density else counts).node, bins


# Several dimensions: the last dimension of the input holds an element's coordinates.


def _columns(b: Builder, x: Node) -> list[Node]:
    count, width = prod(x.shape[:-1]), x.shape[-1]
    flat = b.reshape(x, (count, width))
    return [b.reshape(b.static_slice(flat, 1, column, 1), (count,)) for column in range(width)]


def _ends_of_columns(b: Builder, x: Node, given: Sequence[float] | None) -> list[tuple[Term, Term]]:
    columns = _columns(b, x)
    pairs: list[Any] = [None] * len(columns) if given is None else [given[2 * i : 2 * i + 2] for i in range(len(columns))]
    return [_range(b, column, pair, margin=0.5) for column, pair in zip(columns, pairs, strict=True)]


@aten("_histogramdd_bin_edges")
def histogramdd_edges(
    b: Builder,
    out: Sequence[TensorType],
    x: Node,
    bins: Sequence[int],
    *,
    range: Sequence[float] | None = None,
    weight: Node | None = None,
    density: bool = False,
) -> tuple[Node, ...]:
    return tuple(_edges(b, ends, count).node for ends, count in zip(_ends_of_columns(b, x, range), bins, strict=True))


@aten("_histogramdd_from_bin_cts")
def histogramdd(
    b: Builder,
    out: TensorType,
    x: Node,
    bins: Sequence[int],
    *,
    range: Sequence[float] | None = None,
    weight: Node | None = None,
    density: bool = False,
) -> Node:
    ends = _ends_of_columns(b, x, range)
    edges = [_edges(b, pair, count) for pair, count in zip(ends, bins, strict=True)]
    found = [_even_bins(b, column, pair, edge, count) for column, pair, edge, count in zip(_columns(b, x), ends, edges, bins, strict=True)]
    counts = _collected(b, out, found, weight)
    return (_density(b, counts, edges) if density else counts).node


@aten("_histogramdd_from_bin_tensors")
def histogramdd_by_edges(b: Builder, out: TensorType, x: Node, bins: Sequence[Node], *, weight: Node | None = None, density: bool = False) -> Node:
    found = [_sought_bins(b, column, edges) for column, edges in zip(_columns(b, x), bins, strict=True)]
    counts = _collected(b, out, found, weight)
    return (_density(b, counts, [Term(b, edges) for edges in bins]) if density else counts).node
