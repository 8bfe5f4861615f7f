"""Lowerings of dialect/contract.py. Products of 16-bit floats have float32 results, then rounded: XLA:CPU's fast path
on jaxlib 0.10 (2 to 5 times), and a promise of float32 accumulation everywhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

from lazymlir.dialect import Node, TensorType, tensor_type
from lazymlir.dialect.attributes import INTS
from lazymlir.dialect.contract import window_size
from lazymlir.dialect.types import BOOL, highest, lowest
from lazymlir.mlir import ir, stablehlo

from .reduce import KINDS, combine
from .registry import Body, Emitter, i64, i64s, lowering, padding

Ints = Sequence[int]
WINDOW_KINDS = {"sum": "sum", "max": "amax", "min": "amin"}
UNROLLED = 32
"""Windows of at most this many elements become slices, which XLA:CPU vectorizes; its windows are scalar loops."""


def _accumulated(x: Node, result: TensorType) -> TensorType:
    return result.with_dtype("f32") if x.dtype in ("f16", "bf16") else result


@lowering("dot")
def dot(e: Emitter, result: TensorType, x: Node, y: Node, x_batch: Ints, y_batch: Ints, x_contract: Ints, y_contract: Ints) -> Node:
    if x.dtype in ("f16", "bf16") and x_batch and all(x.shape[dim] == 1 for dim in x_batch):
        # XLA:CPU takes batches of one away too late: it has no code then for transposed operands of 16 bits.
        (x, x_contract), (y, y_contract) = _unbatched(e, x, x_batch, x_contract), _unbatched(e, y, y_batch, y_contract)
        return e.reshape(dot(e, result.with_shape(result.shape[len(x_batch) :]), x, y, (), (), x_contract, y_contract), result.shape)
    numbers = stablehlo.DotDimensionNumbers.get(list(x_batch), list(y_batch), list(x_contract), list(y_contract))
    made = e.op("dot_general", _accumulated(x, result), x, y, dot_dimension_numbers=numbers)
    return e.convert(made, result.dtype)


def _unbatched(e: Emitter, x: Node, batch: Ints, contract: Ints) -> tuple[Node, Ints]:
    """The operand and its contracted dimensions without batch dimensions of size 1."""
    kept = [dim for dim in range(x.rank) if dim not in batch]
    return e.reshape(x, [x.shape[dim] for dim in kept]), [kept.index(dim) for dim in contract]


@lowering("convolution")
def convolution(
    e: Emitter,
    result: TensorType,
    x: Node,
    weight: Node,
    strides: Ints,
    low: Ints,
    high: Ints,
    x_dilation: Ints,
    weight_dilation: Ints,
    groups_count: int,
    batch_groups: int,
) -> Node:
    x, (batch, feature, *space) = _untransposed(x)
    weight, (output, inputs, *window) = _untransposed(weight)
    order = _read_as(e)
    wanted = result if order is None else result.with_shape(tuple(result.shape[dim] for dim in order))
    given_batch, given_feature, *given_space = (order.index(dim) if order else dim for dim in range(result.rank))
    numbers = stablehlo.ConvDimensionNumbers.get(batch, feature, space, inputs, output, window, given_batch, given_feature, given_space)
    attributes = {
        "window_strides": i64s(strides),
        "padding": padding(low, high),
        "lhs_dilation": i64s(x_dilation),
        "rhs_dilation": i64s(weight_dilation),
        "dimension_numbers": numbers,
        "feature_group_count": i64(groups_count),
        "batch_group_count": i64(batch_groups),
    }
    made = e.convert(e.op("convolution", _accumulated(x, wanted), x, weight, **attributes), result.dtype)
    return made if order is None else e.transpose(made, [order.index(dim) for dim in range(result.rank)])


def _untransposed(x: Node) -> tuple[Node, list[int]]:
    """What `x` is a transposition of, and which of its dimensions each dimension of `x` is."""
    owner = x.value.owner
    if isinstance(owner, ir.Block) or owner.name != "stablehlo.transpose":
        return x, list(range(x.rank))
    source = owner.operands[0]
    return Node(source, tensor_type(source.type)), list(ir.DenseI64ArrayAttr(owner.attributes["permutation"]))


def _read_as(e: Emitter) -> list[int] | None:
    """The permutation by which all read the result of the operation being lowered."""
    lowered = e.point.ref_operation
    users = [use.owner for use in lowered.operation.results[0].uses] if lowered is not None else []
    orders = {INTS.read(user.attributes["dims"]) if user.name == "lazy.permute" else None for user in users}
    order = orders.pop() if len(orders) == 1 else None
    return None if order is None else list(order)


class _Window:
    """A window over every dimension of `x`, which is padded with `fill` and dilated."""

    def __init__(self, x: Node, size: Ints, strides: Ints, low: Ints, high: Ints, x_dilation: Ints, dilation: Ints) -> None:
        self.x, self.size, self.strides, self.low, self.high, self.x_dilation, self.dilation = x, size, strides, low, high, x_dilation, dilation
        self.shape = tuple(window_size(*args) for args in zip(x.shape, size, strides, low, high, x_dilation, dilation, strict=True))

    @property
    def small(self) -> bool:
        return prod(self.size) <= UNROLLED

    def slices(self, e: Emitter, fill: Node) -> Iterator[tuple[tuple[int, ...], Node]]:
        """For each element of the window, in order: its offset from the window's start, and its value in every window."""
        # Without the barrier XLA computes what made `x` again for every slice.
        (x,) = e.kept(self.x)
        padded = e.pad(x, fill, self.low, self.high, [count - 1 for count in self.x_dilation])
        for element in product(*map(range, self.size)):
            offset = tuple(i * step for i, step in zip(element, self.dilation, strict=True))
            yield offset, e.slice(padded, offset, self.shape, self.strides)

    def reduce(self, e: Emitter, operands: Sequence[Node], initial: Sequence[Node], body: Body) -> tuple[Node, ...]:
        """`stablehlo.reduce_window`."""
        attributes = {
            "window_dimensions": i64s(self.size),
            "window_strides": i64s(self.strides),
            "base_dilations": i64s(self.x_dilation),
            "window_dilations": i64s(self.dilation),
            "padding": padding(self.low, self.high),
        }
        results = [node.type.with_shape(self.shape) for node in operands]
        return e.with_body("reduce_window", results, [*operands, *initial], attributes, body)


