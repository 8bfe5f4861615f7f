"""The worklist that applies patterns to the operations of a function until none fires, and how patterns see operations.

A pattern is a function from an operation to the node that replaces its result, or None. It is only asked about the
operations that it is registered for:

    @pattern("neg")
    def negate_twice(op):
        source = op.source(0)
        return source.operands[0] if source and source.name == "neg" else None
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, TypeVar

from lazymlir.dialect import OPS, Builder, Node, TensorType, read_attributes, tensor_type
from lazymlir.mlir import ir

from ..rewrite import everything, only_user
from .numbers import held

__all__ = ["PATTERNS", "Op", "Pattern", "Rewriter", "pattern", "remembered"]

Found = TypeVar("Found")
Pattern = Callable[["Op"], Node | None]
PATTERNS: dict[str, list[Pattern]] = {}
"""By name of the operation, without "lazy."; tried in order."""


def pattern(*names: str) -> Callable[[Pattern], Pattern]:
    """Registers a pattern for each named operation."""

    def add(function: Pattern) -> Pattern:
        for name in names:
            PATTERNS.setdefault(OPS[name].name, []).append(function)
        return function

    return add


class Op:
    """One operation of the dialect; what patterns ask about it is read from the IR once."""

    __slots__ = ("_attributes", "_operands", "alive", "found", "name", "operation", "queued", "results", "rewriter", "values")

    def __init__(self, rewriter: Rewriter, operation: ir.Operation) -> None:
        self.rewriter = rewriter
        self.operation = operation
        self.name: str = operation.name.removeprefix("lazy.")
        self.results: list[ir.Value] = list(operation.results)
        self.values: list[ir.Value] = list(operation.operands)
        self.alive = self.queued = True
        self._operands: list[Node] | None = None
        self._attributes: dict[str, Any] | None = None
        self.found: dict[Any, Any] = {}

    @property
    def operands(self) -> list[Node]:
        if self._operands is None:
            self._operands = [Node(value, self.rewriter.type_of(value)) for value in self.values]
        return self._operands

    @property
    def attributes(self) -> dict[str, Any]:
        if self._attributes is None:
            self._attributes = read_attributes(OPS[self.name], self.operation)
        return self._attributes

    @property
    def type(self) -> TensorType:
        """The type of the first result."""
        return self.rewriter.type_of(self.results[0])

    @property
    def build(self) -> Builder:
        """Builds before this operation, at its location."""
        return self.rewriter.builder_at(self)

    def source(self, operand: int) -> Op | None:
        """The operation that makes an operand; None for arguments."""
        return self.rewriter.made_by.get(self.values[operand])

    def number(self, operand: int) -> complex | None:
        """What a splat constant operand holds in each element; None for other operands."""
        return self.rewriter.number(self.values[operand])

    def constant(self, value: complex) -> Node:
        """A constant of this operation's type."""
        return self.build.constant(value, self.type)

    def used_once(self) -> bool:
        return only_user(self.results[0]) is not None

    def forget_operands(self) -> None:
        self.values = list(self.operation.operands)
        self._operands = None
        self.found.clear()


def remembered(function: Callable[[Op], Found]) -> Callable[[Op], Found]:
    """Keeps what `function` found out about an operation until its operands change."""

    def look_up(op: Op) -> Found:
        if function not in op.found:
            op.found[function] = function(op)
        return op.found[function]

    return look_up


class _Recorder(Builder):
    """A builder that tells the rewriter what it makes."""

    def __init__(self, rewriter: Rewriter, op: Op) -> None:
        super().__init__(ir.InsertionPoint(op.operation), op.operation.location)
        self._rewriter = rewriter

    def made(self, operation: ir.Operation) -> None:
        self._rewriter.add(operation)


class Rewriter:
    """Applies `PATTERNS` to the lazy operations of one function, those in regions too, and erases what nothing uses."""

    def __init__(self, function: ir.Operation) -> None:
        self.made_by: dict[ir.Value, Op] = {}
        self.queue: deque[Op] = deque()
        self._types: dict[ir.Type, TensorType] = {}
        self._builder: tuple[Op, _Recorder] | None = None
        self._new: list[Op] = []
        for operation in everything(function):
            if operation.name.startswith("lazy."):
                self.queue.append(self.add(operation))

    def add(self, operation: ir.Operation) -> Op:
        op = Op(self, operation)
        for result in op.results:
            self.made_by[result] = op
        self._new.append(op)
        return op

    def type_of(self, value: ir.Value) -> TensorType:
        type_ = value.type
        known = self._types.get(type_)
        if known is None:
            known = self._types[type_] = tensor_type(type_)
        return known

    def number(self, value: ir.Value) -> complex | None:
        op = self.made_by.get(value)
        return held(op.attributes["value"], op.type.dtype) if op is not None and op.name == "constant" else None

    def builder_at(self, op: Op) -> Builder:
        if self._builder is None or self._builder[0] is not op:
            self._builder = (op, _Recorder(self, op))
        return self._builder[1]

    def run(self) -> dict[str, int]:
        counts = {"operations simplified": 0, "operations erased": 0}
        while self.queue:
            op = self.queue.popleft()
            op.queued = False
            if not op.alive:
                continue
            if not any(next(iter(result.uses), None) for result in op.results):
                self._erase(op)
                counts["operations erased"] += 1
            elif self._simplify(op):
                counts["operations simplified"] += 1
        return counts

    def _simplify(self, op: Op) -> bool:
        for rewrite in PATTERNS.get(op.name, ()):
            self._new = []
            replacement = rewrite(op)
            if replacement is not None:
                self._replace(op, replacement)
                return True
        return False

    def _replace(self, op: Op, replacement: Node) -> None:
        users = [use.owner for use in op.results[0].uses]
        op.results[0].replace_all_uses_with(replacement.value)
        self.queue.extendleft(reversed(self._new))
        for user in users:
            self._operands_changed(user)
        self._erase(op)

    def _operands_changed(self, user: Any) -> None:
        op = self._op_of(user)
        if op is not None:
            op.forget_operands()
            self._push_with_views(op)

    def _push_with_views(self, op: Op) -> None:
        """Patterns look through view operations, so whatever reads by way of `op` has changed too."""
        changed = [op]
        while changed:
            op = changed.pop()
            self._push(op)
            if "view" in OPS[op.name].groups:
                users = (self._op_of(use.owner) for use in op.results[0].uses)
                changed += [user for user in users if user is not None and not user.queued]

    def _op_of(self, user: Any) -> Op | None:
        results = user.results
        return self.made_by.get(results[0]) if len(results) else None

    def _push(self, op: Op | None) -> None:
        if op is not None and not op.queued:
            op.queued = True
            self.queue.append(op)

    def _erase(self, op: Op) -> None:
        for result in op.results:
            del self.made_by[result]
        op.alive = False
        op.operation.erase()
        for value in set(op.values):
            self._lost_a_use(value)

    def _lost_a_use(self, value: ir.Value) -> None:
        self._push(self.made_by.get(value))
        user = only_user(value)
        if user is not None:  # some patterns want the only user
            self._push(self._op_of(user))
