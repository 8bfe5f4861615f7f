"""A graph for people: the short form of the LazyTensor paper's Figure 1a, and Graphviz source of its Figure 1b."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, cast

from lazymlir.mlir import ir

from .attributes import NUMBER
from .control import uses_in
from .declare import OPS
from .register import read_attributes, tensor_type
from .types import TensorType

__all__ = ["graphviz", "short_form"]


@dataclass
class _Line:
    """One node: `%number = type name(operands), attributes`."""

    number: int
    type: str
    name: str
    operands: list[str]
    attributes: dict[str, str]
    roots: list[int] = field(default_factory=list[int])

    def __str__(self) -> str:
        extra = "".join(f", {key}={value}" for key, value in self.attributes.items())
        root = "".join(f", ROOT={root}" for root in self.roots)
        return f"%{self.number} = {self.type} {self.name}({', '.join(self.operands)}){extra}{root}"


def _type_text(type_: TensorType) -> str:
    return f"{type_.dtype}[{','.join(map(str, type_.shape))}]"


def _attribute_text(value: Any) -> str:
    if isinstance(value, tuple):
        return f"[{','.join(_attribute_text(item) for item in cast('tuple[Any, ...]', value))}]"
    return str(value)


def _attributes(op: ir.Operation) -> dict[str, str]:
    name = op.name.removeprefix("lazy.")
    values = read_attributes(OPS[name], op) if op.name.startswith("lazy.") and name in OPS else {}
    if name == "scalar":
        values = {"kind": values["kind"]}
        if "value" in op.attributes:
            values["value"] = NUMBER.read(op.attributes["value"])
    return {key: _attribute_text(value) for key, value in values.items()}


def _lines(function: ir.Operation) -> Iterator[_Line]:
    block = function.regions[0].blocks[0]
    names: dict[Any, str] = {}
    lines: list[_Line] = []
    by_value: dict[Any, _Line] = {}

    def add(values: Any, name: str, operands: list[str], attributes: dict[str, str]) -> None:
        number = len(lines)
        types = [_type_text(tensor_type(value.type)) for value in values]
        line = _Line(number, types[0] if len(types) == 1 else f"({', '.join(types)})", name, operands, attributes)
        for i, value in enumerate(values):
            names[value] = f"%{number}" if len(types) == 1 else f"%{number}.{i}"
            by_value[value] = line
        lines.append(line)

    for argument in block.arguments:
        add([argument], "device_data", [], {})
    for op in block.operations:
        operation = op.operation
        if operation.name == "func.return":
            for root, value in enumerate(operation.operands):
                by_value[value].roots.append(root)
            continue
        within = [op.operands[number] for region in operation.regions for op, number in uses_in(region)]
        operands = [*(names[value] for value in operation.operands), *dict.fromkeys(names[value] for value in within if value in names)]
        add(list(operation.results), operation.name.removeprefix("lazy."), operands, _attributes(operation))
    yield from lines


def short_form(function: ir.Operation) -> str:
    """One line per node, in order; `ROOT=i` marks result i. What regions use of the values is an operand of their operation.

    IR {
      %0 = f32[2,4] device_data()
      %1 = f32[4,2] permute(%0), dims=[1,0], ROOT=0
    }
    """
    return "IR {\n" + "".join(f"  {line}\n" for line in _lines(function)) + "}"


def graphviz(function: ir.Operation) -> str:
    """The same nodes as a directed graph from operands to users."""
    parts = ["digraph lazy {", "  node [shape=box, fontname=monospace];"]
    for line in _lines(function):
        label = "\\n".join([f"{line.name}", line.type, *(f"{key}={value}" for key, value in line.attributes.items())])
        style = ", style=filled, fillcolor=lightgrey" if line.roots else ", style=dashed" if not line.operands else ""
        parts.append(f'  n{line.number} [label="{label}"{style}];')
        parts += [f"  n{operand.lstrip('%').split('.')[0]} -> n{line.number};" for operand in line.operands]
    return "\n".join([*parts, "}"])
