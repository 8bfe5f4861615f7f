"""Makes operations of the dialect: result types from the type rules, attributes from Python values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, cast

from lazymlir.mlir import ir

from .attributes import element_type
from .declare import OPS, OpDef
from .types import BOOL, TensorType, is_complex, is_float

__all__ = ["Builder", "Check", "Node", "TypeBuilder", "clone"]


class Node:
    """A value of the graph with its type as plain data."""

    __slots__ = ("type", "value")

    def __init__(self, value: ir.Value, type_: TensorType) -> None:
        self.value = value
        self.type = type_

    @property
    def shape(self) -> tuple[int, ...]:
        return self.type.shape

    @property
    def dtype(self) -> str:
        return self.type.dtype

    @property
    def rank(self) -> int:
        return len(self.type.shape)


class Check(NamedTuple):
    """A condition on values, checked by the program into `found`: where it does not hold, reading what the program computed
    raises `error` with `message`, in which {} stands for what was told."""

    found: Node
    error: type[Exception]
    message: str


class Builder:
    """Appends operations at `point`; `b.permute(x, dims=(1, 0))` makes `lazy.permute`, for every declared operation.

    `loc` is the location given to each new operation; `checks` are the conditions that were required meanwhile. Must be
    used with its context entered.
    """

    def __init__(self, point: ir.InsertionPoint, loc: ir.Location) -> None:
        self.point = point
        self.loc = loc
        self.checks: list[Check] = []
        self._types: dict[TensorType, ir.Type] = {}

    def __getattr__(self, name: str) -> Any:
        if name.rstrip("_") not in OPS:
            raise AttributeError(f"the lazy dialect has no operation {name!r}")
        op_name = name.rstrip("_")

        def emit(*operands: Node, result: TensorType | None = None, **attributes: Any) -> Any:
            return self.emit(op_name, operands, attributes, result)

        return emit

    def mlir_type(self, type_: TensorType) -> ir.Type:
        made = self._types.get(type_)
        if made is None:
            made = self._types[type_] = ir.RankedTensorType.get(list(type_.shape), element_type(type_.dtype), loc=self.loc)
        return made

    def emit(self, name: str, operands: Sequence[Node], attributes: dict[str, Any], result: TensorType | None = None) -> Any:
        """One operation; returns its result, or a tuple for several. TypeRuleError where the type rule is broken."""
        definition = OPS[name]
        attributes = {key: tuple(cast("list[Any]", value)) if isinstance(value, list) else value for key, value in attributes.items()}
        types = definition.infer(tuple(node.type for node in operands), attributes, result)
        nodes = tuple(Node(value, t) for value, t in zip(self._create(definition, types, operands, attributes), types, strict=True))
        return nodes[0] if len(nodes) == 1 else nodes

    def _create(self, definition: OpDef, types: Sequence[TensorType], operands: Sequence[Node], attributes: dict[str, Any]) -> Sequence[Any]:
        """The results of a new operation."""
        written = {key: definition.attributes[key].write(value) for key, value in attributes.items()}
        results = [self.mlir_type(t) for t in types]
        made = ir.Operation.create(f"lazy.{definition.name}", results, [node.value for node in operands], written, None, 0, self.loc, self.point)
        self.made(made)
        return made.results

    def made(self, operation: ir.Operation) -> None:
        """Told of each operation that was made."""

    def require(self, holds: Node, error: type[Exception], message: str, told: Node | None = None) -> None:
        """Requires each element of `holds`, which only the running program knows, and tells the first element of `told`
        where one is false; see Check."""
        if holds.type.size:
            told = self.constant(0, holds.type.with_dtype("i64")) if told is None else self.cast(told, "i64")
            self.checks.append(Check(self.emit("check", (holds, told), {}), error, message))

    # Short cuts that emit nothing where nothing is to be done.

    def constant(self, value: complex, result: TensorType) -> Node:
        """A splat of `value`, converted to the element type as torch converts Python numbers."""
        return self.emit("constant", (), {"value": _as_element(value, result.dtype)}, result)

    def cast(self, x: Node, dtype: str) -> Node:
        return x if x.dtype == dtype else self.emit("cast", (x,), {"dtype": dtype})

    def reshape(self, x: Node, shape: Sequence[int]) -> Node:
        return x if x.shape == tuple(shape) else self.emit("reshape", (x,), {"shape": tuple(shape)})

    def permute(self, x: Node, dims: Sequence[int]) -> Node:
        return x if tuple(dims) == tuple(range(x.rank)) else self.emit("permute", (x,), {"dims": tuple(dims)})

    def expand(self, x: Node, shape: Sequence[int]) -> Node:
        return x if x.shape == tuple(shape) else self.emit("expand", (x,), {"shape": tuple(shape)})

    def join(self, parts: Sequence[Node], dim: int) -> Node:
        """`cat` of any parts: one operation for each run of equal types."""
        joined, *rest = parts
        while rest:
            run = next((i for i, part in enumerate(rest) if part.type != rest[0].type), len(rest))
            joined = self.emit("cat", (joined, *rest[:run]), {"dim": dim})
            rest = rest[run:]
        return joined

    def static_slice(self, x: Node, dim: int, start: int, size: int) -> Node:
        """`size` elements from `start` along `dim`."""
        if start == 0 and size == x.shape[dim]:
            return x
        starts, sizes = [0] * x.rank, list(x.shape)
        starts[dim], sizes[dim] = start, size
        return self.emit("slice", (x,), {"starts": tuple(starts), "sizes": tuple(sizes), "steps": (1,) * x.rank})


def clone(operation: ir.Operation, point: ir.InsertionPoint, operands: Iterable[ir.Value]) -> ir.Operation:
    """The operation again, at its location, of these operands."""
    made = operation.clone(point).operation
    for place, operand in enumerate(operands):
        made.operands[place] = operand
    return made


class TypeBuilder(Builder):
    """Applies the type rules and makes no operations: what a function would emit, without a graph. Values are None."""

    def __init__(self) -> None:
        self.checks = []

    def argument(self, type_: TensorType) -> Node:
        """A value of this type."""
        nothing: Any = None
        return Node(nothing, type_)

    def _create(self, definition: OpDef, types: Sequence[TensorType], operands: Sequence[Node], attributes: dict[str, Any]) -> Sequence[Any]:
        return (None,) * len(types)


def _as_element(value: complex, dtype: str) -> complex:
    if dtype == BOOL:
        return bool(value)
    if is_complex(dtype):
        return complex(value)
    if isinstance(value, complex):
        value = value.real
    if is_float(dtype):
        return float(value)
    return int(value)
