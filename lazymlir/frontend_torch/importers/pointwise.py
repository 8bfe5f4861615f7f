"""Elementwise arithmetic, comparisons, logic and bits. Activations are in activations.py."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch

from lazymlir.dialect import Builder, Node, TensorType
from lazymlir.dialect.types import BOOL, is_complex, is_float, is_unsigned, itemsize, real_dtype

from ..overflow import is_real
from ..registry import aten
from .common import full, math_dtype, to, truth
from .formula import (
    Term,
    absolute,
    atan2,
    check_divisor,
    conjugate,
    cos,
    exp,
    floor,
    fmod,
    formula,
    function,
    import_formula,
    is_infinite,
    is_nan,
    log,
    log1p,
    log_of_sum,
    maximum,
    minimum,
    power,
    round_,
    sign_bit,
    sin,
    sqrt,
    trunc,
    where,
    with_sign_of,
)  # fmt: skip

INFINITY = float("inf")
# ATen name: lazy name, where the meaning is the same
UNARY = {
    "acos": "acos", "acosh": "acosh", "asin": "asin", "asinh": "asinh", "atan": "atan", "atanh": "atanh", "bitwise_not": "bitwise_not",
    "cos": "cos", "cosh": "cosh", "erf": "erf", "exp": "exp", "expm1": "expm1", "lgamma": "lgamma", "log": "log",
    "log1p": "log1p", "neg": "neg", "rsqrt": "rsqrt", "sigmoid": "sigmoid", "sin": "sin", "sinh": "sinh", "sqrt": "sqrt", "tan": "tan",
    "tanh": "tanh",
}  # fmt: skip
BINARY = {
    "atan2": "atan2", "bitwise_and.Tensor": "bitwise_and", "bitwise_left_shift.Tensor": "shift_left", "bitwise_or.Tensor": "bitwise_or",
    "bitwise_xor.Tensor": "bitwise_xor",
    "__lshift__.Scalar": "shift_left", "__lshift__.Tensor": "shift_left",
}  # fmt: skip
INTEGRAL = ("ceil", "floor", "round", "trunc")
"""Leave integers as they are."""
COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
LOGIC = {"logical_and": "bitwise_and", "logical_or": "bitwise_or", "logical_xor": "bitwise_xor"}

for _aten, _lazy in UNARY.items():
    formula(_aten)(function(_lazy))
for _aten, _lazy in BINARY.items():
    formula(_aten, rounds=True)(function(_lazy))
for _name in INTEGRAL:
    formula(_name)(lambda x, name=_name: x.apply(name) if is_float(x.dtype) else x)


def comparison(name: str) -> Callable[..., Node]:
    """Compares in the type that torch promotes both sides to."""

    def importer(b: Builder, out: TensorType, x: Node, y: Node, *, common: str) -> Node:
        return b.emit(name, (to(b, x, common, out.shape), to(b, y, common, out.shape)), {})

    return importer


for _name in COMPARISONS:
    aten(f"{_name}.Tensor", f"{_name}.Scalar", promotes=True)(comparison(_name))


def logic(name: str) -> Callable[..., Node]:
    def importer(b: Builder, out: TensorType, x: Node, y: Node) -> Node:
        return b.emit(name, (to(b, x, BOOL, out.shape), to(b, y, BOOL, out.shape)), {})

    return importer


for _aten, _lazy in LOGIC.items():
    aten(_aten)(logic(_lazy))


@aten("logical_not")
def logical_not(b: Builder, out: TensorType, x: Node) -> Node:
    return b.bitwise_not(truth(b, x))


def predicate(compute: Callable[[Term], Term]) -> Callable[..., Node]:
    """The importer of a question about `x` in its own type."""

    def importer(b: Builder, out: TensorType, x: Node) -> Node:
        return compute(Term(b, x)).node

    return importer


def _equals_infinity(value: float) -> Callable[[Term], Term]:
    return lambda x: x.equals(value) if is_float(x.dtype) else is_infinite(x)


for _aten, _compute in {
    "isnan": is_nan,
    "isinf": is_infinite,
    "isposinf": _equals_infinity(INFINITY),
    "isneginf": _equals_infinity(-INFINITY),
    "signbit": sign_bit,
}.items():
    aten(_aten)(predicate(_compute))


@aten("abs")
def abs_(b: Builder, out: TensorType, x: Node) -> Node:
    return b.cast(b.abs(x), out.dtype)


@formula("sign", "sgn")
def sign(x: Term) -> Term:
    return x if x.dtype == BOOL else x.apply("sign")


# Arithmetic.


@formula("add.Tensor", "add.Scalar")
def add(x: Term, y: Term, alpha: Any = 1) -> Term:
    return x + _scaled(y, alpha)


def _accept_no_booleans(x: Any, y: Any, *_: Any, **__: Any) -> bool:
    if any(isinstance(side, bool) or (isinstance(side, torch.Tensor) and side.dtype == torch.bool) for side in (x, y)):
        torch.sub(*(torch.ones((), dtype=side.dtype) if isinstance(side, torch.Tensor) else side for side in (x, y)))  # raises
    return True


@formula("sub.Tensor", "sub.Scalar", accepts=_accept_no_booleans)
def sub(x: Term, y: Term, alpha: Any = 1) -> Term:
    return x - _scaled(y, alpha)


@formula("rsub.Tensor", "rsub.Scalar", accepts=_accept_no_booleans)
def rsub(x: Term, y: Term, alpha: Any = 1) -> Term:
    return y - _scaled(x, alpha)


def _scaled(x: Term, alpha: Any) -> Term:
    return alpha * x if isinstance(alpha, Term) else x


@formula("mul.Tensor", "mul.Scalar")
def mul(x: Term, y: Term) -> Term:
    return x * y


@formula("div.Tensor", "div.Scalar")
def div(x: Term, y: Term) -> Term:
    return x / y


def _div_types(x: Any, y: Any, *, rounding_mode: str | None = "floor") -> torch.Tensor:
    """Like a product's, except where it is a true division (meta kernels forget the strides of rounded ones)."""
    if rounding_mode not in (None, "trunc", "floor"):
        raise RuntimeError(f"div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '{rounding_mode}'")
    return torch.true_divide(x, y) if rounding_mode is None else torch.mul(x, y)


