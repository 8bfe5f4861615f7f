"""Products of matrices in groups, as mixtures of experts use them: group g is the rows (or columns) from offset g - 1 to
offset g. Each product is one over all groups, of what the other groups hold as zeros."""

from __future__ import annotations

from typing import Any

from lazymlir.dialect import Builder, Node, TensorType

from ..registry import aten
from .matmul import contract, matrix_product

__all__: list[str] = []


def _members(b: Builder, offsets: Node, size: int, dtype: str) -> Node:
    """[groups, size]: 1 where a row belongs to a group, else 0."""
    groups = offsets.shape[0]
    shape = TensorType((groups, size), offsets.dtype)
    row = b.iota(dim=1, result=shape)
    end = b.expand(b.reshape(offsets, (groups, 1)), shape.shape)
    zero = b.constant(0, TensorType((1,), offsets.dtype))
    begin = b.expand(b.reshape(b.cat(zero, b.static_slice(offsets, 0, 0, groups - 1), dim=0), (groups, 1)), shape.shape)
    return b.cast(b.bitwise_and(b.ge(row, begin), b.lt(row, end)), dtype)


@aten("_grouped_mm")
def grouped_mm(b: Builder, out: TensorType, x: Node, y: Node, offs: Node | None = None, bias: Node | None = None, out_dtype: Any = None) -> Node:
    if offs is None:
        return b.cast(matrix_product(b, x, y), out.dtype)
    groups = offs.shape[0]
    if x.rank == 2 and y.rank == 2:  # the groups are parts of what is summed: one product each
        members = b.expand(b.reshape(_members(b, offs, x.shape[1], x.dtype), (groups, 1, x.shape[1])), (groups, *x.shape))
        return b.cast(contract(b, b.mul(b.expand(x, members.shape), members), y, (2,), (0,)), out.dtype)
    if x.rank == 2:
        rows, depth = x.shape
        members = b.permute(_members(b, offs, rows, x.dtype), (1, 0))
        apart = b.mul(
            b.expand(b.reshape(members, (rows, groups, 1)), (rows, groups, depth)), b.expand(b.reshape(x, (rows, 1, depth)), (rows, groups, depth))
        )
        return b.cast(contract(b, apart, y, (1, 2), (0, 1)), out.dtype)
    columns, depth = y.shape[1], y.shape[0]
    members = b.expand(b.reshape(_members(b, offs, columns, y.dtype), (groups, 1, columns)), (groups, depth, columns))
    return b.cast(contract(b, x, b.mul(b.expand(y, members.shape), members), (0, 2), (0, 1)), out.dtype)
