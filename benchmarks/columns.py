"""The columns of the table: what a workload runs on, how a step is ended and waited for there, and where a column can run."""

from __future__ import annotations

import importlib
import importlib.util
import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

__all__ = ["COLUMNS", "LAZY", "TORCH", "Backend", "Column", "backend", "why_not"]


@dataclass(frozen=True)
class Column:
    """`title` is the head of the column. A `peer` runs in an interpreter of its own (`make bench-peers`)."""

    name: str
    title: str
    peer: bool = False


COLUMNS = {
    column.name: column
    for column in (
        Column("lazymlir", "lazymlir"),
        Column("steady", "lazymlir.steady"),
        Column("jax", "jax.jit"),
        Column("eager", "torch eager"),
        Column("compile", "torch.compile"),
        Column("xla", "PyTorch/XLA", peer=True),
    )
}

TORCH = ("lazymlir", "steady", "eager", "compile", "xla")
"""The columns that run the workload's PyTorch code."""

LAZY = ("lazymlir", "xla")
"""Those that record."""


@dataclass(frozen=True)
class Backend:
    """How a column of `TORCH` runs. `barrier` ends a step, where that is the program's duty; `wait` returns when all that was
    started has ended; `step` and `model` are what the column wraps the step or the model in."""

    device: Any
    barrier: Callable[[], Any]
    wait: Callable[[], Any]
    step: Callable[[Any], Any] = lambda step: step
    model: Callable[[Any], Any] = lambda model: model


def _nothing() -> None:
    pass


def backend(column: str) -> Backend:
    """What the column needs, imported. Called in the process that runs it."""
    import torch

    if column in ("lazymlir", "steady"):
        import lazymlir

        step = getattr(lazymlir, "steady", None) if column == "steady" else None
        return Backend("lazymlir", _nothing, lambda: lazymlir.sync(wait=True), *([step] if step else []))
    if column == "xla":
        torch_xla = importlib.import_module("torch_xla")
        return Backend(torch_xla.device(), torch_xla.sync, lambda: torch_xla.sync(wait=True))
    return Backend("cpu", _nothing, _nothing, model=torch.compile if column == "compile" else lambda model: model)


def why_not(column: str, peers: str | None) -> str | None:
    """Why a column cannot run here; None where it can."""
    if column == "steady":
        import lazymlir

        return None if hasattr(lazymlir, "steady") else "this lazymlir has no steady()"
    if column == "compile" and not any(shutil.which(name) for name in (os.environ.get("CXX", "c++"), "g++", "clang++")):
        return "torch.compile needs a C++ compiler, and there is none"
    if column == "xla" and peers is None:
        return "PyTorch/XLA is not installed: make bench-peers"
    return None


def interpreter(column: str, peers: str | None) -> str:
    """The Python that runs a column."""
    return peers if peers is not None and COLUMNS[column].peer else sys.executable
