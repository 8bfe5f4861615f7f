"""Random numbers: their distributions, ranges, reproducibility, and what they are written into."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn

import lazymlir
from lazymlir import metrics

DEVICE = "lazymlir"
COUNT = 50_000
FLOATS = (torch.float32, torch.float64, torch.bfloat16, torch.float16)

Cdf = Callable[[torch.Tensor], torch.Tensor]


def normal_cdf(x: torch.Tensor) -> torch.Tensor:
    return 0.5 * (1 + torch.erf(x / 2**0.5))


# name: how a tensor is filled, and the distribution function
CONTINUOUS: dict[str, tuple[Callable[[torch.Tensor], Any], Cdf]] = {
    "uniform": (lambda x: x.uniform_(), lambda x: x.clamp(0, 1)),
    "uniform in a range": (lambda x: x.uniform_(-2, 3), lambda x: ((x + 2) / 5).clamp(0, 1)),
    "normal": (lambda x: x.normal_(), normal_cdf),
    "normal, moved": (lambda x: x.normal_(2, 3), lambda x: normal_cdf((x - 2) / 3)),
    "exponential": (lambda x: x.exponential_(2.0), lambda x: 1 - torch.exp(-2 * x)),
    "log normal": (lambda x: x.log_normal_(0.5, 0.25), lambda x: normal_cdf((x.log() - 0.5) / 0.25)),
    "cauchy": (lambda x: x.cauchy_(1, 2), lambda x: 0.5 + torch.atan((x - 1) / 2) / torch.pi),
}


def largest_deviation(sample: torch.Tensor, cdf: Cdf, step: float) -> float:
    """The statistic of Kolmogorov and Smirnov; where values are rounded, either side of the step may be meant."""
    ordered = sample.double().clamp(-1e300, 1e300).sort().values
    at_most = torch.searchsorted(ordered, ordered, right=True).double() / len(ordered)
    below = torch.searchsorted(ordered, ordered).double() / len(ordered)
    margin = ordered.abs() * step
    return max((below - cdf(ordered + margin)).max().item(), (cdf(ordered - margin) - at_most).max().item())


@pytest.fixture(autouse=True)
def _no_fallback() -> Any:
    lazymlir.sync(wait=True)
    metrics.clear_all()
    yield
    assert metrics.executed_fallback_ops() == []


@pytest.mark.parametrize("dtype", FLOATS)
def test_distributions(dtype):
    samples = {name: torch.empty(COUNT, dtype=dtype, device=DEVICE) for name in CONTINUOUS}
    for name, sample in samples.items():
        CONTINUOUS[name][0](sample)
    lazymlir.sync()
    for name, sample in samples.items():
        deviation = largest_deviation(sample.cpu(), CONTINUOUS[name][1], torch.finfo(dtype).eps)
        assert deviation < 1.95 / COUNT**0.5, name  # exceeded by chance once in a thousand


@pytest.mark.parametrize("dtype", FLOATS)
def test_uniform_numbers_stay_in_their_range(dtype):
    x, y = (torch.empty(COUNT, dtype=dtype, device=DEVICE) for _ in range(2))
    x.uniform_()
    y.uniform_(1.0, 1.0 + 2 * torch.finfo(dtype).eps)
    same = torch.empty(3, dtype=dtype, device=DEVICE).uniform_(2.0, 2.0)
    lazymlir.sync()
    assert x.min() >= 0
    assert x.max() < 1
    assert y.cpu().unique().tolist() == [1.0, 1.0 + torch.finfo(dtype).eps]
    assert same.tolist() == [2.0] * 3


def test_moments_of_normal_numbers_are_exact():
    x = torch.randn(4 * COUNT, device=DEVICE)
    z = torch.randn(COUNT, dtype=torch.complex64, device=DEVICE)
    shifted = torch.normal(torch.tensor([0.0, 100.0], device=DEVICE).repeat(COUNT), 2.0).view(COUNT, 2)
    lazymlir.sync()
    x = x.cpu().double()
    error = 4 / len(x) ** 0.5
    assert abs(x.mean()) < error
    assert abs(x.var() - 1) < 2 * error
    assert abs((x**3).mean()) < 4 * error
    assert abs((x**4).mean() - 3) < 10 * error
    assert x.abs().max() < 6
    assert z.cpu().abs().square().mean().item() == pytest.approx(1, abs=0.03)
    assert shifted.cpu().mean(0).tolist() == pytest.approx([0, 100], abs=0.05)


def test_neighbours_and_calls_are_independent():
    x, y = torch.randn(COUNT, device=DEVICE), torch.randn(COUNT, device=DEVICE)
    lazymlir.sync()
    x, y = x.cpu(), y.cpu()
    assert abs((x * y).mean()) < 4 / COUNT**0.5
    assert abs((x[1:] * x[:-1]).mean()) < 4 / COUNT**0.5


@pytest.mark.parametrize("dtype", [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float32])
def test_integers_are_uniform(dtype):
    ten = torch.empty(COUNT, dtype=dtype, device=DEVICE).random_(10)
    low = torch.empty(COUNT, dtype=dtype, device=DEVICE).random_(0 if dtype == torch.uint8 else -5, 5)
    whole = torch.empty(COUNT, dtype=dtype, device=DEVICE).random_()
    lazymlir.sync()
    frequencies = torch.bincount(ten.cpu().long(), minlength=10).double() / COUNT
    assert (frequencies - 0.1).abs().max() < 4 * (0.09 / COUNT) ** 0.5
    assert (low.cpu().min().item(), low.cpu().max().item()) == (0 if dtype == torch.uint8 else -5, 4)
    limit = 2.0**24 if dtype == torch.float32 else float(torch.iinfo(dtype).max)
    assert whole.cpu().double().mean().item() == pytest.approx(limit / 2, rel=0.02)
    assert 0 <= whole.cpu().min() <= whole.cpu().max() <= limit


def test_a_range_that_changes_compiles_nothing_more(counts):
    for high in (7, 9, 12, 100):
        drawn = torch.randint(3, high, (1000,), device=DEVICE).cpu()
        assert (drawn.min().item(), drawn.max().item()) == (3, high - 1)
    assert counts.compiled == 1


def test_chances():
    chances = torch.tensor([0.0, 0.25, 1.0], device=DEVICE).repeat(COUNT)
    drawn = {
        0.3: torch.empty(COUNT, device=DEVICE).bernoulli_(0.3),
        0.6: torch.empty(COUNT, dtype=torch.int64, device=DEVICE).bernoulli_(0.6),
        0.7: torch.empty(COUNT, dtype=torch.bool, device=DEVICE).bernoulli_(0.7),
    }
    each = torch.bernoulli(chances).view(COUNT, 3)
    trials = torch.empty(COUNT, device=DEVICE).geometric_(0.25)
    lazymlir.sync()
    for p, sample in drawn.items():
        assert sample.cpu().double().mean().item() == pytest.approx(p, abs=0.01)
    assert each.cpu().mean(0).tolist() == pytest.approx([0, 0.25, 1], abs=0.01)
    assert trials.cpu().mean().item() == pytest.approx(4, abs=0.07)
    assert trials.cpu().min() == 1


def test_dropout_keeps_the_mean_and_its_mask():
    x = torch.ones(COUNT, device=DEVICE, requires_grad=True)
    dropped = nn.functional.dropout(x, 0.25)
    (gradient,) = torch.autograd.grad(dropped.sum(), x)
    lazymlir.sync()
    assert dropped.detach().cpu().unique().tolist() == pytest.approx([0, 4 / 3])
    assert dropped.detach().cpu().mean().item() == pytest.approx(1, abs=0.02)
    assert torch.equal(gradient.cpu(), dropped.detach().cpu())
    assert nn.functional.dropout(x, 0.5, training=False) is x
    assert nn.functional.dropout(x, 1.0).sum().item() == 0


def test_permutations():
    orders = [torch.randperm(5, device=DEVICE) for _ in range(40)]
    many = torch.randperm(1000, device=DEVICE)
    short = torch.randperm(3, dtype=torch.int32, device=DEVICE)
    lazymlir.sync()
    assert sorted(many.tolist()) == list(range(1000))
    assert short.dtype == torch.int32
    assert len({tuple(order.tolist()) for order in orders}) > 25


def test_categories():
    weights = torch.tensor([0.1, 0.0, 0.4, 0.5], device=DEVICE)
    rows = weights.repeat(COUNT, 1) * 3
    again, once, pairs = torch.multinomial(weights, COUNT, True), torch.multinomial(rows, 1), torch.multinomial(rows, 2)
    lazymlir.sync()
    for drawn in (again, once, pairs[:, 0]):
        frequencies = torch.bincount(drawn.cpu().flatten(), minlength=4) / COUNT
        assert frequencies.tolist() == pytest.approx([0.1, 0, 0.4, 0.5], abs=0.012)
    pairs = pairs.cpu()
    assert bool((pairs[:, 0] != pairs[:, 1]).all())
    assert (torch.bincount(pairs[:, 1], minlength=4) / COUNT).tolist() == pytest.approx([0.1 * (0.4 / 0.6 + 1), 0, 0.441, 0.392], abs=0.012)


def test_only_the_view_is_written():
    x = torch.zeros(4, 5, device=DEVICE)
    x[1:3, ::2].normal_()
    assert (x.cpu() != 0).tolist() == [[row in (1, 2) and column % 2 == 0 for column in range(5)] for row in range(4)]


def draw() -> list[Any]:
    return [torch.rand(3, device=DEVICE).tolist(), torch.randn(2, device=DEVICE).tolist(), torch.randperm(4, device=DEVICE).tolist()]


def test_a_seed_repeats_whatever_happens_in_between():
    torch.manual_seed(7)
    first = draw()
    torch.manual_seed(7)
    state = torch.lazymlir.get_rng_state()
    made = [torch.rand(3, device=DEVICE), torch.randn(2, device=DEVICE), torch.randperm(4, device=DEVICE)]
    assert [x.tolist() for x in made] == first
    assert draw() != first
    torch.lazymlir.set_rng_state(state)
    assert draw() == first


# name: draws a few numbers on the device.
DRAWS: dict[str, Callable[[], torch.Tensor]] = {
    "rand": lambda: torch.rand(5, device=DEVICE),
    "rand_like": lambda: torch.rand_like(torch.ones(2, 3, device=DEVICE)),
    "randn": lambda: torch.randn(5, device=DEVICE),
    "randint": lambda: torch.randint(0, 1000, (5,), device=DEVICE),
    "randperm": lambda: torch.randperm(20, device=DEVICE),
    "normal": lambda: torch.normal(0.0, torch.ones(5, device=DEVICE)),
    "bernoulli": lambda: torch.bernoulli(torch.full((50,), 0.5, device=DEVICE)),
    "multinomial": lambda: torch.multinomial(torch.ones(50, device=DEVICE), 10),
    "dropout": lambda: nn.functional.dropout(torch.ones(50, device=DEVICE)),
    "alpha_dropout": lambda: nn.functional.alpha_dropout(torch.ones(50, device=DEVICE), 0.5, training=True),
    "rrelu": lambda: nn.functional.rrelu(-torch.ones(50, device=DEVICE), training=True),
    "gumbel_softmax": lambda: nn.functional.gumbel_softmax(torch.zeros(10, device=DEVICE)),
    **{
        f"{name}_": lambda name=name, rest=rest: getattr(torch.empty(5, device=DEVICE), f"{name}_")(*rest)
        for name, rest in {"uniform": (), "normal": (), "exponential": (), "cauchy": (), "log_normal": (), "geometric": (0.01,), "random": ()}.items()
    },
}


@pytest.mark.parametrize("seed", [torch.manual_seed, torch.lazymlir.manual_seed], ids=["torch.manual_seed", "torch.lazymlir.manual_seed"])
def test_every_draw_repeats_with_its_seed_and_differs_otherwise(seed: Callable[[int], Any]) -> None:
    seed(11)
    first = [draw() for draw in DRAWS.values()]
    second = [draw() for draw in DRAWS.values()]
    lazymlir.sync()
    seed(11)
    again = [draw().cpu() for draw in DRAWS.values()]  # each in a program of its own
    seed(12)
    others = [draw() for draw in DRAWS.values()]
    for name, x, y, z, w in zip(DRAWS, first, again, second, others, strict=True):
        assert torch.equal(x.cpu(), y), name
        assert not torch.equal(x.cpu(), z.cpu()), name
        assert not torch.equal(x.cpu(), w.cpu()), name


def test_no_draw_compiles_anything_when_it_is_repeated(counts: Any) -> None:
    for _ in range(2):
        for draw in DRAWS.values():
            draw().cpu()
    compiled = counts.compiled
    for seed in range(3):
        torch.manual_seed(seed)
        for draw in DRAWS.values():
            draw().cpu()
    assert counts.compiled == compiled


def test_looking_and_barriers_change_no_number() -> None:
    def numbers(look: Callable[[torch.Tensor], Any]) -> list[torch.Tensor]:
        torch.manual_seed(3)
        made = []
        for draw in DRAWS.values():
            made.append(draw())
            look(made[-1])
        torch.rand(2, device=DEVICE)  # dropped, but counted
        made.append(torch.rand(2, device=DEVICE))
        return [x.cpu() for x in made]

    plain = numbers(lambda x: None)
    for look in (repr, torch.Tensor.tolist, lambda x: lazymlir.sync(), lambda x: x.sum().item(), lambda x: lazymlir.ir_text(x)):
        assert all(map(torch.equal, plain, numbers(look)))


def test_states_are_saved_restored_and_forked() -> None:
    torch.manual_seed(5)
    torch.rand(3, device=DEVICE)
    state, host = torch.lazymlir.get_rng_state(), torch.get_rng_state()
    expected = torch.rand(4, device=DEVICE).tolist()
    assert torch.equal(torch.get_rng_state(), host)  # the streams are apart
    torch.lazymlir.set_rng_state(state)
    assert torch.rand(4, device=DEVICE).tolist() == expected
    torch.lazymlir.set_rng_state_all(torch.lazymlir.get_rng_state_all())
    torch.lazymlir.set_rng_state(state)
    choices: tuple[dict[str, Any], ...] = ({"device_type": DEVICE}, {"devices": [0], "device_type": DEVICE})
    for forked in choices:
        with torch.random.fork_rng(**forked):
            torch.manual_seed(99)
            torch.rand(7, device=DEVICE)
            torch.rand(7)
    assert torch.equal(torch.get_rng_state(), host)
    assert torch.rand(4, device=DEVICE).tolist() == expected
    assert torch.lazymlir.initial_seed() == 5
    torch.lazymlir.seed()
    assert torch.rand(4, device=DEVICE).tolist() != expected


def test_the_host_stream_and_the_device_stream_do_not_move_each_other() -> None:
    torch.manual_seed(8)
    here, there = torch.rand(3), torch.rand(3, device=DEVICE).tolist()
    torch.manual_seed(8)
    assert torch.rand(3, device=DEVICE).tolist() == there
    assert torch.equal(torch.rand(3), here)
    assert torch.rand(3).to(DEVICE).cpu().tolist() != there


def test_dropout_has_one_mask_for_both_directions_over_a_barrier() -> None:
    x = torch.ones(1000, device=DEVICE, requires_grad=True)
    y = nn.functional.dropout(x, 0.3)
    lazymlir.sync()
    torch.rand(5, device=DEVICE)
    y.backward(torch.ones_like(y))
    assert x.grad is not None
    assert torch.equal(x.grad.cpu() != 0, y.detach().cpu() != 0)
    z = nn.functional.dropout(x, 0.3)
    assert not torch.equal(z.detach().cpu(), y.detach().cpu())


def chi_square(counted: torch.Tensor, expected: torch.Tensor) -> float:
    return ((counted.double() - expected) ** 2 / expected).sum().item()


def test_histograms() -> None:
    """Chi-square with 19 degrees of freedom: above 43.8 by chance once in a thousand."""
    torch.manual_seed(1)
    samples = {
        "rand": torch.rand(COUNT, device=DEVICE),
        "randn": normal_cdf(torch.randn(COUNT, device=DEVICE)),
        "exponential": 1 - torch.exp(-torch.empty(COUNT, device=DEVICE).exponential_()),
        "randint": (torch.randint(0, 20, (COUNT,), device=DEVICE) + 0.5) / 20,
        "multinomial": (torch.multinomial(torch.ones(20, device=DEVICE), COUNT, True) + 0.5) / 20,
    }
    lazymlir.sync()
    for name, sample in samples.items():
        counted = torch.histc(sample.cpu().float(), 20, 0, 1)
        assert chi_square(counted, counted.sum().double() / 20) < 43.8, name


def test_geometric_numbers() -> None:
    drawn = torch.empty(COUNT, device=DEVICE).geometric_(0.4).cpu().long()
    expected = torch.tensor([COUNT * 0.4 * 0.6**i for i in range(10)], dtype=torch.float64)
    assert chi_square(torch.bincount(drawn)[1:11], expected) < 29.6  # 10 degrees of freedom, once in a thousand


def test_successive_calls_and_elements_are_not_correlated() -> None:
    calls = torch.stack([torch.randn(2000, device=DEVICE) for _ in range(12)]).cpu()
    rows = torch.randn(12, 2000, device=DEVICE).cpu()
    torch.manual_seed(1)
    seeds = [torch.randn(2000, device=DEVICE).cpu()]
    for seed in range(2, 13):
        torch.manual_seed(seed)
        seeds.append(torch.randn(2000, device=DEVICE).cpu())
    for numbers in (calls, rows, torch.stack(seeds)):
        between = torch.corrcoef(numbers) - torch.eye(12)
        assert between.abs().max() < 4.2 / 2000**0.5


def test_a_generator_gives_its_own_stream():
    drawn = [torch.rand(3, device=DEVICE, generator=torch.Generator().manual_seed(seed)).tolist() for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]


REFUSED: dict[str, Callable[[str], Any]] = {
    "uniform": lambda device: torch.empty(3, device=device).uniform_(2, 1),
    "uniform integers": lambda device: torch.empty(3, dtype=torch.int64, device=device).uniform_(),
    "normal": lambda device: torch.empty(3, device=device).normal_(0, -1),
    "exponential": lambda device: torch.empty(3, device=device).exponential_(-1),
    "log normal": lambda device: torch.empty(3, device=device).log_normal_(0, -1),
    "cauchy": lambda device: torch.empty(3, device=device).cauchy_(0, -1),
    "geometric": lambda device: torch.empty(3, device=device).geometric_(1.5),
    "bernoulli": lambda device: torch.empty(3, device=device).bernoulli_(2),
    "no integers": lambda device: torch.empty(3, device=device).random_(5, 5),
    "integers that do not fit": lambda device: torch.empty(3, dtype=torch.uint8, device=device).random_(0, 500),
    "too many samples": lambda device: torch.multinomial(torch.ones(3, device=device), 4),
    "dropout": lambda device: nn.functional.dropout(torch.empty(3, device=device), 1.5),
}


@pytest.mark.parametrize("name", REFUSED)
def test_mistakes_raise_what_they_raise_on_the_cpu(name):
    for _ in range(2):
        with pytest.raises((RuntimeError, ValueError)) as expected:
            REFUSED[name]("cpu")
        with pytest.raises(type(expected.value)) as got:
            REFUSED[name](DEVICE)
        assert str(got.value) == str(expected.value)
