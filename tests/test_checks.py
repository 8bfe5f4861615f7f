"""Errors that values decide: found by the program, raised by the next read or barrier with the recorded line."""

from __future__ import annotations

import gc
import inspect
import re
import subprocess
import sys
import warnings
from typing import ClassVar

import pytest
import torch
import torch.nn.functional as F

import lazymlir
from lazymlir.core.engine import AHEAD, engine
from lazymlir.core.outcome import Outcome

DEVICE = "lazymlir"
HERE = r"test_checks\.py:\d+"

FAR = torch.tensor([0, 7])
NEGATIVE = torch.tensor([0, -9])
WIDE = torch.tensor([[0, 7, 1]])
ONE, NO = torch.tensor([4, 5]), torch.tensor([1, 0])


def x():
    return torch.arange(6.0).view(2, 3)


MISTAKES = {
    "index": lambda to: to(x())[to(FAR)],
    "index, negative": lambda to: to(x())[to(NEGATIVE)],
    "index, second dimension": lambda to: to(x())[to(torch.tensor([0, 1])), to(FAR)],
    "index_put_": lambda to: to(x()).index_put_((to(FAR),), to(torch.tensor(1.0))),
    "index_put_, accumulated": lambda to: to(x()).index_put_((to(FAR),), to(torch.tensor(1.0)), accumulate=True),
    "gather": lambda to: to(x()).gather(0, to(WIDE)),
    "gather, negative": lambda to: to(x()).gather(0, to(WIDE - 2)),
    "scatter": lambda to: to(x()).scatter(0, to(WIDE), to(x())),
    "scatter, number": lambda to: to(x()).scatter(0, to(WIDE), 1.0),
    "scatter_add": lambda to: to(x()).scatter_add(0, to(WIDE), to(x())),
    "scatter_reduce": lambda to: to(x()).scatter_reduce(0, to(WIDE), to(x()), "amax"),
    "index_select": lambda to: to(x()).index_select(0, to(FAR)),
    "take": lambda to: to(x()).take(to(FAR)),
    "put_": lambda to: to(x()).put_(to(NEGATIVE), to(torch.ones(2))),
    "index_add_": lambda to: to(x()).index_add_(0, to(FAR), to(x())),
    "index_add_, one dimension": lambda to: to(x()[0]).index_add_(0, to(FAR), to(torch.ones(2))),
    "index_copy_": lambda to: to(x()).index_copy_(0, to(FAR), to(x())),
    "index_fill_": lambda to: to(x()).index_fill_(0, to(FAR), 1.0),
    "index_reduce_": lambda to: to(x()).index_reduce_(0, to(FAR), to(x()), "amax"),
    "embedding": lambda to: F.embedding(to(FAR), to(x())),
    "nll_loss": lambda to: F.nll_loss(to(x()), to(FAR)),
    "nll_loss, unreduced": lambda to: F.nll_loss(to(x()), to(FAR), reduction="none"),
    "nll_loss, two dimensions": lambda to: F.nll_loss(to(x().view(1, 3, 2, 1)), to(torch.tensor([[[0], [9]]]))),
    "cross_entropy": lambda to: F.cross_entropy(to(x()), to(torch.tensor([0, -1]))),
    "cross_entropy, smoothed": lambda to: F.cross_entropy(to(x()), to(FAR), label_smoothing=0.1),
    "multinomial, negative": lambda to: torch.multinomial(to(torch.tensor([-1.0, 2.0])), 1),
    "multinomial, NaN": lambda to: torch.multinomial(to(torch.tensor([float("nan"), 2.0])), 1),
    "multinomial, nothing": lambda to: torch.multinomial(to(torch.zeros(2)), 3, replacement=True),
    "bernoulli": lambda to: torch.bernoulli(to(torch.tensor([2.0, 0.5]))),
    "normal": lambda to: torch.normal(0.0, to(torch.tensor([1.0, -1.0]))),
    "floor_divide": lambda to: to(ONE) // to(NO),
    "remainder": lambda to: to(ONE) % to(NO),
    "remainder of a number": lambda to: torch.remainder(5, to(NO)),
    "fmod": lambda to: torch.fmod(to(ONE), to(NO)),
    "div, truncated": lambda to: torch.div(to(ONE), to(NO), rounding_mode="trunc"),
    "div by the number 0": lambda to: to(ONE) // 0,
    "remainder of bytes": lambda to: to(ONE).to(torch.uint8) % to(NO).to(torch.uint8),
    "binary_cross_entropy": lambda to: F.binary_cross_entropy(to(torch.tensor([2.0])), to(torch.tensor([1.0]))),
    "binary_cross_entropy, target": lambda to: F.binary_cross_entropy(to(torch.tensor([0.5])), to(torch.tensor([2.0]))),
    "masked_scatter": lambda to: to(torch.zeros(3)).masked_scatter(to(torch.tensor([True, True, False])), to(torch.ones(1))),
    "repeat_interleave": lambda to: torch.repeat_interleave(to(torch.tensor([1, 2])), output_size=5),
    "_assert_async": lambda to: torch._assert_async(to(torch.tensor(0)), "no {such} thing"),
    "index into nothing": lambda to: to(torch.zeros(0, 3))[to(torch.tensor([0]))],
}


