"""The cubic convolution kernel of interpolation: weights of the four neighbours of a place `t` behind the second of them."""

from __future__ import annotations

from .formula import Term

__all__ = ["cubic_filter_far", "cubic_filter_near", "cubic_slopes", "cubic_weights"]


def cubic_filter_near(x: Term, a: float) -> Term:
    """The weight at a distance up to 1."""
    return ((a + 2) * x - (a + 3)) * x * x + 1


def cubic_filter_far(x: Term, a: float) -> Term:
    """The weight at a distance from 1 to 2."""
    return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a


def cubic_weights(t: Term, a: float) -> list[Term]:
    rest = 1 - t
    return [cubic_filter_far(t + 1, a), cubic_filter_near(t, a), cubic_filter_near(rest, a), cubic_filter_far(rest + 1, a)]


def _slope_near(x: Term, a: float) -> Term:
    return (3 * (a + 2) * x - 2 * (a + 3)) * x


def _slope_far(x: Term, a: float) -> Term:
    return (3 * a * x - 10 * a) * x + 8 * a


def cubic_slopes(t: Term, a: float) -> list[Term]:
    """The derivatives of the weights by `t`."""
    rest = 1 - t
    return [_slope_far(t + 1, a), _slope_near(t, a), -_slope_near(rest, a), -_slope_far(rest + 1, a)]
