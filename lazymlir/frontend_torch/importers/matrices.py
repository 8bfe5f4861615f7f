"""What the importers of linear algebra share: parts of matrices, and what torch says of a failed factorization."""

from __future__ import annotations

from typing import Any

import torch

from lazymlir.dialect import Builder, Node, TensorType

from .common import full
from .formula import Term, conjugate
from .shape import tril, triu

__all__ = [
    "adjoint", "broadcast_batches", "check_info", "column_major", "columns", "diagonal", "first_zero", "identity", "is_upper", "lower", "no_info",
    "row_major", "rows", "transposed", "upper",
]  # fmt: skip

_INVERSE = "The diagonal element {} is zero, the inversion could not be completed because the input matrix is singular."
_SOLVER = "The solver failed because the input matrix is singular."
_CHOLESKY = (
    "The factorization could not be completed because the input is not positive-definite (the leading minor of order {} is not positive-definite)."
)
_CONVERGENCE = "The algorithm failed to converge because the input matrix is ill-conditioned or has too many repeated {values} (error code: {{}})."
_LU = (
    "U[{0},{0}] is zero and using it on lu_solve would result in a division by zero. If you still want to perform the factorization, consider "
    "calling linalg.lu(A, pivot) or linalg.lu_factor_ex(A, pivot)"
)
_NOT_FINITE = "The algorithm failed to converge because the input matrix contained non-finite values."

_FAILURES: tuple[tuple[str, type[Exception], str], ...] = (
    ("inv", torch.linalg.LinAlgError, _INVERSE),
    ("solve", torch.linalg.LinAlgError, _SOLVER),
    ("cholesky", torch.linalg.LinAlgError, _CHOLESKY),
    ("eig", torch.linalg.LinAlgError, _CONVERGENCE.format(values="eigenvalues")),
    ("svd", torch.linalg.LinAlgError, _CONVERGENCE.format(values="singular values")),
    ("lu_factor", RuntimeError, _LU),
    ("", RuntimeError, "Unknown error code: {}."),
)
"""torch's errors: the first of these whose name is part of the function's."""

_BATCH = 2**32


class _OfBatch(str):
    """A message with two numbers, told as one: `info`, and the matrix that it belongs to."""

    def format(self, told: int) -> str:
        matrix = (told + _BATCH // 2) // _BATCH
        return super().format(told - matrix * _BATCH, matrix=matrix)


def check_info(b: Builder, info: Node, name: str, single: bool | None = None) -> None:
    """Requires that `info` is 0 for each matrix, as torch's checked functions do, in its words. `single` says that there is
    only one matrix and no batch."""
    error, message = next((error, message) for part, error, message in _FAILURES if part in name)
    single = info.rank == 0 if single is None else single
    name = name if single else f"{name}: (Batch element {{matrix}})"
    codes = Term(b, b.reshape(info, (info.type.size,)))
    told = (codes.cast("i64") + Term(b, b.iota(dim=0, result=codes.node.type.with_dtype("i64"))) * _BATCH).node
    if "svd" in name:
        b.require((codes >= 0).node, error, _OfBatch(f"{name}: {_NOT_FINITE}"), told)
    b.require(codes.equals(0).node, error, _OfBatch(f"{name}: {message}"), told)


def no_info(b: Builder, type_: TensorType) -> Node:
    return full(b, 0, type_)


def first_zero(b: Builder, x: Node) -> Node:
    """The place, counted from 1, of the first zero along the last dimension; 0 where there is none. So LAPACK's `info` is
    what the diagonal of a factor says."""
    result = TensorType(x.shape[:-1], "i32")
    if x.shape[-1] == 0 or x.type.size == 0:
        return no_info(b, result)
    size = x.shape[-1]
    place = Term(b, b.iota(dim=x.rank - 1, result=x.type.with_dtype("i32")))
    zero = Term(b, x).equals(0).node
    first = Term(b, b.amin(b.where(zero, (place + 1).node, full(b, size + 1, place.node.type)), dims=(x.rank - 1,)))
    return b.where((first > size).node, full(b, 0, result), first.node)


# Parts of matrices.


def transposed(b: Builder, x: Node) -> Node:
    return b.permute(x, (*range(x.rank - 2), x.rank - 1, x.rank - 2))


def adjoint(b: Builder, x: Node) -> Node:
    return conjugate(Term(b, transposed(b, x))).node


def identity(b: Builder, type_: TensorType) -> Node:
    """Matrices with ones on the diagonal."""
    places = type_.with_dtype("i64").with_shape(type_.shape[-2:])
    rank = places.rank
    return b.expand(b.cast(b.eq(b.iota(dim=0, result=places), b.iota(dim=rank - 1, result=places)), type_.dtype), type_.shape)


def lower(b: Builder, x: Node, diagonal: int = 0) -> Node:
    return tril(b, x.type, x, diagonal) if x.type.size else x


def upper(b: Builder, x: Node, diagonal: int = 0) -> Node:
    return triu(b, x.type, x, diagonal) if x.type.size else x


def diagonal(b: Builder, x: Node) -> Node:
    """The diagonal of each matrix."""
    if not x.type.size:
        return full(b, 0, x.type.with_shape((*x.shape[:-2], min(x.shape[-2:]))))
    size = min(x.shape[-2:])
    square = rows(b, columns(b, x, size), size)
    chosen = b.where(b.cast(identity(b, square.type.with_dtype("i32")), "i1"), square, full(b, 0, square.type))
    return b.sum(chosen, dims=(x.rank - 1,))


def rows(b: Builder, x: Node, count: int) -> Node:
    """The first rows."""
    return b.static_slice(x, x.rank - 2, 0, count)


def columns(b: Builder, x: Node, count: int) -> Node:
    """The first columns."""
    return b.static_slice(x, x.rank - 1, 0, count)


def broadcast_batches(b: Builder, *matrices: Node) -> list[Node]:
    """Matrices with all but the last two dimensions in common."""
    batch = torch.broadcast_shapes(*(x.shape[:-2] for x in matrices))
    return [b.expand(x, (*batch, *x.shape[-2:])) for x in matrices]


def is_upper(uplo: str) -> bool:
    """torch takes letters of both cases."""
    return uplo.upper() == "U"


def column_major(overload: Any, place: int) -> Any:
    """Infers results as the overload does; the matrices in one of them lie column by column, which its meta kernel does not
    tell."""

    def meta(*args: Any, **keywords: Any) -> Any:
        results = list(overload(*args, **keywords))
        if results[place].dim() > 1:
            results[place] = torch.empty_like(results[place].mT, memory_format=torch.contiguous_format).mT
        return results

    return meta


def row_major(x: torch.Tensor, *_: Any, **__: Any) -> dict[str, bool]:
    """Whether torch may factor the transpose instead: of a real matrix that lies row by row."""
    return {"turned": x.is_contiguous() and not x.is_complex()}
