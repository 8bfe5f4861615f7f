"""Unpooling: elements put back where a maximum pooling found them."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from lazymlir.dialect import Builder, Node, TensorType

from ..registry import aten
from .common import full, is_within


def _max_unpool(rank: int) -> None:
    @aten(f"max_unpool{rank}d")
    def importer(b: Builder, out: TensorType, x: Node, indices: Node, output_size: Sequence[int], *_: Any) -> Node:
        if x.type.size == 0:
            return full(b, 0, out)
        places, count = prod(output_size), prod(x.shape[-rank:])
        volume = "x".join(map(str, output_size))
        message = f"Found an invalid max index: {{}} (output volumes are of size {volume})"
        b.require(is_within(b, indices, places), RuntimeError, message, indices)
        if out.size == 0:
            return full(b, 0, out)
        planes = prod(x.shape[:-rank])
        flat = [b.reshape(node, (planes, count)) for node in (indices, x)]
        return b.reshape(b.scatter(full(b, 0, TensorType((planes, places), out.dtype)), *flat, dim=1, kind="set"), out.shape)


for _rank in (2, 3):
    _max_unpool(_rank)
