"""What `lazymlir.steady` follows, what it refuses, and when it records again; the CPU is the judge."""

from __future__ import annotations

import copy
import functools
import math
import re
import threading
from typing import Any

import pytest
import torch
from torch import nn, optim

import lazymlir
from lazymlir.errors import SteadyError

DEVICE = "lazymlir"


def here(offset: int) -> str:
    """The place so many lines after this call, as errors name it."""
    import inspect

    frame = inspect.currentframe()
    assert frame is not None and frame.f_back is not None
    return re.escape(f"test_steady_promises.py:{frame.f_back.f_lineno + offset}")


def equal(got: Any, expected: Any) -> None:
    torch.testing.assert_close(got.detach().cpu(), expected.detach().cpu(), rtol=1e-5, atol=1e-6)


# Numbers.


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
            assert "test_steady_promises.py" in str(error)  # noqa: PT017


def test_a_number_in_a_tensor_of_the_body():
    @lazymlir.steady
    def step(x, rate):
        return x * torch.tensor(rate, dtype=torch.bfloat16, device=DEVICE) + torch.full((3,), rate).to(DEVICE) + torch.full((3,), rate, device=DEVICE)

    for rate in (0.5, 0.5, 0.5, 0.5, 0.75, 0.75, 0.25, 0.25, 0.25, 0.25):
        x = torch.randn(3)
        try:
            equal(step(x.to(DEVICE), rate), x * rate + 2 * rate)
        except SteadyError as error:
            assert "test_steady_promises.py" in str(error)  # noqa: PT017


def test_a_static_number_is_part_of_the_promise(counts):
    @lazymlir.steady
    def step(x, p):
        return torch.linalg.vector_norm(x, p) + torch.renorm(x, p, 0, 1.5).sum()

    for p in (2.0, 2.0, 2.0, 2.0, 3.0, 3.0, 3.0, 3.0, 2.0, 3.0):
        x = torch.randn(3, 3)
        equal(step(x.to(DEVICE), p), torch.linalg.vector_norm(x, p) + torch.renorm(x, p, 0, 1.5).sum())
    assert counts["SteadyCall"] == 4


def test_integers_that_vary_are_followed_where_they_are_used(counts):
    @lazymlir.steady
    def step(x, i, k):
        return x[i : i + 2] * k

    x = torch.randn(32)
    for i in range(12):
        try:
            equal(step(x.to(DEVICE), i, 3), x[i : i + 2] * 3)
        except SteadyError as error:
            pytest.fail(str(error))
    assert counts["SteadyCall"] == 9


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


# Refusals name the line.


def refuse(step: Any, *args: Any, match: str, calls: int = 4) -> None:
    with pytest.raises(SteadyError, match=match):
        for _ in range(calls):
            step(*args)


def test_a_host_scalar_that_varies_is_refused():
    count = [0]

    @lazymlir.steady
    def step(x):
        count[0] += 1
        return x * float(count[0] + 1)

    refuse(step, torch.ones(3, device=DEVICE), match=f"number varies.*{here(-2)}")


def test_a_read_in_the_body_is_refused_and_leaves_everything_valid():
    p = torch.ones(3, device=DEVICE)

    @lazymlir.steady
    def step(x):
        p.add_(x)
        total = p.sum()
        if total > 3:
            return x

    with pytest.raises(SteadyError, match=here(-3) + ".*return the tensor"):
        step(torch.ones(3, device=DEVICE))
    assert p.tolist() == [2.0, 2.0, 2.0]


@pytest.mark.parametrize(
    "read", [lambda x: x.item(), lambda x: print(x), lambda x: x.cpu(), lambda x: x.nonzero(), lambda x: bool(x), lambda x: x.tolist()]
)
def test_every_kind_of_read_is_refused(read, capsys):
    @lazymlir.steady
    def step(x, y):
        try:
            read(x)
        except SteadyError:
            pass  # caught, it stands all the same
        return x + y

    refuse(step, torch.ones((), device=DEVICE), torch.ones((), device=DEVICE), match=r"read on the host, at .*test_steady_promises.py")


