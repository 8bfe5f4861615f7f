"""Discrete Fourier transforms. torch makes all of `torch.fft`, `stft` and `istft` of the three operations here."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod, sqrt

import torch

from lazymlir.dialect import Builder, Node, TensorType

from ..registry import aten
from .common import wrap

Ints = Sequence[int]

ROOT, WHOLE = 1, 2
"""torch's numbers for a transform divided by the root of its length, and by its length; 0 divides by nothing."""


# How results lie in memory: what torch's kernels for the CPU do.


def _empty(x: torch.Tensor, shape: Ints, dtype: torch.dtype, dims: Ints) -> torch.Tensor:
    """What a transform of `x` along `dims` returns: those dimensions come last, before them the others as in `x`."""
    if not torch.backends.mkl.is_available():
        return x.new_empty(shape, dtype=dtype)
    others = sorted((dim for dim in range(x.dim()) if dim not in dims), key=lambda dim: -x.stride(dim))
    order = [*others, *dims]
    return x.new_empty([shape[dim] for dim in order], dtype=dtype).permute([order.index(dim) for dim in range(x.dim())])


def _by_stride(x: torch.Tensor, dims: Ints) -> list[int]:
    return sorted(dims, key=lambda dim: -x.stride(dim))


def _positive(x: torch.Tensor, dim: Ints) -> list[int]:
    return [wrap(d, x.dim()) for d in dim]


def _meta_r2c(x: torch.Tensor, dim: Ints, normalization: int, onesided: bool) -> torch.Tensor:
    dims, shape = _positive(x, dim), list(x.shape)
    if onesided:
        shape[dims[-1]] = shape[dims[-1]] // 2 + 1
    return _empty(x, shape, x.dtype.to_complex(), [*_by_stride(x, dims[:-1]), dims[-1]])


def _meta_c2c(x: torch.Tensor, dim: Ints, normalization: int, forward: bool) -> torch.Tensor:
    return _empty(x, x.shape, x.dtype, _by_stride(x, _positive(x, dim))) if dim else torch.empty_like(x)


def _meta_c2r(x: torch.Tensor, dim: Ints, normalization: int, last_dim_size: int) -> torch.Tensor:
    *before, last = _positive(x, dim)
    between = _meta_c2c(x, before, normalization, False) if before else x
    shape = list(x.shape)
    shape[last] = last_dim_size
    return _empty(between, shape, x.dtype.to_real(), [last])


# The graph.


def _scaled(b: Builder, x: Node, lengths: Ints, normalization: int, inverse: bool) -> Node:
    """A transform as torch wants it divided; an inverse one is divided by its length already."""
    size = prod(lengths)
    divisor = {ROOT: sqrt(size), WHOLE: size}.get(normalization, 1) / (size if inverse else 1)
    return x if divisor == 1 else b.mul(x, b.constant(1 / divisor, x.type))


@aten("_fft_c2c", meta=_meta_c2c)
def fft_c2c(b: Builder, out: TensorType, x: Node, dim: Ints, normalization: int, forward: bool) -> Node:
    dims = [wrap(d, x.rank) for d in dim]
    if not dims:
        return x
    lengths = [x.shape[d] for d in dims]
    return _scaled(b, b.fft(x, kind="fft" if forward else "ifft", dims=dims, lengths=lengths), lengths, normalization, not forward)


@aten("_fft_r2c", meta=_meta_r2c)
def fft_r2c(b: Builder, out: TensorType, x: Node, dim: Ints, normalization: int, onesided: bool) -> Node:
    if not onesided:
        return fft_c2c(b, out, b.cast(x, out.dtype), dim, normalization, True)
    dims = [wrap(d, x.rank) for d in dim]
    lengths = [x.shape[d] for d in dims]
    return _scaled(b, b.fft(x, kind="rfft", dims=dims, lengths=lengths), lengths, normalization, False)


@aten("_fft_c2r", meta=_meta_c2r)
def fft_c2r(b: Builder, out: TensorType, x: Node, dim: Ints, normalization: int, last_dim_size: int) -> Node:
    dims = [wrap(d, x.rank) for d in dim]
    lengths = [out.shape[d] for d in dims]
    cut = b.static_slice(x, dims[-1], 0, last_dim_size // 2 + 1)
    return _scaled(b, b.fft(cut, kind="irfft", dims=dims, lengths=lengths), lengths, normalization, True)
