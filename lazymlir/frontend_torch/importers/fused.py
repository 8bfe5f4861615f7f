"""Whole optimizer steps as one record, and what gradient scaling does to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from lazymlir.dialect import Builder, Node, TensorType

from ..registry import aten
from .common import math_dtype
from .formula import Term, maximum, sqrt, where

Nodes = Sequence[Node]


def _scalar(b: Builder, x: Node) -> Term:
    """A rate or coefficient: as on the CPU in double precision, once for all tensors."""
    return Term(b, b.cast(b.reshape(x, ()), "f64"))


def _power(base: Term, exponent: Term) -> Term:
    return base.apply("pow", exponent)


class _Step:
    """One tensor's step: its operands as terms of the type to compute in."""

    def __init__(self, b: Builder, parameter: Node) -> None:
        self.b = b
        self.type = TensorType(parameter.shape, math_dtype(parameter.dtype))
        self.parameter = self.of(parameter)

    def of(self, x: Node) -> Term:
        return Term(self.b, self.b.expand(self.b.cast(x, self.type.dtype), self.type.shape))

    def rate(self, x: Term) -> Term:
        """A coefficient, for every element."""
        return self.of(x.node)

    def decayed(self, gradient: Term, weight_decay: Term) -> Term:
        """L2 regularization; a decay of 0 leaves the parameter out, infinities and all."""
        decay = self.rate(weight_decay)
        return where(decay.equals(0), gradient, gradient + decay * self.parameter)


Update = Callable[[_Step, Term, int], Sequence[Term]]
"""`(step, gradient, number of the tensor)` to what each written list holds after the step."""


def _run(
    b: Builder,
    written: Sequence[Sequence[Node]],
    gradients: Nodes,
    update: Update,
    maximize: bool,
    grad_scale: Node | None,
    found_inf: Node | None,
) -> list[Node]:
    """What every written list holds after the step, list after list; with a scale the unscaled gradients come last.

    Where `found_inf` is 1, nothing changes.
    """
    results: list[list[Node]] = [[] for _ in written]
    unscaled: list[Node] = []
    for i, (parameter, gradient) in enumerate(zip(written[0], gradients, strict=True)):
        step = _Step(b, parameter)
        slope = step.of(gradient)
        if grad_scale is not None:
            slope = slope / step.of(b.reshape(grad_scale, ()))
            unscaled.append(_unless_found(b, gradient, b.cast(slope.node, gradient.dtype), found_inf))
        after = update(step, -slope if maximize else slope, i)
        for made, olds, new in zip(results, written, after, strict=True):
            made.append(_unless_found(b, olds[i], b.cast(new.node, olds[i].dtype), found_inf))
    return [node for made in results for node in made] + unscaled


def _unless_found(b: Builder, old: Node, new: Node, found_inf: Node | None) -> Node:
    if found_inf is None:
        return new
    found = b.reshape(found_inf, ())
    stays = b.eq(found, b.constant(1, found.type))
    return b.where(b.expand(stays, old.shape), old, new)


def _writes(*names: str) -> Callable[[dict[str, Any]], tuple[str, ...]]:
    """The lists that a step writes: the gradients too where they come scaled."""
    return lambda given: (*names, "grads") if given.get("grad_scale") is not None else names


def _no_results(*_: Any, **__: Any) -> None:
    """The steps return nothing."""


# Adam.


def _adam(decoupled: bool) -> Callable[..., list[Node]]:
    def importer(
        b: Builder,
        out: Any,
        parameters: Nodes,
        gradients: Nodes,
        averages: Nodes,
        squares: Nodes,
        largest: Nodes,
        steps: Nodes,
        *,
        lr: Node,
        beta1: Node,
        beta2: Node,
        weight_decay: Node,
        eps: Node,
        amsgrad: bool,
        maximize: bool,
        grad_scale: Node | None = None,
        found_inf: Node | None = None,
    ) -> list[Node]:
        rate, first, second, decay, small = (_scalar(b, x) for x in (lr, beta1, beta2, weight_decay, eps))

        def update(step: _Step, gradient: Term, i: int) -> Sequence[Term]:
            count = _scalar(b, steps[i])
            parameter = step.parameter
            if decoupled:
                parameter = parameter - step.rate(rate * decay) * parameter
            else:
                gradient = step.decayed(gradient, decay)
            average, square = step.of(averages[i]), step.of(squares[i])
            average = average + step.rate(1 - first) * (gradient - average)
            square = step.rate(second) * square + step.rate(1 - second) * gradient * gradient
            height = maximum(step.of(largest[i]), square) if amsgrad else square
            correction = step.rate(sqrt(1 - _power(second, count)))
            denominator = sqrt(height) / correction + step.rate(small)
            size = step.rate(rate / (1 - _power(first, count)))
            stepped = parameter - size * average / denominator
            return (stepped, average, square, height) if amsgrad else (stepped, average, square)

        written = [parameters, averages, squares, *([largest] if amsgrad else [])]
        return _run(b, written, gradients, update, maximize, grad_scale, found_inf)

    return importer


