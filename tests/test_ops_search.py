"""Searching among NaN, resizing bytes, normalized weights: what a tester found."""

from __future__ import annotations

from typing import Any

import pytest
import torch
import torch.nn.functional as F
from conftest import DEVICE, Counts
from ops_support import Case, check
from torch.nn.utils.parametrizations import weight_norm

NAN = float("nan")
SEQUENCES = ([1, 2, 3, NAN], [1, 2, NAN, NAN], [1, 2, 3], [5.0], [], [1, 1, 1, 2, 2, 7, 9, 9])


def test_searching() -> None:
    sought = torch.tensor([0, 1, 2, 2.5, 9, NAN])
    check(
        Case(
            f"{sequence} {right}", lambda s, v, right=right: (torch.searchsorted(s, v, right=right), torch.bucketize(v, s, right=right)), (s, sought)
        )
        for sequence in SEQUENCES
        for right in (False, True)
        for s in (torch.tensor(sequence, dtype=torch.float32),)
    )
    rows = torch.tensor([[1.0, 2, 3, 4], [0, 0, NAN, NAN]])
    check([Case("rows", torch.searchsorted, (rows, torch.tensor([[0.5, 4], [0, 9]])))])


@pytest.mark.filterwarnings("ignore")
def test_bytes_are_resized_as_torch_does(counts: Counts) -> None:
    image = (torch.arange(24).reshape(1, 2, 3, 4) * 11 % 251).byte()
    for corners in (False, True):
        expected, got = (F.interpolate(x, size=(5, 7), mode="bilinear", align_corners=corners) for x in (image, image.to(DEVICE)))
        assert got.tolist() == expected.tolist()
    assert counts.fallbacks == 2


def test_normalized_weights() -> None:
    def run(weight: torch.Tensor, length: torch.Tensor, dim: int) -> Any:
        return torch._weight_norm(weight, length, dim)

    numbers = torch.linspace(-2, 3, 24).reshape(4, 3, 2)
    cases = [
        Case(f"{dim}", lambda w, g, dim=dim: run(w, g, dim), (numbers, numbers.norm(dim=tuple({0, 1, 2} - {dim}), keepdim=True))) for dim in (0, 2)
    ]
    check(cases, gradients=True)


def test_a_module_with_normalized_weights_falls_back_nowhere(counts: Counts) -> None:
    module = weight_norm(torch.nn.Linear(4, 3)).to(DEVICE)
    module(torch.ones(2, 4, device=DEVICE)).sum().backward()
    assert all(parameter.grad is not None for parameter in module.parameters())
    assert counts.fallbacks == 0
