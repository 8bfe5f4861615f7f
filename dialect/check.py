"""Conditions on values, which only the running program can judge."""

from __future__ import annotations

from .declare import declare, require
from .types import BOOL, TensorType

FOUND = TensorType((2,), "i64")


@declare("check", "holds", "told", groups=("check",))
def check(holds: TensorType, told: TensorType) -> TensorType:
    """Whether some element of `holds` is false, as 1 or 0, and the element of `told` at the first such place."""
    require(holds.dtype == BOOL and holds.size > 0, f"a check is booleans, at least one, not {holds}")
    require(told == holds.with_dtype("i64"), f"what {holds} tells must be i64 of its shape, not {told}")
    return FOUND


@declare("first_failed", "*checks", groups=("check",))
def first_failed(checks: tuple[TensorType, ...]) -> TensorType:
    """The number of the first check that failed, -1 if none did, and what it tells."""
    require(len(checks) > 0 and all(check == FOUND for check in checks), f"takes results of lazy.check, got {', '.join(map(str, checks))}")
    return FOUND
