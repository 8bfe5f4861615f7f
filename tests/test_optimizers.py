"""Every optimizer of torch, gradient clipping and gradient scaling against the CPU."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import nn, optim

import lazymlir
from lazymlir import metrics
from lazymlir.core.engine import engine

DEVICE = "lazymlir"

OPTIMIZERS: dict[str, tuple[type[optim.Optimizer], dict[str, Any]]] = {
    "SGD": (optim.SGD, {"lr": 0.1}),
    "SGD with momentum": (optim.SGD, {"lr": 0.1, "momentum": 0.9, "nesterov": True, "weight_decay": 0.1}),
    "SGD, damped, maximizing": (optim.SGD, {"lr": 0.1, "momentum": 0.9, "dampening": 0.2, "maximize": True}),
    "Adam": (optim.Adam, {"lr": 0.1, "weight_decay": 0.1}),
    "Adam with amsgrad": (optim.Adam, {"lr": 0.1, "amsgrad": True}),
    "AdamW": (optim.AdamW, {"lr": 0.1}),
    "AdamW with amsgrad, maximizing": (optim.AdamW, {"lr": 0.1, "amsgrad": True, "maximize": True}),
    "Adagrad": (optim.Adagrad, {"lr": 0.1, "lr_decay": 0.1, "weight_decay": 0.1}),
    "RMSprop": (optim.RMSprop, {"momentum": 0.5, "centered": True}),
    "Adadelta": (optim.Adadelta, {}),
    "NAdam": (optim.NAdam, {}),
    "RAdam": (optim.RAdam, {"lr": 0.1}),
    "Adamax": (optim.Adamax, {}),
    "ASGD": (optim.ASGD, {}),
    "Rprop": (optim.Rprop, {}),
    "Adafactor": (optim.Adafactor, {}),
}
FUSED = (optim.SGD, optim.Adam, optim.AdamW, optim.Adagrad)
CAPTURABLE = (optim.Adam, optim.RAdam)
WAYS: dict[str, dict[str, bool]] = {
    "as it comes": {},
    "for each": {"foreach": False},
    "fused": {"fused": True},
    "capturable": {"capturable": True},
}


def combinations() -> list[tuple[str, str]]:
    """`foreach=True` is how it comes on this device (a test below asserts it)."""
    return [
        (name, way)
        for name, (kind, _) in OPTIMIZERS.items()
        for way in WAYS
        if not (way == "fused" and kind not in FUSED) and not (way == "capturable" and kind not in CAPTURABLE)
    ]


def steps(device: str, kind: type[optim.Optimizer], options: dict[str, Any], count: int = 3) -> list[torch.Tensor]:
    """Parameters and state after some steps with gradients that are the same on every device."""
    torch.manual_seed(0)
    parameters = [torch.nn.Parameter(torch.randn(*shape).to(device)) for shape in ((3, 2), (4,))]
    optimizer = kind(parameters, **options)
    for _ in range(count):
        for p in parameters:
            p.grad = torch.randn(p.shape).to(device)
        optimizer.step()
        optimizer.zero_grad()
    state = [value for p in parameters for value in optimizer.state[p].values() if isinstance(value, torch.Tensor)]
    return [*(p.detach() for p in parameters), *state]


def assert_same(got: list[torch.Tensor], expected: list[torch.Tensor]) -> None:
    lazymlir.sync()
    for a, b in zip(got, expected, strict=True):
        torch.testing.assert_close(a.cpu(), b, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(("name", "way"), combinations())
def test_three_steps_equal_those_of_the_cpu(name, way, counts):
    kind, options = OPTIMIZERS[name]
    got = steps(DEVICE, kind, options | WAYS[way])
    assert_same(got, steps("cpu", kind, options | ({} if way == "capturable" else WAYS[way])))
    assert counts.fallbacks == 0


@pytest.mark.parametrize("name", [name for name, (kind, _) in OPTIMIZERS.items() if kind is not optim.Adafactor])
def test_foreach_is_the_default(name, counts):
    """So it meets the programs that were compiled for the default."""
    kind, options = OPTIMIZERS[name]
    steps(DEVICE, kind, options)
    lazymlir.sync()
    compiled = counts.compiled
    assert_same(steps(DEVICE, kind, options | {"foreach": True}), steps("cpu", kind, options | {"foreach": True}))
    assert counts.compiled == compiled


def test_later_steps_and_other_rates_compile_nothing_more(counts):
    for options in ({"fused": True}, {}):
        steps(DEVICE, optim.AdamW, {"lr": 0.1, **options})
        compiled = counts.compiled
        steps(DEVICE, optim.AdamW, {"lr": 0.01, "betas": (0.8, 0.95), **options}, count=5)
        assert counts.compiled == compiled


@pytest.mark.parametrize("kind", [optim.Adam, optim.AdamW])
def test_parameters_of_one_adam_may_have_taken_different_numbers_of_steps(kind, counts):
    def run(device: str) -> list[torch.Tensor]:
        torch.manual_seed(0)
        parameters = [torch.nn.Parameter(torch.randn(3).to(device)) for _ in range(3)]
        optimizer = kind(parameters, lr=0.1)
        for number in range(8):
            for i, p in enumerate(parameters):
                p.grad = torch.randn(3).to(device) if number % (i + 1) == 0 else None
            if number == 5:  # as loading a checkpoint does
                optimizer.state[parameters[0]]["step"].fill_(2.0)
            optimizer.step()
        assert [optimizer.state[p]["step"].item() for p in parameters] == [5.0, 4.0, 3.0]
        assert all(optimizer.state[p]["step"].device.type == "cpu" for p in parameters)
        return [p.detach() for p in parameters]

    assert_same(run(DEVICE), run("cpu"))
    assert counts.fallbacks == 0


def test_a_step_of_adam_is_two_operations(counts):
    """The count, and all parameters; what changes from step to step is not sent to the device."""
    parameters = [torch.nn.Parameter(torch.ones(3, device=DEVICE)) for _ in range(3)]
    optimizer = optim.Adam(parameters, lr=0.1)
    for _ in range(4):
        for p in parameters:
            p.grad = torch.ones_like(p)
        lazymlir.sync()
        results = len(engine.trace.results)
        metrics.clear_all()
        optimizer.step()
        results = len(engine.trace.results) - results
    assert results == 1 + 3 * 3
    lazymlir.sync(wait=True)
    assert metrics.metric_data("TransferToDeviceTime") is None


@pytest.mark.parametrize("kind", [optim.AdamW, optim.SGD, optim.Adagrad])
def test_a_rate_may_be_a_tensor(kind):
    for device in ("cpu", DEVICE):
        rate = torch.tensor(0.1)
        assert_same(steps(DEVICE, kind, {"lr": rate.to(device), "fused": True}), steps("cpu", kind, {"lr": rate, "fused": True}))


def test_clipping_reads_nothing_on_the_host(counts):
    gradients = [torch.randn(3, 2), torch.randn(4)]
    norms = []
    for device in ("cpu", DEVICE):
        parameters = [torch.nn.Parameter(torch.zeros(g.shape, device=device)) for g in gradients]
        for p, g in zip(parameters, gradients, strict=True):
            p.grad = g.to(device, copy=True)
        norms.append(torch.nn.utils.clip_grad_norm_(parameters, 0.5))
        norms += [p.grad for p in parameters]
    assert counts["MarkStep"] == counts.compiled == 0
    assert_same(norms[3:], norms[:3])
    assert counts.fallbacks == 0


@pytest.mark.parametrize("fused", [False, True])
def test_gradient_scaling_skips_what_is_not_finite(fused):
    def train(device: str) -> tuple[list[torch.Tensor], list[float]]:
        torch.manual_seed(0)
        p = torch.nn.Parameter(torch.randn(3).to(device))
        optimizer = optim.AdamW([p], lr=0.1, fused=fused)
        scaler = torch.amp.GradScaler(device, init_scale=1024.0, growth_interval=2)
        scales = []
        for step in range(5):
            optimizer.zero_grad()
            scaler.scale((p * p).sum() * (float("inf") if step == 2 else 1.0)).backward()
            if not fused:
                scaler.unscale_(optimizer)
                torch.nn.utils.clip_grad_norm_([p], 1.0)
            scaler.step(optimizer)
            scaler.update()
            scales.append(scaler.get_scale())
        return [p.detach()], scales

    metrics.clear_all()
    (got, got_scales), (expected, scales) = train(DEVICE), train("cpu")
    assert got_scales == scales == [1024, 2048, 1024, 1024, 2048]
    assert_same(got, expected)
    assert metrics.executed_fallback_ops() == []


def test_lists_of_tensors(counts):
    """Overloads that no optimizer uses, each as one record."""

    def run(device: str) -> list[torch.Tensor]:
        torch.manual_seed(0)
        x, y = ([torch.randn(shape).to(device) for shape in ((2, 3), (4,), ())] for _ in range(2))
        made = [
            *torch._foreach_add(x, [1.5, 2.0, 3.0]),
            *torch._foreach_mul(x, torch.tensor(2.0, device=device)),
            *torch._foreach_sub(x, y, alpha=2),
            *torch._foreach_pow(torch._foreach_abs(x), [2.0, 0.5, 1.0]),
            *torch._foreach_pow(2.0, x),
            *torch._foreach_maximum(x, y),
            *torch._foreach_clamp_max(x, 0.25),
            *torch._foreach_lerp(x, y, [0.1, 0.7, 0.5]),
            *torch._foreach_addcmul(x, y, y, torch.tensor([1.0, 2.0, 3.0])),
            *torch._foreach_addcdiv(x, y, y, [1.0, 2.0, 3.0]),
            *torch._foreach_norm(x, 1),
            *torch._foreach_max(x[:2]),
            *torch._foreach_sign(x),
        ]
        torch._foreach_copy_(x, y)
        torch._foreach_zero_(y)
        return [*made, *x, *y]

    got = run(DEVICE)
    assert_same(got, run("cpu"))
    assert counts.fallbacks == 0
    integers = [torch.ones(2, dtype=torch.int64, device=DEVICE)]
    with pytest.raises(RuntimeError, match="result type Float can't be cast to the desired output type Long"):
        torch._foreach_add_(integers, 1.5)


def test_fused_steps_of_parameters_that_share_memory_see_each_other():
    def run(device: str) -> list[torch.Tensor]:
        model = nn.Linear(2, 2).to(device)
        with torch.no_grad():
            for i, p in enumerate(model.parameters()):
                p.fill_(0.25 + i)
        optimizer = optim.SGD(model.parameters(), lr=0.1, momentum=0.9, fused=True)
        x = torch.ones(3, 2).to(device)
        for i in range(6):
            if i == 3:
                model.bias.data = model.weight.data[0, :2]
            model(x).square().mean().backward()
            optimizer.step()
            optimizer.zero_grad()
        return [p.detach().cpu() for p in model.parameters()]

    torch.testing.assert_close(run(DEVICE), run("cpu"))
