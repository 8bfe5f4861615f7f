"""Cases of reductions, moves, contractions, windows, indexing and sorting."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import torch
from lowering_fourier_cases import fourier_cases
from lowering_linalg_cases import linalg_cases
from lowering_references import convolved, exactly, index_put, padded, pooled, reduced, replaced, scattered, sliced, strided_put, windowed
from lowering_support import COMPLEXES, FEW, FLOATS, INF, INTS, MLIR, NAN, NUMPY, Array, Case, array, normal


def reduce_cases() -> Iterator[Case]:
    def case(name: str, x: Array, *dims: int) -> Case:
        return Case(name, (x,), lambda x: reduced(name, x, dims), {"dims": dims})

    for name, dtype in itertools.product(("sum", "prod", "amax", "amin"), ("f16", "f64", *FEW)):
        if not (name.startswith("am") and dtype in COMPLEXES):
            x = normal((4, 5, 6), dtype)
            yield from (case(name, x, 1), case(name, x, 0, 2))
    yield from (case(name, normal((2, 3))) for name in ("sum", "amax"))
    for name, dims in itertools.product(("all", "any"), ((1,), (0, 1), ())):
        yield case(name, normal((2, 7), "i1", 3), *dims)
    for size in (3, 40):
        x = normal((size, size))
        x[1, 2], x[2, 0] = NAN, -INF
        yield from (case(name, x, dim) for name in ("amax", "amin", "sum") for dim in (0, 1))
    yield from many_nans()
    yield from (case(name, np.zeros((0, 3), "f4"), 0) for name in ("sum", "prod"))
    yield from (case(name, np.zeros((0, 3), "?"), 0) for name in ("all", "any"))
    for dtype, low, high in (("f32", -INF, INF), ("i8", -128, 127), ("ui8", 0, 255)):
        for name, value in (("amax", low), ("amin", high)):
            yield Case(name, (np.zeros((0, 3), NUMPY[dtype]),), lambda x, v=value: np.full(3, v, x.numpy().dtype), {"dims": (0,)})
    yield case("sum", array(np.full(4000, 0.1), "bf16"), 0)
    yield case("sum", array(np.full(4000, 20.0), "f16"), 0)
    yield case("sum", array([100, 100], "i8"), 0)
    for name, dtype in itertools.product(("max", "min"), ("f64", *FEW[:-1], "i1")):
        yield from arg_cases(name, normal((4, 7, 5), dtype))
    for values in ([1, NAN, 3, NAN], [1, 3, 3, 1], [-INF, -INF], [INF, INF], [-0.0, 0.0], [2]):
        yield from (Case(name, (array(values, "f32"),), lambda x, n=name: getattr(torch, n)(x, 0), {"dim": 0}) for name in ("max", "min"))


def many_nans() -> Iterator[Case]:
    """Large enough for the library to which XLA:CPU gives plain reductions."""
    for dtype, dim in itertools.product(("bf16", "f32", "f64"), (0, 1)):
        x = normal((333, 257), dtype)
        x[::7, ::9] = NAN
        x[100] = x[:, 5] = 1
        for name in ("amax", "amin"):
            yield Case(name, (x,), lambda x, name=name, dim=dim: getattr(torch, name)(x, dim), {"dims": (dim,)})
    yield from arg_cases("max", x)


def arg_cases(name: str, x: Array) -> Iterator[Case]:
    for dim in range(x.ndim):
        yield Case(name, (x,), lambda x, dim=dim: getattr(torch, name)(x, dim), {"dim": dim})


def scan_cases() -> Iterator[Case]:
    def case(name: str, x: Array, dim: int) -> Case:
        return Case(name, (x,), lambda x: getattr(torch, name)(x, dim, dtype=x.dtype), {"dim": dim})

    for name, dtype in itertools.product(("cumsum", "cumprod"), ("f16", *FEW)):
        x = normal((3, 9), dtype)
        yield case(name, x / np.abs(x).max() if dtype in FLOATS else x, 1)
    for shape, dim in [((9, 2), 0), ((1000,), 0), ((33,), 0), ((2, 300, 3), 1), ((0, 3), 0), ((3, 0), 0), ((1,), 0)]:
        yield from (case("cumsum", normal(shape, dtype), dim) for dtype in ("f32", "i64"))
    yield case("cumprod", array([1, 2, NAN, 3] + [1] * 40, "f32"), 0)


def shape_cases() -> Iterator[Case]:
    x = normal((4, 6))
    yield Case("permute", (normal((2, 3, 4)),), lambda x: x.permute(2, 0, 1), {"dims": (2, 0, 1)})
    yield Case("permute", (normal(()),), lambda x: x, {"dims": ()})
    yield Case("reshape", (x,), lambda x: x.reshape(3, 8), {"shape": (3, 8)})
    yield Case("reshape", (normal((1, 1)),), lambda x: x.reshape(()), {"shape": ()})
    for small, shape in [((), (2, 3)), ((1, 3), (4, 2, 3)), ((3, 1), (3, 0)), ((), ())]:
        yield Case("expand", (normal(small),), lambda x, s=shape: x.expand(s), {"shape": shape})
    for starts, sizes, steps in [((1, 0), (2, 3), (1, 2)), ((0, 0), (4, 6), (1, 1)), ((4, 2), (0, 2), (1, 3))]:
        box = {"starts": starts, "sizes": sizes, "steps": steps}
        yield Case("slice", (x,), lambda x, b=box: sliced(x, **b), box)
    for given, starts, sizes, steps in [((1,), (-1, 2), (2, 2), (2, 3)), ((1, 2), (-1, -1), (3, 4), (1, 1)), ((3,), (0, -1), (4, 0), (1, 1))]:
        actual = itertools.chain(given)
        whole = tuple(next(actual) if s == -1 else s for s in starts)
        box = {"starts": whole, "sizes": sizes, "steps": steps}
        operands = [np.array(value, "i8") for value in given]
        yield Case("slice", (x, *operands), lambda x, *_, b=box: sliced(x, **b), {**box, "starts": starts})
    for dtype in ("f32", "i1"):
        big, small = normal((4, 6), dtype), normal((2, 3), dtype, 1)
        yield Case("update_slice", (big, small), replaced, {"starts": (1, 2)})
        yield Case("update_slice", (big, small, np.array(2, "i8")), replaced, {"starts": (1, -1)})
    yield Case("update_slice", (x, np.ones_like(x)), lambda x, u: u, {"starts": (0, 0)})
    yield Case("update_slice", (x, x[:, :0]), lambda x, u: x, {"starts": (0, 3)})
    for low, high, interior in [((1, 2), (0, 3), (0, 0)), ((-1, 0), (2, -2), (0, 1)), ((0, 0), (0, 0), (0, 0))]:
        edges = {"low": low, "high": high, "interior": interior}
        yield Case("pad", (x, np.array(7, "f4")), lambda x, v, edges=edges: padded(x.numpy(), **edges), edges)
    yield Case("pad", (x[:0], np.array(7, "f4")), lambda x, v: np.full((3, 6), 7, "f4"), {"low": (1, 0), "high": (2, 0), "interior": (1, 0)})
    yield Case("optimization_barrier", (x,), lambda x: x)
    yield Case("after", (x, np.array(7, "i8")), lambda x, other: x)
    for dims in ((0,), (1, 0), ()):
        yield Case("flip", (x,), lambda x, d=dims: x.flip(d), {"dims": dims})
    for parts in ([x, x[:, :1], x[:, :0]], [x]):
        yield Case("cat", tuple(parts), lambda *xs: torch.cat(xs, 1), {"dim": 1})
    yield from strided_cases()


def strided_cases() -> Iterator[Case]:
    flat = normal((30,))
    apart = [
        ((3, 4), (7, 1), 2),
        ((2, 3), (3, 1), 5),
        ((3, 2), (1, 5), 0),
        ((), (), 4),
        ((0, 2), (1, 1), 0),
        ((5, 1), (6, 9), 1),
        ((2, 3), (11, 3), 4),
    ]
    overlapping = [((4, 3), (1, 1), 3), ((2, 2, 3), (10, 0, 2), 1)]
    for sizes, strides, first in (*apart, *overlapping):
        start, view = np.array(first, "i8"), {"sizes": sizes, "strides": strides}
        yield Case("strided", (flat, start), lambda x, s, view=view: torch.as_strided(x, view["sizes"], view["strides"], int(s)), view)
        inputs = (flat, normal(sizes, seed=1), start)
        yield Case("strided_update", inputs, functools.partial(strided_put, strides), {"strides": strides})


def dot_cases() -> Iterator[Case]:
    dims = {"x_batch": (), "y_batch": (), "x_contract": (1,), "y_contract": (0,)}
    for dtype in (*FLOATS, *INTS, *COMPLEXES):
        yield Case("dot", (normal((3, 5), dtype), normal((5, 4), dtype, 1)), functools.partial(exactly, "ij,jk->ik"), dims)
    for dtype in ("bf16", "f16"):
        yield Case("dot", (array(np.full((2, 3000), 0.1), dtype), array(np.ones((3000, 2)), dtype)), functools.partial(exactly, "ij,jk->ik"), dims)
    batched = {"x_batch": (0, 2), "y_batch": (1, 0), "x_contract": (3,), "y_contract": (3,)}
    yield Case("dot", (normal((2, 4, 3, 5)), normal((3, 2, 6, 5), seed=1)), functools.partial(exactly, "bicj,cbkj->bcik"), batched)
    for left, right in [((0, 5), (5, 4)), ((3, 0), (0, 4))]:
        yield Case("dot", (normal(left), normal(right)), torch.matmul, dims)
    yield Case("dot", (normal((5,)), normal((5,))), torch.dot, {**dims, "x_contract": (0,)})


def convolution_cases() -> Iterator[Case]:
    def case(x: Array, weight: Array, **given: Any) -> Case:
        rank = x.ndim - 2
        names = {"strides": 1, "low": 0, "high": 0, "x_dilation": 1, "weight_dilation": 1}
        attributes = {name: tuple(given.get(name, (default,) * rank)) for name, default in names.items()}
        attributes |= {name: given.get(name, 1) for name in ("groups_count", "batch_groups")}
        return Case("convolution", (x, weight), functools.partial(convolved, **attributes), attributes)

    for dtype in ("f16", "bf16", "f32", "f64", "complex<f32>", "i64"):
        yield case(normal((2, 3, 7, 6), dtype), normal((4, 3, 3, 2), dtype, 1), strides=(2, 1), low=(1, 1), high=(1, 1))
    yield case(normal((2, 3, 9)), normal((4, 3, 3)), weight_dilation=(2,))
    yield case(normal((1, 2, 5, 6, 4)), normal((3, 2, 2, 3, 2)), strides=(1, 2, 1), low=(1, 0, 1), high=(0, 1, 1))
    yield case(normal((2, 6, 8, 8)), normal((9, 2, 3, 3)), groups_count=3, low=(2, -1), high=(0, 1))
    yield case(normal((2, 3, 5, 5)), normal((4, 3, 3, 3)), x_dilation=(2, 3), low=(2, 1), high=(2, 2))
    yield case(normal((6, 3, 5, 5)), normal((4, 3, 2, 2)), batch_groups=2)
    yield case(normal((4, 6)), normal((9, 2)), groups_count=3)
    yield case(normal((0, 3, 5, 5)), normal((4, 3, 2, 2)))
    yield case(normal((1, 3, 2, 5)), normal((4, 3, 3, 2)))


def window_cases() -> Iterator[Case]:
    shapes: list[tuple[tuple[int, ...], dict[str, tuple[int, ...]]]] = [
        ((5, 6), {"window": (2, 3), "strides": (1, 2), "low": (1, 0), "high": (0, 1), "x_dilation": (1, 1), "dilation": (1, 1)}),
        ((4, 4), {"window": (2, 2), "strides": (1, 1), "low": (1, 1), "high": (1, 1), "x_dilation": (2, 3), "dilation": (2, 1)}),
        ((9, 9), {"window": (7, 6), "strides": (2, 1), "low": (-1, 2), "high": (3, 0), "x_dilation": (1, 1), "dilation": (1, 1)}),
        ((3, 3), {"window": (4, 1), "strides": (1, 1), "low": (0, 0), "high": (0, 0), "x_dilation": (1, 1), "dilation": (1, 1)}),
    ]
    for dtype, kind, (shape, attributes) in itertools.product(("f32", "bf16", "i32", "ui8"), ("sum", "max", "min"), shapes):
        x = normal(shape, dtype)
        x[0, 1] = NAN if dtype == "f32" and kind != "sum" else x[0, 1]
        yield Case("reduce_window", (x,), functools.partial(windowed, kind, **attributes), {"kind": kind, **attributes})


def pool_cases() -> Iterator[Case]:
    def case(x: Array, window: Sequence[int], unused: tuple[int, ...] = (), **given: Any) -> Case:
        names = {"strides": window, "low": (0,) * len(window), "high": (0,) * len(window), "dilation": (1,) * len(window)}
        attributes = {"window": tuple(window), **{name: tuple(given.get(name, default)) for name, default in names.items()}}
        return Case("max_pool", (x,), functools.partial(pooled, unused=unused, **attributes), attributes, unused=unused)

    for dtype in (*FLOATS, "i8", "ui8", "i64"):
        yield case(normal((2, 7, 8), dtype), (3, 2), strides=(2, 1), low=(1, 0), high=(1, 1))
    holes = normal((2, 9, 9))
    holes[0, 2:5, 3], holes[1, :, :] = NAN, -INF
    yield case(np.full((1, 4, 4), -128, "i8"), (2, 2), low=(1, 1), high=(1, 1))
    for window in ((3, 3), (6, 6)):
        for unused in ((), (1,), (0,)):
            yield case(holes, window, unused, strides=(1, 1), low=(2, 1), high=(1, 2))
        yield case(np.round(holes), window, dilation=(1, 1), strides=(2, 1))
    yield case(normal((3, 2, 10)), (3,), dilation=(3,), strides=(2,), low=(1,), high=(1,))
    yield case(normal((1, 2, 4, 5, 6)), (2, 3, 2), strides=(1, 1, 2), low=(1, 1, 0), high=(0, 1, 1))
    yield case(normal((1, 1, 2, 2)), (2, 2), dilation=(3, 3), strides=(1, 1), low=(1, 1), high=(1, 1))
    yield case(normal((0, 4, 4)), (2, 2))
    x = normal((2, 3, 8, 8))
    x[0, 0, 2, 2:5] = NAN
    attributes = {"window": (3, 3), "strides": (2, 2), "low": (1, 1), "high": (1, 1), "dilation": (1, 1)}
    yield Case("max_pool", (x,), lambda x: torch.nn.functional.max_pool2d(x, 3, 2, 1, return_indices=True), attributes)


def places(shape: Sequence[int], size: int, dtype: str = "i64", seed: int = 5) -> Array:
    return array(np.random.default_rng(seed).integers(0, size, tuple(shape)), dtype)


def put(kind: str, dims: tuple[int, ...], x: Array, update: Array, *indices: Array) -> Case:
    return Case("index_put", (x, update, *indices), functools.partial(index_put, kind, dims), {"dims": dims, "kind": kind})


def index_cases() -> Iterator[Case]:
    for dtype in (*FEW, "i1"):
        x = normal((4, 5, 3), dtype)
        yield from gather_cases(x)
        yield Case("index", (x, places((2, 6), 4)), lambda x, i: x[i], {"dims": (0,)})
        yield put("set", (0,), x, normal((2, 3, 5, 3), dtype, 1), places((2, 3), 4))
    yield Case("gather", (normal((4, 5)), places((2, 0), 5)), lambda x, i: torch.gather(x, 1, i), {"dim": 1})
    yield Case("gather", (normal((4, 0)), places((4, 0), 1)), lambda x, i: torch.gather(x, 1, i), {"dim": 1})
    picks: list[tuple[tuple[int, ...], Callable[..., Any]]] = [
        ((1,), lambda x, i: x[:, i].movedim((1, 2), (0, 1))),
        ((0, 1), lambda x, i, j: x[i, j]),
        ((2, 0), lambda x, i, j: x[j, :, i]),
    ]
    for dims, picked in picks:
        indices = [places((2, 2), 3, seed=seed) for seed in range(len(dims))]
        yield Case("index", (normal((4, 5, 3)), *indices), picked, {"dims": dims})
        shape = (2, 2, *[n for d, n in enumerate((4, 5, 3)) if d not in dims])
        for kind in ("set", "add"):
            yield put(kind, dims, normal((4, 5, 3)), normal(shape, seed=1), *indices)
    for index in (np.array(3, "i8"), places((0,), 4), array([3, 0], "ui8"), array([3, 0], "i32")):
        yield Case("index", (normal((4, 2)), index), lambda x, i: x[i.long()], {"dims": (0,)})
        yield put("set", (0,), normal((4, 2)), normal((*index.shape, 2), seed=1), index)
    for dtype, kind in itertools.product((*FEW, "f16", "i1"), ("add", "mul", "amax", "amin")):
        if not (dtype.startswith("complex") and kind.startswith("am")):
            yield put(kind, (0,), normal((3, 4), dtype), normal((9, 4), dtype, 1), places((9,), 3))
    holes = normal((9, 4), seed=1)
    holes[2:4, 1:3] = NAN
    for kind in ("amax", "amin"):
        yield put(kind, (0,), normal((3, 4)), holes, places((9,), 3))
    yield put("set", (0,), np.zeros((50, 8), "f4"), normal((3000, 8)), places((3000,), 50))


def gather_cases(x: Array) -> Iterator[Case]:
    dtype = MLIR[x.dtype]
    for dim, shape in ((0, (7, 5, 3)), (1, (4, 2, 3)), (2, (2, 3, 6)))[0 if dtype == "f32" else 2 :]:
        index = places(shape, x.shape[dim])
        yield Case("gather", (x, index), lambda x, i, d=dim: torch.gather(x, d, i), {"dim": dim})
        inputs = (x, index, normal(shape, dtype, 1))
        yield Case("scatter", inputs, functools.partial(scattered, "set", dim), {"dim": dim, "kind": "set"})
    for kind in ("add", "mul", "amax", "amin") if not dtype.startswith("complex") else ("add", "mul"):
        yield Case("scatter", inputs, functools.partial(scattered, kind, 2), {"dim": 2, "kind": kind})


def sort_cases() -> Iterator[Case]:
    def case(x: Array, dim: int, descending: bool) -> Case:
        return Case("sort", (x,), lambda x: torch.sort(x, dim=dim, stable=True, descending=descending), {"dim": dim, "descending": descending})

    ties = [0.0, -0.0, NAN, 1.0, -NAN, -0.0, -INF, INF, 1.0, -1.0, 1e-40, -1e-40]
    for dtype, descending in itertools.product((*FLOATS, "i8", "ui8", "i32", "i64", "ui16", "i1"), (False, True)):
        x = normal((6, 11), dtype)
        yield case(np.round(x) if dtype in FLOATS else x, int(descending), descending)
        if dtype in FLOATS:
            yield case(array(ties, dtype), 0, descending)
        if dtype in INTS:
            yield case(np.array([np.iinfo(x.dtype).max, 0, np.iinfo(x.dtype).min, 5, 0], x.dtype), 0, descending)
    for dtype in ("ui32", "ui64"):
        x = array([5, 2**31, 2**32 - 1, 0, 5], dtype)
        yield Case("sort", (x,), lambda x: [np.sort(x.numpy()), np.argsort(x.numpy(), stable=True)], {"dim": 0, "descending": False})
    yield from (case(normal(shape), 0, False) for shape in ((0,), (1,), (3, 0), (2000,)))


def check_cases() -> Iterator[Case]:
    for holds, wanted in (([1, 1, 0, 1, 0], [1, 12]), ([1] * 5, [0]), ([0] + [1] * 4, [1, 10]), ([0], [1, 10]), ([1], [0])):
        told = np.arange(10, 10 + len(holds))

        def found(h: Any, t: Any, wanted: list[int] = wanted) -> Array:
            return np.array([*wanted, t.numpy()[0] if len(t) == 1 else t.numpy()[-1]][:2], "i8")

        yield Case("check", (np.array(holds, "?"), told.astype("i8")), found)


def path_cases() -> Iterator[Case]:
    def sums(x: torch.Tensor, start: torch.Tensor, skips: torch.Tensor) -> torch.Tensor:
        before, all_sums = torch.full_like(x[0], -INF), []
        for now, begun in zip(x, start, strict=True):
            one, two = (torch.nn.functional.pad(before, (by, 0), value=-INF)[:, : x.shape[2]] for by in (1, 2))
            before = now + torch.stack([before, one, two.masked_fill(~skips, -INF), begun]).logsumexp(0)
            all_sums.append(before)
        return torch.stack(all_sums)

    for dtype in ("f32", "f64"):
        start = np.full((9, 2, 5), -INF, NUMPY[dtype])
        start[0, :, :2] = start[4, 1, 3] = 0
        yield Case("path_sums", (normal((9, 2, 5), dtype), start, normal((2, 5)) > 0), sums)


def structured_cases() -> Iterator[Case]:
    moves = (shape_cases, index_cases, sort_cases)
    sums = (reduce_cases, scan_cases, dot_cases, convolution_cases, window_cases, pool_cases)
    groups = (*moves, *sums, check_cases, fourier_cases, linalg_cases, path_cases)
    for group in groups:
        yield from group()
