"""Placeholder."""
from dataclasses import dataclass
from lazymlir.mlir import ir
from .base import Pass, register
@register
@dataclass(frozen=True)
class LazySpecializeScalars(Pass):
    """Make 0 and 1 constants."""
    name = "lazy-specialize-scalars"
    def run(self, module: ir.Module) -> dict[str, int]:
        return {}
