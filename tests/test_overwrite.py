"""In-place writes that read what they overwrite at other places: XLA:CPU's kernel would read what it has just written."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from torch.nn import functional as F

import lazymlir

DEVICE = "lazymlir"


def shifted(q: torch.Tensor) -> torch.Tensor:
    q[..., 1:] = q[..., 1:] + q[..., :-1]
    return q


def copied(q: torch.Tensor) -> torch.Tensor:
    q[..., 1:] = q[..., :-1].clone()
    return q


def strided(q: torch.Tensor) -> torch.Tensor:
    q[..., ::2] = q[..., 1::2] + q[..., ::2].flip(-1)
    return q


def reversed_in_place(q: torch.Tensor) -> torch.Tensor:
    q[..., 1:3] = q[..., 1:3].flip(-1) * 2
    return q


def same_window(q: torch.Tensor) -> torch.Tensor:
    q[..., 1:] = q[..., 1:] * 2 - q[..., 1:].abs()
    return q


def from_all(q: torch.Tensor) -> torch.Tensor:
    q[..., :1] = q.sum(-1, keepdim=True)
    return q


MAKERS: dict[str, Callable[[str], torch.Tensor]] = {
    "cumsum": lambda device: torch.arange(4.0).to(device).cumsum(0),
    "sort": lambda device: torch.arange(12.0).reshape(3, 4).to(device).sort(1)[0],
    "gather": lambda device: torch.arange(5.0).to(device)[torch.tensor([0, 1, 2, 3]).to(device)],
    "embedding": lambda device: F.embedding(torch.tensor([0, 1, 3]).to(device), torch.arange(16.0).reshape(4, 4).to(device)),
    "convolution": lambda device: F.conv1d(torch.arange(6.0).reshape(1, 1, 6).to(device), torch.ones(1, 1, 3).to(device)),
    "argument": lambda device: torch.arange(4.0).to(device),
    "computed": lambda device: torch.arange(4.0).to(device).exp().reshape(2, 2).reshape(4),
}


@pytest.mark.parametrize("write", [shifted, copied, strided, reversed_in_place, same_window, from_all], ids=lambda write: write.__name__)
@pytest.mark.parametrize("name", MAKERS)
def test_a_write_reads_what_was_there(counts, name, write):
    torch.testing.assert_close(write(MAKERS[name](DEVICE)).cpu(), write(MAKERS[name]("cpu")))
    assert counts.fallbacks == 0


@pytest.mark.parametrize("write", [shifted, copied, strided, reversed_in_place], ids=lambda write: write.__name__)
def test_in_a_branch_too(write):
    def program(device: str) -> torch.Tensor:
        table, places = torch.arange(5.0).to(device), torch.tensor([0, 1, 2, 3]).to(device)
        return lazymlir.cond(table[1] > 0, lambda: write(table[places]), lambda: table[:4] * 1).cpu()

    torch.testing.assert_close(program(DEVICE), program("cpu"))


@pytest.mark.parametrize("mode", ["off", "auto", "always"])
def test_in_loops_too(mode):
    def program(device: str) -> list[torch.Tensor]:
        table, places, state = torch.arange(5.0).to(device), torch.tensor([0, 1, 2, 3]).to(device), torch.zeros(4).to(device)
        p, q = torch.randn(6, generator=torch.Generator().manual_seed(0)).to(device), torch.arange(6.0).to(device)
        for _ in range(12):
            state = state * 0.5 + shifted((table + state.sum() * 0)[places]).cumsum(0)
        for x in (p, q):
            x.mul_(0.99)
        view = q[::2]
        view.add_(view.flip(0))
        rows = torch.ones(5, 3).to(device)
        for i in range(4):
            rows[i + 1] = rows[i] * 2 + rows[i].flip(0)
        return [x.cpu() for x in (state, p, q, rows)]

    with lazymlir.config(reroll=mode):
        got = program(DEVICE)
    for one, other in zip(got, program("cpu"), strict=True):
        torch.testing.assert_close(one, other)
