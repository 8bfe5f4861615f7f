"""Hands contractions and convolutions to a kernel library, which computes them faster than XLA's CPU compiler does.

    %1 = "lazy.permute"(%w) {dims = array<i64: 1, 0>} ...
    %2 = "lazy.dot"(%x, %1) {x_contract = array<i64: 1>, y_contract = array<i64: 0>, ...} ...
becomes
    %2 = stablehlo.custom_call @lazymlir_matmul(%x, %w) {backend_config = {numbers = array<i64: ...>}, ...} ...

The library (torch's own: oneDNN and MKL) reads strided tensors, so permutations, reshapes, slices and expansions of what it reads, and
a permutation by which all read what it writes, become strides in `numbers` (passes/library/, runtime/handlers.mlir). Only where as
many products are summed as `minimum-contraction` or `minimum-convolution` say: with less, XLA is as fast. Never changes a result but
by the order in which products are added.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lazymlir.dialect import Builder, Node, TensorType, tensor_type
from lazymlir.logs import log
from lazymlir.mlir import ir

from .base import Pass, functions, register
from .library.call import TYPES, Call
from .library.contraction import contraction
from .library.contraction import work as contraction_work
from .library.convolution import convolution
from .library.convolution import work as convolution_work
from .library.views import Start
from .rewrite import builder_before, everything, node_of

__all__ = ["LazyCallLibrary"]

DOT, CONVOLUTION = "lazy.dot", "lazy.convolution"
CALLS = {DOT: (contraction_work, contraction), CONVOLUTION: (convolution_work, convolution)}
"""By operation: how much work it is, and the call that does it."""


@register
@dataclass(frozen=True)
class LazyCallLibrary(Pass):
    """Hand contractions and convolutions to a kernel library."""

    name = "lazy-call-library"

    minimum_contraction: int = 1 << 25
    minimum_convolution: int = 1 << 26

    def run(self, module: ir.Module) -> dict[str, int]:
        found = [op for function in functions(module) for op in everything(function) if op.name in CALLS]
        return {"library calls": sum(self._call(op) for op in found)}

    def _call(self, op: ir.Operation) -> bool:
        work_of, call_of = CALLS[op.name]
        minimum = self.minimum_contraction if op.name == DOT else self.minimum_convolution
        types = [tensor_type(value.type) for value in (op.result, *op.operands)]
        if any(t.size == 0 for t in types):
            return False  # torch refuses some of them, and a window of padding alone reads an operand of no elements
        dtypes = {t.dtype for t in types}
        if len(dtypes) > 1 or not dtypes <= TYPES.keys() or work_of(op) < minimum:
            return False  # products of 16-bit floats may be summed in float32
        call = call_of(op)
        if call is None:
            log("passes", 2, "%s: %s to %s stays with XLA: no strides say what it reads", op.location, op.name, op.result.type)
            return False
        call.result.replace(_emit(op, call))
        return True


def _emit(op: ir.Operation, call: Call) -> ir.Value:
    """The call before `op`, at its location."""
    operands = [view.value for view in call.operands]
    if any(view.starts for view in call.operands):
        b = builder_before(op)
        operands += [_offset(b, view.starts).value for view in call.operands]
    result = ir.RankedTensorType.get(call.result.shape, ir.RankedTensorType(op.result.type).element_type)
    attributes = {
        "call_target_name": ir.StringAttr.get(call.target),
        "api_version": ir.IntegerAttr.get(ir.IntegerType.get_signless(32), 4),
        "backend_config": ir.DictAttr.get({"numbers": ir.DenseI64ArrayAttr.get(call.numbers)}),
        "operand_layouts": ir.ArrayAttr.get([_row_major(tensor_type(operand.type).rank) for operand in operands]),
        "result_layouts": ir.ArrayAttr.get([_row_major(len(call.result.shape))]),
    }
    point = ir.InsertionPoint(op)
    return ir.Operation.create("stablehlo.custom_call", [result], operands, attributes, loc=op.location, ip=point).result


def _offset(b: Builder, starts: Iterable[Start]) -> Node:
    """The elements that all the starts are together. Each is clamped, as XLA does it: nothing outside of a buffer is read."""
    scalar = TensorType((), "i64")
    offset = b.constant(0, scalar)
    for start in starts:
        steps = b.minimum(b.maximum(node_of(start.steps), b.constant(0, scalar)), b.constant(start.most, scalar))
        offset = b.add(offset, b.mul(steps, b.constant(start.stride, scalar)))
    return offset


def _row_major(rank: int) -> ir.Attribute:
    """XLA's layout of a tensor whose last dimension is innermost."""
    return ir.Attribute.parse(f"dense<{[*range(rank)][::-1]}> : tensor<{rank}xindex>")
