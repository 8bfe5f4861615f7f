"""Tiny programs of integers are interpreted before they are compiled, and find the same."""

from __future__ import annotations

from collections.abc import Callable

import hypothesis.strategies as st
import pytest
import torch
from hypothesis import given, settings

import lazymlir
from lazymlir.runtime import interpreter

DEVICE = "lazymlir"
Tensor = torch.Tensor


def test_a_test_of_a_few_tokens_compiles_nothing(counts):
    tokens = torch.tensor([[3, 1, 4, 1, 5]])
    found = tokens.to(DEVICE)
    assert (found == 1).any().item()
    assert not (found < 0).any().item()
    assert torch.equal((found.cumsum(1) - 1).where(found != 1, 7).cpu(), (tokens.cumsum(1) - 1).where(tokens != 1, 7))
    assert counts.compiled == 0
    assert counts["InterpretedRun"] == 3
    assert counts.fallbacks == 0


def test_what_runs_often_is_compiled(counts):
    x = torch.arange(7).to(DEVICE)
    for step in range(interpreter.RUNS + 5):
        x += 3
        assert x[0].item() == 3 * (step + 1)
    assert counts.compiled == 1
    assert counts["InterpretedRun"] == interpreter.RUNS


@pytest.mark.parametrize(
    "make",
    [
        lambda x: x * 0.5,  # floats
        lambda x: x.expand(99, 5) + torch.arange(99, device=x.device)[:, None],  # large
        lambda x: x // (x + 1),  # may divide by zero
        lambda x: x.sort().values,
    ],
    ids=["floats", "large", "division", "sort"],
)
def test_others_are_compiled(counts, make):
    x = torch.arange(5)
    torch.testing.assert_close(make(x.to(DEVICE)).cpu(), make(x))
    assert counts["InterpretedRun"] == 0
    assert counts.compiled == 1


def test_it_can_be_turned_off(counts):
    with lazymlir.config(interpret=False):
        assert (torch.arange(6).to(DEVICE) + 11).cpu().tolist() == [*range(11, 17)]
    assert counts.compiled == 1
    assert counts["InterpretedRun"] == 0


def test_an_index_out_of_bounds_raises(counts):
    x, index = torch.arange(5).to(DEVICE), torch.tensor([1, 9]).to(DEVICE)
    with pytest.raises(IndexError, match="index 9 is out of bounds"):
        x[index].cpu()
    assert counts["InterpretedRun"] == 1


LEAVES: dict[str, Callable[[], Tensor]] = {
    "few": lambda: torch.tensor([[0, 1, -1], [7, -8, 100]]),
    "extremes": lambda: torch.tensor([[2**63 - 1, -(2**63), 2**31], [-(2**31), 2**32 + 5, 0]]),
    "narrow": lambda: torch.tensor([[2**31 - 1, -(2**31), 5], [0, -3, 1]], dtype=torch.int32),
    "flags": lambda: torch.tensor([[True, False, True], [False, False, True]]),
}

OPERATIONS: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x.int() - y.int(),
    "mul": lambda x, y: x * y,
    "neg": lambda x, y: -x.long(),
    "abs": lambda x, y: x.int().abs(),
    "sign": lambda x, y: x.long().sign(),
    "maximum": torch.maximum,
    "clamp": lambda x, y: x.long().clamp(-3, 5),
    "less": lambda x, y: x < y,
    "equal": lambda x, y: x == y,
    "and": lambda x, y: x & y,
    "xor": lambda x, y: x ^ y,
    "not": lambda x, y: ~x,
    "where": lambda x, y: torch.where(x > 0, y, x),
    "to int32": lambda x, y: x.int(),
    "to bool": lambda x, y: x.bool(),
    "cumsum": lambda x, y: x.cumsum(-1),
    "sum": lambda x, y: x.sum(0, keepdim=True) + y,
    "amax": lambda x, y: x.amax(1, keepdim=True).expand(2, 3),
    "argmax": lambda x, y: x.long().argmax(1, keepdim=True) + y,
    "any": lambda x, y: x.any(1, keepdim=True) | (y > 0),
    "all": lambda x, y: x.all().expand(2, 3) & (y > 0),
    "flip": lambda x, y: x.flip(1),
    "roll": lambda x, y: x.roll(1, 1),
    "turn": lambda x, y: x.t().reshape(2, 3),
    "cat": lambda x, y: torch.cat([x[:1], y[1:]]),
    "pad": lambda x, y: torch.nn.functional.pad(x.long(), (1, -1), value=4),
    "index": lambda x, y: x[torch.tensor([1, 0], device=x.device)],
    "gather": lambda x, y: x.gather(1, (y.long() & 1)),
    "write": lambda x, y: x.clone().index_fill_(1, torch.tensor([2], device=x.device), 1),
    "update": lambda x, y: torch.stack([x[0], y[0].to(x.dtype)]),
    "one hot": lambda x, y: torch.nn.functional.one_hot(x.long() & 3, 4).sum(-1) + y,
    "tril": lambda x, y: x.tril(),
}


def test_interpreted_programs_find_what_eager_finds(counts, monkeypatch):
    monkeypatch.setattr(interpreter, "RUNS", 1 << 30)
    pairs = st.tuples(st.sampled_from(sorted(LEAVES)), st.sampled_from(sorted(LEAVES)))

    @settings(max_examples=200, derandomize=True, deadline=None)
    @given(pairs, st.lists(st.sampled_from(sorted(OPERATIONS)), min_size=1, max_size=5))
    def check(leaves: tuple[str, str], names: list[str]) -> None:
        def compute(device: str) -> Tensor:
            x, y = (LEAVES[leaf]().to(device) for leaf in leaves)
            for name in names:
                x, y = OPERATIONS[name](x, y), x
            return x.cpu()

        found, expected = compute(DEVICE), compute("cpu")
        assert found.dtype == expected.dtype
        assert torch.equal(found, expected)

    check()
    assert counts["InterpretedRun"] > 150
