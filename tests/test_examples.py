"""Every example runs as a user would run it, and does not fall back."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"

# example: arguments that keep it short, and what its output must show
RUNS = {
    "digits_cnn.py": ([], ("accuracy on the held-out fifth: 9", "graphs compiled", "fallbacks                              0")),
    "text_mlm.py": (["--steps", "20"], ("last loss",)),
    "eager_script.py": ([], ("caught: after", "caught: mat1 and mat2", "root: ")),
    "paper_figures.py": ([], ("Figure 3", "permute(%5), dims=[2,0,1], ROOT=0", "digraph lazy")),
    "custom_pass.py": ([], ("lazy.rsqrt",)),
}


@pytest.mark.parametrize("example", RUNS)
def test_example(example):
    arguments, expected = RUNS[example]
    command = [sys.executable, str(EXAMPLES / example), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=EXAMPLES.parent, env=_environment())
    assert done.returncode == 0, done.stderr
    for text in expected:
        assert text in done.stdout, done.stdout


def _environment() -> dict[str, str]:
    return {**os.environ, "LAZYMLIR_FALLBACK": "error", "PYTHONPATH": str(EXAMPLES.parent)}


def test_every_example_is_run():
    assert {path.name for path in EXAMPLES.glob("*.py")} - {"__init__.py"} == set(RUNS)
