"""Builds the table of lazymlir beside its peers.

python -m benchmarks                                      everything; docs/benchmarks.md, .json and .svg are written
python -m benchmarks --only record mlp --rounds 5         some parts or workloads; nothing is written but with --json
python -m benchmarks --peers PYTHON                       with an interpreter that has PyTorch/XLA
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .bars import judge
from .columns import COLUMNS
from .harness import CHECKOUT, Results, environment, run
from .table import markdown, to_json
from .workload import Workload
from .workloads import WORKLOADS

QUICK_ROUNDS = 3


def choose(only: Sequence[str]) -> list[Workload]:
    """The workloads of the named kinds, or named themselves; all where none is."""
    known = {*WORKLOADS, *(workload.kind for workload in WORKLOADS.values())}
    unknown = sorted(set(only) - known)
    if unknown:
        raise SystemExit(f"there is no workload {', '.join(unknown)}; there are {', '.join(sorted(known))}")
    return [workload for workload in WORKLOADS.values() if not only or workload.name in only or workload.kind in only]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="parts of the table, or workloads")
    parser.add_argument("--columns", nargs="+", default=list(COLUMNS), choices=list(COLUMNS))
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_ROUNDS} rounds")
    parser.add_argument("--peers", metavar="PYTHON", help="the interpreter that has PyTorch/XLA")
    parser.add_argument("--json", type=Path, metavar="FILE", help="where the numbers go")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="where the table goes, besides the screen")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="where the picture goes")
    parser.add_argument("--no-plot", action="store_true")
    args = parser.parse_args(arguments)
    workloads = choose(args.only)
    if not args.only:
        docs = CHECKOUT / "docs"
        args.json = args.json or docs / "benchmarks.json"
        args.markdown = args.markdown or docs / "benchmarks.md"
        args.plot = args.plot or docs / "benchmarks.svg"
    rounds = QUICK_ROUNDS if args.quick else args.rounds
    about = {"rounds": rounds, **environment(args.peers)}
    page = ""
    for results in run(workloads, args.columns, rounds, args.peers, lambda text: print(text, file=sys.stderr, flush=True)):
        # Written each time, so that a run which is interrupted leaves what it has.
        page = write(args, workloads, results, about)
    print(page)


def write(args: argparse.Namespace, workloads: Sequence[Workload], results: Results, about: dict[str, Any]) -> str:
    """Writes the files that are asked for; returns the table."""
    judged = [bar for bar in judge(results) if bar.measured is not None or not args.only]
    page = markdown(workloads, results, judged, about)
    if args.json:
        args.json.write_text(to_json(workloads, results, judged, about))
    if args.markdown:
        args.markdown.write_text(page + (f"\n![The ratios]({args.plot.name})\n" if args.plot else ""))
    if args.plot and not args.no_plot:
        from .plot import plot

        plot(workloads, results, args.plot)
    return page


if __name__ == "__main__":
    main()
