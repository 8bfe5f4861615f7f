"""Training for long keeps neither buffers nor memory; a trace that is never cut by the user is cut, without recursion."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

MEASURE = """
import gc, sys
from pathlib import Path
import torch, lazymlir
from torch import nn
from lazymlir.core.engine import engine
from lazymlir.core.values import Value

def resident():
    (line,) = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmRSS")]
    return int(line.split()[1])

def live():
    gc.collect()
    return len({id(x.array) for x in gc.get_objects() if isinstance(x, Value) and x.array is not None})
"""

LSTM = """
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm, self.head = nn.LSTM(8, 16), nn.Linear(16, 4)
    def forward(self, x):
        return self.head(self.lstm(x)[0][-1])

model = Model().to("lazymlir")
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

def step():
    x, y = torch.randn(6, 4, 8).to("lazymlir"), torch.randint(0, 4, (4,)).to("lazymlir")
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return loss
"""

DIGITS = """
sys.path.insert(0, "examples")
from digits_cnn import make_model

model = make_model().to("lazymlir")
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)

def step():
    x, y = torch.rand(2, 1, 8, 8).to("lazymlir"), torch.randint(0, 10, (2,)).to("lazymlir")
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return loss.detach()
"""

TRAINING = """
steps = 500
buffers, memory = {}, {}
for number in range(1, steps + 1):
    loss = step()
    if number % 10 == 0:
        loss.item()
    if number in (4, 100, 300, steps):
        del loss
        lazymlir.sync(wait=True)
        buffers[number] = live()
    if number in (100, 300, steps):
        memory[number] = resident()
print("buffers", sorted(set(buffers.values())), buffers)
print("memory", max(memory.values()) / memory[100], memory)
assert min(buffers.values()) > 0
assert len(set(buffers.values())) == 1, buffers
assert max(memory.values()) <= 1.02 * memory[100], memory
"""

ENDLESS = """
sys.setrecursionlimit(400)
x, w = torch.rand(4).to("lazymlir"), torch.rand(4).to("lazymlir")
longest, memory = 0, {}
for number in range(1, 33_335):
    x = (x * w + 0.5).tanh()
    longest = max(longest, len(engine.trace.records))
    if number in (12_000, 33_334):
        memory[number] = resident()
assert longest <= 2 * lazymlir.config.max_trace, longest
assert torch.isfinite(x.cpu()).all()
print("longest", longest, "memory", memory)
assert memory[33_334] <= 1.05 * memory[12_000], memory
"""


def run(*parts: str) -> str:
    """Runs a program in a process of its own, where no other test's programs are cached; what it printed."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", "\n".join((MEASURE, *parts))], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
    return done.stdout


@pytest.mark.parametrize("model", [LSTM, DIGITS], ids=["lstm", "digits"])
def test_500_steps_of_training_keep_nothing(model: str) -> None:
    print(run(model, TRAINING))


def test_100_000_operations_without_a_barrier_neither_recurse_nor_grow() -> None:
    print(run(ENDLESS))
