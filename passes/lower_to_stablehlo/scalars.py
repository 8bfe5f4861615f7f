"""Packs what the host gives at each run into one vector per element type: new last arguments, in the order of `VECTORS`.

Which slot of the step's scalars each element holds is left on the function as `lazy.slots_<type>`. The graph's own numbers
(`lazy.count`, and where the elements of each `lazy.table` begin) are left as `lazy.numbers`; they are slots -1, -2, ...,
counted from the end of the step's.
"""

from __future__ import annotations

from collections.abc import Sequence

from lazymlir.dialect import Node, TensorType, tensor_type
from lazymlir.dialect.attributes import INT, INTS, element_type
from lazymlir.mlir import ir

from ..rewrite import replace
from .registry import Emitter, i64s

__all__ = ["NUMBERS", "VECTORS", "pack_scalars", "slots_attribute"]

VECTORS = ("f64", "i64", "complex<f64>")
"""Element types of the packed vectors, in the order of the arguments."""

NUMBERS = "lazy.numbers"

SMALLEST_WITH_TABLES = 256
"""A vector with tables has so many elements, or the next power of two: the length of a table is no part of the types."""


def slots_attribute(dtype: str) -> str:
    """The function attribute that lists the slots packed in the vector of this element type."""
    return f"lazy.slots_{dtype.replace('<', '_').replace('>', '')}"


def pack_scalars(function: ir.Operation, operations: Sequence[ir.Operation], types: dict[TensorType, ir.Type]) -> None:
    """Replaces the operations that are host numbers, of all operations of the function."""
    slots: dict[str, list[int]] = {dtype: [] for dtype in VECTORS}
    numbers: list[int] = []

    def own(number: int) -> int:
        """The place in the vector of integers of a number of the graph's own."""
        numbers.append(number)
        slots["i64"].append(-len(numbers))
        return len(slots["i64"]) - 1

    elements: list[tuple[ir.Operation, str, int]] = []
    tables: list[tuple[ir.Operation, str, int]] = []
    for op in operations:
        if op.name == "lazy.count":
            elements.append((op, "i64", own(INT.read(op.attributes["value"]))))
        elif op.name == "lazy.scalar":
            dtype = tensor_type(op.results[0].type).dtype
            slots[dtype].append(INT.read(op.attributes["slot"]))
            elements.append((op, dtype, len(slots[dtype]) - 1))
        elif op.name == "lazy.table":
            tables.append((op, tensor_type(op.results[0].type).dtype, own(0)))
    for op, dtype, start in tables:  # behind all single elements
        numbers[-slots["i64"][start] - 1] = len(slots[dtype])
        slots[dtype] += INTS.read(op.attributes["slots"])
    for dtype in {dtype for _, dtype, _ in tables}:
        wanted = max(SMALLEST_WITH_TABLES, 1 << (len(slots[dtype]) - 1).bit_length())
        slots[dtype] += [-1] * (wanted - len(slots[dtype]))
    vectors = {dtype: _add_argument(function, dtype, slots[dtype]) for dtype in VECTORS if slots[dtype]}
    if numbers:
        function.attributes[NUMBERS] = ir.DenseI64ArrayAttr.get(numbers)
    for op, dtype, place in elements:
        emitter = Emitter(ir.InsertionPoint(op), op.location, types)
        replace(op, [_element(emitter, vectors[dtype], place).value])
    for op, dtype, start in tables:
        emitter = Emitter(ir.InsertionPoint(op), op.location, types)
        index = Node(op.operands[0], TensorType((), "i64"))
        place = emitter.op("add", index.type, _element(emitter, vectors["i64"], start), index)
        one = TensorType((1,), dtype)
        replace(op, [emitter.reshape(emitter.op("dynamic_slice", one, vectors[dtype], place, slice_sizes=i64s([1])), ()).value])


def _add_argument(function: ir.Operation, dtype: str, slots: Sequence[int]) -> Node:
    function.attributes[slots_attribute(dtype)] = ir.DenseI64ArrayAttr.get(list(slots))
    type_ = TensorType((len(slots),), dtype)
    block = function.regions[0].blocks[0]
    return Node(block.add_argument(ir.RankedTensorType.get([len(slots)], element_type(dtype)), function.location), type_)


def _element(emitter: Emitter, vector: Node, place: int) -> Node:
    return emitter.reshape(emitter.slice(vector, [place], [1]), ())
