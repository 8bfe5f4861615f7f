"""The table of lowerings, and the builder that they write StableHLO with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from lazymlir.dialect import OPS, Node, TensorType
from lazymlir.dialect.attributes import element_type
from lazymlir.dialect.types import BOOL, is_complex, is_float, is_integer, real_dtype
from lazymlir.mlir import ir, stablehlo

__all__ = ["LOWERINGS", "Body", "Emitter", "Lowering", "i64", "i64s", "lowering", "padding"]

Lowering = Callable[..., "Node | Sequence[Node]"]
LOWERINGS: dict[str, Lowering] = {}
"""By name of the lazy operation: `(emitter, result types, *operands, **attributes)` to the result or results."""

Body = Callable[..., Sequence[Node]]
"""Fills a region: `(emitter, *arguments)` to what it yields. A reduction's gets two 0-dim elements of each operand."""


_Function = TypeVar("_Function", bound=Lowering)


def lowering(*names: str) -> Callable[[_Function], _Function]:
    """Registers the lowering of `lazy.<name>` for each name.

        @lowering("permute")
        def permute(e, result, x, dims):
            return e.transpose(x, dims)

    `result` is the result's TensorType (a tuple of them where the operation has several), variadic operands come as a
    tuple, attributes as Python values by name.
    """

    def add(function: _Function) -> _Function:
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


def padding(low: Sequence[int], high: Sequence[int]) -> ir.Attribute:
    """The padding of a window or convolution: a row [low, high] for each dimension."""
    rows = ", ".join(f"[{a}, {b}]" for a, b in zip(low, high, strict=True))
    return ir.Attribute.parse(f"dense<[{rows}]> : tensor<{len(low)}x2xi64>" if low else "dense<> : tensor<0x2xi64>")


def _static(value: bool | int | str) -> ir.Attribute:
    if isinstance(value, str):
        return ir.StringAttr.get(value)
    return ir.BoolAttr.get(value) if isinstance(value, bool) else i64(value)


