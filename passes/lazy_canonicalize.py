"""Simplifies lazy operations by local rules, and erases those that nothing uses.

    %0 = "lazy.permute"(%x) {dims = array<i64: 1, 0>} : (tensor<2x4xf32>) -> tensor<4x2xf32>
    %1 = "lazy.permute"(%0) {dims = array<i64: 1, 0>} : (tensor<4x2xf32>) -> tensor<2x4xf32>
    %2 = "lazy.mul"(%1, %one) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %3 = "lazy.exp"(%2) : (tensor<2x4xf32>) -> tensor<2x4xf32>
becomes
    %3 = "lazy.exp"(%x) : (tensor<2x4xf32>) -> tensor<2x4xf32>

Folding views of views, and the read of what was just written through the same view, undoes what eager programs write
(LazyTensor paper, section on views). The rules stand in canonicalize/ by family. Constants lose their `slot`.
Never changes a bit of any result: not for NaN, infinities, -0.0, integers that wrap around, or complex numbers.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from lazymlir.mlir import ir

from .base import Pass, functions, register
from .canonicalize import Rewriter
from .rewrite import everything

__all__ = ["LazyCanonicalize"]


@register
@dataclass(frozen=True)
class LazyCanonicalize(Pass):
    """Simplify lazy operations without changing a bit of any result."""

    name = "lazy-canonicalize"

    def run(self, module: ir.Module) -> dict[str, int]:
        counts: Counter[str] = Counter()
        for function in functions(module):
            _forget_conditions(function)
            counts.update(Rewriter(function).run())
        return dict(counts)


def _forget_conditions(function: ir.Operation) -> None:
    """From here on, equal constants may be one, whichever slots they came from."""
    for op in everything(function):
        if op.name == "lazy.constant" and "slot" in op.attributes:
            del op.attributes["slot"]
