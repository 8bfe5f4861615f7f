"""What the table must show: each bar a number got from the results, and its limit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .harness import Results
from .workloads.barrier import LENGTHS

__all__ = ["BARS", "Bar", "Judged", "judge"]


@dataclass(frozen=True)
class Bar:
    """`measure` is None where a column or workload is missing. With `below`, the limit itself is too much."""

    title: str
    measure: Callable[[Results], float | None]
    limit: float
    below: bool = False


@dataclass(frozen=True)
class Judged:
    title: str
    measured: float | None
    limit: float
    below: bool

    @property
    def met(self) -> bool | None:
        if self.measured is None:
            return None
        return self.measured < self.limit if self.below else self.measured <= self.limit

    @property
    def sign(self) -> str:
        return "<" if self.below else "<="

    @property
    def shown(self) -> str:
        return "-" if self.measured is None else f"{self.measured:.0f}" if self.measured >= 100 else f"{self.measured:.2f}"

    @property
    def verdict(self) -> str:
        return {None: "not measured", True: "met", False: "**not met**"}[self.met]


def judge(results: Results) -> list[Judged]:
    return [Judged(bar.title, bar.measure(results), bar.limit, bar.below) for bar in BARS]


def _against(workload: str, column: str, other: str, name: str = "seconds") -> Callable[[Results], float | None]:
    return lambda results: results.ratio(workload, column, other, name)


def _of_allowed(length: int) -> Callable[[Results], float | None]:
    """A barrier's time as a multiple of 40 us + 0.15 us per operation + what the client takes."""

    def measure(results: Results) -> float | None:
        result = results.get((f"barrier-{length}", "lazymlir"))
        taken, client = (result.median("seconds"), result.median("client")) if result is not None else (None, None)
        return None if taken is None or client is None else taken / (40e-6 + 0.15e-6 * length + client)

    return measure


def _growth(results: Results) -> float | None:
    """The cost of an operation in the longest trace as a multiple of that in one of a thousand."""
    long, short = (results.get((f"length-{length}", "lazymlir")) for length in (100_000, 1_000))
    one, other = (result.median() if result is not None else None for result in (long, short))
    return one / other if one is not None and other is not None else None


def _bytes(results: Results) -> float | None:
    result = results.get(("length-100000", "lazymlir"))
    return result.facts.get("bytes_per_op") if result is not None else None


def _import(results: Results) -> float | None:
    result = results.get(("import", "lazymlir"))
    return result.median() if result is not None else None


BARS = (
    Bar("record a chain / eager's same operation", _against("record-scalar", "lazymlir", "eager"), 2.0),
    Bar("record a chain / PyTorch/XLA's record", _against("record-scalar", "lazymlir", "xla"), 0.6),
    Bar("record in-place / eager's add", _against("record-in-place", "lazymlir", "eager", "add"), 3.5),
    Bar("record in-place on a view / eager's add", _against("record-view", "lazymlir", "eager", "add"), 7.0),
    Bar("record a new number / eager's add", _against("record-new-scalar", "lazymlir", "eager", "add"), 3.5),
    *(Bar(f"barrier, {n:,} recorded / (40 us + 0.15 us each + client)", _of_allowed(n), 1.0) for n in LENGTHS),
    Bar("MLP recorded / jax.jit", _against("mlp", "lazymlir", "jax"), 1.5),
    Bar("MLP recorded / eager", _against("mlp", "lazymlir", "eager"), 1.1),
    Bar("MLP under steady / jax.jit", _against("mlp", "steady", "jax"), 1.10),
    Bar("MLP under steady / eager", _against("mlp", "steady", "eager"), 1.0, below=True),
    Bar("transformer recorded / jax.jit", _against("transformer", "lazymlir", "jax"), 1.05),
    Bar("ResNet-18 recorded / jax.jit (NHWC)", _against("resnet18", "lazymlir", "jax"), 1.05),
    Bar("ResNet-18 recorded / jax.jit in NCHW", _against("resnet18-nchw", "lazymlir", "jax"), 1.05),
    Bar("cost of an operation in a trace of 100,000 / of 1,000", _growth, 1.25),
    Bar("bytes in memory per recorded operation", _bytes, 1024),
    Bar("import lazymlir beyond torch and jax, seconds", _import, 0.5),
)