def _declared(module: ir.Block, attributes: dict[str, ir.Attribute]) -> str | None:
    """The name of the function that has all of these attributes."""
    for op in module.operations:
        known = op.operation.attributes
        if all(key in known and known[key] == value for key, value in attributes.items()):
            return ir.StringAttr(known["sym_name"]).value
    return None


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

    def unused(self, result: int) -> bool:
        """Whether nothing reads this result of the operation being lowered (before which the emitter writes)."""
        lowered = self.point.ref_operation
        return lowered is not None and not any(True for _ in lowered.operation.results[result].uses)

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

    # Values from nothing.

    def splat(self, value: complex, type_: TensorType) -> Node:
        """A constant tensor whose elements are all `value`."""
        if is_complex(type_.dtype):
            part = TensorType(type_.shape, real_dtype(type_.dtype))
            number = complex(value)
            return self.op("complex", type_, self.splat(number.real, part), self.splat(number.imag, part))
        element = element_type(type_.dtype)
        if is_float(type_.dtype):
            attribute: ir.Attribute = ir.FloatAttr.get(element, float(value.real), loc=self.loc)
        elif type_.dtype == BOOL:
            attribute = ir.BoolAttr.get(bool(value))
        else:
            number = int(value.real)
            attribute = ir.IntegerAttr.get(element, number if number < 2**63 else number - 2**64)
        dense = ir.DenseElementsAttr.get_splat(self.mlir_type(type_), attribute)
        return self.op("constant", type_, value=dense)

    def hidden(self, value: complex, type_: TensorType) -> Node:
        """A splat that XLA does not know to be one: for algebra that it would get wrong."""
        outside = self._around()
        return self.broadcast(outside.barrier(outside.splat(value, type_.with_shape(())))[0], type_.shape, ())

    def unknown(self, x: Node) -> Node:
        """`x`, of which XLA knows nothing. In a region it is a product with a 1 from outside."""
        if not self.in_region:
            return self.barrier(x)[0]
        return self.op("and" if x.dtype == BOOL else "multiply", x.type, x, self.hidden(1, x.type))

    def kept(self, *xs: Node) -> tuple[Node, ...]:
        """`xs`, which XLA does not compute again for each that reads them; in a region it may."""
        return xs if self.in_region else self.barrier(*xs)

    @property
    def in_region(self) -> bool:
        """Whether this writes into a region of an operation of the function."""
        return self._around() is not self

    def barrier(self, *xs: Node) -> tuple[Node, ...]:
        """`xs` behind a barrier. Not in a region: XLA's CPU compiler has no code for a barrier in a small loop."""
        return self.emit_many("stablehlo.optimization_barrier", [x.type for x in xs], xs)[1]

    def _around(self) -> Emitter:
        """This one; in a region, one that writes before the operation of the function that it belongs to."""
        block = self.point.block
        inner: ir.Operation | None = None
        while (owner := block.owner.operation).name != "func.func":
            inner, block = owner, owner.block
        return self if inner is None else Emitter(ir.InsertionPoint(inner), self.loc, self._types)

    def scalar(self, value: complex, dtype: str) -> Node:
        return self.splat(value, TensorType((), dtype))

    def iota(self, type_: TensorType, dim: int) -> Node:
        return self.op("iota", type_, iota_dimension=i64(dim))

    # Elements.

    def convert(self, x: Node, dtype: str) -> Node:
        return x if x.dtype == dtype else self.op("convert", x.type.with_dtype(dtype), x)

    def widen(self, x: Node) -> Node:
        """The type to accumulate in: float32 for the 16-bit floats."""
        return self.convert(x, "f32") if x.dtype in ("f16", "bf16") else x

    def compare(self, direction: str, x: Node, y: Node) -> Node:
        """`direction` is one of EQ, NE, LT, LE, GT, GE."""
        return self.op("compare", x.type.with_dtype(BOOL), x, y, comparison_direction=stablehlo.ComparisonDirectionAttr.get(direction))

    def select(self, condition: Node, x: Node, y: Node) -> Node:
        return self.op("select", x.type, condition, x, y)

    def is_nan(self, x: Node) -> Node | None:
        """None where the type has no NaN."""
        return None if is_integer(x.dtype) or x.dtype == BOOL else self.compare("NE", x, x)

    def scaled(self, x: Node, factor: int) -> Node:
        return x if factor == 1 else self.op("multiply", x.type, x, self.splat(factor, x.type))

    def shifted(self, x: Node, distance: int) -> Node:
        return x if distance == 0 else self.op("add", x.type, x, self.splat(distance, x.type))

    def either(self, x: Node, y: Node | None) -> Node:
        """Logical or; None is false."""
        return x if y is None else self.op("or", x.type, x, y)

    # Places.

    def broadcast(self, x: Node, shape: Sequence[int], dims: Sequence[int]) -> Node:
        """`stablehlo.broadcast_in_dim`: dimension i of `x` becomes dimension `dims[i]`."""
        return self.op("broadcast_in_dim", x.type.with_shape(tuple(shape)), x, broadcast_dimensions=i64s(dims))

    def transpose(self, x: Node, dims: Sequence[int]) -> Node:
        type_ = x.type.with_shape(tuple(x.shape[dim] for dim in dims))
        return self.op("transpose", type_, x, permutation=i64s(dims))

    def reshape(self, x: Node, shape: Sequence[int]) -> Node:
        return x if x.shape == tuple(shape) else self.op("reshape", x.type.with_shape(tuple(shape)), x)

    def slice(self, x: Node, starts: Sequence[int], sizes: Sequence[int], steps: Sequence[int] | None = None) -> Node:
        """Element `starts[d] + i * steps[d]` for each `i < sizes[d]`."""
        steps = steps or (1,) * x.rank
        if x.shape == tuple(sizes):
            return x
        limits = [start + (size - 1) * step + 1 if size else start for start, size, step in zip(starts, sizes, steps, strict=True)]
        return self.op("slice", x.type.with_shape(tuple(sizes)), x, start_indices=i64s(starts), limit_indices=i64s(limits), strides=i64s(steps))

    def slice_dim(self, x: Node, dim: int, start: int, size: int) -> Node:
        starts, sizes = [0] * x.rank, list(x.shape)
        starts[dim], sizes[dim] = start, size
        return self.slice(x, starts, sizes)

    def pad(self, x: Node, value: Node, low: Sequence[int], high: Sequence[int], interior: Sequence[int] | None = None) -> Node:
        interior = interior or (0,) * x.rank
        if not any((*low, *high, *interior)):
            return x
        shape = tuple(a + n + max(n - 1, 0) * k + b for a, n, k, b in zip(low, x.shape, interior, high, strict=True))
        attributes = {"edge_padding_low": i64s(low), "edge_padding_high": i64s(high), "interior_padding": i64s(interior)}
        return self.op("pad", x.type.with_shape(shape), x, value, **attributes)

    def concatenate(self, xs: Sequence[Node], dim: int) -> Node:
        shape = list(xs[0].shape)
        shape[dim] = sum(x.shape[dim] for x in xs)
        return xs[0] if len(xs) == 1 else self.op("concatenate", xs[0].type.with_shape(tuple(shape)), *xs, dimension=i64(dim))

    # What jax writes.

    def template(self, name: str, results: Sequence[TensorType], operands: Sequence[Node], **static: bool | int | str) -> tuple[Node, ...]:
        """Calls the function that jax makes of its template `name` for these types: declared here, and defined when the
        module goes to XLA (lazymlir/runtime/templates.py), so that passes and their tools need no jax."""
        module = self._module()
        type_ = ir.FunctionType.get([self.mlir_type(x.type) for x in operands], [self.mlir_type(t) for t in results])
        attributes: dict[str, ir.Attribute] = {
            "function_type": ir.TypeAttr.get(type_),
            "lazy.static": ir.DictAttr.get({key: _static(value) for key, value in static.items()}),
            "lazy.template": ir.StringAttr.get(name),
        }
        symbol = _declared(module, attributes)
        if symbol is None:
            symbol = f"{name}_{len(module.operations)}"
            attributes |= {"sym_name": ir.StringAttr.get(symbol), "sym_visibility": ir.StringAttr.get("private")}
            ir.Operation.create("func.func", attributes=attributes, regions=1, loc=self.loc, ip=ir.InsertionPoint(module))
        return self.emit_many("func.call", results, operands, {"callee": ir.FlatSymbolRefAttr.get(symbol)})[1]

    def _module(self) -> ir.Block:
        """The block of the module that is written."""
        op = self.point.block.owner
        while op.operation.name != "builtin.module":
            op = op.operation.parent
        return op.operation.regions[0].blocks[0]

    # Operations with a body.

    def region(self, op: ir.Operation, index: int, arguments: Sequence[TensorType], fill: Body) -> None:
        """Fills a region with one block: `fill(emitter, *block arguments)` returns what the block yields."""
        block = ir.Block.create_at_start(op.regions[index], [self.mlir_type(t) for t in arguments], [self.loc] * len(arguments))
        inner = Emitter(ir.InsertionPoint(block), self.loc, self._types)
        yielded = fill(inner, *(Node(value, t) for value, t in zip(block.arguments, arguments, strict=True)))
        inner.emit_many("stablehlo.return", [], yielded)

    def with_body(
        self, name: str, results: Sequence[TensorType], operands: Sequence[Node], attributes: dict[str, ir.Attribute], body: Body
    ) -> tuple[Node, ...]:
        """`stablehlo.<name>` whose only region combines two elements of each result's type."""
        op, made = self.emit_many(f"stablehlo.{name}", results, operands, attributes, regions=1)
        self.region(op, 0, [t.with_shape(()) for t in results] * 2, body)
        return made

    def reduce(self, operands: Sequence[Node], initial: Sequence[Node], dims: Sequence[int], combine: Body) -> tuple[Node, ...]:
        """`stablehlo.reduce` of several operands at once."""
        shape = tuple(size for dim, size in enumerate(operands[0].shape) if dim not in dims)
        results = [node.type.with_shape(shape) for node in operands]
        return self.with_body("reduce", results, [*operands, *initial], {"dimensions": i64s(sorted(dims))}, combine)

    def loop(self, initial: Sequence[Node], condition: Body, step: Body) -> tuple[Node, ...]:
        """`stablehlo.while`: carried values of unchanging types."""
        types = [node.type for node in initial]
        op, made = self.emit_many("stablehlo.while", types, initial, regions=2)
        self.region(op, 0, types, condition)
        self.region(op, 1, types, step)
        return made
