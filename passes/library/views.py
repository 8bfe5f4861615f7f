"""How a value lies in the memory of another one: what a kernel of strided tensors can read where it stands."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from operator import mul
from typing import NamedTuple

from lazymlir.dialect import OPS, read_attributes, tensor_type
from lazymlir.dialect.shape import DYNAMIC
from lazymlir.mlir import ir

__all__ = ["Start", "View", "row_major", "seen", "whole"]


def row_major(sizes: Sequence[int]) -> tuple[int, ...]:
    """The strides of a tensor without gaps, the last dimension innermost."""
    return tuple(accumulate(sizes[:0:-1], mul, initial=1))[::-1] if sizes else ()


class Start(NamedTuple):
    """Where a slice starts that only the running program knows: `steps` of `stride` elements, from 0 to `most`."""

    steps: ir.Value
    most: int
    stride: int


class View(NamedTuple):
    """A strided window of `value`'s memory; offset and strides count elements, `starts` are added to the offset."""

    value: ir.Value
    offset: int
    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    starts: tuple[Start, ...] = ()

    def permuted(self, dims: Sequence[int]) -> View:
        return self._replace(sizes=tuple(self.sizes[dim] for dim in dims), strides=tuple(self.strides[dim] for dim in dims))

    @property
    def numbers(self) -> tuple[int, ...]:
        """As a call is told of it."""
        return (self.offset, *self.sizes, *self.strides)


def whole(value: ir.Value) -> View:
    shape = tensor_type(value.type).shape
    return View(value, 0, shape, row_major(shape))


def seen(value: ir.Value) -> View:
    """The value as a window of the farthest value that it is a view of."""
    owner = value.owner
    if isinstance(owner, ir.Block) or owner.name not in _STEPS:
        return whole(value)
    operation = owner.operation
    return _STEPS[owner.name](seen(operation.operands[0]), operation) or whole(value)


def _permuted(view: View, op: ir.Operation) -> View:
    return view.permuted(read_attributes(OPS["permute"], op)["dims"])


def _sliced(view: View, op: ir.Operation) -> View | None:
    """None where nothing is left."""
    given = read_attributes(OPS["slice"], op)
    if 0 in given["sizes"]:
        return None
    offset, starts = view.offset, [*view.starts]
    indices = iter([*op.operands][1:])
    for dim, (start, size, step) in enumerate(zip(given["starts"], given["sizes"], given["steps"], strict=True)):
        if start == DYNAMIC:
            starts.append(Start(next(indices), view.sizes[dim] - (size - 1) * step - 1, view.strides[dim]))
        else:
            offset += start * view.strides[dim]
    strides = tuple(step * stride for step, stride in zip(given["steps"], view.strides, strict=True))
    return View(view.value, offset, given["sizes"], strides, tuple(starts))


def _reshaped(view: View, op: ir.Operation) -> View | None:
    """None where the new dimensions have no strides."""
    shape = tensor_type(op.result.type).shape
    if 0 in shape:
        return None
    runs: list[tuple[int, int]] = []
    for size, stride in zip(view.sizes, view.strides, strict=True):
        if runs and runs[-1][1] == size * stride:
            runs[-1] = (runs[-1][0] * size, stride)
        elif size > 1:
            runs.append((size, stride))
    strides: list[int] = []
    left, stride = 1, 1
    for size in reversed(shape):
        if size > 1 and left == 1:
            left, stride = runs.pop()
        if left % size:
            return None
        strides.append(stride)
        left, stride = left // size, stride * size
    return view._replace(sizes=shape, strides=tuple(reversed(strides)))


def _expanded(view: View, op: ir.Operation) -> View:
    shape = tensor_type(op.result.type).shape
    added = len(shape) - len(view.sizes)
    kept = [stride if size == wanted else 0 for size, stride, wanted in zip(view.sizes, view.strides, shape[added:], strict=True)]
    return view._replace(sizes=shape, strides=(*(0,) * added, *kept))


_STEPS = {"lazy.permute": _permuted, "lazy.reshape": _reshaped, "lazy.slice": _sliced, "lazy.expand": _expanded}
