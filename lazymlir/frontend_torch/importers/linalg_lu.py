"""Linear algebra by LU factors: A = P L U, with systems, inverses and determinants. For some torch factors the transpose of
a real matrix that lies row by row: the factors that it gives, and its gradients, depend on that."""

from __future__ import annotations

from typing import Any

import torch

from lazymlir.dialect import Builder, Node, TensorType

from ..registry import aten
from .common import full, is_within
from .formula import Term, absolute, log
from .linalg import solve_triangular
from .matrices import (
    broadcast_batches,
    check_info,
    columns,
    diagonal,
    first_zero,
    identity,
    lower,
    row_major,
    rows,
    transposed,
    upper,
)


def _factor(b: Builder, x: Node) -> tuple[Node, Node, Node]:
    """Both factors in one, pivots from 0, and the order of the rows."""
    if x.type.size:
        return b.lu(x)
    order = TensorType(x.shape[:-1], "i32")
    pivots = TensorType((*x.shape[:-2], min(x.shape[-2:])), "i32")
    return x, full(b, 0, pivots), b.iota(dim=order.rank - 1, result=order)


def _from_one(b: Builder, pivots: Node) -> Node:
    return b.add(pivots, b.constant(1, pivots.type))


def _pivoting(x: torch.Tensor, pivot: bool, name: str) -> bool:
    if not pivot:
        raise RuntimeError(f"{name}: LU without pivoting is not implemented on the CPU")
    return True


def _takes_factor(x: torch.Tensor, *, pivot: bool = True, check_errors: bool = False) -> bool:
    return _pivoting(x, pivot, "linalg.lu_factor")


@aten("linalg_lu_factor_ex", accepts=_takes_factor)
def linalg_lu_factor_ex(b: Builder, outs: tuple[TensorType, ...], x: Node, *, pivot: bool = True, check_errors: bool = False) -> tuple[Node, ...]:
    lu, pivots, _ = _factor(b, x)
    info = first_zero(b, diagonal(b, lu))
    if check_errors:
        check_info(b, info, "torch.linalg.lu_factor_ex")
    return lu, _from_one(b, pivots), info


# The factors apart.


def _permutation(b: Builder, order: Node, dtype: str) -> Node:
    """P, of which column j has its one in row order[j]."""
    size = order.shape[-1]
    place = order.type.with_shape((*order.shape[:-1], size, size))
    row = b.iota(dim=place.rank - 2, result=place)
    return b.cast(b.eq(row, b.expand(b.reshape(order, (*order.shape[:-1], 1, size)), place.shape)), dtype)


def _lower_factor(b: Builder, lu: Node) -> Node:
    part = lower(b, columns(b, lu, min(lu.shape[-2:])), -1)
    return b.add(part, identity(b, part.type)) if part.type.size else part


def _upper_factor(b: Builder, lu: Node) -> Node:
    return upper(b, rows(b, lu, min(lu.shape[-2:])))


@aten("linalg_lu", accepts=lambda x, *, pivot=True: _pivoting(x, pivot, "linalg.lu_factor"))
def linalg_lu(b: Builder, outs: tuple[TensorType, ...], x: Node, *, pivot: bool = True) -> tuple[Node, ...]:
    lu, _, order = _factor(b, x)
    return _permutation(b, order, outs[0].dtype), _lower_factor(b, lu), _upper_factor(b, lu)


_PIVOTS = "pivots passed to lu_unpack must be between 1 and LU.size(-2) inclusive.Did you properly pass the result of lu_factor?"


def _order(b: Builder, pivots: Node, count: int, checked: bool = False) -> Node:
    """The order of `count` rows after exchanges given by pivots from 1."""
    if pivots.type.size == 0:
        type_ = TensorType((*pivots.shape[:-1], count), "i32")
        return b.iota(dim=type_.rank - 1, result=type_)
    place = b.sub(pivots, b.constant(1, pivots.type))
    if checked:
        b.require(is_within(b, place, count), RuntimeError, _PIVOTS)
    return b.pivot_order(place, rows=count)


@aten("lu_unpack")
def lu_unpack(
    b: Builder, outs: tuple[TensorType, ...], lu: Node, pivots: Node, unpack_data: bool = True, unpack_pivots: bool = True
) -> tuple[Node, ...]:
    nothing = [full(b, 0, type_) for type_ in outs]
    data = [_lower_factor(b, lu), _upper_factor(b, lu)] if unpack_data else nothing[1:]
    if not unpack_pivots or outs[0].size == 0:
        return nothing[0], *data
    return _permutation(b, _order(b, pivots, lu.shape[-2], checked=True), outs[0].dtype), *data


# Systems.


