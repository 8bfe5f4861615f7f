"""Places barriers where XLA's CPU compiler would compute a tensor again for each that reads it.

    %1 = "lazy.mul"(%0, %s) : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    %2 = "lazy.permute"(%1) {dims = array<i64: 1, 0>} ...
    %3 = "lazy.dot"(%2, %w) ...
becomes
    %1 = "lazy.mul"(%0, %s) : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    %4 = "lazy.optimization_barrier"(%1) : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    %2 = "lazy.permute"(%4) {dims = array<i64: 1, 0>} ...
    %3 = "lazy.dot"(%2, %w) ...

XLA:CPU fuses pointwise operations into whatever reads them, and computes them again in each. A tensor of at least
`minimum-elements` that a pointwise operation makes is kept from that

- if a contraction or convolution reads it, maybe through permutations, reshapes, expansions and casts, and to compute an
  element takes `heavy-work` operations: else the whole chain that made it is computed inside of a transposing copy;
- if it has several users, the function's results among them, and an element takes `shared-work`: else chains grow with the
  depth of a residual network, and the time to compile them with its square;
- if an operand of it is expanded, and several reductions read it or a product of it, as batch and layer normalization do with what is
  left after the mean: XLA's fast reductions take products of whole tensors, but no expansions, so else each of them gets a copy.

Operations are counted from the last tensor that is kept anyway; one that takes long counts as `SLOW`. What is cheaper is left
to XLA: to read an optimizer's gradient and parameter twice costs less than to write what both give.

Only for the function's own operations: XLA's CPU compiler has no code for barriers in small loops. Never changes a result but
by the order in which XLA rounds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from lazymlir.dialect import tensor_type
from lazymlir.logs import log
from lazymlir.mlir import ir

from .base import Pass, functions, register
from .rewrite import body, builder_before, named, node_of

__all__ = ["LazyPlaceBarriers"]

HEAVY = frozenset({"lazy.dot", "lazy.convolution"})

REDUCTIONS = frozenset({"lazy.sum", "lazy.amax", "lazy.amin"})

VIEWS = frozenset({"lazy.permute", "lazy.reshape", "lazy.expand", "lazy.cast"})
"""What heavy operations' operands are looked through."""

POINTWISE = named("pointwise") - VIEWS

_CHEAP = "abs neg sign add sub mul maximum minimum where eq ne lt le gt ge bitwise_and bitwise_or bitwise_xor bitwise_not is_finite"
CHEAP = frozenset(f"lazy.{name}" for name in _CHEAP.split())
"""Pointwise operations of one instruction or two."""

SLOW = 8
"""What one of the others counts as."""

MOST = 1 << 20
"""Counted no farther."""


@register
@dataclass(frozen=True)
class LazyPlaceBarriers(Pass):
    """Place barriers where XLA's CPU compiler would compute a tensor again for each reader."""

    name = "lazy-place-barriers"

    minimum_elements: int = 8192
    heavy_work: int = 8
    shared_work: int = 24

    def run(self, module: ir.Module) -> dict[str, int]:
        return {"barriers placed": sum(self._place(function) for function in functions(module))}

    def _place(self, function: ir.Operation) -> int:
        operations = list(body(function))
        heavy, reduced = _read_by_heavy(operations), _read_by_reductions(operations)
        work: dict[ir.Value, int] = {}
        """How many operations an element of each value takes."""
        placed = 0
        for op, following in pairwise(operations):
            if op.name in VIEWS:
                work[op.result] = work.get(op.operands[0], 0)
            elif op.name in POINTWISE:
                value = op.result
                takes = sum(work.get(operand, 0) for operand in {*op.operands}) + (1 if op.name in CHEAP else SLOW)
                expanded = any(not isinstance(operand.owner, ir.Block) and operand.owner.name == "lazy.expand" for operand in op.operands)
                why = self._why(value, min(takes, MOST), value in heavy, expanded and reduced[value] > 1)
                if why:
                    log("passes", 2, "%s: a barrier keeps %s, which takes %d operations: %s", op.location, value.type, takes, why)
                    _put_barrier(value, following)
                    placed += 1
                work[value] = 0 if why else min(takes, MOST)
        return placed

    def _why(self, value: ir.Value, work: int, heavy: bool, reduced: bool) -> str | None:
        """Why a barrier is to keep a value; None where none is."""
        cheap = work < min(self.heavy_work, self.shared_work) and not reduced
        if cheap or tensor_type(value.type).size < self.minimum_elements:
            return None
        if heavy and work >= self.heavy_work:
            return "a contraction or convolution reads it"
        if reduced:
            return "several reductions read it"
        return "several operations read it" if work >= self.shared_work and _has_several_users(value) else None


def _read_by_reductions(operations: Sequence[ir.Operation]) -> Counter[ir.Value]:
    """How many reductions read a value, or what one pointwise operation makes of it."""
    found: Counter[ir.Value] = Counter()
    for op in operations:
        if op.name in REDUCTIONS:
            value = op.operands[0]
            made = not isinstance(value.owner, ir.Block) and value.owner.name in POINTWISE
            found.update({value, *(value.owner.operands if made else ())})
    return found


def _read_by_heavy(operations: Sequence[ir.Operation]) -> set[ir.Value]:
    """What heavy operations read, and what that is a view of."""
    viewed: dict[ir.Value, ir.Value] = {}
    found: set[ir.Value] = set()
    for op in operations:
        if op.name in VIEWS:
            viewed[op.result] = op.operands[0]
        elif op.name in HEAVY:
            for operand in op.operands:
                while operand in viewed:
                    operand = viewed[operand]
                found.add(operand)
    return found


def _has_several_users(value: ir.Value) -> bool:
    uses = iter(value.uses)
    first = next(uses, None)
    return first is not None and any(use.owner != first.owner for use in uses)


def _put_barrier(value: ir.Value, before: ir.Operation) -> None:
    barrier = builder_before(before).optimization_barrier(node_of(value))
    value.replace_all_uses_except(barrier.value, barrier.value.owner.operation)
