"""Results that are not determined: of factors two libraries choose other signs or phases, of equal elements other ones,
and both are right."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch

__all__ = ["GAUGES", "PLACES", "is_place"]

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

PLACES = frozenset(("topk", "kthvalue", "median", "nanmedian", "mode"))
"""Entries whose second result tells where in the first input the first result stands, of several equal ones any."""


def is_place(x: torch.Tensor, values: torch.Tensor, places: torch.Tensor) -> bool:
    """Whether `x` holds each value at its place along some dimension; all on the CPU."""
    if x.dim() == 0:
        x, values, places = x.reshape(1), values.reshape(1), places.reshape(1)
    for dim in range(x.dim()):
        one, other = (y.unsqueeze(dim) if y.dim() < x.dim() else y for y in (values, places))
        rest = [size for d, size in enumerate(x.shape) if d != dim]
        fits = [size for d, size in enumerate(one.shape) if d != dim] == rest and bool(((other >= 0) & (other < x.shape[dim])).all())
        if fits:
            found = x.gather(dim, other)
            if bool(((found == one) | (found.isnan() & one.isnan())).all()):
                return True
    return False
