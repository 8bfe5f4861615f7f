"""Losses of classes whose scores come within a margin of the right ones'. A sample is a row; scores that are NaN cost nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from lazymlir.dialect import Builder, Node, TensorType

from ..registry import aten
from .common import full, is_within, math_dtype, spread
from .formula import Term, where
from .loss import MEAN, NONE


def _reduced(b: Builder, out: TensorType, losses: Term, reduction: int) -> Node:
    """From one loss for each sample."""
    if reduction == NONE:
        return b.reshape(b.cast(losses.node, out.dtype), out.shape)
    total = Term(b, b.sum(losses.node, dims=(0,)))
    return b.reshape(b.cast((total / losses.node.shape[0] if reduction == MEAN else total).node, out.dtype), out.shape)


class _Samples:
    """Scores and targets as matrices."""

    def __init__(self, b: Builder, x: Node, target: Node) -> None:
        self.b = b
        self.classes = x.shape[-1] if x.rank else 1
        self.count = x.type.size // max(self.classes, 1)
        self.shape = (self.count, self.classes)
        self.scores = Term(b, b.reshape(b.cast(x, math_dtype(x.dtype)), self.shape))
        self.target = Term(b, b.reshape(target, (self.count, target.type.size // max(self.count, 1))))

    def shared(self, grad: Node, reduction: int) -> Term:
        """The gradient of each sample's loss, divided by the number of classes, for each class."""
        b = self.b
        incoming = b.cast(grad, self.scores.dtype)
        each = b.reshape(incoming, (self.count, 1) if reduction == NONE else (1, 1))
        divisor = self.classes * (self.count if reduction == MEAN else 1)
        return Term(b, b.expand(each, self.shape)) / divisor

    def taken(self, target: Term) -> Term:
        """The scores of targets."""
        return Term(self.b, self.b.gather(self.scores.node, target.node, dim=1))

    def over_classes(self, x: Term) -> Term:
        """One number for each sample."""
        return Term(self.b, spread(self.b, x.node, (0,), self.shape))

    def summed(self, x: Term, dim: int) -> Term:
        return Term(self.b, self.b.sum(x.node, dims=(dim,)))


# One right class.


class _OneClass(_Samples):
    def __init__(self, b: Builder, x: Node, target: Node, p: int, margin: Any, weight: Node | None) -> None:
        super().__init__(b, x, target)
        b.require(is_within(b, target, self.classes), RuntimeError, "target out of range")
        margin = Term(b, b.expand(b.cast(margin, self.scores.dtype), self.shape)) if isinstance(margin, Node) else float(margin)
        self.p = p
        self.short = margin - self.over_classes(self.taken(self.target)) + self.scores
        number = Term(b, b.iota(dim=1, result=TensorType(self.shape, "i64")))
        self.right = number.equals(self.over_classes(self.target))
        self.costs = (self.short > 0) & ~self.right
        self.weight = None
        if weight is not None:
            flat = b.reshape(b.cast(weight, self.scores.dtype), (self.classes,))
            self.weight = self.over_classes(Term(b, b.index(flat, self.target.node, dims=(0,))))

    def weighted(self, x: Term) -> Term:
        return where(self.costs, x if self.weight is None else x * self.weight, 0)


def _one_class_types(x: torch.Tensor, target: torch.Tensor, *rest: Any, **named: Any) -> torch.Tensor:
    """The meta kernel gives a single sample's loss a dimension."""
    made = torch.ops.aten.multi_margin_loss(x, target, *rest, **named)
    return made.new_empty(()) if target.dim() == 0 else made


@aten("multi_margin_loss", static=("p",), meta=_one_class_types)
def multi_margin_loss(
    b: Builder, out: TensorType, x: Node, target: Node, p: int = 1, margin: Any = 1, weight: Node | None = None, reduction: int = MEAN
) -> Node:
    if x.type.size == 0:
        return full(b, 0, out)
    s = _OneClass(b, x, target, p, margin, weight)
    losses = s.weighted(s.short if p == 1 else s.short * s.short)
    return _reduced(b, out, s.summed(losses, 1) / s.classes, reduction)


