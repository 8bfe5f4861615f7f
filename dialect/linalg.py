"""Linear algebra: factorizations of the last two dimensions, as LAPACK defines them."""

from __future__ import annotations

from .declare import declare, require
from .types import TensorType, is_complex, is_float


def _require_matrices(x: TensorType) -> None:
    require(x.rank >= 2 and (x.dtype in ("f32", "f64") or (is_complex(x.dtype) and not is_float(x.dtype))), f"operand is {x}")


@declare("lu", "x", results=("lu", "pivots", "permutation"))
def lu(x: TensorType) -> tuple[TensorType, ...]:
    """The LU factorization with partial pivoting of matrices [..., m, n]: `lu` holds both factors, the unit diagonal of L
    left out; `pivots` (i32, from 0) the row that each row was exchanged with in turn; `permutation` (i32) the resulting
    order of all m rows."""
    _require_matrices(x)
    *batch, rows, columns = x.shape
    return x, TensorType((*batch, min(rows, columns)), "i32"), TensorType((*batch, rows), "i32")