def _reduce_windows(e: Emitter, kind: str, window: _Window) -> Node:
    name, neutral, _ = KINDS[kind]
    fill = e.scalar(neutral(window.x.dtype), window.x.dtype)
    if not window.small:
        return window.reduce(e, [window.x], [fill], combine(name))[0]
    (_, reduced), *rest = window.slices(e, fill)
    for _, piece in rest:
        reduced = e.op(name, piece.type, reduced, piece)
    return reduced


@lowering("reduce_window")
def reduce_window(
    e: Emitter, result: TensorType, x: Node, kind: str, window: Ints, strides: Ints, low: Ints, high: Ints, x_dilation: Ints, dilation: Ints
) -> Node:
    if result.size == 0:
        return e.splat(0, result)
    x = e.widen(x) if kind == "sum" else x
    return e.convert(_reduce_windows(e, WINDOW_KINDS[kind], _Window(x, window, strides, low, high, x_dilation, dilation)), result.dtype)


@lowering("max_pool")
def max_pool(
    e: Emitter, result: Sequence[TensorType], x: Node, window: Ints, strides: Ints, low: Ints, high: Ints, dilation: Ints
) -> tuple[Node, Node]:
    if result[0].size == 0:
        return e.splat(0, result[0]), e.splat(0, result[1])
    ones, zeros = (1,) * (x.rank - len(window)), (0,) * (x.rank - len(window))
    whole = _Window(x, (*ones, *window), (*ones, *strides), (*zeros, *low), (*zeros, *high), (1,) * x.rank, (*ones, *dilation))
    if e.unused(1):
        return _reduce_windows(e, "amax", whole), e.splat(0, result[1])
    pool = _Places(e, whole, len(ones))
    value, place = pool.by_slices() if whole.small else pool.by_pairs()
    # The barrier keeps XLA from finding the places again wherever a gradient asks for them.
    value, place = e.kept(value, place)
    return value, pool.valid(place)


