"""Templates of special functions (see templates.py): their loops end when the values say so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jax import Array, lax
from jax import numpy as jnp

__all__ = ["TEMPLATES"]

_EPSILON = 2.0**-53
_BERNOULLI = (
    12.0, -720.0, 30240.0, -1209600.0, 47900160.0, -1.8924375803183791606e9, 7.47242496e10, -2.950130727918164224e12,
    1.1646782814350067249e14, -4.5979787224074726105e15, 1.8152105401943546773e17, -7.1661652561756670113e18,
)  # fmt: skip
"""(2 k)! / B(2 k) for k = 1, 2, ..."""


def zeta(x: Array, q: Array) -> Array:
    """The sum of (q + k) ** -x over all k >= 0: term by term until q + k is above 9, the rest by the Euler-Maclaurin
    formula (Cephes). Ends as torch does where terms no longer count."""

    def more(state: tuple[Array, ...]) -> Array:
        count, place, _, _, done = state
        return jnp.any(_counts(count, place, done))

    def step(state: tuple[Array, ...]) -> tuple[Array, ...]:
        count, place, term, total, done = state
        counts = _counts(count, place, done)
        place = jnp.where(counts, place + 1, place)
        term = jnp.where(counts, place**-x, term)
        total = jnp.where(counts, total + term, total)
        return count + 1, place, term, total, done | (counts & (jnp.abs(term) < _EPSILON * total))

    pole = (q <= 0) & (q == jnp.floor(q))
    undefined = (x < 1) | ((q <= 0) & (x != jnp.floor(x)) & ~pole)
    start = (jnp.int32(0), q, jnp.zeros_like(q), q**-x, pole | undefined)
    _, place, term, total, done = lax.while_loop(more, step, start)
    total = jnp.where(done, total, total + term * place / (x - 1) - term / 2)
    factor, order = jnp.ones_like(x), 0.0
    for number in _BERNOULLI:
        factor, term = factor * (x + order), term / place
        correction = factor * term / number
        total = jnp.where(done, total, total + correction)
        done |= jnp.abs(correction / total) < _EPSILON
        factor, term = factor * (x + order + 1), term / place
        order += 2
    return jnp.where((x == 1) | (pole & ~(x < 1)), jnp.inf, jnp.where(undefined, jnp.nan, total))


def _counts(count: Array, place: Array, done: Array) -> Array:
    """Whether the next term is added."""
    return ~done & ((count < 9) | (place <= 9))


def _fused(x: Array, y: Array, z: Array) -> Array:
    """x * y - z rounded once, as in torch's kernels: where a polynomial grows its recurrence shows the difference."""
    wide = x.astype(jnp.float64) * y.astype(jnp.float64) - z.astype(jnp.float64)
    return wide.astype(x.dtype)


_FIRST = {
    "chebyshev_t": lambda x: x,
    "chebyshev_u": lambda x: x + x,
    "chebyshev_v": lambda x: x + x - 1,
    "chebyshev_w": lambda x: x + x + 1,
    "hermite_h": lambda x: x + x,
    "hermite_he": lambda x: x,
    "laguerre_l": lambda x: 1 - x,
    "legendre_p": lambda x: x,
}
"""The polynomial of degree 1 by family."""
_NEXT = {
    "chebyshev": lambda k, x, q, p: _fused(x + x, q, p),
    "hermite_h": lambda k, x, q, p: _fused(x + x, q, 2 * k * p),
    "hermite_he": lambda k, x, q, p: _fused(x, q, k * p),
    "laguerre_l": lambda k, x, q, p: _fused(k + k + (1 - x), q, k * p) / (k + 1),
    "legendre_p": lambda k, x, q, p: _fused((k + k + 1) * x, q, k * p) / (k + 1),
}
"""The polynomial of degree k + 1 from those of degrees k and k - 1 by family."""


def orthogonal_polynomial(x: Array, n: Array, *, family: str) -> Array:
    """The polynomial of degree `n` by the recurrence of three terms, up to the largest degree that is still a number. Each
    element counts for itself: a division by what is the same for all XLA would round twice."""
    following = _NEXT[family.partition("_")[0] if family.startswith("chebyshev") else family]

    def counts(k: Array, value: Array) -> Array:
        return (k < n) & ~jnp.isnan(value)

    def step(state: tuple[Array, Array, Array]) -> tuple[Array, Array, Array]:
        k, value, previous = state
        on = counts(k, value)
        return k + 1, jnp.where(on, following(k.astype(x.dtype), x, value, previous), value), jnp.where(on, value, previous)

    one = jnp.ones_like(x)
    start = jnp.ones_like(n), jnp.where(n == 0, one, _FIRST[family](x)), one
    return lax.while_loop(lambda state: jnp.any(counts(*state[:2])), step, start)[1]


