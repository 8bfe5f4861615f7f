"""Control flow: StableHLO's `if` and `while`, which stand in graphs beside the operations of the dialect.

The dialect has no such operations of its own, because IRDL's variadic operands are all of one type. What is in the regions
are operations of the dialect; they may use values from around.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from lazymlir.mlir import ir

from .builder import Builder, Node
from .types import TensorType

__all__ = ["conditional", "loop", "operations_in", "uses_in"]

Branch = Callable[[Builder], Sequence[Node]]
Condition = Callable[[Builder, Sequence[Node]], Node]
Step = Callable[[Builder, Sequence[Node]], Sequence[Node]]


def conditional(b: Builder, holds: Node, then: Branch, otherwise: Branch, results: Sequence[TensorType]) -> list[Node]:
    """What `then` returns where `holds` (0-dim, bool), else what `otherwise` does; both give nodes of the types `results`."""
    op = ir.Operation.create("stablehlo.if", [b.mlir_type(t) for t in results], [holds.value], {}, None, 2, b.loc, b.point)
    for region, branch in zip(op.regions, (then, otherwise), strict=True):
        inner = Builder(ir.InsertionPoint(ir.Block.create_at_start(region, [], [])), b.loc)
        _return(inner, branch(inner))
    return [Node(value, t) for value, t in zip(op.results, results, strict=True)]


def loop(b: Builder, initial: Sequence[Node], goes_on: Condition, step: Step) -> list[Node]:
    """State that begins as `initial` and goes on as `step` makes it, which keeps the types, while `goes_on` of it (0-dim,
    bool) holds."""
    types = [node.type for node in initial]
    mlir_types = [node.value.type for node in initial]
    op = ir.Operation.create("stablehlo.while", mlir_types, [node.value for node in initial], {}, None, 2, b.loc, b.point)
    blocks = [ir.Block.create_at_start(region, mlir_types, [b.loc] * len(initial)) for region in op.regions]
    asked, body = (Builder(ir.InsertionPoint(block), b.loc) for block in blocks)
    states = [[Node(value, t) for value, t in zip(block.arguments, types, strict=True)] for block in blocks]
    _return(asked, [goes_on(asked, states[0])])
    _return(body, step(body, states[1]))
    return [Node(value, t) for value, t in zip(op.results, types, strict=True)]


def operations_in(region: ir.Region) -> list[ir.Operation]:
    """The operations of a region as they are now, those in regions of others before these."""
    found: list[ir.Operation] = []
    for block in region.blocks:
        for op in block.operations:
            for inner in op.operation.regions:
                found += operations_in(inner)
            found.append(op.operation)
    return found


def uses_in(region: ir.Region) -> Iterator[tuple[ir.Operation, int]]:
    """Every operand in a region, by its operation and number: of values in it, and of values from around."""
    for op in operations_in(region):
        yield from ((op, number) for number in range(len(op.operands)))


def _return(b: Builder, nodes: Sequence[Node]) -> None:
    ir.Operation.create("stablehlo.return", [], [node.value for node in nodes], {}, None, 0, b.loc, b.point)
