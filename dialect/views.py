"""View chains: how a strided view is read from the value of its base, as a list of steps.

A step is a tuple: its kind, then its static arguments. Starts are no part of a step (a changed start must not change the
graph), so a step only says how many it takes.

    ("permute", dims)            ("reshape", shape)        ("expand", shape)        ("bitcast", dtype)
    ("slice", sizes, steps)      takes a start for each dimension that it does not keep whole
    ("strided", sizes, strides)  reads a flat base at any strides; takes one start
    ("real",), ("imag",)         a part of a complex value
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lazymlir.mlir import ir

from .attributes import DTYPE, INTS, AttributeKind
from .declare import TypeRuleError, require
from .shape import DYNAMIC
from .types import TensorType

if TYPE_CHECKING:
    from .builder import Builder, Node

__all__ = ["CHAIN", "Chain", "Step", "chain_starts", "chain_type", "read_chain", "read_step", "step_starts", "step_type"]

Step = tuple[Any, ...]
Chain = tuple[Step, ...]

# kind: names of its arguments, each a list of integers or (dtype) a type
_ARGUMENTS = {
    "permute": ("dims",),
    "reshape": ("shape",),
    "expand": ("shape",),
    "bitcast": ("dtype",),
    "slice": ("sizes", "steps"),
    "strided": ("sizes", "strides"),
    "real": (),
    "imag": (),
}


def dynamic_dims(x: TensorType, step: Step) -> list[int]:
    """The dimensions of a slice step that take a start: those not kept whole."""
    return [dim for dim, size in enumerate(step[1]) if size != x.shape[dim]]


def step_starts(x: TensorType, step: Step) -> int:
    """How many starts the step takes."""
    if step[0] == "slice":
        return len(dynamic_dims(x, step))
    return 1 if step[0] == "strided" else 0


def step_type(x: TensorType, step: Step) -> TensorType:
    """The type after one step from `x`; TypeRuleError where the step does not fit."""
    from .declare import OPS

    kind, *args = step
    require(kind in _ARGUMENTS and len(args) == len(_ARGUMENTS[kind]), f"{step} is no view step")
    if kind == "slice":
        starts = [DYNAMIC if size != x.shape[dim] else 0 for dim, size in enumerate(args[0])] if len(args[0]) == x.rank else []
        operands = (TensorType((), "i64"),) * starts.count(DYNAMIC)
        return OPS["slice"].rule(x, operands, tuple(starts), *args)
    if kind == "strided":
        return OPS["strided"].rule(x, TensorType((), "i64"), *args)
    return OPS[kind].rule(x, *args)


def chain_types(x: TensorType, chain: Chain) -> list[TensorType]:
    """`x` and the type after each step."""
    types = [x]
    for step in chain:
        types.append(step_type(types[-1], step))
    return types


def chain_type(x: TensorType, chain: Chain) -> TensorType:
    return chain_types(x, chain)[-1]


def read_step(b: Builder, x: Node, step: Step, starts: Sequence[Node]) -> Node:
    """The forward operation of one step."""
    kind, *args = step
    if kind == "slice":
        whole = [DYNAMIC if size != x.shape[dim] else 0 for dim, size in enumerate(args[0])]
        return b.slice(x, *starts, starts=whole, sizes=args[0], steps=args[1])
    if kind == "strided":
        return b.strided(x, starts[0], sizes=args[0], strides=args[1])
    return b.emit(kind, (x,), dict(zip(_ARGUMENTS[kind], args, strict=True)))


def split_starts(types: Sequence[TensorType], chain: Chain, starts: Sequence[Any]) -> list[Sequence[Any]]:
    """The starts of each step, given the types along the chain."""
    parts: list[Sequence[Any]] = []
    for x, step in zip(types, chain, strict=False):
        count = step_starts(x, step)
        parts.append(starts[:count])
        starts = starts[count:]
    return parts


def read_chain(b: Builder, x: Node, chain: Chain, starts: Sequence[Node]) -> list[Node]:
    """`x` and the value after each step."""
    nodes = [x]
    for step, part in zip(chain, split_starts(chain_types(x.type, chain), chain, starts), strict=True):
        nodes.append(read_step(b, nodes[-1], step, part))
    return nodes


def chain_starts(base: TensorType, chain: Chain) -> int:
    """How many starts the whole chain takes from a base of this type."""
    return sum(step_starts(x, step) for x, step in zip(chain_types(base, chain), chain, strict=False))


def _write_step(step: Step) -> ir.Attribute:
    from .register import View

    kind, *args = step
    written = [ir.TypeAttr.get(ir.Type.parse(arg)) if isinstance(arg, str) else ir.DenseI64ArrayAttr.get(list(arg)) for arg in args]
    return View.get(ir.StringAttr.get(kind), ir.ArrayAttr.get(written))


def _read_step_attribute(attribute: Any) -> Step:
    kind = ir.StringAttr(attribute.kind).value
    if kind not in _ARGUMENTS:
        raise TypeRuleError(f"{kind!r} is no view step: expected one of {', '.join(_ARGUMENTS)}")
    names = _ARGUMENTS[kind]
    return (kind, *((DTYPE if names[i : i + 1] == ("dtype",) else INTS).read(a) for i, a in enumerate(ir.ArrayAttr(attribute.args))))


def _read_chain_attribute(attribute: ir.Attribute) -> Chain:
    from .register import View

    steps = list(ir.ArrayAttr(attribute))
    if not all(isinstance(step, View) for step in steps):
        raise TypeError("a chain is an array of #lazy.view")
    return tuple(_read_step_attribute(step) for step in steps)


CHAIN = AttributeKind("array<#lazy.view>", lambda chain: ir.ArrayAttr.get([_write_step(step) for step in chain]), _read_chain_attribute)
