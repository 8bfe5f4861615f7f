"""`lazymlir.steady`: training bodies whose Python runs three times, against recorded runs and against the CPU."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn, optim

import lazymlir
from lazymlir.core.engine import engine

DEVICE = "lazymlir"

OPTIMIZERS: dict[str, tuple[type[optim.Optimizer], dict[str, Any]]] = {
    "SGD": (optim.SGD, {"lr": 0.05}),
    "SGD with momentum": (optim.SGD, {"lr": 0.05, "momentum": 0.9, "nesterov": True, "weight_decay": 0.01}),
    "SGD, damped, maximizing": (optim.SGD, {"lr": 0.01, "momentum": 0.9, "dampening": 0.2, "maximize": True}),
    "Adam": (optim.Adam, {"lr": 0.01, "weight_decay": 0.1}),
    "Adam with amsgrad": (optim.Adam, {"lr": 0.01, "amsgrad": True}),
    "Adam, for each": (optim.Adam, {"lr": 0.01, "foreach": False}),
    "Adam, capturable": (optim.Adam, {"lr": 0.01, "capturable": True}),
    "Adam, fused": (optim.Adam, {"lr": 0.01, "fused": True}),
    "AdamW": (optim.AdamW, {"lr": 0.01}),
    "Adagrad": (optim.Adagrad, {"lr": 0.05, "lr_decay": 0.1, "weight_decay": 0.1}),
    "RMSprop": (optim.RMSprop, {"lr": 0.005, "momentum": 0.5, "centered": True}),
    "Adadelta": (optim.Adadelta, {}),
    "NAdam": (optim.NAdam, {"lr": 0.01}),
    "RAdam": (optim.RAdam, {"lr": 0.01}),
    "Adamax": (optim.Adamax, {"lr": 0.01}),
    "ASGD": (optim.ASGD, {"lr": 0.01}),
    "Rprop": (optim.Rprop, {"lr": 0.001}),
}


class Runs:
    """Counts how often the Python of a body runs."""

    def __init__(self) -> None:
        self.count = 0


def model_on(device: str) -> nn.Sequential:
    torch.manual_seed(1)
    return nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 3)).to(device)


def batches(count: int, size: int = 8) -> list[tuple[torch.Tensor, torch.Tensor]]:
    generator = torch.Generator().manual_seed(5)
    return [(torch.randn(size, 6, generator=generator), torch.randint(0, 3, (size,), generator=generator)) for _ in range(count)]


def step_of(model: nn.Module, optimizer: optim.Optimizer, runs: Runs | None = None) -> Callable[..., torch.Tensor]:
    def step(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        if runs is not None:
            runs.count += 1
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        return loss

    return step


def state_of(model: nn.Module, optimizer: optim.Optimizer) -> list[torch.Tensor]:
    state = [x for p in model.parameters() for _, x in sorted(optimizer.state[p].items()) if isinstance(x, torch.Tensor)]
    return [x.detach().cpu().clone() for x in [*model.parameters(), *model.buffers(), *state]]


def train(device: str, kind: Any, options: dict[str, Any], count: int, steady: bool, runs: Runs | None = None) -> list[torch.Tensor]:
    model = model_on(device)
    if device == "cpu":
        options = {name: value for name, value in options.items() if name != "capturable"}
    optimizer = kind(model.parameters(), **options)
    scheduler = optim.lr_scheduler.CosineAnnealingLR(optimizer, 60)
    step = step_of(model, optimizer, runs)
    step = lazymlir.steady(step) if steady else step
    losses = []
    for x, y in batches(count):
        losses.append(step(x.to(device), y.to(device)))
        scheduler.step()
    return [*(loss.detach().cpu() for loss in losses), *state_of(model, optimizer)]


def assert_close(got: list[torch.Tensor], expected: list[torch.Tensor], rtol: float = 1e-4, atol: float = 1e-5) -> None:
    for a, b in zip(got, expected, strict=True):
        torch.testing.assert_close(a.detach().cpu(), b.detach().cpu(), rtol=rtol, atol=atol)


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_training_with_a_scheduler_equals_the_recorded_run_and_the_cpu(name, counts):
    kind, options = OPTIMIZERS[name]
    runs = Runs()
    got = train(DEVICE, kind, options, 20, steady=True, runs=runs)
    assert runs.count <= 4  # an optimizer that makes state at its second step takes one more
    assert counts["SteadyCall"] == 20 - runs.count
    assert counts.fallbacks == counts["SteadyBroken"] == 0
    assert_close(got, train(DEVICE, kind, options, 20, steady=False), rtol=2e-3, atol=2e-4)
    assert_close(got, train("cpu", kind, options, 20, steady=False), rtol=2e-3, atol=2e-4)


def test_fifty_steps_of_default_adamw_with_a_scheduler():
    got = train(DEVICE, optim.AdamW, {}, 50, steady=True)
    assert_close(got, train(DEVICE, optim.AdamW, {}, 50, steady=False), rtol=1.3e-6 * 100, atol=1e-5)
    assert_close(got, train("cpu", optim.AdamW, {}, 50, steady=False), rtol=1.3e-6 * 100, atol=1e-5)


def test_a_steady_call_records_and_compiles_nothing_and_runs_one_program(counts, monkeypatch):
    model, runs = model_on(DEVICE), Runs()
    optimizer = optim.Adam(model.parameters(), lr=0.01)
    step = lazymlir.steady(step_of(model, optimizer, runs))
    data = [(x.to(DEVICE), y.to(DEVICE)) for x, y in batches(8)]
    for x, y in data[:3]:
        step(x, y)
    lazymlir.sync(wait=True)
    compiled, executed = counts.compiled, executions()

    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("something was recorded")

    monkeypatch.setattr(engine, "record", refuse)
    losses = [step(x, y) for x, y in data[3:]]
    assert runs.count == 3
    assert counts.compiled == compiled
    assert executions() == executed + 5
    assert counts["SteadyCall"] == 5
    assert len({loss.item() for loss in losses}) == 5


def executions() -> int:
    data = lazymlir.metrics.metric_data("ExecuteTime")
    return data[0] if data else 0


def test_batches_on_the_host_are_taken_anew(counts):
    def run(device: str, steady: bool) -> list[torch.Tensor]:
        model = model_on(device)
        optimizer = optim.SGD(model.parameters(), lr=0.1)
        body = step_of(model, optimizer)

        def moved(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
            return body(x.to(device, torch.float32), y.to(device))

        step = lazymlir.steady(moved) if steady else moved
        return [*(step(x.double(), y).detach() for x, y in batches(8)), *model.parameters()]

    got = run(DEVICE, True)
    assert counts["SteadyCall"] == 5
    assert_close(got, run("cpu", False))


def test_windows_onto_a_tensor_are_batches_wherever_they_begin(counts):
    data, labels = torch.randn(80, 6), torch.randint(0, 3, (80,))

    def run(device: str, steady: bool) -> list[torch.Tensor]:
        model, x, y = model_on(device), data.to(device), labels.to(device)
        optimizer = optim.SGD(model.parameters(), lr=0.1)
        step = step_of(model, optimizer)
        step = lazymlir.steady(step) if steady else step
        return [step(x[i : i + 8], y[i : i + 8]).detach() for i in range(0, 80, 8)]

    got = run(DEVICE, True)
    assert counts["SteadyCall"] == 7
    assert_close(got, run("cpu", False))


def test_dropout_draws_what_a_recorded_run_draws(counts):
    def run(steady: bool) -> list[torch.Tensor]:
        model = nn.Sequential(nn.Linear(6, 32), nn.Dropout(0.4), nn.Linear(32, 3))
        torch.manual_seed(3)
        for p in model.parameters():
            nn.init.normal_(p)
        model.to(DEVICE)
        optimizer = optim.SGD(model.parameters(), lr=0.01)
        torch.manual_seed(11)
        step = step_of(model, optimizer)
        step = lazymlir.steady(step) if steady else step
        return [*(step(x.to(DEVICE), y.to(DEVICE)).detach() for x, y in batches(8)), torch.rand(3, device=DEVICE)]

    got = run(True)
    assert counts["SteadyCall"] == 5
    assert_close(got, run(False))


def test_running_statistics_and_counters_of_batch_norm():
    def run(device: str, steady: bool) -> list[torch.Tensor]:
        torch.manual_seed(2)
        model = nn.Sequential(nn.Linear(6, 8, bias=False), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 3)).to(device)
        optimizer = optim.AdamW(model.parameters(), lr=0.01)
        step = step_of(model, optimizer)
        step = lazymlir.steady(step) if steady else step
        for x, y in batches(10):
            step(x.to(device), y.to(device))
        return state_of(model, optimizer)

    got = run(DEVICE, True)
    assert_close(got, run("cpu", False), rtol=1e-3, atol=1e-4)
    assert 10 in [int(x) for x in got if x.dtype == torch.int64]


def test_training_and_evaluation_each_keep_their_promise(counts):
    def run(device: str, steady: bool) -> list[torch.Tensor]:
        torch.manual_seed(2)
        model = nn.Sequential(nn.Linear(6, 8), nn.BatchNorm1d(8), nn.Linear(8, 3)).to(device)

        def forward(x: torch.Tensor) -> torch.Tensor:
            with torch.no_grad():
                return model(x)

        forward = lazymlir.steady(forward) if steady else forward
        made = []
        for i, (x, _) in enumerate(batches(24)):
            model.train(i % 2 == 0)
            made.append(forward(x.to(device)))
        return made

    got = run(DEVICE, True)
    assert counts["SteadyRecord"] == 6
    assert counts["SteadyCall"] == 18
    assert_close(got, run("cpu", False))


def test_two_sizes_of_batches_alternate(counts):
    def run(device: str, steady: bool) -> list[torch.Tensor]:
        model = model_on(device)
        optimizer = optim.Adam(model.parameters(), lr=0.01)
        step = step_of(model, optimizer)
        step = lazymlir.steady(step) if steady else step
        both = zip(batches(8, 8), batches(8, 5), strict=True)
        return [step(x.to(device), y.to(device)).detach() for pair in both for x, y in pair]

    got = run(DEVICE, True)
    assert counts["SteadyRecord"] <= 6
    assert counts["SteadyBroken"] == 0
    assert_close(got, run("cpu", False), rtol=1e-3)


@pytest.mark.parametrize("when", ["before", "never"])
def test_gradients_that_stay_alive(when, counts):
    """Cleared before each step they are others each time; never cleared they add up."""

    def run(device: str, steady: bool) -> list[torch.Tensor]:
        model = model_on(device)
        kept: list[torch.Tensor] = []

        def step(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
            if when == "before":
                model.zero_grad()
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            return loss

        step = lazymlir.steady(step) if steady else step
        for x, y in batches(8):
            step(x.to(device), y.to(device))
            gradient = next(model.parameters()).grad
            assert gradient is not None
            kept.append(gradient)
        return kept if when == "before" else [kept[-1]]

    got = run(DEVICE, True)
    assert counts["SteadyCall"] >= 4
    assert_close(got, run("cpu", False))


def test_gradients_accumulate_over_calls():
    def run(device: str, steady: bool) -> list[torch.Tensor]:
        model = model_on(device)
        optimizer = optim.SGD(model.parameters(), lr=0.1)

        def accumulate(x: torch.Tensor, y: torch.Tensor) -> None:
            (nn.functional.cross_entropy(model(x), y) / 2).backward()

        accumulate = lazymlir.steady(accumulate) if steady else accumulate
        for i, (x, y) in enumerate(batches(16)):
            accumulate(x.to(device), y.to(device))
            if i % 2:
                optimizer.step()
                optimizer.zero_grad()
        return [p.detach() for p in model.parameters()]

    assert_close(run(DEVICE, True), run("cpu", False))


def test_a_snapshot_between_calls_is_not_changed_by_later_ones():
    model = model_on(DEVICE)
    optimizer = optim.Adam(model.parameters(), lr=0.01)
    step = lazymlir.steady(step_of(model, optimizer))
    snapshots, copies, losses = [], [], []
    for x, y in batches(8):
        losses.append(step(x.to(DEVICE), y.to(DEVICE)))
        snapshots.append([p.detach().clone() for p in model.parameters()])
        copies.append([p.detach().cpu().clone() for p in model.parameters()])
    for snapshot, expected in zip(snapshots, copies, strict=True):
        assert_close(snapshot, expected, 0, 0)
    assert len({loss.item() for loss in losses}) == 8


def test_an_average_of_the_parameters_in_the_body():
    def run(device: str, steady: bool) -> list[torch.Tensor]:
        model = model_on(device)
        average = copy.deepcopy(model)
        optimizer = optim.AdamW(model.parameters(), lr=0.01)
        body = step_of(model, optimizer)

        def step(x: torch.Tensor, y: torch.Tensor) -> None:
            body(x, y)
            with torch.no_grad():
                for p, q in zip(model.parameters(), average.parameters(), strict=True):
                    q.mul_(0.9).add_(p, alpha=0.1)

        step = lazymlir.steady(step) if steady else step
        for x, y in batches(8):
            step(x.to(device), y.to(device))
        return [p.detach() for p in average.parameters()]

    assert_close(run(DEVICE, True), run("cpu", False))


def test_gradient_scaling_with_infinities():
    def run(device: str, steady: bool) -> list[torch.Tensor]:
        torch.manual_seed(0)
        p = nn.Parameter(torch.randn(3).to(device))
        optimizer = optim.AdamW([p], lr=0.1, fused=True)
        scaler = torch.amp.GradScaler(device, init_scale=1024.0, growth_interval=2)

        def step(factor: torch.Tensor) -> None:
            optimizer.zero_grad()
            scaler.scale((p * p).sum() * factor).backward()
            scaler.step(optimizer)
            scaler.update()

        run_step = lazymlir.steady(step) if steady else step
        scales = []
        for i in range(9):
            run_step(torch.tensor(float("inf") if i in (2, 6) else 1.0).to(device))
            scales.append(torch.tensor(scaler.get_scale()))
        return [p.detach(), *scales]

    assert_close(run(DEVICE, True), run("cpu", False))


def test_clipping_and_autocast(counts):
    def run(device: str, steady: bool) -> list[torch.Tensor]:
        model = model_on(device)
        optimizer = optim.Adam(model.parameters(), lr=0.01)

        def step(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
            with torch.autocast(device, torch.bfloat16):
                loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            norm = nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            optimizer.step()
            optimizer.zero_grad()
            return norm

        step = lazymlir.steady(step) if steady else step
        return [step(x.to(device), y.to(device)) for x, y in batches(8)]

    got = run(DEVICE, True)
    assert counts["SteadyCall"] == 5
    assert_close(got, run("cpu", False), rtol=0.05, atol=0.02)


def test_the_state_serves_outside_too():
    """Saved, loaded, and stepped by the same optimizer without `steady`."""

    def run(device: str, steady: bool) -> list[torch.Tensor]:
        model = model_on(device)
        optimizer = optim.AdamW(model.parameters(), lr=0.01)
        body = step_of(model, optimizer)
        step = lazymlir.steady(body) if steady else body
        for i, (x, y) in enumerate(batches(20)):
            (body if i in (6, 7) else step)(x.to(device), y.to(device))
            if i == 10:
                saved = copy.deepcopy(model.state_dict()), copy.deepcopy(optimizer.state_dict())
            if i == 15:
                model.load_state_dict(saved[0])
                optimizer.load_state_dict(saved[1])
        assert not optimizer.param_groups[0]["fused"]
        return state_of(model, optimizer)

    assert_close(run(DEVICE, True), run("cpu", False), rtol=1e-3)
