"""The kinds of attribute an operation may carry: each maps a Python value to an MLIR attribute and back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lazymlir.mlir import ir

__all__ = ["BOOL", "DTYPE", "INT", "INTS", "NUMBER", "STRING", "AttributeKind", "element_type"]


@dataclass(frozen=True)
class AttributeKind:
    """`spelling` is how the documentation names it; `read` raises ValueError or TypeError for another kind of attribute."""

    spelling: str
    write: Callable[[Any], ir.Attribute]
    read: Callable[[ir.Attribute], Any]


def element_type(dtype: str) -> ir.Type:
    """The MLIR type spelled `dtype`, in the current context."""
    return ir.Type.parse(dtype)


def _write_number(value: complex) -> ir.Attribute:
    if isinstance(value, bool):
        return ir.BoolAttr.get(value)
    if isinstance(value, int):
        return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), value if value < 2**63 else value - 2**64)
    if isinstance(value, float):
        return ir.FloatAttr.get_f64(value)
    return ir.ArrayAttr.get([ir.FloatAttr.get_f64(part) for part in (value.real, value.imag)])


def _read_number(attribute: ir.Attribute) -> complex:
    if isinstance(attribute, ir.FloatAttr):
        return ir.FloatAttr(attribute).value
    if isinstance(attribute, ir.BoolAttr):
        return ir.BoolAttr(attribute).value
    if isinstance(attribute, ir.ArrayAttr):
        real, imag = (ir.FloatAttr(part).value for part in ir.ArrayAttr(attribute))
        return complex(real, imag)
    return ir.IntegerAttr(attribute).value


def _int64(value: int) -> ir.Attribute:
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), value)


INT = AttributeKind("i64", _int64, lambda a: ir.IntegerAttr(a).value)
INTS = AttributeKind("array<i64>", lambda v: ir.DenseI64ArrayAttr.get(list(v)), lambda a: tuple(ir.DenseI64ArrayAttr(a)))
BOOL = AttributeKind("bool", lambda v: ir.BoolAttr.get(bool(v)), lambda a: ir.BoolAttr(a).value)
STRING = AttributeKind("string", lambda v: ir.StringAttr.get(v), lambda a: ir.StringAttr(a).value)
DTYPE = AttributeKind("type", lambda v: ir.TypeAttr.get(element_type(v)), lambda a: str(ir.TypeAttr(a).value))
NUMBER = AttributeKind("number", _write_number, _read_number)
