"""Lowerings of dialect/leaf.py. `lazy.scalar` is packed by the pass itself."""

from __future__ import annotations

from lazymlir.dialect import Node, TensorType

from .registry import Emitter, lowering


@lowering("constant")
def constant(e: Emitter, result: TensorType, value: complex) -> Node:
    return e.splat(value, result)


@lowering("iota")
def iota(e: Emitter, result: TensorType, dim: int) -> Node:
    return e.iota(result, dim)
