"""Random numbers from counters: no state, so that a print or a barrier changes no number."""

from __future__ import annotations

from .declare import declare, require
from .types import TensorType


@declare("random_bits", "key", groups=("random",))
def random_bits(key: TensorType, result: TensorType) -> TensorType:
    """Uniformly random bits, a pure function of `key` (Threefry-2x32): one stream per key."""
    require(key == TensorType((), "i64"), f"the key must be tensor<i64>, got {key}")
    require(result.dtype in ("ui32", "ui64"), f"bits come as ui32 or ui64, not as {result.dtype}")
    return result
