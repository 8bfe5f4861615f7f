"""What a pass is, and the table of all passes.

A pass is a frozen dataclass: `name` as on the command line, its options as fields, and `run(module)`, which takes valid
IR to valid IR and returns what it counted. The same text in gives the same text out.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, TypeVar

from lazymlir.mlir import ir

__all__ = ["PASSES", "Pass", "PassError", "functions", "register"]


class PassError(Exception):
    """A pass cannot go on; the diagnostics were emitted at the operations concerned."""


@dataclass(frozen=True)
class Pass(ABC):
    """Base of all passes. Options are dataclass fields of type bool, int or str with a default."""

    name: ClassVar[str]

    @abstractmethod
    def run(self, module: ir.Module) -> dict[str, int]:
        """Rewrites `module` in place; returns counts by what was counted ("views inverted": 3)."""

    @classmethod
    def summary(cls) -> str:
        """The first line of the docstring: what `lazymlir-opt --help` shows."""
        return (cls.__doc__ or "").strip().splitlines()[0]


PASSES: dict[str, type[Pass]] = {}

AnyPass = TypeVar("AnyPass", bound=Pass)


def register(cls: type[AnyPass]) -> type[AnyPass]:
    """Adds a pass to the table, under its name."""
    if cls.name in PASSES:
        raise ValueError(f"pass {cls.name} is registered twice")
    PASSES[cls.name] = cls
    return cls


def functions(module: ir.Module) -> Iterator[ir.Operation]:
    """The functions of the module that have a body."""
    for op in module.body.operations:
        if op.operation.name == "func.func" and len(op.operation.regions[0].blocks) > 0:
            yield op.operation
