"""Operations whose result's size values decide: right without a fallback, by one read each, and compiled once per count."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from conftest import DEVICE
from torch.utils._pytree import tree_leaves

NUMBERS = torch.tensor([[3.0, 0.0, -1.0, 3.0], [0.0, 2.0, 2.0, float("nan")]])
WHOLE = torch.tensor([4, 1, 1, 0, 4, 4, 9])
Run = Callable[[Callable[[torch.Tensor], torch.Tensor]], Any]

RUNS: dict[str, Run] = {
    "nonzero": lambda to: to(NUMBERS).nonzero(),
    "nonzero of nothing": lambda to: to(NUMBERS[:0]).nonzero(),
    "as a tuple": lambda to: to(WHOLE).nonzero(as_tuple=True),
    "where": lambda to: torch.where(to(NUMBERS) > 0),
    "masked_select": lambda to: to(NUMBERS).masked_select(to(NUMBERS[:1]) > 0),
    "mask": lambda to: to(NUMBERS)[to(NUMBERS) > 0],
    "no element": lambda to: to(NUMBERS)[to(NUMBERS) > 99],
    "mask of rows": lambda to: to(NUMBERS)[to(torch.tensor([False, True]))],
    "mask and index": lambda to: to(NUMBERS)[to(torch.tensor([True, True])), to(torch.tensor([0, 2]))],
    "mask after a slice": lambda to: to(NUMBERS)[:, to(torch.tensor([True, False, False, True]))],
    "mask on the host": lambda to: to(NUMBERS)[NUMBERS > 0],
    "put": lambda to: to(NUMBERS).index_put((to(NUMBERS) > 1,), to(torch.tensor([7.0, 8.0, 9.0, 10.0]))),
    "accumulate": lambda to: to(NUMBERS).index_put((to(NUMBERS) > 1,), to(torch.tensor([7.0, 8.0, 9.0, 10.0])), accumulate=True),
    "bincount": lambda to: torch.bincount(to(WHOLE)),
    "at least": lambda to: torch.bincount(to(WHOLE), minlength=12),
    "weights": lambda to: torch.bincount(to(WHOLE), to(torch.arange(7.0))),
    "wide weights": lambda to: torch.bincount(to(WHOLE), to(torch.arange(7))),
    "bincount of nothing": lambda to: torch.bincount(to(WHOLE[:0]), minlength=3),
    "repeat": lambda to: torch.repeat_interleave(to(torch.tensor([2, 0, 3]))),
    "repeat rows": lambda to: to(NUMBERS).repeat_interleave(to(torch.tensor([3, 1])), 0),
    "unique": lambda to: torch.unique(to(WHOLE)),
    "inverse": lambda to: torch.unique(to(NUMBERS), return_inverse=True, return_counts=True),
    "unique truths": lambda to: torch.unique(to(NUMBERS) > 0, return_counts=True),
    "unique of nothing": lambda to: torch.unique(to(WHOLE[:0]), return_inverse=True, return_counts=True),
    "consecutive": lambda to: torch.unique_consecutive(to(WHOLE), return_inverse=True, return_counts=True),
    "combinations": lambda to: torch.combinations(to(WHOLE[:4])),
}


@pytest.mark.parametrize("name", RUNS)
def test_as_on_the_cpu(name: str, counts) -> None:
    expected, got = (tree_leaves(RUNS[name](place)) for place in (torch.clone, lambda x: x.to(DEVICE)))
    assert len(got) == len(expected)
    for one, other in zip(got, expected, strict=True):
        assert one.device.type == DEVICE
        assert one.stride() == other.stride() or not other.numel()
        torch.testing.assert_close(one.cpu(), other, rtol=0, atol=0, equal_nan=True)
    assert counts.fallbacks == 0


REFUSED: dict[str, tuple[type[Exception], Run]] = {
    "shape of a mask": (IndexError, lambda to: to(NUMBERS)[to(torch.tensor([True, False, True]))]),
    "negative": (RuntimeError, lambda to: torch.bincount(to(WHOLE) - 2)),
    "repeats": (RuntimeError, lambda to: torch.repeat_interleave(to(torch.tensor([2, -1])))),
    "integers as a mask": (RuntimeError, lambda to: to(NUMBERS).masked_select(to(WHOLE[:4]))),
    "too few values": (RuntimeError, lambda to: to(NUMBERS).index_put((to(NUMBERS) > 1,), to(torch.tensor([7.0, 8.0])))),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_as_on_the_cpu(name: str) -> None:
    kind, run = REFUSED[name]
    for place in (torch.clone, lambda x: x.to(DEVICE)):
        with pytest.raises(kind):
            run(place)


def test_one_program_for_a_count(counts) -> None:
    x = torch.arange(12.0, device=DEVICE)
    picked = [x[(x + shift) % 12 < 5].sum().item() for shift in range(6)]
    assert picked == [sum(i for i in range(12) if (i + shift) % 12 < 5) for shift in range(6)]
    assert counts.compiled <= 4
    assert counts.fallbacks == 0


def test_a_gradient_goes_through_a_mask(counts) -> None:
    x = NUMBERS.nan_to_num().to(DEVICE).requires_grad_()
    (x[x > 0] ** 2).sum().backward()
    expected = NUMBERS.nan_to_num().requires_grad_()
    (expected[expected > 0] ** 2).sum().backward()
    assert x.grad is not None
    assert expected.grad is not None
    assert torch.equal(x.grad.cpu(), expected.grad)
    assert counts.fallbacks == 0
