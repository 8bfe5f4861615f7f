"""Lowerings of dialect/elementwise.py."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from lazymlir.dialect import Node, TensorType
from lazymlir.dialect.elementwise import short_powers
from lazymlir.dialect.types import BOOL, is_complex, is_float, is_integer, is_unsigned, itemsize, real_dtype
from lazymlir.mlir import ir

from .reduce import combine
from .registry import Emitter, Lowering, lowering

# lazy name: StableHLO name, where the meaning is the same
SAME = {
    "bitwise_and": "and",
    "bitwise_not": "not",
    "bitwise_or": "or",
    "bitwise_xor": "xor",
    "ceil": "ceil",
    "complex": "complex",
    "floor": "floor",
    "imag": "imag",
    "is_finite": "is_finite",
    "mul": "multiply",
    "neg": "negate",
    "popcount": "popcnt",
    "real": "real",
    "round": "round_nearest_even",
    "shift_left": "shift_left",
    "shift_right_arithmetic": "shift_right_arithmetic",
    "shift_right_logical": "shift_right_logical",
    "where": "select",
}
# The same, but XLA takes several steps: 16-bit floats compute in float32, to be rounded once and not to overflow between.
FUNCTIONS = {
    "acos": "chlo.acos",
    "acosh": "chlo.acosh",
    "asin": "chlo.asin",
    "asinh": "chlo.asinh",
    "atan": "chlo.atan",
    "atan2": "stablehlo.atan2",
    "atanh": "chlo.atanh",
    "cbrt": "stablehlo.cbrt",
    "cos": "stablehlo.cosine",
    "cosh": "chlo.cosh",
    "erf": "chlo.erf",
    "erf_inv": "chlo.erf_inv",
    "exp": "stablehlo.exponential",
    "expm1": "stablehlo.exponential_minus_one",
    "lgamma": "chlo.lgamma",
    "log": "stablehlo.log",
    "log1p": "stablehlo.log_plus_one",
    "rsqrt": "stablehlo.rsqrt",
    "sigmoid": "stablehlo.logistic",
    "sin": "stablehlo.sine",
    "sinh": "chlo.sinh",
    "sqrt": "stablehlo.sqrt",
    "tan": "stablehlo.tan",
    "tanh": "stablehlo.tanh",
}
COMPARISONS = {"eq": "EQ", "ne": "NE", "lt": "LT", "le": "LE", "gt": "GT", "ge": "GE"}


def _same(name: str) -> Lowering:
    def lower(e: Emitter, result: TensorType, *operands: Node) -> Node:
        return e.op(name, result, *operands)

    return lower


def _function(e: Emitter, name: str, *operands: Node) -> Node:
    """`name` has its dialect's prefix."""
    wide = [e.widen(x) for x in operands]
    return e.convert(e.emit_many(name, [wide[0].type], wide)[1][0], operands[0].dtype)


def _functions(name: str) -> Lowering:
    def lower(e: Emitter, result: TensorType, *operands: Node) -> Node:
        return _function(e, name, *operands)

    return lower


def _comparison(direction: str) -> Lowering:
    def lower(e: Emitter, result: TensorType, x: Node, y: Node) -> Node:
        return e.compare(direction, x, y)

    return lower


for _name, _stablehlo in SAME.items():
    lowering(_name)(_same(_stablehlo))
for _name, _full in FUNCTIONS.items():
    lowering(_name)(_functions(_full))
for _name, _direction in COMPARISONS.items():
    lowering(_name)(_comparison(_direction))


@lowering("add")
def add(e: Emitter, result: TensorType, x: Node, y: Node) -> Node:
    if _has_signed_zero(result.dtype):
        x, y = _not_zero(e, x), _not_zero(e, y)
    return e.op("add", result, x, y)


@lowering("sub")
def sub(e: Emitter, result: TensorType, x: Node, y: Node) -> Node:
    return e.op("subtract", result, x, _not_zero(e, y) if _has_signed_zero(result.dtype) else y)


