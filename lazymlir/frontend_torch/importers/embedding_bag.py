"""Sums, means and maxima of rows of a table, bag by bag. A bag is the indices from its offset to the next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from lazymlir.dialect import Builder, Node, TensorType
from lazymlir.dialect.types import highest

from ..registry import aten, overload_of
from .common import full, is_within, math_dtype, spread
from .formula import Term, is_nan, maximum, where

SUM, MEAN, MAX = 0, 1, 2
"""torch's modes."""


def _bag_of_each(b: Builder, offsets: Node, count: int, bags: int) -> Term:
    """For each of `count` indices the number of its bag: how many bags after the first have begun."""
    starts = b.static_slice(offsets, 0, 1, bags - 1)
    begun = b.constant(0, TensorType((count + 1,), "i64"))
    begun = b.index_put(begun, b.constant(1, TensorType((bags - 1,), "i64")), starts, dims=(0,), kind="add")
    return Term(b, b.static_slice(b.cumsum(begun, dim=0), 0, 0, count))


def _over_rows(x: Term, width: int) -> Term:
    """A number for each row, for all of its elements."""
    return Term(x.b, spread(x.b, x.node, (0,), (x.node.shape[0], width)))


class _Bags:
    """The indices as [count]: their words, their bags, and which of them count (neither padding nor behind the last bag)."""

    def __init__(self, b: Builder, indices: Node, bag: Term, bags: int, padding_idx: int) -> None:
        self.b, self.bags, self.count = b, bags, indices.type.size
        self.word = Term(b, b.cast(indices, "i64"))
        self.bag = bag
        self.kept = self.word.differs(padding_idx)

    def gathered(self, x: Node, places: Term) -> Term:
        return Term(self.b, self.b.index(x, places.node, dims=(0,)))

    def collected(self, x: Term, start: float, kind: str) -> Term:
        """Elements or rows combined by bag."""
        base = full(self.b, start, x.node.type.with_shape((self.bags, *x.node.shape[1:])))
        return Term(self.b, self.b.index_put(base, x.node, self.bag.node, dims=(0,), kind=kind))

    def sizes(self) -> Term:
        return self.collected(self.kept.cast("i64"), 0, "add")


def _bags_of(b: Builder, indices: Node, offsets: Node, bags: int, weights: int, padding_idx: int) -> _Bags:
    offsets, count = b.cast(offsets, "i64"), indices.type.size
    first, last = (b.static_slice(offsets, 0, place, 1) for place in (0, offsets.shape[0] - 1))
    begins = "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from position 0. However, got {}"
    b.require(Term(b, first).equals(0).node, RuntimeError, begins, first)
    ends = f"offsets[-1] can not be greater than input's length {count} but got offsets[-1] of {{}}"
    b.require((Term(b, last) <= count).node, RuntimeError, ends, last)
    known = "embedding_bag: Expected idx >= 0 && idx < num_embeddings but found idx to be {}"
    b.require(is_within(b, indices, weights), RuntimeError, known, indices)
    return _Bags(b, indices, _bag_of_each(b, offsets, count, bags), bags, padding_idx)


def _largest(bags: _Bags, rows: Term) -> tuple[Term, Term]:
    """The largest element of each bag and column, and its word; 0 for empty bags. As in torch, NaN counts only where it is
    the first of its bag."""
    b, width = bags.b, rows.node.shape[1]
    none = highest("i64")
    number = Term(b, b.iota(dim=0, result=TensorType((bags.count,), "i64")))
    first = bags.collected(where(bags.kept, number, none), none, "amin")
    is_first = _over_rows(bags.gathered(first.node, bags.bag).equals(number), width)
    kept = _over_rows(bags.kept, width)
    rows = where(kept & (is_first | ~is_nan(rows)), rows, float("-inf"))
    top = bags.collected(rows, float("-inf"), "amax")
    reached = bags.gathered(top.node, bags.bag)
    candidate = kept & (rows.equals(reached) | (is_first & is_nan(reached)))
    winner = bags.collected(where(candidate, _over_rows(number, width), none), none, "amin")
    found = winner < none
    word = bags.gathered(bags.word.node, where(found, winner, 0))
    return where(found, top, 0), where(found, word, 0)


def _types_of(name: str) -> Any:
    """The CPU's results: which of its ways it takes decides the sizes of the second to fourth, so the CPU is asked, but
    where it would read beyond its arguments: without a bag."""

    def infer(
        weight: torch.Tensor,
        indices: torch.Tensor,
        offsets: torch.Tensor,
        scale_grad_by_freq: bool = False,
        mode: int = SUM,
        sparse: bool = False,
        per_sample_weights: torch.Tensor | None = None,
        include_last_offset: bool = False,
        padding_idx: int = -1,
    ) -> Any:
        if weight.is_meta and not (include_last_offset and offsets.numel() == 1):
            raise NotImplementedError
        return overload_of(name)(weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights, include_last_offset, padding_idx)

    return infer


