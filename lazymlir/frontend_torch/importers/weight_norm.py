"""Weight normalization: a direction v of length g, along one dimension."""

from __future__ import annotations

import torch

from lazymlir.dialect import Builder, Node, TensorType

from ..registry import aten
from .common import math_dtype, wrap
from .formula import Term, sqrt


def _lengths_of(v: torch.Tensor, g: torch.Tensor) -> torch.Tensor:
    return torch.empty_like(g, dtype=torch.float32 if g.dtype == torch.bfloat16 else g.dtype)


@aten("_weight_norm_interface", meta=lambda v, g, dim=0: (torch.empty_like(v, memory_format=torch.contiguous_format), _lengths_of(v, g)))
def weight_norm(b: Builder, outs: tuple[TensorType, TensorType], v: Node, g: Node, dim: int = 0) -> tuple[Node, Node]:
    direction = Term(b, b.cast(v, math_dtype(v.dtype)))
    lengths = sqrt(_along(b, direction * direction, dim, outs[1]))
    factor = Term(b, b.expand((Term(b, b.cast(g, direction.dtype)) / lengths).node, v.shape))
    return b.cast((direction * factor).node, v.dtype), b.cast(lengths.node, outs[1].dtype)


@aten(
    "_weight_norm_interface_backward",
    meta=lambda grad, v, g, lengths, dim: (torch.empty_like(v, memory_format=torch.contiguous_format), torch.empty_like(g)),
)
def weight_norm_backward(b: Builder, outs: tuple[TensorType, TensorType], grad: Node, v: Node, g: Node, lengths: Node, dim: int) -> tuple[Node, Node]:
    dtype = math_dtype(v.dtype)
    change, direction, length, norms = (Term(b, b.cast(node, dtype)) for node in (grad, v, g, lengths))
    along = _along(b, change * direction, dim, outs[1]) / norms
    factor, part = (Term(b, b.expand(term.node, v.shape)) for term in (length / norms, along / norms))
    return b.cast((factor * (change - direction * part)).node, v.dtype), b.cast(along.node, g.dtype)


def _along(b: Builder, x: Term, dim: int, type_: TensorType) -> Term:
    """The sums over all other dimensions than `dim`."""
    dim = wrap(dim, x.node.rank)
    return Term(b, b.reshape(b.sum(x.node, dims=tuple(d for d in range(x.node.rank) if d != dim)), type_.shape))
