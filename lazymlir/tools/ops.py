"""Makes the pages of docs/ that follow from declarations: `python -m lazymlir.tools.ops --dialect --write`.

Without `--write` the page is printed. A test fails while a page differs from what this makes.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from pathlib import Path

from lazymlir.dialect import OPS, OpDef

from .coverage import coverage_page

__all__ = ["DOCS", "PAGES", "dialect_page", "main"]

DOCS = Path(__file__).resolve().parents[2] / "docs"

FAMILIES = {
    "leaf": "Leaves",
    "elementwise": "Elementwise",
    "special": "Special functions",
    "reduce": "Reductions and scans",
    "shape": "Shape and views",
    "view": "Writing through views",
    "contract": "Contractions, convolutions and windows",
    "fourier": "Fourier transforms",
    "index": "Computed places and sorting",
    "linalg": "Linear algebra",
    "path": "Sums over paths",
    "random": "Random numbers",
    "check": "Checks",
}
"""The families of operations (modules of dialect/) in the order of the page, and their headings."""

_INTRODUCTION = """\
# The `lazy` dialect

Made by `python -m lazymlir.tools.ops --dialect --write` from the declarations in `dialect/`; do not edit.

Values are tensors of static shape. An operation reads its operands and makes results; nothing changes in place.
Broadcasting and type promotion are operations of their own. `xs...` takes any number of operands. Groups say what
passes may assume: a *pointwise* operation works element by element, a *view* moves elements without computing, and so on.
"""


def dialect_page() -> str:
    """The reference of all operations, by family."""
    by_family = sorted(OPS.values(), key=lambda definition: list(FAMILIES).index(definition.family))
    sections = [_section(family, list(definitions)) for family, definitions in groupby(by_family, lambda definition: definition.family)]
    return "\n".join([_INTRODUCTION, f"{len(OPS)} operations.\n", *sections])


def _section(family: str, definitions: Sequence[OpDef]) -> str:
    rows = [_row(definition) for definition in sorted(definitions, key=lambda definition: definition.name)]
    return "\n".join([f"## {FAMILIES[family]}\n", _table(("operation", "operands", "attributes", "meaning", "groups"), rows), ""])


def _row(definition: OpDef) -> tuple[str, ...]:
    operands = ", ".join(f"`{name[1:]}...`" if name.startswith("*") else f"`{name}`" for name in definition.operands)
    attributes = ", ".join(f"`{name}`: {kind.spelling}" for name, kind in definition.attributes.items())
    several = f" Results: {', '.join(f'`{name}`' for name in definition.results)}." if len(definition.results) > 1 else ""
    return f"`lazy.{definition.name}`", operands, attributes, " ".join(definition.summary.split()) + several, ", ".join(sorted(definition.groups))


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", r"\|") for cell in line) + " |" for line in lines)


PAGES: dict[str, tuple[str, Callable[[], str]]] = {
    "dialect": ("dialect.md", dialect_page),
    "operations": ("ops.md", coverage_page),
}
"""Option to file in docs/ and what makes it. A new page is one more entry."""


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m lazymlir.tools.ops", description="Makes pages of docs/ from declarations.")
    for option, (file, _) in PAGES.items():
        parser.add_argument(f"--{option}", action="append_const", dest="pages", const=option, help=f"the page docs/{file}")
    parser.add_argument("--write", action="store_true", help="write the page instead of printing it")
    arguments = parser.parse_args(argv)
    if not arguments.pages:
        parser.error(f"which page? {' or '.join(f'--{option}' for option in PAGES)}")
    for option in arguments.pages:
        file, make = PAGES[option]
        if arguments.write:
            (DOCS / file).write_text(make(), encoding="utf-8")
        else:
            sys.stdout.write(make())
    return 0


if __name__ == "__main__":
    sys.exit(main())