def _has_signed_zero(dtype: str) -> bool:
    return is_float(dtype) or is_complex(dtype)


def _not_zero(e: Emitter, x: Node) -> Node:
    """`x`, but so that XLA does not see that it is 0: it would fold x + 0 to x, which keeps a -0.0 that must become 0.0,
    and x - -0.0 likewise."""
    number = splat_value(x) if is_float(x.dtype) else None
    if number is not None:
        return e.hidden(number, x.type) if number == 0 else x
    return e.unknown(x) if _folds(x.value, _FARTHEST) else x


_FARTHEST = 8
"""So many operations back it is looked for operands that are no constants."""


def _folds(x: ir.Value, depth: int) -> bool:
    """Whether XLA may compute `x` when it compiles."""
    owner = x.owner
    if (
        isinstance(owner, ir.Block)
        or depth == 0
        or owner.name in ("stablehlo.iota", "stablehlo.optimization_barrier")
        or len(owner.operation.regions)
    ):
        return False
    return all(_folds(operand, depth - 1) for operand in owner.operands)


def splat_value(x: Node) -> complex | None:
    """The number in each element where `x` is a real constant; None otherwise."""
    owner = x.value.owner
    if isinstance(owner, ir.Block) or owner.name != "stablehlo.constant":
        return None
    dense = owner.attributes["value"]
    if not isinstance(dense, ir.DenseElementsAttr) or not dense.is_splat:
        return None
    number = dense.get_splat_value()
    return ir.FloatAttr(number).value if is_float(x.dtype) else ir.IntegerAttr(number).value


@lowering("div")
def div(e: Emitter, result: TensorType, x: Node, y: Node) -> Node:
    """XLA would turn a division by what is the same for many elements into a product with its reciprocal: rounded twice,
    and 0 where the reciprocal is subnormal. So it must not see that it is the same, where it is not a power of two."""
    if is_integer(y.dtype):
        y = _divisor(e, y)
    elif is_float(y.dtype) and _is_repeated(y):
        y = e.select(e.compare("NE", x, x), x, y)
    return e.op("divide", result, x, y)


@lowering("fmod")
def fmod(e: Emitter, result: TensorType, x: Node, y: Node) -> Node:
    return e.op("remainder", result, x, _divisor(e, y) if is_integer(y.dtype) else y)


def _divisor(e: Emitter, y: Node) -> Node:
    """1 in place of 0: XLA aborts the process where it folds a division of constant integers by 0."""
    return e.select(e.compare("EQ", y, e.splat(0, y.type)), e.splat(1, y.type), y)


def _is_repeated(x: Node) -> bool:
    number = splat_value(x)
    if number is not None:
        return abs(math.frexp(number.real)[0]) != 0.5
    return not isinstance(x.value.owner, ir.Block) and x.value.owner.name == "stablehlo.broadcast_in_dim"


def _extreme(name: str, wins: str) -> Lowering:
    """Of equal ones the first, so that the larger of -0.0 and 0.0 is -0.0: XLA leaves that open."""

    def lower(e: Emitter, result: TensorType, x: Node, y: Node) -> Node:
        if not is_float(x.dtype):
            return e.op(name, result, x, y)
        number = splat_value(y)
        nan = e.is_nan(y) if number is None or number != number else None
        return e.select(e.either(e.compare(wins, y, x), nan), y, x)

    return lower


lowering("maximum")(_extreme("maximum", "GT"))
lowering("minimum")(_extreme("minimum", "LT"))


@lowering("abs")
def absolute(e: Emitter, result: TensorType, x: Node) -> Node:
    return x if is_unsigned(x.dtype) else e.op("abs", result, x)


@lowering("trunc")
def trunc(e: Emitter, result: TensorType, x: Node) -> Node:
    negative = e.compare("LT", x, e.splat(0, x.type))
    return e.select(negative, e.op("ceil", result, x), e.op("floor", result, x))


