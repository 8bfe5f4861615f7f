"""Elementwise algebra that changes no bit of any result: x + 0.0 stays, for -0.0 + 0.0 is 0.0, and so does NaN * 0."""

from __future__ import annotations

from collections.abc import Callable

from lazymlir.dialect import Node
from lazymlir.dialect.types import BOOL, is_complex, is_float, is_integer

from .numbers import all_ones, convert, folds_casts, held, identical
from .rewriter import Op, pattern

Neutral = Callable[[str], complex | None]


def _zero(dtype: str) -> complex:
    return held(0, dtype) or 0


def _negative_zero(dtype: str) -> complex:
    return complex(-0.0, -0.0) if is_complex(dtype) else -0.0 if is_float(dtype) else 0


def _one(dtype: str) -> complex | None:
    return None if is_complex(dtype) else 1  # (inf + 0i) * (1 + 0i) has a NaN part


# name: the right operand that changes nothing, by element type (None: there is none)
NEUTRAL: dict[str, Neutral] = {
    "add": _negative_zero,
    "sub": _zero,
    "mul": _one,
    "div": _one,
    "pow": _one,
    "bitwise_and": all_ones,
    "bitwise_or": _zero,
    "bitwise_xor": _zero,
    "shift_left": _zero,
    "shift_right_arithmetic": _zero,
    "shift_right_logical": _zero,
}
COMMUTATIVE = frozenset({"add", "mul", "bitwise_and", "bitwise_or", "bitwise_xor"})


def _integral(dtype: str) -> bool:
    return dtype == BOOL or is_integer(dtype)


def _equals(op: Op, operand: int, wanted: complex | None) -> bool:
    number = op.number(operand)
    return number is not None and wanted is not None and identical(number, wanted)


@pattern(*NEUTRAL)
def drop_neutral_operand(op: Op) -> Node | None:
    """x * 1, x - 0.0, x + -0.0 ..."""
    if not any(_is_constant(op, operand) for operand in (0, 1)):
        return None
    neutral = NEUTRAL[op.name](op.type.dtype)
    if _equals(op, 1, neutral):
        return op.operands[0]
    return op.operands[1] if op.name in COMMUTATIVE and _equals(op, 0, neutral) else None


def _is_constant(op: Op, operand: int) -> bool:
    source = op.source(operand)
    return source is not None and source.name == "constant"


# name: the integer operand that decides the result by itself, and the result
ABSORBING: dict[str, Callable[[str], int]] = {"mul": lambda dtype: 0, "bitwise_and": lambda dtype: 0, "bitwise_or": all_ones}


@pattern(*ABSORBING)
def absorb_integer(op: Op) -> Node | None:
    """x * 0, x & 0, x | -1: for integers only, since NaN * 0 is NaN."""
    for operand in (0, 1):
        if _is_constant(op, operand) and _integral(op.type.dtype) and _equals(op, operand, ABSORBING[op.name](op.type.dtype)):
            return op.operands[operand]
    return None


@pattern("pow")
def power_zero(op: Op) -> Node | None:
    """x ** 0 is 1, for NaN too."""
    return op.constant(1) if op.number(1) == 0 and not is_complex(op.type.dtype) else None


@pattern("pow_scalar")
def short_power(op: Op) -> Node | None:
    """x ** 0 is 1 and x ** 1 is x, for NaN too."""
    exponent = op.number(1)
    return op.constant(1) if exponent == 0 else op.operands[0] if exponent == 1 else None


@pattern("sub")
def subtract_from_zero(op: Op) -> Node | None:
    """0 - x for integers, -0.0 - x for floats: 0.0 - 0.0 is 0.0 but neg(0.0) is -0.0."""
    return op.build.neg(op.operands[1]) if _is_constant(op, 0) and _equals(op, 0, _negative_zero(op.type.dtype)) else None


# name: of two equal integer operands, the number that is the result
_SAME: dict[str, int] = {"sub": 0, "bitwise_xor": 0, "eq": 1, "le": 1, "ge": 1, "ne": 0, "lt": 0, "gt": 0}


