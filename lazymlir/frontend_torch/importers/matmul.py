"""Matrix products, with what torch adds to them: beta * input + alpha * product."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import torch

from lazymlir.dialect import Builder, Node, TensorType
from lazymlir.dialect.types import BOOL

from ..registry import aten
from .common import math_dtype, to
from .formula import Term, conjugate
from .reduce import sum_

__all__ = ["contract", "matrix_product"]

_aten = torch.ops.aten


def _of_one_number_type(name: str) -> Any:
    """Infers results as the overload does. Mixed dtypes and booleans, which torch's meta kernels let pass, are left to the
    CPU's kernel to refuse."""
    overload = getattr(_aten, name).default

    def meta(*tensors: torch.Tensor | None, **keywords: Any) -> torch.Tensor:
        given = [x for x in tensors if x is not None]
        dtypes = {x.dtype for x in given}
        if given[0].is_meta and (len(dtypes) > 1 or torch.bool in dtypes):
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
    return contract(b, _conjugate(b, x), y, (0,), (0,), rounded=True)


def _conjugate(b: Builder, x: Node) -> Node:
    return conjugate(Term(b, x)).node


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


# A linear layer: for autograd one operation, which torch otherwise composes of four.


def _is_layer(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None) -> bool:
    return x.dim() > 0 and weight.dim() == 2 and (bias is None or bias.shape == weight.shape[:1])


def _composed(overload: Any, x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None = None) -> torch.Tensor:
    if bias is not None and bias.dim() > 1 and bias.requires_grad and torch.is_grad_enabled():
        raise NotImplementedError(f"linear: the gradient of a bias of shape {list(bias.shape)} is not implemented; add it: x @ weight.t() + bias")
    return overload.decompose(x, weight, bias)


@aten("linear", meta=_of_one_number_type("linear"), accepts=_is_layer, otherwise=_composed)
def linear(b: Builder, out: TensorType, x: Node, weight: Node, bias: Node | None = None) -> Node:
    made = contract(b, _as_rows(b, x), weight, (1,), (1,), rounded=bias is None)
    if bias is not None:
        made = b.cast(b.add(made, to(b, bias, made.dtype, made.shape)), out.dtype)
    return b.reshape(made, out.shape)


def _as_rows(b: Builder, x: Node) -> Node:
    return b.reshape(x, (prod(x.shape[:-1]), x.shape[-1]))


def _linear_gradients(
    x: torch.Tensor, grad: torch.Tensor, weight: torch.Tensor, output_mask: Sequence[bool]
) -> tuple[torch.Tensor | None, torch.Tensor | None, torch.Tensor | None]:
    """The derivatives, of operations that can be derived again: torch's own derivative of `linear_backward` is none where
    numbers are complex, or `weight` has one dimension."""
    if weight.dim() == 1:
        grad, weight = grad.unsqueeze(-1), weight.unsqueeze(0)
        grad_x, grad_weight, grad_bias = _linear_gradients(x, grad, weight, output_mask)
        return grad_x, None if grad_weight is None else grad_weight.squeeze(0), grad_bias
    rows, x_rows = (y.reshape(y.shape[:-1].numel(), y.shape[-1]) for y in (grad, x))
    return (
        rows.mm(weight.conj()).view(x.shape) if output_mask[0] else None,
        rows.t().mm(x_rows.conj()) if output_mask[1] else None,
        rows.sum(0) if output_mask[2] else None,
    )


@aten(
    "linear_backward",
    meta=_linear_gradients,
    accepts=lambda x, grad, weight, output_mask: _is_layer(x, weight),
    otherwise=lambda overload, *args: _linear_gradients(*args),
    differentiable=_linear_gradients,
)
def linear_backward(
    b: Builder, out: tuple[TensorType | None, ...], x: Node, grad: Node, weight: Node, output_mask: Sequence[bool]
) -> tuple[Node | None, ...]:
    rows = _as_rows(b, grad)
    grad_x = grad_weight = grad_bias = None
    if out[0] is not None:
        grad_x = b.reshape(contract(b, rows, _conjugate(b, weight), (1,), (0,), rounded=True), out[0].shape)
    if out[1] is not None:
        grad_weight = contract(b, rows, _conjugate(b, _as_rows(b, x)), (0,), (0,), rounded=True)
    if out[2] is not None:
        grad_bias = sum_(b, out[2], rows, 0)
    return grad_x, grad_weight, grad_bias
