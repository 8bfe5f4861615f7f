"""`lazy.dot` as products of strided matrices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from math import prod
from typing import NamedTuple

from lazymlir.dialect import OPS, read_attributes, tensor_type
from lazymlir.mlir import ir

from .call import TYPES, Call, Result
from .views import View, row_major, seen, whole

__all__ = ["TARGET", "contraction", "work"]

TARGET = "lazymlir_matmul"


class _Axis(NamedTuple):
    """A dimension of the result, of `x` and of `y`: its size, and its stride in each, 0 where a tensor does not have it."""

    size: int
    strides: tuple[int, int, int]

    def joins(self, inner: _Axis) -> bool:
        """Whether this dimension and the one inside of it are one in all three."""
        return self.strides == tuple(inner.size * stride for stride in inner.strides)


_ONE = _Axis(1, (0, 0, 0))


def work(op: ir.Operation) -> int:
    """How many products are summed."""
    summed: tuple[int, ...] = read_attributes(OPS["dot"], op)["x_contract"]
    return tensor_type(op.result.type).size * prod(tensor_type(op.operands[0].type).shape[dim] for dim in summed)


def contraction(op: ir.Operation) -> Call | None:
    """The call that computes a `lazy.dot`; None where no strides say what it reads. Operands are read where they are seen, if that
    can be, else where they stand; the result is written as it is read, or as it is."""
    given = read_attributes(OPS["dot"], op)
    results = dict.fromkeys((Result.of(op), Result.in_order(op)))
    xs, ys = (dict.fromkeys((seen(operand), whole(operand))) for operand in op.operands)
    for result, x, y in product(results, xs, ys):
        numbers = _numbers(given, result.view, x, y)
        if numbers is not None:
            return Call(TARGET, (x, y), (TYPES[tensor_type(op.result.type).dtype], *numbers), result)
    return None


def _numbers(given: dict[str, tuple[int, ...]], result: View, x: View, y: View) -> tuple[int, ...] | None:
    """An outermost size; then of the result, `x` and `y` the outermost stride, the offset, and the sizes and strides of
    [batch, rows, columns]."""
    batch, rows, columns, summed = (_joined(axes) for axes in _axes(given, result, x, y))
    if len(batch) > 2 or max(len(rows), len(columns), len(summed)) > 1:
        return None
    outermost, batches = [*[_ONE] * (2 - len(batch)), *batch]
    (row,), (column,), (inner,) = (axes or [_ONE] for axes in (rows, columns, summed))
    numbers = [outermost.size]
    for i, (view, down, right) in enumerate(((result, row, column), (x, row, inner), (y, inner, column))):
        matrix = _matrix(down.size, down.strides[i], right.size, right.strides[i])
        if matrix is None:
            return None
        sizes, strides = (batches.size, down.size, right.size), (batches.strides[i], *matrix)
        if view is result and batches.size > 1 and not _is_row_major(sizes, strides):
            return None  # torch would write the batches one by one
        numbers += [outermost.strides[i], view.offset, *sizes, *strides]
    return tuple(numbers)


def _is_row_major(sizes: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    return all(size == 1 or stride == wanted for size, stride, wanted in zip(sizes, strides, row_major(sizes), strict=True))


def _axes(given: dict[str, tuple[int, ...]], result: View, x: View, y: View) -> Iterator[list[_Axis]]:
    """The dimensions of the batch, of `x` alone, of `y` alone, and those summed over. The result has them in this order."""
    places = iter(result.strides)
    x_batch, y_batch, x_sum, y_sum = (given[name] for name in ("x_batch", "y_batch", "x_contract", "y_contract"))
    yield [_Axis(x.sizes[i], (next(places), x.strides[i], y.strides[j])) for i, j in zip(x_batch, y_batch, strict=True)]
    yield [_Axis(size, (next(places), x.strides[dim], 0)) for dim, size in enumerate(x.sizes) if dim not in (*x_batch, *x_sum)]
    yield [_Axis(size, (next(places), 0, y.strides[dim])) for dim, size in enumerate(y.sizes) if dim not in (*y_batch, *y_sum)]
    yield [_Axis(x.sizes[i], (0, x.strides[i], y.strides[j])) for i, j in zip(x_sum, y_sum, strict=True)]


def _joined(axes: Iterable[_Axis]) -> list[_Axis]:
    """The same dimensions as few as possible, the outermost first."""
    joined: list[_Axis] = []
    for axis in sorted((axis for axis in axes if axis.size > 1), key=lambda axis: axis.strides, reverse=True):
        if joined and joined[-1].joins(axis):
            joined[-1] = _Axis(joined[-1].size * axis.size, axis.strides)
        else:
            joined.append(axis)
    return joined


def _matrix(rows: int, down: int, columns: int, right: int) -> tuple[int, int] | None:
    """The strides of a matrix that BLAS can read: one of them is 1, the other one at least as long as what is between."""
    if columns == 1:
        right = 1 if down != 1 or rows == 1 else rows
    if rows == 1:
        down = columns if right == 1 else 1
    fits = (right == 1 and down >= columns) or (down == 1 and right >= rows)
    return (down, right) if fits else None
