"""Tiny programs of whole numbers, which are not worth a compilation: a test of a few tokens, a counter, a shape.

XLA takes 20 ms and more to compile any program, and StableHLO's reference interpreter 0.01 to 0.2 ms to run one of these. They
are interpreted at first, and compiled when they turn out to run often: XLA's programs do not wait for what they read. Only
operations on integers and booleans that are defined for all of them, so that both find the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from lazymlir import metrics
from lazymlir.dialect import tensor_type
from lazymlir.dialect.control import operations_in
from lazymlir.mlir import ir, stablehlo

from .client import Client
from .program import Executable

__all__ = ["Interpreted", "is_tiny"]

_NAMES = (
    "abs add and broadcast_in_dim compare concatenate constant convert dynamic_slice dynamic_update_slice gather iota maximum minimum multiply "
    "negate not or pad reduce reduce_window reshape return reverse select sign slice subtract transpose xor"
)
OPERATIONS = frozenset(["func.return", *(f"stablehlo.{name}" for name in _NAMES.split())])

DTYPES = frozenset(["i1", "i32", "i64"])

MOST_OPERATIONS = 64
MOST_ELEMENTS = 256
"""Of a tensor."""

RUNS = 16
"""So often a program is interpreted; then it is compiled."""


def is_tiny(module: ir.Module) -> bool:
    """Whether a lowered module is to be interpreted at first."""
    (function, *others) = (op.operation for op in module.body.operations)
    block = function.regions[0].blocks[0]
    if others or len(block.operations) > MOST_OPERATIONS:
        return False
    operations = operations_in(function.regions[0])
    values = [*block.arguments, *(result for op in operations for result in op.results)]
    return all(op.name in OPERATIONS for op in operations) and all(_is_small(value) for value in values)


def _is_small(value: ir.Value) -> bool:
    type_ = tensor_type(value.type)
    return type_.dtype in DTYPES and 0 < type_.size <= MOST_ELEMENTS


class Interpreted:
    """What an executable does, by interpreting `module` the first times. `compile` makes the executable."""

    def __init__(self, client: Client, module: ir.Module, compile: Callable[[], Executable]) -> None:
        self.client = client
        self._module = module
        self._compile = compile
        self._runs = 0
        self._compiled: Executable | None = None

    def run(self, arguments: Sequence[Any]) -> list[Any]:
        if self._compiled is None and self._runs >= RUNS:
            self._compiled = self._compile()
        if self._compiled is not None:
            return self._compiled.run(arguments)
        self._runs += 1
        metrics.count("InterpretedRun")
        with self._module.context, ir.Location.unknown():
            read = [ir.DenseElementsAttr.get(np.array(self.client.get(argument), order="C")) for argument in arguments]
            return [self.client.put(np.array(ir.DenseElementsAttr(result))) for result in stablehlo.eval_module(self._module, read)]
