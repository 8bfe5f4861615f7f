"""A call of the library in place of an operation."""

from __future__ import annotations

from dataclasses import dataclass

from lazymlir.dialect import tensor_type
from lazymlir.dialect.attributes import INTS
from lazymlir.mlir import ir

from .views import View, row_major

__all__ = ["TYPES", "Call", "Result"]

TYPES = {"f32": 6, "f64": 7}
"""Element types that are computed by the library, with the numbers that torch's C interface has for them."""


@dataclass(frozen=True)
class Call:
    """`target` is the name of the handler (runtime/handlers.mlir), `numbers` what it is told, `result` how its result is read.

    Where an operand is a window that starts where only the running program knows, the handler is given the offset of each operand
    as one more."""

    target: str
    operands: tuple[View, ...]
    numbers: tuple[int, ...]
    result: Result


@dataclass(frozen=True)
class Result:
    """An operation's result; what is written is the result in the order `dims`, where that is how all read it."""

    op: ir.Operation
    dims: tuple[int, ...]

    @classmethod
    def of(cls, op: ir.Operation) -> Result:
        """The result in the order in which all read it."""
        users = [use.owner for use in op.result.uses]
        orders = {INTS.read(user.attributes["dims"]) if user.name == "lazy.permute" else None for user in users}
        order = orders.pop() if len(orders) == 1 else None
        return cls(op, order) if order else cls.in_order(op)

    @classmethod
    def in_order(cls, op: ir.Operation) -> Result:
        """The result as it is."""
        return cls(op, tuple(range(tensor_type(op.result.type).rank)))

    @property
    def shape(self) -> tuple[int, ...]:
        shape = tensor_type(self.op.result.type).shape
        return tuple(shape[dim] for dim in self.dims)

    @property
    def view(self) -> View:
        """The operation's result as a window of what is written."""
        strides = row_major(self.shape)
        back = [self.dims.index(dim) for dim in range(len(self.dims))]
        return View(self.op.result, 0, tensor_type(self.op.result.type).shape, tuple(strides[place] for place in back))

    def replace(self, made: ir.Value) -> None:
        """Makes all users read `made`, which is the result in the order `dims`."""
        readers = [use.owner.operation for use in self.op.result.uses] if self.dims != tuple(sorted(self.dims)) else []
        if readers:
            for reader in readers:
                reader.result.replace_all_uses_with(made)
                reader.erase()
        else:
            self.op.result.replace_all_uses_with(made)
        self.op.erase()
