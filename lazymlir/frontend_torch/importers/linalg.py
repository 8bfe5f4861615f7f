"""Linear algebra: Cholesky factors, triangular systems, and checks of what a factorization says."""

from __future__ import annotations

from lazymlir.dialect import Builder, Node, TensorType

from ..registry import aten
from .common import full
from .matmul import matrix_product
from .matrices import adjoint, broadcast_batches, check_info, diagonal, first_zero, identity, lower, no_info

__all__ = ["solve_triangular"]


@aten("_linalg_check_errors", meta=lambda *_, **__: ())
def check_errors(b: Builder, out: tuple[()], info: Node, name: str, *, is_matrix: bool) -> tuple[Node, ...]:
    check_info(b, info, name, is_matrix)
    return ()


def solve_triangular(b: Builder, a: Node, x: Node, *, left: bool = True, is_lower: bool, unit: bool = False, transpose: str = "none") -> Node:
    """`lazy.triangular_solve` of equal batches, empty ones too."""
    if x.type.size == 0:
        return x
    return b.triangular_solve(a, x, left=left, lower=is_lower, unit=unit, transpose=transpose)


@aten("linalg_solve_triangular")
def linalg_solve_triangular(b: Builder, out: TensorType, a: Node, x: Node, *, upper: bool, left: bool = True, unitriangular: bool = False) -> Node:
    a, x = broadcast_batches(b, a, x)
    return solve_triangular(b, a, x, left=left, is_lower=not upper, unit=unitriangular)


@aten("triangular_solve")
def triangular_solve(
    b: Builder, outs: tuple[TensorType, ...], x: Node, a: Node, upper: bool = True, transpose: bool = False, unitriangular: bool = False
) -> tuple[Node, ...]:
    a, x = broadcast_batches(b, a, x)
    solution = solve_triangular(b, a, x, is_lower=not upper, unit=unitriangular, transpose="transpose" if transpose else "none")
    return solution, a


# Cholesky factors.


def _factor(b: Builder, x: Node, upper: bool) -> tuple[Node, Node]:
    """The factor and `info`. The upper one is the adjoint of the lower one of the adjoint."""
    if x.type.size == 0:
        return x, no_info(b, TensorType(x.shape[:-2], "i32"))
    factor, info = b.cholesky(adjoint(b, x) if upper else x)
    return adjoint(b, factor) if upper else factor, info


@aten("linalg_cholesky_ex")
def linalg_cholesky_ex(b: Builder, outs: tuple[TensorType, ...], x: Node, *, upper: bool = False, check_errors: bool = False) -> tuple[Node, ...]:
    factor, info = _factor(b, x, upper)
    if check_errors:
        check_info(b, info, "linalg.cholesky_ex")
    return factor, info


@aten("cholesky")
def cholesky(b: Builder, out: TensorType, x: Node, upper: bool = False) -> Node:
    factor, info = _factor(b, x, upper)
    check_info(b, info, "cholesky")
    return factor


@aten("_cholesky_solve_helper")
def cholesky_solve(b: Builder, out: TensorType, x: Node, factor: Node, upper: bool) -> Node:
    first = solve_triangular(b, factor, x, is_lower=not upper, transpose="adjoint" if upper else "none")
    return solve_triangular(b, factor, first, is_lower=not upper, transpose="none" if upper else "adjoint")


@aten("cholesky_inverse")
def cholesky_inverse(b: Builder, out: TensorType, factor: Node, upper: bool = False) -> Node:
    """The inverse of the factored matrix: with L of it inverted, L^-H L^-1."""
    if factor.type.size == 0:
        return full(b, 0, out)
    check_info(b, first_zero(b, diagonal(b, factor)), "cholesky_inverse")
    inverse = solve_triangular(b, adjoint(b, factor) if upper else factor, identity(b, factor.type), is_lower=True)
    return matrix_product(b, adjoint(b, lower(b, inverse)), lower(b, inverse))
