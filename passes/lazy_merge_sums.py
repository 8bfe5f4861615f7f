"""Makes a sum of many small contractions one contraction over all that they sum.

    %2 = "lazy.dot"(%g0, %h0) {x_contract = array<i64: 0>, y_contract = array<i64: 0>, ...} ... -> tensor<1024x256xf32>
    %3 = "lazy.dot"(%g1, %h1) ...
    %4 = "lazy.add"(%2, %3) ...
    ...
becomes
    %5 = "lazy.cat"(%g0, %g1, ...) {dim = 0 : i64} : (tensor<32x1024xf32>, tensor<32x1024xf32>, ...) -> tensor<2048x1024xf32>
    %6 = "lazy.cat"(%h0, %h1, ...) {dim = 0 : i64} : (tensor<32x256xf32>, tensor<32x256xf32>, ...) -> tensor<2048x256xf32>
    %7 = "lazy.dot"(%5, %6) {x_contract = array<i64: 0>, y_contract = array<i64: 0>, ...} ... -> tensor<1024x256xf32>

The gradient of a weight that is used many times (at each place of a sequence, in each micro-batch) is such a sum. Each of its
terms is as large as the weight, and is written and read again to be added, where its operands may be far smaller. Sums of such
operands alone, which are gradients of biases, follow where their operands were put together anyway.

Only `minimum-terms` terms or more of one type, each of which holds twice as many elements as its operands, and only where those
together take `most-bytes` or less: they live until the last of them is there. Only the function's own operations. Changes the
order in which floats are added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import reduce
from typing import Any

from lazymlir.dialect import OPS, Builder, Node, read_attributes, tensor_type
from lazymlir.logs import log
from lazymlir.mlir import ir

from .base import Pass, functions, register
from .rewrite import body, builder_before, node_of, only_user

__all__ = ["LazyMergeSums"]

ADD, DOT, SUM, PERMUTE = "lazy.add", "lazy.dot", "lazy.sum", "lazy.permute"


@register
@dataclass(frozen=True)
class LazyMergeSums(Pass):
    """Make a sum of many small contractions one contraction."""

    name = "lazy-merge-sums"

    minimum_terms: int = 4
    most_bytes: int = 1 << 26

    def run(self, module: ir.Module) -> dict[str, int]:
        return {"contractions merged": sum(_Function(function, self).run() for function in functions(module))}


Additions = list[ir.Operation]
"""A sum: a tree of additions that is no part of another, its root last."""


def _terms(found: Additions) -> list[ir.Value]:
    """What a sum adds, as it is now: one of them may be another sum."""
    inside = {op.result for op in found}
    return [operand for op in found for operand in op.operands if operand not in inside]


class _Function:
    def __init__(self, function: ir.Operation, options: LazyMergeSums) -> None:
        self.function = function
        self.options = options
        self.joined: dict[tuple[int, tuple[ir.Value, ...]], Node] = {}
        """What was put together: along which dimension, and which values."""

    def run(self) -> int:
        count = sum(self._merge(found, DOT, self._contract) for found in _sums(body(self.function)))
        if self.joined:
            for found in _sums(body(self.function)):
                self._merge(found, SUM, self._sum)
        return count

    def _merge(self, found: Additions, name: str, merge: Callable[[list[ir.Operation], ir.Operation], Node | None]) -> int:
        """Merges the terms of a sum that are made by operations `name` with the same attributes and types; returns how many."""
        alike: dict[Any, list[ir.Operation]] = {}
        terms = _terms(found) if len(found) + 1 >= self.options.minimum_terms else []
        for term in terms:
            op = term.owner
            if not isinstance(op, ir.Block) and op.name == name and only_user(term) is not None:
                attributes = read_attributes(OPS[name.removeprefix("lazy.")], op)
                alike.setdefault((*attributes.items(), *(operand.type for operand in op.operands)), []).append(op)
        merged: list[Node] = []
        gone: list[ir.Operation] = []
        for operations in alike.values():
            made = merge(operations, found[-1]) if len(operations) >= self.options.minimum_terms else None
            if made is not None:
                merged.append(made)
                gone += operations
        if merged:
            lost = {op.result for op in gone}
            _replace(found, [*merged, *(node_of(term) for term in terms if term not in lost)])
            for op in gone:
                _erase(op)
        return len(gone)

    def _contract(self, dots: list[ir.Operation], root: ir.Operation) -> Node | None:
        """One contraction in place of several that are added; None where it does not pay."""
        first = dots[0]
        types = [tensor_type(operand.type) for operand in first.operands]
        if 2 * sum(t.size for t in types) > tensor_type(first.result.type).size or len(dots) * sum(t.nbytes for t in types) > self.options.most_bytes:
            return None
        attributes = read_attributes(OPS["dot"], first)
        if not attributes["x_contract"]:
            return None
        x, y = (self._join([dot.operands[i] for dot in dots], attributes[dims][0]) for i, dims in enumerate(("x_contract", "y_contract")))
        log("passes", 2, "%s: %d contractions to %s that are added become one", root.location, len(dots), first.result.type)
        return builder_before(root).dot(x, y, **attributes, result=tensor_type(first.result.type))

    def _sum(self, sums: list[ir.Operation], root: ir.Operation) -> Node | None:
        """One sum in place of several that are added, where what they sum was put together."""
        dims: tuple[int, ...] = read_attributes(OPS["sum"], sums[0])["dims"]
        parts = tuple(op.operands[0] for op in sums)
        joined = next((self.joined[dim, parts] for dim in dims if (dim, parts) in self.joined), None)
        return None if joined is None else builder_before(root).sum(joined, dims=dims)

    def _join(self, parts: list[ir.Value], dim: int) -> Node:
        """Values put together along a dimension, where the last of them is there. Permutations are done after it."""
        permuted = {read_attributes(OPS["permute"], part.owner)["dims"] if _is_permuted(part) else None for part in parts}
        dims = permuted.pop()
        if permuted or dims is None:
            return self._cat(parts, dim)
        joined = self._cat([part.owner.operands[0] for part in parts], dims[dim])
        return Builder(ir.InsertionPoint.after(joined.value.owner), joined.value.owner.location).permute(joined, dims)

    def _cat(self, parts: list[ir.Value], dim: int) -> Node:
        key = dim, tuple(parts)
        if key not in self.joined:
            made = [part.owner for part in parts if not isinstance(part.owner, ir.Block)]
            last = reduce(lambda one, other: other if one.is_before_in_block(other) else one, made) if made else None
            point = ir.InsertionPoint.at_block_begin(self.function.regions[0].blocks[0]) if last is None else ir.InsertionPoint.after(last)
            location = self.function.location if last is None else last.location
            self.joined[key] = Builder(point, location).cat(*map(node_of, parts), dim=dim)
        return self.joined[key]


def _sums(operations: Iterable[ir.Operation]) -> list[Additions]:
    """The sums among operations in order."""
    found: list[Additions] = []
    inner: dict[ir.Value, Additions] = {}
    for op in operations:
        if op.name == ADD:
            additions, others = (inner.pop(operand, None) or Additions() for operand in op.operands)
            additions += [*others, op]
            user = only_user(op.result)
            if user is not None and user.name == ADD:
                inner[op.result] = additions
            else:
                found.append(additions)
    return found


def _replace(found: Additions, terms: list[Node]) -> None:
    """Makes the sum one of these terms."""
    root = found[-1]
    b = builder_before(root)
    root.result.replace_all_uses_with(reduce(b.add, terms).value)
    for op in reversed(found):
        op.erase()


def _erase(op: ir.Operation) -> None:
    """Erases an operation, and permutations that only it read."""
    operands = [*op.operands]
    op.erase()
    for value in {*operands}:
        if _is_permuted(value) and next(iter(value.uses), None) is None:
            value.owner.erase()


def _is_permuted(value: ir.Value) -> bool:
    return not isinstance(value.owner, ir.Block) and value.owner.name == PERMUTE
