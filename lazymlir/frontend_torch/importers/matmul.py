"""Matrix products, with what torch adds to them: beta * input + alpha * product."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from lazymlir.dialect import Builder, Node, TensorType
from lazymlir.dialect.types import is_complex

from ..registry import aten
from .common import math_dtype, to

__all__ = ["matrix_product"]

_aten = torch.ops.aten


def _refuses_booleans(name: str, kernel: str) -> Any:
    """Infers results as the overload itself does, and refuses booleans as torch's CPU kernel does (its meta kernel does not)."""
    overload = getattr(_aten, name).default

    def meta(first: torch.Tensor, *rest: Any, **keywords: Any) -> torch.Tensor:
        if first.dtype == torch.bool:
            raise RuntimeError(f'"{kernel}" not implemented for \'Bool\'')
        return overload(first, *rest, **keywords)

    return meta


def matrix_product(b: Builder, x: Node, y: Node) -> Node:
    """`x @ y` over equal leading dimensions."""
    batch = tuple(range(x.rank - 2))
    return b.dot(x, y, x_batch=batch, y_batch=batch, x_contract=(x.rank - 1,), y_contract=(y.rank - 2,))


def _contract(b: Builder, x: Node, y: Node, x_dims: Sequence[int], y_dims: Sequence[int]) -> Node:
    return b.dot(x, y, x_batch=(), y_batch=(), x_contract=tuple(x_dims), y_contract=tuple(y_dims))


def add_scaled(b: Builder, out: TensorType, x: Node, product: Node, beta: Node | None, alpha: Node | None) -> Node:
    """beta * x + alpha * product. Where beta is 0, `x` does not matter, not even its NaNs."""
    dtype = math_dtype(out.dtype)
    product, x = to(b, product, dtype), to(b, x, dtype, out.shape)
    if alpha is not None:
        product = b.mul(product, to(b, alpha, dtype, out.shape))
    if beta is not None:
        factor = b.cast(beta, dtype)
        zero = b.constant(0, factor.type)
        x = b.where(b.expand(b.eq(factor, zero), out.shape), b.expand(zero, out.shape), b.mul(x, b.expand(factor, out.shape)))
    return b.cast(b.add(x, product), out.dtype)


@aten("mm", meta=_refuses_booleans("mm", "addmm_impl_cpu_"))
def mm(b: Builder, out: TensorType, x: Node, y: Node) -> Node:
    return matrix_product(b, x, y)


@aten("bmm", meta=_refuses_booleans("bmm", "bmm"))
def bmm(b: Builder, out: TensorType, x: Node, y: Node) -> Node:
    return matrix_product(b, x, y)


@aten("mv", meta=_refuses_booleans("mv", "addmv_impl_cpu"))
def mv(b: Builder, out: TensorType, x: Node, y: Node) -> Node:
    return _contract(b, x, y, (1,), (0,))


@aten("dot", meta=_refuses_booleans("dot", "dot"))
def dot(b: Builder, out: TensorType, x: Node, y: Node) -> Node:
    return _contract(b, x, y, (0,), (0,))


@aten("vdot", meta=_refuses_booleans("vdot", "vdot"))
def vdot(b: Builder, out: TensorType, x: Node, y: Node) -> Node:
    if is_complex(x.dtype):
        x = b.complex(b.real(x), b.neg(b.imag(x)))
    return _contract(b, x, y, (0,), (0,))


@aten("addmm", meta=_refuses_booleans("addmm", "addmm_impl_cpu_"))
@aten("baddbmm", meta=_refuses_booleans("baddbmm", "baddbmm"))
def addmm(b: Builder, out: TensorType, x: Node, first: Node, second: Node, *, beta: Node | None = None, alpha: Node | None = None) -> Node:
    return add_scaled(b, out, x, matrix_product(b, first, second), beta, alpha)


@aten("addmv", meta=_refuses_booleans("addmv", "addmv_impl_cpu"))
def addmv(b: Builder, out: TensorType, x: Node, matrix: Node, vector: Node, *, beta: Node | None = None, alpha: Node | None = None) -> Node:
    return add_scaled(b, out, x, _contract(b, matrix, vector, (1,), (0,)), beta, alpha)


@aten("addbmm", meta=_refuses_booleans("addbmm", "addbmm"))
def addbmm(b: Builder, out: TensorType, x: Node, first: Node, second: Node, *, beta: Node | None = None, alpha: Node | None = None) -> Node:
    """The sum of the batch's products is one product, contracted over the batch too."""
    return add_scaled(b, out, x, _contract(b, first, second, (0, 2), (0, 1)), beta, alpha)