def gcd(x: Array, y: Array) -> Array:
    """The greatest common divisor, by Euclid's algorithm; that of 0 and 0 is 0."""

    def step(state: tuple[Array, Array]) -> tuple[Array, Array]:
        larger, smaller = state
        rest = lax.rem(larger, jnp.where(smaller == 0, 1, smaller))
        return jnp.where(smaller == 0, larger, smaller), jnp.where(smaller == 0, 0, rest)

    return jnp.abs(lax.while_loop(lambda state: jnp.any(state[1] != 0), step, (x, y))[0])


_LARGE = 1e4
"""Above it the incomplete gamma functions take an asymptotic expansion: the series would need more and more terms."""


def _incomplete_gamma(series: Callable[[Array, Array], Array], sign: int) -> Callable[[Array, Array], Array]:
    def compute(a: Array, x: Array) -> Array:
        is_large = a > _LARGE
        exact = series(jnp.where(is_large, 1, a), jnp.where(is_large, 1, x))
        return jnp.where(is_large, _asymptotic(a, x, sign), exact)

    return compute


def _asymptotic(a: Array, x: Array, sign: int) -> Array:
    """The upper function (`sign` 1) or the lower one (-1), uniformly for all x (DLMF 8.12.3 and 8.12.4)."""
    excess = (x - a) / a
    near = excess * jnp.sqrt(1 + excess * (-2 / 3 + excess * (1 / 2 + excess * (-2 / 5 + excess / 3))))
    far = jnp.sign(excess) * jnp.sqrt(2 * (excess - jnp.log1p(excess)))
    eta = jnp.clip(jnp.where(jnp.abs(excess) < 1e-3, near, far), -1, 1)
    first, second = (-1 / 3, 1 / 12, -2 / 135, 1 / 864, 1 / 2835, -139 / 777600), (-1 / 540, -1 / 288, 1 / 378)
    rest = jnp.polyval(jnp.array(first[::-1]), eta) + jnp.polyval(jnp.array(second[::-1]), eta) / a
    rest *= jnp.exp(-a * eta * eta / 2) / jnp.sqrt(2 * jnp.pi * a)
    return lax.erfc(sign * eta * jnp.sqrt(a / 2)) / 2 + sign * rest


def _in_float64(function: Callable[[Array, Array], Array]) -> Callable[[Array, Array], Array]:
    """What float32 would lose digits in, where terms are many or large."""
    return lambda x, y: function(x.astype(jnp.float64), y.astype(jnp.float64)).astype(x.dtype)


_BLOCK = 1024
"""Elements."""


def _in_blocks(function: Callable[..., Array]) -> Callable[..., Array]:
    """On the CPU a block at a time: what its loop carries stays in the cache, and each block's ends on its own."""

    def compute(x: Array, y: Array, **static: Any) -> Array:
        def whole(x: Array, y: Array) -> Array:
            return function(x, y, **static)

        def blocked(x: Array, y: Array) -> Array:
            rows = -(-x.size // _BLOCK)
            padding = (0, rows * _BLOCK - x.size)
            pair = tuple(jnp.pad(operand.reshape(-1), padding, constant_values=1).reshape(rows, _BLOCK) for operand in (x, y))
            return lax.map(lambda block: whole(*block), pair).reshape(-1)[: x.size].reshape(x.shape)

        return whole(x, y) if x.size <= _BLOCK else lax.platform_dependent(x, y, cpu=blocked, default=whole)

    return compute


TEMPLATES: dict[str, Callable[..., Any]] = {
    "gcd": _in_blocks(gcd),
    "igamma": _in_blocks(_in_float64(_incomplete_gamma(lax.igamma, -1))),
    "igammac": _in_blocks(_in_float64(_incomplete_gamma(lax.igammac, 1))),
    "orthogonal_polynomial": _in_blocks(orthogonal_polynomial),
    "zeta": _in_blocks(_in_float64(zeta)),
}
