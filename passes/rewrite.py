"""What the passes share: walking a function's operations, and replacing one by newly built ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lazymlir.dialect import OPS, Builder, Node, tensor_type
from lazymlir.dialect.control import operations_in
from lazymlir.mlir import ir

__all__ = ["body", "builder_before", "everything", "named", "node_of", "nodes", "only_user", "replace"]


def body(function: ir.Operation) -> Iterator[ir.Operation]:
    """The operations of a function's only block, as they were when the walk began."""
    yield from [op.operation for op in function.regions[0].blocks[0].operations]


def everything(function: ir.Operation) -> list[ir.Operation]:
    """The operations of a function as they are now, those in regions of others before these."""
    return operations_in(function.regions[0])


def builder_before(op: ir.Operation) -> Builder:
    """A builder that puts its operations before `op`, at its location."""
    return Builder(ir.InsertionPoint(op), op.location)


def named(group: str) -> frozenset[str]:
    """The full names of the operations of a group ("pointwise")."""
    return frozenset(f"lazy.{name}" for name, op in OPS.items() if group in op.groups)


def node_of(value: ir.Value) -> Node:
    return Node(value, tensor_type(value.type))


def nodes(op: ir.Operation) -> list[Node]:
    """The operands of `op`."""
    return [node_of(value) for value in op.operands]


def only_user(value: ir.Value) -> ir.Operation | None:
    """The operation that alone uses a value, once."""
    first, second = (next(uses, None) for uses in [iter(value.uses)] * 2)
    return first.owner.operation if first is not None and second is None else None


def replace(op: ir.Operation, results: Sequence[ir.Value]) -> None:
    """Makes every user of `op` use `results` instead, and erases it."""
    for old, new in zip(op.results, results, strict=True):
        old.replace_all_uses_with(new)
    op.erase()
