"""The patterns of `lazy-canonicalize`, by family, and the worklist that applies them."""

from . import algebra, shape, views  # noqa: F401  (each adds its patterns)
from .rewriter import PATTERNS, Op, Rewriter, pattern

__all__ = ["PATTERNS", "Op", "Rewriter", "pattern"]
