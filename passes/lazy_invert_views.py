"""Placeholder."""
from dataclasses import dataclass
from lazymlir.mlir import ir
from .base import Pass, register
@register
@dataclass(frozen=True)
class LazyInvertViews(Pass):
    """Expand writes through views."""
    name = "lazy-invert-views"
    def run(self, module: ir.Module) -> dict[str, int]:
        return {}
