"""A few of the models of model_zoo.py; `make models` compares them all."""

from __future__ import annotations

import pytest
from model_zoo import compare_generation, compare_step


@pytest.mark.parametrize("name", ["bert", "llama", "mixtral", "whisper", "convnext"])
def test_a_training_step(name: str) -> None:
    compare_step(name)


def test_greedy_generation() -> None:
    compare_generation("gpt2", tokens=4)