def _check_div_mode(x: Any, y: Any, *, rounding_mode: str | None) -> None:
    if rounding_mode is not None:
        check_divisor(x, y)


@aten("div.Tensor_mode", "div.Scalar_mode", meta=_div_types, check=_check_div_mode)
def div_mode(b: Builder, out: TensorType, x: Node, y: Node, *, rounding_mode: str | None) -> Node:
    """Truncates what is rounded to the result's type, as torch does."""
    if rounding_mode == "floor":
        return import_formula(floor_divide, rounds=True, divides=True)(b, out, x, y)
    quotient = import_formula(div, divides=rounding_mode == "trunc")(b, out, x, y)
    return b.trunc(quotient) if rounding_mode == "trunc" and is_float(out.dtype) else quotient


@formula("floor_divide", "floor_divide.Scalar", rounds=True, divides=True, meta=_div_types)
def floor_divide(x: Term, y: Term) -> Term:
    """Python's rules, as torch implements them: exact where x / y rounds up to an integer."""
    rest = fmod(x, y)
    inexact = rest.differs(0) & ((y < 0) ^ (rest < 0))
    if not is_float(x.dtype):
        quotient = x / y
        return quotient if is_unsigned(x.dtype) else where(inexact, quotient - 1, quotient)
    quotient = (x - rest) / y
    quotient = where(inexact, quotient - 1, quotient)
    whole = floor(quotient)
    whole = where(quotient - whole > 0.5, whole + 1, whole)
    ratio = x / y
    whole = where(quotient.equals(0), with_sign_of(quotient * 0, ratio), whole)
    return where(y.equals(0), ratio, whole)


@formula("remainder.Tensor", "remainder.Scalar", "remainder.Scalar_Tensor", rounds=True, divides=True)
def remainder(x: Any, y: Term) -> Term:
    rest = fmod(x, y)
    return rest if is_unsigned(rest.dtype) else where(rest.differs(0) & ((y < 0) ^ (rest < 0)), rest + y, rest)


