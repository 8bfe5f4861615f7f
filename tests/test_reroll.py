"""Loops that are rolled up again: the same results as unrolled and as on the CPU, and fewer programs."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from hypothesis import Phase, given, settings
from reroll_programs import UNHURRIED, Program, check, programs
from torch import nn
from torch.nn import functional as F

import lazymlir

DEVICE = "lazymlir"
Tensors = list[torch.Tensor]


def recurrence(count: int, size: int = 4) -> Callable[[str], Tensors]:
    def run(device: str) -> Tensors:
        s, w, x = (torch.randn(size, size).mul(0.4).to(device) for _ in range(3))  # contracts: roundings do not grow
        for _ in range(count):
            s = torch.tanh(s @ w + x)
        return [s]

    return run


def fibonacci(device: str) -> Tensors:
    a, b = torch.tensor([1]).to(device), torch.tensor([1]).to(device)
    for _ in range(30):
        a, b = b, a + b
    return [a, b]


def three_terms(device: str) -> Tensors:
    a, b, c = (torch.tensor([i + 1]).to(device) for i in range(3))
    for _ in range(20):
        a, b, c = b, c, (a * 3 + b - c) % 1000
    return [a, b, c]


def ping_pong(device: str) -> Tensors:
    a, b = torch.tensor([3, 4]).to(device), torch.tensor([5, 6]).to(device)
    for _ in range(20):
        b.copy_(a * 2 % 97 + b)
        a, b = b, a
    return [a, b]


def one_odd_iteration(device: str) -> Tensors:
    a = torch.tensor([3.0]).to(device)
    for i in range(20):
        a = a * 1.5 + 2
        if i == 11:
            a = a.sin()
        a = a / 3
    return [a]


def tapped(device: str) -> Tensors:
    a, seen = torch.tensor([3.0]).to(device), []
    for _ in range(20):
        a = (a * 1.5 + 2).sin()
        seen.append(a)
    return [seen[3], seen[7], torch.stack(seen)]


def indexed(device: str) -> Tensors:
    x, a = torch.randn(20, 3).to(device), torch.zeros(3).to(device)
    for i in range(20):
        a = a * 0.5 + x[i] * (i + 2)
    return [a]


def written_in_place(device: str) -> Tensors:
    x = torch.zeros(20, 3).to(device)
    for i in range(1, 20):
        x[i] = x[i - 1] * 0.5 + i
    return [x]


def written_through_views(device: str) -> Tensors:
    x = torch.zeros(6, 6, dtype=torch.int64).to(device)
    for i in range(6):
        x[i, :] += i
        x[:, i] *= 3
        x.diagonal().add_(1)
    return [x]


def across_zero_and_one(device: str) -> Tensors:
    a = torch.tensor([3.0]).to(device)
    for i in range(-5, 15):
        a = a * 0.5 + float(i) * 0.5
    return [a]


def nested(device: str) -> Tensors:
    w, s = torch.randn(4, 4).to(device), torch.zeros(4, 4).to(device)
    for i in range(6):
        for j in range(7):
            s = torch.tanh(s @ w + 0.1 * j + i)
        s = s.sin() * 2
    return [s]


def back_over_what_was_made(device: str) -> Tensors:
    s, w, x = (torch.randn(4, 4).to(device) for _ in range(3))
    made = []
    for _ in range(15):
        s = torch.tanh(s @ w + x)
        made.append(s)
    for before in reversed(made):
        s = torch.tanh(s @ w + before)
    return [s]


def carried_as_views(device: str) -> Tensors:
    x, y, w = torch.arange(16.0).reshape(4, 4).to(device), torch.eye(4).to(device), torch.randn(4, 4).to(device)
    for _ in range(40):
        x = x.t().reshape(2, 8).t().reshape(4, 4)
        y = torch.tanh(y @ w) @ x * 0.01
    return [x, y]


def layers(device: str) -> Tensors:
    model = nn.Sequential(*[nn.Sequential(nn.Linear(8, 8), nn.Tanh()) for _ in range(10)]).to(device)
    loss = model(torch.randn(4, 8).to(device)).square().sum()
    loss.backward()
    return [loss.detach(), *(p.grad for p in model.parameters() if p.grad is not None)]


def lstm_training(device: str) -> Tensors:
    cell, x = nn.LSTMCell(4, 4).to(device), torch.randn(12, 2, 4).to(device)
    optimizer = torch.optim.Adam(cell.parameters(), lr=0.1)
    for _ in range(2):
        h = c = torch.zeros(2, 4, device=device)
        for t in range(12):
            h, c = cell(x[t], (h, c))
        optimizer.zero_grad()
        h.square().sum().backward()
        optimizer.step()
    return [p.detach() for p in cell.parameters()]


def accumulated_gradients(device: str) -> Tensors:
    model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2)).to(device)
    optimizer, x = torch.optim.SGD(model.parameters(), lr=0.1), torch.randn(8, 3, 4).to(device)
    for i in range(8):
        (model(x[i]).square().mean() / 8).backward()
    optimizer.step()
    return [p.detach() for p in model.parameters()]


def encoder(device: str) -> Tensors:
    layer = nn.TransformerEncoderLayer(16, 2, 32, dropout=0.0, batch_first=True)
    model = nn.TransformerEncoder(layer, 5).to(device)
    model(torch.randn(2, 5, 16).to(device)).square().mean().backward()
    return [p.grad for p in model.parameters() if p.grad is not None]


PROGRAMS: dict[str, tuple[Callable[[str], Tensors], int]] = {
    "recurrence": (recurrence(20), 20),
    "Fibonacci": (fibonacci, 30),
    "three terms": (three_terms, 19),
    "ping-pong buffers": (ping_pong, 18),
    "one odd iteration": (one_odd_iteration, 18),
    "tapped": (tapped, 19),
    "indexed": (indexed, 19),
    "written in place": (written_in_place, 17),
    "written through views": (written_through_views, 4),
    "across 0 and 1": (across_zero_and_one, 15),
    "nested": (nested, 5),
    "back over what was made": (back_over_what_was_made, 29),
    "carried as views": (carried_as_views, 38),
    "layers": (layers, 16),
    "LSTM's training": (lstm_training, 44),
    "accumulated gradients": (accumulated_gradients, 7),
    "encoder": (encoder, 8),
}
"""Programs, and how many iterations of loops there are to be at least."""


def run(program: Callable[[str], Tensors], device: str, reroll: str = "off") -> Tensors:
    torch.manual_seed(0)
    with lazymlir.config(reroll=reroll):
        return [x.cpu() for x in program(device)]


@pytest.mark.parametrize("name", PROGRAMS)
def test_rolled_programs_compute_what_they_compute_unrolled(name, counts):
    program, iterations = PROGRAMS[name]
    unrolled = run(program, DEVICE)
    assert counts["IterationsRolled"] == 0
    rolled = run(program, DEVICE, "always")
    assert counts["IterationsRolled"] >= iterations
    for got, expected, reference in zip(rolled, unrolled, run(program, "cpu"), strict=True):
        if got.dtype.is_floating_point:
            torch.testing.assert_close(got, expected)
        else:
            assert torch.equal(got, expected)
        torch.testing.assert_close(got, reference, rtol=1e-4, atol=1e-5)  # the order of sums in products, over many steps
    assert counts.fallbacks == 0


def test_each_iteration_draws_its_own_numbers(counts):
    def program(device: str) -> Tensors:
        a = torch.zeros(5).to(device)
        for _ in range(10):
            a = F.dropout(a + torch.rand(5, device=device), 0.3) * 0.9
        return [a]

    torch.testing.assert_close(run(program, DEVICE, "always"), run(program, DEVICE))
    assert counts["IterationsRolled"] >= 9


@pytest.mark.parametrize(("first", "size", "compiled"), [(5, 5, 2), (10, 3, 1)])
def test_one_program_serves_any_trip_count(counts, first, size, compiled):
    """A loop that is too short to pay is rolled when it is met with another trip count."""
    for count in range(first, 31):
        torch.testing.assert_close(run(recurrence(count, size), DEVICE, "auto"), run(recurrence(count, size), "cpu"), rtol=1e-4, atol=1e-5)
        assert (counts["IterationsRolled"] == 0) == (count == 5)
    assert counts.compiled == compiled


def test_tables_of_any_length_are_one_program(counts):
    def program(count: int) -> Callable[[str], Tensors]:
        def indexed(device: str) -> Tensors:
            x, a = torch.randn(40, 3).to(device), torch.ones(3, 3).to(device)
            for i in range(count):
                a = torch.tanh(a @ a * 0.1 + x[i] * (i + 0.25))
            return [a]

        return indexed

    run(program(6), DEVICE, "always")
    before = counts.compiled
    for count in (7, 20, 40):
        torch.testing.assert_close(run(program(count), DEVICE, "always"), run(program(count), "cpu"), rtol=1e-4, atol=1e-5)
    assert counts.compiled == before


def test_short_loops_stay_unrolled_and_long_ones_do_not(counts):
    for count, iterations in ((10, 0), (400, 399)):  # the first has the constants
        with lazymlir.config(reroll="auto"):
            before = counts["IterationsRolled"]
            s, w = torch.eye(3).to(DEVICE), torch.ones(3, 3).to(DEVICE)
            for _ in range(count):
                s = (s @ w).relu() if count > 100 else (s @ w).sigmoid()
            s.cpu()
            assert counts["IterationsRolled"] == before + iterations


def test_why_a_loop_is_rolled_or_not_is_told(caplog):
    messages: list[str] = []
    with lazymlir.config(reroll="auto", logs="passes"), pytest.MonkeyPatch.context() as patch:
        patch.setattr("lazymlir.passes.lazy_reroll_loops.log", lambda topic, level, form, *args: messages.append(form % args))
        run(lambda device: list(three_terms(device)), DEVICE, "auto")
    assert any("test_reroll.py" in message and "stay unrolled: a loop would save" in message for message in messages)


def test_what_does_not_compile_rolled_is_compiled_unrolled(counts, monkeypatch):
    def broken(*_: object) -> None:
        raise RuntimeError("a mistake of the pass")

    monkeypatch.setattr("lazymlir.passes.reroll.emit.write_loops", broken)
    with pytest.raises(RuntimeError, match="a mistake of the pass"):
        run(recurrence(21, 3), DEVICE, "always")
    torch.testing.assert_close(run(recurrence(150, 3), DEVICE, "auto"), run(recurrence(150, 3), "cpu"), rtol=1e-4, atol=1e-5)
    assert counts["RerollFailed"] == 1
    assert counts["IterationsRolled"] == 0


@settings(max_examples=60, phases=[Phase.explicit, Phase.generate], **UNHURRIED)
@given(programs())
def test_random_loops(program: Program) -> None:
    check(program)
