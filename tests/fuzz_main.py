"""`make fuzz N=5000`: so many random programs with fresh seeds, on the CPU and on the device."""

from __future__ import annotations

import argparse
import os
import random
import sys
import time

os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_backend_optimization_level=0"

import hypothesis
from fuzz_generate import programs
from fuzz_program import Program, difference
from hypothesis import HealthCheck, Phase, given, settings

BATCH = 100
"""Programs of one seed."""


class Tally:
    """What ran so far."""

    def __init__(self) -> None:
        self.programs = 0
        self.operations = 0
        self.raised = 0
        self.differences = 0


def run_batch(seed: int, count: int, tally: Tally, shrink: bool) -> str:
    """Runs the programs of a seed; the report of a smallest one that differs, or nothing."""

    @hypothesis.seed(seed)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much, HealthCheck.large_base_example],  # type: ignore[arg-type]
        phases=[Phase.generate, Phase.shrink] if shrink else [Phase.generate],
        print_blob=False,
        report_multiple_bugs=False,
    )
    @given(programs())
    def check(program: Program) -> None:
        found = difference(program)
        tally.programs += 1
        tally.operations += len(program.statements)
        tally.raised += len(program.raised)
        if found and not shrink:
            tally.differences += 1
            print(f"--- {found}\n{program!r}", flush=True)
        else:
            assert not found, f"{found}\n{program!r}"

    try:
        check()
    except AssertionError as error:
        return str(error)
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=1000, help="how many programs")
    parser.add_argument("--seed", type=int, default=None, help="of the first batch; the next has one more")
    parser.add_argument("--no-shrink", action="store_true", help="print failing programs as they are")
    options = parser.parse_args()
    seed = random.SystemRandom().randrange(10**9) if options.seed is None else options.seed
    print(f"{options.count} programs from seed {seed}", flush=True)
    tally, started = Tally(), time.perf_counter()
    while tally.programs < options.count:
        report = run_batch(seed, min(BATCH, options.count - tally.programs), tally, not options.no_shrink)
        if report:
            tally.differences += 1
            print(f"--- seed {seed} differs:\n{report}", flush=True)
        print(f"seed {seed}: {_summary(tally, started)}", flush=True)
        seed += 1
    return 1 if tally.differences else 0


def _summary(tally: Tally, started: float) -> str:
    seconds = time.perf_counter() - started
    return (
        f"{tally.programs} programs, {tally.operations} operations ({tally.raised} of them refused by both), "
        f"{tally.differences} differences, {seconds:.0f} s, {tally.operations / seconds:.0f} operations a second"
    )


if __name__ == "__main__":
    sys.exit(main())
