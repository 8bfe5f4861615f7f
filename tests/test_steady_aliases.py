"""Aliases and ways to use `lazymlir.steady`; the CPU is the judge."""

from __future__ import annotations

import copy
import functools
import threading
from typing import Any

import pytest
import torch
from steady_support import DEVICE, equal, here
from torch import nn

import lazymlir
from lazymlir.errors import SteadyError


def both(body: Any, calls: Any) -> None:
    """The same calls on the CPU and steady on the device; `calls(device, function)` yields tensors to compare."""
    for got, expected in zip(list(calls(DEVICE, lazymlir.steady(body))), list(calls("cpu", body)), strict=True):
        equal(got, expected)


def test_an_argument_that_the_body_writes():
    def body(x, y):
        x.mul_(2).add_(y)
        return x

    def calls(device, function):
        for _ in range(6):
            x = torch.arange(4.0).to(device)
            made = function(x, torch.ones(4).to(device))
            assert made is x
            yield x

    both(body, calls)


def test_a_window_that_the_body_writes():
    def body(x, y):
        x.mul_(2).add_(y)

    def calls(device, function):
        base = torch.arange(40.0).reshape(8, 5).to(device)
        for i in range(7):
            function(base[i : i + 2, 1:4], torch.ones(3).to(device))
            yield base.clone()

    both(body, calls)


def test_arguments_that_share_memory():
    def body(x, y):
        x.add_(1)
        return y * 2

    def calls(device, function):
        for i in range(12):
            base = torch.arange(8.0).to(device)
            other = torch.arange(8.0).to(device)
            yield function(base[:4], base[2:6] if i % 3 == 1 else base[:4] if i % 3 == 2 else other[2:6])
            yield base

    both(body, calls)


def test_an_argument_that_is_captured_too():
    def calls(device, function):
        p, q = torch.arange(4.0).to(device), torch.arange(4.0).to(device) * 3
        held.tensors = [p]
        for i in range(14):
            yield function(p if i % 7 < 3 else q)
            yield p.clone()

    def body(x):
        held.tensors[0].add_(1)
        return x * 2

    both(body, calls)


class held:
    tensors: Any = None


def test_tensors_that_come_to_hold_one_value():
    def calls(device, function):
        a, b = torch.ones(4).to(device), torch.full((4,), 2.0).to(device)
        held.tensors = [a, b]
        for i in range(14):
            yield function(torch.ones(4).to(device))
            yield a.clone()
            yield b.clone()
            if i in (5, 9):
                b.copy_(a)

    def body(x):
        a, b = held.tensors
        a.add_(x)
        return a * b

    both(body, calls)


def test_state_that_the_body_replaces():
    class Cell(nn.Module):
        def __init__(self, device: str) -> None:
            super().__init__()
            self.h = torch.zeros(3).to(device)
            self.previous = torch.zeros(3).to(device)

        def step(self, x: torch.Tensor) -> torch.Tensor:
            self.previous = self.h
            self.h = torch.tanh(self.h + x)
            return self.h * 2

    made: dict[str, Any] = {}
    for device in (DEVICE, "cpu"):
        cell = Cell(device)
        step = lazymlir.steady(cell.step) if device == DEVICE else cell.step
        generator = torch.Generator().manual_seed(3)
        made[device] = []
        for _ in range(8):
            made[device] += [step(torch.randn(3, generator=generator).to(device)), cell.h, cell.previous]
    for got, expected in zip(made[DEVICE], made["cpu"], strict=True):
        equal(got, expected)


def test_results_that_are_views_of_parameters_and_of_each_other():
    def calls(device, function):
        held.tensors = [torch.arange(6.0).reshape(2, 3).to(device)]
        for _ in range(6):
            row, doubled, part, nested = function(torch.ones(3).to(device))
            part.add_(100)
            row.mul_(0.5)
            yield from (row, doubled, part, nested["x"][0], held.tensors[0].clone())

    def body(x):
        p = held.tensors[0]
        p.add_(x)
        doubled = p * 2
        return p[1], doubled, doubled[:, 1:], {"x": [x + 1]}

    both(body, calls)


# Uses.


def test_methods_are_steady_for_each_instance(counts):
    class Model(nn.Module):
        def __init__(self, factor: float) -> None:
            super().__init__()
            self.weight = nn.Parameter(torch.full((3,), factor))

        @lazymlir.steady
        def double(self, x: torch.Tensor) -> torch.Tensor:
            return (x * self.weight).detach()

    one, other = Model(2.0).to(DEVICE), Model(3.0).to(DEVICE)
    x = torch.ones(3, device=DEVICE)
    for _ in range(5):
        assert one.double(x).tolist() == [2.0] * 3
        assert other.double(x).tolist() == [3.0] * 3
    assert counts["SteadyRecord"] == 6
    third = copy.deepcopy(one)
    with torch.no_grad():
        third.weight.fill_(5.0)
    assert third.double(x).tolist() == [5.0] * 3
    assert one.double(x).tolist() == [2.0] * 3


