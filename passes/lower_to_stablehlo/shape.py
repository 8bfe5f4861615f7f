"""Lowerings of dialect/shape.py."""

from __future__ import annotations

from collections.abc import Sequence

from lazymlir.dialect import Node, TensorType

from .registry import Emitter, lowering


@lowering("permute")
def permute(e: Emitter, result: TensorType, x: Node, dims: Sequence[int]) -> Node:
    return e.transpose(x, dims)


@lowering("reshape")
def reshape(e: Emitter, result: TensorType, x: Node, shape: Sequence[int]) -> Node:
    return e.reshape(x, shape)