def test_a_fallback_is_refused():
    @lazymlir.steady
    def step(x):
        return torch.unique_consecutive(x, dim=0)

    refuse(step, torch.ones(2, 2, device=DEVICE), match=f"unique_consecutive.*{here(-2)}")


def test_data_loaded_in_the_body_is_refused():
    data = iter(torch.randn(100, 3))

    @lazymlir.steady
    def step(x):
        return x * next(data).to(DEVICE)

    refuse(step, torch.ones(3, device=DEVICE), match=f"makes on the CPU varies.*{here(-2)}")


def test_a_scheduler_in_the_body_is_refused():
    p = nn.Parameter(torch.ones(3, device=DEVICE))
    optimizer = optim.SGD([p], lr=0.1)
    scheduler = optim.lr_scheduler.StepLR(optimizer, 1)

    @lazymlir.steady
    def step():
        p.sum().backward()
        optimizer.step()
        scheduler.step()

    refuse(step, match="'lr'.*outside")
    assert type(optimizer.param_groups[0]["lr"]) is float


def test_an_optimizer_that_needs_the_host_is_refused():
    p = nn.Parameter(torch.ones(3, 2, device=DEVICE))
    optimizer = optim.Adafactor([p])

    @lazymlir.steady
    def step():
        p.sum().backward()
        optimizer.step()
        optimizer.zero_grad()

    refuse(step, match=r"read on the host, at .*test_steady_promises.py")


def test_a_tensor_that_cannot_be_found_is_refused():
    class Slots:
        __slots__ = ("x",)

    hidden = Slots()
    hidden.x = torch.ones(3).to(DEVICE)

    @lazymlir.steady
    def reads(x):
        return x + hidden.x

    @lazymlir.steady
    def writes(x):
        hidden.x.copy_(x * 2)

    refuse(reads, torch.ones(3, device=DEVICE), match=f"cannot find is used at .*{here(-6)}")
    refuse(writes, torch.ones(3, device=DEVICE), match=f"cannot find is written at .*{here(-3)}")


def test_a_generator_and_seeding_in_the_body_are_refused():
    generator = torch.Generator().manual_seed(1)

    @lazymlir.steady
    def step(x):
        return x + torch.rand(3, device=DEVICE, generator=generator)

    @lazymlir.steady
    def seeds(x):
        torch.manual_seed(1)
        return x + torch.rand(3, device=DEVICE)

    x = torch.ones(3, device=DEVICE)
    refuse(step, x, match=f"generator.*{here(-8)}")
    refuse(seeds, x, match="seed")


def test_results_that_vary_are_refused():
    count = [0]

    @lazymlir.steady
    def step(x):
        count[0] += 1
        return x, count[0]

    refuse(step, torch.ones(3, device=DEVICE), match="only tensors may vary", calls=9)


def test_a_body_that_grows_is_refused():
    kept: list[torch.Tensor] = []

    @lazymlir.steady
    def step(x):
        kept.append(x * 2)
        return sum(kept)

    refuse(step, torch.ones(3, device=DEVICE), match="no two recorded the same", calls=9)


# Broken promises.


def model_and(steady: bool, device: str) -> tuple[nn.Sequential, optim.Optimizer, Any]:
    torch.manual_seed(1)
    model = nn.Sequential(nn.Linear(4, 5), nn.Tanh(), nn.Linear(5, 2)).to(device)
    optimizer = optim.Adam(model.parameters(), lr=0.01)

    def step(x: torch.Tensor) -> torch.Tensor:
        loss = model(x).square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        return loss

    return model, optimizer, lazymlir.steady(step) if steady else step


def set_data(model: Any, optimizer: Any) -> None:
    with torch.no_grad():
        model[0].weight.data = model[0].weight.data * 2


