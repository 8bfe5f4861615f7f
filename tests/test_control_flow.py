"""`lazymlir.cond`, `lazymlir.while_loop`, `lazymlir.loop`: the judge is the same program in Python on the CPU."""

from __future__ import annotations

import inspect
import logging
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from torch.utils._pytree import tree_leaves, tree_map
from torch.utils.checkpoint import checkpoint

import lazymlir
from lazymlir.core.engine import engine
from lazymlir.errors import ControlFlowError

DEVICE = "lazymlir"


def on_cpu(tree: Any) -> Any:
    return tree_map(lambda x: x.detach().cpu() if isinstance(x, torch.Tensor) else x, tree)


def same(got: Any, expected: Any) -> None:
    torch.testing.assert_close(on_cpu(got), on_cpu(expected), rtol=1e-5, atol=1e-6, equal_nan=True)


def moved(tree: Any) -> Any:
    return tree_map(lambda x: x.to(DEVICE) if isinstance(x, torch.Tensor) else x, tree)


def line(offset: int) -> str:
    frame = inspect.currentframe()
    assert frame is not None and frame.f_back is not None
    return re.escape(f"test_control_flow.py:{frame.f_back.f_lineno + offset}")


def branches(then: Callable[..., Any], otherwise: Callable[..., Any], *operands: Any) -> None:
    """Both ways are what Python makes of them; nothing is read until the end."""
    for number in (1.0, -1.0):
        expected = then(*operands) if number > 0 else otherwise(*operands)
        pred = torch.tensor(number, device=DEVICE) > 0
        got = lazymlir.cond(pred, then, otherwise, *moved(operands))
        assert all(isinstance(x, lazymlir.Tensor) for x in tree_leaves(got))
        same(got, expected)


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


# Loops.


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
    with pytest.raises(IndexError, match=r"index 4 .*test_control_flow"):
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


# Gradients of cond.


def gradients(program: Callable[..., Any], *tensors: torch.Tensor) -> None:
    """Those of what `program(limit, *tensors)` returns, for both branches."""
    for limit in (-100.0, 100.0):
        found = []
        for device in ("cpu", DEVICE):
            own = [x.detach().clone().to(device).requires_grad_(x.is_floating_point() or x.is_complex()) for x in tensors]
            results = [y for y in tree_leaves(program(limit, *own)) if y.requires_grad]
            wanted = [x for x in own if x.requires_grad]
            weights = [torch.linspace(0.5, 1.5, max(y.numel(), 1))[: y.numel()].reshape(y.shape).to(y.dtype).to(device) for y in results]
            made = torch.autograd.grad(results, wanted, weights, allow_unused=True)
            found.append([torch.zeros_like(x).cpu() if y is None else y.cpu() for x, y in zip(wanted, made, strict=True)])
        same(found[1], found[0])


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


# Hints.


@pytest.fixture
def remarks() -> Iterator[list[str]]:
    """What the passes say."""
    said: list[str] = []

    class Keeper(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            said.append(record.getMessage())

    handler = Keeper()
    logging.getLogger("lazymlir.passes").addHandler(handler)
    with lazymlir.config(logs="passes"):
        yield said
    logging.getLogger("lazymlir.passes").removeHandler(handler)


def test_a_loop_that_is_none_is_told_why(remarks: list[str]) -> None:
    x = torch.ones(3, device=DEVICE)
    for i in lazymlir.loop(range(6)):
        x = x * 1.5 + i
        if i == 3:
            x = x.relu()
        x = x - 0.5
    x.cpu()
    (said,) = [remark for remark in remarks if "the loop at" in remark]
    where = line(-7), line(-4), line(-3)
    assert re.search("loop at .*{} is none: iteration 3 records aten.relu.* of .*{}.*, where iteration 1 records aten.sub.*{}".format(*where), said)


def test_a_loop_of_equal_iterations_needs_no_remark(remarks: list[str]) -> None:
    x = torch.ones(3, device=DEVICE)
    for _ in lazymlir.loop(range(6)):
        for i in lazymlir.loop([1.5, 2.5]):
            x = x * i
    x.cpu()
    assert not [remark for remark in remarks if "the loop at" in remark]


def test_loop_goes_through_anything() -> None:
    assert list(lazymlir.loop(iter("abc"))) == ["a", "b", "c"]
    assert [item for item, _ in zip(lazymlir.loop(range(10**9)), range(2), strict=False)] == [0, 1]
    for _ in lazymlir.loop([1, 2]):
        break

    def fails() -> None:
        for _ in lazymlir.loop([1, 2]):
            raise ValueError("mine")

    with pytest.raises(ValueError, match="mine"):
        fails()
    assert list(lazymlir.loop([])) == []


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
