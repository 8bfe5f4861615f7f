"""The page docs/ops.md: which of PyTorch's operations the device has, and what PyTorch's own database of them found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

__all__ = ["coverage_page"]

RESULT = Path(__file__).resolve().parents[2] / "tests" / "opinfo_coverage.json"
"""What tests/opinfo_main.py found last."""

_HEAD = """\
# Operations

Made by `python -m lazymlir.tools.ops --operations --write` from the importers, torch's dispatcher and the last run over
PyTorch's operator database (`make opinfo`); do not edit.

*Native* operations are recorded and become part of the program; their in-place and `out=` forms come with them. *Composed*
ones torch makes of others. The rest *falls back*: it runs on the CPU, counted as `aten::<operation>` and warned of once per
line. Overloads stand in brackets where not all of an operation's are meant.
"""


def coverage_page() -> str:
    """The page for the torch that is installed."""
    from lazymlir.frontend_torch.inventory import native_operations, other_operations, release

    native = native_operations()
    composed, rest = other_operations()
    return "\n".join(
        [
            _HEAD,
            *_database(),
            f"## Native\n\n{sum(len(names) for names in native.values())} operations, by family.\n",
            *(f"### {family}\n\n{_listed(names)}\n" for family, names in sorted(native.items())),
            f"## Composed\n\n{len(composed)} operations of torch {release()}.\n\n{_listed(composed)}\n",
            f"## Falling back\n\n{len(rest)} operations of torch {release()}; most of them are for other devices or layouts.\n\n{_listed(rest)}\n",
        ]
    )


def _listed(operations: dict[str, list[str]]) -> str:
    return ", ".join(_operation(name, overloads) for name, overloads in sorted(operations.items()))


def _operation(name: str, overloads: list[str]) -> str:
    named = [overload for overload in overloads if overload != "default"]
    return f"`{name}`" + (f" ({', '.join(named)})" if named else "")


def _database() -> list[str]:
    """What the operator database's entries do that is not native, in float32."""
    found: dict[str, Any] = json.loads(RESULT.read_text())
    rows: list[dict[str, Any]] = found["not native"]
    wrong = ", ".join(f"`{entry}`" for entry in found["wrong"])
    lines = [
        "## PyTorch's operator database\n",
        f"{f'Wrong are {wrong}.' if wrong else 'Every entry is right.'} Native are, of its float32 entries:\n",
    ]
    for variant, count in found["entries"].items():
        native = count - sum(row["variant"] == variant for row in rows)
        lines.append(f"- {variant}: {native} of {count} ({native / max(count, 1):.1%})")
    by_entry: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        by_entry.setdefault(row["entry"], []).append(row)
    lines += ["\nNot native are:\n", "| entry | forms | why |", "| --- | --- | --- |"]
    for entry, group in sorted(by_entry.items()):
        on_cpu = sorted({name.removeprefix("aten::") for row in group for name in row["on the CPU"]})
        why = [f"runs {', '.join(f'`{name}`' for name in on_cpu)} on the CPU"] if on_cpu else []
        why += ["reads values on the host"] if any(row["reads"] for row in group) else []
        lines.append(f"| `{entry}` | {', '.join(row['variant'] for row in group)} | {' and '.join(why)} |")
    return [*lines, ""]
