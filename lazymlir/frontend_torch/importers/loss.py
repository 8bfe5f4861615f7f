"""Losses and their gradients: elementwise, then reduced."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from lazymlir.dialect import Builder, Node, TensorType

from ..dtypes import NAME_OF, TORCH_OF
from ..registry import aten
from .common import is_probability, is_within, math_dtype, to

NONE, MEAN, SUM = 0, 1, 2
"""torch's reductions."""


def _reduced(b: Builder, out: TensorType, loss: Node, reduction: int) -> Node:
    if reduction != NONE:
        count = loss.type.size
        loss = b.sum(loss, dims=tuple(range(loss.rank)))
        if reduction == MEAN:
            loss = b.div(loss, b.constant(count, loss.type))
    return b.cast(loss, out.dtype)


def _shared(b: Builder, grad: Node, type_: TensorType, reduction: int) -> Node:
    """The gradient of each element's loss."""
    grad = to(b, grad, type_.dtype, type_.shape)
    return b.div(grad, b.constant(type_.size, type_)) if reduction == MEAN else grad


class _Terms:
    """Arithmetic of one loss: constants and comparisons beside its operands."""

    def __init__(self, b: Builder, type_: TensorType) -> None:
        self.b, self.type = b, type_

    def of(self, x: Node) -> Node:
        return to(self.b, x, self.type.dtype, self.type.shape)

    def number(self, value: float) -> Node:
        return self.b.constant(value, self.type)

    def scaled(self, x: Node, value: float) -> Node:
        return self.b.mul(x, self.number(value))


# Losses of a difference: of(t, difference, parameter) is the loss, slope(...) its derivative.


def _squared(t: _Terms, difference: Node, _: Node | None) -> Node:
    return t.b.mul(difference, difference)


def _squared_slope(t: _Terms, difference: Node, _: Node | None) -> Node:
    return t.scaled(difference, 2)


def _smooth(t: _Terms, difference: Node, beta: Node | None) -> Node:
    b, distance = t.b, t.b.abs(difference)
    limit = t.number(1) if beta is None else t.of(beta)
    near = b.div(t.scaled(b.mul(distance, distance), 0.5), limit)
    return b.where(b.lt(distance, limit), near, b.sub(distance, t.scaled(limit, 0.5)))


def _smooth_slope(t: _Terms, difference: Node, beta: Node | None) -> Node:
    b = t.b
    limit = t.number(1) if beta is None else t.of(beta)
    inner = b.where(b.ge(difference, limit), t.number(1), b.div(difference, limit))
    return b.where(b.le(difference, b.neg(limit)), t.number(-1), inner)


def _huber(t: _Terms, difference: Node, delta: Node | None) -> Node:
    b, distance = t.b, t.b.abs(difference)
    limit = t.number(1) if delta is None else t.of(delta)
    far = b.mul(limit, b.sub(distance, t.scaled(limit, 0.5)))
    return b.where(b.le(distance, limit), t.scaled(b.mul(distance, distance), 0.5), far)


def _huber_slope(t: _Terms, difference: Node, delta: Node | None) -> Node:
    b = t.b
    limit = t.number(1) if delta is None else t.of(delta)
    inner = b.where(b.gt(difference, limit), limit, difference)
    return b.where(b.lt(difference, b.neg(limit)), b.neg(limit), inner)


Formula = Callable[[_Terms, Node, "Node | None"], Node]
DIFFERENCES: dict[str, tuple[Formula, Formula]] = {
    "mse_loss": (_squared, _squared_slope),
    "smooth_l1_loss": (_smooth, _smooth_slope),
    "huber_loss": (_huber, _huber_slope),
}


def _difference(name: str, loss: Formula, slope: Formula) -> None:
    @aten(name)
    def importer(
        b: Builder,
        out: TensorType,
        x: Node,
        target: Node,
        reduction: int = MEAN,
        parameter: Node | None = None,
        *,
        beta: Node | None = None,
        delta: Node | None = None,
    ) -> Node:
        t = _common_terms(b, x, target)
        made = loss(t, b.sub(t.of(x), t.of(target)), parameter or beta or delta)
        return _reduced(b, out, made, reduction)

    @aten(f"{name}_backward")
    def backward(b: Builder, out: TensorType, grad: Node, x: Node, target: Node, reduction: int, parameter: Node | None = None) -> Node:
        t = _common_terms(b, x, target)
        slopes = slope(t, b.sub(t.of(x), t.of(target)), parameter)
        return b.cast(b.mul(slopes, _shared(b, grad, t.type, reduction)), out.dtype)


def _common_terms(b: Builder, x: Node, target: Node) -> _Terms:
    """Both operands broadcast and promoted as torch does."""
    metas = [torch.empty(node.shape, dtype=TORCH_OF[node.dtype], device="meta") for node in (x, target)]
    dtype = NAME_OF[torch.result_type(*metas)]
    return _Terms(b, TensorType(tuple(torch.broadcast_shapes(x.shape, target.shape)), math_dtype(dtype)))


for _name, (_loss, _slope) in DIFFERENCES.items():
    _difference(_name, _loss, _slope)


# Binary cross entropy.


@aten("binary_cross_entropy")
def binary_cross_entropy(b: Builder, out: TensorType, x: Node, target: Node, weight: Node | None = None, reduction: int = MEAN) -> Node:
    """Logarithms are cut off at -100, so that a sure mistake costs no infinity."""
    t = _Terms(b, TensorType(x.shape, math_dtype(x.dtype)))
    for name, values in (("input", x), ("target", target)):
        b.require(is_probability(b, t.of(values)), RuntimeError, f"all elements of {name} should be between 0 and 1")
    x, target, floor = t.of(x), t.of(target), t.number(-100)
    loss = b.sub(
        b.mul(b.sub(target, t.number(1)), b.maximum(b.log1p(b.neg(x)), floor)),
        b.mul(target, b.maximum(b.log(x), floor)),
    )
    if weight is not None:
        loss = b.mul(loss, t.of(weight))
    return _reduced(b, out, loss, reduction)