@lowering("sign")
def sign(e: Emitter, result: TensorType, x: Node) -> Node:
    if is_complex(x.dtype):
        return e.op("sign", result, x)
    zero = e.splat(0, x.type)
    above = e.convert(e.compare("GT", x, zero), x.dtype)
    return e.op("subtract", result, above, e.convert(e.compare("LT", x, zero), x.dtype))


@lowering("digamma")
def digamma(e: Emitter, result: TensorType, x: Node) -> Node:
    """At the pole 0 the sign of zero says from which side."""
    at_zero = e.op("divide", result, e.splat(-1, result), x)
    return e.select(e.compare("EQ", x, e.splat(0, result)), at_zero, _function(e, "chlo.digamma", x))


@lowering("pow")
def power(e: Emitter, result: TensorType, x: Node, y: Node) -> Node:
    return _integer_power(e, x, y) if is_integer(x.dtype) else _function(e, "stablehlo.power", x, y)


# exponent: its formula.
_POWERS: dict[float, Callable[[Emitter, Node], Node]] = {
    0: lambda e, x: e.splat(1, x.type),
    1: lambda e, x: x,
    2: lambda e, x: e.op("multiply", x.type, x, x),
    3: lambda e, x: e.op("multiply", x.type, e.op("multiply", x.type, x, x), x),
    0.5: lambda e, x: e.op("sqrt", x.type, x),
    -0.5: lambda e, x: e.op("rsqrt", x.type, x),
    -1: lambda e, x: e.op("divide", x.type, e.splat(1, x.type), x),
    -2: lambda e, x: e.op("divide", x.type, e.splat(1, x.type), e.op("multiply", x.type, x, x)),
}


@lowering("pow_scalar")
def pow_scalar(e: Emitter, result: TensorType, x: Node, exponent: Node) -> Node:
    """A constant exponent chooses its formula here, any other one when it runs."""
    shorter, known = short_powers(result.dtype), splat_value(exponent)
    x, exponent = e.widen(x), e.widen(exponent)
    if known in shorter:
        return e.convert(_POWERS[known.real](e, x), result.dtype)
    made = power(e, x.type, x, e.broadcast(exponent, x.shape, ()))
    for number in shorter if known is None else ():
        chosen = e.compare("EQ", exponent, e.splat(number, exponent.type))
        made = e.select(chosen, _POWERS[number](e, x), made)
    return e.convert(made, result.dtype)


def _integer_power(e: Emitter, x: Node, y: Node) -> Node:
    """Powers wrap around; negative ones are 0, but for 1 and -1. XLA's own ends at large and negative exponents."""
    one, zero = e.splat(1, x.type), e.splat(0, x.type)

    def more(inner: Emitter, product: Node, square: Node, rest: Node) -> Sequence[Node]:
        left = inner.compare("NE", rest, inner.splat(0, rest.type))
        return inner.reduce([left], [inner.scalar(False, BOOL)], range(x.rank), combine("or")) if x.rank else [left]

    def step(inner: Emitter, product: Node, square: Node, rest: Node) -> Sequence[Node]:
        ones = inner.splat(1, rest.type)
        odd = inner.compare("EQ", inner.op("and", rest.type, rest, ones), ones)
        product = inner.select(odd, inner.op("multiply", square.type, product, square), product)
        return product, inner.op("multiply", square.type, square, square), inner.op("shift_right_logical", rest.type, rest, ones)

    powers = e.loop([one, x, y], more, step)[0]
    if is_unsigned(x.dtype):
        return powers
    unit = e.compare("EQ", e.op("abs", x.type, x), one)
    return e.select(e.either(e.compare("GE", y, zero), unit), powers, zero)


