"""Makes host numbers that are 0 or 1 in this run constants of the graph, so that x * 1 and x + 0 can vanish.

    %0 = "lazy.scalar"() {slot = 3 : i64, kind = "float", value = 1.0 : f64} : () -> tensor<f64>
    %1 = "lazy.scalar"() {slot = 4 : i64, kind = "float", value = 0.9 : f64} : () -> tensor<f64>
becomes
    %0 = "lazy.constant"() {value = 1.0 : f64, slot = 3 : i64} : () -> tensor<f64>
    %1 = "lazy.scalar"() {slot = 4 : i64, kind = "float"} : () -> tensor<f64>

`slot` on a constant says that the graph holds only while that slot has that value; `conditions` gathers them, and
`lazy-canonicalize` forgets them. The exponent of x ** 2 becomes a constant as well, and any other for which there is a shorter formula.
No other number of this run stays in the text. Indices, keys and flags are never specialised, nor is a scalar marked `general`.
Never merges two scalars because their values are equal: lr == momentum must not change the graph.
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass

from lazymlir.dialect import tensor_type
from lazymlir.dialect.attributes import INT, NUMBER, STRING
from lazymlir.dialect.elementwise import short_powers
from lazymlir.dialect.types import BOOL
from lazymlir.mlir import ir

from .base import Pass, PassError, functions, register
from .rewrite import builder_before, everything, replace

__all__ = ["LazySpecializeScalars", "conditions"]

# The kinds of scalars that may become constants, and the Python type of their numbers.
_SPECIALIZED: dict[str, type] = {"float": float, "int": int, "complex": complex}


@register
@dataclass(frozen=True)
class LazySpecializeScalars(Pass):
    """Make host numbers that are 0 or 1 constants of the graph."""

    name = "lazy-specialize-scalars"

    def run(self, module: ir.Module) -> dict[str, int]:
        specialized = 0
        for function in functions(module):
            for op in everything(function):
                if op.name == "lazy.scalar":
                    specialized += _specialize(op)
        return {"scalars specialized": specialized}


def conditions(function: ir.Operation) -> tuple[tuple[int, complex], ...]:
    """After the pass: the slots that this graph takes to be constant, and their values."""
    constants = [op for op in everything(function) if op.name == "lazy.constant" and "slot" in op.attributes]
    return tuple((INT.read(op.attributes["slot"]), NUMBER.read(op.attributes["value"])) for op in constants)


def _specialize(op: ir.Operation) -> bool:
    attributes = op.attributes
    general = "general" in attributes
    if general:
        del attributes["general"]
    if "value" not in attributes:
        return False
    kind, value = STRING.read(attributes["kind"]), _value(op)
    del attributes["value"]
    if general or kind not in _SPECIALIZED or not (_is_zero_or_one(value) or _shortens_a_power(op, value)) or _is_flag(op):
        return False
    made = builder_before(op).constant(value, tensor_type(op.results[0].type))
    made.value.owner.attributes["slot"] = attributes["slot"]
    replace(op, [made.value])
    return True


def _value(op: ir.Operation) -> complex:
    """This run's number; a located error where it is none of the scalar's kind."""
    kind = STRING.read(op.attributes["kind"])
    with suppress(ValueError, TypeError):
        value = NUMBER.read(op.attributes["value"])
        if type(value) is _SPECIALIZED.get(kind, int):
            return value
    op.location.emit_error(f"lazy.scalar: the value of a scalar of kind {kind} cannot be {op.attributes['value']}")
    raise PassError(op.name)


def _shortens_a_power(op: ir.Operation, value: complex) -> bool:
    """Whether a scalar is the exponent of a power for which there is a shorter formula."""
    for use in op.results[0].uses:
        user = use.owner
        if user.name == "lazy.cast" and _shortens_a_power(user, value):
            return True
        if user.name == "lazy.pow_scalar" and use.operand_number == 1:
            return value in short_powers(tensor_type(user.results[0].type).dtype)
    return False


def _is_flag(op: ir.Operation) -> bool:
    """Whether a scalar is only read as a boolean, which is 0 or 1 at any time."""
    users = [use.owner for use in op.results[0].uses]
    return bool(users) and all(user.name == "lazy.cast" and tensor_type(user.results[0].type).dtype == BOOL for user in users)


def _is_zero_or_one(value: complex) -> bool:
    if isinstance(value, complex):
        return _is_zero_or_one(value.real) and value.imag == 0 and math.copysign(1, value.imag) == 1
    return value == 1 or (value == 0 and math.copysign(1, value) == 1)