def replace_module(model: Any, optimizer: Any) -> None:
    model[1] = nn.ReLU()


def replace_parameter(model: Any, optimizer: Any) -> None:
    device = model[0].weight.device
    model[0].bias = nn.Parameter(torch.ones(5).to(device))
    optimizer.add_param_group({"params": [model[0].bias], "lr": 0.02})


def load_state(model: Any, optimizer: Any) -> None:
    optimizer.load_state_dict(copy.deepcopy(optimizer.state_dict()))


def freeze(model: Any, optimizer: Any) -> None:
    model[0].weight.requires_grad_(False)


def double_momentum(model: Any, optimizer: Any) -> None:
    optimizer.param_groups[0]["amsgrad"] = True
    for state in optimizer.state.values():
        state["max_exp_avg_sq"] = torch.zeros_like(state["exp_avg_sq"])


def write_in_place(model: Any, optimizer: Any) -> None:
    with torch.no_grad():
        model[0].weight.mul_(0.5)


def hook(model: Any, optimizer: Any) -> None:
    model[1].register_forward_hook(lambda module, args, out: out * 2)


def gradient(model: Any, optimizer: Any) -> None:
    model[0].weight.grad = torch.ones(5, 4).to(model[0].weight.device)


def tie(model: Any, optimizer: Any) -> None:
    with torch.no_grad():
        model[2].bias.copy_(model[0].bias[:2])


@pytest.mark.parametrize(
    "change",
    [set_data, replace_module, replace_parameter, load_state, freeze, double_momentum, write_in_place, hook, gradient, tie],
    ids=lambda change: change.__name__,
)
def test_whatever_changes_between_calls_counts(change, counts):
    def run(device: str, steady: bool) -> list[torch.Tensor]:
        model, optimizer, step = model_and(steady, device)
        generator = torch.Generator().manual_seed(3)
        losses = []
        for i in range(16):
            losses.append(step(torch.randn(6, 4, generator=generator).to(device)).detach().cpu())
            if i == 6:
                change(model, optimizer)
        return [*losses, *(p.detach().cpu() for p in model.parameters())]

    for got, expected in zip(run(DEVICE, True), run("cpu", False), strict=True):
        torch.testing.assert_close(got, expected, rtol=1e-3, atol=1e-5)
    assert counts["SteadyCall"] >= 8
    assert counts["SteadyBroken"] == (0 if change in (write_in_place, tie) else 1)


def test_another_dtype_is_another_promise(counts):
    @lazymlir.steady
    def double(x):
        return x * 2

    for dtype in (torch.float32, torch.float64, torch.int64) * 5:
        assert double(torch.ones(2, dtype=dtype, device=DEVICE)).dtype == dtype
    assert counts["SteadyRecord"] == 9


def test_a_global_number_that_changes_is_seen():
    factor.value = 2.0

    @lazymlir.steady
    def step(x):
        return x * factor.value

    x = torch.ones(2, device=DEVICE)
    for value in (2.0, 2.0, 2.0, 2.0, 5.0, 5.0, 5.0, 5.0):
        factor.value = value
        assert step(x).tolist() == [value, value]


class factor:  # noqa: N801
    value = 2.0


def test_grad_mode_autocast_and_default_dtype_are_part_of_the_key():
    weight = nn.Parameter(torch.randn(4, 4).to(DEVICE))

    @lazymlir.steady
    def step(x):
        return x @ weight + torch.ones(4, device=DEVICE)

    x = torch.randn(4, 4, device=DEVICE)
    for _ in range(5):
        with torch.autocast(DEVICE, torch.bfloat16):
            low = (x @ weight).dtype
            assert low == torch.bfloat16
            assert step(x).dtype == torch.float32
        with torch.no_grad():
            equal(step(x), (x.cpu() @ weight.detach().cpu()) + 1)


# Aliases.


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


class held:  # noqa: N801
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
        assert "test_steady_promises.py" in str(error)  # noqa: PT017