def message(error: Exception) -> str:
    """What both devices say: torch's words up to what it adds for its own developers or of its own implementation."""
    return str(error).split(" (")[0].strip()


def eager_error(mistake) -> Exception:
    with pytest.raises((IndexError, RuntimeError)) as caught:
        mistake(lambda t: t)
    return caught.value


@pytest.mark.parametrize("name", MISTAKES)
def test_the_error_is_that_of_eager_with_the_line(name, counts):
    expected = eager_error(MISTAKES[name])

    def make() -> None:
        MISTAKES[name](lambda t: t.to(DEVICE))
        lazymlir.sync(wait=True)

    with pytest.raises(type(expected)) as caught:
        make()
    assert message(caught.value) == message(expected)
    if name != "index into nothing" and "number 0" not in name:  # numbers and shapes are known at once
        assert re.search(HERE, str(caught.value))
    assert counts.fallbacks == 0


def test_what_is_in_range_raises_nothing():
    t = x().to(DEVICE)
    assert t[torch.tensor([-2, 1], device=DEVICE)].tolist() == x().tolist()
    assert t.take(torch.tensor([-6, 5], device=DEVICE)).tolist() == [0.0, 5.0]
    target = torch.tensor([-100, 2], device=DEVICE)
    torch.testing.assert_close(F.nll_loss(t, target).cpu(), F.nll_loss(x(), target.cpu()))
    assert (torch.tensor([-(2**63)], device=DEVICE) // torch.tensor([-1], device=DEVICE)).tolist() == [-(2**63)]
    assert (torch.zeros(0, dtype=torch.int64, device=DEVICE) % 0).tolist() == []


def test_a_mistake_in_constants_does_not_end_the_process():
    zero = torch.zeros(2, dtype=torch.int64, device=DEVICE)
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        (zero % zero).cpu()


def test_an_unused_result_is_checked_all_the_same():
    F.embedding(FAR.to(DEVICE), x().to(DEVICE))
    with pytest.raises(IndexError, match=f"out of range in self.*{HERE}"):
        lazymlir.sync(wait=True)
    lazymlir.sync(wait=True)


def test_the_next_barrier_raises_and_what_was_recorded_since_goes_on():
    table, other = x().to(DEVICE), torch.ones(2).to(DEVICE)
    looked_up = table[FAR.to(DEVICE)]
    lazymlir.sync()
    spoiled, sound = looked_up * 2.0, other + 1.5
    frame = inspect.currentframe()
    assert frame is not None
    line = frame.f_lineno - 5
    with pytest.raises(IndexError, match=rf"test_checks\.py:{line}\)"):
        lazymlir.sync()
    assert sound.tolist() == [2.5, 2.5]
    assert table.tolist() == x().tolist()
    for lost in (looked_up, spoiled):
        with pytest.raises(IndexError, match="out of bounds"):
            lost.cpu()
        with pytest.raises(IndexError, match="out of bounds"):
            lost + 1.0
    lazymlir.sync()


def test_only_what_depends_on_the_mistake_is_lost():
    table, index = x().to(DEVICE), FAR.to(DEVICE)
    wrong = table[index]
    right = table * 3.5
    with pytest.raises(IndexError):
        right.cpu()  # the first read of the program tells
    assert right.tolist() == (x() * 3.5).tolist()
    with pytest.raises(IndexError):
        wrong.tolist()
    wrong.zero_()  # what is overwritten is sound again
    assert wrong.tolist() == [[0.0] * 3] * 2


def test_a_value_of_an_earlier_program_is_read_without_looking():
    earlier = torch.ones(2).to(DEVICE) * 2.5
    lazymlir.sync()
    lookup = x().to(DEVICE)[FAR.to(DEVICE)]
    lazymlir.sync()
    assert earlier.tolist() == [2.5, 2.5]
    with pytest.raises(IndexError):
        lookup.cpu()


def test_the_first_mistake_is_the_one_that_raises():
    table = x().to(DEVICE)
    first = table[FAR.to(DEVICE)]
    second = ONE.to(DEVICE) // NO.to(DEVICE)
    with pytest.raises(IndexError, match="index 7"):
        lazymlir.sync(wait=True)
    del first
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        second.cpu()


def test_the_first_element_in_order_is_the_one_that_is_told():
    index = torch.tensor([0, 1, 9, 8, -7], device=DEVICE)
    with pytest.raises(IndexError, match="index 9 is out"):
        x().to(DEVICE)[index].cpu()


def test_a_training_step_checks_without_further_programs(counts):
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Embedding(10, 4), torch.nn.Flatten(), torch.nn.Linear(8, 3)).to(DEVICE)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(6):
        optimizer.zero_grad()
        inputs, target = torch.randint(0, 10, (5, 2)).to(DEVICE), torch.randint(0, 3, (5,)).to(DEVICE)
        F.cross_entropy(model(inputs), target).backward()
        optimizer.step()
        if step == 1:
            lazymlir.sync()
            before = counts.compiled
    lazymlir.sync(wait=True)
    assert counts.compiled == before
    assert counts.fallbacks == 0


