"""Linear algebra."""

from __future__ import annotations

from lazymlir.dialect import Builder, Node, TensorType

from ..registry import aten


@aten("linalg_lu_factor_ex")
def linalg_lu_factor_ex(b: Builder, outs: tuple[TensorType, ...], x: Node, *, pivot: bool = True, check_errors: bool = False) -> tuple[Node, ...]:
    lu, pivots, _ = b.lu(x)
    one = b.constant(1, pivots.type)
    return lu, b.add(pivots, one), b.constant(0, outs[2])
