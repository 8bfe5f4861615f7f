"""Training steps on XLA:CPU beside `jax.jit` and torch eager, with malloc's settings and without: python -m benchmarks.cpu_steps

Each figure is of a process of its own; those of a row take turns, and the best of all their steps counts. Loops are not re-rolled.
In the columns "kept" both sides keep memory between steps (LAZYMLIR_CPU_MALLOC=1, or the same settings).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.workloads.lstm import _Lstm
from benchmarks.workloads.mlp import _Mlp
from benchmarks.workloads.resnet import _ResNet
from benchmarks.workloads.training import prepare
from benchmarks.workloads.transformer import _Encoder

STEPS = 9


@dataclass(frozen=True)
class _Cells(_Lstm):
    """An LSTM cell that Python calls once a place, in both languages."""

    layers: int = 1

    def torch_model(self) -> Any:
        import torch

        class Unrolled(torch.nn.Module):
            def __init__(self, width: int) -> None:
                super().__init__()
                self.cell, self.head = torch.nn.LSTMCell(width, width), torch.nn.Linear(width, 10)

            def forward(self, x: Any) -> Any:
                h = c = torch.zeros(x.shape[0], x.shape[2], device=x.device)
                for place in range(x.shape[1]):
                    h, c = self.cell(x[:, place], (h, c))
                return self.head(h)

        return Unrolled(self.width)

    def jax_step(self, model: Any, x: Any, y: Any) -> Callable[[], Any]:
        import jax
        import jax.numpy as jnp

        from benchmarks.workloads.in_jax import adam, as_jax, cross_entropy, linear, trained

        parameters = {name: as_jax(parameter) for name, parameter in model.named_parameters()}

        def loss_of(p: Any, x: jax.Array, y: jax.Array) -> jax.Array:
            h = c = jnp.zeros((x.shape[0], self.width), x.dtype)
            for place in range(self.places):
                gates = x[:, place] @ p["cell.weight_ih"].T + p["cell.bias_ih"] + h @ p["cell.weight_hh"].T + p["cell.bias_hh"]
                i, f, g, o = jnp.split(gates, 4, -1)
                c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
                h = jax.nn.sigmoid(o) * jnp.tanh(c)
            return cross_entropy(linear(h, p, "head"), y)

        return trained(loss_of, adam(self.rate), parameters, as_jax(x), as_jax(y))


ROWS: dict[str, tuple[Any, int, str]] = {
    "transformer L=4": (_Encoder(), 1, "lazymlir"),
    "transformer L=12": (_Encoder(layers=12), 1, "lazymlir"),
    "transformer L=24": (_Encoder(layers=24), 1, "lazymlir"),
    "ResNet-18, NCHW in both": (_ResNet(layout="NCHW"), 1, "lazymlir"),
    "ResNet-18, jax in NHWC": (_ResNet(), 1, "lazymlir"),
    "LSTM cell unrolled, T64 b32 h256": (_Cells(width=256, places=64, batch=32), 1, "lazymlir"),
    "MLP 64x(784,256,256,10), steady": (_Mlp(widths=(784, 256, 256, 10)), 20, "steady"),
    "MLP 64x(784,256,256,10)": (_Mlp(widths=(784, 256, 256, 10)), 20, "lazymlir"),
    "MLP 256x1024^4, steady": (_Mlp(widths=(1024, 1024, 1024, 1024, 10), batch=256), 3, "steady"),
    "GPT-2's shape: L=12 d768 T128 b2": (_Encoder(layers=12, width=768, heads=12, batch=2), 1, "lazymlir"),
}
"""By name: what is trained, how many steps are timed as one, and lazymlir's column."""


def work(name: str, column: str) -> None:
    """Prints the best step and the first one, in seconds."""
    import lazymlir  # noqa: F401  (reads LAZYMLIR_CPU_MALLOC, whatever is timed)

    task, group, _ = ROWS[name]
    prepared = prepare(column, task, tiny=False, group=group, warm_steps=5)
    samples = [seconds for _ in range(STEPS) if isinstance(seconds := prepared.sample(), float)]
    print(json.dumps({"best": min(samples), "first": prepared.facts["first_step"]}))


def measure(name: str, rounds: int) -> None:
    """Prints a row."""
    found: dict[tuple[str, str], list[dict[str, float]]] = {}
    columns = (ROWS[name][2], "jax", "eager")
    for _ in range(rounds):
        for kept in "01":
            for column in columns:
                command = [sys.executable, "-m", "benchmarks.cpu_steps", "--work", name, column]
                environment = {**os.environ, "LAZYMLIR_CPU_MALLOC": kept, "LAZYMLIR_REROLL": "off", "LAZYMLIR_MAX_TRACE": "100000"}
                done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[1])
                found.setdefault((column, kept), []).append(json.loads(done.stdout.splitlines()[-1]))
    best = {key: min(made["best"] for made in all_made) for key, all_made in found.items()}
    first = {key: min(made["first"] for made in all_made) for key, all_made in found.items()}
    lazy = columns[0]
    ratios = [
        best[lazy, "0"] / best["jax", "0"],
        best[lazy, "1"] / best["jax", "1"],
        best[lazy, "1"] / best["jax", "0"],
        best[lazy, "0"] / best["eager", "0"],
        best[lazy, "1"] / best["eager", "1"],
        first[lazy, "0"] / first["jax", "0"],
    ]
    times = [best[key] * 1e3 for key in ((lazy, "0"), (lazy, "1"), ("jax", "0"), ("jax", "1"), ("eager", "0"))]
    cells = [*(f"{ratio:.2f}" for ratio in ratios), *(f"{time:.2f}" for time in times), f"{first[lazy, '0']:.1f}", f"{first['jax', '0']:.1f}"]
    print(f"| {name} | {' | '.join(cells)} |", flush=True)


HEAD = (
    "| a training step | / jax | / jax, both kept | kept / jax | / eager | both kept | first step / jax's "
    "| lazymlir, ms | kept | jax | kept | eager | lazymlir's first step, s | jax's |"
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cpu_steps", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=ROWS, default=list(ROWS), metavar="ROW", help="some rows")
    parser.add_argument("--rounds", type=int, default=3, help="processes for each figure")
    parser.add_argument("--work", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.work:
        work(*arguments.work)
        return
    print(f"{HEAD}\n| --- |{' ---: |' * 13}", flush=True)
    for name in arguments.only:
        measure(name, arguments.rounds)


if __name__ == "__main__":
    main()