formula("fmod.Tensor", "fmod.Scalar", rounds=True, divides=True)(fmod)


@formula("bitwise_right_shift.Tensor", "__rshift__.Scalar", "__rshift__.Tensor", rounds=True)
def right_shift(x: Term, y: Term) -> Term:
    return x.apply("shift_right_logical" if is_unsigned(x.dtype) else "shift_right_arithmetic", y)


aten("__ilshift__.Scalar", "__ilshift__.Tensor", mutates=("self",))(import_formula(function("shift_left"), rounds=True))
aten("__irshift__.Scalar", "__irshift__.Tensor", mutates=("self",))(import_formula(right_shift, rounds=True))


def _no_negative_power_of_integers(x: torch.Tensor, exponent: complex) -> None:
    if isinstance(exponent, int) and exponent < 0 and not (x.is_floating_point() or x.is_complex()):
        raise RuntimeError("Integers to negative integer powers are not allowed.")


def _pow_types(x: torch.Tensor, exponent: complex) -> torch.Tensor:
    """Of booleans too: torch has their powers only here, and its meta kernel makes integers of them."""
    return torch.empty_like(x) if x.dtype == torch.bool and isinstance(exponent, bool) else torch.pow(x, exponent)


@aten("pow.Tensor_Scalar", check=_no_negative_power_of_integers, meta=_pow_types)
def pow_scalar(b: Builder, out: TensorType, x: Node, exponent: Node) -> Node:
    base, number = b.cast(x, out.dtype), b.cast(exponent, out.dtype)
    if out.dtype == BOOL:
        return b.bitwise_or(base, b.bitwise_not(b.expand(number, out.shape)))
    made = Term(b, b.pow_scalar(base, number))
    if not is_complex(out.dtype):
        return made.node
    return where(Term(b, base).equals(0) & is_nan(made), _power_of_zero(Term(b, b.expand(number, out.shape))), made).node


@formula("pow.Scalar", "pow.Tensor_Tensor", rounds=True)
def pow_(x: Term, exponent: Term) -> Term:
    return where(x.equals(0), _power_of_zero(exponent), power(x, exponent)) if is_complex(x.dtype) else power(x, exponent)


def _power_of_zero(exponent: Term) -> Term:
    """Complex 0 to a power, as exp(exponent * log(0)) comes out."""
    real = exponent.apply("real")
    nan = real * float("nan")
    return where(real > 0, 0, where(real < 0, INFINITY, nan)).apply("complex", where(real > 0, -0.0, nan))


@formula("reciprocal")
def reciprocal(x: Term) -> Term:
    return 1 / x


@formula("lerp.Scalar", "lerp.Tensor")
def lerp(start: Term, end: Term, weight: Term) -> Term:
    """From the nearer end, so that both ends are exact."""
    span = end - start
    return where(absolute(weight) < 0.5, start + weight * span, end - span * (1 - weight))


@formula("addcmul")
def addcmul(x: Term, first: Term, second: Term, *, value: Any = 1) -> Term:
    return x + _scaled(first, value) * second


@formula("addcdiv")
def addcdiv(x: Term, first: Term, second: Term, *, value: Any = 1) -> Term:
    return x + _scaled(first, value) / second


# Selection.


@formula("fmax", exact=True)
def fmax(x: Term, y: Term) -> Term:
    return where(is_nan(x), y, where(is_nan(y), x, maximum(x, y)))


@formula("fmin", exact=True)
def fmin(x: Term, y: Term) -> Term:
    return where(is_nan(x), y, where(is_nan(y), x, minimum(x, y)))


@formula("clamp", "clamp.Tensor", exact=True)
def clamp(x: Term, min: Term | None = None, max: Term | None = None) -> Term:
    if min is not None:
        x = maximum(x, min)
    return x if max is None else minimum(x, max)


formula("clamp_min", "clamp_min.Tensor", "maximum", exact=True)(maximum)
formula("clamp_max", "clamp_max.Tensor", "minimum", exact=True)(minimum)