@aten("binary_cross_entropy_backward")
def binary_cross_entropy_backward(
    b: Builder, out: TensorType, grad: Node, x: Node, target: Node, weight: Node | None = None, reduction: int = MEAN
) -> Node:
    t = _Terms(b, TensorType(x.shape, math_dtype(x.dtype)))
    x, target = t.of(x), t.of(target)
    scale = b.maximum(b.mul(b.sub(t.number(1), x), x), t.number(1e-12))
    made = b.div(b.mul(_shared(b, grad, t.type, reduction), b.sub(x, target)), scale)
    if weight is not None:
        made = b.mul(made, t.of(weight))
    return b.cast(made, out.dtype)


@aten("binary_cross_entropy_with_logits")
def binary_cross_entropy_with_logits(
    b: Builder,
    out: TensorType,
    x: Node,
    target: Node,
    weight: Node | None = None,
    pos_weight: Node | None = None,
    reduction: int = MEAN,
) -> Node:
    t = _common_terms(b, x, target)
    x, target = t.of(x), t.of(target)
    log_sigmoid = b.sub(b.minimum(x, t.number(0)), b.log1p(b.exp(b.neg(b.abs(x)))))
    if pos_weight is not None:
        log_sigmoid = b.mul(log_sigmoid, b.add(b.mul(b.sub(t.of(pos_weight), t.number(1)), target), t.number(1)))
    loss = b.sub(b.mul(b.sub(t.number(1), target), x), log_sigmoid)
    if weight is not None:
        loss = b.mul(loss, t.of(weight))
    return _reduced(b, out, loss, reduction)


# Negative log likelihood: classes are dimension 1, or 0 of a single sample.


class _Classes:
    """What each target chooses: a class, its weight, or nothing where it is to be ignored."""

    def __init__(self, b: Builder, x: Node, target: Node, weight: Node | None, ignore_index: int) -> None:
        self.b = b
        self.dim = 0 if x.rank == 1 else 1
        self.dtype = math_dtype(x.dtype)
        self.shape = tuple(size for dim, size in enumerate(x.shape) if dim != self.dim)
        target = b.reshape(b.cast(target, "i64"), self.shape)
        self.valid = b.ne(target, b.constant(ignore_index, target.type))
        known = is_within(b, target, x.shape[self.dim])
        b.require(b.bitwise_or(known, b.bitwise_not(self.valid)), IndexError, "Target {} is out of bounds.", target)
        self.target = b.where(self.valid, target, b.constant(0, target.type))
        none = TensorType(self.shape, self.dtype)
        if weight is None:
            chosen = b.constant(1, none)
        else:
            flat = b.index(b.cast(weight, self.dtype), b.reshape(self.target, (none.size,)), dims=(0,))
            chosen = b.reshape(flat, self.shape)
        self.weight = b.where(self.valid, chosen, b.constant(0, none))

    def kept(self, x: Node) -> Node:
        """With the dimension of classes back, of size 1."""
        return self.b.reshape(x, (*self.shape[: self.dim], 1, *self.shape[self.dim :]))

    def losses(self, x: Node) -> Node:
        b = self.b
        picked = b.reshape(b.gather(x, self.kept(self.target), dim=self.dim), self.shape)
        # An ignored sample costs nothing, whatever its scores are.
        return b.where(self.valid, b.neg(b.mul(b.cast(picked, self.dtype), self.weight)), b.constant(0, self.weight.type))

    def total(self, x: Node) -> Node:
        return self.b.sum(x, dims=tuple(range(x.rank)))


def _nll_loss(
    b: Builder, out: tuple[TensorType, TensorType], x: Node, target: Node, weight: Node | None, reduction: int, ignore_index: int
) -> tuple[Node, Node]:
    classes = _Classes(b, x, target, weight, ignore_index)
    losses = classes.losses(x)
    if reduction == NONE:
        return b.cast(b.reshape(losses, out[0].shape), out[0].dtype), b.constant(0, out[1])
    total_weight = classes.total(classes.weight)
    loss = classes.total(losses)
    if reduction == MEAN:
        loss = b.div(loss, total_weight)
    return b.cast(loss, out[0].dtype), b.cast(total_weight, out[1].dtype)


def _nll_loss_backward(
    b: Builder,
    out: TensorType,
    grad: Node,
    x: Node,
    target: Node,
    weight: Node | None,
    reduction: int,
    ignore_index: int,
    total_weight: Node,
) -> Node:
    classes = _Classes(b, x, target, weight, ignore_index)
    grad = b.cast(grad, classes.dtype)
    if reduction == MEAN:
        grad = b.div(grad, b.cast(total_weight, classes.dtype))
    shared = b.expand(grad, classes.shape) if reduction != NONE else b.reshape(grad, classes.shape)
    each = b.neg(b.mul(shared, classes.weight))
    each = b.where(classes.valid, each, b.constant(0, each.type))
    place = b.iota(dim=classes.dim, result=TensorType(x.shape, "i64"))
    chosen = b.eq(place, b.expand(classes.kept(classes.target), x.shape))
    spread = b.expand(classes.kept(each), x.shape)
    return b.cast(b.where(chosen, spread, b.constant(0, spread.type)), out.dtype)


def _nll_losses() -> None:
    importers: dict[str, Any] = {"_forward": _nll_loss, "_backward": _nll_loss_backward}
    for ending, importer in importers.items():
        aten(f"nll_loss{ending}", f"nll_loss2d{ending}")(importer)


_nll_losses()
