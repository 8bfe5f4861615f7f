"""Sums over paths through time: dynamic programs whose steps follow each other."""

from __future__ import annotations

from .declare import declare, require
from .types import BOOL, TensorType


@declare("path_sums", "x", "start", "skips")
def path_sums(x: TensorType, start: TensorType, skips: TensorType) -> TensorType:
    """Logarithms of sums over paths through the states of each time, [times, batch, states]: a path starts at any place,
    at the weight `start`, and from one time to the next stays in its state, moves to the next state, or to the one after
    it where `skips` [batch, states] says that this may be entered so. Its weight is the product of the places' weights;
    `x` and `start` hold logarithms."""
    require(x.rank == 3 and x.dtype in ("f32", "f64"), f"not defined on {x}")
    require(start == x, f"start is {start}, x is {x}")
    wanted = TensorType(x.shape[1:], BOOL)
    require(skips == wanted, f"skips is {skips}, where {wanted} is wanted")
    return x
