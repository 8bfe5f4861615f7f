"""Values in parts: a concatenation that is recorded only when something uses it whole."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from lazymlir.dialect.types import TensorType

from .trace import Signature
from .values import Value

__all__ = ["Parts"]


class Parts(NamedTuple):
    """Values of one dtype that are joined along `dim`."""

    dim: int
    values: tuple[Value, ...]

    @property
    def signature(self) -> Signature:
        """What joins them."""
        return _signature(tuple([value.type for value in self.values]), self.dim)


@lru_cache(maxsize=1024)
def _signature(types: tuple[TensorType, ...], dim: int) -> Signature:
    shape = list(types[0].shape)
    shape[dim] = sum(type_.shape[dim] for type_ in types)
    return Signature("cat", lambda b, operands, scalars: [b.join(operands, dim)], types, [], [types[0].with_shape(tuple(shape))])
