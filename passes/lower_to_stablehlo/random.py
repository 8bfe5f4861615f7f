"""Lowerings of dialect/random.py."""

from __future__ import annotations

from lazymlir.dialect import Node, TensorType
from lazymlir.mlir import stablehlo

from .registry import Emitter, lowering


@lowering("random_bits")
def random_bits(e: Emitter, result: TensorType, key: Node) -> Node:
    """XLA's state of Threefry is (key, counter): every stream begins at counter 0 of its own key."""
    bits = e.op("bitcast_convert", key.type.with_dtype("ui64"), key)
    state = e.concatenate([e.reshape(bits, (1,)), e.splat(0, TensorType((1,), "ui64"))], 0)
    attributes = {"rng_algorithm": stablehlo.RngAlgorithmAttr.get("THREE_FRY")}
    _, (_, made) = e.emit_many("stablehlo.rng_bit_generator", [state.type, result], [state], attributes)
    return made
