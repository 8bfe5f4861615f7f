"""Numbers under `lazymlir.steady`: what is followed through Python, and what is part of the promise."""

from __future__ import annotations

import contextlib
import math

import pytest
import torch
from steady_support import DEVICE, equal, here
from torch import nn, optim

import lazymlir
from lazymlir.errors import SteadyError


def test_floats_that_vary(counts):
    @lazymlir.steady
    def scaled(x, a, b, c=0.5):
        return x * a + (1 - a * b) / c - x**2 * -a

    for i in range(9):
        x = torch.randn(4)
        a, b, c = 0.1 + i, 2.5 - i, 0.25 * (i + 1)
        equal(scaled(x.to(DEVICE), a, b, c=c), x * a + (1 - a * b) / c - x**2 * -a)
    assert counts["SteadyCall"] >= 4


def test_a_float_that_becomes_0_or_1_is_recorded_again(counts):
    @lazymlir.steady
    def dropped(x, p):
        return nn.functional.dropout(x, p) * p

    x = torch.ones(100, device=DEVICE)
    for p in (0.5, 0.25, 0.75, 0.5, 0.0, 0.0, 0.0, 0.0, 1.0, 0.125):
        for element in dropped(x, p).tolist():
            assert element == 0.0 or element == pytest.approx(p / (1 - p))
    assert counts["SteadyCall"] == 3


def test_a_branch_on_a_number_is_part_of_the_promise(counts):
    @lazymlir.steady
    def step(x, rate):
        return x * 2 if rate > 0.5 else x * rate

    x = torch.randn(3)
    for rate in (0.1, 0.2, 0.3, 0.4, 0.45, 0.6, 0.7, 0.8, 0.9, 0.2, 0.95):
        equal(step(x.to(DEVICE), rate), x * 2 if rate > 0.5 else x * rate)
    assert counts["SteadyRecord"] == 6


@pytest.mark.parametrize(
    "function", [math.sqrt, math.exp, float, round, int, lambda x: float(f"{x}"), lambda x: max(x, 0.25), lambda x: math.floor(x * 8)]
)
def test_what_becomes_of_a_number_in_python_is_right_or_refused(function):
    @lazymlir.steady
    def step(x, rate):
        return x * function(rate)

    for rate in (0.5, 0.5, 0.5, 0.5, 0.7, 0.7, 0.1, 2.5, 2.5, 0.7):
        x = torch.randn(3)
        try:
            equal(step(x.to(DEVICE), rate), x * function(rate))
        except SteadyError as error:
            assert "test_steady_numbers.py" in str(error)  # noqa: PT017


def test_a_number_in_a_tensor_of_the_body():
    @lazymlir.steady
    def step(x, rate):
        return x * torch.tensor(rate, dtype=torch.bfloat16, device=DEVICE) + torch.full((3,), rate).to(DEVICE) + torch.full((3,), rate, device=DEVICE)

    for rate in (0.5, 0.5, 0.5, 0.5, 0.75, 0.75, 0.25, 0.25, 0.25, 0.25):
        x = torch.randn(3)
        try:
            equal(step(x.to(DEVICE), rate), x * rate + 2 * rate)
        except SteadyError as error:
            assert "test_steady_numbers.py" in str(error)  # noqa: PT017


def test_a_static_number_is_part_of_the_promise(counts):
    @lazymlir.steady
    def step(x, p):
        return torch.linalg.vector_norm(x, p) + torch.renorm(x, p, 0, 1.5).sum()

    for p in (2.0, 2.0, 2.0, 2.0, 3.0, 3.0, 3.0, 3.0, 2.0, 3.0):
        x = torch.randn(3, 3)
        equal(step(x.to(DEVICE), p), torch.linalg.vector_norm(x, p) + torch.renorm(x, p, 0, 1.5).sum())
    assert counts["SteadyCall"] == 4


@pytest.mark.parametrize("varies", [False, True])
def test_a_number_that_torch_computes_with(varies, counts):
    """In C++, where it cannot be followed."""

    @lazymlir.steady
    def step(x, y, smoothing):
        return nn.functional.cross_entropy(x, y, label_smoothing=smoothing)

    y = torch.tensor([1, 2])
    with pytest.raises(SteadyError, match=f"number varies.*{here(-3)}") if varies else contextlib.nullcontext():
        for i in range(14):
            x, smoothing = torch.randn(2, 4), 0.1 + 0.05 * i * varies
            equal(step(x.to(DEVICE), y.to(DEVICE), smoothing), nn.functional.cross_entropy(x, y, label_smoothing=smoothing))
    assert varies or counts["SteadyCall"] >= 8


def test_integers_are_part_of_the_program(counts):
    """They count, choose and measure where nothing sees it: each value is recorded, and no call takes another one's."""

    @lazymlir.steady
    def step(x, n):
        return x * n + n // 2 if 0.5 * n < 4 else x * (n & 1)

    x = torch.randn(3)
    for n in (1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 16, 1, 16, 16, 2, 8, 1):
        equal(step(x.to(DEVICE), n), x * n + n // 2 if 0.5 * n < 4 else x * (n & 1))
    assert counts["SteadyCall"] >= 2


def test_an_integer_that_is_another_at_each_call_is_refused():
    @lazymlir.steady
    def step(x, n):
        return x * n

    x = torch.randn(3).to(DEVICE)
    refusals = []
    for n in range(2, 14):
        try:
            step(x, n)
        except SteadyError as error:
            refusals.append(str(error))
    assert refusals
    assert all("an integer is part of the program" in refusal for refusal in refusals)


def test_an_integer_that_does_not_vary_is_part_of_the_promise(counts):
    @lazymlir.steady
    def step(x, k):
        return x * k if k % 2 else -x * k

    x = torch.randn(3)
    for k in (3, 3, 3, 3, 4, 4, 4, 4, 3, 4):
        equal(step(x.to(DEVICE), k), x * k if k % 2 else -x * k)
    assert counts["SteadyCall"] == 4


def test_the_learning_rate_may_be_set_by_hand(counts):
    def run(device: str, steady: bool) -> torch.Tensor:
        p = nn.Parameter(torch.ones(3, device=device))
        optimizer = optim.AdamW([p], lr=0.1)

        def step() -> None:
            (p * p).sum().backward()
            optimizer.step()
            optimizer.zero_grad()

        step = lazymlir.steady(step) if steady else step
        for i in range(12):
            optimizer.param_groups[0]["lr"] = 0.0 if i == 9 else 0.1 / (i + 1)
            optimizer.param_groups[0]["weight_decay"] = 0.01 * i
            optimizer.param_groups[0]["betas"] = (0.9, 0.99 + 0.0001 * i)
            step()
        return p

    equal(run(DEVICE, True), run("cpu", False))
    assert counts["SteadyCall"] >= 6