def _embedding_bag(
    b: Builder,
    out: Sequence[TensorType],
    weight: Node,
    indices: Node,
    offsets: Node,
    scale_grad_by_freq: bool = False,
    mode: int = SUM,
    sparse: bool = False,
    per_sample_weights: Node | None = None,
    include_last_offset: bool = False,
    padding_idx: int = -1,
) -> tuple[Node, ...]:
    """The bag of each index, the bags' sizes and the words of the maxima are what the backward operation wants to know."""
    count, width = indices.type.size, weight.shape[1]
    if out[0].size == 0 or count == 0:
        return tuple(full(b, 0, type_) for type_ in out)
    bags = _bags_of(b, indices, offsets, out[0].shape[0], weight.shape[0], padding_idx)
    rows = bags.gathered(b.cast(weight, math_dtype(weight.dtype)), bags.word)
    bag = b.cast(bags.bag.node, out[1].dtype) if out[1].size else full(b, 0, out[1])
    if mode == MAX:
        largest, words = _largest(bags, rows)
        parts = (largest.node, bag, bags.sizes().node, words.node)
        return tuple(b.cast(part, type_.dtype) for part, type_ in zip(parts, out, strict=True))
    sizes = bags.sizes()
    if include_last_offset and padding_idx < 0 and weight.dtype != "f64":  # torch's fast way stops at the last offset
        end = b.expand(b.cast(b.static_slice(offsets, 0, offsets.shape[0] - 1, 1), "i64"), (count,))
        bags.kept = bags.kept & (Term(b, b.iota(dim=0, result=TensorType((count,), "i64"))) < Term(b, end))
    if per_sample_weights is not None:
        rows = rows * _over_rows(Term(b, b.cast(per_sample_weights, rows.dtype)), width)
    total = bags.collected(where(_over_rows(bags.kept, width), rows, 0), 0, "add")
    if mode == SUM:
        return b.cast(total.node, out[0].dtype), bag, full(b, 0, out[2]), full(b, 0, out[3])
    mean = total / _over_rows(maximum(sizes, 1).cast(total.dtype), width)
    return b.cast(mean.node, out[0].dtype), bag, b.cast(sizes.node, out[2].dtype), b.cast(sizes.node, out[3].dtype)


for _name in ("_embedding_bag", "_embedding_bag_forward_only"):
    aten(_name, meta=_types_of(_name))(_embedding_bag)


def _known_bags(b: Builder, grad: Node, indices: Node, offsets: Node | None, offset2bag: Node, padding_idx: int) -> _Bags:
    """As the forward operation told them, or from the offsets where it did not."""
    bags, count = grad.shape[0], indices.type.size
    if offset2bag.type.size or offsets is None:
        bag = Term(b, b.cast(offset2bag, "i64"))
    else:
        bag = _bag_of_each(b, b.cast(offsets, "i64"), count, bags)
    return _Bags(b, indices, bag, bags, padding_idx)


def _is_dense(*args: Any, **_: Any) -> bool:
    return not args[9]


@aten("_embedding_bag_backward", accepts=_is_dense)
def embedding_bag_backward(
    b: Builder,
    out: TensorType,
    grad: Node,
    indices: Node,
    offsets: Node | None,
    offset2bag: Node,
    bag_size: Node,
    maximum_indices: Node,
    num_weights: int,
    scale_grad_by_freq: bool,
    mode: int,
    sparse: bool,
    per_sample_weights: Node | None,
    padding_idx: int = -1,
) -> Node:
    if grad.type.size == 0 or indices.type.size == 0:
        return full(b, 0, out)
    bags = _known_bags(b, grad, indices, offsets, offset2bag, padding_idx)
    width = out.shape[1]
    incoming = b.cast(grad, math_dtype(grad.dtype))
    base = full(b, 0, TensorType(out.shape, incoming.dtype))
    if mode == MAX:
        filled = _over_rows(Term(b, bag_size).differs(0), width)
        shares = where(filled, Term(b, incoming), 0)
        return b.cast(b.scatter(base, b.cast(maximum_indices, "i64"), shares.node, dim=0, kind="add"), out.dtype)
    scale = Term(b, full(b, 1, TensorType((bags.count,), incoming.dtype)))
    if per_sample_weights is not None:
        scale = Term(b, b.cast(per_sample_weights, incoming.dtype))
    if scale_grad_by_freq:
        ones = full(b, 1, TensorType((bags.count,), "i64"))
        counts = b.index_put(full(b, 0, TensorType((out.shape[0],), "i64")), ones, bags.word.node, dims=(0,), kind="add")
        scale = scale / bags.gathered(counts, bags.word).cast(scale.dtype)
    if mode == MEAN:
        scale = scale / maximum(bags.gathered(bag_size, bags.bag), 1).cast(scale.dtype)
    shares = where(_over_rows(bags.kept, width), bags.gathered(incoming, bags.bag) * _over_rows(scale, width), 0)
    return b.cast(b.index_put(base, shares.node, bags.word.node, dims=(0,), kind="add"), out.dtype)


@aten("_embedding_bag_dense_backward")
def embedding_bag_dense_backward(
    b: Builder,
    out: TensorType,
    grad: Node,
    indices: Node,
    offset2bag: Node,
    bag_size: Node,
    maximum_indices: Node,
    num_weights: int,
    scale_grad_by_freq: bool,
    mode: int,
    per_sample_weights: Node | None,
    padding_idx: int = -1,
) -> Node:
    """The same without offsets, and never sparse."""
    known = (offset2bag, bag_size, maximum_indices, num_weights, scale_grad_by_freq, mode, False, per_sample_weights, padding_idx)
    return embedding_bag_backward(b, out, grad, indices, None, *known)


@aten("_embedding_bag_per_sample_weights_backward")
def per_sample_weights_backward(
    b: Builder, out: TensorType, grad: Node, weight: Node, indices: Node, offsets: Node, offset2bag: Node, mode: int, padding_idx: int = -1
) -> Node:
    if grad.type.size == 0 or out.size == 0:
        return full(b, 0, out)
    bags = _known_bags(b, grad, indices, offsets, offset2bag, padding_idx)
    dtype = math_dtype(out.dtype)
    products = bags.gathered(b.cast(grad, dtype), bags.bag) * bags.gathered(b.cast(weight, dtype), bags.word)
    return b.cast(where(bags.kept, Term(b, b.sum(products.node, dims=(1,))), 0).node, out.dtype)
