"""Lowering of dialect/check.py: one pass over what is checked."""

from __future__ import annotations

from lazymlir.dialect import Node, TensorType

from .reduce import reduce_by
from .registry import Emitter, i64s, lowering


@lowering("check")
def check(e: Emitter, result: TensorType, holds: Node, told: Node) -> Node:
    count = holds.type.size
    holds, told = e.reshape(holds, (count,)), e.reshape(told, (count,))
    if count == 1:
        return e.concatenate([e.convert(e.op("not", holds.type, holds), "i64"), told], 0)
    places = TensorType((count,), "i32" if count < 2**31 else "i64")
    none = e.scalar(count, places.dtype)
    failing = e.select(holds, e.broadcast(none, (count,), []), e.iota(places, 0))
    first = reduce_by(e, "amin", failing, (0,))
    fails = e.convert(e.compare("LT", first, none), "i64")
    tells = e.op("dynamic_slice", told.type.with_shape((1,)), told, first, slice_sizes=i64s([1]))
    return e.concatenate([e.reshape(fails, (1,)), tells], 0)