for _name, _decoupled in (("_fused_adam_", False), ("_fused_adamw_", True)):
    aten(_name, f"{_name}.tensor_lr", mutates=_writes("self", "exp_avgs", "exp_avg_sqs", "max_exp_avg_sqs"), meta=_no_results)(_adam(_decoupled))


# SGD and Adagrad.


@aten("_fused_sgd_", "_fused_sgd_.tensor_lr", mutates=_writes("self", "momentum_buffer_list"), meta=_no_results)
def fused_sgd(
    b: Builder,
    out: Any,
    parameters: Nodes,
    gradients: Nodes,
    momenta: Nodes,
    *,
    weight_decay: Node,
    momentum: Node,
    lr: Node,
    dampening: Node,
    nesterov: bool,
    maximize: bool,
    is_first_step: bool,
    grad_scale: Node | None = None,
    found_inf: Node | None = None,
) -> list[Node]:
    decay, kept, rate, damping = (_scalar(b, x) for x in (weight_decay, momentum, lr, dampening))

    def update(step: _Step, gradient: Term, i: int) -> Sequence[Term]:
        gradient = step.decayed(gradient, decay)
        if not momenta:
            return (step.parameter - step.rate(rate) * gradient,)
        velocity = gradient if is_first_step else step.rate(kept) * step.of(momenta[i]) + step.rate(1 - damping) * gradient
        direction = gradient + step.rate(kept) * velocity if nesterov else velocity
        return step.parameter - step.rate(rate) * direction, velocity

    written = [parameters, momenta] if momenta else [parameters]
    return _run(b, written, gradients, update, maximize, grad_scale, found_inf)


@aten("_fused_adagrad_", "_fused_adagrad_.tensor_lr", mutates=_writes("self", "state_sums"), meta=_no_results)
def fused_adagrad(
    b: Builder,
    out: Any,
    parameters: Nodes,
    gradients: Nodes,
    sums: Nodes,
    steps: Nodes,
    *,
    lr: Node,
    lr_decay: Node,
    weight_decay: Node,
    eps: Node,
    maximize: bool,
    grad_scale: Node | None = None,
    found_inf: Node | None = None,
) -> list[Node]:
    rate, slowing, decay, small = (_scalar(b, x) for x in (lr, lr_decay, weight_decay, eps))

    def update(step: _Step, gradient: Term, i: int) -> Sequence[Term]:
        gradient = step.decayed(gradient, decay)
        total = step.of(sums[i]) + gradient * gradient
        size = step.rate(rate / (1 + (_scalar(b, steps[i]) - 1) * slowing))
        return step.parameter - size * gradient / (sqrt(total) + step.rate(small)), total

    return _run(b, [parameters, sums], gradients, update, maximize, grad_scale, found_inf)


# Gradient scaling.


@aten("_amp_foreach_non_finite_check_and_unscale_", mutates=("self", "found_inf"), meta=_no_results)
def check_and_unscale(b: Builder, out: Any, gradients: Nodes, found_inf: Node, inv_scale: Node) -> list[Node]:
    """Gradients times `inv_scale`; `found_inf` becomes 1 where one of them is not finite."""
    found: Term | None = None
    results = []
    for gradient in gradients:
        step = _Step(b, gradient)
        finite = b.all(b.is_finite(gradient), dims=tuple(range(gradient.rank)))
        bad = ~Term(b, finite)
        found = bad if found is None else found | bad
        factor = step.of(b.reshape(inv_scale, ()))
        unscaled = where(factor.equals(1), step.parameter, step.parameter * factor)
        results.append(b.cast(unscaled.node, gradient.dtype))
    if found is not None:
        found_inf = b.where(b.expand(found.node, found_inf.shape), b.constant(1, found_inf.type), found_inf)
    return [*results, found_inf]


@aten("_amp_update_scale_", mutates=("self", "growth_tracker"), meta=lambda scale, *_: scale)
def update_scale(
    b: Builder, out: Any, scale: Node, tracker: Node, found_inf: Node, growth_factor: Node, backoff_factor: Node, growth_interval: int
) -> list[Node]:
    current, successes = Term(b, scale), Term(b, tracker) + 1
    found = Term(b, b.reshape(found_inf, scale.shape)).differs(0)
    factors = [Term(b, b.expand(b.cast(factor, scale.dtype), scale.shape)) for factor in (growth_factor, backoff_factor)]
    grown = current * factors[0]
    grown = where(Term(b, b.is_finite(grown.node)), grown, current)
    due = successes.equals(growth_interval)
    due_shaped = Term(b, b.reshape(due.node, scale.shape))
    new_scale = where(found, current * factors[1], where(due_shaped, grown, current))
    restarts = Term(b, b.reshape(found.node, tracker.shape)) | due
    return [new_scale.node, where(restarts, 0, successes).node]