@pattern(*_SAME)
def integer_with_itself(op: Op) -> Node | None:
    """x - x, x == x: for integers only, since inf - inf and NaN == NaN are otherwise."""
    same = op.values[0] == op.values[1] and _integral(op.operands[0].dtype)
    return op.constant(_SAME[op.name]) if same else None


@pattern("maximum", "minimum", "bitwise_and", "bitwise_or")
def idempotent(op: Op) -> Node | None:
    return op.operands[0] if op.values[0] == op.values[1] else None


@pattern("neg", "bitwise_not")
def undo_twice(op: Op) -> Node | None:
    source = op.source(0)
    return source.operands[0] if source is not None and source.name == op.name else None


@pattern("abs")
def absolute_of_absolute(op: Op) -> Node | None:
    source = op.source(0)
    if source is None or source.name not in ("abs", "neg") or is_complex(source.operands[0].dtype):
        return None
    return op.operands[0] if source.name == "abs" else op.build.abs(source.operands[0])


def _bitwise_not(number: complex, dtype: str) -> complex:
    return not number if dtype == BOOL else ~int(number.real)


_UNARY: dict[str, Callable[[complex, str], complex]] = {
    "neg": lambda number, dtype: -number,
    "abs": lambda number, dtype: abs(number),
    "bitwise_not": _bitwise_not,
    "real": lambda number, dtype: number.real,
    "imag": lambda number, dtype: number.imag,
}


@pattern(*_UNARY)
def unary_of_constant(op: Op) -> Node | None:
    number = op.number(0)
    dtype = op.operands[0].dtype if number is not None else ""
    if number is None or (op.name == "abs" and is_complex(dtype)):
        return None
    result = held(_UNARY[op.name](number, dtype), op.type.dtype)
    return None if result is None else op.constant(result)


@pattern("constant")
def constant_as_held(op: Op) -> Node | None:
    """One spelling for one constant: 1 in a float tensor is 1.0, 300 in an i8 one is 44."""
    value = op.attributes["value"]
    number = held(value, op.type.dtype)
    if number is None or (isinstance(number, (float, complex)) and type(value) is type(number)):
        return None
    return None if type(value) is type(number) and value == _signed(number) else op.constant(number)


def _signed(number: complex) -> complex:
    """As the attribute, a signed 64-bit integer, gives it back."""
    return number - 2**64 if isinstance(number, int) and number >= 2**63 else number


@pattern("cast")
def cast_to_same_type(op: Op) -> Node | None:
    return op.operands[0] if op.operands[0].dtype == op.attributes["dtype"] else None


@pattern("cast")
def cast_of_constant(op: Op) -> Node | None:
    source = op.source(0)
    if source is None or source.name != "constant":
        return None
    number = convert(source.attributes["value"], op.operands[0].dtype, op.attributes["dtype"])
    return None if number is None else op.constant(number)


@pattern("cast")
def cast_of_cast(op: Op) -> Node | None:
    source = op.source(0)
    if source is None or source.name != "cast":
        return None
    x, target = source.operands[0], op.attributes["dtype"]
    return op.build.cast(x, target) if folds_casts(x.dtype, op.operands[0].dtype, target) else None


@pattern("where")
def where_decided(op: Op) -> Node | None:
    """A constant condition, or twice the same value."""
    if op.values[1] == op.values[2]:
        return op.operands[1]
    condition = op.number(0)
    return None if condition is None else op.operands[1 if condition else 2]


@pattern("where")
def where_not(op: Op) -> Node | None:
    source = op.source(0)
    if source is None or source.name != "bitwise_not":
        return None
    return op.build.where(source.operands[0], op.operands[2], op.operands[1])


@pattern("complex")
def complex_of_constants(op: Op) -> Node | None:
    real, imag = op.number(0), op.number(1)
    return None if real is None or imag is None else op.constant(complex(real.real, imag.real))


@pattern("complex")
def complex_of_own_parts(op: Op) -> Node | None:
    real, imag = op.source(0), op.source(1)
    if real is None or imag is None or (real.name, imag.name) != ("real", "imag"):
        return None
    return real.operands[0] if real.values[0] == imag.values[0] else None


@pattern("real", "imag")
def part_of_complex(op: Op) -> Node | None:
    source = op.source(0)
    return source.operands[op.name == "imag"] if source is not None and source.name == "complex" else None
