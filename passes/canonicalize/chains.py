"""The algebra of view chains: which steps vanish, join, or pass each other.

A placed step is a step of `dialect.views` that also says where it reads: `("slice", starts, sizes, steps)` with a start
for every dimension, `("strided", start, sizes, strides)`; the other kinds are as they are. A start is a number, or the
value of the graph that holds it. Views with one normal form read the same elements in the same order. The normal form
takes slices first, then permutations, then reshapes: writing through a slice of the base itself is the cheapest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import gcd
from typing import Any

from lazymlir.dialect import Builder, Node, TensorType
from lazymlir.dialect.shape import DYNAMIC, may_overlap
from lazymlir.dialect.views import Chain, Step, dynamic_dims, read_step, step_type
from lazymlir.mlir import ir

__all__ = ["START", "Placed", "Start", "apart", "injective", "normal", "place", "placed_type", "read_placed", "start_node", "unplace"]

Start = int | ir.Value
Placed = tuple[Any, ...]

START = TensorType((), "i64")


def place(base: TensorType, chain: Chain, starts: Sequence[Start]) -> list[Placed]:
    """The steps of a chain together with its starts."""
    placed: list[Placed] = []
    left = iter(starts)
    for step in chain:
        placed.append(_place_step(base, step, left))
        base = placed_type(base, placed[-1])
    return placed


def _place_step(x: TensorType, step: Step, starts: Iterator[Start]) -> Placed:
    if step[0] == "strided":
        return ("strided", next(starts), *step[1:])
    if step[0] != "slice":
        return step
    placed = tuple(0 if size == whole else next(starts) for size, whole in zip(step[1], x.shape, strict=True))
    return ("slice", placed, *step[1:])


def unplace(base: TensorType, steps: Sequence[Placed]) -> tuple[Chain, list[Start]]:
    """The inverse of `place`."""
    chain: list[Step] = []
    starts: list[Start] = []
    x = base
    for placed in steps:
        step = _unplaced(placed)
        if placed[0] == "slice":
            starts += [placed[1][dim] for dim in dynamic_dims(x, step)]
        elif placed[0] == "strided":
            starts.append(placed[1])
        chain.append(step)
        x = placed_type(x, placed)
    return tuple(chain), starts


def _unplaced(placed: Placed) -> Step:
    return (placed[0], *placed[2:]) if placed[0] in ("slice", "strided") else placed


def placed_type(x: TensorType, step: Placed) -> TensorType:
    """The type after one step from `x`, which must be valid."""
    kind = step[0]
    if kind in _SHAPE_AT:
        return x.with_shape(step[_SHAPE_AT[kind]])
    return x.with_shape(_permuted(x, step[1])) if kind == "permute" else step_type(x, step)


# Where a step says its shape: its type rule would check it once more, which costs more than all the rest.
_SHAPE_AT = {"slice": 2, "strided": 2, "reshape": 1, "expand": 1}


def _permuted(x: TensorType, dims: Sequence[int]) -> tuple[int, ...]:
    return tuple(x.shape[dim] for dim in dims)


def start_node(b: Builder, start: Start) -> Node:
    return b.constant(start, START) if isinstance(start, int) else Node(start, START)


def read_placed(b: Builder, x: Node, step: Placed) -> Node:
    """The operation that reads one step; starts that are numbers become static."""
    kind, *args = step
    if kind != "slice":
        return read_step(b, x, _unplaced(step), [start_node(b, args[0])] if kind == "strided" else [])
    starts, sizes, steps = args
    operands = [Node(start, START) for start in starts if not isinstance(start, int)]
    static = tuple(start if isinstance(start, int) else DYNAMIC for start in starts)
    return b.slice(x, *operands, starts=static, sizes=sizes, steps=steps)


def injective(base: TensorType, steps: Iterable[Placed]) -> bool:
    """Whether the view, in normal form, surely shows no element of its base twice."""
    return all(step[0] != "expand" and (step[0] != "strided" or not may_overlap(*step[2:])) for step in steps)


def apart(base: TensorType, one: Sequence[Placed], other: Sequence[Placed]) -> bool:
    """Whether two views in normal form surely show no element of their base both; of a complex one, its other part."""
    shared = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    if shared is None:
        return False
    a, b = one[shared], other[shared]
    if {a[0], b[0]} == {"real", "imag"}:
        return True
    return a[0] == b[0] == "slice" and injective(base, one[:shared]) and any(_ranges_apart(*dims) for dims in zip(*a[1:], *b[1:], strict=True))


def _ranges_apart(start: Start, size: int, step: int, other_start: Start, other_size: int, other_step: int) -> bool:
    if not isinstance(start, int) or not isinstance(other_start, int):
        return False
    first, second = (range(begin, begin + n * by, by) for begin, n, by in ((start, size, step), (other_start, other_size, other_step)))
    if not first or not second:
        return False
    return first[-1] < second[0] or second[-1] < first[0] or (start - other_start) % gcd(step, other_step) != 0


def normal(base: TensorType, steps: Sequence[Placed]) -> list[Placed]:
    """The normal form of a view of a value of type `base`."""
    done: list[Placed] = []
    types = [base]
    todo = list(reversed(steps))
    while todo:
        step = _alone(types[-1], todo.pop())
        if step is None:
            continue
        joined = _join(types[-2], done[-1], step) if done else None
        if joined is None:
            types.append(placed_type(types[-1], step))
            done.append(step)
            continue
        done.pop()
        types.pop()
        todo += reversed(joined)
    return done


# One step alone: None if it shows its operand as it is.


def _alone(x: TensorType, step: Placed) -> Placed | None:
    simplify = _ALONE.get(step[0])
    return simplify(x, step) if simplify else step


def _permute_alone(x: TensorType, step: Placed) -> Placed | None:
    moved = [dim for dim in step[1] if x.shape[dim] != 1]
    if moved != sorted(moved):
        return step
    return _reshape_alone(x, ("reshape", _permuted(x, step[1])))


def _reshape_alone(x: TensorType, step: Placed) -> Placed | None:
    return None if step[1] == x.shape else step


def _expand_alone(x: TensorType, step: Placed) -> Placed | None:
    return step if x.with_shape(step[1]).size != x.size else _reshape_alone(x, ("reshape", step[1]))


def _bitcast_alone(x: TensorType, step: Placed) -> Placed | None:
    return None if step[1] == x.dtype else step


def _slice_alone(x: TensorType, step: Placed) -> Placed | None:
    _, starts, sizes, steps = step
    steps = tuple(1 if size <= 1 else stride for size, stride in zip(sizes, steps, strict=True))
    spans = ((size - 1) * stride + 1 if size else 0 for size, stride in zip(sizes, steps, strict=True))
    # A window as long as its dimension has one place only: starts are in range by promise.
    starts = tuple(0 if span == whole else start for start, span, whole in zip(starts, spans, x.shape, strict=True))
    return None if sizes == x.shape else ("slice", starts, sizes, steps)


_ALONE: dict[str, Callable[[TensorType, Placed], Placed | None]] = {
    "permute": _permute_alone,
    "reshape": _reshape_alone,
    "expand": _expand_alone,
    "bitcast": _bitcast_alone,
    "slice": _slice_alone,
}

# Two adjacent steps from `x`: what they are together, None if they stay.


def _join(x: TensorType, first: Placed, second: Placed) -> list[Placed] | None:
    join = _JOIN.get((first[0], second[0]))
    return join(x, first, second) if join else None


def _last(x: TensorType, first: Placed, second: Placed) -> list[Placed]:
    return [second]


def _permutes(x: TensorType, first: Placed, second: Placed) -> list[Placed]:
    return [("permute", tuple(first[1][dim] for dim in second[1]))]


def _reshape_expand(x: TensorType, first: Placed, second: Placed) -> list[Placed] | None:
    leading = len(first[1]) - x.rank
    return [second] if leading >= 0 and first[1] == (1,) * leading + x.shape else None


def _slices(x: TensorType, first: Placed, second: Placed) -> list[Placed] | None:
    starts = [_start_of_start(*parts) for parts in zip(first[1], first[3], second[1], strict=True)]
    if any(start is None for start in starts):
        return None
    return [("slice", tuple(starts), second[2], tuple(a * b for a, b in zip(first[3], second[3], strict=True)))]


def _start_of_start(outer: Start, step: int, inner: Start) -> Start | None:
    if isinstance(inner, int):
        return outer if inner == 0 else outer + step * inner if isinstance(outer, int) else None
    return inner if step == 1 and isinstance(outer, int) and outer == 0 else None


def _permute_slice(x: TensorType, first: Placed, second: Placed) -> list[Placed]:
    columns = [tuple(column[first[1].index(dim)] for dim in range(x.rank)) for column in second[1:]]
    return [("slice", *columns), first]


def _units_of(x: TensorType, shape: tuple[int, ...]) -> tuple[list[int], list[int]] | None:
    """The dimensions larger than 1 before and after a reshape that only adds and removes ones."""
    old = [dim for dim, size in enumerate(x.shape) if size != 1]
    new = [dim for dim, size in enumerate(shape) if size != 1]
    return (old, new) if [x.shape[dim] for dim in old] == [shape[dim] for dim in new] else None


def _reshape_slice(x: TensorType, first: Placed, second: Placed) -> list[Placed] | None:
    matched = _units_of(x, first[1])
    if matched is None or 0 in second[2]:
        return None
    columns = [[0] * x.rank, [1] * x.rank, [1] * x.rank]
    for column, values in zip(columns, second[1:], strict=True):
        for old, new in zip(*matched, strict=True):
            column[old] = values[new]
    return [("slice", *map(tuple, columns)), ("reshape", second[2])]


def _reshape_permute(x: TensorType, first: Placed, second: Placed) -> list[Placed] | None:
    matched = _units_of(x, first[1])
    if matched is None:
        return None
    old_of = dict(zip(matched[1], matched[0], strict=True))
    order = iter([old_of[dim] for dim in second[1] if dim in old_of])
    dims = tuple(dim if size == 1 else next(order) for dim, size in enumerate(x.shape))
    return [("permute", dims), ("reshape", tuple(first[1][dim] for dim in second[1]))]


_JOIN: dict[tuple[str, str], Callable[[TensorType, Placed, Placed], list[Placed] | None]] = {
    ("permute", "permute"): _permutes,
    ("reshape", "reshape"): _last,
    ("expand", "expand"): _last,
    ("bitcast", "bitcast"): _last,
    ("reshape", "expand"): _reshape_expand,
    ("slice", "slice"): _slices,
    ("permute", "slice"): _permute_slice,
    ("reshape", "slice"): _reshape_slice,
    ("reshape", "permute"): _reshape_permute,
}
