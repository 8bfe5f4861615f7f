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


def test_what_is_merged_is_told(caplog):
    x, w = torch.randn(5, 2, 48).to(DEVICE), torch.randn(48, 48).to(DEVICE)
    with lazymlir.config(logs="passes", reroll="off"), caplog.at_level("INFO", "lazymlir.passes"):
        sum(x[place].T @ (x[place] @ w) for place in range(5)).cpu()
    assert any("test_merged_sums.py" in message and "5 contractions to tensor<48x48xf32>" in message for message in caplog.messages)
