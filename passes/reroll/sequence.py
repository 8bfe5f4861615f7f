"""A function's operations as numbers, which is what repeats are found and proved in.

Values are numbered in the order in which they are made; arguments are -1, -2, .... Operations with equal tokens do the same to
their operands: they have the same name, attributes, number of operands and result types. Which number of the host's an
operation stands for (its slot) does not count: that may differ from iteration to iteration. An operation with regions is like
no other; what its regions use of the function's values are operands of it, after its own.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from lazymlir.dialect import OPS
from lazymlir.dialect.control import uses_in
from lazymlir.mlir import ir

__all__ = ["Array", "Flags", "Sequence"]

VIEWS = {"lazy.permute", "lazy.reshape", "lazy.expand"}
"""Operations that cost less to do again than to keep what they make."""

SINGLE = {f"lazy.{name}" for name, op in OPS.items() if len(op.results) == 1}

Array = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


class Sequence:
    """The operations of a function's only block, its terminator last.

    `tokens[i]` of each operation; `first_value[i]` is the number of its first result, `first_edge[i]` of its first operand,
    and `source[e]` the value that operand is. `type_of` numbers the types of values, arguments at the end (so that their
    negative numbers index it).
    """

    def __init__(self, function: ir.Operation) -> None:
        block = function.regions[0].blocks[0]
        self.operations: list[ir.Operation] = [op.operation for op in block.operations]
        self.arguments = list(block.arguments)
        numbers: dict[Any, int] = {argument: ~i for i, argument in enumerate(self.arguments)}
        kinds: dict[Any, int] = {}
        types: dict[Any, int] = {}
        tokens: list[int] = []
        source: list[int] = []
        first_value, first_edge = [0], [0]
        type_of: list[int] = []
        self._uses: dict[int, tuple[ir.Operation, int]] = {}
        """The operation in a region, and the operand of it, by number of the operand."""
        count = 0
        for op in self.operations:  # each access costs: nothing is asked for twice, or where it is known
            name = op.name
            read = [numbers[operand] for operand in op.operands]
            if name in SINGLE:
                value = op.result
                numbers[value] = count
                made = types.setdefault(value.type, len(types))
                type_of.append(made)
                count += 1
                attributes = op.attributes
                if not attributes:
                    kind: tuple[Any, ...] = (name, len(read), made)
                elif name == "lazy.scalar":
                    kind = (name, 0, made, *(item for item in attributes.items() if item[0] != "slot"))
                else:
                    kind = (name, len(read), made, *attributes.items())
            else:
                results = list(op.results)
                numbers.update(zip(results, range(count, count + len(results)), strict=True))
                several = [types.setdefault(value.type, len(types)) for value in results]
                type_of += several
                count += len(results)
                if name.startswith("lazy."):
                    kind = (name, len(read), *several, *op.attributes.items())
                else:
                    kind = (name, len(tokens))
                    read += self._read_inside(op, len(source) + len(read), numbers)
            source += read
            tokens.append(kinds.setdefault(kind, len(kinds)))
            first_value.append(count)
            first_edge.append(len(source))
        self.values: list[ir.Value] = list(numbers)[len(self.arguments) :]
        self.kinds = kinds
        arguments = [types.setdefault(argument.type, len(types)) for argument in self.arguments]
        self.tokens: Array = np.array(tokens, np.int64)
        self.source: Array = np.array(source, np.int64)
        self.first_value: Array = np.array(first_value, np.int64)
        self.first_edge: Array = np.array(first_edge, np.int64)
        self.type_of: Array = np.array(type_of + arguments[::-1], np.int64)

    def _read_inside(self, op: ir.Operation, edge: int, numbers: dict[Any, int]) -> list[int]:
        """What the regions of an operation use of the function's values; the first of these operands has number `edge`."""
        read: list[int] = []
        for inner, place in (use for region in op.regions for use in uses_in(region)):
            number = numbers.get(inner.operands[place])
            if number is not None:
                self._uses[edge + len(read)] = inner, place
                read.append(number)
        return read

    def __len__(self) -> int:
        return len(self.operations)

    def value(self, number: int) -> ir.Value:
        return self.values[number] if number >= 0 else self.arguments[~number]

    def redirect(self, op: int, edge: int, value: ir.Value) -> None:
        """Makes an operand of operation `op` another value."""
        user, place = self._uses.get(edge, (self.operations[op], edge - int(self.first_edge[op])))
        user.operands[place] = value

    @cached_property
    def maker(self) -> Array:
        """The operation that makes each value."""
        return np.repeat(np.arange(len(self)), np.diff(self.first_value))

    @cached_property
    def _by_source(self) -> tuple[Array, Array]:
        """The edges sorted by their source: sources, and the operations that read them."""
        order = np.argsort(self.source, kind="stable")
        readers = np.repeat(np.arange(len(self)), np.diff(self.first_edge))
        return self.source[order], readers[order]

    @cached_property
    def _is_view(self) -> Flags:
        """Whether each operation only looks at its one operand in another way."""
        views = [token for (name, operands, *_), token in self.kinds.items() if name in VIEWS and operands == 1]
        return np.isin(self.tokens, views)

    def viewed(self, value: int) -> int | None:
        """The operand that a value is a view of, if its operation is one."""
        op = int(self.maker[value]) if value >= 0 else -1
        return int(self.first_edge[op]) if op >= 0 and self._is_view[op] else None

    def reads(self, low: int, high: int) -> tuple[Array, Array]:
        """Reads of the values low <= v < high: the values, and the operations that read them."""
        sources, readers = self._by_source
        begin, end = np.searchsorted(sources, [low, high])
        return sources[begin:end], readers[begin:end]
