"""Linear algebra by reflections: QR factors, products with Q, and least squares."""

from __future__ import annotations

from typing import Any

import torch

from lazymlir.dialect import Builder, Node, TensorType

from ..dtypes import TORCH_OF
from ..registry import aten
from .common import full, to
from .formula import Term, absolute, where
from .linalg import solve_triangular
from .matmul import matrix_product
from .matrices import adjoint, broadcast_batches, columns, identity, rows, upper


@aten("geqrf")
def geqrf(b: Builder, outs: tuple[TensorType, ...], x: Node) -> tuple[Node, ...]:
    return (x, full(b, 0, outs[1])) if x.type.size == 0 else b.geqrf(x)


def _product(b: Builder, reflectors: Node, scales: Node) -> Node:
    """The first columns of the product of reflections."""
    if scales.type.size == 0:
        return identity(b, reflectors.type)
    return b.householder_product(reflectors, scales)


@aten("linalg_householder_product")
def linalg_householder_product(b: Builder, out: TensorType, reflectors: Node, scales: Node) -> Node:
    return reflectors if reflectors.type.size == 0 else _product(b, reflectors, scales)


@aten("ormqr")
def ormqr(b: Builder, out: TensorType, reflectors: Node, scales: Node, other: Node, left: bool = True, transpose: bool = False) -> Node:
    if other.type.size == 0 or scales.type.size == 0:
        return other
    return b.ormqr(reflectors, scales, other, left=left, adjoint=transpose)


def _factors(b: Builder, x: Node, complete: bool) -> tuple[Node, Node]:
    """Q and R; Q is square if it is to be complete."""
    *batch, height, width = x.shape
    size = height if complete else min(height, width)
    if x.type.size == 0:
        return identity(b, x.type.with_shape((*batch, height, size))), full(b, 0, x.type.with_shape((*batch, size, width)))
    reflectors, scales = b.geqrf(x)
    wide = columns(b, reflectors, min(size, width))
    if size > width:
        zero, none = full(b, 0, x.type.with_shape(())), (0,) * x.rank
        wide = b.pad(wide, zero, low=none, high=(*none[1:], size - width), interior=none)
    return b.householder_product(wide, scales), upper(b, rows(b, reflectors, size))


@aten("linalg_qr")
def linalg_qr(b: Builder, outs: tuple[TensorType, ...], x: Node, mode: str = "reduced") -> tuple[Node, ...]:
    if mode == "r":
        size = outs[1].shape[-2]
        r = upper(b, rows(b, b.geqrf(x)[0], size)) if x.type.size else full(b, 0, outs[1])
        return full(b, 0, outs[0]), r
    return _factors(b, x, mode == "complete")


# Least squares.

_OF_SINGULAR_VALUES = ("gelss", "gelsd")


def _has_static_shape(a: torch.Tensor, x: torch.Tensor, rcond: float | None = None, *, driver: str | None = None) -> bool:
    """Whether there are residuals depends, for these drivers, on the rank."""
    return driver not in _OF_SINGULAR_VALUES or a.shape[-2] <= a.shape[-1]


def _meta_lstsq(a: torch.Tensor, x: torch.Tensor, rcond: float | None = None, *, driver: str | None = None) -> Any:
    """What the CPU returns for matrices of full rank."""
    full_rank = torch.zeros(a.shape, dtype=a.dtype, device="cpu")
    if a.dim() > 1:
        full_rank.diagonal(dim1=-2, dim2=-1).fill_(1)
    return torch.ops.aten.linalg_lstsq(full_rank, torch.zeros(x.shape, dtype=x.dtype, device="cpu"), rcond, driver=driver)


@aten("linalg_lstsq", meta=_meta_lstsq, accepts=_has_static_shape)
def linalg_lstsq(
    b: Builder, outs: tuple[TensorType, ...], a: Node, x: Node, rcond: Node | None = None, *, driver: str | None = None
) -> tuple[Node, ...]:
    is_vector = x.rank == a.rank - 1
    a, x = broadcast_batches(b, a, b.reshape(x, (*x.shape, 1)) if is_vector else x)
    if a.type.size == 0 or x.type.size == 0:
        return tuple(full(b, 0, type_) for type_ in outs)
    if driver == "gels":
        solution, rank, singular = _by_reflections(b, a, x), full(b, 0, outs[2]), full(b, 0, outs[3])
    else:
        solution, rank, singular = _by_singular_values(b, a, x, rcond)
    residuals = full(b, 0, outs[1])
    if residuals.type.size:
        left = absolute(Term(b, x) - Term(b, matrix_product(b, a, solution)))
        residuals = b.sum((left * left).node, dims=(x.rank - 2,))
    return (
        b.reshape(solution, outs[0].shape),
        b.reshape(b.cast(residuals, outs[1].dtype), outs[1].shape),
        rank,
        singular if outs[3].size else full(b, 0, outs[3]),
    )


def _by_reflections(b: Builder, a: Node, x: Node) -> Node:
    """The least or, where there are many, the shortest solution, of a matrix of full rank."""
    if a.shape[-2] >= a.shape[-1]:
        q, r = _factors(b, a, complete=False)
        return solve_triangular(b, r, matrix_product(b, adjoint(b, q), x), is_lower=False)
    q, r = _factors(b, adjoint(b, a), complete=False)
    return matrix_product(b, q, solve_triangular(b, r, x, is_lower=False, transpose="adjoint"))


def _by_singular_values(b: Builder, a: Node, x: Node, rcond: Node | None) -> tuple[Node, Node, Node]:
    """The shortest solution without the singular values below `rcond` times the largest, the rank and all singular values."""
    u, singular, vh, _ = b.svd(a, full=False)
    s = Term(b, singular)
    eps = torch.finfo(TORCH_OF[singular.dtype]).eps
    if rcond is None:
        least: Any = Term(b, full(b, eps * max(a.shape[-2:]), singular.type))
    else:
        least = Term(b, to(b, rcond, singular.dtype, singular.shape))
        least = where(least < 0, eps, least)
    largest = Term(b, b.expand(columns(b, singular, 1), singular.shape))
    kept = s > least * largest
    rank = b.sum(b.cast(kept.node, "i64"), dims=(singular.rank - 1,))
    inverse = where(kept, 1 / where(kept, s, 1), 0)
    turned = Term(b, matrix_product(b, adjoint(b, u), x))
    scale = b.cast(b.expand(b.reshape(inverse.node, (*singular.shape, 1)), turned.node.shape), a.dtype)
    solution = matrix_product(b, adjoint(b, vh), (turned * Term(b, scale)).node)
    return solution, rank, singular
