"""Lowerings of the `lazy` operations to StableHLO, by the same families as the declarations in `dialect/`."""

from . import check, contract, elementwise, fourier, index, leaf, linalg, path, random, reduce, shape, special  # noqa: F401  (each adds its lowerings)
from .registry import LOWERINGS, Emitter, lowering

__all__ = ["LOWERINGS", "Emitter", "lowering"]
