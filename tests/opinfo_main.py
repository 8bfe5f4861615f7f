"""`make opinfo`: PyTorch's operator database, every entry, on the device against the CPU. Resumable.

Each line of the report is an entry's variant in a dtype, as JSON; those that stand there already are not run again.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import defaultdict
from dataclasses import asdict
from pathlib import Path

os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_backend_optimization_level=0"

import opinfo_coverage
import torch
from opinfo_run import VARIANTS, Outcome, entry_name, run_entry
from opinfo_skips import SKIPPED
from torch.testing._internal.common_methods_invocations import op_db

FEW = 5
"""Samples of an entry where not all are run."""


def limit_of(dtype: torch.dtype, variant: str) -> int | None:
    return None if dtype == torch.float32 and variant == "forward" else FEW


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dtype", nargs="*", default=["float32"])
    parser.add_argument("--variant", nargs="*", default=list(VARIANTS), choices=VARIANTS)
    parser.add_argument("--entry", nargs="*", help="these entries only")
    parser.add_argument("--report", type=Path, nargs="*", default=[], help="a file to go on with; others are read too")
    parser.add_argument("--limit", type=int, help="samples of each entry")
    parser.add_argument("--runs", type=int, default=1, help="of each sample: the last is compared, which is predicted if it is the fourth")
    parser.add_argument("--part", default="0/1", help="of so many: entries i, i + n, ...")
    parser.add_argument("--keep", action="store_true", help="write what was found for the tests and the coverage page")
    parser.add_argument("--quiet", action="store_true", help="print the summary only")
    options = parser.parse_args()
    outcomes = [outcome for report in options.report for outcome in _read(report)]
    done = {(outcome.entry, outcome.dtype, outcome.variant) for outcome in outcomes}
    place, parts = map(int, options.part.split("/"))
    for number, op in enumerate(op_db):
        name = entry_name(op)
        if number % parts != place or (options.entry and name not in options.entry and op.name not in options.entry):
            continue
        for dtype in (getattr(torch, text) for text in options.dtype):
            if dtype not in op.supported_dtypes("cpu"):
                continue
            for variant in options.variant:
                if (name, str(dtype)[6:], variant) in done:
                    continue
                started = time.perf_counter()
                outcome = run_entry(op, dtype, variant, options.limit or limit_of(dtype, variant), options.runs)
                if outcome is None:
                    continue
                outcomes.append(outcome)
                if options.report:
                    with options.report[0].open("a") as file:
                        file.write(json.dumps(asdict(outcome)) + "\n")
                if not options.quiet:
                    print(_line(outcome), f"{time.perf_counter() - started:.1f} s", flush=True)
    if options.keep:
        opinfo_coverage.write(outcomes)
    return _summarize(outcomes)


def _read(report: Path) -> list[Outcome]:
    if not report.exists():
        return []
    return [Outcome(**json.loads(line)) for line in report.read_text().splitlines()]


def _line(outcome: Outcome) -> str:
    how = "native" if outcome.native else "fails" if outcome.failures else "falls back"
    words = [outcome.entry, outcome.dtype, outcome.variant, how, f"({outcome.samples} samples)", *outcome.fallbacks]
    words += [f"{outcome.reads} reads"] if outcome.reads and not outcome.fallbacks else []
    return " ".join(words) + "".join(f"\n    {failure[:400]}" for failure in outcome.failures[:3])


def _summarize(outcomes: list[Outcome]) -> int:
    """By dtype and variant; the exit status says whether all are right, and whether a skipped one is."""
    groups: dict[tuple[str, str], list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        groups[outcome.dtype, outcome.variant].append(outcome)
    bad = 0
    for (dtype, variant), group in sorted(groups.items()):
        counted = [outcome for outcome in group if outcome.entry not in SKIPPED]
        wrong = [outcome for outcome in counted if outcome.failures]
        passing = [outcome.entry for outcome in group if outcome.entry in SKIPPED and not outcome.failures and variant == "forward"]
        native = sum(outcome.native for outcome in counted)
        samples = sum(outcome.samples for outcome in counted)
        share = f"{native} native ({native / max(len(counted), 1):.1%})"
        print(f"{dtype} {variant}: {len(counted)} entries, {samples} samples, {len(counted) - len(wrong)} right, {share}")
        if passing:
            print(f"  skipped, but right: {', '.join(passing)}")
        bad += len(wrong) + len(passing)
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