@lowering("cast")
def cast(e: Emitter, result: TensorType, x: Node, dtype: str) -> Node:
    if x.dtype == dtype:
        return x
    if dtype == BOOL:
        return e.compare("NE", x, e.splat(0, x.type))
    if is_complex(x.dtype) and not is_complex(dtype):
        x = e.op("real", x.type.with_dtype(real_dtype(x.dtype)), x)
    if is_float(x.dtype) and is_integer(dtype):
        return _float_to_integer(e, x, dtype)
    if x.dtype == BOOL and not is_integer(dtype):
        x = e.convert(x, "ui8")  # of a product with a converted truth XLA makes a selection, and loses NaN and -0
    if dtype in ("f16", "bf16"):
        x = e.convert(x, "f32")  # as C++ does: two roundings where `x` has more bits
    return e.convert(x, dtype)


def _float_to_integer(e: Emitter, x: Node, dtype: str) -> Node:
    """Small and unsigned integers take the low bits of a larger signed one, so that -1.0 becomes 255 as in C."""
    if itemsize(dtype) < 4:
        return e.convert(e.convert(x, "i32"), dtype)
    if not is_unsigned(dtype):
        return e.convert(x, dtype)
    wrapped = e.convert(e.convert(x, "i64"), dtype)
    if dtype == "ui32":
        return wrapped
    return e.select(e.compare("LT", x, e.splat(0, x.type)), wrapped, e.convert(x, dtype))


@lowering("bitcast")
def bitcast(e: Emitter, result: TensorType, x: Node, dtype: str) -> Node:
    if x.dtype == dtype:
        return x
    return e.reshape(_from_bits(e, _resize(e, _to_bits(e, x), _bits(dtype)), dtype), result.shape)


def _bits(dtype: str) -> str:
    """The type with the same bytes that `stablehlo.bitcast_convert` takes."""
    return "ui8" if dtype == BOOL else real_dtype(dtype)


def _to_bits(e: Emitter, x: Node) -> Node:
    """Complex numbers become pairs in a new last dimension, merged into the one before."""
    if not is_complex(x.dtype):
        return e.convert(x, _bits(x.dtype)) if x.dtype == BOOL else x
    part = TensorType((*x.shape, 1), _bits(x.dtype))
    parts = [e.reshape(e.op(name, part.with_shape(x.shape), x), part.shape) for name in ("real", "imag")]
    return _merge_last(e, e.concatenate(parts, x.rank))


def _from_bits(e: Emitter, x: Node, dtype: str) -> Node:
    if dtype == BOOL:
        return e.compare("NE", x, e.splat(0, x.type))
    if not is_complex(dtype):
        return x
    pairs = _split_last(e, x, 2)
    parts = [e.reshape(e.slice_dim(pairs, pairs.rank - 1, start, 1), pairs.shape[:-1]) for start in (0, 1)]
    return e.op("complex", TensorType(pairs.shape[:-1], dtype), *parts)


def _resize(e: Emitter, x: Node, dtype: str) -> Node:
    """Reads `x` as another real type: a ratio of sizes is a dimension of `bitcast_convert`."""
    old, new = itemsize(x.dtype), itemsize(dtype)
    if x.dtype == dtype:
        return x
    if old == new:
        return e.op("bitcast_convert", x.type.with_dtype(dtype), x)
    if old > new:
        return _merge_last(e, e.op("bitcast_convert", TensorType((*x.shape, old // new), dtype), x))
    groups = _split_last(e, x, new // old)
    return e.op("bitcast_convert", TensorType(groups.shape[:-1], dtype), groups)


def _merge_last(e: Emitter, x: Node) -> Node:
    """A 0-dim value of two elements stays a pair: only a cast to the same size can follow."""
    return x if x.rank == 1 else e.reshape(x, (*x.shape[:-2], x.shape[-2] * x.shape[-1]))


def _split_last(e: Emitter, x: Node, count: int) -> Node:
    return e.reshape(x, (*x.shape[:-1], x.shape[-1] // count, count))
