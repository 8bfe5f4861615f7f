"""What re-rolling loops does to compile and run times: python -m benchmarks.loops

Each row is measured in a process of its own, rolled (`auto`) and unrolled (`off`) in turns.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

ROUNDS = 7


def recurrence(count: int) -> Callable[[], Any]:
    """s = tanh(s @ W + x)."""
    import torch

    w, x, s = (torch.randn(64, 64).mul(0.1).to("lazymlir") for _ in range(3))

    def step() -> Any:
        state = s
        for _ in range(count):
            state = torch.tanh(state @ w + x)
        return state

    return step


def lstm(places: int) -> Callable[[], Any]:
    """A training step of an LSTM cell that is unrolled over so many places."""
    import torch

    cell = torch.nn.LSTMCell(128, 128).to("lazymlir")
    optimizer, x = torch.optim.Adam(cell.parameters()), torch.randn(places, 16, 128).to("lazymlir")

    def step() -> Any:
        h = c = torch.zeros(16, 128, device="lazymlir")
        for place in range(places):
            h, c = cell(x[place], (h, c))
        loss = h.square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss

    return step


def encoder(layers: int) -> Callable[[], Any]:
    """A training step of a transformer encoder."""
    import torch

    layer = torch.nn.TransformerEncoderLayer(256, 4, 1024, dropout=0.0, batch_first=True)
    model = torch.nn.TransformerEncoder(layer, layers, enable_nested_tensor=False).to("lazymlir")
    optimizer, x = torch.optim.AdamW(model.parameters()), torch.randn(8, 128, 256).to("lazymlir")

    def step() -> Any:
        loss = model(x).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss

    return step


ROWS: dict[str, tuple[Callable[[int], Callable[[], Any]], int]] = {
    **{f"recurrence, {count} iterations": (recurrence, count) for count in (10, 100, 500, 1000)},
    "LSTM over 64 places": (lstm, 64),
    **{f"encoder of {layers} layers": (encoder, layers) for layers in (4, 12, 24)},
}


def compare(name: str) -> None:
    """Prints a row: XLA's seconds for the programs of the first steps, then milliseconds a step."""
    import lazymlir
    from lazymlir import metrics
    from lazymlir.runtime import compiler

    lazymlir.config.set(max_trace=1_000_000)
    make, size = ROWS[name]
    spent: list[float] = []
    compile_ = compiler._compile

    def timed(*args: Any) -> Any:
        started = time.perf_counter()
        made = compile_(*args)
        spent.append(time.perf_counter() - started)
        return made

    compiler._compile = timed
    steps = {mode: make(size) for mode in ("off", "auto")}
    seconds: dict[str, float] = {}
    taken: dict[str, list[float]] = {mode: [] for mode in steps}
    rolled = 0
    for mode, step in steps.items():
        with lazymlir.config(reroll=mode):
            spent.clear()
            metrics.clear_all()
            for _ in range(3):
                kept = step()
                lazymlir.sync(wait=True)
                del kept
            seconds[mode], rolled = sum(spent), metrics.counter_value("IterationsRolled") or 0
    for _ in range(ROUNDS):
        for mode, step in steps.items():
            with lazymlir.config(reroll=mode):
                started = time.perf_counter()
                kept = step()
                lazymlir.sync(wait=True)
                taken[mode].append(time.perf_counter() - started)
                del kept
    best = {mode: min(times) * 1e3 for mode, times in taken.items()}
    ratio = statistics.median(a / b for a, b in zip(taken["auto"], taken["off"], strict=True))
    print(
        f"| {name} | {rolled} | {seconds['off']:.2f} | {seconds['auto']:.2f} | {seconds['auto'] / seconds['off']:.2f} "
        f"| {best['off']:.2f} | {best['auto']:.2f} | {ratio:.2f} |",
        flush=True,
    )


def trip_counts() -> None:
    """Prints what 21 trip counts take, one after the other, beside a loop that is written for them."""
    import jax
    import jax.numpy as jnp
    import torch

    from lazymlir import metrics

    w, x = (torch.randn(64, 64).mul(0.1).to("lazymlir") for _ in range(2))
    (torch.ones(2).to("lazymlir") + 1).cpu()
    started = time.perf_counter()
    for count in range(10, 31):
        s = torch.zeros(64, 64, device="lazymlir")
        for _ in range(count):
            s = torch.tanh(s @ w + x)
        s.cpu()
    taken = time.perf_counter() - started
    weights, offset = jnp.ones((64, 64)) * 0.1, jnp.ones((64, 64))
    jax.jit(lambda x: x + 1)(offset).block_until_ready()
    loop = jax.jit(lambda s, count: jax.lax.fori_loop(0, count, lambda _, s: jnp.tanh(s @ weights + offset), s))
    started = time.perf_counter()
    for count in range(10, 31):
        loop(jnp.zeros((64, 64)), count).block_until_ready()
    by_hand = time.perf_counter() - started
    print(
        f"\n10 to 30 iterations, one after the other: {metrics.counter_value('UncachedCompile')} compilations with that of the preparation, "
        f"{taken:.2f} s; jax.lax.fori_loop {by_hand:.2f} s: {taken / by_hand:.2f}"
    )


def pass_time() -> None:
    """Prints microseconds per operation that the pass takes."""
    import torch

    import lazymlir
    from lazymlir.core.engine import engine
    from lazymlir.core.graph import build
    from lazymlir.mlir import shared_context
    from lazymlir.passes import Pipeline

    lazymlir.config.set(max_trace=1_000_000)
    w, x = (torch.randn(4, 4).to("lazymlir") for _ in range(2))
    print()
    for count in (300, 3000, 16000):
        for what, factor in (("repeating", 1), ("never repeating", 0)):
            lazymlir.sync(wait=True)
            s = x
            for i in range(count):
                s = (s @ w + x).reshape((4, 4) if factor else (4, 2, 2)).reshape(4, 4)
                s = torch.tanh(s) if factor or i % 7 in (0, i % 5, i % 3) else torch.sin(s)
            with engine.inspection() as trace:
                graph = build(trace, [value.index for value in trace.wanted()])
            with shared_context():
                Pipeline.parse("lazy-canonicalize").run(graph.module)
                (function,) = graph.module.body.operations
                operations = sum(1 for _ in function.operation.regions[0].blocks[0].operations)
                started = time.perf_counter()
                Pipeline.parse("lazy-reroll-loops").run(graph.module, verify=False)
                taken = time.perf_counter() - started
            print(f"pass: {operations} operations, {what}: {taken / operations * 1e6:.1f} us each", flush=True)
            del s


def main() -> None:
    if len(sys.argv) > 1:
        {"trip counts": trip_counts, "pass": pass_time}.get(sys.argv[1], lambda: compare(sys.argv[1]))()
        return
    print("| | iterations rolled | XLA, s, unrolled | rolled | ratio | a step, ms, unrolled | rolled | ratio |\n| --- |" + " ---: |" * 7, flush=True)
    for name in (*ROWS, "trip counts", "pass"):
        subprocess.run([sys.executable, "-m", "benchmarks.loops", name], check=True)


if __name__ == "__main__":
    main()