def test_one_in_the_other_and_partials(counts):
    @lazymlir.steady
    def inner(x):
        return x + 1

    @lazymlir.steady
    def outer(x, y):
        return inner(x) * y

    bound = lazymlir.steady(functools.partial(outer._function, y=torch.full((2,), 3.0, device=DEVICE)))
    for _ in range(5):
        assert outer(torch.ones(2, device=DEVICE), torch.ones(2, device=DEVICE)).tolist() == [2.0, 2.0]
        assert bound(torch.ones(2, device=DEVICE)).tolist() == [6.0, 6.0]
    assert counts["SteadyRecord"] == 6


def test_an_error_in_the_body_comes_out_unchanged():
    fails = [False]
    p = torch.zeros(2, device=DEVICE)

    @lazymlir.steady
    def step(x):
        p.add_(x)
        if fails[0]:
            raise KeyError("mine")
        return p * 2

    x = torch.ones(2, device=DEVICE)
    step(x)
    fails[0] = True
    with pytest.raises(KeyError, match="mine"):
        step(x)
    fails[0] = False
    for i in range(5):
        assert step(x).tolist() == [2.0 * (i + 3)] * 2
    with pytest.raises(RuntimeError, match="size of tensor"):
        step(torch.ones(3, device=DEVICE))
    assert p.tolist() == [7.0, 7.0]


def test_a_context_forgets_at_its_end(counts):
    def double(x):
        return x * 2

    step = lazymlir.steady(double)
    for _ in range(2):
        with step as run:
            for _ in range(5):
                assert run(torch.ones(1, device=DEVICE)).item() == 2.0
    assert counts["SteadyRecord"] == 6


def test_each_thread_has_its_own_promise(counts):
    total = torch.zeros(2, device=DEVICE)

    @lazymlir.steady
    def step(x):
        total.add_(x)
        return total * 1

    def work() -> None:
        for _ in range(20):
            step(torch.ones(2, device=DEVICE))
        lazymlir.sync()

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert total.tolist() == [60.0, 60.0]


def test_a_check_of_values_raises_and_names_the_line():
    table = nn.Embedding(4, 2).to(DEVICE)

    @lazymlir.steady
    def look(places):
        return table(places).detach()

    good = torch.tensor([1, 2], device=DEVICE)
    for _ in range(5):
        assert look(good).shape == (2, 2)
    with pytest.raises(IndexError, match=here(-5)):
        look(torch.tensor([1, 9], device=DEVICE)).cpu()
    equal(look(good), table(good))


def test_metrics_and_losses_in_containers(counts):
    model = nn.Linear(3, 1).to(DEVICE)

    @lazymlir.steady
    def evaluate(batch: dict[str, Any], weights: list[torch.Tensor], *, scale: float) -> dict[str, Any]:
        with torch.no_grad():
            error = (model(batch["x"]) - batch["y"]) * scale * weights[0]
        return {"error": error.square().mean(), "name": batch["name"], "scale": scale}

    for i in range(7):
        batch = {"x": torch.randn(5, 3), "y": torch.randn(5, 1), "name": "batch"}
        weight = torch.randn(5, 1)
        expected = ((copy.deepcopy(model).cpu()(batch["x"]) - batch["y"]) * (i + 0.5) * weight).square().mean()
        given = {name: x.to(DEVICE) if isinstance(x, torch.Tensor) else x for name, x in batch.items()}
        made = evaluate(given, [weight.to(DEVICE)], scale=i + 0.5)
        equal(made["error"], expected)
        assert made["name"] == "batch"
        assert made["scale"] == i + 0.5
        assert type(made["scale"]) is float
    assert counts["SteadyCall"] == 4


def test_an_array_from_numpy_is_taken_anew():
    @lazymlir.steady
    def step(array):
        return torch.from_numpy(array).to(DEVICE) * 2

    for i in range(6):
        array = torch.full((3,), float(i)).numpy()
        assert step(array).tolist() == [2.0 * i] * 3


def test_what_the_host_makes_of_an_argument_is_not_taken_for_constant():
    @lazymlir.steady
    def step(x):
        return (x * 2).to(DEVICE) + 1

    x = torch.ones(3)
    try:
        for value in (1.0,) * 6 + (5.0,) * 3:
            x.fill_(value)
            assert step(x).tolist() == [2 * value + 1] * 3
    except SteadyError as error:
        assert "test_steady_aliases.py" in str(error)  # noqa: PT017
