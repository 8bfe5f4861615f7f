"""Lowers every `lazy` operation to StableHLO, each by the function that lower_to_stablehlo/ registers for it.

    %1 = "lazy.permute"(%0) {dims = array<i64: 1, 0>} : (tensor<2x4xf32>) -> tensor<4x2xf32>
becomes
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>

The `lazy.scalar`s of a function become elements of at most one packed vector per element type, new last arguments in
the order of `VECTORS`. Which slot of the step's scalars each element holds is left on the function as `lazy.slots_<type>`.
An argument marked `lazy.donated = i` becomes `tf.aliasing_output = i`, which is what XLA reads.
Never changes the number, order or types of the other arguments and of the results.
"""

from __future__ import annotations

from dataclasses import dataclass

from lazymlir.dialect import OPS, Node, TensorType, TypeRuleError, read_attributes, tensor_type
from lazymlir.dialect.attributes import element_type
from lazymlir.mlir import ir

from .base import Pass, PassError, functions, register
from .lower_to_stablehlo import LOWERINGS, Emitter
from .rewrite import body, nodes, replace

VECTORS = ("f64", "i64", "complex<f64>")
"""Element types of the packed vectors, in the order of the arguments."""


def slots_attribute(dtype: str) -> str:
    """The function attribute that lists the slots packed in the vector of this element type."""
    return f"lazy.slots_{dtype.replace('<', '_').replace('>', '')}"


@register
@dataclass(frozen=True)
class LowerToStablehlo(Pass):
    """Lower lazy operations to StableHLO, pack the scalars, mark donated arguments for XLA."""

    name = "lazy-lower-to-stablehlo"

    def run(self, module: ir.Module) -> dict[str, int]:
        lowered = 0
        for function in list(functions(module)):
            types: dict[TensorType, ir.Type] = {}
            _pack_scalars(function, types)
            for op in body(function):
                if op.name.startswith("lazy."):
                    _lower(op, types)
                    lowered += 1
            _mark_donated(function)
        return {"operations lowered": lowered}


def _lower(op: ir.Operation, types: dict[TensorType, ir.Type]) -> None:
    name = op.name.removeprefix("lazy.")
    rule = LOWERINGS.get(name)
    if rule is None:
        op.location.emit_error(f"{op.name} has no lowering to StableHLO; run the passes that expand it first")
        raise PassError(op.name)
    definition = OPS[name]
    try:
        attributes = read_attributes(definition, op)
    except TypeRuleError as error:
        op.location.emit_error(f"{op.name}: {error}")
        raise PassError(op.name) from None
    operands = nodes(op)
    bound: list[Node | tuple[Node, ...]] = list(operands)
    if definition.variadic:
        fixed = len(definition.operands) - 1
        bound = [*operands[:fixed], tuple(operands[fixed:])]
    results = tuple(tensor_type(result.type) for result in op.results)
    emitter = Emitter(ir.InsertionPoint(op), op.location, types)
    made = rule(emitter, results[0] if len(results) == 1 else results, *bound, **attributes)
    replace(op, [node.value for node in ((made,) if isinstance(made, Node) else made)])


def _pack_scalars(function: ir.Operation, types: dict[TensorType, ir.Type]) -> None:
    block = function.regions[0].blocks[0]
    scalars: dict[str, list[ir.Operation]] = {dtype: [] for dtype in VECTORS}
    for op in body(function):
        if op.name == "lazy.scalar":
            scalars[tensor_type(op.results[0].type).dtype].append(op)
    for dtype, ops in scalars.items():
        if not ops:
            continue
        function.attributes[slots_attribute(dtype)] = ir.DenseI64ArrayAttr.get([ir.IntegerAttr(op.attributes["slot"]).value for op in ops])
        type_ = TensorType((len(ops),), dtype)
        vector = Node(block.add_argument(ir.RankedTensorType.get([len(ops)], element_type(dtype)), function.location), type_)
        for position, op in enumerate(ops):
            emitter = Emitter(ir.InsertionPoint(op), op.location, types)
            bounds = {key: ir.DenseI64ArrayAttr.get([value]) for key, value in _element_bounds(position).items()}
            element = emitter.op("slice", type_.with_shape((1,)), vector, **bounds)
            replace(op, [emitter.reshape(element, ()).value])
    _update_type(function)


def _element_bounds(position: int) -> dict[str, int]:
    return {"start_indices": position, "limit_indices": position + 1, "strides": 1}


def _update_type(function: ir.Operation) -> None:
    """Makes the function's type and argument attributes follow its block's arguments."""
    block = function.regions[0].blocks[0]
    inputs = [argument.type for argument in block.arguments]
    results = ir.FunctionType(ir.TypeAttr(function.attributes["function_type"]).value).results
    function.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(inputs, results))
    if "arg_attrs" in function.attributes:
        known = list(ir.ArrayAttr(function.attributes["arg_attrs"]))
        known += [ir.DictAttr.get({})] * (len(inputs) - len(known))
        function.attributes["arg_attrs"] = ir.ArrayAttr.get(known)


def _mark_donated(function: ir.Operation) -> None:
    if "arg_attrs" not in function.attributes:
        return
    marked: list[ir.Attribute] = []
    for attributes in ir.ArrayAttr(function.attributes["arg_attrs"]):
        entries = {named.name: named.attr for named in ir.DictAttr(attributes)}
        donated = entries.pop("lazy.donated", None)
        entries.pop("lazy.dies", None)
        if donated is not None:
            entries["tf.aliasing_output"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), ir.IntegerAttr(donated).value)
        marked.append(ir.DictAttr.get(entries))
    function.attributes["arg_attrs"] = ir.ArrayAttr.get(marked)
