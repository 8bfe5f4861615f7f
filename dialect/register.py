"""Turns the declarations into an IRDL dialect: one operation class each, whose verifier is the declaration's type rule.

The bindings read the annotations of these classes as objects, so this file cannot postpone their evaluation.
"""

import types
from collections.abc import Callable, Sequence
from typing import Any

from lazymlir.mlir import ext, ir

from .declare import OPS, OpDef, TypeRuleError
from .types import TensorType

__all__ = ["Lazy", "load", "operand_types", "read_attributes", "tensor_type"]


class Lazy(ext.Dialect, name="lazy"):
    """The dialect object that the bindings load."""


class View(Lazy.Attribute, name="view"):
    """`#lazy.view<"permute", [array<i64: 1, 0>]>`: one step of a view chain (see views.py)."""

    kind: ir.StringAttr
    args: ir.ArrayAttr


# Reading a type through the bindings costs 5 us. Cleared with each new context, since a type keeps its context alive.
_known_types: dict[ir.Type, TensorType] = {}

_verified: set[tuple[Any, ...]] = set()
"""Operations that hold, by all that it depends on: passes leave most as they are, and a graph has the same few again and again."""


def tensor_type(type_: ir.Type) -> TensorType:
    """The plain form of an MLIR tensor type; TypeRuleError for any other type, and for dynamic or unranked tensors."""
    known = _known_types.get(type_)
    return known if known is not None else _known_types.setdefault(type_, _read_tensor_type(type_))


def _read_tensor_type(type_: ir.Type) -> TensorType:
    if not isinstance(type_, ir.RankedTensorType):
        raise TypeRuleError(f"{type_} is no ranked tensor")
    ranked = ir.RankedTensorType(type_)
    if not ranked.has_static_shape:
        raise TypeRuleError(f"{type_} has a dynamic dimension; lazy has static shapes only")
    return TensorType(tuple(ranked.shape), str(ranked.element_type))


def operand_types(op: ir.Operation) -> tuple[TensorType, ...]:
    return tuple(tensor_type(operand.type) for operand in op.operands)


def read_attributes(definition: OpDef, op: ir.Operation) -> dict[str, Any]:
    """The declared attributes of `op` as Python values; TypeRuleError names a missing or mistyped one."""
    values: dict[str, Any] = {}
    for name, kind in definition.attributes.items():
        if name not in op.attributes:
            raise TypeRuleError(f"attribute '{name}' ({kind.spelling}) is missing")
        try:
            values[name] = kind.read(op.attributes[name])
        except TypeRuleError:
            raise
        except (ValueError, TypeError) as error:
            raise TypeRuleError(f"attribute '{name}' must be of kind {kind.spelling}, got {op.attributes[name]}") from error
    return values


def _verifier(definition: OpDef) -> Callable[[Any], bool]:
    def verify_invariants(self: Any) -> bool:
        op = self.operation
        key = (definition.name, *[operand.type for operand in op.operands], None, *op.attributes.items(), None, *[r.type for r in op.results])
        if key in _verified:
            return True
        try:
            given = tuple(tensor_type(result.type) for result in op.results)
            attributes = read_attributes(definition, op)
            inferred = definition.infer(operand_types(op), attributes, given[0] if given else None)
        except TypeRuleError as error:
            op.location.emit_error(f"lazy.{definition.name}: {error}")
            return False
        except Exception as error:  # an exception that leaves a verifier loses every diagnostic gathered so far
            op.location.emit_error(f"lazy.{definition.name}: the type rule failed: {type(error).__name__}: {error}")
            return False
        if inferred != given:
            wanted, got = (", ".join(map(str, side)) for side in (inferred, given))
            op.location.emit_error(f"lazy.{definition.name}: result type is {got}, but the operands give {wanted}")
            return False
        _verified.add(key)
        return True

    return verify_invariants


def _make_class(definition: OpDef) -> None:
    annotations: dict[str, Any] = {}
    for operand in definition.operands:
        annotations[operand.lstrip("*")] = Sequence[ext.Operand[Any]] if operand.startswith("*") else ext.Operand[Any]
    annotations.update(dict.fromkeys(definition.attributes, Any))
    annotations.update(dict.fromkeys(definition.results, ext.Result[Any]))

    def fill(namespace: dict[str, Any]) -> None:
        namespace.update(__annotations__=annotations, __module__=__name__, __doc__=definition.summary)
        namespace["verify_invariants"] = _verifier(definition)

    traits = [ext.Pure] if definition.pure else []
    types.new_class(definition.name, (Lazy.Operation,), {"name": definition.name, "traits": traits}, fill)


_made = False


def load() -> None:
    """Loads the dialect into the current context (the caller holds the lock of lazymlir.mlir)."""
    global _made
    if not _made:
        _made = True
        for definition in OPS.values():
            _make_class(definition)
    _known_types.clear()
    _verified.clear()
    Lazy.load()
    Lazy._mlir_module = None  # the class would keep the last context alive for ever
