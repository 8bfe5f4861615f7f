"""Lowerings of dialect/fourier.py."""

from __future__ import annotations

from collections.abc import Sequence

from lazymlir.dialect import Node, TensorType
from lazymlir.dialect.types import COMPLEX_OF, real_dtype
from lazymlir.mlir import stablehlo

from .registry import Emitter, i64s, lowering

AT_ONCE = 3
"""StableHLO transforms at most this many dimensions, the last ones."""


@lowering("fft")
def fft(e: Emitter, result: TensorType, x: Node, kind: str, dims: Sequence[int], lengths: Sequence[int]) -> Node:
    """By groups of the last dimensions. The one that turns real numbers to complex ones comes first; the one that turns
    complex numbers to real ones comes last, and alone: libraries differ in what they make of several dimensions whose
    imaginary parts are not those of a real signal."""
    if result.size == 0:
        return e.splat(0, result)
    alone = 1 if kind == "irfft" else AT_ONCE
    places = list(range(len(dims)))
    groups = [places[-alone:], *(places[:-alone][first : first + AT_ONCE] for first in range(0, len(places[:-alone]), AT_ONCE))]
    kinds = [kind, *(["ifft" if kind in ("ifft", "irfft") else "fft"] * (len(groups) - 1))]
    stages = list(zip(kinds, groups, strict=True))
    for stage, group in stages[::-1] if kind == "irfft" else stages:
        x = _transformed(e, stage, x, [dims[place] for place in group], [lengths[place] for place in group])
    return x


def _transformed(e: Emitter, kind: str, x: Node, dims: Sequence[int], lengths: Sequence[int]) -> Node:
    order = [*(dim for dim in range(x.rank) if dim not in dims), *dims]
    moved = e.transpose(x, order) if order != sorted(order) else x
    last = {"rfft": lengths[-1] // 2 + 1, "irfft": lengths[-1]}.get(kind, moved.shape[-1])
    dtype = {"rfft": COMPLEX_OF.get(x.dtype, x.dtype), "irfft": real_dtype(x.dtype)}.get(kind, x.dtype)
    type_ = TensorType((*moved.shape[:-1], last), dtype)
    made = e.op("fft", type_, moved, fft_type=stablehlo.FftTypeAttr.get(kind.upper()), fft_length=i64s(lengths))
    return e.transpose(made, [order.index(dim) for dim in range(x.rank)]) if moved is not x else made
