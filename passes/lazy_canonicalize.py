"""Placeholder."""
from dataclasses import dataclass
from lazymlir.mlir import ir
from .base import Pass, register
@register
@dataclass(frozen=True)
class LazyCanonicalize(Pass):
    """Simplify lazy operations, exactly."""
    name = "lazy-canonicalize"
    def run(self, module: ir.Module) -> dict[str, int]:
        return {}
