"""Factorizations whose factors are not determined: two libraries choose other signs or phases, and both are right."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch

__all__ = ["GAUGES"]

Tensors = Sequence[torch.Tensor]


def _svd(u: torch.Tensor, s: torch.Tensor, vh: torch.Tensor) -> Tensors:
    """The singular values and the product; where only the values were asked for, the empty factors."""
    if 0 in (u.numel(), vh.numel()):
        return [u, s, vh]
    count = s.shape[-1]
    return [s, u[..., :count] * s[..., None, :].to(u.dtype) @ vh[..., :count, :], _is_unitary(u), _is_unitary(vh.mH)]


def _is_unitary(x: torch.Tensor) -> torch.Tensor:
    """How the columns multiply with each other: whichever they are, the identity."""
    return x.mH @ x


def _eigh(values: torch.Tensor, vectors: torch.Tensor) -> Tensors:
    return [values, vectors * values[..., None, :].to(vectors.dtype) @ vectors.mH]


def _eig(values: torch.Tensor, vectors: torch.Tensor) -> Tensors:
    """Each vector turned so that its largest element is real."""
    if vectors.numel() == 0:
        return [values, vectors]
    largest = vectors.gather(-2, vectors.abs().argmax(-2, keepdim=True))
    return [values, vectors * (largest.abs() / largest)]


GAUGES: dict[str, Callable[..., Tensors]] = {
    "linalg.svd": _svd,
    "svd": lambda u, s, v: _svd(u, s, v.mH),
    "svd_lowrank": lambda u, s, v: _svd(u, s, v.mH),
    "pca_lowrank": lambda u, s, v: _svd(u, s, v.mH),
    "linalg.eigh": _eigh,
    "linalg.eig": _eig,
}
"""By entry: what the results, on the CPU, say that does not depend on the choice."""
