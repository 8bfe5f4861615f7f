"""A picture of the ratios: how long each column takes as a multiple of lazymlir."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .columns import COLUMNS
from .harness import Results
from .workload import Workload

__all__ = ["plot"]

COLORS = {"lazymlir": "#1b6ca8", "steady": "#5fa8d3", "jax": "#e09f3e", "eager": "#9e2a2b", "compile": "#540b0e", "xla": "#6c757d"}
KINDS = {"step": "Steps: time / lazymlir", "record": "Recording an operation: time / lazymlir", "barrier": "A barrier on a hit: time / lazymlir"}


def plot(workloads: Sequence[Workload], results: Results, path: Path) -> None:
    """Draws without a display; the file's ending picks the format."""
    import matplotlib  # pyright: ignore[reportMissingImports]  (of the extra `bench`)

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt  # pyright: ignore[reportMissingImports]

    plt.rcParams["svg.hashsalt"] = "lazymlir"
    kinds = [kind for kind in KINDS if any(w.kind == kind and (w.name, "lazymlir") in results for w in workloads)]
    if not kinds:
        return
    rows = {kind: [w for w in workloads if w.kind == kind] for kind in kinds}
    heights = [len(rows[kind]) + 1 for kind in kinds]
    figure, axes = plt.subplots(len(kinds), 1, figsize=(9, 0.75 * sum(heights)), squeeze=False, height_ratios=heights)
    for axis, kind in zip(axes[:, 0], kinds, strict=True):
        _bars(axis, rows[kind], results)
        axis.set_title(KINDS[kind], loc="left", fontsize=10)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
    plt.close(figure)


def _bars(axis: object, workloads: Sequence[Workload], results: Results) -> None:
    columns = [column for column in COLUMNS if any(results.ratio(w.name, column, "lazymlir") for w in workloads)]
    thick = 0.8 / max(len(columns), 1)
    for place, column in enumerate(columns):
        ratios = [results.ratio(w.name, column, "lazymlir") or 0.0 for w in workloads]
        heights = [row + place * thick for row in range(len(workloads))]
        drawn = axis.barh(heights, ratios, thick, color=COLORS[column], label=COLUMNS[column].title)  # type: ignore[attr-defined]
        axis.bar_label(drawn, [f"{ratio:.2f}" if ratio else "" for ratio in ratios], fontsize=7, padding=2)  # type: ignore[attr-defined]
    axis.set_yticks([row + 0.4 - thick / 2 for row in range(len(workloads))], [w.title for w in workloads], fontsize=8)  # type: ignore[attr-defined]
    axis.invert_yaxis()  # type: ignore[attr-defined]
    axis.axvline(1.0, color="black", linewidth=0.6)  # type: ignore[attr-defined]
    axis.legend(fontsize=7)  # type: ignore[attr-defined]
