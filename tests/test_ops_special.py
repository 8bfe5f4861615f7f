"""Special functions against CPU eager, where they change formula, at poles, at zeros, far out, and at no numbers at all."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence

import pytest
import torch
from ops_support import FLOATS, Case, check, gapped

special = torch.special
INF, NAN = float("inf"), float("nan")
LONG = (torch.float32, torch.float64)

FAR = [0.0, -0.0, 1e-30, -1e-30, 1e-6, -1e-6, 50.5, -50.5, 103.0, 104.0, 150.25, -150.25, 1e4, -1e4, 1e8, -1e8, 1e30, -1e30, INF, -INF, NAN]
GRID = [*FAR, *(i / 8 for i in range(-160, 161))]
UNIT = [0.0, 1.0, -0.1, 1.1, NAN, INF, 1e-30, 1e-14, *(i / 64 for i in range(65)), 1 - 1e-6]

ON_SHORT_FLOATS = ("i0", "i0e", "i1", "i1e", "digamma", "erfc", "multigammaln", "polygamma")
ON_LINE = (
    "i0", "i0e", "i1", "i1e", "digamma", "erfc", "erfcx", "log_ndtr", "airy_ai", "bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1",
    "modified_bessel_i0", "modified_bessel_i1", "modified_bessel_k0", "modified_bessel_k1", "scaled_modified_bessel_k0",
    "scaled_modified_bessel_k1", "spherical_bessel_j0",
)  # fmt: skip
DIFFERENTIABLE = ("i0", "i0e", "i1", "i1e", "digamma", "erfc", "erfcx", "log_ndtr")
POLYNOMIALS = (
    "chebyshev_polynomial_t", "chebyshev_polynomial_u", "chebyshev_polynomial_v", "chebyshev_polynomial_w", "hermite_polynomial_h",
    "hermite_polynomial_he", "laguerre_polynomial_l", "legendre_polynomial_p", "shifted_chebyshev_polynomial_t",
    "shifted_chebyshev_polynomial_u", "shifted_chebyshev_polynomial_v", "shifted_chebyshev_polynomial_w",
)  # fmt: skip


def pairs(left: Sequence[float], right: Sequence[float], dtype: torch.dtype) -> tuple[torch.Tensor, torch.Tensor]:
    first, second = zip(*itertools.product(left, right), strict=True)
    return torch.tensor(first, dtype=dtype), torch.tensor(second, dtype=dtype)


@pytest.mark.parametrize("dtype", LONG)
def test_functions_of_one_number(dtype: torch.dtype) -> None:
    x = torch.tensor(GRID, dtype=dtype)
    cases = [Case(name, getattr(special, name), (x,)) for name in ON_LINE]
    unit = torch.tensor(UNIT, dtype=dtype)
    check([*cases, Case("ndtri", special.ndtri, (unit,)), Case("erfinv", special.erfinv, (2 * unit - 1,))])


def test_gradients() -> None:
    dtype = torch.float64
    x = gapped(torch.linspace(-4.9, 9.7, 60, dtype=dtype).view(6, 10))
    cases = [Case(name, getattr(special, name), (x,)) for name in DIFFERENTIABLE]
    cases += [Case("ndtri", special.ndtri, (torch.linspace(0.01, 0.99, 30, dtype=dtype),))]
    positive = x.abs() + 2.1
    cases += [Case("multigammaln", lambda x: special.multigammaln(x, 3), (positive,))]
    cases += [Case(f"polygamma {n}", lambda x, n=n: special.polygamma(n, x), (x,)) for n in (0, 2)]
    cases += [Case("zeta", lambda q: special.zeta(torch.full_like(q, 3.0).detach(), q), (positive,))]
    cases += [Case(name, lambda x, name=name: getattr(special, name)(x.detach() * 2, x), (positive,)) for name in ("gammainc", "gammaincc")]
    check(cases, gradients=True)


@pytest.mark.parametrize("dtype", FLOATS[2:])
def test_short_floats(dtype: torch.dtype) -> None:
    x = torch.tensor([*FAR, *(i / 4 for i in range(-40, 41))]).to(dtype)
    positive = torch.linspace(1.6, 40, 50).to(dtype)
    cases = [Case(name, getattr(special, name), (x,)) for name in ON_LINE if name in ON_SHORT_FLOATS]
    cases += [Case(f"polygamma {n}", lambda x, n=n: special.polygamma(n, x), (x,)) for n in (0, 1, 3)]
    cases += [Case("multigammaln", lambda x: special.multigammaln(x, 3), (positive,))]
    cases += [Case(name, getattr(special, name), (positive, positive.flip(0))) for name in ("gammainc", "gammaincc")]
    check(cases)


@pytest.mark.parametrize("dtype", LONG)
def test_polygamma_and_zeta(dtype: torch.dtype) -> None:
    x = torch.tensor([*GRID[: -len(GRID) // 4 : 3], 1e-3, 0.49, 0.51, -0.01], dtype=dtype)
    x = x[(x.abs() < 1e4) | (x > 0) | x.isnan()]
    cases = [Case(f"polygamma {n}", lambda x, n=n: special.polygamma(n, x), (x,)) for n in (0, 1, 2, 3, 7, 30)]
    orders = [1.0, 0.5, -1.0, 1.5, 2.0, 3.0, 9.0, 40.0, 300.0, INF, NAN]
    places = [1.0, 0.3, 1e-3, 2.5, 8.9, 9.1, 1e3, 1e10, 0.0, -1.0, -0.5, -2.25, -30.5, -200.75, INF, NAN]
    cases += [Case("zeta", special.zeta, pairs(orders, places, dtype))]
    cases += [Case("zeta of a number", lambda x: special.zeta(2.5, x), (x,)), Case("zeta at a number", lambda x: special.zeta(x, 1), (x,))]
    check(cases)


@pytest.mark.parametrize("dtype", LONG)
def test_incomplete_gamma(dtype: torch.dtype) -> None:
    values = [
        0.0,
        1e-10,
        1e-3,
        0.1,
        0.5,
        0.9,
        1.0,
        1.05,
        1.1,
        2.0,
        3.7,
        8.0,
        19.9,
        20.0,
        25.0,
        80.0,
        150.0,
        200.0,
        210.0,
        1e3,
        1.1e4,
        1e12,
        INF,
        NAN,
        -1.0,
    ]
    a, x = pairs(values, values, dtype)
    check([Case(name, getattr(special, name), (a, x)) for name in ("gammainc", "gammaincc")])


@pytest.mark.parametrize("dtype", LONG)
def test_orthogonal_polynomials(dtype: torch.dtype) -> None:
    places = [-3.0, -1.5, -1.0, -0.999, -0.5, -1e-3, 0.0, 1e-3, 0.3, 0.5, 0.75, 0.999, 1.0, 1.001, 2.0, 30.0, INF]
    degrees = [-3.0, 0.0, 1.0, 2.0, 2.7, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 20.0, 41.0, 127.0]
    x, n = pairs(places, degrees, dtype)
    cases = [Case(name, getattr(special, name), (x, n)) for name in POLYNOMIALS]
    cases += [Case("of a number", lambda n: special.chebyshev_polynomial_u(0.25, n), (n,))]
    cases += [Case("of degree 3", lambda x: special.laguerre_polynomial_l(x, 3), (x,))]
    high = torch.tensor([128.0, 129.0, 512.0, 513.0, 1e9, INF, -INF, NAN], dtype=dtype)
    cases += [Case(f"{name} of high degree", getattr(special, name), (torch.full_like(high, 0.5), high)) for name in POLYNOMIALS if "her" in name]
    cases += [Case(f"{name} soon infinite", getattr(special, name), (torch.full_like(high, 1.5), high)) for name in POLYNOMIALS[:2]]
    check(cases)


@pytest.mark.parametrize("dtype", [torch.complex64, torch.complex128])
def test_logaddexp_of_complex_numbers(dtype: torch.dtype) -> None:
    parts = [complex(a, b) for a in (0.0, 0.5, -2.0, 30.0, -INF, NAN) for b in (0.0, 1.2, -3.0)]
    x, y = (torch.tensor(side, dtype=dtype) for side in zip(*itertools.product(parts, parts), strict=True))
    check([Case("logaddexp", torch.logaddexp, (x, y))])


def integers() -> Iterator[Case]:
    x = torch.tensor([0, 1, -1, 3, 12, -18, 100, 97, -128, 60, 7, 2])
    for dtype in (torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64):
        grid = x.clamp(min=-127).to(dtype)
        yield from (Case(f"{name} {dtype}", getattr(torch, name), (grid[:, None], grid)) for name in ("gcd", "lcm"))
    yield Case("gcd of two types", torch.gcd, (x, x.flip(0).to(torch.int32)))
    yield Case("gcd in place", lambda x, y: x.gcd_(y), (x.clone(), x.flip(0)))


def promotions() -> Iterable[Case]:
    """Integers are computed as floats; results may be given a place."""
    x = torch.arange(1, 7)
    yield from (Case(f"{name} of integers", getattr(special, name), (x,)) for name in ("i0", "erfcx", "bessel_j0", "airy_ai", "digamma"))
    yield Case("polygamma of integers", lambda x: special.polygamma(2, x), (x,))
    yield Case("multigammaln of integers", lambda x: special.multigammaln(x + 4, 2), (x,))
    yield Case("polynomial of integers", lambda x: special.legendre_polynomial_p(x, x), (x,))
    yield Case("zeta of mixed types", special.zeta, (x + 1, x.double()))
    yield Case("polygamma_", lambda x: x.polygamma_(3), (x.float(),))
    yield Case("mvlgamma_", lambda x: x.add_(3).mvlgamma_(2), (x.float(),))
    yield Case("no elements", lambda x: special.hermite_polynomial_h(x, x), (torch.ones(0, 3),))
    many = torch.linspace(0.1, 30, 3003).view(39, 77)
    yield Case("many elements", special.gammainc, (many, many.flip(0)))
    yield Case("polynomial of many elements", special.chebyshev_polynomial_w, (many / 31, many.flip(0)))
    yield Case("one number", lambda x: special.gammainc(x, x), (torch.tensor(2.5),))
    yield Case("kaiser", lambda x: x * torch.kaiser_window(6, device=x.device), (x.float(),))


def refusals() -> Iterable[Case]:
    """What torch refuses is refused here."""
    half = torch.ones(3, dtype=torch.float16)
    yield from (Case(f"{name} of float16", getattr(special, name), (half,)) for name in ("erfcx", "bessel_j0", "airy_ai", "ndtri"))
    yield Case("polygamma of a negative order", lambda x: special.polygamma(-1, x), (half.float(),))
    yield Case("mvlgamma of order 0", lambda x: special.multigammaln(x, 0), (half.float(),))
    yield Case("igamma of integers", special.gammainc, (torch.arange(3), torch.arange(3)))


def test_integers_promotions_and_refusals() -> None:
    check([*integers(), *promotions(), *refusals()])
