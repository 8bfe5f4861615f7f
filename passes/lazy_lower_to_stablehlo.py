"""Lowers every `lazy` operation to StableHLO, each by the function that lower_to_stablehlo/ registers for it.

    %1 = "lazy.permute"(%0) {dims = array<i64: 1, 0>} : (tensor<2x4xf32>) -> tensor<4x2xf32>
becomes
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>

The `lazy.scalar`s of a function become elements of at most one packed vector per element type, which lower_to_stablehlo/
scalars.py describes. StableHLO's own operations stay, and what is in their regions is lowered.
An argument marked `lazy.donated = i` becomes `tf.aliasing_output = i`, which is what XLA reads.
Never changes the number, order or types of the other arguments and of the results.
"""

from __future__ import annotations

from dataclasses import dataclass

from lazymlir.dialect import OPS, Node, TensorType, TypeRuleError, read_attributes, tensor_type
from lazymlir.mlir import ir

from .base import Pass, PassError, functions, register
from .lower_to_stablehlo import LOWERINGS, Emitter
from .lower_to_stablehlo.scalars import pack_scalars
from .rewrite import everything, nodes, replace


@register
@dataclass(frozen=True)
class LowerToStablehlo(Pass):
    """Lower lazy operations to StableHLO, pack the scalars, mark donated arguments for XLA."""

    name = "lazy-lower-to-stablehlo"

    def run(self, module: ir.Module) -> dict[str, int]:
        lowered = 0
        for function in list(functions(module)):
            types: dict[TensorType, ir.Type] = {}
            pack_scalars(function, everything(function), types)
            _update_type(function)
            for op in everything(function):
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
