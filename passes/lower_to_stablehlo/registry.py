"""The table of lowerings, and the builder that they write StableHLO with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from lazymlir.dialect import OPS, Node, TensorType
from lazymlir.dialect.attributes import element_type
from lazymlir.dialect.types import BOOL, is_complex, is_float, is_unsigned, itemsize
from lazymlir.mlir import ir, stablehlo

__all__ = ["LOWERINGS", "Emitter", "i64", "i64s", "lowering", "lowest", "highest"]

Lowering = Callable[..., "Node | Sequence[Node]"]
LOWERINGS: dict[str, Lowering] = {}
"""By name of the lazy operation: `(emitter, result types, *operands, **attributes)` to the result or results."""


def lowering(*names: str) -> Callable[[Lowering], Lowering]:
    """Registers the lowering of `lazy.<name>` for each name.

        @lowering("permute")
        def permute(e, result, x, dims):
            return e.transpose(x, dims)

    `result` is the result's TensorType (a tuple of them where the operation has several), variadic operands come as a
    tuple, attributes as Python values by name.
    """

    def add(function: Lowering) -> Lowering:
        for name in names:
            if name not in OPS:
                raise ValueError(f"lazy.{name} is not declared")
            if name in LOWERINGS:
                raise ValueError(f"lazy.{name} has two lowerings")
            LOWERINGS[name] = function
        return function

    return add


def i64(value: int) -> ir.Attribute:
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), value)


def i64s(values: Sequence[int]) -> ir.Attribute:
    return ir.DenseI64ArrayAttr.get(list(values))


def lowest(dtype: str) -> float:
    """The neutral element of a maximum."""
    if is_float(dtype):
        return float("-inf")
    return 0 if dtype == BOOL or is_unsigned(dtype) else -(2 ** (8 * itemsize(dtype) - 1))


def highest(dtype: str) -> float:
    """The neutral element of a minimum."""
    if is_float(dtype):
        return float("inf")
    if dtype == BOOL:
        return 1
    bits = 8 * itemsize(dtype)
    return 2**bits - 1 if is_unsigned(dtype) else 2 ** (bits - 1) - 1


class Emitter:
    """Writes StableHLO operations at `point`; nodes carry their type as plain data."""

    def __init__(self, point: ir.InsertionPoint, loc: ir.Location, types: dict[TensorType, ir.Type]) -> None:
        self.point = point
        self.loc = loc
        self._types = types

    def mlir_type(self, type_: TensorType) -> ir.Type:
        made = self._types.get(type_)
        if made is None:
            made = self._types[type_] = ir.RankedTensorType.get(list(type_.shape), element_type(type_.dtype), loc=self.loc)
        return made

    def emit_many(
        self, name: str, results: Sequence[TensorType], operands: Sequence[Node], attributes: dict[str, ir.Attribute] | None = None, regions: int = 0
    ) -> tuple[ir.Operation, tuple[Node, ...]]:
        """`name` is the full operation name ("stablehlo.add"); regions are made empty for the caller to fill."""
        op = ir.Operation.create(
            name, [self.mlir_type(t) for t in results], [node.value for node in operands], attributes or {}, None, regions, self.loc, self.point
        )
        return op, tuple(Node(value, t) for value, t in zip(op.results, results, strict=True))

    def op(self, name: str, result: TensorType, *operands: Node, **attributes: ir.Attribute) -> Node:
        """`stablehlo.<name>` with one result."""
        return self.emit_many(f"stablehlo.{name}", [result], operands, attributes)[1][0]

    # The operations that most lowerings use.

    def splat(self, value: complex, type_: TensorType) -> Node:
        """A constant tensor whose elements are all `value`."""
        element = element_type(type_.dtype)
        if is_complex(type_.dtype):
            part = TensorType(type_.shape, type_.dtype[8:-1])
            number = complex(value)
            return self.op("complex", type_, self.splat(number.real, part), self.splat(number.imag, part))
        if is_float(type_.dtype):
            attribute: ir.Attribute = ir.FloatAttr.get(element, float(value.real), loc=self.loc)
        elif type_.dtype == BOOL:
            attribute = ir.BoolAttr.get(bool(value))
        else:
            attribute = ir.IntegerAttr.get(element, int(value.real))
        dense = ir.DenseElementsAttr.get_splat(self.mlir_type(type_), attribute)
        return self.op("constant", type_, value=dense)

    def broadcast(self, x: Node, shape: Sequence[int], dims: Sequence[int]) -> Node:
        """`stablehlo.broadcast_in_dim`: dimension i of `x` becomes dimension `dims[i]`."""
        return self.op("broadcast_in_dim", x.type.with_shape(tuple(shape)), x, broadcast_dimensions=ir.DenseI64ArrayAttr.get(list(dims)))

    def transpose(self, x: Node, dims: Sequence[int]) -> Node:
        type_ = x.type.with_shape(tuple(x.shape[dim] for dim in dims))
        return self.op("transpose", type_, x, permutation=ir.DenseI64ArrayAttr.get(list(dims)))

    def reshape(self, x: Node, shape: Sequence[int]) -> Node:
        return x if x.shape == tuple(shape) else self.op("reshape", x.type.with_shape(tuple(shape)), x)

    def convert(self, x: Node, dtype: str) -> Node:
        return x if x.dtype == dtype else self.op("convert", x.type.with_dtype(dtype), x)

    def compare(self, direction: str, x: Node, y: Node) -> Node:
        """`direction` is one of EQ, NE, LT, LE, GT, GE."""
        return self.op("compare", x.type.with_dtype(BOOL), x, y, comparison_direction=ir.Attribute.parse(f"#stablehlo<comparison_direction {direction}>"))

    def select(self, condition: Node, x: Node, y: Node) -> Node:
        return self.op("select", x.type, condition, x, y)

    def iota(self, type_: TensorType, dim: int) -> Node:
        return self.op("iota", type_, iota_dimension=ir.IntegerAttr.get(ir.IntegerType.get_signless(64), dim))

    def region(self, op: ir.Operation, index: int, arguments: Sequence[TensorType], fill: Callable[..., Sequence[Node]]) -> None:
        """Fills a region with one block: `fill(emitter, *block arguments)` returns what the block yields."""
        block = ir.Block.create_at_start(op.regions[index], [self.mlir_type(t) for t in arguments], [self.loc] * len(arguments))
        inner = Emitter(ir.InsertionPoint(block), self.loc, self._types)
        yielded = fill(inner, *(Node(value, t) for value, t in zip(block.arguments, arguments, strict=True)))
        inner.emit_many("stablehlo.return", [], yielded)

    def reduce(self, operands: Sequence[Node], initial: Sequence[Node], dims: Sequence[int], combine: Callable[..., Sequence[Node]]) -> tuple[Node, ...]:
        """`stablehlo.reduce` of several operands at once; `combine(emitter, *left, *right)` works on 0-dim nodes."""
        shape = tuple(size for dim, size in enumerate(operands[0].shape) if dim not in dims)
        results = [node.type.with_shape(shape) for node in operands]
        attributes: dict[str, Any] = {"dimensions": ir.DenseI64ArrayAttr.get(sorted(dims))}
        op, made = self.emit_many("stablehlo.reduce", results, [*operands, *initial], attributes, regions=1)
        scalars = [node.type.with_shape(()) for node in operands]
        self.region(op, 0, scalars * 2, combine)
        return made
