"""What the last full run over PyTorch's operator database found (opinfo_coverage.json, which opinfo_main.py writes): the
entries that are not native, with what they run on the CPU and how often they read; and how many there are."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from opinfo_skips import SKIPPED

__all__ = ["FILE", "not_native", "write"]

FILE = Path(__file__).with_suffix(".json")


def not_native() -> dict[tuple[str, str], dict[str, Any]]:
    """By entry and variant, in float32."""
    return {(row["entry"], row["variant"]): row for row in json.loads(FILE.read_text())["not native"]}


def write(outcomes: Sequence[Any]) -> None:
    """Keeps what float32 outcomes say, for the tests and the coverage page."""
    counted = [outcome for outcome in outcomes if outcome.dtype == "float32" and outcome.variant != "errors" and outcome.entry not in SKIPPED]
    rows = [
        {"entry": outcome.entry, "variant": outcome.variant, "on the CPU": outcome.fallbacks, "reads": outcome.reads > 0 and not outcome.fallbacks}
        for outcome in sorted(counted, key=lambda outcome: (outcome.entry, outcome.variant))
        if not outcome.native and not outcome.failures
    ]
    totals = {variant: sum(outcome.variant == variant for outcome in counted) for variant in ("forward", "backward", "inplace", "out")}
    wrong = sorted({outcome.entry for outcome in counted if outcome.failures})
    FILE.write_text(json.dumps({"entries": totals, "wrong": wrong, "not native": rows}, indent=1) + "\n")