@aten("where.self")
def where_self(b: Builder, out: TensorType, condition: Node, x: Node, y: Node) -> Node:
    return b.where(to(b, condition, BOOL, out.shape), to(b, x, out.dtype, out.shape), to(b, y, out.dtype, out.shape))


@aten("masked_fill.Scalar", "masked_fill.Tensor", check=is_real(value=2))
def masked_fill(b: Builder, out: TensorType, x: Node, mask: Node, value: Node) -> Node:
    return where_self(b, out, mask, value, x)


@formula("nan_to_num", exact=True)
def nan_to_num(x: Term, nan: Any = None, posinf: Any = None, neginf: Any = None) -> Term:
    if not is_float(x.dtype):
        return x
    largest = LARGEST[x.dtype]
    made = where(is_nan(x), 0 if nan is None else nan, x)
    made = where(x.equals(INFINITY), largest if posinf is None else posinf, made)
    return where(x.equals(-INFINITY), -largest if neginf is None else neginf, made)


LARGEST = {"f16": 65504.0, "bf16": 3.3895313892515355e38, "f32": 3.4028234663852886e38, "f64": 1.7976931348623157e308}


# Functions made of others.


@formula("erfinv")
def erfinv(x: Term) -> Term:
    """In float64: XLA's float32 loses digits near the ends."""
    return x.cast("f64").apply("erf_inv").cast(x.dtype)


@formula("exp2")
def exp2(x: Term) -> Term:
    return exp(x * math.log(2)) if is_complex(x.dtype) else x.reflected("pow", 2)


@formula("log2")
def log2(x: Term) -> Term:
    return log(x) * (1 / math.log(2))


@formula("log10")
def log10(x: Term) -> Term:
    return log(x) * (1 / math.log(10))


@formula("frac")
def frac(x: Term) -> Term:
    return x - trunc(x)


@formula("round.decimals", static=("decimals",))
def round_decimals(x: Term, *, decimals: int) -> Term:
    if not is_float(x.dtype):
        return x
    scale = 10.0 ** abs(decimals)
    return round_(x * scale) / scale if decimals >= 0 else round_(x / scale) * scale


@formula("hypot", rounds=True)
def hypot(x: Term, y: Term) -> Term:
    """Scaled, so that squares neither overflow nor vanish."""
    x, y = absolute(x), absolute(y)
    large, small = maximum(x, y), minimum(x, y)
    ratio = where(large.equals(0), 0, small / large)
    return where(x.equals(INFINITY) | y.equals(INFINITY), INFINITY, large * sqrt(ratio * ratio + 1))


@formula("digamma")
def digamma(x: Term) -> Term:
    return where(x.equals(0), with_sign_of(x * 0 + INFINITY, -x), x.apply("digamma"))


@formula("logit")
def logit(x: Term, eps: Any = None) -> Term:
    if eps is not None:
        x = where(x < eps, eps, where(x > 1 - eps, 1 - eps, x))
    return log(x / (1 - x))


@formula("logit_backward")
def logit_backward(gradient: Term, x: Term, eps: Any = None) -> Term:
    derivative = gradient / (x * (1 - x))
    if eps is None:
        return where((x < 0) | (x > 1), float("nan"), derivative)
    return where((x < eps) | (x > 1 - eps), 0, derivative)


@formula("xlogy.Tensor", "xlogy.Scalar_Other", "xlogy.Scalar_Self", rounds=True)
def xlogy(x: Term, y: Term) -> Term:
    return where(is_nan(y), float("nan"), where(x.equals(0), 0, x * log(y)))


@formula("special_xlog1py", "special_xlog1py.other_scalar", "special_xlog1py.self_scalar", rounds=True)
def xlog1py(x: Term, y: Term) -> Term:
    return where(is_nan(y), float("nan"), where(x.equals(0), 0, x * log1p(y)))


@formula("special_entr")
def entr(x: Term) -> Term:
    return where(x < 0, -INFINITY, where(x.equals(0), 0, -x * log(x)))