class _Places:
    """Maxima of windows and their places, counted in row-major order over the dimensions from `first` on.

    As torch decides: the first of equal elements wins, the last NaN, and padding never.
    """

    def __init__(self, e: Emitter, window: _Window, first: int) -> None:
        self.e, self.window, self.first = e, window, first
        self.count = prod(window.x.shape[first:])
        self.dtype = "i32" if self.count < 2**31 else "i64"
        self.type = TensorType(window.shape, self.dtype)
        self.rows = [prod(window.x.shape[dim + 1 :]) if dim >= first else 0 for dim in range(window.x.rank)]

    def by_slices(self) -> tuple[Node, Node]:
        e, x, window = self.e, self.window.x, self.window
        fill = e.scalar(lowest(x.dtype), x.dtype)
        best = e.broadcast(fill, window.shape, [])
        place = self._sum([self._first_inside(dim) if window.low[dim] > 0 else None for dim in range(x.rank)], self.type)
        for offset, piece in window.slices(e, fill):
            wins = e.either(e.compare("GT", piece, best), e.is_nan(piece))
            distance = sum(i * row for i, row in zip(offset, self.rows, strict=True))
            best, place = e.select(wins, piece, best), e.select(wins, e.splat(distance, self.type), place)
        starts = self._sum([self._start(dim) if dim >= self.first else None for dim in range(x.rank)], self.type)
        return best, e.op("add", self.type, place, starts)

    def by_pairs(self) -> tuple[Node, Node]:
        e, x = self.e, self.window.x
        type_ = x.type.with_dtype(self.dtype)
        places = self._sum([e.iota(type_, dim) if dim >= self.first else None for dim in range(x.rank)], type_)
        initial = [e.scalar(lowest(x.dtype), x.dtype), e.scalar(highest(self.dtype), self.dtype)]
        value, place = self.window.reduce(e, [x, places], initial, _better)
        return value, place

    def valid(self, place: Node) -> Node:
        """A window may lie in the padding altogether: its place is then the nearest one."""
        e = self.e
        if any((*self.window.low, *self.window.high)):
            place = e.op("clamp", place.type, e.scalar(0, self.dtype), place, e.scalar(self.count - 1, self.dtype))
        return e.convert(place, "i64")

    def _sum(self, counts: Sequence[Node | None], type_: TensorType) -> Node:
        """From counts along each dimension to one place; None counts as 0."""
        e, total = self.e, self.e.splat(0, type_)
        for count, row in zip(counts, self.rows, strict=True):
            total = total if count is None else e.op("add", type_, total, e.scaled(count, row))
        return total

    def _start(self, dim: int) -> Node:
        """Where each window begins along `dim`; below 0 in the padding."""
        scaled = self.e.scaled(self.e.iota(self.type, dim), self.window.strides[dim])
        return self.e.shifted(scaled, -self.window.low[dim])

    def _first_inside(self, dim: int) -> Node:
        """How far each window's first element that is not padding lies from its start."""
        e, step = self.e, self.window.dilation[dim]
        missing = e.op("maximum", self.type, e.op("negate", self.type, self._start(dim)), e.splat(0, self.type))
        if step == 1:
            return missing
        steps = e.op("divide", self.type, e.shifted(missing, step - 1), e.splat(step, self.type))
        return e.scaled(steps, step)


def _better(e: Emitter, value: Node, place: Node, new_value: Node, new_place: Node) -> Sequence[Node]:
    """The larger element, the first of equal ones, the last NaN; padding stands behind every place."""
    first = e.op("and", TensorType((), BOOL), e.compare("EQ", new_value, value), e.compare("LT", new_place, place))
    wins = e.either(e.compare("GT", new_value, value), first)
    nan, new_nan = e.is_nan(value), e.is_nan(new_value)
    if nan is not None and new_nan is not None:
        later = e.either(e.op("not", nan.type, nan), e.compare("GT", new_place, place))
        wins = e.either(wins, e.op("and", wins.type, new_nan, later))
    return e.select(wins, new_value, value), e.select(wins, new_place, place)
