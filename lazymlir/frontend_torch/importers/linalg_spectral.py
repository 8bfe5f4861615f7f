"""Linear algebra by eigenvalues and singular values, and the exponential of matrices. As everywhere, what makes no
difference is not the same with every library: the signs, or phases, of eigenvectors and singular vectors."""

from __future__ import annotations

from typing import Any

import torch

from lazymlir.dialect import Builder, Node, TensorType
from lazymlir.dialect.types import is_complex

from ..registry import aten
from .common import full
from .formula import Term
from .matrices import check_info, column_major, identity, is_upper


@aten("_linalg_eigh")
def linalg_eigh(b: Builder, outs: tuple[TensorType, ...], x: Node, UPLO: str = "L", compute_v: bool = True) -> tuple[Node, ...]:
    if x.type.size == 0:
        return tuple(full(b, 0, type_) for type_ in outs)
    eigenvalues, eigenvectors, info = b.eigh(x, lower=not is_upper(UPLO))
    check_info(b, info, "linalg.eigh")
    return eigenvalues, eigenvectors if compute_v else full(b, 0, outs[1])


def _without_driver(x: torch.Tensor, full_matrices: bool = False, compute_uv: bool = True, *, driver: str | None = None) -> bool:
    if driver is not None:
        raise RuntimeError("torch.linalg.svd: keyword argument `driver=` is only supported on CUDA inputs with cuSOLVER backend.")
    return True


@aten("_linalg_svd", meta=column_major(torch.ops.aten._linalg_svd.default, 2), accepts=_without_driver)
def linalg_svd(
    b: Builder, outs: tuple[TensorType, ...], x: Node, full_matrices: bool = False, compute_uv: bool = True, *, driver: str | None = None
) -> tuple[Node, ...]:
    if x.type.size == 0:
        u, s, vh = outs
        return identity(b, u) if u.rank > 1 else full(b, 0, u), full(b, 0, s), identity(b, vh) if vh.rank > 1 else full(b, 0, vh)
    u, s, vh, info = b.svd(x, full=full_matrices)
    check_info(b, info, "linalg.svd")
    return (u, s, vh) if compute_uv else (full(b, 0, outs[0]), s, full(b, 0, outs[2]))


def _has_lapack(x: torch.Tensor) -> bool:
    """Only LAPACK has the general eigenvalue problem."""
    from lazymlir.runtime.client import client

    return client().platform == "cpu"


@aten("linalg_eig", meta=column_major(torch.ops.aten.linalg_eig.default, 1), accepts=_has_lapack)
def linalg_eig(b: Builder, outs: tuple[TensorType, ...], x: Node) -> tuple[Node, ...]:
    if x.type.size == 0:
        return tuple(full(b, 0, type_) for type_ in outs)
    b.require(_is_finite(b, x), RuntimeError, "torch.linalg.eig: input tensor should not contain infs or NaNs.")
    eigenvalues, eigenvectors, info = b.eig(x)
    check_info(b, info, "torch.linalg.eig")
    return eigenvalues, eigenvectors


@aten("_linalg_eigvals", accepts=_has_lapack)
def linalg_eigvals(b: Builder, out: TensorType, x: Node) -> Node:
    if x.type.size == 0:
        return full(b, 0, out)
    eigenvalues, _, info = b.eig(x)
    check_info(b, info, "torch.linalg.eigvals")
    return eigenvalues


def _is_finite(b: Builder, x: Node) -> Node:
    parts = [b.real(x), b.imag(x)] if is_complex(x.dtype) else [x]
    finite: Any = Term(b, b.is_finite(parts[0]))
    return (finite & Term(b, b.is_finite(parts[1]))).node if len(parts) > 1 else finite.node


@aten("linalg_matrix_exp", accepts=lambda x: x.dtype not in (torch.float16, torch.bfloat16))  # of which eager makes NaN
def linalg_matrix_exp(b: Builder, out: TensorType, x: Node) -> Node:
    return x if x.type.size == 0 else b.matrix_exp(x)
