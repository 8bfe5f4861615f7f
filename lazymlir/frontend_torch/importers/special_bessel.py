"""Bessel functions, by the approximations that torch computes with."""

from __future__ import annotations

import math

from . import special_tables as tables
from .formula import Term, absolute, cos, exp, formula, is_infinite, log, sin, sqrt, where
from .special import INFINITY, NAN, chebyshev, needs_long_floats, ratio

# Modified ones: near 0 and far from it a Chebyshev series each.

_I = ((tables.I0_NEAR, tables.I0_FAR), (tables.I1_NEAR, tables.I1_FAR))
_K = ((tables.K0_NEAR, tables.K0_FAR), (tables.K1_NEAR, tables.K1_FAR))


def _i_near(order: int, x: Term) -> Term:
    """exp(-x) times the function, for x from 0 to 8."""
    series = chebyshev(x / 2 - 2, _I[order][0])
    return series * x if order else series


def modified_i(order: int, x: Term, scaled: bool = False) -> Term:
    """The function of the first kind; `scaled` by exp(-abs(x))."""
    magnitude = absolute(x)
    far = chebyshev(32 / magnitude - 2, _I[order][1]) / sqrt(magnitude)
    made = where(magnitude <= 8, _i_near(order, magnitude), far)
    made = made if scaled else exp(magnitude) * made
    return where(x < 0, -made, made) if order else made


def modified_k(order: int, x: Term, scaled: bool = False) -> Term:
    """The function of the second kind; `scaled` by exp(x)."""
    series, logarithm = chebyshev(x * x - 2, _K[order][0]), log(x / 2) * exp(x) * _i_near(order, x)
    near = logarithm + series / x if order else series - logarithm
    far = chebyshev(8 / x - 2, _K[order][1]) / sqrt(x)
    made = where(x <= 2, near * exp(x), far) if scaled else where(x <= 2, near, exp(-x) * far)
    return where(x.equals(0), INFINITY, where(x < 0, NAN, made))


for _order in (0, 1):
    _first, _second = f"special_modified_bessel_i{_order}", f"modified_bessel_k{_order}"
    formula(("i0", "special_i1")[_order])(lambda x, order=_order: modified_i(order, x))
    formula(f"special_i{_order}e")(lambda x, order=_order: modified_i(order, x, scaled=True))
    formula(_first, accepts=needs_long_floats)(lambda x, order=_order: modified_i(order, x))
    formula(f"special_{_second}", accepts=needs_long_floats)(lambda x, order=_order: modified_k(order, x))
    formula(f"special_scaled_{_second}", accepts=needs_long_floats)(lambda x, order=_order: modified_k(order, x, scaled=True))


# The others: near 0 without zeros and poles, beyond 5 as waves.

_ROOT = math.sqrt(2 / math.pi)
_J = (tables.J0_NEAR, tables.J1_NEAR)
_Y = (tables.Y0_NEAR, tables.Y1_NEAR)
_ZEROS = ((5.78318596294678452118e00, 3.04712623436620863991e01), (1.46819706421238932572e01, 4.92184563216946036703e01))
"""The squares of the first two zeros of j."""
_WAVES = ((tables.COSINE0, tables.SINE0, math.pi / 4), (tables.COSINE1, tables.SINE1, 3 * math.pi / 4))
"""Factors of the cosine and the sine, and the phase."""


def _j_near(order: int, x: Term) -> Term:
    square = x * x
    made = (square - _ZEROS[order][0]) * (square - _ZEROS[order][1]) * ratio(square, _J[order])
    return made * x if order else where(absolute(x) < 1e-5, 1 - square / 4, made)


def _far(order: int, x: Term, second: bool) -> Term:
    cosine, sine, phase = _WAVES[order]
    square, angle = 25 / (x * x), x - phase
    even, odd = ratio(square, cosine), 5 / x * ratio(square, sine)
    wave = even * sin(angle) + odd * cos(angle) if second else even * cos(angle) - odd * sin(angle)
    return wave * _ROOT / sqrt(x)


def bessel_j(order: int, x: Term) -> Term:
    magnitude = absolute(x)
    made = where(magnitude <= 5, _j_near(order, magnitude), _far(order, magnitude, second=False))
    return where(x < 0, -made, made) if order else made


def bessel_y(order: int, x: Term) -> Term:
    near, first = ratio(x * x, _Y[order]), _j_near(order, x)
    near = x * near + 2 / math.pi * (first * log(x) - 1 / x) if order else near + 2 / math.pi * log(x) * first
    made = where(x <= 5, near, _far(order, x, second=True))
    return where(x.equals(0), -INFINITY, where(x < 0, NAN, made))


for _order in (0, 1):
    formula(f"special_bessel_j{_order}", accepts=needs_long_floats)(lambda x, order=_order: bessel_j(order, x))
    formula(f"special_bessel_y{_order}", accepts=needs_long_floats)(lambda x, order=_order: bessel_y(order, x))


@formula("special_spherical_bessel_j0", accepts=needs_long_floats)
def spherical_bessel_j0(x: Term) -> Term:
    return where(is_infinite(x), 0, where(x.equals(0), 1, sin(x) / x))
