"""`lazymlir.cond`: what the program decides, and what is refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
import torch
from control_support import DEVICE, branches, line, same

import lazymlir
from lazymlir.core.engine import engine
from lazymlir.errors import ControlFlowError

# Values of cond.


def test_cond_is_decided_by_the_program(counts) -> None:
    def step(limit: float, scale: float) -> torch.Tensor:
        x = torch.arange(4.0, device=DEVICE)
        return lazymlir.cond(x.sum() > limit, lambda x: x * scale, lambda x: x - scale, x)

    for limit, scale in ((3.0, 2.5), (30.0, 2.5), (2.0, 3.5), (50.0, 4.5)):
        y = step(limit, scale)
        before = counts["HostRead"]
        x = torch.arange(4.0)
        same(y, x * scale if x.sum() > limit else x - scale)
        assert before == counts["HostRead"] - 1
    assert counts.compiled == 1
    assert counts.fallbacks == 0


def test_the_text_of_a_graph_shows_what_branches_use() -> None:
    x, y = torch.ones(3).to(DEVICE), torch.ones(3).to(DEVICE)
    text = lazymlir.ir_text(lazymlir.cond(x.sum() > 1, lambda: x * y, lambda: x))
    assert text.splitlines()[1:3] == ["  %0 = f32[3] device_data()", "  %1 = f32[3] device_data()"]
    assert re.search(r"f32\[3\] stablehlo.if\(%\d+, %0, %1\), ROOT=0", text)


def test_numbers_that_are_zero_or_one_compile_at_most_twice(counts) -> None:
    def step(scale: float) -> torch.Tensor:
        x = torch.ones(3, device=DEVICE)
        return lazymlir.cond(x.sum() > 2.5, lambda x: x * scale, lambda x: x / 0.3, x)

    for scale in (1.0, 0.0, 2.0, 1.0, 5.0):
        same(step(scale), torch.ones(3) * scale)
    assert counts.compiled == 2


@pytest.mark.parametrize(
    "x",
    [
        torch.randn(3, 4),
        torch.randn(4, 3).t(),
        torch.randn(5, 6)[1:4, ::2],
        torch.randn(3, 1).expand(3, 4),
        torch.tensor(2.5),
        torch.zeros(0, 3),
        torch.arange(6).reshape(2, 3),
        torch.tensor([True, False]),
        torch.randn(3, dtype=torch.complex64),
        torch.randn(3, dtype=torch.complex64).conj(),
        torch.randn(3, dtype=torch.complex64).imag,
        torch.randn(3).to(torch.bfloat16),
        torch.arange(5, dtype=torch.uint8),
    ],
    ids=lambda x: f"{x.dtype}{list(x.shape)}".removeprefix("torch."),
)
def test_cond_takes_tensors_of_any_geometry_and_dtype(x: torch.Tensor) -> None:
    branches(lambda x: x, lambda x: x.clone(), x)
    branches(lambda x: (x.flip(0) if x.dim() else x, x.reshape(-1)), lambda x: (torch.zeros_like(x), x.reshape(-1).flip(0)), x)


def test_results_are_nested_as_the_functions_return_them() -> None:
    branches(lambda x, y: {"a": [x + 1, (y,)], "b": x}, lambda x, y: {"a": [x, (y * 2,)], "b": x - 1}, torch.randn(3), torch.arange(4))
    branches(lambda tree: [tree["x"][0]], lambda tree: [tree["y"]], {"x": (torch.ones(2),), "y": torch.zeros(2)})
    branches(lambda: (), lambda: ())


def test_a_python_bool_or_a_tensor_on_the_cpu_chooses_at_once() -> None:
    assert lazymlir.cond(True, lambda: "then", lambda: "else") == "then"
    assert lazymlir.cond(torch.tensor(0), lambda: "then", lambda: "else") == "else"
    x = torch.ones(2)
    same(lazymlir.cond(x.sum() > 1, lambda x: x + 1, lambda x: x, x), x + 1)


def test_any_tensor_of_one_element_is_a_condition() -> None:
    for pred in (torch.tensor([[2]]), torch.tensor(0.0), torch.tensor(float("nan")), torch.tensor([False]), torch.tensor(1j)):
        same(lazymlir.cond(pred.to(DEVICE), lambda: torch.ones(1, device=DEVICE), lambda: torch.zeros(1, device=DEVICE)), torch.ones(1) * bool(pred))
    with pytest.raises(ValueError, match="pred has the shape \\[2\\]"):
        lazymlir.cond(torch.ones(2, device=DEVICE), lambda: None, lambda: None)


def test_functions_capture_tensors_and_modules() -> None:
    layer = torch.nn.Linear(3, 3).to(DEVICE).requires_grad_(False)
    table, x = torch.randn(4, 3).to(DEVICE), torch.randn(2, 3).to(DEVICE)
    for sign in (1.0, -1.0):
        pred = torch.tensor(sign, device=DEVICE) > 0
        got = lazymlir.cond(pred, lambda: layer(x) + table[1], lambda: torch.softmax(x, 1) * table[2:3])
        same(got, layer(x) + table[1] if sign > 0 else torch.softmax(x, 1) * table[2:3])


def test_only_the_branch_that_is_taken_may_fail() -> None:
    table, index = torch.arange(3.0, device=DEVICE), torch.tensor([5], device=DEVICE)
    same(lazymlir.cond(index.sum() < 3, lambda: table[index], lambda: table[:1] + 1), torch.ones(1))
    failed = lazymlir.cond(index.sum() > 3, lambda: table[index], lambda: table[:1])
    with pytest.raises(IndexError, match="out of"):
        failed.cpu()
    x = torch.zeros(2, device=DEVICE)
    same(lazymlir.cond(x.sum() > 0, lambda x: 1 / x, lambda x: x, x), torch.zeros(2))


def test_cond_in_cond_in_a_loop() -> None:
    def program(x: torch.Tensor, n: torch.Tensor, cond: Any, loop: Any) -> Any:
        def body(n: torch.Tensor, x: torch.Tensor) -> Any:
            inner = cond(n > 1, lambda: cond(n > 2, lambda: x * 2, lambda: x + n), lambda: x.flip(0))
            return n + 1, inner

        return loop(lambda n, x: (n < 4) & (x.sum() < 1000), body, n, x)

    x, n = torch.arange(3.0), torch.tensor(0)
    expected = program(x, n, lazymlir.cond, lazymlir.while_loop)
    same(program(x.to(DEVICE), n.to(DEVICE), lazymlir.cond, lazymlir.while_loop), expected)


def test_a_loop_in_a_branch_in_a_branch() -> None:
    def program(x: torch.Tensor) -> Any:
        def grow(x: torch.Tensor) -> torch.Tensor:
            return lazymlir.while_loop(lambda y: y.sum() < 50, lambda y: (y * 2 + x.mean(),), x)[0]

        return lazymlir.cond(x.sum() > 0, lambda x: lazymlir.cond(x[0] > 5, lambda x: -x, grow, x), lambda x: x, x)

    for x in (torch.tensor([1.0, 2]), torch.tensor([7.0, 2]), torch.tensor([-1.0, 0])):
        same(program(x.to(DEVICE)), program(x))


def test_random_numbers_in_branches_are_those_of_the_stream() -> None:
    for sign in (1.0, -1.0):
        torch.manual_seed(3)
        pred = torch.tensor(sign, device=DEVICE) > 0
        got = lazymlir.cond(pred, lambda: torch.rand(3, device=DEVICE), lambda: torch.rand(3, device=DEVICE))
        after = torch.rand(3, device=DEVICE)
        torch.manual_seed(3)
        drawn = [torch.rand(3, device=DEVICE) for _ in range(3)]
        same((got, after), (drawn[0 if sign > 0 else 1], drawn[2]))


def test_what_a_branch_makes_it_may_write() -> None:
    def then(x: torch.Tensor) -> torch.Tensor:
        made = x.clone()
        made[1:].mul_(3)
        made.add_(lazymlir.cond(x.sum() > 0, lambda: x + 1, lambda: x).mul_(2))
        empty = torch.empty_like(x)
        empty[:] = made
        return empty

    branches(then, lambda x: torch.zeros_like(x).fill_(2.5), torch.arange(4.0) + 1)
    branches(lambda x: lazymlir.cond(x[0] > 0, then, lambda x: x, x), lambda x: x, torch.arange(4.0) + 1)


def test_a_large_trace_is_cut_around_conditions() -> None:
    with lazymlir.config(max_trace=40):
        x, y = torch.ones(3), torch.ones(3, device=DEVICE)
        for i in range(60):
            x = x * 0.5 + i if x.sum() > 3 else x + 1
            y = lazymlir.cond(y.sum() > 3, lambda y: y * 0.5 + i, lambda y: y + 1, y)  # noqa: B023
    same(y, x)


# Refusals.


@pytest.mark.parametrize("name", ["cond", "while_loop"])
def test_what_cannot_be_in_a_program_is_refused_and_leaves_the_trace_as_it_was(name: str, counts) -> None:
    x, captured = torch.ones(3, device=DEVICE), torch.ones(3, device=DEVICE)
    y, pred = x * 2.5, x.sum() > 0
    view = captured[1:]

    def operation(function: Callable[..., Any]) -> None:
        if name == "cond":
            lazymlir.cond(pred, function, lambda x: x, x)
        else:
            lazymlir.while_loop(lambda x: x.sum() > 0, lambda x: (function(x),), x)

    def refused(function: Callable[..., Any], match: str) -> None:
        position, drawn = engine.trace.position, engine.random.count
        with pytest.raises(ControlFlowError, match=match):
            operation(function)
        assert (engine.trace.position, engine.random.count) == (position, drawn)

    refused(lambda x: x.add_(1), f"add_.* shape \\[3\\].*{line(0)}.*lazymlir.{name}")
    refused(lambda x: x[1:].zero_(), f"zero_.*{line(0)}")
    refused(lambda x: view.mul_(x[1:]), f"mul_.*{line(0)}")
    refused(lambda x: torch.add(x, 1, out=captured), f"add.*{line(0)}")
    refused(lambda x: x * x.sum().item(), f"read on the host.*{line(0)}")
    refused(lambda x: x + 1 if x.sum() else x, f"read on the host.*{line(0)}")
    refused(lambda x: (print(x), x)[1], f"read on the host.*{line(0)}")
    refused(lambda x: (x.cpu(), x)[1], f"read on the host.*{line(0)}")
    refused(lambda x: x[x > 0].sum() + x, f"read on the host.*{line(0)}")
    refused(lambda x: torch.rand_like(x) * captured.tolist()[0], f"read on the host.*{line(0)}")

    def caught(x: torch.Tensor) -> torch.Tensor:
        try:
            return x * x.sum().item()
        except ControlFlowError:
            return x

    refused(caught, "read on the host")
    same(y, torch.full((3,), 2.5))
    same((x, captured), (torch.ones(3), torch.ones(3)))


def test_an_error_of_the_user_passes_through() -> None:
    x = torch.ones(3, device=DEVICE)
    pred, other = x.sum() > 0, torch.ones(4, device=DEVICE)
    position = engine.trace.position
    with pytest.raises(KeyError, match="mine"):
        lazymlir.cond(pred, lambda x: {}["mine"], lambda x: x, x)
    with pytest.raises(RuntimeError, match="size of tensor"):
        lazymlir.while_loop(lambda x: x.sum() > 0, lambda x: (x + other,), x)
    assert engine.trace.position == position
    same(x + 1, torch.full((3,), 2.0))


def test_what_differs_is_named() -> None:
    x = torch.ones(3, device=DEVICE)
    pred = x.sum() > 0
    with pytest.raises(TypeError, match=re.escape("what else_fn returns is float32[3], but what then_fn returns is (float32[3], float32[3])")):
        lazymlir.cond(pred, lambda: (x, x), lambda: x)
    with pytest.raises(ValueError, match=re.escape("what else_fn returns['a'] is float32[2], but what then_fn returns['a'] is float32[3]")):
        lazymlir.cond(pred, lambda: {"a": x}, lambda: {"a": x[1:]})
    with pytest.raises(TypeError, match=re.escape("what else_fn returns[1] is int64[3], but what then_fn returns[1] is float32[3]")):
        lazymlir.cond(pred, lambda: (x, x), lambda: (x, x.long()))
    with pytest.raises(TypeError, match="what then_fn returns is float: it has to be a tensor on lazymlir"):
        lazymlir.cond(pred, lambda: 1.5, lambda: x)
    with pytest.raises(TypeError, match="what else_fn returns is a tensor on cpu"):
        lazymlir.cond(pred, lambda: x, lambda: torch.ones(3))
    with pytest.raises(TypeError, match=re.escape("what body_fn returns[0] is bool[3], but state[0] is float32[3]")):
        lazymlir.while_loop(lambda x: x.sum() > 0, lambda x: (x > 0,), x)
    with pytest.raises(ValueError, match=re.escape("what body_fn returns[0] is float32[6], but state[0] is float32[3]")):
        lazymlir.while_loop(lambda x: x.sum() > 0, lambda x: (torch.cat([x, x]),), x)
    with pytest.raises(TypeError, match="body_fn returns Tensor: it has to return the next state, a tuple"):
        lazymlir.while_loop(lambda x: x.sum() > 0, lambda x: x + 1, x)
    with pytest.raises(TypeError, match="what cond_fn returns is bool"):
        lazymlir.while_loop(lambda x: True, lambda x: (x,), x)
    with pytest.raises(ValueError, match="what cond_fn returns has the shape \\[3\\]"):
        lazymlir.while_loop(lambda x: x > 0, lambda x: (x,), x)
    with pytest.raises(TypeError, match=re.escape("state[1] is int: it has to be a tensor")):
        lazymlir.while_loop(lambda x, n: x.sum() > 0, lambda x, n: (x, n + 1), x, 0)


def test_a_tensor_that_leaks_out_of_a_function_is_of_no_use() -> None:
    x = torch.ones(3, device=DEVICE)
    kept: list[torch.Tensor] = []
    lazymlir.cond(x.sum() > 0, lambda x: (kept.append(x * 2), x)[1], lambda x: x, x)
    with pytest.raises(ControlFlowError, match="made inside a function given to lazymlir.cond is used outside"):
        kept[0] + 1
    with pytest.raises(ControlFlowError, match="made inside"):
        lazymlir.cond(x.sum() > 0, lambda x: (kept.append(x * 2), x)[1], lambda x: kept[-1], x)
    same(x + 1, torch.full((3,), 2.0))
