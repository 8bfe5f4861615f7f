"""The one operation that writes through a view (LazyTensor paper, section on views)."""

from __future__ import annotations

from .declare import declare, require
from .types import TensorType
from .views import CHAIN, Chain, chain_starts, chain_type


@declare("write_view", "base", "update", "*start_operands", chain=CHAIN, groups=("view",))
def write_view(base: TensorType, update: TensorType, start_operands: tuple[TensorType, ...], chain: Chain) -> TensorType:
    """`base` as it is after `update` was written into the view of it that `chain` describes. Elements that the view does
    not reach keep their value. `lazy-invert-views` expands it into the inverse of each step."""
    viewed = chain_type(base, chain)
    require(update == viewed, f"the view has type {viewed}, the update {update}")
    wanted = chain_starts(base, chain)
    require(len(start_operands) == wanted, f"the chain takes {wanted} starts, got {len(start_operands)}")
    require(all(operand == TensorType((), "i64") for operand in start_operands), "a start operand must be tensor<i64>")
    return base
