"""Conditions on values, which only the running program can judge."""

from __future__ import annotations

from .declare import declare, require
from .types import BOOL, TensorType


@declare("check", "holds", "told", groups=("check",))
def check(holds: TensorType, told: TensorType) -> TensorType:
    """Whether some element of `holds` is false, as 1 or 0, and the element of `told` at the first such place."""
    require(holds.dtype == BOOL and holds.size > 0, f"a check is booleans, at least one, not {holds}")
    require(told == holds.with_dtype("i64"), f"what {holds} tells must be i64 of its shape, not {told}")
    return TensorType((2,), "i64")
