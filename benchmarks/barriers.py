"""Does a program without barriers cost more than the same with a barrier after each iteration?

    python benchmarks/barriers.py

Two programs without optimizer or reads: a loop of 1,000 iterations of a 300-operation body, and a forward pass of about
1,000 operations over 200 batches. Each runs both ways, in processes of their own that alternate; the ratio of the best
times, compilation included, and the number of compilations are printed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time


def small_body(explicit: bool, iterations: int) -> None:
    import torch

    import lazymlir

    x, w = torch.randn(64, 64).to("lazymlir"), torch.randn(64, 64).to("lazymlir")
    for _ in range(iterations):
        for _ in range(100):
            x = (x * w + 0.5).tanh()
        if explicit:
            lazymlir.sync()
    x.cpu()


def forward_pass(explicit: bool, batches: int) -> None:
    import torch
    from torch import nn

    import lazymlir

    torch.manual_seed(0)
    blocks = [nn.Sequential(nn.Linear(32, 32), nn.LayerNorm(32), nn.GELU()) for _ in range(160)]
    model = nn.Sequential(*blocks).to("lazymlir").eval()
    total = torch.zeros(32, device="lazymlir")
    with torch.no_grad():
        for _ in range(batches):
            total += model(torch.randn(16, 32).to("lazymlir")).sum(0)
            if explicit:
                lazymlir.sync()
    total.cpu()


PROGRAMS = {"300-operation body, 1,000 iterations": (small_body, 1000), "forward pass, 200 batches": (forward_pass, 200)}


def run_one(name: str, explicit: bool) -> dict[str, float]:
    import lazymlir

    program, count = PROGRAMS[name]
    program(explicit, 0)
    before = lazymlir.metrics.counter_value("UncachedCompile") or 0
    started = time.perf_counter()
    program(explicit, count)
    return {"seconds": time.perf_counter() - started, "compiled": (lazymlir.metrics.counter_value("UncachedCompile") or 0) - before}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--one", nargs=2, metavar=("PROGRAM", "EXPLICIT"), help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        print(json.dumps(run_one(args.one[0], args.one[1] == "True")))
        return
    for name in PROGRAMS:
        results: dict[bool, list[dict[str, float]]] = {False: [], True: []}
        for _ in range(args.rounds):
            for explicit in (False, True):
                command = [sys.executable, __file__, "--one", name, str(explicit)]
                done = subprocess.run(command, capture_output=True, text=True, check=True)
                results[explicit].append(json.loads(done.stdout.splitlines()[-1]))
        best = {explicit: min(runs, key=lambda run: run["seconds"]) for explicit, runs in results.items()}
        print(
            f"{name}: without barriers {best[False]['seconds']:.2f} s and {best[False]['compiled']:.0f} compilations, "
            f"with barriers {best[True]['seconds']:.2f} s and {best[True]['compiled']:.0f}: "
            f"ratio {best[False]['seconds'] / best[True]['seconds']:.2f}"
        )


if __name__ == "__main__":
    main()