def _no_complex(x: torch.Tensor, y: torch.Tensor) -> bool:
    return not (x.is_complex() or y.is_complex())


@formula("logaddexp", rounds=True)
def logaddexp(x: Term, y: Term) -> Term:
    if not is_complex(x.dtype):
        return log_of_sum(x, y)
    is_smaller = x.apply("real") < y.apply("real")
    small, large = where(is_smaller, x, y), where(is_smaller, y, x)
    real = small.apply("real")
    both_infinite = where(real < 0, small, log(exp(small) + exp(large)))
    made = where(is_infinite(real) & real.equals(large.apply("real")), both_infinite, log1p(exp(small - large)) + large)
    return where(is_nan(x) | is_nan(y), complex(math.nan, math.nan), made)


@formula("logaddexp2", rounds=True, accepts=_no_complex)
def logaddexp2(x: Term, y: Term) -> Term:
    return log_of_sum(x, y, math.log(2))


formula("copysign.Tensor", "copysign.Scalar", exact=True)(with_sign_of)


@formula("heaviside", exact=True)
def heaviside(x: Term, values: Term) -> Term:
    return where(x.equals(0), values, (x > 0).cast(x.dtype))


@formula("sinc")
def sinc(x: Term) -> Term:
    product = x * math.pi
    return where(x.equals(0), 1, sin(product) / product)


@aten("nextafter")
def nextafter(b: Builder, out: TensorType, x: Node, y: Node) -> Node:
    """One step of the bits: away from zero where the target is farther, else toward it."""
    start, target = (Term(b, to(b, node, out.dtype, out.shape)) for node in (x, y))
    if not is_float(out.dtype):
        raise NotImplementedError(f"nextafter is not implemented for {out.dtype}")
    bits = start.bitcast(f"i{8 * itemsize(out.dtype)}")
    stepped = where((target > start) ^ (start < 0), bits + 1, bits - 1).bitcast(out.dtype)
    smallest = with_sign_of(where(start.equals(0), bits * 0 + 1, bits).bitcast(out.dtype), target)
    made = where(start.equals(0), smallest, stepped)
    return where(is_nan(start) | is_nan(target), start + target, where(start.equals(target), target, made)).node


# Complex numbers.


def _check_parts(real: torch.Tensor, imag: torch.Tensor) -> None:
    parts = (torch.float16, torch.float32, torch.float64)
    if real.dtype not in parts or imag.dtype not in parts:
        raise RuntimeError(f"Expected both inputs to be Half, Float or Double tensors but got {real.dtype} and {imag.dtype}")
    if real.dtype != imag.dtype:
        raise RuntimeError(f"Expected object of scalar type {real.dtype} but got scalar type {imag.dtype} for second argument")


@aten("complex", check=_check_parts)
def complex_(b: Builder, out: TensorType, real: Node, imag: Node) -> Node:
    part = real_dtype(out.dtype)
    return b.complex(to(b, real, part, out.shape), to(b, imag, part, out.shape))


@aten("polar")
def polar(b: Builder, out: TensorType, magnitude: Node, angle: Node) -> Node:
    part = real_dtype(out.dtype)
    length, turn = (Term(b, to(b, node, part, out.shape)) for node in (magnitude, angle))
    return b.complex((length * cos(turn)).node, (length * sin(turn)).node)


@aten("angle")
def angle_(b: Builder, out: TensorType, x: Node) -> Node:
    if is_complex(x.dtype):
        return atan2(Term(b, b.imag(x)), Term(b, b.real(x))).node
    term = Term(b, b.cast(x, math_dtype(out.dtype)))
    zero = Term(b, full(b, 0, term.node.type))
    return b.cast(where(is_nan(term), term, where(term < 0, math.pi, zero)).node, out.dtype)


@aten("_conj_physical")
def conj_physical(b: Builder, out: TensorType, x: Node) -> Node:
    return conjugate(Term(b, x)).node


@aten("conj_physical_", mutates=("self",))
def conj_physical_(b: Builder, out: TensorType, x: Node) -> Node:
    return conj_physical(b, out, x)
