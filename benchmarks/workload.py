"""What a workload is: a name, the columns that it has, and how one of them is prepared in the process that runs it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Prepared", "Workload"]


@dataclass
class Prepared:
    """A workload ready to be timed on one column. `sample` runs it once and returns seconds per unit (and, where it measures
    more, other numbers by name). `losses` are compared between the columns; `facts` were found while it was prepared."""

    sample: Callable[[], float | dict[str, float]]
    losses: list[float] = field(default_factory=list)
    facts: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Workload:
    """`prepare(column, tiny)` makes it ready; `tiny` asks for sizes that a test can afford.

    `kind` names a part of the table. The workloads of one `processes` share their processes, and their samples take turns;
    the others have processes of their own, so that their memory is theirs.
    """

    name: str
    title: str
    kind: str
    columns: tuple[str, ...]
    prepare: Callable[[str, bool], Prepared]
    unit: str = "ms"
    processes: str = ""
    tolerance: float = 1e-3
    """Relative difference of losses that is still equal."""

    environment: dict[str, str] = field(default_factory=dict)

    @property
    def scale(self) -> float:
        """How many units a second has."""
        return {"s": 1.0, "ms": 1e3, "us": 1e6}[self.unit]


def at(function: Callable[..., Prepared], *arguments: Any) -> Callable[[str, bool], Prepared]:
    """`function(column, tiny, *arguments)` as a workload prepares it."""
    return lambda column, tiny: function(column, tiny, *arguments)
