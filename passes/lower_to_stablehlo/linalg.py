"""Linear algebra: templates of jax, which calls LAPACK on the CPU and the vendor's library elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

from lazymlir.dialect import Node, TensorType

from .registry import Emitter, lowering


@lowering("lu")
def lu(e: Emitter, results: Sequence[TensorType], x: Node) -> Sequence[Node]:
    return e.template("lu", results, [x])


@lowering("cholesky")
def cholesky(e: Emitter, results: Sequence[TensorType], x: Node) -> Sequence[Node]:
    return e.template("cholesky", results, [x])


@lowering("pivot_order")
def pivot_order(e: Emitter, result: TensorType, pivots: Node, rows: int) -> Sequence[Node]:
    return e.template("pivot_order", [result], [pivots], rows=rows)


@lowering("triangular_solve")
def triangular_solve(e: Emitter, result: TensorType, a: Node, b: Node, left: bool, lower: bool, unit: bool, transpose: str) -> Sequence[Node]:
    return e.template("triangular_solve", [result], [a, b], left=left, lower=lower, unit=unit, transpose=transpose)


@lowering("geqrf")
def geqrf(e: Emitter, results: Sequence[TensorType], x: Node) -> Sequence[Node]:
    return e.template("geqrf", results, [x])


@lowering("householder_product")
def householder_product(e: Emitter, result: TensorType, x: Node, scales: Node) -> Sequence[Node]:
    return e.template("householder_product", [result], [x, scales])


@lowering("ormqr")
def ormqr(e: Emitter, result: TensorType, x: Node, scales: Node, other: Node, left: bool, adjoint: bool) -> Sequence[Node]:
    return e.template("ormqr", [result], [x, scales, other], left=left, adjoint=adjoint)


@lowering("eigh")
def eigh(e: Emitter, results: Sequence[TensorType], x: Node, lower: bool) -> Sequence[Node]:
    return e.template("eigh", results, [x], lower=lower, vectors=not e.unused(1))


@lowering("svd")
def svd(e: Emitter, results: Sequence[TensorType], x: Node, full: bool) -> Sequence[Node]:
    return e.template("svd", results, [x], full=full, vectors=not (e.unused(0) and e.unused(2)))


@lowering("eig")
def eig(e: Emitter, results: Sequence[TensorType], x: Node) -> Sequence[Node]:
    return e.template("eig", results, [x], vectors=not e.unused(1))


@lowering("matrix_exp")
def matrix_exp(e: Emitter, result: TensorType, x: Node) -> Sequence[Node]:
    return e.template("matrix_exp", [result], [x])
