"""What the tests share: counting, and a clean start."""

from __future__ import annotations

import os

import pytest
import torch

os.environ.setdefault("LAZYMLIR_VERIFY", "1")  # each pass of each test; before the flags are read

import lazymlir
from lazymlir import metrics

DEVICE = "lazymlir"


class Counts:
    """How often something was counted since this object was made."""

    def __init__(self) -> None:
        self._before = {name: metrics.counter_value(name) for name in metrics.counter_names()}

    def __getitem__(self, name: str) -> int:
        return (metrics.counter_value(name) or 0) - (self._before.get(name) or 0)

    @property
    def compiled(self) -> int:
        return self["UncachedCompile"]

    @property
    def fallbacks(self) -> int:
        return sum(self[name] for name in metrics.executed_fallback_ops())


@pytest.fixture
def counts() -> Counts:
    """Counts from the start of the test, with nothing pending before."""
    lazymlir.sync(wait=True)
    return Counts()


@pytest.fixture(autouse=True)
def _seed() -> None:
    torch.manual_seed(0)
