"""Computes in channels-last order between convolutions, which is the order that XLA's CPU compiler runs them in.

    %1 = "lazy.convolution"(%x, %w) ... -> tensor<2x8x4x4xf32>
    %2 = "lazy.maximum"(%1, %zero) ...
    %3 = "lazy.convolution"(%2, %v) ...
becomes
    %1 = "lazy.convolution"(%x, %w) ... -> tensor<2x8x4x4xf32>
    %4 = "lazy.permute"(%1) {dims = array<i64: 0, 2, 3, 1>} ... -> tensor<2x4x4x8xf32>
    %5 = "lazy.maximum"(%4, %zeros) ...
    %6 = "lazy.permute"(%5) {dims = array<i64: 0, 3, 1, 2>} ... -> tensor<2x8x4x4xf32>
    %3 = "lazy.convolution"(%6, %v) ...

torch's programs are written for [batch, channels, space...]. XLA:CPU transposes what each convolution reads and writes, and fuses
the pointwise operations around it into those transposes. Here pointwise operations, reductions and windows on what comes from a
convolution are done in the other order, and permutations are left where something else reads it, in front of convolutions and
behind them; the lowering makes them part of the convolution. Arguments and results of the function keep their order, so
parameters do. Where a kernel library computes some of the convolutions (lazy-call-library), nothing is done: it reads any order, and
runs torch's as fast. Never changes an element.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from lazymlir.dialect import OPS, Builder, Node, read_attributes, tensor_type
from lazymlir.dialect.attributes import INT, INTS
from lazymlir.dialect.shape import DYNAMIC
from lazymlir.logs import log
from lazymlir.mlir import ir

from .base import Pass, functions, register
from .library.convolution import calls_convolution
from .rewrite import body, builder_before, named, node_of, nodes, replace

__all__ = ["LazyChooseLayouts"]

POINTWISE = named("pointwise")
REDUCTIONS = frozenset(f"lazy.{name}" for name in ("sum", "prod", "amax", "amin"))
WINDOWS = {"lazy.reduce_window": ("window", "strides", "low", "high", "x_dilation", "dilation"), "lazy.pad": ("low", "high", "interior")}
"""Operations with these attributes by dimension, whose first operand is what they look at."""

FOLLOWING = POINTWISE | REDUCTIONS | WINDOWS.keys() | {"lazy.cat", "lazy.slice"}
"""What can be done in either order."""


@register
@dataclass(frozen=True)
class LazyChooseLayouts(Pass):
    """Compute in channels-last order between convolutions."""

    name = "lazy-choose-layouts"

    def run(self, module: ir.Module) -> dict[str, int]:
        return {"operations in channels-last order": sum(_Function(function).run() for function in functions(module))}


def _last(rank: int) -> tuple[int, ...]:
    """The dimensions of [batch, channels, space...] in channels-last order."""
    return (0, *range(2, rank), 1)


def _first(rank: int) -> tuple[int, ...]:
    """Those of [batch, space..., channels] in torch's order."""
    return (0, rank - 1, *range(1, rank - 1))


