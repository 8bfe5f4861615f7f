"""Linear algebra: factorizations of the last two dimensions, as LAPACK defines them.

The others are a batch. No operation here takes an empty matrix. `info` (i32, one for each matrix) is LAPACK's: 0 where all
went well.
"""

from __future__ import annotations

from .attributes import BOOL, INT, STRING
from .declare import declare, require
from .types import COMPLEX_OF, TensorType, is_complex, real_dtype


def _require_matrices(x: TensorType, square: bool = False) -> None:
    require(x.rank >= 2 and x.size > 0 and (x.dtype in ("f32", "f64") or is_complex(x.dtype)), f"operand is {x}")
    require(not square or x.shape[-1] == x.shape[-2], f"{x} holds no square matrices")


def _info(x: TensorType) -> TensorType:
    return TensorType(x.shape[:-2], "i32")


@declare("cholesky", "x", results=("factor", "info"))
def cholesky(x: TensorType) -> tuple[TensorType, ...]:
    """The lower triangle L of x = L L^H, read from the lower triangle of `x`; where the leading minor of order `info` is
    not positive, L is of no use."""
    _require_matrices(x, square=True)
    return x, _info(x)


@declare("lu", "x", results=("lu", "pivots", "permutation"))
def lu(x: TensorType) -> tuple[TensorType, ...]:
    """The LU factorization with partial pivoting of matrices [..., m, n]: `lu` holds both factors, the unit diagonal of L
    left out; `pivots` (i32, from 0) the row that each row was exchanged with in turn; `permutation` (i32) the resulting
    order of all m rows."""
    _require_matrices(x)
    *batch, rows, columns = x.shape
    return x, TensorType((*batch, min(rows, columns)), "i32"), TensorType((*batch, rows), "i32")


@declare("pivot_order", "pivots", rows=INT)
def pivot_order(pivots: TensorType, rows: int) -> TensorType:
    """The order of all rows after each row of `pivots` (from 0) was exchanged in turn."""
    require(pivots.rank >= 1 and pivots.dtype == "i32" and 0 < pivots.shape[-1] <= rows, f"pivots are {pivots}, of {rows} rows")
    return pivots.with_shape((*pivots.shape[:-1], rows))


@declare("triangular_solve", "a", "b", left=BOOL, lower=BOOL, unit=BOOL, transpose=STRING)
def triangular_solve(a: TensorType, b: TensorType, left: bool, lower: bool, unit: bool, transpose: str) -> TensorType:
    """Solves op(a) x = b, or x op(a) = b unless `left`, of which only the lower (else the upper) triangle of `a` is read, with a
    diagonal of ones if `unit`; `transpose` is none, transpose or adjoint."""
    _require_matrices(a, square=True)
    require(b.dtype == a.dtype and b.rank == a.rank and b.shape[:-2] == a.shape[:-2] and b.size > 0, f"operands are {a} and {b}")
    require(b.shape[-2 if left else -1] == a.shape[-1], f"{a} does not fit {b}")
    require(transpose in ("none", "transpose", "adjoint"), f"transpose {transpose!r} is none of none, transpose, adjoint")
    return b


@declare("geqrf", "x", results=("reflectors", "scales"))
def geqrf(x: TensorType) -> tuple[TensorType, ...]:
    """The QR factorization: R in the upper triangle, and below it the vectors of the reflections I - scale v v^H whose
    product is Q, without their leading ones."""
    _require_matrices(x)
    *batch, rows, columns = x.shape
    return x, x.with_shape((*batch, min(rows, columns)))


def _require_reflectors(x: TensorType, scales: TensorType) -> None:
    _require_matrices(x)
    *batch, rows, columns = x.shape
    require(scales.dtype == x.dtype and scales.shape[:-1] == tuple(batch), f"scales are {scales}, reflectors {x}")
    require(0 < scales.shape[-1] <= min(rows, columns), f"{scales.shape[-1]} scales for {x}")


@declare("householder_product", "x", "scales")
def householder_product(x: TensorType, scales: TensorType) -> TensorType:
    """The first columns of the product of reflections, given as by `geqrf`."""
    _require_reflectors(x, scales)
    require(x.shape[-2] >= x.shape[-1], f"{x} has more columns than rows")
    return x


@declare("ormqr", "x", "scales", "other", left=BOOL, adjoint=BOOL)
def ormqr(x: TensorType, scales: TensorType, other: TensorType, left: bool, adjoint: bool) -> TensorType:
    """`other` multiplied from the left, else from the right, by the square Q of reflections or by its adjoint."""
    _require_reflectors(x, scales)
    require(other.dtype == x.dtype and other.shape[:-2] == x.shape[:-2] and other.size > 0, f"operands are {x} and {other}")
    require(other.rank >= 2 and other.shape[-2 if left else -1] == x.shape[-2], f"{x} does not fit {other}")
    return other


@declare("eigh", "x", lower=BOOL, results=("eigenvalues", "eigenvectors", "info"))
def eigh(x: TensorType, lower: bool) -> tuple[TensorType, ...]:
    """Eigenvalues, ascending, and eigenvectors of Hermitian matrices, of which only the lower, else the upper, triangle
    is read."""
    _require_matrices(x, square=True)
    return TensorType(x.shape[:-1], real_dtype(x.dtype)), x, _info(x)


@declare("svd", "x", full=BOOL, results=("u", "s", "vh", "info"))
def svd(x: TensorType, full: bool) -> tuple[TensorType, ...]:
    """The singular value decomposition x = u diag(s) vh, `s` descending; square u and vh if `full`. `info` is -4 where `x`
    holds NaN."""
    _require_matrices(x)
    *batch, rows, columns = x.shape
    least = min(rows, columns)
    u, vh = (rows, rows if full else least), (columns if full else least, columns)
    return x.with_shape((*batch, *u)), TensorType((*batch, least), real_dtype(x.dtype)), x.with_shape((*batch, *vh)), _info(x)


@declare("eig", "x", results=("eigenvalues", "eigenvectors", "info"))
def eig(x: TensorType) -> tuple[TensorType, ...]:
    """Complex eigenvalues, in no order, and eigenvectors of length 1."""
    _require_matrices(x, square=True)
    type_ = x.with_dtype(COMPLEX_OF.get(x.dtype, x.dtype))
    return type_.with_shape(x.shape[:-1]), type_, _info(x)


@declare("matrix_exp", "x")
def matrix_exp(x: TensorType) -> TensorType:
    """The exponential series of square matrices."""
    _require_matrices(x, square=True)
    return x
