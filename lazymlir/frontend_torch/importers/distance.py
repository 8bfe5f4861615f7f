"""Distances between all pairs of vectors, by a p-norm of their difference."""

from __future__ import annotations

from math import inf

from lazymlir.dialect import Builder, Node, TensorType

from ..registry import aten
from .common import full
from .formula import Term, absolute, is_nan, maximum, power, sqrt, where

BY_PRODUCT, DIRECT = 1, 2
"""How a Euclidean distance may be asked for: from the product of the matrices, or not; else torch's rule decides."""

MANY = 25
"""From more vectors than these on, torch computes Euclidean distances by a product."""


def _differences(b: Builder, x: Node, y: Node, batch: tuple[int, ...]) -> Term:
    """[batch, of x, of y, elements]."""
    shape = (*batch, x.shape[-2], y.shape[-2], x.shape[-1])
    left = b.expand(b.reshape(x, (*x.shape[:-1], 1, x.shape[-1])), shape)
    right = b.expand(b.reshape(y, (*y.shape[:-2], 1, *y.shape[-2:])), shape)
    return Term(b, left) - Term(b, right)


def _over_last(b: Builder, name: str, x: Term) -> Term:
    return Term(b, b.emit(name, (x.node,), {"dims": (x.node.rank - 1,)}))


def _norm(b: Builder, difference: Term, p: float) -> Term:
    size = absolute(difference)
    if p == 0:
        return _over_last(b, "sum", where(is_nan(size), size, size.differs(0).cast(size.dtype)))
    if p == inf:
        return _over_last(b, "amax", size)
    if p == 1:
        return _over_last(b, "sum", size)
    if p == 2:
        return sqrt(_over_last(b, "sum", difference * difference))
    return power(_over_last(b, "sum", power(size, float(p))), 1.0 / p)


def _slope(difference: Term, distance: Term, p: float) -> Term:
    """The derivative of the distance by the first vector's elements; 0 where both vectors are equal."""
    sign = difference.apply("sign")
    sign = where(is_nan(difference), difference, sign)
    if p == 1:
        return sign
    if p == inf:
        gap = absolute(absolute(difference) - distance)
        return sign * where(is_nan(gap), gap, gap.equals(0).cast(gap.dtype))
    if p == 2:
        slope = difference / distance
    elif p < 2:
        slope = sign * power(absolute(difference), p - 1) / power(distance, p - 1)
        slope = where(difference.equals(0), 0, slope) if p < 1 else slope
    else:
        slope = difference * power(absolute(difference), p - 2) / power(distance, p - 1)
    return where(distance.equals(0), 0, slope)


def _by_product(b: Builder, x: Node, y: Node, batch: tuple[int, ...]) -> Term:
    """|x - y|² as |x|² + |y|² - 2xy."""
    dims = tuple(range(len(batch)))
    left, right = (Term(b, b.expand(node, (*batch, *node.shape[-2:]))) for node in (x, y))
    squares = [_over_last(b, "sum", term * term).node for term in (left, right)]
    shape = (*batch, x.shape[-2], y.shape[-2])
    of_x, of_y = (
        Term(b, b.expand(b.reshape(square, (*batch, *sizes)), shape))
        for square, sizes in zip(squares, ((x.shape[-2], 1), (1, y.shape[-2])), strict=True)
    )
    contracted = (len(batch) + 1,)
    product = b.dot(left.node, right.node, x_batch=dims, y_batch=dims, x_contract=contracted, y_contract=contracted)
    return sqrt(maximum(of_x + of_y - Term(b, product) * 2, 0))


@aten("_cdist_forward", static=("p",))
def cdist_forward(b: Builder, out: TensorType, x: Node, y: Node, p: float, compute_mode: int | None = None) -> Node:
    if out.size == 0 or x.shape[-1] == 0:
        return full(b, 0, out)
    many = max(out.shape[-2:]) > MANY and compute_mode != DIRECT
    batch = out.shape[:-2]
    if p == 2 and (many or compute_mode == BY_PRODUCT):
        return _by_product(b, x, y, batch).node
    return _norm(b, _differences(b, x, y, batch), p).node


@aten("_cdist_backward", static=("p",))
def cdist_backward(b: Builder, out: TensorType, grad: Node, x: Node, y: Node, p: float, distance: Node) -> Node:
    if out.size == 0 or distance.type.size == 0 or p == 0:
        return full(b, 0, out)
    return _gradient(b, grad, x, y, p, distance)


def _gradient(b: Builder, grad: Node, x: Node, y: Node, p: float, distance: Node) -> Node:
    differences = _differences(b, x, y, distance.shape[:-2])
    shape = differences.node.shape
    incoming, reached = (Term(b, b.expand(b.reshape(node, (*node.shape, 1)), shape)) for node in (grad, distance))
    return b.sum((incoming * _slope(differences, reached, p)).node, dims=(len(shape) - 2,))


# The pairs i < j of the rows of one matrix, in a row: pair k of n rows is in the row i that begins at i * (2n - i - 1) / 2.


def _begin(row: Term, rows: int) -> Term:
    return row * (2 * rows - 1 - row) / 2


def _pairs(b: Builder, count: int, rows: int) -> tuple[Term, Term]:
    """The two rows of each pair: the root of a quadratic, corrected by at most 1."""
    pair = Term(b, b.iota(dim=0, result=TensorType((count,), "i64")))
    root = sqrt(float((2 * rows - 1) ** 2) - pair.cast("f64") * 8)
    first = maximum(((2 * rows - 1 - root) / 2).cast("i64"), 0)
    first = first - (_begin(first, rows) > pair).cast("i64")
    first = first + (_begin(first + 1, rows) <= pair).cast("i64")
    return first, pair - _begin(first, rows) + first + 1


@aten("_pdist_forward", static=("p",))
def pdist_forward(b: Builder, out: TensorType, x: Node, p: float = 2.0) -> Node:
    if out.size == 0 or x.shape[1] == 0:
        return full(b, 0, out)
    rows = x.shape[0]
    first, second = _pairs(b, out.size, rows)
    all_pairs = b.reshape(_norm(b, _differences(b, x, x, ()), p).node, (rows * rows,))
    return b.index(all_pairs, (first * rows + second).node, dims=(0,))


@aten("_pdist_backward", static=("p",))
def pdist_backward(b: Builder, out: TensorType, grad: Node, x: Node, p: float, distance: Node) -> Node:
    if out.size == 0 or distance.type.size == 0 or p == 0:
        return full(b, 0, out)
    rows = x.shape[0]
    square = TensorType((rows, rows), "i64")
    row, column = (Term(b, b.iota(dim=dim, result=square)) for dim in (0, 1))
    first, second = where(row < column, row, column), maximum(row, column)
    same = row.equals(column)
    pair = where(same, 0, _begin(first, rows) + second - first - 1)

    def spread(node: Node) -> Node:
        return where(same, 0, Term(b, b.index(node, pair.node, dims=(0,)))).node

    return _gradient(b, spread(grad), x, x, p, spread(distance))
