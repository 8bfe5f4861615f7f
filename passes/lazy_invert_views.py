"""Expands each write through a view into the inverse of every step of the view, backwards.

    %1 = "lazy.write_view"(%x, %u, %i) {chain = [#lazy.view<"permute", [array<i64: 1, 0>]>,
           #lazy.view<"slice", [array<i64: 4, 1>, array<i64: 1, 1>]>]} : (tensor<2x4xf32>, tensor<4x1xf32>, tensor<i64>) -> ...
becomes
    %0 = "lazy.permute"(%u) {dims = array<i64: 1, 0>} : (tensor<4x1xf32>) -> tensor<1x4xf32>
    %1 = "lazy.update_slice"(%x, %0, %i) {starts = array<i64: -1, 0>} : (tensor<2x4xf32>, tensor<1x4xf32>, tensor<i64>) -> ...

(LazyTensor paper, section on views.) The chain is first brought to its normal form, so that slices apply to the base
itself. Values of the base along the view are read only where an inverse needs them, which permutations, reshapes and
bitcasts do not. A window with gaps is read whole, and the update chosen where the view shows it; elements are scattered
only into a window that they hardly fill, or one that may show an element twice: then the last one written stays.
A write to a view that surely shows one element twice has no single value, and is an error. With `simplify`, the patterns of
`lazy-canonicalize` are applied to functions in which views were inverted.
Never changes an element of the base that the view does not reach.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod

from lazymlir.dialect import OPS, Builder, Node, TensorType, read_attributes
from lazymlir.dialect.shape import DYNAMIC
from lazymlir.dialect.types import BOOL
from lazymlir.dialect.views import Chain
from lazymlir.mlir import ir

from .base import Pass, PassError, functions, register
from .canonicalize import Rewriter
from .canonicalize.chains import START, Placed, Start, injective, normal, place, placed_type, read_placed, start_node
from .rewrite import builder_before, everything, nodes, replace

__all__ = ["LazyInvertViews", "invert"]

SPARSE = 8
"""A window of more elements than this for each one written is sparse: XLA:CPU scatters an element in 3 to 4 ns and chooses
one in 0.6 ns, so the diagonal of a 4096 by 4096 matrix takes 0.1 ms instead of 24."""


@register
@dataclass(frozen=True)
class LazyInvertViews(Pass):
    """Expand writes through views into the inverses of their steps."""

    name = "lazy-invert-views"

    simplify: bool = False

    def run(self, module: ir.Module) -> dict[str, int]:
        counts = Counter({"views inverted": 0})
        for function in functions(module):
            writes = [op for op in everything(function) if op.name == "lazy.write_view"]
            for op in writes:
                base, update, *starts = nodes(op)
                chain: Chain = read_attributes(OPS["write_view"], op)["chain"]
                replace(op, [invert(builder_before(op), base, update, chain, starts).value])
            counts["views inverted"] += len(writes)
            if writes and self.simplify:
                counts.update(Rewriter(function).run())
        return dict(counts)


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
    _, start, sizes, strides = at.step
    span = 1 + sum((size - 1) * stride for size, stride in zip(sizes, strides, strict=True))
    if not injective(at.type, [at.step]) or _is_sparse(span, sizes):
        return at.b.strided_update(at.x, update, start_node(at.b, start), strides=strides)
    moving = sorted((dim for dim in range(len(sizes)) if sizes[dim] > 1), key=lambda dim: -strides[dim])
    still = [dim for dim in range(len(sizes)) if sizes[dim] == 1]
    nested = at.b.reshape(at.b.permute(update, (*still, *moving)), [sizes[dim] for dim in moving] or [1])
    return _choose(at, (start,), (span,), nested, lambda x: _spread_nested(at.b, x, [strides[dim] for dim in moving] or [1], span))


def _spread_nested(b: Builder, x: Node, strides: Sequence[int], span: int) -> Node:
    """A flat tensor of `span` elements: those of `x` these strides apart, the largest first, and zeros between."""
    *outer, inner = strides
    x = _pad_last(b, x, 0, interior=inner - 1)
    for stride in reversed(outer):
        x = _pad_last(b, x, stride - x.shape[-1])
        x = b.reshape(x, (*x.shape[:-2], x.shape[-2] * stride))
    return _pad_last(b, x, span - x.shape[-1])


def _pad_last(b: Builder, x: Node, high: int, interior: int = 0) -> Node:
    """Zeros after the end of the last dimension, where a negative number crops, and between its elements."""
    none = (0,) * x.rank
    return b.pad(x, _zero(b, x), low=none, high=(*none[1:], high), interior=(*none[1:], interior)) if high or interior else x


def _invert_slice(at: _Inverse, update: Node) -> Node:
    _, starts, sizes, steps = at.step
    spans = tuple((size - 1) * step + 1 for size, step in zip(sizes, steps, strict=True))
    if spans == sizes:
        return _replace_box(at, starts, update)
    if _is_sparse(prod(spans), sizes):
        return _scatter_slice(at, update)
    return _choose(at, starts, spans, update, lambda x: _spread(at.b, x, steps))


def _spread(b: Builder, x: Node, steps: Sequence[int]) -> Node:
    """The elements of `x` at every `steps`-th place of each dimension, and zeros between."""
    none = (0,) * x.rank
    return b.pad(x, _zero(b, x), low=none, high=none, interior=tuple(step - 1 for step in steps))


def _scatter_slice(at: _Inverse, update: Node) -> Node:
    """A slice of the flat base."""
    b, shape = at.b, at.type.shape
    _, starts, _, steps = at.step
    units = [prod(shape[dim + 1 :]) for dim in range(len(shape))]
    start = b.constant(0, START)
    for unit, first in zip(units, starts, strict=True):
        start = b.add(start, b.mul(start_node(b, first), b.constant(unit, START)))
    strides = tuple(unit * step for unit, step in zip(units, steps, strict=True))
    return b.reshape(b.strided_update(b.reshape(at.x, (at.type.size,)), update, start, strides=strides), shape)


def _is_sparse(span: int, sizes: Sequence[int]) -> bool:
    return span > SPARSE * prod(sizes)


def _choose(at: _Inverse, starts: Sequence[Start], spans: tuple[int, ...], update: Node, spread: Callable[[Node], Node]) -> Node:
    """The base with the window of size `spans` replaced: by what `spread` makes of the update where it puts an element of
    it, by what was there in the gaps between."""
    if prod(spans) == update.type.size:
        return _replace_box(at, starts, spread(update))
    window = at.x if spans == at.type.shape else read_placed(at.b, at.x, ("slice", tuple(starts), spans, (1,) * len(spans)))
    mask = spread(at.b.constant(True, update.type.with_dtype(BOOL)))
    return _replace_box(at, starts, at.b.where(mask, spread(update), window))


def _replace_box(at: _Inverse, starts: Sequence[Start], update: Node) -> Node:
    if update.shape == at.type.shape:
        return update
    dynamic = [start_node(at.b, start) for start in starts if not isinstance(start, int)]
    static = tuple(start if isinstance(start, int) else DYNAMIC for start in starts)
    return at.b.update_slice(at.x, update, *dynamic, starts=static)


def _zero(b: Builder, x: Node) -> Node:
    return b.constant(0, TensorType((), x.dtype))


_INVERSES: dict[str, Callable[[_Inverse, Node], Node]] = {
    "permute": _invert_permute,
    "reshape": _invert_reshape,
    "bitcast": _invert_bitcast,
    "real": _invert_real,
    "imag": _invert_imag,
    "strided": _invert_strided,
    "slice": _invert_slice,
}
