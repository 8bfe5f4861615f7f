"""Orthogonal polynomials of integer degree: by their recurrence, Chebyshev's between -1 and 1 also by angles, as torch does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lazymlir.dialect import Builder, Node, TensorType

from ..registry import aten
from .common import to
from .formula import Term, absolute, cos, sin, where
from .special import NAN, needs_long_floats

_OVERLOADS = ("", ".x_scalar", ".n_scalar")


def _register(name: str, compute: Callable[[Term, Term], Term]) -> None:
    """`compute` gets x and the degree as a whole number, of one type; the degree is -1 where it is negative or no number."""

    def importer(b: Builder, out: TensorType, x: Node, n: Node) -> Node:
        degree = Term(b, to(b, n, out.dtype, out.shape)).apply("trunc")
        is_degree = (degree >= 0) & (degree < 2.0**63)
        made = compute(Term(b, to(b, x, out.dtype, out.shape)), where(is_degree, degree, -1))
        return where(is_degree, made, 0).node

    aten(*(f"special_{name}{overload}" for overload in _OVERLOADS), accepts=needs_long_floats)(importer)


def _recurrence(family: str, x: Term, degree: Term) -> Term:
    return Term(x.b, x.b.orthogonal_polynomial(x.node, degree.cast("i64").node, family=family))


# Those of Hermite, Laguerre and Legendre.

_HERMITE_LIMIT = {"f32": 128, "f64": 512}
"""torch gives NaN for higher degrees."""


def _hermite(family: str) -> Callable[[Term, Term], Term]:
    def compute(x: Term, degree: Term) -> Term:
        is_beyond = degree > _HERMITE_LIMIT[x.dtype]
        return where(is_beyond, NAN, _recurrence(family, x, where(is_beyond, 0, degree)))

    return compute


_register("hermite_polynomial_h", _hermite("hermite_h"))
_register("hermite_polynomial_he", _hermite("hermite_he"))
_register("laguerre_polynomial_l", lambda x, degree: _recurrence("laguerre_l", x, where(x.equals(0), 0, degree)))


def _legendre(x: Term, degree: Term) -> Term:
    is_end = absolute(x).equals(1)
    return where(is_end, _sign(x, degree), _recurrence("legendre_p", x, where(is_end, 0, degree)))


def _sign(x: Term, degree: Term) -> Term:
    """The sign of a polynomial right of all its zeros, or left of them."""
    is_even = (degree.cast("i64") & 1).equals(0)
    return where((x > 0) | is_even, 1.0, degree * 0 - 1)


_register("legendre_polynomial_p", _legendre)


# Those of Chebyshev. With x = cos(angle) they are ratios of waves.


def _wave_u(x: Term, degree: Term, angle: Term) -> Term:
    product = (degree + 1) * angle
    return where(sin(angle).equals(0), (degree + 1) * cos(product) / x, sin(product) / sin(angle))


def _wave_v(x: Term, degree: Term, angle: Term) -> Term:
    half = angle / 2
    is_end = sin(half).equals(1)
    return where(is_end, (2 * degree + 1) * _sign(x, degree), cos((degree + 0.5) * angle) / cos(half))


def _wave_w(x: Term, degree: Term, angle: Term) -> Term:
    half = angle / 2
    return where(cos(half).equals(1), 2 * degree + 1, sin((degree + 0.5) * angle) / sin(half))


_Value = Callable[[Term], Any]
# kind: its value at 1, the magnitude of its value at -1, its wave, and the degrees above which that is taken: for x
# and, in the shifted polynomials, for 2x - 1.
_KINDS: dict[str, tuple[_Value, _Value, Callable[..., Term], int, int]] = {
    "t": (lambda degree: 1, lambda degree: 1, lambda x, degree, angle: cos(degree * angle), 6, 6),
    "u": (lambda degree: degree + 1, lambda degree: degree + 1, _wave_u, 8, 6),
    "v": (lambda degree: 1, lambda degree: 2 * degree + 1, _wave_v, 8, 6),
    "w": (lambda degree: 2 * degree + 1, lambda degree: 1, _wave_w, 8, 4),
}


def _chebyshev(kind: str, shifted: bool) -> Callable[[Term, Term], Term]:
    right, left, wave, *limits = _KINDS[kind]
    limit = limits[shifted]

    def compute(x: Term, degree: Term) -> Term:
        x = x + x - 1 if shifted else x
        is_end, is_inside = absolute(x).equals(1), (absolute(x) < 1) & (degree > limit)
        end = _sign(x, degree) * where(x > 0, degree * 0 + right(degree), degree * 0 + left(degree))
        angle = x.cast("f64").apply("acos").cast(x.dtype)  # the product with a large degree shows each wrong bit of it
        sum_ = _recurrence(f"chebyshev_{kind}", x, where(is_end | is_inside, 0, degree))
        return where(is_end, end, where(is_inside, wave(x, degree, angle), sum_))

    return compute


for _kind in _KINDS:
    _register(f"chebyshev_polynomial_{_kind}", _chebyshev(_kind, shifted=False))
    _register(f"shifted_chebyshev_polynomial_{_kind}", _chebyshev(_kind, shifted=True))
