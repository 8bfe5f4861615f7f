"""Linear algebra: templates of jax, which calls LAPACK on the CPU and the vendor's library elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

from lazymlir.dialect import Node, TensorType

from .registry import Emitter, lowering


@lowering("lu")
def lu(e: Emitter, results: Sequence[TensorType], x: Node) -> Sequence[Node]:
    return e.template("lu", results, [x])
