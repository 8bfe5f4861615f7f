"""Matrix products, with what torch adds to them: beta * input + alpha * product."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from lazymlir.dialect import Builder, Node, TensorType
from lazymlir.dialect.types import BOOL, is_complex

from ..registry import aten
from .common import math_dtype, to

__all__ = ["contract", "matrix_product"]

_aten = torch.ops.aten


def _of_one_number_type(name: str) -> Any:
    """Infers results as the overload does. Mixed dtypes and booleans, which torch's meta kernels let pass, are left to the
    CPU's kernel to refuse."""
    overload = getattr(_aten, name).default

    def meta(*tensors: torch.Tensor, **keywords: Any) -> torch.Tensor:
        dtypes = {x.dtype for x in tensors}
        if tensors[0].is_meta and (len(dtypes) > 1 or torch.bool in dtypes):
            raise NotImplementedError(f"{name} of {dtypes}")
        return overload(*tensors, **keywords)

    return meta


def contract(b: Builder, x: Node, y: Node, x_contract: Sequence[int], y_contract: Sequence[int], batch: int = 0, rounded: bool = False) -> Node:
    """Sums products, with the first `batch` dimensions in common. 16-bit floats give f32 unless `rounded`."""
    x_rest = [size for dim, size in enumerate(x.shape) if dim >= batch and dim not in x_contract]
    y_rest = [size for dim, size in enumerate(y.shape) if dim >= batch and dim not in y_contract]
    shape = (*x.shape[:batch], *x_rest, *y_rest)
    dims, dtype = tuple(range(batch)), x.dtype if rounded else math_dtype(x.dtype)
    result = TensorType(shape, dtype)
    return b.dot(x, y, x_batch=dims, y_batch=dims, x_contract=tuple(x_contract), y_contract=tuple(y_contract), result=result)


def matrix_product(b: Builder, x: Node, y: Node, rounded: bool = False) -> Node:
    """`x @ y` over equal leading dimensions."""
    return contract(b, x, y, (x.rank - 1,), (y.rank - 2,), x.rank - 2, rounded)


def add_scaled(b: Builder, out: TensorType, x: Node, product: Node, beta: Node | None, alpha: Node | None) -> Node:
    """beta * x + alpha * product. Where beta is 0, `x` does not matter, not even its NaNs."""
    dtype = math_dtype(out.dtype)
    x = to(b, x, dtype, out.shape)
    if alpha is not None:
        product = b.mul(product, to(b, alpha, dtype, out.shape))
    if beta is not None:
        factor = b.cast(beta, dtype)
        zero = b.constant(0, factor.type)
        x = b.where(b.expand(b.eq(factor, zero), out.shape), b.expand(zero, out.shape), b.mul(x, b.expand(factor, out.shape)))
    return b.cast(b.add(x, product), out.dtype)


@aten("mm", meta=_of_one_number_type("mm"))
def mm(b: Builder, out: TensorType, x: Node, y: Node) -> Node:
    return matrix_product(b, x, y, rounded=True)


@aten("bmm", meta=_of_one_number_type("bmm"))
def bmm(b: Builder, out: TensorType, x: Node, y: Node) -> Node:
    return matrix_product(b, x, y, rounded=True)


@aten("mv", meta=_of_one_number_type("mv"))
def mv(b: Builder, out: TensorType, x: Node, y: Node) -> Node:
    return contract(b, x, y, (1,), (0,), rounded=True)


@aten("dot", meta=_of_one_number_type("dot"))
def dot(b: Builder, out: TensorType, x: Node, y: Node) -> Node:
    return contract(b, x, y, (0,), (0,), rounded=True)


@aten("vdot", meta=_of_one_number_type("vdot"))
def vdot(b: Builder, out: TensorType, x: Node, y: Node) -> Node:
    if is_complex(x.dtype):
        x = b.complex(b.real(x), b.neg(b.imag(x)))
    return contract(b, x, y, (0,), (0,), rounded=True)


@aten("addmm", meta=_of_one_number_type("addmm"))
@aten("baddbmm", meta=_of_one_number_type("baddbmm"))
def addmm(b: Builder, out: TensorType, x: Node, first: Node, second: Node, *, beta: Node | None = None, alpha: Node | None = None) -> Node:
    return add_scaled(b, out, x, matrix_product(b, first, second), beta, alpha)


@aten("addmv", meta=_of_one_number_type("addmv"))
def addmv(b: Builder, out: TensorType, x: Node, matrix: Node, vector: Node, *, beta: Node | None = None, alpha: Node | None = None) -> Node:
    return add_scaled(b, out, x, contract(b, matrix, vector, (1,), (0,)), beta, alpha)


@aten("addbmm", meta=_of_one_number_type("addbmm"))
def addbmm(b: Builder, out: TensorType, x: Node, first: Node, second: Node, *, beta: Node | None = None, alpha: Node | None = None) -> Node:
    """The sum of the batch's products is one product, contracted over the batch too."""
    return add_scaled(b, out, x, contract(b, first, second, (0, 2), (0, 1)), beta, alpha)


@aten("addr")
def addr(b: Builder, out: TensorType, x: Node, first: Node, second: Node, *, beta: Node | None = None, alpha: Node | None = None) -> Node:
    if out.dtype == BOOL:
        return _addr_of_truths(b, out, x, first, second, beta, alpha)
    dtype = math_dtype(out.dtype)
    column = b.expand(b.reshape(b.cast(first, dtype), (*first.shape, 1)), out.shape)
    return add_scaled(b, out, x, b.mul(column, to(b, second, dtype, out.shape)), beta, alpha)


def _addr_of_truths(b: Builder, out: TensorType, x: Node, first: Node, second: Node, beta: Node | None, alpha: Node | None) -> Node:
    """Or instead of the sum, and instead of the product."""
    both = b.bitwise_and(b.expand(b.reshape(first, (*first.shape, 1)), out.shape), b.expand(second, out.shape))
    terms = ((b.expand(x, out.shape), beta), (both, alpha))
    kept = [term if factor is None else b.bitwise_and(term, to(b, factor, BOOL, out.shape)) for term, factor in terms]
    return b.bitwise_or(*kept)
