"""Functions of numbers that are computed in loops as long as their values need."""

from __future__ import annotations

from .attributes import STRING
from .declare import declare, require
from .types import TensorType, is_integer

POLYNOMIALS = ("chebyshev_t", "chebyshev_u", "chebyshev_v", "chebyshev_w", "hermite_h", "hermite_he", "laguerre_l", "legendre_p")


def _require_long_floats(x: TensorType, y: TensorType) -> None:
    require(x == y, f"operands differ: {x} and {y}")
    require(x.dtype in ("f32", "f64"), f"not defined on {x.dtype}")


@declare("zeta", "x", "q", groups=("pointwise",))
def zeta(x: TensorType, q: TensorType) -> TensorType:
    """The Hurwitz zeta function: the sum of (q + k) ** -x over all k >= 0."""
    _require_long_floats(x, q)
    return x


@declare("igamma", "a", "x", groups=("pointwise",))
def igamma(a: TensorType, x: TensorType) -> TensorType:
    """The regularized lower incomplete gamma function, for finite a > 0 and x > 0."""
    _require_long_floats(a, x)
    return a


@declare("igammac", "a", "x", groups=("pointwise",))
def igammac(a: TensorType, x: TensorType) -> TensorType:
    """The regularized upper incomplete gamma function, 1 - igamma(a, x), for finite a > 0 and x > 0."""
    _require_long_floats(a, x)
    return a


@declare("orthogonal_polynomial", "x", "n", family=STRING, groups=("pointwise",))
def orthogonal_polynomial(x: TensorType, n: TensorType, family: str) -> TensorType:
    """The polynomial of degree `n` >= 0 of a family at `x`."""
    require(family in POLYNOMIALS, f"family {family!r} is none of {', '.join(POLYNOMIALS)}")
    require(x.dtype in ("f32", "f64") and n == x.with_dtype("i64"), f"operands are {x} and {n}")
    return x


@declare("gcd", "x", "y", groups=("pointwise",))
def gcd(x: TensorType, y: TensorType) -> TensorType:
    """The greatest common divisor of integers; that of 0 and 0 is 0."""
    require(x == y and is_integer(x.dtype), f"operands are {x} and {y}")
    return x
