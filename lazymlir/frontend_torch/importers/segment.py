"""Reductions of consecutive runs of elements along a dimension, whose lengths or offsets are given."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, nan, prod
from typing import Any

from lazymlir.dialect import Builder, Node, TensorType

from ..registry import aten
from .common import full, math_dtype
from .formula import Term, is_nan, maximum, where

# reduction: how elements combine, and what an empty segment is
KINDS = {"sum": ("add", 0.0), "mean": ("add", nan), "prod": ("mul", 1.0), "max": ("amax", -inf), "min": ("amin", inf)}


class _Segments:
    """Data as [outer, elements, inner], and the segment of each element. One segment more takes what is in none."""

    def __init__(self, b: Builder, data: TensorType, lengths: Node | None, offsets: Node | None, axis: int) -> None:
        self.b = b
        self.outer, self.size, self.inner = prod(data.shape[:axis]), data.shape[axis], prod(data.shape[axis + 1 :])
        if lengths is not None:
            self.count = lengths.shape[-1]
            self.lengths = Term(b, b.reshape(b.cast(lengths, "i64"), (self.outer, self.count)))
            ends = Term(b, b.cumsum(self.lengths.node, dim=1))
            begins = ends - self.lengths
        else:
            assert offsets is not None
            self.count = offsets.shape[-1] - 1
            flat = b.reshape(b.cast(offsets, "i64"), (self.outer, self.count + 1))
            begins, ends = (Term(b, b.static_slice(flat, 1, start, self.count)) for start in (0, 1))
            self.lengths = ends - begins
        self.ends, self.first = ends, begins
        self.shape = (self.outer, self.size, self.inner)
        self.wide = (self.outer, self.count + 1, self.inner)
        self.of_element = self._of_elements()

    def _of_elements(self) -> Term:
        """How many segments have ended before each element; those before the first segment are in none."""
        b = self.b
        begun = full(b, 0, TensorType((self.outer, self.size + 1), "i64"))
        one = full(b, 1, self.ends.node.type)
        segment = Term(b, b.cumsum(b.scatter(begun, self.ends.node, one, dim=1, kind="add"), dim=1))
        segment = Term(b, b.static_slice(segment.node, 1, 0, self.size))
        place = Term(b, b.iota(dim=1, result=segment.node.type))
        start = Term(b, b.expand(b.static_slice(self.first.node, 1, 0, 1), segment.node.shape))
        return self.over_inner(where(place < start, self.count, segment), self.size)

    def over_inner(self, x: Term, size: int) -> Term:
        return Term(self.b, self.b.expand(self.b.reshape(x.node, (self.outer, size, 1)), (self.outer, size, self.inner)))

    def collected(self, x: Term, start: float, kind: str) -> Term:
        """Elements combined by segment: [outer, segments, inner]."""
        base = full(self.b, start, TensorType(self.wide, x.dtype))
        made = self.b.scatter(base, self.of_element.node, x.node, dim=1, kind=kind)
        return Term(self.b, self.b.static_slice(made, 1, 0, self.count))

    def spread(self, x: Term) -> Term:
        """What is told of segments for their elements; 0 for those that are in none."""
        padded = self.b.join([x.node, full(self.b, 0, TensorType((self.outer, 1, self.inner), x.dtype))], 1)
        return Term(self.b, self.b.gather(padded, self.of_element.node, dim=1))

    @property
    def counts(self) -> Term:
        return self.over_inner(self.lengths, self.count)


def _accepts(data: Any, reduce: str, *, lengths: Any = None, indices: Any = None, offsets: Any = None, **_: Any) -> bool:
    return indices is None and (lengths is None) != (offsets is None) and data.dim() > 0


@aten("segment_reduce", static=("initial",), accepts=_accepts)
def segment_reduce(
    b: Builder,
    out: TensorType,
    data: Node,
    reduce: str,
    *,
    lengths: Node | None = None,
    indices: Node | None = None,
    offsets: Node | None = None,
    axis: int = 0,
    unsafe: bool = False,
    initial: float | None = None,
) -> Node:
    kind, neutral = KINDS[reduce]
    start = neutral if initial is None else float(initial)
    if out.size == 0 or data.type.size == 0:
        return full(b, start, out)
    segments = _Segments(b, data.type, lengths, offsets, axis)
    if lengths is not None and not unsafe:
        total = Term(b, b.sum(segments.lengths.node, dims=(1,)))
        message = "Expected all rows of lengths along axis to sum to data.size(lengths.dim()-1) when !unsafe."
        b.require((segments.lengths >= 0).node, RuntimeError, "lengths contains negative value!")
        b.require(total.equals(segments.size).node, RuntimeError, message)
    values = Term(b, b.reshape(b.cast(data, math_dtype(data.dtype)), segments.shape))
    made = segments.collected(values, 0.0 if start != start else start, kind)
    if reduce == "mean":
        counts = segments.counts
        made = where(counts > 0, made / maximum(counts, 1).cast(made.dtype), start)
    return b.reshape(b.cast(made.node, out.dtype), out.shape)


def _product_gradient(b: Builder, s: _Segments, values: Term, output: Term, incoming: Term, initial: float) -> Term:
    """The product of the others: by division, but where the element or another is 0 or NaN."""
    zero, unknown = values.equals(0), is_nan(values)
    rest = s.spread(s.collected(where(zero | unknown, 1, values), initial, "mul"))
    zeros, unknowns = (s.spread(s.collected(found.cast("i64"), 0, "add")) for found in (zero, unknown))
    other_zeros, other_unknowns = zeros - zero.cast("i64"), unknowns - unknown.cast("i64")
    others = where(other_unknowns > 0, nan, where(other_zeros > 0, 0, rest))
    return incoming * where(zero | unknown, others, s.spread(output) / values)


@aten("_segment_reduce_backward", static=("initial",), accepts=lambda grad, output, data, reduce, **named: _accepts(data, reduce, **named))
def segment_reduce_backward(
    b: Builder,
    out: TensorType,
    grad: Node,
    output: Node,
    data: Node,
    reduce: str,
    *,
    lengths: Node | None = None,
    offsets: Node | None = None,
    axis: int = 0,
    initial: float | None = None,
) -> Node:
    if out.size == 0 or grad.type.size == 0:
        return full(b, 0, out)
    s = _Segments(b, data.type, lengths, offsets, axis)
    dtype = math_dtype(data.dtype)
    narrow: Sequence[int] = (s.outer, s.count, s.inner)
    grads, outputs = (Term(b, b.reshape(b.cast(node, dtype), narrow)) for node in (grad, output))
    values = Term(b, b.reshape(b.cast(data, dtype), s.shape))
    incoming = s.spread(grads)
    if reduce == "mean":
        incoming = s.spread(grads / maximum(s.counts, 1).cast(dtype))
    elif reduce == "prod":
        incoming = _product_gradient(b, s, values, outputs, incoming, 1.0 if initial is None else float(initial))
    elif reduce in ("max", "min"):
        reached = (values.equals(s.spread(outputs)) | is_nan(values)) & (s.of_element < s.count)
        ties = s.collected(reached.cast("i64"), 0, "add")
        incoming = where(reached, s.spread(grads / maximum(ties, 1).cast(dtype)), 0)
    return b.reshape(b.cast(incoming.node, out.dtype), out.shape)
