"""Expands each write through a view into the inverse of every step of the view, backwards.

    %1 = "lazy.write_view"(%x, %u, %i) {chain = [#lazy.view<"permute", [array<i64: 1, 0>]>,
           #lazy.view<"slice", [array<i64: 4, 1>, array<i64: 1, 1>]>]} : (tensor<2x4xf32>, tensor<4x1xf32>, tensor<i64>) -> ...
becomes
    %0 = "lazy.permute"(%u) {dims = array<i64: 1, 0>} : (tensor<4x1xf32>) -> tensor<1x4xf32>
    %1 = "lazy.update_slice"(%x, %0, %i) {starts = array<i64: -1, 0>} : (tensor<2x4xf32>, tensor<1x4xf32>, tensor<i64>) -> ...

(LazyTensor paper, section on views.) The chain is first brought to its normal form, so that slices apply to the base
itself. Values of the base along the view are read only where an inverse needs them, which permutations, reshapes and
bitcasts do not. A write to a view that surely shows one element twice has no single value, and is an error.
Never changes an element of the base that the view does not reach.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lazymlir.dialect import OPS, Builder, Node, TensorType, read_attributes
from lazymlir.dialect.shape import DYNAMIC
from lazymlir.dialect.types import BOOL
from lazymlir.dialect.views import Chain
from lazymlir.mlir import ir

from .base import Pass, PassError, functions, register
from .canonicalize.chains import Placed, normal, place, placed_type, read_placed, start_node
from .rewrite import body, builder_before, nodes, replace

__all__ = ["LazyInvertViews", "invert"]


@register
@dataclass(frozen=True)
class LazyInvertViews(Pass):
    """Expand writes through views into the inverses of their steps."""

    name = "lazy-invert-views"

    def run(self, module: ir.Module) -> dict[str, int]:
        inverted = 0
        for function in functions(module):
            for op in body(function):
                if op.name == "lazy.write_view":
                    base, update, *starts = nodes(op)
                    chain: Chain = read_attributes(OPS["write_view"], op)["chain"]
                    replace(op, [invert(builder_before(op), base, update, chain, starts).value])
                    inverted += 1
        return {"views inverted": inverted}


def invert(b: Builder, base: Node, update: Node, chain: Chain, starts: Sequence[Node]) -> Node:
    """`base` after `update` was written into its view `chain`. PassError, with a diagnostic at `b.loc`, where the view
    surely shows one element twice."""
    if update.type.size == 0:
        return base
    steps = normal(base.type, place(base.type, chain, [start.value for start in starts]))
    _require_single_values(b, steps)
    forward = _Forward(b, base, steps)
    for index in reversed(range(len(steps))):
        update = _INVERSES[steps[index][0]](_Inverse(b, forward, index), update)
    return update


def _require_single_values(b: Builder, steps: Sequence[Placed]) -> None:
    repeats = [step[0] for step in steps if step[0] == "expand"]
    repeats += [step[0] for step in steps if step[0] == "strided" and any(n > 1 and stride == 0 for n, stride in zip(*step[2:], strict=True))]
    if repeats:
        b.loc.emit_error(f"lazy.write_view: a write to a view that repeats elements ({repeats[0]}) has no single value; write to a copy of it")
        raise PassError("lazy.write_view")


class _Forward:
    """The values along the view, each read when it is first asked for."""

    def __init__(self, b: Builder, base: Node, steps: Sequence[Placed]) -> None:
        self.steps = steps
        self.types = [base.type]
        for step in steps:
            self.types.append(placed_type(self.types[-1], step))
        self._builder = b
        self._values = [base]

    def value(self, index: int) -> Node:
        """The value before step `index`."""
        while len(self._values) <= index:
            made = len(self._values)
            self._values.append(read_placed(self._builder, self._values[-1], self.steps[made - 1]))
        return self._values[index]


@dataclass(frozen=True)
class _Inverse:
    """One step to invert: `x` is what the step reads, `type` its type."""

    b: Builder
    forward: _Forward
    index: int

    @property
    def step(self) -> Placed:
        return self.forward.steps[self.index]

    @property
    def type(self) -> TensorType:
        return self.forward.types[self.index]

    @property
    def x(self) -> Node:
        return self.forward.value(self.index)


def _invert_permute(at: _Inverse, update: Node) -> Node:
    dims = at.step[1]
    return at.b.permute(update, tuple(dims.index(dim) for dim in range(len(dims))))


def _invert_reshape(at: _Inverse, update: Node) -> Node:
    return at.b.reshape(update, at.type.shape)


def _invert_bitcast(at: _Inverse, update: Node) -> Node:
    return at.b.bitcast(update, dtype=at.type.dtype)


def _invert_real(at: _Inverse, update: Node) -> Node:
    return at.b.complex(update, at.b.imag(at.x))


def _invert_imag(at: _Inverse, update: Node) -> Node:
    return at.b.complex(at.b.real(at.x), update)


def _invert_strided(at: _Inverse, update: Node) -> Node:
    _, start, _, strides = at.step
    return at.b.strided_update(at.x, update, start_node(at.b, start), strides=strides)


def _invert_slice(at: _Inverse, update: Node) -> Node:
    _, starts, sizes, steps = at.step
    spans = tuple((size - 1) * step + 1 for size, step in zip(sizes, steps, strict=True))
    if spans != sizes:
        window = at.x if spans == at.x.shape else read_placed(at.b, at.x, ("slice", starts, spans, (1,) * len(spans)))
        update = _interleave(at.b, window, update, steps)
    if spans == at.type.shape:
        return update
    dynamic = [start_node(at.b, start) for start in starts if not isinstance(start, int)]
    static = tuple(start if isinstance(start, int) else DYNAMIC for start in starts)
    return at.b.update_slice(at.x, update, *dynamic, starts=static)


def _interleave(b: Builder, window: Node, update: Node, steps: Sequence[int]) -> Node:
    """`window` with `update` at every `steps`-th place of each dimension, from the first one on."""

    def spread(x: Node) -> Node:
        zero = b.constant(0, TensorType((), x.dtype))
        none = (0,) * x.rank
        return b.pad(x, zero, low=none, high=none, interior=tuple(step - 1 for step in steps))

    mask = spread(b.constant(True, TensorType(update.shape, BOOL)))
    return b.where(mask, spread(update), window)


_INVERSES: dict[str, Callable[[_Inverse, Node], Node]] = {
    "permute": _invert_permute,
    "reshape": _invert_reshape,
    "bitcast": _invert_bitcast,
    "real": _invert_real,
    "imag": _invert_imag,
    "strided": _invert_strided,
    "slice": _invert_slice,
}
