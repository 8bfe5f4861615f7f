"""Elementwise formulas written as formulas.

    @formula("silu")
    def silu(x):
        return x * sigmoid(x)

A formula's tensors and numbers are terms of one type and shape: the result's, 16-bit floats as float32, so that there is
one rounding at the end. Python numbers in it are constants of that type.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lazymlir.dialect import Builder, Node, TensorType
from lazymlir.dialect.types import BOOL, is_complex, is_float, is_integer, is_unsigned, itemsize

from ..registry import aten
from .common import math_dtype, to

__all__ = ["Term", "formula", "function", "import_formula"]

Number = complex | bool
Operand = Any
"""A term or a Python number; typed loosely so that formulas need no annotations for both."""


class Term:
    """A node with arithmetic: operators and the functions below emit lazy operations."""

    __slots__ = ("b", "node")

    def __init__(self, b: Builder, node: Node) -> None:
        self.b = b
        self.node = node

    @property
    def dtype(self) -> str:
        return self.node.dtype

    def same(self, operand: Operand) -> Node:
        """`operand` as a node of this term's type."""
        return operand.node if isinstance(operand, Term) else self.b.constant(operand, self.node.type)

    def apply(self, name: str, *operands: Operand) -> Term:
        """`lazy.<name>` of this term and others."""
        return Term(self.b, self.b.emit(name, (self.node, *(self.same(operand) for operand in operands)), {}))

    def reflected(self, name: str, left: Operand) -> Term:
        return Term(self.b, self.b.emit(name, (self.same(left), self.node), {}))

    def cast(self, dtype: str) -> Term:
        return Term(self.b, self.b.cast(self.node, dtype))

    def bitcast(self, dtype: str) -> Term:
        return Term(self.b, self.b.bitcast(self.node, dtype=dtype))

    def __add__(self, other: Operand) -> Term:
        return self.apply("bitwise_or" if self.dtype == BOOL else "add", other)

    def __radd__(self, other: Operand) -> Term:
        return self + other

    def __sub__(self, other: Operand) -> Term:
        return self.apply("sub", other)

    def __rsub__(self, other: Operand) -> Term:
        return self.reflected("sub", other)

    def __mul__(self, other: Operand) -> Term:
        return self.apply("bitwise_and" if self.dtype == BOOL else "mul", other)

    def __rmul__(self, other: Operand) -> Term:
        return self * other

    def __truediv__(self, other: Operand) -> Term:
        return self.apply("div", other)

    def __rtruediv__(self, other: Operand) -> Term:
        return self.reflected("div", other)

    def __neg__(self) -> Term:
        return self.apply("neg")

    def __lt__(self, other: Operand) -> Term:
        return self.apply("lt", other)

    def __le__(self, other: Operand) -> Term:
        return self.apply("le", other)

    def __gt__(self, other: Operand) -> Term:
        return self.apply("gt", other)

    def __ge__(self, other: Operand) -> Term:
        return self.apply("ge", other)

    def equals(self, other: Operand) -> Term:
        return self.apply("eq", other)

    def differs(self, other: Operand) -> Term:
        return self.apply("ne", other)

    def __and__(self, other: Operand) -> Term:
        return self.apply("bitwise_and", other)

    def __or__(self, other: Operand) -> Term:
        return self.apply("bitwise_or", other)

    def __xor__(self, other: Operand) -> Term:
        return self.apply("bitwise_xor", other)

    def __invert__(self) -> Term:
        return self.apply("bitwise_not")


def function(name: str) -> Callable[..., Term]:
    """`lazy.<name>` as a function of terms; the first argument must be one."""
    return lambda first, *rest: first.apply(name, *rest)


absolute = function("abs")
atan2 = function("atan2")
cos = function("cos")
erf = function("erf")
exp = function("exp")
expm1 = function("expm1")
floor = function("floor")
fmod = function("fmod")
log = function("log")
log1p = function("log1p")
maximum = function("maximum")
minimum = function("minimum")
power = function("pow")
round_ = function("round")
sigmoid = function("sigmoid")
sin = function("sin")
sqrt = function("sqrt")
tanh = function("tanh")
trunc = function("trunc")