class _Function:
    def __init__(self, function: ir.Operation) -> None:
        self.operations = list(body(function))
        self.twins: dict[ir.Value, Node] = {}
        """By value: the same in channels-last order."""
        self.permuted: list[ir.Operation] = []

    def run(self) -> int:
        if not any(op.name == "lazy.convolution" for op in self.operations) or any(map(calls_convolution, self.operations)):
            return 0
        converted = sum(self._convert(op, following) for op, following in pairwise(self.operations))
        for op in reversed(self.permuted):
            if next(iter(op.result.uses), None) is None:
                op.erase()
        if converted:
            log("passes", 2, "%d operations between convolutions are done in channels-last order", converted)
        return converted

    def _convert(self, op: ir.Operation, following: ir.Operation) -> bool:
        name = op.name
        if name == "lazy.convolution":
            self._start(op, builder_before(following))
        elif name == "lazy.permute":
            self._compose(op)
        elif name in POINTWISE and any(operand in self.twins for operand in op.operands):
            self._finish(op, self._clone(op, [self._twin(op, operand) for operand in op.operands], {}))
            return True
        elif name in REDUCTIONS and op.operands[0] in self.twins:
            return self._reduce(op)
        elif name in WINDOWS and op.operands[0] in self.twins:
            x = self.twins[op.operands[0]]
            attributes = {key: _reordered(INTS.read(op.attributes[key]), _last(x.rank)) for key in WINDOWS[name]}
            rest = nodes(op)[1:]
            self._finish(op, self._clone(op, [x, *rest], attributes))
            return True
        elif name == "lazy.cat" and any(operand in self.twins for operand in op.operands):
            dim = _last(len(tensor_type(op.result.type).shape)).index(INT.read(op.attributes["dim"]))
            self._finish(op, builder_before(op).cat(*(self._twin(op, operand) for operand in op.operands), dim=dim))
            return True
        elif name == "lazy.slice" and op.operands[0] in self.twins:
            self._slice(op)
            return True
        return False

    def _start(self, op: ir.Operation, b: Builder) -> None:
        """What a convolution gives, if more than permutations read it."""
        users = [use.owner.name for use in op.result.uses]
        if any(name in FOLLOWING for name in users):
            made = node_of(op.result)
            last = b.permute(made, _last(made.rank))
            first = b.permute(last, _first(made.rank))
            made.value.replace_all_uses_except(first.value, last.value.owner.operation)
            self._know(first, last)

    def _know(self, first: Node, last: Node) -> None:
        self.twins[first.value] = last
        self.permuted.append(first.value.owner.operation)

    def _finish(self, op: ir.Operation, last: Node) -> None:
        """Puts what was computed in channels-last order in place of `op`."""
        first = builder_before(op).permute(last, _first(last.rank))
        replace(op, [first.value])
        self._know(first, last)

    def _clone(self, op: ir.Operation, operands: Sequence[Node], attributes: dict[str, tuple[int, ...]]) -> Node:
        b = builder_before(op)
        type_ = tensor_type(op.result.type)
        given = read_attributes(OPS[op.name.removeprefix("lazy.")], op) | attributes
        result = type_.with_shape(_reordered(type_.shape, _last(type_.rank)))
        return b.emit(op.name.removeprefix("lazy."), operands, given, result)

    def _twin(self, op: ir.Operation, value: ir.Value) -> Node:
        """An operand of `op` in channels-last order: made anew where that is cheap, else permuted."""
        known = self.twins.get(value)
        if known is not None:
            return known
        given, maker = node_of(value), value.owner
        if given.rank == 0:
            return given
        b = builder_before(op)
        shape = _reordered(given.shape, _last(given.rank))
        if not isinstance(maker, ir.Block) and maker.name == "lazy.expand":
            return b.expand(_padded(b, node_of(maker.operands[0]), given.rank), shape)
        if not isinstance(maker, ir.Block) and maker.name == "lazy.constant":
            return b.constant(read_attributes(OPS["constant"], maker.operation)["value"], given.type.with_shape(shape))
        return b.permute(given, _last(given.rank))

    def _compose(self, op: ir.Operation) -> None:
        """A permutation of something that is there in channels-last order."""
        x = self.twins.get(op.operands[0])
        if x is not None:
            place = {dim: i for i, dim in enumerate(_last(x.rank))}
            made = builder_before(op).permute(x, tuple(place[dim] for dim in INTS.read(op.attributes["dims"])))
            replace(op, [made.value])

    def _slice(self, op: ir.Operation) -> None:
        x = self.twins[op.operands[0]]
        order = _last(x.rank)
        given = {key: INTS.read(op.attributes[key]) for key in ("starts", "sizes", "steps")}
        places = [dim for dim, start in enumerate(given["starts"]) if start == DYNAMIC]
        starts = dict(zip(places, nodes(op)[1:], strict=True))
        attributes = {key: _reordered(items, order) for key, items in given.items()}
        self._finish(op, builder_before(op).slice(x, *(starts[dim] for dim in order if dim in starts), **attributes))

    def _reduce(self, op: ir.Operation) -> bool:
        """A reduction, where its result has the same order either way."""
        x = self.twins[op.operands[0]]
        order, dims = _last(x.rank), INTS.read(op.attributes["dims"])
        left = [dim for dim in order if dim not in dims]
        if left != sorted(left):
            return False
        made = builder_before(op).emit(op.name.removeprefix("lazy."), [x], {"dims": tuple(i for i, dim in enumerate(order) if dim in dims)})
        replace(op, [made.value])
        return True


def _reordered(items: Sequence[int], order: Sequence[int]) -> tuple[int, ...]:
    return tuple(items[dim] for dim in order)


def _padded(b: Builder, x: Node, rank: int) -> Node:
    """`x` with leading dimensions of size 1, in channels-last order."""
    shape = (*(1,) * (rank - x.rank), *x.shape)
    if sum(size > 1 for size in shape) <= 1:
        return b.reshape(x, _reordered(shape, _last(rank)))
    return b.permute(b.reshape(x, shape), _last(rank))
