"""Pairs arguments whose buffer dies with the graph with results that may take over their memory.

    func.func @f(%w: tensor<8xf32> {lazy.dies}, %g: tensor<8xf32>) -> tensor<8xf32> {
      %0 = "lazy.sub"(%w, %g) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
becomes
    func.func @f(%w: tensor<8xf32> {lazy.dies, lazy.donated = 0 : i64}, %g: tensor<8xf32>) -> tensor<8xf32> {

A result that is computed in place from an argument is the best partner: XLA then needs no copy (LazyTensor paper,
section on aliasing). A result that is an argument itself takes part in no pair. Each argument and each result
stands in one pair at most, and both have one type.
Never changes an operation, nor which arguments die.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lazymlir.dialect import OPS, TensorType, tensor_type
from lazymlir.mlir import ir

from .base import Pass, functions, register
from .rewrite import body

__all__ = ["DONATED", "LazyDonate", "argument_attributes"]

DIES, DONATED = "lazy.dies", "lazy.donated"

# Operations whose result is their first operand with some elements replaced.
_UPDATES = frozenset({"update_slice", "strided_update", "write_view", "scatter", "index_put"})


@register
@dataclass(frozen=True)
class LazyDonate(Pass):
    """Pair arguments that die with the graph with results that may take over their memory."""

    name = "lazy-donate"

    minimum_bytes: int = 0

    def run(self, module: ir.Module) -> dict[str, int]:
        return {"arguments donated": sum(self._donate(function) for function in functions(module))}

    def _donate(self, function: ir.Operation) -> int:
        attributes = argument_attributes(function)
        dying = [index for index, entries in enumerate(attributes) if DIES in entries]
        if not dying:
            return 0
        dies = {argument: type_ for argument, type_ in _arguments(function, dying) if type_.nbytes >= max(self.minimum_bytes, 1)}
        pairs = _pair(function, dies)
        _write(function, attributes, pairs)
        return len(pairs)


def _arguments(function: ir.Operation, indices: Sequence[int]) -> list[tuple[ir.BlockArgument, TensorType]]:
    arguments = function.regions[0].blocks[0].arguments
    return [(arguments[index], tensor_type(arguments[index].type)) for index in indices]


def argument_attributes(function: ir.Operation) -> list[dict[str, ir.Attribute]]:
    """The attributes of each argument; nothing where no argument has any."""
    if "arg_attrs" not in function.attributes:
        return []
    return [{entry.name: entry.attr for entry in ir.DictAttr(entries)} for entries in ir.ArrayAttr(function.attributes["arg_attrs"])]


def _write(function: ir.Operation, attributes: Sequence[dict[str, ir.Attribute]], pairs: dict[int, int]) -> None:
    integer = ir.IntegerType.get_signless(64, function.context)
    for index, entries in enumerate(attributes):
        entries.pop(DONATED, None)
        if index in pairs:
            entries[DONATED] = ir.IntegerAttr.get(integer, pairs[index])
    function.attributes["arg_attrs"] = ir.ArrayAttr.get([ir.DictAttr.get(entries) for entries in attributes])


def _pair(function: ir.Operation, dies: dict[ir.BlockArgument, TensorType]) -> dict[int, int]:
    """From argument to result: first where a result is an argument with elements replaced, then where it may be computed
    in its place, then where the types are equal."""
    *operations, terminator = body(function)
    free = {index: value for index, value in enumerate(terminator.operands) if not isinstance(value, ir.BlockArgument)}
    types = {index: tensor_type(value.type) for index, value in free.items()}
    pairs: dict[ir.BlockArgument, int] = {}
    for pointwise in (False, True):
        origins = _origins(operations, dies, pointwise)
        for result, value in list(free.items()):
            argument = origins.get(value)
            if argument is not None and argument not in pairs and dies[argument] == types[result]:
                pairs[argument] = result
                del free[result]
    rest: dict[TensorType, list[int]] = {}
    for result in reversed(free):
        rest.setdefault(types[result], []).append(result)
    for argument, type_ in dies.items():
        if argument not in pairs and rest.get(type_):
            pairs[argument] = rest[type_].pop()
    return {argument.arg_number: result for argument, result in pairs.items()}


def _origins(operations: Sequence[ir.Operation], dies: dict[ir.BlockArgument, TensorType], pointwise: bool) -> dict[ir.Value, ir.BlockArgument]:
    """For each value that may be computed in the place of a dying argument: that argument."""
    origins: dict[ir.Value, ir.BlockArgument] = {argument: argument for argument in dies}
    for op in operations:
        place = next((origins[operand] for operand in _overwritten(op, pointwise) if operand in origins), None)
        if place is not None:
            origins[op.results[0]] = place
    return origins


def _overwritten(op: ir.Operation, pointwise: bool) -> Sequence[ir.Value]:
    """The operands whose memory the result may take, the best first."""
    name = op.name.removeprefix("lazy.")
    if name in _UPDATES:
        return op.operands[:1]
    if not pointwise or name not in OPS or "pointwise" not in OPS[name].groups:
        return ()
    return [operand for operand in op.operands if operand.type == op.results[0].type]