def where(condition: Term, x: Operand, y: Operand) -> Term:
    """`x` where the condition holds, else `y`; one of both must be a term."""
    x, y = (x, Term(x.b, x.same(y))) if isinstance(x, Term) else (Term(y.b, y.same(x)), y)
    return Term(condition.b, condition.b.where(condition.node, x.node, y.node))


def is_nan(x: Term) -> Term:
    if is_float(x.dtype) or is_complex(x.dtype):
        return x.differs(x)
    return Term(x.b, x.b.constant(False, x.node.type.with_dtype(BOOL)))


def is_infinite(x: Term) -> Term:
    if is_complex(x.dtype):
        return is_infinite(x.apply("real")) | is_infinite(x.apply("imag"))
    if not is_float(x.dtype):
        return Term(x.b, x.b.constant(False, x.node.type.with_dtype(BOOL)))
    return absolute(x).equals(float("inf"))


def sign_bit(x: Term) -> Term:
    """Whether the sign is minus, that of -0.0 and of NaN included."""
    if is_float(x.dtype):
        return x.bitcast(f"i{8 * itemsize(x.dtype)}") < 0
    if is_integer(x.dtype) and not is_unsigned(x.dtype):
        return x < 0
    return Term(x.b, x.b.constant(False, x.node.type.with_dtype(BOOL)))


def with_sign_of(x: Term, y: Term) -> Term:
    """The magnitude of `x` with the sign of `y`."""
    magnitude = absolute(x)
    return where(sign_bit(y), -magnitude, magnitude)


def log_of_sum(x: Term, y: Term, unit: float = 1.0) -> Term:
    """The logarithm, to the base e ** unit, of the sum of two powers of that base."""
    larger = maximum(x, y)
    joined = larger + log1p(exp(-absolute(x - y) * unit)) / unit
    return where(is_infinite(x) & x.equals(y), x, joined)


def conjugate(x: Term) -> Term:
    if not is_complex(x.dtype):
        return x
    return Term(x.b, x.b.complex(x.b.real(x.node), x.b.neg(x.b.imag(x.node))))


def import_formula(compute: Callable[..., Any], exact: bool = False, rounds: bool = False, divides: bool = False) -> Callable[..., Any]:
    """The importer of an overload whose result is `compute` of its arguments, broadcast and promoted to the result's type.
    An `exact` formula only compares and chooses: 16-bit floats stay as they are. One that `rounds` converts its arguments
    to the result's type before it computes, as torch does everywhere but with the numbers of basic arithmetic. One that
    `divides` by its second argument requires that it is not 0 where the result is integers."""

    def importer(b: Builder, out: Any, *args: Any, **kwargs: Any) -> Any:
        first: TensorType = out if isinstance(out, TensorType) else out[0]
        dtype = first.dtype if exact else math_dtype(first.dtype)

        def term(argument: Any) -> Any:
            if not isinstance(argument, Node):
                return argument
            return Term(b, to(b, b.cast(argument, first.dtype) if rounds else argument, dtype, first.shape))

        if divides and first.size and not is_float(first.dtype):
            divisor = b.cast(args[1], first.dtype)
            b.require(b.ne(divisor, b.constant(0, divisor.type)), RuntimeError, DIVISION_BY_ZERO)
        made = compute(*map(term, args), **{name: term(argument) for name, argument in kwargs.items()})
        if isinstance(made, tuple):
            return tuple(b.cast(part.node, type_.dtype) for part, type_ in zip(made, out, strict=True))
        return b.cast(made.node, first.dtype)

    return importer


DIVISION_BY_ZERO = "ZeroDivisionError"
"""torch's word for it."""


def check_divisor(x: Any, y: Any, **_: Any) -> None:
    """A number that integers are divided by is known at the call."""
    if type(y) in (int, bool) and y == 0 and not x.is_floating_point() and x.numel():
        raise RuntimeError(DIVISION_BY_ZERO)


def formula(
    *names: str, exact: bool = False, rounds: bool = False, divides: bool = False, **options: Any
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Registers a formula as the importer of each overload named; `options` are those of `aten`."""

    def add(compute: Callable[..., Any]) -> Callable[..., Any]:
        if divides:
            options["check"] = check_divisor
        aten(*names, **options)(import_formula(compute, exact, rounds, divides))
        return compute

    return add
