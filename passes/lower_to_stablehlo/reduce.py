"""Lowerings of dialect/reduce.py."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lazymlir.dialect import Node, TensorType
from lazymlir.dialect.types import highest, is_float, lowest

from .registry import Body, Emitter, Lowering, i64s, lowering, padding

BLOCK = 16
"""Scans work in blocks of this many elements: XLA's own choice, and the fastest of those measured on CPU."""


# kind: StableHLO operation, neutral element, whether 16-bit floats accumulate in float32
KINDS: dict[str, tuple[str, Callable[[str], float], bool]] = {
    "sum": ("add", lambda dtype: 0, True),
    "prod": ("multiply", lambda dtype: 1, True),
    "amax": ("maximum", lowest, False),
    "amin": ("minimum", highest, False),
    "all": ("and", lambda dtype: 1, False),
    "any": ("or", lambda dtype: 0, False),
}


_WINS = {"maximum": "GE", "minimum": "LE"}


def combine(name: str) -> Body:
    """The body that applies `stablehlo.<name>` to two elements. Extremes of floats are spelled out: XLA:CPU gives a plain
    `maximum` or `minimum` to a library (YNN) that drops NaN. Of equal ones the first stays."""

    def body(e: Emitter, left: Node, right: Node) -> Sequence[Node]:
        nan = e.is_nan(left) if name in _WINS else None
        if nan is None:
            return [e.op(name, left.type, left, right)]
        return [e.select(e.either(e.compare(_WINS[name], left, right), nan), left, right)]

    return body


def reduce_by(e: Emitter, kind: str, x: Node, dims: Sequence[int]) -> Node:
    """Reduces without widening."""
    name, neutral, _ = KINDS[kind]
    return e.reduce([x], [e.scalar(neutral(x.dtype), x.dtype)], dims, combine(name))[0] if dims else x


def _started(e: Emitter, kind: str, x: Node) -> Node:
    """A sum starts from 0.0: that of -0.0 only is 0.0. XLA leaves the start out where it takes it to change nothing."""
    return e.op("add", x.type, x, e.hidden(0.0, x.type)) if kind == "sum" and is_float(x.dtype) else x


def _reduction(kind: str) -> Lowering:
    def lower(e: Emitter, result: TensorType, x: Node, dims: Sequence[int]) -> Node:
        widened = e.widen(x) if KINDS[kind][2] else x
        return e.convert(_started(e, kind, reduce_by(e, kind, widened, dims)), x.dtype)

    return lower


def _arg(kind: str) -> Lowering:
    """The extreme element by one reduction, its first place by another: each runs vectorized, and an unused one is
    dead code. A single reduction of pairs is 3 to 6 times slower on XLA:CPU."""

    def lower(e: Emitter, result: Sequence[TensorType], x: Node, dim: int) -> Sequence[Node]:
        extreme = reduce_by(e, kind, x, (dim,))
        kept = [d for d in range(x.rank) if d != dim]
        found = e.compare("EQ", x, e.broadcast(extreme, x.shape, kept))
        found = e.either(found, e.is_nan(x))  # where any is NaN, so is the extreme, and no element equals it
        places = x.type.with_dtype("i32" if x.shape[dim] < 2**31 else "i64")
        place = e.select(found, e.iota(places, dim), e.splat(highest(places.dtype), places))
        return extreme, e.convert(reduce_by(e, "amin", place, (dim,)), "i64")

    return lower


for _kind in KINDS:
    lowering(_kind)(_reduction(_kind))
lowering("max")(_arg("amax"))
lowering("min")(_arg("amin"))


def _scan_window(e: Emitter, kind: str, x: Node, dim: int) -> Node:
    """All prefixes along a short `dim`, by one window that reaches back over all of it."""
    name, neutral, _ = KINDS[kind]
    window, before = [1] * x.rank, [0] * x.rank
    window[dim], before[dim] = x.shape[dim], x.shape[dim] - 1
    attributes = {"window_dimensions": i64s(window), "padding": padding(before, [0] * x.rank)}
    return e.with_body("reduce_window", [x.type], [x, e.scalar(neutral(x.dtype), x.dtype)], attributes, combine(name))[0]


def _scan_blocks(e: Emitter, kind: str, x: Node, dim: int) -> Node:
    """Scans within blocks, then the blocks' totals, then joins both: O(n) work in a few vectorized passes."""
    size = x.shape[dim]
    if size <= 2 * BLOCK:
        return _scan_window(e, kind, x, dim)
    name, neutral, _ = KINDS[kind]
    before, after, blocks = x.shape[:dim], x.shape[dim + 1 :], -(-size // BLOCK)
    unit = [int(d == dim) for d in range(x.rank)]
    fill = e.scalar(neutral(x.dtype), x.dtype)
    padded = e.pad(x, fill, [0] * x.rank, [(blocks * BLOCK - size) * one for one in unit])
    inner = _scan_window(e, kind, e.reshape(padded, (*before, blocks, BLOCK, *after)), dim + 1)
    totals = e.reshape(e.slice_dim(inner, dim + 1, BLOCK - 1, 1), (*before, blocks, *after))
    earlier = e.pad(_scan_blocks(e, kind, totals, dim), fill, unit, [-one for one in unit])
    spread = e.broadcast(earlier, inner.shape, [d for d in range(inner.rank) if d != dim + 1])
    joined = e.reshape(e.op(name, inner.type, spread, inner), padded.shape)
    return e.slice_dim(joined, dim, 0, size)


def _scan(kind: str) -> Lowering:
    def lower(e: Emitter, result: TensorType, x: Node, dim: int) -> Node:
        if result.size == 0:
            return x
        return e.convert(_started(e, kind, _scan_blocks(e, kind, e.widen(x), dim)), x.dtype)

    return lower


lowering("cumsum")(_scan("sum"))
lowering("cumprod")(_scan("prod"))
