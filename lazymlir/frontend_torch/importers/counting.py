"""What follows from counting elements: the most frequent one, and the places of those that are not 0."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from lazymlir.dialect import Builder, Node, TensorType
from lazymlir.dialect.types import BOOL

from ..registry import aten
from .common import at_least_1d, full, truth, wrap
from .formula import Term, where
from .reduce import finish


@aten("mode")
def mode(b: Builder, out: Sequence[TensorType], x: Node, dim: int = -1, keepdim: bool = False) -> tuple[Node, Node]:
    """The smallest of the most frequent values, and the last place where it stands. Sorted, equal values are a run."""
    dim = wrap(dim, x.rank)
    if out[0].size == 0:
        return full(b, 0, out[0]), full(b, 0, out[1])
    ordered = b.cast(x, "ui8") if x.dtype == BOOL else x
    values, places = b.sort(at_least_1d(b, ordered), dim=dim, descending=False)
    size = values.shape[dim]
    changes = b.ne(b.static_slice(values, dim, 0, size - 1), b.static_slice(values, dim, 1, size - 1))
    edge = full(b, True, TensorType((*values.shape[:dim], 1, *values.shape[dim + 1 :]), BOOL))
    begins, ends = (Term(b, b.join(parts, dim)) for parts in ((edge, changes), (changes, edge)))
    run = (Term(b, b.cumsum(begins.cast("i64").node, dim=dim)) - 1).node
    lengths = b.scatter(full(b, 0, values.type.with_dtype("i64")), run, full(b, 1, values.type.with_dtype("i64")), dim=dim, kind="add")
    _, best = b.max(where(ends, Term(b, b.gather(lengths, run, dim=dim)), 0).node, dim=dim)
    kept = b.reshape(best, edge.shape)
    chosen = (b.gather(node, kept, dim=dim) for node in (values, places))
    return tuple(finish(b, node, type_) for node, type_ in zip(chosen, out, strict=True))  # pyright: ignore[reportReturnType]


def _nonzero_types(x: torch.Tensor, *, size: int, fill_value: int = -1) -> torch.Tensor:
    if size < 0:
        raise RuntimeError("nonzero_static: 'size' must be an non-negative integer")
    return torch.empty((size, x.dim()), dtype=torch.int64, device="meta")


@aten("nonzero_static", meta=_nonzero_types)
def nonzero_static(b: Builder, out: TensorType, x: Node, *, size: int, fill_value: int = -1) -> Node:
    """Each element that is not 0 writes its place where as many came before it; one row more takes those that do not fit."""
    if out.size == 0 or x.type.size == 0:
        return full(b, fill_value, out)
    flat = TensorType((x.type.size,), "i64")
    found = Term(b, b.reshape(truth(b, x), flat.shape))
    count = Term(b, b.cumsum(found.cast("i64").node, dim=0))
    row = where(found & (count <= size), count - 1, size)
    places = [b.reshape(b.iota(dim=dim, result=TensorType(x.shape, "i64")), (x.type.size, 1)) for dim in range(x.rank)]
    base = full(b, fill_value, TensorType((size + 1, x.rank), "i64"))
    written = b.index_put(base, b.join(places, 1), row.node, dims=(0,), kind="set")
    return b.static_slice(written, 0, 0, size)