@aten("multi_margin_loss_backward", static=("p",))
def multi_margin_loss_backward(
    b: Builder, out: TensorType, grad: Node, x: Node, target: Node, p: int, margin: Any, weight: Node | None = None, reduction: int = MEAN
) -> Node:
    if x.type.size == 0:
        return full(b, 0, out)
    s = _OneClass(b, x, target, p, margin, weight)
    shared = s.shared(grad, reduction)
    slopes = s.weighted(shared if p == 1 else shared * s.short * 2)
    return b.reshape(b.cast(where(s.right, -s.over_classes(s.summed(slopes, 1)), slopes).node, out.dtype), out.shape)


# Several right classes: those before the first -1 of a row of targets.


class _ManyClasses(_Samples):
    def __init__(self, b: Builder, x: Node, target: Node) -> None:
        super().__init__(b, x, target)
        b.require(is_within(b, target, self.classes, -1), RuntimeError, "argument #2 'target' is out of range")
        ended = b.cumsum((self.target < 0).cast("i64").node, dim=1)
        self.given = Term(b, ended).equals(0)
        self.target = where(self.given, self.target, 0)
        self.shape3 = (self.count, self.classes, self.classes)

    def by_target(self, x: Term) -> Term:
        """[samples, targets] for every class."""
        return Term(self.b, spread(self.b, x.node, (0, 1), self.shape3))

    def by_class(self, x: Term) -> Term:
        """[samples, classes] for every target."""
        return Term(self.b, spread(self.b, x.node, (0, 2), self.shape3))

    def is_target(self) -> Term:
        number = Term(self.b, self.b.iota(dim=2, result=TensorType(self.shape3, "i64")))
        matches = number.equals(self.by_target(self.target)) & self.by_target(self.given)
        return Term(self.b, self.b.any(matches.node, dims=(1,)))

    def short(self, is_target: Term) -> tuple[Term, Term]:
        """By how much the score of a target is too close to that of a class, and where that counts."""
        short = 1 - self.by_target(self.taken(self.target)) + self.by_class(self.scores)
        return short, (short > 0) & self.by_target(self.given) & ~self.by_class(is_target)


def _many_classes_types(x: torch.Tensor, target: torch.Tensor, reduction: int) -> tuple[torch.Tensor, torch.Tensor]:
    """The same here."""
    losses, is_target = torch.ops.aten.multilabel_margin_loss_forward(x, target, reduction)
    return losses.new_empty(()) if x.dim() < 2 else losses, is_target


@aten("multilabel_margin_loss_forward", meta=_many_classes_types)
def multilabel_margin_loss(b: Builder, out: Sequence[TensorType], x: Node, target: Node, reduction: int) -> tuple[Node, Node]:
    if x.type.size == 0:
        return full(b, 0, out[0]), full(b, 0, out[1])
    s = _ManyClasses(b, x, target)
    is_target = s.is_target()
    short, costs = s.short(is_target)
    losses = Term(b, b.sum(where(costs, short, 0).node, dims=(1, 2))) / s.classes
    return _reduced(b, out[0], losses, reduction), b.reshape(b.cast(is_target.node, out[1].dtype), out[1].shape)


@aten("multilabel_margin_loss_backward")
def multilabel_margin_loss_backward(b: Builder, out: TensorType, grad: Node, x: Node, target: Node, reduction: int, is_target: Node) -> Node:
    if x.type.size == 0:
        return full(b, 0, out)
    s = _ManyClasses(b, x, target)
    _, costs = s.short(Term(b, b.reshape(is_target, s.shape)).differs(0))
    each = costs.cast(s.scores.dtype)
    base = full(b, 0, s.scores.node.type)
    lowered = Term(b, b.scatter(base, s.target.node, s.summed(each, 2).node, dim=1, kind="add"))
    slopes = (s.summed(each, 1) - lowered) * s.shared(grad, reduction)
    return b.reshape(b.cast(slopes.node, out.dtype), out.shape)
