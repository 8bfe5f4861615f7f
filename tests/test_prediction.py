"""What repeats is predicted: recorded without being taken apart, and right all the same where something differs."""

from __future__ import annotations

import gc
import inspect
import itertools
import math
import random
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from torch import nn

import lazymlir
from lazymlir.core.cut import SHORTEST
from lazymlir.core.engine import engine
from lazymlir.core.script import Script
from lazymlir.frontend_torch.prediction import Draft

DEVICE = "lazymlir"


@pytest.fixture
def taken_apart(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The calls that were recorded the ordinary way."""
    calls: list[str] = []
    begin = Draft.begin.__func__  # type: ignore[attr-defined]

    def counting(cls: Any, plan: Any, *rest: Any) -> Any:
        calls.append(str(plan.overload))
        return begin(cls, plan, *rest)

    monkeypatch.setattr(Draft, "begin", classmethod(counting))
    return calls


def warm(step: Callable[[], Any], times: int = 4) -> None:
    for _ in range(times):
        step()
        lazymlir.sync()


def test_a_training_step_is_predicted_as_a_whole(taken_apart: list[str], counts: Any) -> None:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Conv2d(2, 4, 3), nn.BatchNorm2d(4), nn.GELU(), nn.MaxPool2d(2), nn.Dropout(0.1), nn.Flatten(), nn.Linear(36, 5)).to(
        DEVICE
    )
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    x, y = torch.randn(3, 2, 8, 8).to(DEVICE), torch.tensor([0, 3, 1]).to(DEVICE)

    def step() -> None:
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()

    warm(step, 6)
    taken_apart.clear()
    compiled = counts.compiled
    warm(step)
    assert taken_apart == []
    assert counts.compiled == compiled


def test_steps_of_several_shapes_in_any_order_each_keep_their_prediction(taken_apart: list[str]) -> None:
    layer = nn.Linear(4, 4).to(DEVICE)
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
    batches = [torch.randn(rows, 4).to(DEVICE) for rows in (2, 3, 5)]

    def step(batch: torch.Tensor) -> None:
        layer(batch).tanh().sum().backward()
        optimizer.step()
        optimizer.zero_grad()

    order = [batch for pair in itertools.permutations(batches, 2) for batch in pair]
    for batch in order * 3:
        step(batch)
    taken_apart.clear()
    random.Random(0).shuffle(order)
    for batch in order:
        step(batch)
    # The first call that differs finds the script of its own; where two begin alike it is the only one taken apart.
    assert len(taken_apart) <= len(order)


def test_a_loop_without_barriers_is_predicted_from_cut_to_cut(taken_apart: list[str]) -> None:
    x, w = torch.ones(3).to(DEVICE), torch.full((3,), 0.5).to(DEVICE)
    with lazymlir.config(max_trace=200):
        for _ in range(600):
            x = (x * w + 0.25).tanh()
        taken_apart.clear()
        for _ in range(600):
            x = (x * w + 0.25).tanh()
    assert len(taken_apart) <= 1800 // (200 // SHORTEST)  # of each part, the call that is beyond its end and so brings the cut
    assert x.isfinite().all()


def test_a_predicted_error_names_this_time_s_line() -> None:
    table, place = torch.randn(4, 3).to(DEVICE), torch.tensor([1]).to(DEVICE)
    beyond = torch.tensor([9]).to(DEVICE)

    def good() -> torch.Tensor:
        return table.index_select(0, place) * 1.5

    def bad() -> torch.Tensor:
        return table.index_select(0, beyond) * 1.5

    for _ in range(4):
        made = good()
        lazymlir.sync(wait=True)
    made = bad()
    line = inspect.getsourcelines(bad)[1] + 1
    with pytest.raises(IndexError, match=rf"test_prediction\.py:{line}\)"):
        made.tolist()


# One thing differs: what was predicted must not be believed. Each step is `f(state, variant)`, of fresh tensors on a device.


def _other_shape(x: torch.Tensor, y: torch.Tensor, odd: bool) -> torch.Tensor:
    return (x[:1] if odd else x) + y


def _other_strides(x: torch.Tensor, y: torch.Tensor, odd: bool) -> torch.Tensor:
    return (x.t() if odd else x) - y


def _other_offset(x: torch.Tensor, y: torch.Tensor, odd: bool) -> torch.Tensor:
    return x[1 if odd else 0] * y


def _other_dtype(x: torch.Tensor, y: torch.Tensor, odd: bool) -> torch.Tensor:
    return (x.double() if odd else x) * y


def _other_order(x: torch.Tensor, y: torch.Tensor, odd: bool) -> torch.Tensor:
    return y - x if odd else x - y


def _other_static(x: torch.Tensor, y: torch.Tensor, odd: bool) -> torch.Tensor:
    return x.sum(int(odd)) + y


def _other_keyword(x: torch.Tensor, y: torch.Tensor, odd: bool) -> torch.Tensor:
    return x.sum(0, keepdim=odd) + y.sum(1, dtype=torch.float64 if odd else None)


def _other_number(number: Any, odd_number: Any) -> Callable[..., torch.Tensor]:
    def f(x: torch.Tensor, y: torch.Tensor, odd: bool) -> torch.Tensor:
        number_now = odd_number if odd else number
        return (x * number_now + y) - (x.int() * number_now)

    return f


def _in_place_on_itself(x: torch.Tensor, y: torch.Tensor, odd: bool) -> torch.Tensor:
    x.mul_(x if odd else y)
    return x + 1.5


def _in_place_on_a_window(x: torch.Tensor, y: torch.Tensor, odd: bool) -> torch.Tensor:
    x[1 if odd else 0].mul_(y[0])
    return x.clone()


def _in_place_on_overlapping_windows(x: torch.Tensor, y: torch.Tensor, odd: bool) -> torch.Tensor:
    x[0].add_(x[0] if odd else x[1])
    return x * y


def _in_place_on_a_clone(x: torch.Tensor, y: torch.Tensor, odd: bool) -> torch.Tensor:
    z = x.clone() if odd else y  # has the same value, and is another tensor
    x.add_(z)
    return x * z


def _foreach_with_one_twice(x: torch.Tensor, y: torch.Tensor, odd: bool) -> torch.Tensor:
    torch._foreach_add_([x, x if odd else y], [y + 1.5, y * 2.5])
    return x * y


def _longer_list(x: torch.Tensor, y: torch.Tensor, odd: bool) -> torch.Tensor:
    return torch.cat([x, y, x] if odd else [x, y])


def _list_in_other_order(x: torch.Tensor, y: torch.Tensor, odd: bool) -> torch.Tensor:
    return torch.cat([y, x] if odd else [x, y])


def _shape_set_in_place(x: torch.Tensor, y: torch.Tensor, odd: bool) -> torch.Tensor:
    if odd:
        x.t_()
    return x - y


def _data_replaced(x: torch.Tensor, y: torch.Tensor, odd: bool) -> torch.Tensor:
    if odd:
        x.data = x.data.t()
    return x - y


def _resized(x: torch.Tensor, y: torch.Tensor, odd: bool) -> torch.Tensor:
    if odd:
        x.resize_(1, 3)
    return x - y


def _swapped(x: torch.Tensor, y: torch.Tensor, odd: bool) -> torch.Tensor:
    if odd:
        torch.utils.swap_tensors(x, y)
    return x - y


def _on_the_host(x: torch.Tensor, y: torch.Tensor, odd: bool) -> torch.Tensor:
    scale = torch.tensor(2.5, device="cpu" if odd else x.device)
    return x * scale + y


def _conjugated(x: torch.Tensor, y: torch.Tensor, odd: bool) -> torch.Tensor:
    z = torch.complex(x, y)
    return torch.view_as_real((z.conj() if odd else z) * z)


def _negated(x: torch.Tensor, y: torch.Tensor, odd: bool) -> torch.Tensor:
    z = torch.complex(x, y)
    return (z.conj().imag if odd else z.imag) * x


def _uninitialized(x: torch.Tensor, y: torch.Tensor, odd: bool) -> torch.Tensor:
    z = torch.empty_like(x) if odd else x.clone()
    return z.fill_(2.5) * y


def _parameter(x: torch.Tensor, y: torch.Tensor, odd: bool) -> torch.Tensor:
    return ((nn.Parameter(x) if odd else x) * y).detach()


def _gradient(x: torch.Tensor, y: torch.Tensor, odd: bool) -> torch.Tensor:
    x.requires_grad_(odd)
    z = (x * y).sin().sum()
    return torch.autograd.grad(z, x)[0] if odd else z.detach()


def _expanded(x: torch.Tensor, y: torch.Tensor, odd: bool) -> torch.Tensor:
    return (x[:1].expand(3, 3) if odd else x) * y


def _extra_call(x: torch.Tensor, y: torch.Tensor, odd: bool) -> torch.Tensor:
    z = x * y
    if odd:
        z = z.exp()
    return z + x


def _call_left_out(x: torch.Tensor, y: torch.Tensor, odd: bool) -> torch.Tensor:
    z = x * y
    return z if odd else z.exp() + x


def _kept_alive(x: torch.Tensor, y: torch.Tensor, odd: bool) -> torch.Tensor:
    z = x * y
    w = z.exp()
    return torch.cat([w, z]) if odd else w


VARIED: dict[str, Callable[..., torch.Tensor]] = {
    **{f.__name__[1:]: f for f in (
        _other_shape, _other_strides, _other_offset, _other_dtype, _other_order, _other_static, _other_keyword, _in_place_on_itself,
        _in_place_on_a_window, _in_place_on_overlapping_windows, _in_place_on_a_clone, _foreach_with_one_twice, _longer_list,
        _list_in_other_order, _shape_set_in_place, _data_replaced, _resized, _swapped, _on_the_host, _conjugated, _negated, _uninitialized,
        _parameter, _gradient, _expanded, _extra_call, _call_left_out, _kept_alive,
    )},
    **{f"number_{one}_then_{other}": _other_number(one, other) for one, other in (
        (1.5, 2.5), (1.5, 2), (2, 3), (2, 2.5), (1.5, math.inf), (1.5, math.nan), (1.5, -0.0), (1.5, 1.0), (2, True), (1.5, 1e300), (2, 2**40),
    )},
}  # fmt: skip


@pytest.mark.parametrize("name", VARIED)
def test_a_step_that_differs_in_one_thing_is_not_taken_for_the_predicted_one(name: str) -> None:
    f = VARIED[name]

    def results(device: str) -> Iterator[Any]:
        generator = torch.Generator().manual_seed(0)
        for odd in (False, False, False, False, True, False, True, True, False):
            x, y = (torch.randn(3, 3, generator=generator).to(device) for _ in range(2))
            try:
                made = f(x, y, odd)
                if device == DEVICE:
                    lazymlir.sync()
                yield [tensor.detach().cpu() for tensor in (made, x, y)]
            except RuntimeError as error:
                yield type(error)

    for step, (expected, found) in enumerate(zip(results("cpu"), results(DEVICE), strict=True)):
        if isinstance(expected, type):
            assert found is expected, step
        else:
            torch.testing.assert_close(found, expected, equal_nan=True, msg=lambda text, step=step: f"step {step}: {text}")


def test_the_default_dtype_counts() -> None:
    x = torch.arange(3).to(DEVICE)
    for _ in range(4):
        assert (x * 0.5).dtype == torch.float32
        lazymlir.sync()
    torch.set_default_dtype(torch.float64)
    try:
        assert (x * 0.5).dtype == torch.float64
    finally:
        torch.set_default_dtype(torch.float32)


def test_numbers_drawn_go_on_and_a_generator_is_not_predicted() -> None:
    x = torch.zeros(100).to(DEVICE)
    seen = []
    for _ in range(6):
        seen.append(torch.rand_like(x) + nn.functional.dropout(x + 1.0))
        lazymlir.sync()
    assert len({tuple(drawn.tolist()) for drawn in seen}) == 6
    torch.manual_seed(7)
    first = [torch.rand_like(x).tolist() for _ in range(5)]
    torch.manual_seed(7)
    assert [torch.rand_like(x).tolist() for _ in range(5)] == first
    drawn = []
    for _ in range(5):
        drawn.append(x.clone().uniform_(generator=torch.Generator().manual_seed(3)))
        lazymlir.sync()
    assert len({tuple(one.tolist()) for one in drawn}) == 1


def test_looking_at_the_graph_changes_no_prediction(taken_apart: list[str]) -> None:
    x = torch.ones(3).to(DEVICE)

    def step(look: bool = False) -> None:
        y = x * 1.5
        if look:
            assert "mul" in lazymlir.ir_text(y + 2.5)
        x.add_(y)

    warm(step)
    step(look=True)
    lazymlir.sync()
    warm(step, 2)
    taken_apart.clear()
    warm(step)
    assert taken_apart == []
    torch.testing.assert_close(x.cpu(), torch.full((3,), 2.5**11))


def test_threads_that_repeat_steps_of_their_own_are_predicted(taken_apart: list[str]) -> None:
    results: dict[int, float] = {}
    go = threading.Barrier(2)

    def work(number: int) -> None:
        x = torch.ones(4).to(DEVICE)
        for turn in range(60):
            x = x * 1.5 - 0.5 if number else (x + 0.25).abs()
            lazymlir.sync()
            if turn == 20:
                go.wait(60)
                taken_apart.clear()
                go.wait(60)
        results[number] = x.sum().item()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {0: 4 * (1 + 60 * 0.25), 1: 4.0}
    assert [call for call in taken_apart if "sum" not in call] == []


def test_scripts_that_are_no_longer_cached_are_let_go() -> None:
    x = torch.ones(3).to(DEVICE)
    with lazymlir.config(cache_size=4):
        for length in range(2, 14):
            for _ in range(3):
                y = x
                for _ in range(length):
                    y = y + 1.5
                assert y[0].item() == 1 + 1.5 * length
        del y
        gc.collect()
        scripts = sum(type(thing) is Script for thing in gc.get_objects())
    assert scripts <= 4 + 3 * len(engine.recorders.all()) + 4


class _Interrupt(BaseException):
    pass


@pytest.mark.parametrize("runs", [0, 1, 5], ids=["written", "noted", "predicted"])
def test_an_interrupt_at_any_moment_of_a_call_leaves_the_trace_sound(runs: int) -> None:
    """Whatever line of a kernel it comes at, the call is recorded or it is not."""

    def step(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        z = x * 1.5 + y
        x[0].add_(z[1])
        return z

    def interrupted(moment: int, x: torch.Tensor, y: torch.Tensor) -> bool:
        left = moment

        def trace(frame: Any, event: str, argument: Any) -> Any:
            nonlocal left
            if "lazymlir" not in frame.f_code.co_filename or "tests" in frame.f_code.co_filename:
                return None
            left -= 1
            if left == 0:
                sys.settrace(None)
                raise _Interrupt
            return trace

        sys.settrace(trace)
        try:
            y.add_(x[0])
            (x * 2.5).mul_(y)
        except _Interrupt:
            return True
        finally:
            sys.settrace(None)
            while engine.lock._is_owned():  # type: ignore[attr-defined]  # left at the very end of a with statement, where no signal comes
                engine.lock.release()
        return False

    came = True
    moment = 0
    while came:
        moment += 1 + moment // 6
        x, y = torch.ones(2, 3).to(DEVICE), torch.full((2, 3), 0.5).to(DEVICE)
        lazymlir.sync()
        for _ in range(runs):
            step(x, y)
            interrupted(-1, x, y)
            lazymlir.sync()
        step(x, y)
        before, added = y.clone(), x[0].clone()
        came = interrupted(moment, x, y)
        z = step(x, y)
        lazymlir.sync()
        change = (y - before).cpu()
        assert any(torch.allclose(change, allowed.expand(2, 3)) for allowed in (torch.zeros(3), added.cpu())), f"at moment {moment}"
        torch.testing.assert_close((z - y).cpu()[1], torch.full((3,), 1.5), msg=f"at moment {moment}")
    assert moment > 10
