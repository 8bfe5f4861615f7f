"""Barriers for XLA:CPU: they are placed where chains would be computed again, and no result changes by more than rounding."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest
import torch
from torch import nn
from torch.nn import functional as F

import lazymlir
from lazymlir.passes import ONLY_ON, STANDARD
from lazymlir.runtime.compiler import standard

DEVICE = "lazymlir"
EVERYWHERE = ",".join(
    {
        "lazy-place-barriers": "lazy-place-barriers{minimum-elements=1 heavy-work=1 shared-work=1}",
        "lazy-order-updates": "lazy-order-updates{minimum-bytes=1}",
    }.get(name, name)
    for name in STANDARD
)
NOWHERE = ",".join(name for name in STANDARD if name not in ONLY_ON)


def encoder() -> nn.Module:
    layer = nn.TransformerEncoderLayer(16, 2, 32, dropout=0.0, activation="gelu", batch_first=True, norm_first=True)
    return nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)


class Residual(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.stem, self.norm = nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8)
        self.inner, self.head = nn.Conv2d(8, 8, 3, padding=1, groups=2), nn.Linear(8, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = F.relu(self.norm(self.stem(x)))
        x = x + F.silu(self.inner(x))
        return self.head(F.max_pool2d(x, 2).mean((2, 3)))


class Recurrent(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.cell = nn.LSTMCell(6, 6)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = c = torch.zeros(x.shape[0], 6, device=x.device)
        for place in range(x.shape[1]):
            h, c = self.cell(x[:, place], (h, c))
        return h


def losses(make: Callable[[], nn.Module], shape: tuple[int, ...], device: str, passes: str = "") -> list[torch.Tensor]:
    torch.manual_seed(0)
    model = make()
    optimizer = torch.optim.SGD(model.to(device).parameters(), lr=1e-2, momentum=0.9)
    x = torch.randn(shape).to(device)
    found = []
    with lazymlir.config(passes=passes):
        for _ in range(4):
            optimizer.zero_grad()
            loss = model(x).square().mean()
            loss.backward()
            optimizer.step()
            found.append(loss.detach())
        return [*(loss.cpu() for loss in found), *(p.detach().cpu() for p in model.parameters())]


@pytest.mark.parametrize(
    ("make", "shape"), [(encoder, (2, 5, 16)), (Residual, (2, 3, 6, 6)), (Recurrent, (3, 4, 6))], ids=["encoder", "residual", "recurrent"]
)
def test_results_are_those_without_barriers(counts, make, shape):
    forced = losses(make, shape, DEVICE, EVERYWHERE)
    assert counts["BarriersPlaced"] > 0
    assert counts["UpdatesOrdered"] > 0 or make is Recurrent  # whose backward pass ends with the gradients of its weights
    for one, other in zip(forced, losses(make, shape, DEVICE, NOWHERE), strict=True):
        torch.testing.assert_close(one, other)
    for one, other in zip(forced[:4], losses(make, shape, "cpu")[:4], strict=True):
        torch.testing.assert_close(one, other)
    assert counts.fallbacks == 0


def test_large_tensors_are_kept_by_default(counts):
    x, w = torch.randn(128, 64).to(DEVICE), torch.randn(64, 64).to(DEVICE)
    h = torch.tanh(x) @ w
    (h.sum() + (torch.erf(h) @ w).sum()).cpu()
    assert counts["BarriersPlaced"] == 2


def test_other_platforms_have_pipelines_without_them():
    assert set(standard("auto", "cpu").split(",")) >= set(ONLY_ON)
    assert not any(name in standard("auto", "cuda") for name in ONLY_ON)


def test_what_is_kept_and_why_is_told(caplog):
    with lazymlir.config(logs="passes"), caplog.at_level("INFO", "lazymlir.passes"):
        (torch.exp(torch.randn(128, 64).to(DEVICE)) @ torch.randn(64, 8).to(DEVICE)).cpu()
    assert any("test_barriers.py" in message and "a contraction or convolution reads it" in message for message in caplog.messages)


# Memory that is kept.


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    import os

    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, **environment}, check=False)


needs_glibc = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the C library of Linux")


@needs_glibc
def test_memory_is_kept_between_steps_where_that_is_asked_for():
    """Minor faults of runs of a program with temporary buffers of 48 MB."""
    code = (
        "import resource, torch, lazymlir\n"
        "w = torch.randn(2048, 2048).to('lazymlir')\n"
        "def step():\n    r = torch.sort(w.sin()).values.sum(); lazymlir.sync(wait=True)\n"
        "for _ in range(8): step()\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt\n"
        "for _ in range(5): step()\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)"
    )
    faults = {asked: int(run(code, LAZYMLIR_CPU_MALLOC=asked).stdout) for asked in ("0", "1")}
    assert faults["1"] < faults["0"] / 2  # the heap may grow once more


@needs_glibc
def test_it_is_told_where_it_comes_too_late():
    code = "import threading, ctypes\nt = threading.Thread(target=lambda: bytearray(1 << 20)); t.start(); t.join()\nimport lazymlir"
    made = run(code, LAZYMLIR_CPU_MALLOC="1", TORCH_DEVICE_BACKEND_AUTOLOAD="0")
    assert "LAZYMLIR_CPU_MALLOC=1 has no effect" in made.stderr
    assert "import lazymlir before the first operation" in made.stderr


def test_it_cannot_be_asked_for_later():
    with pytest.raises(lazymlir.errors.ConfigError, match="is read when lazymlir is imported: set LAZYMLIR_CPU_MALLOC"):
        lazymlir.config.set(cpu_malloc=True)
