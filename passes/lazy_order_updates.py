"""Lets what overwrites an argument wait for those that read it, so that XLA needs no copy of it.

    func.func @f(%w: tensor<8x8xf32> {lazy.dies, lazy.donated = 0 : i64}, %x: tensor<8x8xf32>, %g: tensor<8x8xf32>) -> ... {
      %0 = "lazy.dot"(%x, %w) ...
      %1 = "lazy.sub"(%w, %g) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
      return %1, %0
becomes
      %0 = "lazy.dot"(%x, %w) ...
      %2 = "lazy.after"(%w, %0) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
      %1 = "lazy.sub"(%2, %g) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
      return %1, %0

A parameter is read by the backward pass and updated in its own memory. No value that the update needs comes from the last of
these reads, so XLA has to take it that the update may come first, and copies the parameter. Only arguments of at least
`minimum-bytes` that are donated, and only where everything that reads them stands before the update. Never changes a result.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from lazymlir.dialect import tensor_type
from lazymlir.dialect.attributes import INT
from lazymlir.dialect.control import uses_in
from lazymlir.mlir import ir

from .base import Pass, functions, register
from .lazy_donate import DONATED, argument_attributes
from .rewrite import body, builder_before, node_of

__all__ = ["LazyOrderUpdates"]

VIEWS = frozenset({"lazy.permute", "lazy.reshape", "lazy.expand", "lazy.slice"})
"""What reads these reads what they are views of."""

MOST = 1 << 12
"""In a function with more reads of donated arguments, nothing is ordered: finding out who needs whom takes their product."""


@register
@dataclass(frozen=True)
class LazyOrderUpdates(Pass):
    """Let what overwrites an argument wait for those that read it."""

    name = "lazy-order-updates"

    minimum_bytes: int = 1 << 14

    def run(self, module: ir.Module) -> dict[str, int]:
        return {"updates ordered": sum(self._order(function) for function in functions(module))}

    def _order(self, function: ir.Operation) -> int:
        donated = {argument: result for argument, result in _donated(function) if tensor_type(argument.type).nbytes >= self.minimum_bytes}
        if not donated:
            return 0
        reads, needed = _reads(function, donated)
        return sum(_order(argument, found, needed[donated[argument]]) for argument, found in reads.items())


def _donated(function: ir.Operation) -> Iterator[tuple[ir.Value, int]]:
    """The donated arguments, each with the number of the result that takes its memory."""
    for argument, entries in zip(function.regions[0].blocks[0].arguments, argument_attributes(function), strict=False):
        if DONATED in entries:
            yield argument, INT.read(entries[DONATED])


class _Read(NamedTuple):
    """An operation that reads an argument, maybe through views; its bit, and those of all reads that it needs, itself included."""

    op: ir.Operation
    bit: int
    needs: int


def _reads(function: ir.Operation, arguments: Collection[ir.Value]) -> tuple[dict[ir.Value, list[_Read]], Sequence[int]]:
    """The reads of each argument that is no result, in order; for each result of the function, the bits of the reads that it
    needs."""
    *operations, terminator = body(function)
    found: dict[ir.Value, list[_Read]] = {argument: [] for argument in arguments}
    shown = {argument: argument for argument in arguments}
    needed: dict[ir.Value, int] = {}
    bit = 1
    for op in operations:
        operands = [*op.operands, *(inner.operands[place] for region in op.regions for inner, place in uses_in(region))]
        needs = 0
        for operand in operands:
            needs |= needed.get(operand, 0)
        read = {shown[operand] for operand in operands if operand in shown}
        if read and op.name in VIEWS:
            shown[op.result] = read.pop()
        elif read:
            needs |= bit
            for argument in read:
                found[argument].append(_Read(op, bit, needs))
            bit <<= 1
        if needs:
            needed.update(dict.fromkeys(op.results, needs))
    for value in terminator.operands:
        found.pop(shown.get(value, value), None)
    return found if bit.bit_length() <= MOST else {}, [needed.get(value, 0) for value in terminator.operands]


def _order(argument: ir.Value, reads: Sequence[_Read], needed: int) -> bool:
    """Makes the reads that the update needs wait for all others, where those come first; whether it did."""
    others = [read for read in reads if not read.bit & needed]
    if not others:
        return False
    late = [read for read in reads[reads.index(others[-1]) :] if read.bit & needed]
    if not late or not all(argument in [*read.op.operands] for read in late):
        return False
    b, waiting = builder_before(late[0].op), node_of(argument)
    for last in others:
        if not any(last.bit & other.needs for other in others if other is not last):
            waiting = b.after(waiting, node_of(last.op.results[0]))
    for read in late:
        for place, operand in enumerate(read.op.operands):
            if operand == argument:
                read.op.operands[place] = waiting.value
    return True
