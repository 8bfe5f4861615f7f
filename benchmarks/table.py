"""The table and the JSON beside it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from .bars import Judged
from .columns import COLUMNS
from .harness import Result, Results
from .workload import Workload

__all__ = ["markdown", "to_json"]

TITLES = {
    "record": ("Recording", "microseconds per operation, no barrier inside; the second part of the ratios is against eager adding two tensors"),
    "trace length": ("Recording, by the length of the trace", "microseconds and bytes in memory per operation"),
    "barrier": ("A barrier whose program is there", "microseconds until `sync()` returns; `client` is what jaxlib takes of it"),
    "step": ("Steps", "milliseconds a step, waited for at the end of a group of steps"),
    "import": ("Import", "seconds"),
}


def markdown(workloads: Sequence[Workload], results: Results, judged: Sequence[Judged], about: dict[str, Any]) -> str:
    """The page: ratios first, then times, then what else was measured, then the bars."""
    kinds = dict.fromkeys(workload.kind for workload in workloads)
    parts = [_about(about)]
    for kind in kinds:
        title, unit = TITLES[kind]
        listed = [workload for workload in workloads if workload.kind == kind]
        parts.append(f"## {title}\n\n{unit[0].upper()}{unit[1:]}.")
        ratios = _ratios(kind, listed, results)
        parts += [ratios] if ratios else []
        parts.append(_times(listed, results))
        parts += _facts(listed, results)
    if judged:
        rows = [[bar.title, bar.shown, f"{bar.sign} {bar.limit:g}", bar.verdict] for bar in judged]
        parts.append("## Bars\n\n" + _table(["", "measured", "bar", ""], rows))
    missing = dict.fromkeys(f"* {COLUMNS[r.column].title}, {r.workload}: {r.missing}" for r in results.values() if r.missing is not None)
    if missing:
        parts.append("## Not measured\n\n" + "\n".join(missing))
    return "\n\n".join(parts) + "\n"


def to_json(workloads: Sequence[Workload], results: Results, judged: Sequence[Judged], about: dict[str, Any]) -> str:
    """Everything that was measured; times are in seconds."""
    listed = []
    for workload in workloads:
        for column in COLUMNS:
            result = results.get((workload.name, column))
            if result is not None:
                listed.append({"workload": workload.name, "kind": workload.kind, "column": column, **_numbers(result)})
    bars = [{"title": bar.title, "measured": bar.measured, "limit": bar.limit, "met": bar.met} for bar in judged]
    return json.dumps({"about": about, "results": listed, "bars": bars}, indent=1) + "\n"


def _numbers(result: Result) -> dict[str, Any]:
    if result.missing is not None:
        return {"missing": result.missing}
    statistics = {name: {"median": result.median(name), "best": result.best(name), "all": values} for name, values in result.samples.items()}
    return {"samples": statistics, "losses": result.losses[:3], "facts": result.facts}


def _about(about: dict[str, Any]) -> str:
    versions = ", ".join(f"{name} {value}" for name, value in about.items() if name not in ("rounds", "cores"))
    return (
        "# Benchmarks\n\n"
        "Made by `make bench`; the numbers are in [benchmarks.json](benchmarks.json).\n"
        f"{about['rounds']} rounds in which the columns take turns, on {about['cores']} cores; {versions}.\n"
        "A ratio is the median of the rounds' ratios, in brackets the ratio of the best; a time is the median, in brackets the best.\n"
        "Ratios below 1 say that lazymlir is faster."
    )


def _shown_columns(workloads: Sequence[Workload], results: Results) -> list[str]:
    return [column for column in COLUMNS if any((w.name, column) in results for w in workloads)]


def _ratios(kind: str, workloads: Sequence[Workload], results: Results) -> str:
    """lazymlir against each other column."""
    rows, heads = [], []
    others = [column for column in _shown_columns(workloads, results) if column not in ("lazymlir", "steady")]
    pairs = [("lazymlir", other, "seconds") for other in others]
    if kind == "record":
        pairs.append(("lazymlir", "eager", "add"))
    if any(result.samples for (_, column), result in results.items() if column == "steady"):
        pairs += [("steady", other, "seconds") for other in others if other in ("jax", "eager")]
    for column, other, name in pairs:
        heads.append(f"{COLUMNS[column].title} / {COLUMNS[other].title}{' add' if name == 'add' else ''}")
    for workload in workloads:
        cells = []
        for column, other, name in pairs:
            ratio, best = (results.ratio(workload.name, column, other, name, best) for best in (False, True))
            cells.append(f"**{ratio:.2f}** ({best:.2f})" if ratio is not None and best is not None else "-")
        rows.append([workload.title, *cells])
    return _table(["", *heads], rows) if pairs else ""


def _times(workloads: Sequence[Workload], results: Results) -> str:
    columns = _shown_columns(workloads, results)
    extras = list(dict.fromkeys(name for w in workloads for c in columns if (w.name, c) in results for name in results[w.name, c].samples))
    extras = [name for name in extras if name not in ("seconds", "add")]
    rows = []
    for workload in workloads:
        cells = [_time(workload, results.get((workload.name, column)), "seconds") for column in columns]
        cells += [_time(workload, results.get((workload.name, "lazymlir")), name) for name in extras]
        rows.append([workload.title, *cells])
    return _table(["", *(COLUMNS[column].title for column in columns), *extras], rows)


def _time(workload: Workload, result: Result | None, name: str) -> str:
    if result is None or result.missing is not None or not result.samples.get(name):
        return "-"
    return f"{_digits(result.median(name), workload.scale)} ({_digits(result.best(name), workload.scale)})"


def _digits(seconds: float | None, scale: float) -> str:
    value = (seconds or 0.0) * scale
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


FACTS = {
    "first_step": ("First step, seconds", "{:.2f}"),
    "until_steady": ("Until the first step at the usual speed, seconds", "{:.2f}"),
    "peak_mb": ("Peak memory of the process, MB", "{:.0f}"),
    "grown_mb": ("The same beyond what the imports take, MB", "{:.0f}"),
    "bytes_per_op": ("Bytes in memory per recorded operation", "{:.0f}"),
}


def _facts(workloads: Sequence[Workload], results: Results) -> list[str]:
    columns, parts = _shown_columns(workloads, results), []
    for fact, (title, form) in FACTS.items():
        if fact in ("peak_mb", "grown_mb") and workloads[0].kind != "step":
            continue
        rows = []
        for workload in workloads:
            values = [_fact(results.get((workload.name, column)), fact) for column in columns]
            if any(value is not None for value in values):
                rows.append([workload.title, *(form.format(value) if value is not None else "-" for value in values)])
        if rows:
            parts.append(f"{title}:\n\n" + _table(["", *(COLUMNS[column].title for column in columns)], rows))
    return parts


def _fact(result: Result | None, fact: str) -> float | None:
    if result is None or result.missing is not None:
        return None
    if fact == "grown_mb":
        return result.facts["peak_mb"] - result.facts["imported_mb"] if "peak_mb" in result.facts else None
    return result.facts.get(fact)


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [heads, ["---"] + ["---:"] * (len(heads) - 1), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