class _Factored:
    """A factored square matrix, with the order of its rows: A[order] = L U."""

    def __init__(self, b: Builder, lu: Node, order: Node) -> None:
        self.b = b
        self.lu = lu
        self.order = order

    def _reorder(self, x: Node, dim: int, back: bool) -> Node:
        """The rows (dim -2) or columns of `x` in the order, or from it back to where they were."""
        b, dim = self.b, x.rank + dim
        batch = x.rank - 2
        shape = [*self.order.shape[:-1], 1, 1]
        shape[dim] = self.order.shape[-1]
        places = b.expand(b.reshape(self.order, tuple(shape)), (*x.shape[:batch], *x.shape[batch:]))
        return b.scatter(x, places, x, dim=dim, kind="set") if back else b.gather(x, places, dim=dim)

    def solve(self, x: Node, left: bool, transpose: str) -> Node:
        """Solves A y = x (y A = x unless `left`), or with A's transpose or adjoint."""
        if x.type.size == 0:
            return x
        dim, turned = -2 if left else -1, transpose != "none"
        in_order = left != turned
        parts = ("lower", "upper") if in_order else ("upper", "lower")
        x = self._reorder(x, dim, back=False) if in_order else x
        for part in parts:
            x = solve_triangular(self.b, self.lu, x, left=left, is_lower=part == "lower", unit=part == "lower", transpose=transpose)
        return x if in_order else self._reorder(x, dim, back=True)


@aten("linalg_lu_solve")
def linalg_lu_solve(b: Builder, out: TensorType, lu: Node, pivots: Node, x: Node, *, left: bool = True, adjoint: bool = False) -> Node:
    order = _order(b, pivots, lu.shape[-1])
    lu, x, columns_ = broadcast_batches(b, lu, x, b.reshape(order, (*order.shape, 1)))
    return _Factored(b, lu, b.reshape(columns_, columns_.shape[:-1])).solve(x, left, "adjoint" if adjoint else "none")


def _solve(b: Builder, a: Node, x: Node, left: bool, turned: bool, name: str | None) -> tuple[Node, Node, Node, Node]:
    """The solution, LU of `a` or, if `turned`, of its transpose, pivots from 1 and `info`; checked in the name of a function."""
    lu, pivots, order = _factor(b, transposed(b, a) if turned else a)
    info = first_zero(b, diagonal(b, lu))
    if name is not None:
        check_info(b, info, name)
    wide, x, order = broadcast_batches(b, lu, x, b.reshape(order, (*order.shape, 1)))
    solution = _Factored(b, wide, b.reshape(order, order.shape[:-1])).solve(x, left, "transpose" if turned else "none")
    return solution, lu, _from_one(b, pivots), info


_TURNS_SYSTEMS = torch.linalg.inv_ex(torch.tensor([[0.0, 1.0], [0.0, 0.0]], device="cpu")).info.item() == 2
"""Whether this version of torch factors the transpose for systems too; its gradients agree with that."""


def _turned(a: torch.Tensor, *_: Any, **__: Any) -> dict[str, bool]:
    return {"turned": _TURNS_SYSTEMS and row_major(a)["turned"]}


@aten("_linalg_solve_ex", derives=_turned)
def linalg_solve_ex(
    b: Builder, outs: tuple[TensorType, ...], a: Node, x: Node, *, left: bool = True, check_errors: bool = False, turned: bool
) -> tuple[Node, ...]:
    is_vector = x.rank == 1 or (x.rank == a.rank - 1 and x.shape == a.shape[:-1])
    x = b.reshape(x, (*x.shape, 1)) if is_vector else x
    solution, *rest = _solve(b, a, x, left, turned, "torch.linalg.solve_ex" if check_errors else None)
    return b.reshape(solution, outs[0].shape), *rest


@aten("linalg_inv_ex", derives=_turned)
def linalg_inv_ex(b: Builder, outs: tuple[TensorType, ...], a: Node, *, check_errors: bool = False, turned: bool) -> tuple[Node, ...]:
    inverse, _, _, info = _solve(b, a, identity(b, a.type), True, turned, "linalg.inv_ex" if check_errors else None)
    return inverse, info


# Determinants.


def _sign_of_exchanges(b: Builder, pivots: Node, dtype: str) -> Term:
    """1 for an even number of exchanges, -1 for an odd one."""
    moved = Term(b, pivots).differs(Term(b, b.iota(dim=pivots.rank - 1, result=pivots.type))).cast("i32")
    odd = Term(b, b.sum(moved.node, dims=(pivots.rank - 1,))) & 1
    return (1 - odd * 2).cast(dtype)


def _determinant_parts(b: Builder, a: Node, turned: bool) -> tuple[Node, Node, Term, Term]:
    """LU, pivots from 1, the sign of the exchanges and the diagonal of U."""
    lu, pivots, _ = _factor(b, transposed(b, a) if turned else a)
    return lu, _from_one(b, pivots), _sign_of_exchanges(b, pivots, a.dtype), Term(b, diagonal(b, lu))


@aten("_linalg_det", derives=row_major)
def linalg_det(b: Builder, outs: tuple[TensorType, ...], a: Node, *, turned: bool) -> tuple[Node, ...]:
    lu, pivots, sign, factors = _determinant_parts(b, a, turned)
    return (sign * Term(b, b.prod(factors.node, dims=(factors.node.rank - 1,)))).node, lu, pivots


@aten("_linalg_slogdet", derives=row_major)
def linalg_slogdet(b: Builder, outs: tuple[TensorType, ...], a: Node, *, turned: bool) -> tuple[Node, ...]:
    lu, pivots, sign, factors = _determinant_parts(b, a, turned)
    last = (factors.node.rank - 1,)
    size = absolute(factors)
    signs = factors.apply("sign")
    whole: Any = sign * Term(b, b.prod(signs.node, dims=last))
    return whole.node, b.sum(log(size).node, dims=last), lu, pivots
