"""Elementwise operations."""

from __future__ import annotations

from typing import Any

from lazymlir.dialect import Builder, Node, TensorType

from ..registry import aten
from .common import math_dtype, to


def arithmetic(name: str) -> Any:
    """`op(x, y)` computed in the result's type, half types in float."""

    def importer(b: Builder, out: TensorType, x: Node, y: Node, **_: Any) -> Node:
        dtype = math_dtype(out.dtype)
        made = b.emit(name, (to(b, x, dtype, out.shape), to(b, y, dtype, out.shape)), {})
        return b.cast(made, out.dtype)

    return importer


for _base in ("mul",):
    aten(f"{_base}.Tensor")(arithmetic(_base))


@aten("add.Tensor")
def add(b: Builder, out: TensorType, x: Node, y: Node, *, alpha: Node | None = None) -> Node:
    dtype = math_dtype(out.dtype)
    x, y = to(b, x, dtype, out.shape), to(b, y, dtype, out.shape)
    if alpha is not None:
        y = b.mul(y, to(b, alpha, dtype, out.shape))
    return b.cast(b.add(x, y), out.dtype)


@aten("tanh")
def tanh(b: Builder, out: TensorType, x: Node) -> Node:
    return b.cast(b.tanh(to(b, x, math_dtype(out.dtype))), out.dtype)
