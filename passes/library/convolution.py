"""`lazy.convolution` as the library's three: a convolution, the gradient of its input, and that of its weight.

The dialect has one correlation for all of them, since their operands are permuted and mirrored as it takes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from lazymlir.dialect import OPS, read_attributes, tensor_type
from lazymlir.dialect.contract import window_size
from lazymlir.mlir import ir

from .call import TYPES, Call, Result
from .views import View, seen, whole

__all__ = ["FORWARD", "GRADIENT", "calls_convolution", "convolution", "work"]

FORWARD, GRADIENT = "lazymlir_convolution", "lazymlir_convolution_gradient"

INPUT, WEIGHT = 0, 1
"""Of what GRADIENT is one."""

Ints = Sequence[int]


def calls_convolution(op: ir.Operation) -> bool:
    """Whether an operation is a call of one of the three."""
    return op.name == "stablehlo.custom_call" and ir.StringAttr(op.attributes["call_target_name"]).value in (FORWARD, GRADIENT)


def work(op: ir.Operation) -> int:
    """How many products are summed."""
    _, inputs, *window = tensor_type(op.operands[1].type).shape
    return tensor_type(op.result.type).size * inputs * prod(window)


def _placed(value: ir.Value) -> View:
    """The value as it is seen, if it is known where that starts."""
    view = seen(value)
    return whole(value) if view.starts else view


@dataclass(frozen=True)
class _Geometry:
    """As torch's convolutions have it: the padding is the same on both sides."""

    stride: Ints
    padding: Ints
    dilation: Ints
    groups: int = 1

    def fits(self, x: Ints, window: Ints, result: Ints) -> bool:
        """Whether a convolution of these spatial sizes has that result."""
        sizes = zip(x, window, self.stride, self.padding, self.padding, (1,) * len(x), self.dilation, strict=True)
        return min(self.padding, default=0) >= 0 and [window_size(*each) for each in sizes] == [*result]

    def call(self, target: str, which: int, operands: Sequence[View], three: Sequence[View], result: Result) -> Call:
        """`three` are the views that the library's function takes or makes."""
        (dtype,) = {tensor_type(view.value.type).dtype for view in three}
        rank = len(three[0].sizes)
        views = [number for view in three for number in view.numbers]
        numbers = (TYPES[dtype], which, rank, self.groups, *views, *self.stride, *self.padding, *self.dilation, *(0,) * (rank - 2))
        return Call(target, tuple(operands), numbers, result)


def convolution(op: ir.Operation) -> Call | None:
    """The call that computes a `lazy.convolution`; None where none of the three does."""
    given = read_attributes(OPS["convolution"], op)
    result = Result.of(op)
    if given["batch_groups"] != 1 or len(result.dims) < 3:
        return None
    return _input_gradient(op, given, result) or _weight_gradient(op, given, result) or _forward(op, given, result)


def _forward(op: ir.Operation, given: dict[str, Any], result: Result) -> Call | None:
    x, weight = (_placed(operand) for operand in op.operands)
    geometry = _Geometry(given["strides"], given["low"], given["weight_dilation"], given["groups_count"])
    if max(given["x_dilation"]) > 1 or not geometry.fits(x.sizes[2:], weight.sizes[2:], result.view.sizes[2:]):
        return None
    return geometry.call(FORWARD, 0, (x, weight), (x, weight, result.view), result)


def _input_gradient(op: ir.Operation, given: dict[str, Any], result: Result) -> Call | None:
    """A gradient that is dilated by the stride, and a weight that is mirrored."""
    grad, weight = _placed(op.operands[0]), _mirror_image(op.operands[1])
    if weight is None or given["groups_count"] != 1 or max(given["strides"]) > 1:
        return None
    window, dilation = weight.sizes[2:], given["weight_dilation"]
    padding = [step * (size - 1) - low for step, size, low in zip(dilation, window, given["low"], strict=True)]
    geometry = _Geometry(given["x_dilation"], padding, dilation)
    if not geometry.fits(result.view.sizes[2:], window, grad.sizes[2:]):
        return None
    return geometry.call(GRADIENT, INPUT, (grad, weight), (grad, result.view, weight), result)


def _mirror_image(value: ir.Value) -> View | None:
    """Of a weight with its channels exchanged and its space mirrored, the weight; None for any other weight. Of single pixels the
    memory tells."""
    shape, owner = tensor_type(value.type).shape, value.owner
    space = tuple(dim for dim in range(2, len(shape)) if shape[dim] > 1)
    if not space:
        view = _placed(value)
        return view.permuted((1, 0, *range(2, len(shape)))) if view.strides[0] < view.strides[1] else None
    if isinstance(owner, ir.Block) or owner.name != "lazy.flip":
        return None
    mirrored = read_attributes(OPS["flip"], owner.operation)["dims"]
    if min(mirrored) < 2 or not {*space} <= {*mirrored}:
        return None
    return _placed(owner.operation.operands[0]).permuted((1, 0, *range(2, len(shape))))


def _weight_gradient(op: ir.Operation, given: dict[str, Any], result: Result) -> Call | None:
    """A convolution over the batch, whose window is as large as a gradient; stride and dilation have changed places."""
    exchanged = (1, 0, *range(2, len(result.dims)))
    x, grad = (_placed(operand).permuted(exchanged) for operand in op.operands)
    weight = result.view.permuted(exchanged)
    geometry = _Geometry(given["weight_dilation"], given["low"], given["strides"])
    if prod(grad.sizes[2:]) <= prod(weight.sizes[2:]) or given["groups_count"] != 1 or max(given["x_dilation"]) > 1:
        return None
    if not geometry.fits(x.sizes[2:], weight.sizes[2:], grad.sizes[2:]):
        return None
    return geometry.call(GRADIENT, WEIGHT, (grad, x), (grad, x, weight), result)
