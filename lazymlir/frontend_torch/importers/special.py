"""Special functions. Bessel functions are in special_bessel.py, polynomials of integer degree in special_polynomials.py."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch

from lazymlir.dialect import Builder, Node, TensorType
from lazymlir.dialect.types import itemsize

from ..registry import aten
from . import special_tables as tables
from .formula import Term, absolute, cos, erf, exp, formula, import_formula, is_infinite, log, log1p, sin, sqrt, where

INFINITY, NAN = float("inf"), float("nan")
_LONG = (torch.float32, torch.float64)


def horner(x: Term, coefficients: Sequence[float]) -> Term:
    """The polynomial with these coefficients, the highest order first."""
    first, *rest = coefficients
    total: Any = first
    for coefficient in rest:
        total = total * x + coefficient
    return total


def ratio(x: Term, table: tables.Ratio) -> Term:
    return horner(x, table[0]) / horner(x, table[1])


def chebyshev(x: Term, coefficients: tables.Series) -> Term:
    """The Chebyshev series with these coefficients, the highest order first and the last halved, for x from -2 to 2."""
    before: Any = coefficients[0]
    current = x * before + coefficients[1]
    for coefficient in coefficients[2:-1]:
        before, current = current, x * current - before + coefficient
    return 0.5 * (x * current - 2 * before + coefficients[-1])


def needs_long_floats(*operands: Any) -> bool:
    """Whether torch has the function for the type that its operands promote to: it has none for 16-bit floats."""
    dtype = torch.result_type(*operands) if len(operands) == 2 else operands[0].dtype
    return dtype in _LONG or not (dtype.is_floating_point or dtype.is_complex)


def is_floating(x: Any, y: Any) -> bool:
    return torch.result_type(x, y).is_floating_point


# Error functions and the normal distribution.


def _scaled_erfc(x: Term) -> Term:
    """exp(x * x) erfc(x) for x >= 0."""
    return chebyshev(2 - 15 / (x + 3.75), tables.ERFCX) / (1 + 2 * x)


@formula("erfc")
def erfc(x: Term) -> Term:
    """1 - erf(x) near 0; beyond, that would cancel."""
    magnitude = absolute(x)
    tail = exp(-magnitude * magnitude) * _scaled_erfc(magnitude)
    return where(magnitude < 1, 1 - erf(x), where(x < 0, 2 - tail, tail))


@formula("special_erfcx", accepts=needs_long_floats)
def erfcx(x: Term) -> Term:
    right = _scaled_erfc(absolute(x))
    return where(x < 0, 2 * exp(x * x) - right, right)


@formula("special_log_ndtr", accepts=needs_long_floats)
def log_ndtr(x: Term) -> Term:
    t = x * math.sqrt(0.5)
    return where(x < -1, log(_scaled_erfc(absolute(t)) / 2) - t * t, log1p(erfc(t) * -0.5))


@formula("special_ndtri", accepts=needs_long_floats)
def ndtri(y: Term) -> Term:
    upper = y > 1 - 0.13533528323661269189
    tail = where(upper, 1 - y, y)
    offset = tail - 0.5
    square = offset * offset
    central = (offset + offset * (square * ratio(square, tables.NDTRI_CENTRAL))) * math.sqrt(2 * math.pi)
    root = sqrt(log(tail) * -2)
    z = 1 / root
    correction = z * where(root < 8, ratio(z, tables.NDTRI_TAIL), ratio(z, tables.NDTRI_FAR))
    distance = root - log(root) / root - correction
    outer = where(upper, distance, -distance)
    made = where(tail > 0.13533528323661269189, central, outer)
    return where(y.equals(0), -INFINITY, where(y.equals(1), INFINITY, where((y < 0) | (y > 1), NAN, made)))


# The Airy function.


def _powers_of_cube(first: int) -> tuple[float, ...]:
    """Coefficients of the solution of y'' = x y that begins with x ** first, by powers of x ** 3."""
    coefficients = [1.0]
    for k in range(1, 16):
        coefficients.append(coefficients[-1] / ((3 * k + first - 1) * (3 * k + first)))
    return tuple(reversed(coefficients))


@formula("special_airy_ai", accepts=needs_long_floats)
def airy_ai(x: Term) -> Term:
    magnitude = absolute(x)
    root = sqrt(magnitude)
    zeta = magnitude * root * 2 / 3
    inverse = 1 / zeta
    right = ratio(inverse, tables.AIRY_FAR) / (2 * sqrt(root) * exp(zeta))
    angle, square = zeta + math.pi / 4, inverse * inverse
    left = sin(angle) * (1 + square * ratio(square, tables.AIRY_SINE)) - cos(angle) * (inverse * ratio(square, tables.AIRY_COSINE))
    left = left / sqrt(root)
    cube = x * x * x
    middle = 0.355028053887817239260 * horner(cube, _powers_of_cube(0)) - 0.258819403792806798405 * x * horner(cube, _powers_of_cube(1))
    made = where(magnitude < 2.09, middle, where(x < 0, left, right) / math.sqrt(math.pi))
    return where(is_infinite(x), NAN, where(x > 103.892, 0, made))


# The gamma function's relatives.


def _trigamma(x: Term) -> Term:
    """By recurrence to an argument above 6, there by the asymptotic series; reflected left of 0.5."""
    is_reflected, sine = x < 0.5, sin(x * math.pi)
    x = where(is_reflected, 1 - x, x)
    total = where(is_reflected, -(math.pi**2) / (sine * sine), 0)
    for _ in range(6):
        total = total + 1 / (x * x)
        x = x + 1
    square = 1 / (x * x)
    total = total + (1 + 1 / (2 * x) + square * (1 / 6 - square * (1 / 30 - square * (1 / 42)))) / x
    return where(is_reflected, -total, total)


@formula("special_zeta", "special_zeta.self_scalar", "special_zeta.other_scalar", accepts=needs_long_floats, rounds=True)
def zeta(x: Term, q: Term) -> Term:
    return x.apply("zeta", q)


@aten("polygamma", static=("n",))
def polygamma(b: Builder, out: TensorType, n: int, x: Node) -> Node:
    def compute(x: Term) -> Term:
        if n < 2:
            return _trigamma(x) if n else x.apply("digamma")
        order = Term(b, b.constant(n + 1, x.node.type))
        return zeta(order, x) * _signed_factorial(n, x.dtype)

    return import_formula(compute)(b, out, x)


def _signed_factorial(n: int, dtype: str) -> float:
    """The factor of polygamma, rounded as torch does."""
    factorial = torch.lgamma(torch.tensor(n + 1.0, dtype=torch.float64 if dtype == "f64" else torch.float32)).exp().item()
    return factorial if n % 2 else -factorial


@aten("polygamma_", mutates=("self",), static=("n",))
def polygamma_(b: Builder, out: TensorType, x: Node, n: int) -> Node:
    return polygamma(b, out, n, x)


def _incomplete_gamma(name: str, low: float, high: float) -> Any:
    """`low` is the value where x is 0, `high` where x is infinite."""

    def compute(a: Term, x: Term) -> Term:
        made = a.apply(name, x)
        at_zero, at_infinity, nothing = (Term(x.b, x.same(value)) for value in (low, high, NAN))
        made = where(is_infinite(a), where(is_infinite(x), nothing, at_zero), where(is_infinite(x), at_infinity, made))
        made = where(a.equals(0), where(x > 0, at_infinity, nothing), where(x.equals(0), at_zero, made))
        return where((x < 0) | (a < 0), nothing, made)

    return compute


formula("igamma", accepts=is_floating)(_incomplete_gamma("igamma", 0, 1))
formula("igammac", accepts=is_floating)(_incomplete_gamma("igammac", 1, 0))


# Integers.


def _are_integers(x: torch.Tensor, y: torch.Tensor) -> bool:
    dtype = torch.result_type(x, y)
    return dtype != torch.bool and not (dtype.is_floating_point or dtype.is_complex)


@formula("gcd", accepts=_are_integers)
def gcd(x: Term, y: Term) -> Term:
    return x.apply("gcd", y)


@formula("lcm", accepts=_are_integers)
def lcm(x: Term, y: Term) -> Term:
    """Small integers are multiplied as C does, in 32 bits."""
    if itemsize(x.dtype) < 4:
        x, y = x.cast("i32"), y.cast("i32")
    divisor = gcd(x, y)
    return absolute(x / where(divisor.equals(0), 1, divisor) * y)
