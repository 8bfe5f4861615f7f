"""Operations composed without the reads of values that torch's own composition makes, and what else is no family of its own:
values, gradients and errors against CPU eager; nothing falls back, and no gradient reads."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import pytest
import torch
from ops_support import DEVICE, FLOATS, Case, check, gapped
from torch.autograd import forward_ad

import lazymlir
from lazymlir import metrics

INF, NAN = float("inf"), float("nan")


def drawn(*shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(0), dtype=torch.float64).to(dtype)


def with_zeros(*shape: int) -> torch.Tensor:
    """Rows without a zero, with one, with two, and with zeros only."""
    x = drawn(*shape)
    x[1, 2] = 0
    x[2, :3:2] = 0
    x[3] = 0
    return x


def reads(run: Callable[[], Any]) -> int:
    """How often a value was read."""
    lazymlir.sync(wait=True)
    metrics.clear_all()
    run()
    return metrics.counter_value("HostRead") or 0


# Gradients of reductions.

REDUCTIONS: dict[str, Callable[[torch.Tensor], Any]] = {
    "prod": torch.prod,
    "prod dim": lambda x: x.prod(1),
    "prod keepdim": lambda x: x.prod(0, keepdim=True),
    "prod last": lambda x: x.prod(-1),
    "prod dtype": lambda x: x.prod(1, dtype=torch.float64),
    "cumprod": lambda x: x.cumprod(1),
    "cumprod dim": lambda x: x.cumprod(0),
    "cumprod dtype": lambda x: x.cumprod(-1, dtype=torch.float64),
    "max": torch.max,
    "min": torch.min,
    "median": torch.median,
    "nanmedian": torch.nanmedian,
    "vander": lambda x: torch.linalg.vander(x[0], N=3),
}


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_gradients_of_reductions(dtype: torch.dtype) -> None:
    x = gapped(with_zeros(4, 5)).to(dtype)
    exact = dtype.itemsize > 2  # eager's derivative of a cumulative product rounds in between
    names = [name for name in REDUCTIONS if exact or "cumprod" not in name]
    check([Case(name, REDUCTIONS[name], (x,)) for name in names], gradients=True)


def test_gradients_of_other_inputs() -> None:
    rows = with_zeros(4, 5)
    equal = torch.tensor([[1.0, 3, 3], [3, 0, 1]])
    nan = torch.tensor([1.0, NAN, 2, NAN])
    pairs = drawn(3, 4, 2)
    cases = [Case(f"{name} of equals", REDUCTIONS[name], (equal,)) for name in ("max", "min", "median", "nanmedian")]
    cases += [Case(f"{name} of NaN", REDUCTIONS[name], (nan,)) for name in ("max", "min", "median", "nanmedian")]
    cases += [Case(f"{name} of a number", getattr(torch, name), (drawn(),)) for name in ("prod", "max", "min", "median")]
    cases += [
        Case("prod of one", torch.prod, (drawn(1),)),
        Case("prod of none", lambda x: x.prod(1), (torch.empty(3, 0),)),
        Case("cumprod of one", lambda x: x.cumprod(0), (drawn(1),)),
        Case("cumprod of a number", lambda x: x.cumprod(0), (drawn(),)),
        Case("cumprod of none", lambda x: x.cumprod(1), (torch.empty(3, 0),)),
        Case("cumprod along many", lambda x: x.cumprod(0), (drawn(40) / 4 + 1,)),
        Case("complex prod", lambda x: torch.view_as_complex(x).prod(0), (pairs,)),
        Case("complex cumprod", lambda x: torch.view_as_complex(x).cumprod(0), (pairs,)),
        Case("prod made complex", lambda x: x.prod(1, dtype=torch.complex64), (drawn(3, 4),)),
        Case("second of prod", _second(torch.prod), (drawn(5),)),
        Case("second of prod with zeros", _second(lambda x: x.prod(1)), (rows,)),
        Case("second of cumprod with zeros", _second(lambda x: x.cumprod(1)), (rows,)),
        Case("second of max", _second(lambda x: x.max() ** 2), (drawn(5),)),
    ]
    check(cases, gradients=True)


def _second(function: Callable[[torch.Tensor], torch.Tensor]) -> Callable[[torch.Tensor], torch.Tensor]:
    def gradient(x: torch.Tensor) -> torch.Tensor:
        y = function(x)
        return torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)[0]

    return gradient


def test_gradients_of_reductions_read_nothing() -> None:
    x = with_zeros(4, 5).to(DEVICE).requires_grad_()
    for name, function in REDUCTIONS.items():
        assert reads(lambda function=function: torch.autograd.grad(function(x).sum(), x)) == 0, name


@pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated")
@pytest.mark.parametrize("name", [name for name in REDUCTIONS if name != "vander"])
def test_derivatives_forward_and_transforms(name: str) -> None:
    function = REDUCTIONS[name]
    x, direction = drawn(4, 5), drawn(4, 5).flip(0)
    made = []
    for device in ("cpu", DEVICE):
        primal, tangent = x.to(device), direction.to(device)
        with forward_ad.dual_level():
            forward = forward_ad.unpack_dual(function(forward_ad.make_dual(primal, tangent))).tangent
        made.append((forward, torch.func.grad(lambda x: function(x).sum())(primal)))
    for one, other in zip(*made, strict=True):
        torch.testing.assert_close(other.cpu(), one)


# Filling.


def test_gradients_of_filling_with_a_tensor() -> None:
    x, value = gapped(drawn(3, 4)), drawn()
    places, mask = torch.tensor([2, 0, 2]), drawn(4) > 0
    cases = [
        Case("index_fill", lambda x, v: x.index_fill(1, places.to(x.device), v), (x, value)),
        Case("index_fill from the end", lambda x, v: x.index_fill(-2, places.to(x.device), v), (x, value)),
        Case("index_fill none", lambda x, v: x.index_fill(0, places[:0].to(x.device), v), (x, value)),
        Case("index_fill a number", lambda x, v: x.index_fill(0, places[1:2].to(x.device), v), (drawn(), value)),
        Case("index_fill another dtype", lambda x, v: x.index_fill(0, places.to(x.device), v), (x, value.double())),
        Case("masked_fill", lambda x, v: x.masked_fill(mask.to(x.device), v), (x, value)),
        Case("masked_fill wider", lambda x, v: x[0].masked_fill(mask.to(x.device).expand(2, 4), v), (x, value)),
        Case("masked_fill without", lambda x, v: x.masked_fill(mask.to(x.device), v.detach()), (x, value)),
    ]
    refused = [
        Case("several values", lambda x, v: x.masked_fill(mask.to(x.device), v.expand(4)), (x, value)),
        Case("no mask", lambda x, v: x.masked_fill(mask.long().to(x.device), v), (x, value)),
        Case("a complex value", lambda x, v: x.masked_fill(mask.to(x.device), v * 1j), (x, value)),
        Case("several values to index", lambda x, v: x.index_fill(0, places.to(x.device), v.expand(4)), (x, value)),
    ]
    check([*cases, *refused], gradients=True)
    check(cases)
    inputs = [y.to(DEVICE).requires_grad_() for y in (x, value)]
    for case in cases:
        made = reads(lambda case=case: torch.autograd.grad(case.run(*inputs).sum(), inputs, allow_unused=True))
        assert made == 0, case.name


# Covariances.


def test_covariances() -> None:
    x, frequencies, reliabilities = drawn(3, 6), torch.tensor([1, 2, 0, 3, 1, 1]), drawn(6).abs()

    def weighted(correction: int, *names: str) -> Callable[..., torch.Tensor]:
        return lambda x, f, a: torch.cov(x, correction=correction, fweights=f if "f" in names else None, aweights=a if "a" in names else None)

    cases = [Case(f"{names} {c}", weighted(c, *names), (x, frequencies, reliabilities)) for names in ("", "f", "a", "fa") for c in (0, 1, 2)]
    cases += [
        Case("one variable", torch.cov, (x[0],)),
        Case("a number", lambda x: torch.cov(x, correction=0), (drawn(),)),
        Case("corrcoef", torch.corrcoef, (x,)),
        Case("corrcoef of one", torch.corrcoef, (x[0],)),
    ]
    check(cases, gradients=True)
    check([
        Case("integers", torch.cov, (torch.arange(12).view(3, 4) % 5,)),
        Case("complex", torch.cov, (torch.complex(x, x.flip(0)),)),
        Case("double", torch.cov, (x.double(),)),
        Case("three dimensions", torch.cov, (drawn(2, 2, 2),)),
        Case("booleans", torch.cov, (x > 0,)),
        Case("float fweights", lambda x: torch.cov(x, fweights=x[0]), (x,)),
        Case("too few", lambda x: torch.cov(x, aweights=x[0, 1:]), (x,)),
    ])  # fmt: skip
    moved = x.to(DEVICE)
    assert reads(lambda: torch.corrcoef(moved)) == 0
    assert reads(lambda: torch.cov(moved, aweights=moved[0].abs())) == 0


def test_degrees_of_freedom_warn_as_in_torch() -> None:
    found = []
    for device in ("cpu", DEVICE):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found.append(torch.cov(torch.ones(2, 1, device=device)).cpu())
        assert "degrees of freedom is <= 0" in str(caught[-1].message)
    assert found[1].isnan().all() and found[0].isnan().all()


@pytest.mark.parametrize(
    ("weights", "message"), [({"aweights": [-1.0, 2]}, "aweights cannot be negative"), ({"fweights": [0, 0]}, "weights sum to zero")]
)
def test_weights_that_are_wrong_are_refused_when_the_result_is_read(weights: dict[str, Any], message: str) -> None:
    x = torch.ones(2, 2, device=DEVICE)
    moved: dict[str, Any] = {name: torch.tensor(numbers, device=DEVICE) for name, numbers in weights.items()}
    made = torch.cov(x, **moved)
    with pytest.raises(RuntimeError, match=message):
        made.cpu()


# Bits.


@pytest.mark.parametrize("dtype", FLOATS)
def test_fractions_and_exponents(dtype: torch.dtype) -> None:
    special = torch.tensor([0.0, -0.0, 1, -1, 0.5, 3, -0.75, 1e-4, 6e4, INF, -INF, NAN]).to(dtype)
    cases = [Case("special", torch.frexp, (special,)), Case("drawn", torch.frexp, (gapped(drawn(3, 4, dtype=dtype)),))]
    if dtype == torch.float16:
        cases.append(Case("subnormal", torch.frexp, (torch.tensor([6e-8, 1e-6], dtype=dtype),)))
    check(cases)
    check([Case("gradient", lambda x: torch.frexp(x)[0], (drawn(3, dtype=dtype),))], gradients=True)


def test_hashes() -> None:
    dtypes = (*FLOATS, torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8, torch.bool)
    x = drawn(3, 5, 7) * 3
    cases = [Case(f"{dtype}", lambda x: torch.hash_tensor(x).view(torch.int64), (x.to(dtype),)) for dtype in dtypes]
    tables: tuple[dict[str, Any], ...] = ({"dim": 1}, {"dim": (0, 2), "keepdim": True}, {"dim": -1}, {"dim": ()}, {"mode": 1})
    for options in tables:
        cases.append(Case(f"{options}", lambda x, options=options: torch.hash_tensor(x, **options).view(torch.int64), (x,)))
    cases += [
        Case("strided", lambda x: torch.hash_tensor(x, 0).view(torch.int64), (gapped(x[0]),)),
        Case("number", lambda x: torch.hash_tensor(x).view(torch.int64), (drawn(),)),
        Case("none", lambda x: torch.hash_tensor(x), (torch.empty(0),)),
        Case("special", lambda x: torch.hash_tensor(x).view(torch.int64), (torch.tensor([NAN, -0.0, INF]),)),
        Case("out", lambda x: torch.hash_tensor(x, out=torch.zeros((), dtype=torch.uint64, device=x.device)).view(torch.int64), (x,)),
    ]
    check(cases)


# Given results.


def test_given_results() -> None:
    z = torch.complex(drawn(3, 4), drawn(3, 4).flip(0))
    x, three = drawn(3, 4), torch.tensor(3.0)
    check([
        Case("conj_physical", lambda z: torch.conj_physical(z, out=torch.empty_like(z)), (z,)),
        Case("conj_physical of real", lambda x: torch.conj_physical(x, out=torch.empty_like(x)), (x,)),
        Case("linspace", lambda x: torch.linspace(0, 3, 5, out=x), (torch.zeros(5),)),
        Case("linspace of integers", lambda x: torch.linspace(0, 7, 5, out=x), (torch.zeros(5, dtype=torch.int64),)),
        Case("linspace of complex", lambda x: torch.linspace(0, 3 + 1j, 5, out=x), (torch.zeros(5, dtype=torch.complex64),)),
        Case("linspace resized", lambda x: torch.linspace(0, 3, 5, out=x), (torch.zeros(0),)),
        Case("linspace of tensors", lambda t, x: torch.linspace(t, 2 * t, 4, out=x), (three, torch.zeros(4))),
        Case("logspace", lambda x: torch.logspace(0, 3, 5, base=2, out=x), (torch.zeros(5),)),
        Case("logspace of tensors", lambda t, x: torch.logspace(t, 1, 4, out=x), (three, torch.zeros(4))),
        Case("eye", lambda x: torch.eye(3, 4, out=x), (x,)),
        Case("eye of integers", lambda x: torch.eye(2, out=x), (torch.ones(2, 2, dtype=torch.int32),)),
        Case("narrow_copy", lambda x: torch.narrow_copy(x, 1, 1, 2, out=x.new_empty(3, 2)), (x,)),
        Case("mvlgamma", lambda x: torch.mvlgamma(x, 2, out=torch.empty_like(x)), (x.abs() + 2,)),
        Case("mvlgamma_", lambda x: x.mvlgamma_(2), (x.abs() + 2,)),
        Case("frexp", lambda x: torch.frexp(x, out=(torch.empty_like(x), x.new_empty(3, 4, dtype=torch.int32))), (x,)),
        Case("addbmm_", lambda x, y: x.addbmm_(y, y, beta=0.5), (drawn(3, 3), drawn(2, 3, 3))),
        Case("addbmm_ takes the shape of its result", lambda x, y: x.addbmm_(y, y, alpha=2), (drawn(1), drawn(2, 3, 3))),
    ])  # fmt: skip


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("name", ["native_batch_norm", "_native_batch_norm_legit"])
def test_given_results_of_batch_norm(name: str, training: bool) -> None:
    def run(x: torch.Tensor, mean: torch.Tensor, variance: torch.Tensor) -> Any:
        outs = (torch.empty_like(x), *(x.new_empty(3 if training else 0) for _ in range(2)))
        getattr(torch.ops.aten, name).out(x, None, None, mean, variance, training, 0.1, 1e-5, out=outs[0], save_mean=outs[1], save_invstd=outs[2])
        return outs

    check([Case(name, run, (drawn(2, 3, 4), drawn(3), drawn(3).abs()))])


# Random slopes in place.


def test_random_slopes_in_place() -> None:
    x = drawn(1000).to(DEVICE)
    torch.manual_seed(3)
    made = torch.rrelu_(x.clone(), 0.1, 0.3, training=True)
    torch.manual_seed(3)
    assert torch.equal(made, torch.rrelu(x, 0.1, 0.3, training=True))
    slopes = (made / x).cpu()[x.cpu() < 0]
    assert 0.1 <= slopes.min() < 0.12 and 0.28 < slopes.max() <= 0.3
    assert torch.equal(made.cpu()[x.cpu() >= 0], x.cpu()[x.cpu() >= 0])
    check([Case("evaluation", lambda x: torch.rrelu_(x, 0.1, 0.3), (drawn(3, 4),))])


def test_random_slopes_in_place_have_a_gradient() -> None:
    leaf = drawn(50).to(DEVICE).requires_grad_()
    x = leaf * 1
    made = torch.rrelu_(x, 0.1, 0.3, training=True)
    (gradient,) = torch.autograd.grad(made.sum(), leaf)
    torch.testing.assert_close((made / leaf).detach().cpu(), gradient.cpu())


@pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated")
def test_tangents_of_views_and_views_as_tangents():
    def tangent(x: torch.Tensor, y: torch.Tensor) -> Any:
        with forward_ad.dual_level():
            dual = forward_ad.make_dual(x[1], y[::2])
            dual[0] *= 3
            return forward_ad.unpack_dual(dual.sin()).tangent

    batched = torch.func.vmap(lambda x, y: torch.func.jvp(torch.sin, (x,), (y,))[1])
    x, y = drawn(3, 2, 4), drawn(4, 4)
    check([Case("a view", tangent, (x, y)), Case("in a batch", batched, (x[0], y[::2]))])