def test_a_long_trace_that_cuts_itself_raises_from_the_operation_that_follows():
    table = x().to(DEVICE)
    wrong = table[FAR.to(DEVICE)]

    def go_on() -> None:
        y = torch.ones(2).to(DEVICE)
        for _ in range(20_000):
            y = y * 0.5 + 1.0

    with pytest.raises(IndexError, match=HERE):
        go_on()
    assert table.tolist() == x().tolist()
    del wrong


class TestNumbersThatDoNotFit:
    NUMBERS = (300, -1, -256, 1e5, 1e40, float("inf"), float("nan"), 2.5, 2**40, 2**63)
    DTYPES = (torch.uint8, torch.int8, torch.int32, torch.int64, torch.float16, torch.bfloat16, torch.float32, torch.bool)
    USES: ClassVar = {
        "fill_": lambda t, number: t.clone().fill_(number),
        "full_like": torch.full_like,
        "masked_fill": lambda t, number: t.masked_fill(t > 1, number),
        "scatter": lambda t, number: t.scatter(0, torch.tensor([0], device=t.device), number),
        "index_fill": lambda t, number: t.index_fill(0, torch.tensor([0], device=t.device), number),
    }

    @pytest.mark.parametrize("use", USES)
    def test_are_refused_as_eager_does(self, use):
        pairs, differences = [], []
        for dtype in self.DTYPES:
            for number in self.NUMBERS:
                t = torch.tensor([1, 2], dtype=dtype)
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    outcomes = [self.outcome(self.USES[use], t, number), self.outcome(self.USES[use], t.to(DEVICE), number)]
                pairs.append((dtype, number, *outcomes))
        for dtype, number, expected, got in pairs:
            if isinstance(expected, str) or isinstance(got, str):
                if expected != got:
                    differences.append((dtype, number, expected, got))
            elif not (float("inf") == abs(number) or number != number) or dtype.is_floating_point:
                torch.testing.assert_close(got.cpu(), expected, equal_nan=True)
        assert not differences

    @staticmethod
    def outcome(use, t, number):
        try:
            return use(t, number)
        except RuntimeError as error:
            return str(error)


def test_errors_that_were_caught_leave_nothing_behind():
    def fail():
        try:
            to_list = torch.ones(3, device=DEVICE)[torch.tensor([5], device=DEVICE)].tolist
            to_list()
        except IndexError:
            return
        raise AssertionError("no error")

    def errors() -> int:
        gc.collect()
        return sum(type(kept) is IndexError for kept in gc.get_objects())

    fail()
    before = errors()
    for _ in range(20):
        fail()
    assert errors() <= before + 1


def test_an_error_that_nothing_asked_for_is_told_at_the_end_of_the_process():
    program = """
import torch, lazymlir
picked = torch.ones(3, device="lazymlir")[torch.tensor([5], device="lazymlir")]
lazymlir.sync()
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert "IndexError: index 5 is out of bounds" in run.stderr


def test_a_failure_that_is_found_late_spoils_what_later_programs_made_of_it(monkeypatch):
    """An automatic barrier does not wait for the program before it: here none is known to have ended until it is waited for."""
    monkeypatch.setattr(Outcome, "is_known", property(lambda self: self._found is None))
    table, other = torch.randn(4, 3).to(DEVICE), torch.zeros(3).to(DEVICE)
    beyond = torch.tensor([9]).to(DEVICE)
    looked_up = table.index_select(0, beyond)
    engine.barrier()
    spoiled, sound = looked_up * 2.5, other + 1.5
    engine.barrier()
    spoiled_again, sound_again = spoiled + 1.5, sound + 1.5
    engine.barrier()
    with pytest.raises(IndexError, match="index out of range in self"):
        lazymlir.sync()
    for value in (looked_up, spoiled, spoiled_again):
        with pytest.raises(IndexError, match="index out of range in self"):
            value.cpu()
    assert sound.tolist() == [1.5] * 3
    assert sound_again.tolist() == [3.0] * 3


def test_only_so_many_programs_are_under_way_before_one_is_looked_at(monkeypatch):
    monkeypatch.setattr(Outcome, "is_known", property(lambda self: self._found is None))
    table = torch.randn(4, 3).to(DEVICE)
    beyond = torch.tensor([9]).to(DEVICE)
    kept = [table.index_select(0, beyond)]
    for _ in range(AHEAD + 1):
        engine.barrier()
        kept.append(table.index_select(0, torch.tensor([1]).to(DEVICE)))
    with pytest.raises(IndexError):
        engine.barrier()
    lazymlir.sync(wait=True)
    assert kept[-1].isfinite().all()
