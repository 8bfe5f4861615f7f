"""Pairs arguments whose buffer dies with the graph with results that may take over their memory.

    func.func @f(%w: tensor<8xf32> {lazy.dies}, %g: tensor<8xf32>) -> tensor<8xf32> {
      %0 = "lazy.sub"(%w, %g) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
becomes
    func.func @f(%w: tensor<8xf32> {lazy.dies, lazy.donated = 0 : i64}, %g: tensor<8xf32>) -> tensor<8xf32> {

A result that is computed in place from an argument is the best partner: XLA then needs no copy (LazyTensor paper,
section on buffer aliasing). A result that is an argument itself takes part in no pair. Each argument and each result
stands in one pair at most, and both have one type.
Never changes an operation, nor which arguments die.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lazymlir.dialect import OPS, TensorType, tensor_type
from lazymlir.mlir import ir

from .base import Pass, functions, register

__all__ = ["LazyDonate"]

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
        attributes = _argument_attributes(function)
        dying = [index for index, entries in enumerate(attributes) if DIES in entries]
        if not dying:
            return 0
        block = function.regions[0].blocks[0]
        types = [tensor_type(argument.type) for argument in block.arguments]
        dying = [index for index in dying if types[index].nbytes >= max(self.minimum_bytes, 1)]
        returned = list(block.operations[len(block.operations) - 1].operation.operands)
        pairs = _pair({index: types[index] for index in dying}, returned)
        _write(function, attributes, pairs)
        return len(pairs)


def _argument_attributes(function: ir.Operation) -> list[dict[str, ir.Attribute]]:
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


def _pair(dying: dict[int, TensorType], returned: Sequence[ir.Value]) -> dict[int, int]:
    """From argument to result."""
    free = {index: tensor_type(value.type) for index, value in enumerate(returned) if not isinstance(value, ir.BlockArgument)}
    origins: dict[ir.Value, int | None] = {}
    pairs: dict[int, int] = {}
    for result, type_ in list(free.items()):
        argument = _origin(returned[result], origins)
        if argument is not None and argument not in pairs and dying.get(argument) == type_:
            pairs[argument] = result
            del free[result]
    for argument, type_ in dying.items():
        result = next((index for index, offered in free.items() if offered == type_), None)
        if argument not in pairs and result is not None:
            pairs[argument] = result
            del free[result]
    return pairs


def _origin(value: ir.Value, known: dict[ir.Value, int | None]) -> int | None:
    """The argument that `value` is computed from in place, by way of operations that may overwrite an operand."""
    path: list[ir.Value] = []
    current: ir.Value | None = value
    while current is not None and current not in known and not isinstance(current, ir.BlockArgument):
        path.append(current)
        current = _overwritten(current)
    if current is None:
        origin = None
    else:
        origin = ir.BlockArgument(current).arg_number if isinstance(current, ir.BlockArgument) else known[current]
    known.update(dict.fromkeys(path, origin))
    return origin


def _overwritten(value: ir.Value) -> ir.Value | None:
    """The operand whose memory the operation that makes `value` may reuse."""
    op = value.owner
    name = op.name.removeprefix("lazy.")
    if name in _UPDATES:
        return op.operands[0]
    if name not in OPS or "pointwise" not in OPS[name].groups:
        return None
    return next((operand for operand in op.operands if operand.type == value.type), None)
