"""Sums of contractions become one: gradients of weights that are used many times."""

from __future__ import annotations

import pytest
import torch
from torch import nn

import lazymlir
from lazymlir.passes import STANDARD

DEVICE = "lazymlir"
MERGED, APART = (
    ",".join({"lazy-reroll-loops": "lazy-reroll-loops{mode=off}"}.get(name, name) for name in STANDARD if name != left_out)
    for left_out in ("", "lazy-merge-sums")
)
TIMES = 6


class Cells(nn.Module):
    """An LSTM cell, called for each place."""

    def __init__(self) -> None:
        super().__init__()
        self.cell = nn.LSTMCell(24, 24)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = c = torch.zeros(x.shape[1], 24, device=x.device, dtype=x.dtype)
        for place in range(x.shape[0]):
            h, c = self.cell(x[place], (h, c))
        return h


class Shared(nn.Module):
    """A weight in products with a batch dimension, and one behind it that is used once."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(3, 24, 24) / 5)
        self.head = nn.Linear(24, 24)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = x[0].expand(3, *x.shape[1:])
        for _ in range(x.shape[0]):
            h = torch.tanh(torch.bmm(h, self.weight) + x[0])
        return self.head(h)


def gradients(make: type[nn.Module], device: str, passes: str, dtype: torch.dtype) -> list[torch.Tensor]:
    torch.manual_seed(0)
    model = make().to(dtype)
    x = torch.randn(TIMES, 2, 24, dtype=dtype)
    model.to(device)
    with lazymlir.config(passes=passes):
        model(x.to(device)).square().sum().backward()
        return [p.grad.cpu() for p in model.parameters() if p.grad is not None]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
@pytest.mark.parametrize("make", [Cells, Shared])
def test_gradients_are_those_of_contractions_apart(counts, make, dtype):
    merged = gradients(make, DEVICE, MERGED, dtype)
    assert counts["ContractionsMerged"] == (2 if make is Cells else 1) * TIMES
    for one, other, eager in zip(merged, gradients(make, DEVICE, APART, dtype), gradients(make, "cpu", "", dtype), strict=True):
        torch.testing.assert_close(one, eager)
        torch.testing.assert_close(one, other)
    assert counts.fallbacks == 0


def test_micro_batches_that_are_accumulated(counts):
    """The gradient that was there before is added to, by contractions of integers too, which come out exactly."""
    torch.manual_seed(0)
    w, grad = torch.randint(-9, 9, (32, 32)), torch.randint(-9, 9, (32, 32))
    xs = torch.randint(-9, 9, (TIMES, 4, 32))

    def accumulate(device: str) -> torch.Tensor:
        total, weight = grad.to(device), w.to(device)
        for x in xs.to(device):
            total = total + x.T @ (x @ weight)
        return total.cpu()

    with lazymlir.config(passes=MERGED):
        assert torch.equal(accumulate(DEVICE), accumulate("cpu"))
    assert counts["ContractionsMerged"] == TIMES


def nested(device: str, seed: int) -> list[torch.Tensor]:
    """Sums that are terms of other sums, and operands of their terms, and are read beside that."""
    generator = torch.Generator().manual_seed(seed)
    pool = [torch.randn(8, 32, generator=generator).to(device) for _ in range(2)]
    rows = [torch.randn(1, 8, generator=generator).to(device) for _ in range(40)]
    columns = [torch.randn(1, 32, generator=generator).to(device) for _ in range(40)]
    pick = iter(torch.randint(0, 10, (400,), generator=generator).tolist())
    found = []
    for _ in range(6):
        total = pool[next(pick) % len(pool)] if next(pick) % 3 == 0 else None
        for _ in range(3 + next(pick)):
            row, column = rows[next(pick) * 4], columns[next(pick) * 4]
            term = row.T @ column if next(pick) else row.T @ (pool[next(pick) % len(pool)][:1] + column)
            total = term if total is None else total + term
            if next(pick) == 0:
                found.append(total.tanh())
        assert total is not None
        pool.append(total / 8)
    return [*found, *pool]


@pytest.mark.parametrize("seed", range(12))
def test_sums_of_sums(counts, seed):
    with lazymlir.config(passes=MERGED):
        found = [value.cpu() for value in nested(DEVICE, seed)]
    assert counts["ContractionsMerged"] > 0
    for one, other in zip(found, nested("cpu", seed), strict=True):
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-4)  # sums of up to 60 products in another order


def test_what_is_merged_is_told(caplog):
    x, w = torch.randn(5, 2, 48).to(DEVICE), torch.randn(48, 48).to(DEVICE)
    with lazymlir.config(logs="passes", reroll="off"), caplog.at_level("INFO", "lazymlir.passes"):
        sum(x[place].T @ (x[place] @ w) for place in range(5)).cpu()
    assert any("test_merged_sums.py" in message and "5 contractions to tensor<48x48xf32>" in message for message in caplog.messages)
