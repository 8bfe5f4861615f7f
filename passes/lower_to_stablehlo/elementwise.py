"""Lowerings of dialect/elementwise.py."""

from __future__ import annotations

from collections.abc import Callable

from lazymlir.dialect import Node, TensorType

from .registry import Emitter, lowering

# lazy name: StableHLO name, where the meaning is the same
SAME = {"mul": "multiply"}


def _same(name: str) -> Callable[..., Node]:
    def lower(e: Emitter, result: TensorType, *operands: Node) -> Node:
        return e.op(name, result, *operands)

    return lower


for _name, _stablehlo in SAME.items():
    lowering(_name)(_same(_stablehlo))


@lowering("add")
def add(e: Emitter, result: TensorType, x: Node, y: Node) -> Node:
    return e.op("add", result, x, y)
