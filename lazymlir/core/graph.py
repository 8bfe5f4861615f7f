"""From a trace to a graph: a function in the `lazy` dialect whose results are the wanted values."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from lazymlir.dialect import Builder, Node, TensorType, clone
from lazymlir.dialect.attributes import NUMBER, element_type
from lazymlir.mlir import func, ir, shared_context

from .locations import Location, resolve

if TYPE_CHECKING:
    from .trace import Signature, Trace

__all__ = ["Graph", "build", "mlir_location"]


@dataclass
class Graph:
    """`module` has one public function `main`; argument i is leaf `leaves[i]`, result i is value `results[i]`, and if it
    is `checked`, one more result has what each check found, one after another."""

    module: ir.Module
    leaves: list[int]
    results: tuple[int, ...]
    checked: bool


def build(trace: Trace, results: Sequence[int], dying: Collection[int] = (), general: Collection[int] = (), checked: bool = False) -> Graph:
    """The graph of what `results` need and, if it is `checked`, of all that the trace requires of values. Arguments that
    `dying` names are marked `lazy.dies`; scalars that `general` names are never specialised."""
    return _Build(trace, tuple(results), dying, general, checked).graph()


class _Noting(Builder):
    """Keeps the operations that it makes."""

    def __init__(self, point: ir.InsertionPoint, loc: ir.Location) -> None:
        super().__init__(point, loc)
        self.noted: list[ir.Operation] = []

    def made(self, operation: ir.Operation) -> None:
        self.noted.append(operation)


class _Template(NamedTuple):
    """What a record became: operations with the numbers of their operands, and the numbers and types of its results. Its
    operands and scalars are numbered first, then the results of the operations."""

    operations: list[tuple[ir.Operation, list[int]]]
    results: list[tuple[int, TensorType]]

    @classmethod
    def of(cls, inputs: Sequence[Node], operations: Sequence[ir.Operation], made: Sequence[Node]) -> _Template | None:
        """None where it cannot be told what comes from where: two inputs are one value, or there is more than these operations."""
        numbers = {node.value: number for number, node in enumerate(inputs)}
        if len(numbers) < len(inputs):
            return None
        copied: list[tuple[ir.Operation, list[int]]] = []
        try:
            for op in operations:
                copied.append((op, [numbers[operand] for operand in op.operands]))
                for value in op.results:
                    numbers[value] = len(numbers)
            return cls(copied, [(numbers[node.value], node.type) for node in made])
        except KeyError:
            return None

    def copy(self, point: ir.InsertionPoint, inputs: Sequence[Node]) -> list[Node]:
        values = [node.value for node in inputs]
        for op, operands in self.operations:
            values.extend(clone(op, point, [values[number] for number in operands]).results)
        return [Node(values[number], type_) for number, type_ in self.results]


class _Build:
    def __init__(self, trace: Trace, results: tuple[int, ...], dying: Collection[int], general: Collection[int], checked: bool) -> None:
        self.checked = checked
        self.trace = trace
        self.records = trace.records
        self.results = results
        self.dying = dying
        self.general = general
        self.result_types: list[TensorType] = [type_ for signature, _ in self.records for type_ in signature.result_types]
        # A result may be a leaf only where a graph is made to be looked at: a barrier wants pending values.
        self.leaf_types = {~number: trace.leaf_type(~number) for number in results if number < 0}
        self.live = self._live_records()
        self._templates: dict[tuple[Signature, ir.Location], _Template | None] = {}

    def _live_records(self) -> list[int]:
        """The records that the results and checks need, in order; also finds the types of the leaves used."""
        needed = set(self.results)
        live = []
        for place in range(len(self.records) - 1, -1, -1):
            signature, operands = self.records[place]
            if needed.isdisjoint(self.trace.script.results_of(place)) and not (self.checked and signature.checks):
                continue
            live.append(place)
            for number, type_ in zip(operands, signature.operand_types, strict=True):
                if number >= 0:
                    needed.add(number)
                else:
                    self.leaf_types[~number] = type_
        return live[::-1]

    def graph(self) -> Graph:
        context = shared_context()
        leaves = sorted(self.leaf_types)
        with context, ir.Location.unknown():
            module = ir.Module.create()
            module.operation.attributes["sym_name"] = ir.StringAttr.get("lazy")
            inputs = [_mlir_type(self.leaf_types[leaf]) for leaf in leaves]
            outputs = [_mlir_type(self.result_types[number] if number >= 0 else self.leaf_types[~number]) for number in self.results]
            if self.checked:
                count = sum(len(signature.checks) for signature, _ in self.records)
                outputs.append(_mlir_type(TensorType((2 * count,), "i64")))
            with ir.InsertionPoint(module.body):
                function = func.FuncOp("main", (inputs, outputs), visibility="public")
            block = function.add_entry_block()
            self._mark_dying(function, leaves)
            self._fill(block, leaves)
        return Graph(module, leaves, self.results, self.checked)

    def _mark_dying(self, function: func.FuncOp, leaves: list[int]) -> None:
        unit = {"lazy.dies": ir.UnitAttr.get()}
        marks = [ir.DictAttr.get(unit if leaf in self.dying else {}) for leaf in leaves]
        function.attributes["arg_attrs"] = ir.ArrayAttr.get(marks)

    def _fill(self, block: ir.Block, leaves: list[int]) -> None:
        point = ir.InsertionPoint(block)
        builder = _Noting(point, ir.Location.unknown())
        nodes: dict[int, Node] = {~leaf: Node(argument, self.leaf_types[leaf]) for leaf, argument in zip(leaves, block.arguments, strict=True)}
        known: dict[Location, ir.Location] = {}  # a loop's operations have the same few
        for place in self.live:
            signature, operands = self.records[place]
            location = self.trace.location(place)
            builder.loc = known.get(location) or known.setdefault(location, mlir_location(location))
            made = self._emit(builder, signature, [nodes[number] for number in operands], self._scalars(builder, place))
            for number, node, type_ in zip(self.trace.script.results_of(place), made, signature.result_types, strict=True):
                if node.type != type_:
                    raise AssertionError(f"internal error: {signature.name} emits {node.type} where {type_} was recorded; please report this")
                nodes[number] = node
        builder.loc = ir.Location.unknown()
        checks = [builder.join([check.found for check in builder.checks], 0)] if self.checked else []
        func.ReturnOp([node.value for node in (*(nodes[number] for number in self.results), *checks)], loc=builder.loc, ip=point)

    def _emit(self, builder: _Noting, signature: Signature, operands: list[Node], scalars: list[Node]) -> Sequence[Node]:
        """What a record computes. An equal one from the same place is a copy of the first: a loop has many."""
        inputs = [*operands, *scalars]
        key = signature, builder.loc
        known = self._templates.get(key)
        if known is not None:
            return known.copy(builder.point, inputs)
        builder.noted.clear()
        made = signature.emit(builder, operands, scalars)
        if key not in self._templates:
            self._templates[key] = None if signature.checks else _Template.of(inputs, builder.noted, made)
        return made

    def _scalars(self, builder: Builder, place: int) -> list[Node]:
        nodes = []
        for i, kind in enumerate(self.records[place][0].slot_kinds):
            slot = self.trace.script.slot_ends[place] + i
            node = builder.scalar(slot=slot, kind=kind)
            attributes = node.value.owner.attributes
            attributes["value"] = NUMBER.write(_slot_number(kind, self.trace.slots[slot]))
            if slot in self.general:
                attributes["general"] = ir.UnitAttr.get()
            nodes.append(node)
        return nodes


def _slot_number(kind: str, value: complex) -> complex:
    if kind == "float":
        return float(value.real)
    return complex(value) if kind == "complex" else int(value.real)


def _mlir_type(type_: TensorType) -> ir.Type:
    return ir.RankedTensorType.get(list(type_.shape), element_type(type_.dtype))


def mlir_location(location: Location) -> ir.Location:
    """In the current context."""
    place = resolve(location)
    return ir.Location.file(place.file, place.line, 0) if place.line else ir.Location.unknown()
