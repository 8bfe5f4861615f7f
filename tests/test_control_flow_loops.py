"""`lazymlir.while_loop`, and torch's own operators of control flow."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from control_support import DEVICE, gradients, same

import lazymlir
from lazymlir.errors import ControlFlowError


def test_while_loop_runs_as_often_as_its_values_say(counts) -> None:
    w = torch.randn(3, 3)

    def run(limit: int, scale: float, device: str) -> Any:
        own = w.to(device)
        n, x = torch.zeros((), dtype=torch.int64, device=device), torch.ones(3, device=device)
        return lazymlir.while_loop(lambda n, x: n < limit, lambda n, x: (n + 1, (x @ own * scale).tanh()), n, x)

    for limit, scale in ((5, 0.5), (0, 0.5), (11, 0.25), (1, 3.5)):
        got = run(limit, scale, DEVICE)
        reads = counts["HostRead"]
        lazymlir.sync()
        assert counts["HostRead"] == reads
        same(got, run(limit, scale, "cpu"))
    assert counts.compiled == 1
    assert counts.fallbacks == 0


@pytest.mark.parametrize(
    "x",
    [
        torch.randn(4, 3).t(),
        torch.randn(6)[::2],
        torch.tensor(1.5),
        torch.zeros(0),
        torch.randn(2, dtype=torch.complex64).conj(),
        torch.tensor([True]),
    ],
    ids=lambda x: f"{x.dtype}{list(x.shape)}".removeprefix("torch."),
)
def test_while_loop_takes_state_of_any_geometry_and_dtype(x: torch.Tensor) -> None:
    def body(state: Any, x: torch.Tensor) -> Any:
        return {"n": state["n"] + 1, "last": [x]}, x.flip(0) if x.dim() else -x if x.dtype != torch.bool else x

    def program(x: torch.Tensor) -> Any:
        n = torch.zeros((), dtype=torch.int64, device=x.device)
        return lazymlir.while_loop(lambda state, x: state["n"] < 3, body, {"n": n, "last": [torch.zeros_like(x)]}, x)

    same(program(x.to(DEVICE)), program(x))


def test_each_iteration_draws_random_numbers_of_its_own() -> None:
    def draw(rows: int) -> torch.Tensor:
        def body(n: torch.Tensor, out: torch.Tensor) -> Any:
            inner = lazymlir.while_loop(lambda m, y: m < 4, lambda m, y: (m + 1, torch.cat([y[1:], torch.rand(1, device=DEVICE)])), n * 0, out[0, :4])
            return n + 1, torch.cat([out[1:], torch.cat([inner[1], torch.rand(1, device=DEVICE)])[None]])

        start = torch.zeros((), dtype=torch.int64, device=DEVICE)
        return lazymlir.while_loop(lambda n, out: n < rows, body, start, torch.zeros(6, 5, device=DEVICE))[1].cpu()

    torch.manual_seed(1)
    first, second = draw(6), draw(6)
    drawn = torch.cat([first, second]).flatten()
    assert len(drawn.unique()) == len(drawn) == 60
    assert 0.3 < drawn.mean() < 0.7
    torch.manual_seed(1)
    same(draw(6), first)


def test_a_check_that_fails_in_an_iteration_is_raised() -> None:
    table = torch.arange(4.0, device=DEVICE)

    def run(limit: int) -> torch.Tensor:
        n, total = torch.zeros((1,), dtype=torch.int64, device=DEVICE), torch.zeros(1, device=DEVICE)
        return lazymlir.while_loop(lambda n, total: n < limit, lambda n, total: (n + 1, total + table[n]), n, total)[1]

    same(run(4), torch.tensor([6.0]))
    with pytest.raises(IndexError, match=r"index 4 .*test_control_flow_loops"):
        run(7).cpu()
    same(run(3), torch.tensor([3.0]))


def test_a_loop_that_needs_a_gradient_is_refused() -> None:
    x, w = torch.ones(3, device=DEVICE, requires_grad=True), torch.ones(3, device=DEVICE, requires_grad=True)
    with pytest.raises(ControlFlowError, match=r"state \(\[0\]\) requires grad.*torch.no_grad"):
        lazymlir.while_loop(lambda x: x.sum() < 9, lambda x: (x * 2,), x)
    with pytest.raises(ControlFlowError, match=r"body_fn returns \(\[0\]\) requires grad.*Python loop"):
        lazymlir.while_loop(lambda x: x.sum() < 9, lambda x: (x * w * 2,), x.detach())
    with torch.no_grad():
        same(lazymlir.while_loop(lambda x: x.sum() < 9, lambda x: (x * w * 2,), x)[0], torch.full((3,), 4.0))
    same(lazymlir.while_loop(lambda y: y.sum() < 9, lambda y: (y * w.detach() * 2,), x.detach())[0], torch.full((3,), 4.0))


def test_a_loop_may_compute_gradients_inside() -> None:
    def program(x: torch.Tensor) -> torch.Tensor:
        def body(n: torch.Tensor, x: torch.Tensor) -> Any:
            with torch.enable_grad():
                own = x.detach().requires_grad_()
                (slope,) = torch.autograd.grad(((own - 3) ** 2).sum(), own)
            return n + 1, x - 0.1 * slope

        return lazymlir.while_loop(lambda n, x: n < 20, body, torch.zeros((), device=x.device), x)[1]

    same(program(torch.zeros(2).to(DEVICE)), program(torch.zeros(2)))


# torch's own operators.


def test_torch_cond_and_while_loop_stay_in_the_graph(counts) -> None:
    def choose(x: torch.Tensor) -> torch.Tensor:
        def then(x: torch.Tensor) -> torch.Tensor:
            return torch.cond(x[0] > 5, lambda x: x * 3, lambda x: x + 10, (x,))

        return torch.cond(x.sum() > 2, then, lambda x: x - 1, (x,))

    def loop(x: torch.Tensor) -> Any:
        return torch.while_loop(lambda n, x: n < 3, lambda n, x: (n + 1, x * 2), (torch.zeros((), device=x.device), x))

    for x in (torch.ones(3), torch.ones(3) * 10, -torch.ones(3)):
        got = choose(x.to(DEVICE)), loop(x.to(DEVICE))
        lazymlir.sync()
        assert counts["HostRead"] == 0
        expected = (x * 3 if x[0] > 5 else x + 10) if x.sum() > 2 else x - 1, (torch.tensor(3.0), x * 8)
        same(got, expected)
        counts = type(counts)()


@pytest.mark.filterwarnings("ignore:The .grad attribute")  # which dynamo looks at
def test_torch_cond_has_gradients() -> None:
    def program(limit: float, x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
        h = x * w
        return torch.cond(h.sum() > limit, lambda h: (h * w).sin(), lambda h: h - 1, (h,))

    gradients(program, torch.randn(3), torch.randn(3))


def test_what_torch_allows_and_a_program_cannot_do_is_decided_on_the_host(counts) -> None:
    y = torch.ones(3, device=DEVICE)
    with torch.no_grad():
        same(torch.cond(y.sum() > 2, lambda y: y.sin_(), lambda y: y + 1, (y,)), torch.ones(3).sin())
    assert counts["HostRead"] > 0
    assert torch.while_loop(lambda n, x: n < 3, lambda n, x: (n + 1, x * 2), (0, y))[0] == 3


def test_a_branch_uses_values_of_a_loop_that_was_rolled() -> None:
    def program(limit: float, x: torch.Tensor) -> torch.Tensor:
        made = []
        for _ in range(500):
            x = (x * 0.99).sin()
            made.append(x)
        return lazymlir.cond(x.sum() > limit, lambda: made[3] * made[450] + x, lambda: made[8] - made[499])

    x = torch.linspace(0.1, 1, 64)
    for limit in (-1000.0, 1000.0):
        same(program(limit, x.to(DEVICE)), program(limit, x))
