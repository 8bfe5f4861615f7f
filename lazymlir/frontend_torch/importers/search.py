"""Searching in sequences: how many elements come before, and whether one is there."""

from __future__ import annotations

from typing import Any

import torch

from lazymlir.dialect import Builder, Node, TensorType
from lazymlir.dialect.types import BOOL

from ..counted import with_total
from ..registry import aten
from .common import full
from .formula import Term, minimum, where
from .index import as_index, within

# Searching in sorted sequences: counts the elements before. A NaN is beyond every number.


def _count_before(b: Builder, out: TensorType, sequence: Node, values: Node, right: bool) -> Node:
    """By bisection, as torch's kernels do it: where NaN stand in the sequence, the answer depends on that. `sequence` is
    [..., n] and `values` [..., m], or `sequence` has one dimension and `values` any."""
    size = sequence.shape[-1]
    places = values.type.with_dtype("i64")
    if size == 0 or values.type.size == 0:
        return full(b, 0, out)
    sequence = b.cast(sequence, values.dtype)
    sought = Term(b, values)
    first, end = Term(b, full(b, 0, places)), Term(b, full(b, size, places))
    for _ in range(size.bit_length()):
        middle = (first + end) / 2
        place = minimum(middle, size - 1).node
        element = Term(b, b.index(sequence, place, dims=(0,)) if sequence.rank == 1 else b.gather(sequence, place, dim=sequence.rank - 1))
        reached = element > sought if right else element >= sought
        open_ = first < end
        first, end = where(open_ & ~reached, middle + 1, first), where(open_ & reached, middle, end)
    return b.cast(first.node, out.dtype)


def _check_boundaries(x: Any, boundaries: torch.Tensor, **_: Any) -> None:
    if boundaries.dim() != 1:
        raise RuntimeError(f"boundaries tensor must be 1 dimension, but got dim({boundaries.dim()})")


@aten("bucketize.Tensor", "bucketize.Scalar", check=_check_boundaries)
def bucketize(b: Builder, out: TensorType, x: Node, boundaries: Node, *, out_int32: bool = False, right: bool = False) -> Node:
    if x.rank == 0:
        x = b.cast(x, boundaries.dtype)
    return _count_before(b, out, boundaries, x, right)


@aten("searchsorted.Tensor", "searchsorted.Scalar")
def searchsorted(
    b: Builder,
    out: TensorType,
    sequence: Node,
    x: Node,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Node | None = None,
) -> Node:
    if sorter is not None:
        places = within(b, sorter, sequence.shape[-1], RuntimeError, "torch.searchsorted(): sorter index out of range")
        sequence = b.gather(sequence, places, dim=sequence.rank - 1)
    if x.rank == 0:
        x = b.cast(x, sequence.dtype)
    return _count_before(b, out, sequence, x, right or side == "right")


def _isin_types(elements: Any, tests: Any, **_: Any) -> torch.Tensor:
    shape = elements.shape if isinstance(elements, torch.Tensor) else ()
    return torch.empty(shape, dtype=torch.bool, device="meta")


@aten("repeat_interleave.Tensor", accepts=lambda repeats, *, output_size=None: output_size is not None, otherwise=with_total)
def repeat_interleave(b: Builder, out: TensorType, repeats: Node, *, output_size: int) -> Node:
    """Each place as often as it says; the sum is known only where `output_size` tells."""
    repeats = as_index(b, repeats)
    ends = b.cumsum(repeats, dim=0)
    b.require((Term(b, repeats) >= 0).node, RuntimeError, "repeats can not be negative")
    total = Term(b, b.static_slice(ends, 0, ends.type.size - 1, 1)) if ends.type.size else Term(b, full(b, 0, ends.type.with_shape((1,))))
    b.require(total.equals(output_size).node, RuntimeError, "allocated size does not match required size")
    return _count_before(b, out, ends, b.iota(dim=0, result=out.with_dtype("i64")), right=True)


@aten("isin.Tensor_Tensor", "isin.Tensor_Scalar", "isin.Scalar_Tensor", promotes=True, meta=_isin_types)
def isin(b: Builder, out: TensorType, elements: Node, tests: Node, *, common: str, assume_unique: bool = False, invert: bool = False) -> Node:
    if BOOL in (elements.dtype, tests.dtype):
        raise RuntimeError("Unsupported input type encountered for isin(): Bool")
    wide = (*elements.shape, tests.type.size)
    left = b.expand(b.reshape(b.cast(elements, common), (*elements.shape, 1)), wide)
    right = b.expand(b.reshape(b.cast(tests, common), (tests.type.size,)), wide)
    found = b.any(b.eq(left, right), dims=(elements.rank,))
    return b.bitwise_not(found) if invert else found
