"""The passes keep the meaning of a graph. The judge is numpy."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from evaluator_support import NUMPY, Array, cast, evaluate, graph, places, run, same_bits
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lazymlir.dialect import OPS, Builder, Node, TensorType
from lazymlir.dialect.attributes import NUMBER
from lazymlir.dialect.views import read_chain
from lazymlir.mlir import ir, shared_context, stablehlo
from lazymlir.passes import PASSES, Pipeline, functions
from lazymlir.passes.canonicalize.chains import apart, injective, normal, place, placed_type, unplace
from lazymlir.passes.canonicalize.numbers import converts_exactly, folds_casts
from lazymlir.passes.lazy_specialize_scalars import conditions

# Random views.


def shapes() -> st.SearchStrategy[tuple[int, ...]]:
    return st.sampled_from([0, 1, 2, 3, 3, 3]).flatmap(lambda rank: st.tuples(*[st.sampled_from([1, 2, 3, 5])] * rank))


@st.composite
def slice_steps(draw: st.DrawFn, shape: tuple[int, ...]) -> Any:
    starts, sizes, steps = [], [], []
    for whole in shape:
        step = draw(st.sampled_from([1, 1, 1, 2, 3]))
        size = draw(st.integers(1, (whole - 1) // step + 1))
        starts.append(draw(st.integers(0, whole - (size - 1) * step - 1)))
        sizes.append(size)
        steps.append(step)
    return ("slice", tuple(starts), tuple(sizes), tuple(steps))


@st.composite
def reshapes(draw: st.DrawFn, shape: tuple[int, ...]) -> Any:
    size = math.prod(shape)
    new: list[int] = []
    while size > 1:
        new.append(draw(st.sampled_from([n for n in range(2, size + 1) if size % n == 0])))
        size //= new[-1]
    for _ in range(draw(st.integers(0, 2))):
        new.insert(draw(st.integers(0, len(new))), 1)
    return ("reshape", tuple(new))


@st.composite
def strided_steps(draw: st.DrawFn, shape: tuple[int, ...]) -> Any:
    (whole,) = shape
    grids = itertools.product((1, 2, 3), (1, 2, 3), (1, 3, 5, 7), (1, 2))
    fitting = [grid for grid in grids if grid[2] > (grid[1] - 1) * grid[3] and _last(*grid) < whole]
    outer, inner, outer_stride, inner_stride = draw(st.sampled_from(fitting))
    start = draw(st.integers(0, whole - 1 - _last(outer, inner, outer_stride, inner_stride)))
    return ("strided", start, (outer, inner), (outer_stride, inner_stride))


def _last(outer: int, inner: int, outer_stride: int, inner_stride: int) -> int:
    return (outer - 1) * outer_stride + (inner - 1) * inner_stride


@st.composite
def views(draw: st.DrawFn, base: tuple[int, ...], longest: int = 5) -> list[Any]:
    """Placed steps from a base of that shape."""
    steps: list[Any] = []
    type_ = TensorType(base, "i64")
    for _ in range(draw(st.integers(0, longest))):
        shape = type_.shape
        kinds: list[Any] = [slice_steps(shape), reshapes(shape), st.permutations(range(len(shape))).map(lambda dims: ("permute", tuple(dims)))]
        steps.append(draw(st.one_of(*kinds, *([strided_steps(shape)] if len(shape) == 1 else []))))
        type_ = placed_type(type_, steps[-1])
    return steps


@st.composite
def based_views(draw: st.DrawFn) -> tuple[tuple[int, ...], list[Any]]:
    shape = draw(shapes())
    return shape, draw(views(shape))


# Views.


@settings(max_examples=400, derandomize=True, deadline=None)
@given(based_views())
def test_the_normal_form_of_a_view_shows_the_same_elements(drawn: tuple[tuple[int, ...], list[Any]]) -> None:
    shape, steps = drawn
    base = TensorType(shape, "f32")
    short = normal(base, steps)
    assert len(short) <= len(steps)
    assert np.array_equal(places(base, short), places(base, steps))
    assert normal(base, short) == short
    assert place(base, *unplace(base, short)) == short
    assert injective(base, short)


def test_a_view_that_shows_an_element_twice_is_not_injective() -> None:
    assert not injective(TensorType((4,), "f32"), [("strided", 0, (2, 3), (1, 1))])
    assert not injective(TensorType((1,), "f32"), normal(TensorType((1,), "f32"), [("expand", (4,))]))
    assert injective(TensorType((9,), "f32"), [("strided", 0, (3, 3), (1, 3))])


@st.composite
def pairs_of_views(draw: st.DrawFn) -> tuple[tuple[int, ...], list[Any], list[Any]]:
    shape = draw(shapes())
    return shape, draw(views(shape, 2)), draw(views(shape, 2))


@settings(max_examples=400, derandomize=True, deadline=None)
@given(pairs_of_views())
def test_views_said_to_be_apart_share_no_element(drawn: tuple[tuple[int, ...], list[Any], list[Any]]) -> None:
    shape, *both = drawn
    base = TensorType(shape, "f32")
    one, other = (normal(base, steps) for steps in both)
    shared = np.intersect1d(places(base, one), places(base, other))
    assert not apart(base, one, other) or shared.size == 0


def writing_graph(shape: tuple[int, ...], writes: Sequence[list[Any]], constant_starts: bool) -> tuple[ir.Module, list[Array]]:
    """Each view in turn is read and written twice; the second write adds one, the last also what a view read before."""
    base = TensorType(shape, "i64")
    unplaced = [unplace(base, steps) for steps in writes]
    updates = [placed_type_of(base, steps) for steps in writes]
    numbers = [start for _, starts in unplaced for start in starts if isinstance(start, int)]
    scalar = TensorType((), "i64")

    def fill(b: Builder, arguments: list[Node]) -> list[Node]:
        x, *rest = arguments
        values, starts = rest[: len(writes)], rest[len(writes) :]
        results: list[Node] = []
        if constant_starts:
            starts = [b.constant(number, scalar) for number in numbers]
        for (chain, mine), value in zip(unplaced, values, strict=True):
            operands, starts = starts[: len(mine)], starts[len(mine) :]
            before = read_chain(b, x, chain, operands)[-1]
            x = b.write_view(x, value, *operands, chain=chain)
            read = read_chain(b, x, chain, operands)[-1]
            x = b.write_view(x, b.add(read, before), *operands, chain=chain)
            results += [read, read_chain(b, x, chain, operands)[-1]]
        return [x, *results]

    arrays = [np.arange(100, 100 + base.size).reshape(shape)]
    arrays += [np.arange(k, k + 3 * update.size, 3).reshape(update.shape) for k, update in enumerate(updates)]
    arguments = [base, *updates, *([] if constant_starts else [scalar] * len(numbers))]
    if not constant_starts:
        arrays += [np.array(number) for number in numbers]
    return graph(arguments, fill), arrays


def placed_type_of(base: TensorType, steps: Sequence[Any]) -> TensorType:
    for step in steps:
        base = placed_type(base, step)
    return base


@st.composite
def several_views(draw: st.DrawFn) -> tuple[tuple[int, ...], list[list[Any]], bool]:
    shape = draw(shapes())
    pool = draw(st.lists(views(shape, 4), min_size=1, max_size=2))
    return shape, draw(st.lists(st.sampled_from(pool), min_size=1, max_size=3)), draw(st.booleans())


BOTH = "lazy-canonicalize,cse,lazy-invert-views,lazy-canonicalize,cse"


@settings(max_examples=80, derandomize=True, deadline=None)
@given(several_views())
@example(((2, 3, 5), [[("permute", (1, 2, 0)), ("reshape", (15, 2)), ("slice", (3, 1), (4, 1), (2, 1))]], False))
@example(((5,), [[("slice", (0,), (3,), (2,)), ("slice", (1,), (2,), (1,))]], False))
def test_writes_through_views_are_what_numpy_writes(drawn: tuple[tuple[int, ...], list[list[Any]], bool]) -> None:
    expected: list[Array] | None = None
    for passes in ("", "lazy-canonicalize", "lazy-invert-views", BOTH):
        module, arrays = writing_graph(*drawn)
        text = run(module, passes)
        found = evaluate(module, arrays)
        expected = expected or found
        assert all(map(np.array_equal, found, expected)), text
    assert "write_view" not in text
    assert run(module, "lazy-canonicalize,cse") == text


@settings(max_examples=15, derandomize=True, deadline=None)
@given(several_views())
def test_lowered_writes_are_what_the_reference_interpreter_computes(drawn: tuple[tuple[int, ...], list[list[Any]], bool]) -> None:
    module, arrays = writing_graph(*drawn)
    expected = evaluate(module, arrays)
    run(module, f"{BOTH},lazy-lower-to-stablehlo")
    with shared_context(), ir.Location.unknown():
        results = stablehlo.eval_module(module, [ir.DenseElementsAttr.get(np.array(array, order="C"), shape=array.shape) for array in arrays])
        found = [np.array(ir.DenseElementsAttr(result)) for result in results]
    assert all(map(np.array_equal, found, expected))


@pytest.mark.parametrize("part", ["real", "imag"])
def test_a_write_to_one_part_of_a_complex_tensor_keeps_the_other(part: str) -> None:
    base, update = TensorType((2, 3), "complex<f32>"), TensorType((3,), "f32")

    def fill(b: Builder, arguments: list[Node]) -> list[Node]:
        chain = ((part,), ("slice", (1, 3), (1, 1)), ("reshape", (3,)))
        return [b.write_view(*arguments[:2], arguments[2], chain=chain)]

    module = graph([base, update, TensorType((), "i64")], fill)
    run(module, "lazy-invert-views")
    z = (np.arange(6) + 1j * np.arange(10, 16)).astype("c8").reshape(2, 3)
    (found,) = evaluate(module, [z, np.array([7, 8, 9], "f4"), np.array(1)])
    getattr(z, part)[1] = [7, 8, 9]
    assert np.array_equal(found, z)


# Numbers.

SPECIAL = (0.0, -0.0, 1.0, -1.0, math.nan, math.inf, -math.inf, 0.1, 3.0)
FLOATS, INTS, COMPLEXES = ("f16", "f32", "f64"), ("i8", "ui8", "i32"), ("complex<f32>", "complex<f64>")
OPERATIONS = {
    **dict.fromkeys(FLOATS, ("add", "sub", "mul", "div", "pow", "neg", "abs", "maximum", "eq", "where")),
    **dict.fromkeys(INTS, ("add", "sub", "mul", "div", "neg", "abs", "maximum", "bitwise_not", "bitwise_and", "bitwise_or", "eq", "where")),
    **dict.fromkeys(COMPLEXES, ("add", "sub", "mul", "neg", "real", "imag")),
    "i1": ("bitwise_not", "bitwise_and", "bitwise_or", "eq", "where"),
}


def special_values(dtype: str) -> Array:
    if dtype == "i1":
        return np.arange(len(SPECIAL)) % 2 == 0
    kind = np.dtype(NUMPY[dtype])
    if kind.kind in "iu":
        return np.array([0, 1, 2, np.iinfo(kind).min, np.iinfo(kind).max, 100, 101, 3, 7], kind)
    if kind.kind == "c":
        return np.array([complex(x, y) for x, y in zip(SPECIAL, SPECIAL[::-1], strict=True)], kind)
    return np.array(SPECIAL, kind)


@st.composite
def recipes(draw: st.DrawFn) -> list[tuple[int, int, float, int, str]]:
    choice = st.integers(0, 10**6)
    constant = st.sampled_from([0, 1, 0.0, -0.0, 1.0, -1, math.nan, math.inf])
    step = st.tuples(choice, choice, constant, choice, st.sampled_from(list(OPERATIONS)))
    return draw(st.lists(step, min_size=1, max_size=12))


def follow(b: Builder, pool: list[Node], recipe: tuple[int, int, float, int, str]) -> Node:
    """One random operation on values of the pool, and often on a constant."""
    first, second, number, choice, dtype = recipe
    x = pool[first % len(pool)]
    if choice % 4 == 0:
        return b.cast(x, dtype)
    name = OPERATIONS[x.dtype][choice % len(OPERATIONS[x.dtype])]
    integral = x.dtype in INTS or x.dtype == "i1"
    constant = b.constant(0 if integral and not math.isfinite(number) else number, x.type)
    same = [node for node in pool if node.dtype == x.dtype]
    y = constant if second % 2 else same[second % len(same)]
    pairs = [x, y] if second % 3 else [y, x]
    if name == "where":
        conditions = [node for node in pool if node.dtype == "i1"]
        return b.where(conditions[second % len(conditions)], *pairs)
    return b.emit(name, pairs[: len(OPS[name].operands)], {})


def uses_of(b: Builder, name: str, condition: Node, x: Node, y: Node) -> list[Node]:
    if name == "where":
        return [b.where(condition, x, y), b.where(y, x, y) if y.dtype == "i1" else y]
    if len(OPS[name].operands) == 2:
        return [b.emit(name, (x, y), {}), b.emit(name, (y, x), {})]
    inner: Node = b.emit(name, (y,), {})
    return [inner, *([b.emit(name, (inner,), {})] if inner.dtype == x.dtype else [])]


def every_operation_with_a_constant(b: Builder, arguments: list[Node]) -> list[Node]:
    made: list[Node] = []
    condition = next(node for node in arguments if node.dtype == "i1")
    for x in arguments:
        numbers = (0, 1, -1) if x.dtype in INTS or x.dtype == "i1" else (0.0, -0.0, 1.0, -1.0, math.nan, math.inf)
        others = [x, *(b.constant(number, x.type) for number in numbers)]
        for name in OPERATIONS[x.dtype]:
            for y in others:
                made += uses_of(b, name, condition, x, y)
        made += [b.cast(b.cast(y, between), target) for y in others for between in OPERATIONS for target in OPERATIONS]
    return made


def test_an_operation_with_a_special_number_keeps_every_bit() -> None:
    types = [TensorType((len(SPECIAL),), dtype) for dtype in OPERATIONS]
    arrays = [special_values(dtype) for dtype in OPERATIONS]
    module = graph(types, every_operation_with_a_constant)
    expected = evaluate(module, arrays)
    run(module, "lazy-canonicalize")
    differing = [k for k, (found, wanted) in enumerate(zip(evaluate(module, arrays), expected, strict=True)) if not same_bits(found, wanted)]
    assert differing == []


@settings(max_examples=100, derandomize=True, deadline=None)
@given(recipes())
def test_simplified_algebra_changes_no_bit(drawn: list[tuple[int, int, float, int, str]]) -> None:
    dtypes = ("f16", "f32", "f64", "i8", "ui8", "i32", "complex<f32>", "i1")

    def fill(b: Builder, arguments: list[Node]) -> list[Node]:
        pool = list(arguments)
        for recipe in drawn:
            pool.append(follow(b, pool, recipe))
        return pool[len(arguments) :]

    module = graph([TensorType((len(SPECIAL),), dtype) for dtype in dtypes], fill)
    arrays = [special_values(dtype) for dtype in dtypes]
    expected = evaluate(module, arrays)
    text = run(module, "lazy-canonicalize")
    assert all(map(same_bits, evaluate(module, arrays), expected)), text
    assert run(module, "lazy-canonicalize") == text


def all_numbers(dtype: str) -> Array:
    if dtype == "i1":
        return np.array([False, True])
    numbers = np.arange(2 ** (8 * np.dtype(NUMPY[dtype]).itemsize), dtype=np.uint32)
    return numbers.astype(f"u{np.dtype(NUMPY[dtype]).itemsize}").view(NUMPY[dtype])


@pytest.mark.parametrize("source", ["i1", "i8", "ui8", "i16", "f16"])
def test_two_casts_become_one_only_if_all_numbers_agree(source: str) -> None:
    numbers = all_numbers(source)
    with np.errstate(all="ignore"):
        for between, target in itertools.product(NUMPY, NUMPY):
            if folds_casts(source, between, target):
                assert same_bits(cast(cast(numbers, between), target), cast(numbers, target)), (source, between, target)
            if converts_exactly(source, between):
                assert same_bits(cast(cast(numbers, between), source), numbers), (source, between)


# Scalars and donation.


def test_conditions_are_the_slots_that_were_specialized() -> None:
    def fill(b: Builder, arguments: list[Node]) -> list[Node]:
        made: list[Node] = []
        for slot, (kind, value) in enumerate([("float", 1.0), ("float", 0.5), ("int", 0), ("float", -0.0), ("complex", 1 + 0j), ("index", 1)]):
            made.append(b.scalar(slot=slot, kind=kind))
            made[-1].value.owner.attributes["value"] = NUMBER.write(value)
        return made

    module = graph([], fill)
    run(module, "lazy-specialize-scalars")
    with shared_context():
        (function,) = functions(module)
        assert conditions(function) == ((0, 1.0), (2, 0), (4, 1 + 0j))
    assert run(module, "lazy-canonicalize").count("slot") == 3


def test_the_option_of_a_pass_comes_back_from_its_text() -> None:
    assert str(Pipeline.parse("lazy-donate{minimum-bytes=8}")) == "builtin.module(lazy-donate{minimum-bytes=8})"
    assert {"lazy-specialize-scalars", "lazy-canonicalize", "lazy-invert-views", "lazy-donate"} <= set(PASSES)
