"""Writes loops: `stablehlo.while` with the operations of one iteration in its body, in place of all iterations.

The state of a loop is its counter, registers and buffers. A *register* holds what an iteration leaves to the next, or to the
`distance`th next by way of as many registers; a *buffer* collects a result of each iteration for those who read it after the
loop. What varies is read from a *stack*: a buffer of another loop, or values joined before the loop.

Loops stand in loops. A scope stands for the operations of one iteration of its loop (or for the function), and all numbers in
it are those of the very first iteration: an operand of that iteration says where the operand of any other comes from.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Iterator
from collections.abc import Sequence as Items
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from lazymlir.dialect import Builder, Node, TensorType, clone, control, tensor_type
from lazymlir.dialect.attributes import INT, STRING
from lazymlir.mlir import ir

from ..rewrite import node_of
from .proof import INNER, INVARIANT, VARYING, Loop, read_afterwards, viewed_in
from .sequence import Sequence

__all__ = ["write_loops"]

INDEX = TensorType((), "i64")


def write_loops(sequence: Sequence, loops: Items[Loop]) -> None:
    """Replaces the operations of `loops`, which are in order and apart from each other."""
    _Function(sequence, loops).write()


class _Chain(NamedTuple):
    """Registers in a row: result `result` of the iteration `distance` before is in the last of them."""

    result: int
    distance: int
    initial: tuple[ir.Value, ...]
    """What the first iterations read instead, in order."""

    def holds(self, other: _Chain) -> bool:
        """Whether what `other` is for can be read here, from a register on the way."""
        return self.result == other.result and self.initial[self.distance - other.distance :] == other.initial


class _Stack(NamedTuple):
    """In iteration i stands element `first + i * step` of `values`, as operations that are views look at it, the last one first."""

    values: Node
    first: int
    step: int
    views: tuple[int, ...] = ()


@dataclass
class _Written:
    """A loop that stands: its results by result of an iteration."""

    last: dict[int, Node]
    buffers: dict[int, Node]


class _Scope:
    """Where operations `start` to `end` are, once."""

    def __init__(self, sequence: Sequence, loops: Items[Loop], start: int, end: int, builder: Builder) -> None:
        self.sequence = sequence
        self.loops = loops
        self.start = start
        self.end = end
        self.b = builder
        self._starts = [loop.start for loop in loops]
        self._written: dict[int, _Written] = {}
        self._known: dict[int, Node] = {}
        self._stacks: dict[tuple[ir.Value | tuple[int, int, int], ...], _Stack] = {}

    # To be told by the kind of scope.

    def enclosing(self) -> list[_Body]:
        """The bodies of loops that this is in, the outermost first."""
        raise NotImplementedError

    def outer(self, edge: int) -> Node:
        """An operand that is made before `start`."""
        raise NotImplementedError

    # Reading.

    def read(self, edge: int) -> Node:
        """The operand of that number."""
        value = int(self.sequence.source[edge])
        return self.own(value) if value >= self.sequence.first_value[self.start] else self.outer(edge)

    def own(self, value: int) -> Node:
        """A value that is made here, maybe in a loop."""
        known = self._known.get(value)
        if known is None:
            viewed = self._viewed(value)
            known = self._known[value] = self._left(value) if viewed is None else self._view(self.read(viewed), int(self.sequence.maker[value]))
        return known

    def _viewed(self, value: int) -> int | None:
        """The operand that a value made here is a view of, if it is to be made again where it is read."""
        loop = self._loop_of(int(self.sequence.maker[value]))
        return self.sequence.viewed(value) if loop is None else viewed_in(self.sequence, loop, value)

    def _left(self, value: int) -> Node:
        """What a loop has left of a value."""
        loop, iteration, result = self._place(value)
        written = self._written[loop.start]
        if result in written.buffers:
            return self._element(_Stack(written.buffers[result], iteration, 0), None)
        return written.last[result]

    def _view(self, node: Node, op: int) -> Node:
        return node_of(clone(self.sequence.operations[op], self.b.point, [node.value]).results[0])

    def keep(self, value: int, node: Node) -> None:
        self._known[value] = node

    def _place(self, value: int) -> tuple[Loop, int, int]:
        """Which loop here makes a value, in which iteration, as which of its results."""
        op = int(self.sequence.maker[value])
        loop = self._loop_of(op)
        assert loop is not None
        iteration = (op - loop.start) // loop.period
        return loop, iteration, value - int(self.sequence.first_value[loop.start + iteration * loop.period])

    def _loop_of(self, op: int) -> Loop | None:
        i = bisect.bisect_right(self._starts, op) - 1
        return self.loops[i] if i >= 0 and op < self.loops[i].end else None

    def _element(self, stack: _Stack, index: Node | None) -> Node:
        """The element of a stack for an iteration; `index` is None where the stack does not step."""
        b, values = self.b, stack.values
        sizes = (1, *values.shape[1:])
        zeros = (0,) * (values.rank - 1)
        if index is None:
            piece = b.static_slice(values, 0, stack.first, 1)
        else:
            if stack.step != 1:
                index = b.neg(index)
            if stack.first:
                index = b.add(index, b.constant(stack.first, INDEX))
            piece = b.slice(values, index, starts=(-1, *zeros), sizes=sizes, steps=(1,) * values.rank)
        node = b.reshape(piece, values.shape[1:])
        for op in reversed(stack.views):
            node = self._view(node, op)
        return node

    # Stacks.

    def stack(self, edges: Items[int]) -> _Stack:
        """The operands of these numbers, one for each iteration of a loop in this scope. What they are views of is stacked."""
        views: list[int] = []
        while (viewed := self._all_viewed(edges)) is not None:
            views.append(int(self.sequence.maker[int(self.sequence.source[edges[0]])]))
            edges = viewed
        places = [self._buffered(edge) for edge in edges]
        sources = [self.read(edge).value if place is None else place for edge, place in zip(edges, places, strict=True)]
        key = tuple(sources)
        found = self._stacks.get(key)
        if found is None:
            found = self._stacks[key] = self._whole_buffer(places) or self._joined(sources, edges)
        return found._replace(views=tuple(views))

    def _all_viewed(self, edges: Items[int]) -> list[int] | None:
        """The operands that these are views of, where all are the same kind of view."""
        sequence, low = self.sequence, self.sequence.first_value[self.start]
        values = [int(sequence.source[edge]) for edge in edges]
        viewed = [self._viewed(value) if value >= low else None for value in values]
        found = [edge for edge in viewed if edge is not None]
        if len(found) < len(edges) or len({int(sequence.tokens[sequence.maker[value]]) for value in values}) > 1:
            return None
        types = {int(sequence.type_of[sequence.source[edge]]) for edge in found}
        return found if len(types) == 1 else None

    def _buffered(self, edge: int) -> tuple[int, int, int] | None:
        """Loop, result and iteration of an operand that stands in a buffer of this scope."""
        value = int(self.sequence.source[edge])
        if value < self.sequence.first_value[self.start] or self._loop_of(int(self.sequence.maker[value])) is None:
            return None
        loop, iteration, result = self._place(value)
        return (loop.start, result, iteration) if result in self._written[loop.start].buffers else None

    def _whole_buffer(self, places: Items[tuple[int, int, int] | None]) -> _Stack | None:
        """Where all stand in one buffer, one after the other."""
        first = places[0]
        if first is None or any(place is None or place[:2] != first[:2] for place in places):
            return None
        iterations = [place[2] for place in places if place is not None]
        step = iterations[1] - iterations[0]
        if step not in (1, -1) or any(b - a != step for a, b in pairwise(iterations)):
            return None
        return _Stack(self._written[first[0]].buffers[first[1]], iterations[0], step)

    def _joined(self, sources: Items[ir.Value | tuple[int, int, int]], edges: Items[int]) -> _Stack:
        """Joins single values and stretches of buffers: backwards, where buffers are read backwards."""
        steps = [b[2] - a[2] for a, b in pairwise(sources) if isinstance(a, tuple) and isinstance(b, tuple) and a[:2] == b[:2]]
        backwards = sum(steps) < 0
        order = range(len(sources) - 1, -1, -1) if backwards else range(len(sources))
        parts: list[Node] = []
        run: list[tuple[int, int, int]] = []

        def end_run() -> None:
            if run:
                loop, result, first = run[0]
                parts.append(self.b.static_slice(self._written[loop].buffers[result], 0, first, len(run)))
                run.clear()

        for t in order:
            source = sources[t]
            if isinstance(source, tuple):
                if run and (source[:2] != run[-1][:2] or source[2] != run[-1][2] + 1):
                    end_run()
                run.append(source)
                continue
            end_run()
            node = self.read(edges[t])
            parts.append(self.b.reshape(node, (1, *node.shape)))
        end_run()
        values = self.b.join(parts, 0)
        return _Stack(values, len(sources) - 1, -1) if backwards else _Stack(values, 0, 1)

    # Writing.

    def write_all(self) -> None:
        op = self.start
        for loop in self.loops:
            self.write_operations(op, loop.start)
            self._write_loop(loop)
            op = loop.end
        self.write_operations(op, self.end)

    def write_operations(self, start: int, end: int) -> None:
        raise NotImplementedError

    def move_to(self, op: int) -> None:
        """What is written next stands before this operation, in the function."""

    def _write_loop(self, loop: Loop) -> None:
        sequence = self.sequence
        self.move_to(loop.start)
        self.b.loc = sequence.operations[loop.start].location
        b = self.b
        body = _Body(self, loop)
        needed = read_afterwards(sequence, loop, _offsets(self.enclosing()))
        collected = sorted(result for result, iterations in needed.items() if iterations != {loop.count - 1})
        chains = _without_held(body.chains.values())
        for result in sorted(needed.keys() - set(collected) - {chain.result for chain in chains}):
            chains.append(_Chain(result, 1, (b.constant(0, body.type_of(result)).value,)))
        types = [body.type_of(result) for result in collected]
        buffers = [b.constant(0, type_.with_shape((loop.count, *type_.shape))) for type_ in types]
        count = b.constant(loop.count, INDEX) if collected or body.stacks else b.count(value=loop.count)
        initial = [b.constant(0, INDEX), *(node_of(value) for chain in chains for value in chain.initial[::-1]), *buffers]
        _, *after = control.loop(b, initial, lambda inner, state: inner.lt(state[0], count), body.step(count, chains, collected))
        last: dict[int, Node] = {}
        for chain in chains:
            last.setdefault(chain.result, after[0])
            after = after[chain.distance :]
        self._written[loop.start] = _Written(last, dict(zip(collected, after, strict=True)))


class _Function(_Scope):
    """The function: its operations stay where they are, and read loops instead of what is erased."""

    def __init__(self, sequence: Sequence, loops: Items[Loop]) -> None:
        builder = Builder(ir.InsertionPoint(sequence.operations[0]), ir.Location.unknown())
        super().__init__(sequence, loops, 0, len(sequence), builder)

    def write(self) -> None:
        self.write_all()
        for loop in reversed(self.loops):
            for op in reversed(self.sequence.operations[loop.start : loop.end]):
                op.erase()

    def enclosing(self) -> list[_Body]:
        return []

    def outer(self, edge: int) -> Node:
        return node_of(self.sequence.value(int(self.sequence.source[edge])))

    def own(self, value: int) -> Node:
        if self._loop_of(int(self.sequence.maker[value])) is None:
            return node_of(self.sequence.value(value))
        return super().own(value)

    def move_to(self, op: int) -> None:
        self.b.point = ir.InsertionPoint(self.sequence.operations[op])

    def write_operations(self, start: int, end: int) -> None:
        sequence = self.sequence
        if not self._written or start == end:
            return
        begin = int(sequence.first_edge[start])
        sources = sequence.source[begin : sequence.first_edge[end]]
        makers = np.where(sources >= 0, sequence.maker[np.maximum(sources, 0)], -1)
        rolled = np.zeros(len(sequence) + 1, bool)
        for loop in self.loops:
            rolled[loop.start : loop.end] = True
        for edge in (np.flatnonzero(rolled[makers]) + begin).tolist():
            op = int(np.searchsorted(sequence.first_edge, edge, side="right")) - 1
            self.move_to(op)
            self.b.loc = sequence.operations[op].location
            sequence.redirect(op, edge, self.read(edge).value)


class _Body(_Scope):
    """One iteration of a loop. Made before the loop stands: what it needs from around it is written in the scope around."""

    def __init__(self, parent: _Scope, loop: Loop) -> None:
        builder = Builder(parent.b.point, parent.b.loc)
        super().__init__(parent.sequence, loop.inside, loop.start, loop.start + loop.period, builder)
        self.parent = parent
        self.loop = loop
        self.index: Node
        self.count: Node
        self.chains: dict[int, _Chain] = {}
        self.stacks: dict[int, _Stack] = {}
        self._invariant: dict[int, Node] = {}
        self._varying: dict[int, Node] = {}
        self._registers: dict[_Chain, Items[Node]] = {}
        sequence = self.sequence
        begin = int(sequence.first_edge[loop.start])
        width = int(sequence.first_edge[loop.start + loop.period]) - begin
        per_iteration = int(sequence.first_value[loop.start + loop.period] - sequence.first_value[loop.start])
        base = int(sequence.first_value[loop.start])
        for edge in _live_edges(sequence, loop):
            column = edge - begin
            kind = int(loop.kinds[column])
            if kind == INNER:
                continue
            if kind == INVARIANT:
                self._invariant[edge] = parent.read(edge)
            elif kind == VARYING:
                self.stacks[edge] = parent.stack([edge + t * width for t in range(loop.count)])
            else:
                result = int(loop.sources[-1, column]) - base - (loop.count - 1 - kind) * per_iteration
                initial = tuple(parent.read(edge + t * width).value for t in range(kind))
                self.chains[edge] = _Chain(result, kind, initial)

    def enclosing(self) -> list[_Body]:
        return [*self.parent.enclosing(), self]

    def outer(self, edge: int) -> Node:
        if edge in self._invariant:
            return self._invariant[edge]
        if edge in self.chains:
            wanted = self.chains[edge]
            return next(registers for chain, registers in self._registers.items() if chain.holds(wanted))[wanted.distance - 1]
        if edge not in self._varying:
            self._varying[edge] = self._element(self.stacks[edge], self.index)
        return self._varying[edge]

    def type_of(self, result: int) -> TensorType:
        """The type of a result of an iteration."""
        return tensor_type(self.sequence.values[int(self.sequence.first_value[self.start]) + result].type)

    def step(self, count: Node, chains: Items[_Chain], collected: Items[int]) -> control.Step:
        """One iteration: the counter, registers and buffers after it."""
        base = int(self.sequence.first_value[self.start])

        def write(b: Builder, state: Items[Node]) -> list[Node]:
            self.b, self.count, self.index = b, count, state[0]
            rest = state[1:]
            for chain in chains:
                self._registers[chain] = rest[: chain.distance]
                rest = rest[chain.distance :]
            self.write_all()
            after = [b.add(self.index, b.constant(1, INDEX))]
            for chain in chains:
                after += [self.own(base + chain.result), *self._registers[chain][:-1]]
            for result, buffer in zip(collected, rest, strict=True):
                made = self.own(base + result)
                starts = (-1, *(0 for _ in made.shape))
                after.append(b.update_slice(buffer, b.reshape(made, (1, *made.shape)), self.index, starts=starts))
            return after

        return write

    def write_operations(self, start: int, end: int) -> None:
        sequence = self.sequence
        for number in range(start, end):
            op = sequence.operations[number]
            self.b.loc = op.location
            first_value = int(sequence.first_value[number])
            if op.name == "lazy.scalar":
                self.keep(first_value, self._number(number))
                continue
            operands = [self.read(edge).value for edge in range(int(sequence.first_edge[number]), int(sequence.first_edge[number + 1]))]
            for i, value in enumerate(clone(op, self.b.point, operands).results):
                self.keep(first_value + i, node_of(value))

    def _number(self, number: int) -> Node:
        """A number of the host that may be another in each iteration."""
        bodies = self.enclosing()
        index = bodies[0].index
        for body in bodies[1:]:
            index = self.b.add(self.b.mul(index, body.count), body.index)
        operations = [self.sequence.operations[number + offset] for offset in _offsets(bodies)]
        slots = tuple(INT.read(op.attributes["slot"]) for op in operations)
        return self.b.table(index, slots=slots, kind=STRING.read(operations[0].attributes["kind"]))


def _offsets(bodies: Items[_Body]) -> list[int]:
    """Where an operation of the first iterations stands in all of them, from where it is."""
    offsets = [0]
    for body in bodies:
        offsets = [offset + t * body.loop.period for offset in offsets for t in range(body.loop.count)]
    return offsets


def _live_edges(sequence: Sequence, loop: Loop) -> Iterator[int]:
    """The operands of the first iteration that have to be read to write it, those of loops in it included."""
    op = loop.start
    for inner in loop.inside:
        yield from range(int(sequence.first_edge[op]), int(sequence.first_edge[inner.start]))
        begin = int(sequence.first_edge[inner.start])
        width = int(sequence.first_edge[inner.start + inner.period]) - begin
        for edge in _live_edges(sequence, inner):
            kind = int(inner.kinds[edge - begin])
            iterations = inner.count if kind == VARYING else 1 if kind in (INNER, INVARIANT) else kind
            if kind != INNER:
                yield from range(edge, edge + iterations * width, width)
        op = inner.end
    yield from range(int(sequence.first_edge[op]), int(sequence.first_edge[loop.start + loop.period]))


def _without_held(chains: Iterable[_Chain]) -> list[_Chain]:
    """Those that no longer one, or an equal one before it, holds."""
    found: list[_Chain] = []
    for chain in sorted(chains, key=lambda chain: -chain.distance):
        if not any(other.holds(chain) for other in found):
            found.append(chain)
    return found
