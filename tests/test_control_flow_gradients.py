"""The gradients of `lazymlir.cond`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from control_support import DEVICE, gradients, same
from torch.utils.checkpoint import checkpoint

import lazymlir
from lazymlir.errors import ControlFlowError


def test_gradients_flow_to_operands_and_captured_tensors(counts) -> None:
    def program(limit: float, x: torch.Tensor, w: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
        hidden = torch.tanh(x @ w)  # depends on two of them

        def then(h: torch.Tensor) -> torch.Tensor:
            return h @ w + hidden * v

        return lazymlir.cond(hidden.sum() > limit, then, lambda h: (h * v).exp(), hidden * 2)

    gradients(program, torch.randn(2, 3), torch.randn(3, 3), torch.randn(3))
    assert counts.fallbacks == 0


def test_gradients_of_several_results_some_of_them_integers() -> None:
    def program(limit: float, x: torch.Tensor, y: torch.Tensor) -> Any:
        return lazymlir.cond(
            x.sum() > limit,
            lambda x: {"a": x * y, "b": x.long(), "c": (y.t(), x)},
            lambda x: {"a": x.detach() + 1, "b": x.long() + 1, "c": (y.t() * 2, y)},
            x,
        )

    gradients(program, torch.randn(3, 3), torch.randn(3, 3))


def test_gradients_through_complex_numbers_and_views() -> None:
    x = torch.randn(3, dtype=torch.complex64)
    gradients(lambda limit, x: lazymlir.cond(x.real.sum() > limit, lambda x: (x * x.conj()).real, lambda x: x.imag * 2, x), x)
    gradients(lambda limit, x: lazymlir.cond(x.sum() > limit, lambda: x.t()[1:] * 2, lambda: x[:, 1:].t() * x.mean()), torch.randn(2, 4))


def test_gradients_of_cond_in_cond() -> None:
    def program(limit: float, x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
        h = x * w

        def then(x: torch.Tensor) -> torch.Tensor:
            z = x.sin() * h
            return lazymlir.cond(z.sum() > 0, lambda y: z * w + h * y, lambda y: y * h * x, z * 2)

        return lazymlir.cond(x.sum() > limit, then, lambda x: x * h, x)

    gradients(program, torch.randn(4), torch.randn(4))


def test_gradients_of_deeply_nested_conditions() -> None:
    def nest(depth: int, x: torch.Tensor) -> torch.Tensor:
        if depth == 0:
            return x.sin()
        return lazymlir.cond(x.sum() > depth * 0.3, lambda x: nest(depth - 1, x * 1.1), lambda x: nest(depth - 1, x) * x, x)

    for size in (0.1, 0.4, 0.5):
        gradients(lambda _, x: nest(4, x), torch.rand(3) * 0.1 + size)


def test_gradients_where_torch_wraps_tensors() -> None:
    def program(limit: float, x: torch.Tensor) -> torch.Tensor:
        h = x * 2
        return lazymlir.cond(
            x.sum() > limit,
            lambda x: torch.func.vmap(lambda row: row * row.sum())(x * h),
            lambda x: torch.func.grad(lambda y: (y**3).sum())(x) * h,
            x * 3,
        )

    gradients(program, torch.rand(2, 3))


def test_checkpoints_around_a_condition_and_inside() -> None:
    def around(limit: float, x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
        return checkpoint(lambda x: lazymlir.cond(x.sum() > limit, lambda x: (x @ w).tanh(), lambda x: x, x), x * 1.5, use_reentrant=False)

    def inside(limit: float, x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
        h = x * w
        return lazymlir.cond(x.sum() > limit, lambda x: checkpoint(lambda x: (x @ w).tanh() * h, x, use_reentrant=False), lambda x: x, x * 2)

    for program in (around, inside):
        gradients(program, torch.rand(3, 3), torch.rand(3, 3))


def test_a_condition_in_a_steady_function() -> None:
    def training(device: str) -> Callable[[torch.Tensor], torch.Tensor]:
        torch.manual_seed(0)
        layer = torch.nn.Linear(4, 4).to(device)
        optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)

        def step(x: torch.Tensor) -> torch.Tensor:
            loss = lazymlir.cond(x.sum() > 0, lambda h: h.relu() * 2.5, torch.tanh, layer(x)).square().mean()
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            return loss

        return step

    step, judge = lazymlir.steady(training(DEVICE)), training("cpu")
    for i in range(8):
        x = torch.linspace(-1, 1, 8).reshape(2, 4) + (0.5 if i % 2 else -0.5)
        same(step(x.to(DEVICE)), judge(x))


def test_dropout_has_the_same_mask_forward_and_backward() -> None:
    x = torch.ones(64, device=DEVICE, requires_grad=True)
    y = lazymlir.cond(x.sum() > 0, lambda x: torch.nn.functional.dropout(x, 0.5), lambda x: x, x)
    y.sum().backward()
    assert x.grad is not None
    same(x.grad, y)
    assert 0 < y.count_nonzero().item() < 64


def test_what_a_branch_read_may_be_written_before_the_backward_pass() -> None:
    def program(device: str) -> Any:
        x = torch.ones(3, device=device, requires_grad=True)
        scale = torch.full((3,), 2.0, device=device)
        factor = scale.clone()
        y = lazymlir.cond(x.sum() > 0, lambda x: x * factor, lambda x: x, x)
        if device == DEVICE:
            factor.mul_(100)  # eager refuses the backward pass then
            lazymlir.sync()
        y.sum().backward()
        return x.grad

    same(program(DEVICE), program("cpu"))


def test_closures_are_looked_at_once() -> None:
    layers = [torch.nn.Linear(3, 3) for _ in range(3)]
    found = []
    for device in ("cpu", DEVICE):
        for layer in layers:
            layer.to(device).zero_grad()
        x = torch.ones(2, 3, device=device)
        for layer in layers:
            x = lazymlir.cond(x.sum() > -100, lambda x: layer(x), lambda x: x, x)  # noqa: B023
        x.sum().backward()
        found.append([layer.weight.grad.cpu() for layer in layers if layer.weight.grad is not None])
    same(found[1], found[0])


def test_training_with_a_condition_compiles_once(counts) -> None:
    def train(device: str) -> list[float]:
        torch.manual_seed(0)
        first, second = torch.nn.Linear(4, 8), torch.nn.Linear(8, 1)
        model = torch.nn.Sequential(first, second).to(device)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
        losses = []
        for i in range(8):
            x = torch.linspace(-1, 1, 12).reshape(3, 4).to(device) * (1 if i % 2 else -1)
            h = first(x)
            h = lazymlir.cond(x[0].sum() > 0, lambda h: h.relu(), lambda h: torch.tanh(h) * 0.5, h)
            loss = second(h).square().mean()
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            losses.append(loss.detach())
        return [loss.item() for loss in losses]

    got = train(DEVICE)
    assert counts.compiled <= 2
    assert got == pytest.approx(train("cpu"), rel=1e-4)


def test_the_second_derivative_is_refused() -> None:
    x = torch.ones(3, device=DEVICE, requires_grad=True)
    y = lazymlir.cond(x.sum() > 0, lambda x: x**3, lambda x: x, x)
    (slope,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    with pytest.raises(RuntimeError, match="lazymlir.cond has no second derivative"):
        (slope * x).sum().backward()


def test_a_second_backward_pass_needs_the_graph() -> None:
    x = torch.ones(3, device=DEVICE, requires_grad=True)
    y = lazymlir.cond(x.sum() > 0, lambda x: x**3, lambda x: x, x)
    y.sum().backward(retain_graph=True)
    y.sum().backward()
    assert x.grad is not None
    same(x.grad, torch.full((3,), 6.0))
    with pytest.raises(RuntimeError, match="second time"):
        y.sum().backward()


def test_a_function_of_autograd_in_a_branch() -> None:
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
            return x * 2

        @staticmethod
        def backward(ctx: Any, *gradients: torch.Tensor) -> torch.Tensor:
            return gradients[0] * 2

    def program(limit: float, x: torch.Tensor) -> torch.Tensor:
        return lazymlir.cond(x.sum() > limit, lambda y: Double.apply(y) * Double.apply(x), lambda y: y, x * 3)

    gradients(program, torch.randn(3))


def test_a_function_of_autograd_that_returns_a_view() -> None:
    class Reverse(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
            return x.view_as(x)

        @staticmethod
        def backward(ctx: Any, *gradients: torch.Tensor) -> torch.Tensor:
            return -gradients[0]

    gradients(
        lambda limit, x: lazymlir.cond(x.sum() > limit, lambda y: Reverse.apply(y).sin() * Reverse.apply(x), lambda y: y, x * 2), torch.randn(3)
    )
    x = torch.ones(3, device=DEVICE, requires_grad=True)
    h = x * 2
    with pytest.raises(ControlFlowError, match="MulBackward0 there, unseen: make it an operand"):
        lazymlir.cond(x.sum() > 0, lambda: Reverse.apply(h).sin(), lambda: x)


def test_hooks_of_tensors_from_outside_run_once() -> None:
    calls: list[str] = []

    def program(limit: float, x: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
        h = x * w
        for name, tensor in (("w", w), ("h", h)):
            tensor.register_hook(lambda gradient, name=name: (calls.append(name), gradient * 2)[1])
        return lazymlir.cond(x.sum() > limit, lambda x: h * w * x, lambda x: x * w, x)

    gradients(program, torch.randn(3), torch.randn(3))
    assert calls.count("w") == 4  # on two devices, for two branches


def test_a_backward_pass_inside_a_branch_reaches_only_what_it_made() -> None:
    w = torch.ones(3, device=DEVICE, requires_grad=True)

    def then(inner: torch.Tensor) -> torch.Tensor:
        (inner * w).sum().backward()
        return w * 1

    with pytest.raises(ControlFlowError, match="calls backward"):
        lazymlir.cond(w.sum() > 0, lambda: then(w), lambda: w * 1)

    def own(x: torch.Tensor) -> torch.Tensor:
        leaf = x.detach().requires_grad_()
        (leaf**3).sum().backward()
        assert leaf.grad is not None
        return leaf.grad * x

    gradients(lambda limit, x: lazymlir.cond(x.sum() > limit, own, lambda x: x, x), torch.randn(3))


def test_without_gradients_nothing_of_them_is_recorded() -> None:
    x = torch.ones(3, device=DEVICE, requires_grad=True)
    with torch.no_grad():
        y = lazymlir.cond(x.sum() > 0, lambda x: x**3, lambda x: x, x)
    assert not y.requires_grad
    assert not lazymlir.cond(x.sum() > 0, lambda x: x.detach(), lambda x: x.detach(), x).requires_grad
