"""Reductions, sorting, softmax, movement and indexing against CPU eager, with gradients and without a fallback."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from ops_support import DEVICE, DTYPES, Case, check, gapped, moved

import lazymlir
from lazymlir import metrics

INF, NAN = float("inf"), float("nan")
Run = Callable[..., Any]

REDUCTIONS: dict[str, Run] = {
    "sum": torch.sum,
    "sum dim": lambda x: x.sum(1),
    "sum keep": lambda x: x.sum((0, -1), keepdim=True),
    "sum none": lambda x: x.sum(()),
    "sum double": lambda x: x.sum(0, dtype=torch.float64),
    "mean": lambda x: x.mean(dtype=torch.float32),
    "mean dim": lambda x: x.mean((0, 1)) if x.is_floating_point() else x,
    "prod": lambda x: torch.prod(x / 2),
    "prod dim": lambda x: torch.prod(x, 1, keepdim=True),
    "amax": lambda x: x.amax((0, 2)),
    "amin": lambda x: x.amin(keepdim=True),
    "max": torch.max,
    "min": torch.min,
    "max dim": lambda x: tuple(x.max(1)),
    "min dim": lambda x: tuple(x.min(-1, keepdim=True)),
    "argmax": torch.argmax,
    "argmax dim": lambda x: x.argmax(1),
    "argmin dim": lambda x: x.argmin(-1, keepdim=True),
    "any": torch.any,
    "any dim": lambda x: (x > 1).any(1),
    "all": torch.all,
    "all dims": lambda x: x.all((0, 2), keepdim=True),
    "var": lambda x: x.var(),
    "var dim": lambda x: torch.var(x, (0, 2), correction=0, keepdim=True),
    "std dim": lambda x: torch.std(x, 1),
    "var_mean": lambda x: torch.var_mean(x, 2, correction=2),
    "std_mean": lambda x: torch.std_mean(x, (0, 1)),
    "nansum": lambda x: torch.nansum(x, 1),
    "count_nonzero": lambda x: torch.count_nonzero(x, (0, 2)),
    "aminmax": lambda x: tuple(torch.aminmax(x, dim=1)),
    "logsumexp": lambda x: torch.logsumexp(x, (0, 2)),
    "cumsum": lambda x: x.cumsum(1),
    "cumprod": lambda x: (x / 2).cumprod(-1),
    "cumsum dtype": lambda x: x.cumsum(0, dtype=torch.float64),
    "trace": lambda x: x[0].trace(),
    "cummax": lambda x: tuple(x.cummax(1)),
    "cummin": lambda x: tuple(x.cummin(-1)),
    "logcumsumexp": lambda x: x.logcumsumexp(1) if x.dtype not in (torch.float16, torch.bfloat16) else x,  # eager rounds in between
    "renorm": lambda x: x.renorm(2, 1, 3.0),
    **{f"norm {p}": lambda x, p=p: torch.linalg.vector_norm(x, p, (1, 2)) for p in (0, 1, 2, 3, 0.5, INF, -INF)},
    "norm all": lambda x: torch.linalg.vector_norm(x),
    "norm keep": lambda x: torch.norm(x, dim=1, keepdim=True),
    "softmax": lambda x: x.softmax(1),
    "softmax float": lambda x: x.softmax(-1, dtype=torch.float32),
    "log_softmax": lambda x: x.log_softmax(2) if x.dtype not in (torch.float16, torch.bfloat16) else x,  # eager rounds in between
    "log_softmax float": lambda x: x.log_softmax(1, dtype=torch.float32),
    "equal": lambda x: torch.tensor(torch.equal(x, x)),
}
ORDERINGS: dict[str, Run] = {
    "sort": lambda x: tuple(x.sort(1, stable=True)),
    "sort down": lambda x: tuple(x.sort(-1, descending=True, stable=True)),
    "argsort": lambda x: x.argsort(0, stable=True),
    "msort": torch.msort,
    "topk": lambda x: x.topk(2, 1).values,
    "topk small": lambda x: x.topk(3, 0, largest=False).values,
    "kthvalue": lambda x: x.kthvalue(2, 1).values,
    "median": torch.median,
    "median dim": lambda x: tuple(x.median(1)),
    "nanmedian": torch.nanmedian,
    "nanmedian dim": lambda x: x.nanmedian(-1, keepdim=True).values,
}
SHAPES: dict[str, Run] = {
    "cat": lambda x, y: torch.cat([x, y, x[:1]], 0),
    "cat dim": lambda x, y: torch.cat([x, y], -1),
    "cat empty": lambda x, y: torch.cat([x.new_empty(0), x]),
    "cat promotes": lambda x, y: torch.cat([x, y.double()]),
    "stack": lambda x, y: torch.stack([x, y], 1),
    "hstack": lambda x, y: torch.hstack([x, y]),
    "flip": lambda x, y: x.flip((0, -1)),
    "roll": lambda x, y: x.roll((1, -2), (0, 1)),
    "roll flat": lambda x, y: x.roll(5),
    "rot90": lambda x, y: torch.rot90(x),
    "repeat": lambda x, y: x.repeat(2, 1, 3),
    "tile": lambda x, y: torch.tile(x, (2,)),
    "repeat_interleave": lambda x, y: x.repeat_interleave(2, 1),
    "pad": lambda x, y: torch.nn.functional.pad(x, (1, 2, 0, 1), value=3),
    "pad crops": lambda x, y: torch.nn.functional.pad(x, (-1, 1)),
    "pad reflect": lambda x, y: torch.nn.functional.pad(x[None], (2, 1), mode="reflect"),
    "pad replicate": lambda x, y: torch.nn.functional.pad(x[None, None], (2, 1, 0, 3), mode="replicate"),
    "pad circular": lambda x, y: torch.nn.functional.pad(x[None], (2, 1), mode="circular"),
    "tril": lambda x, y: x.tril(),
    "triu": lambda x, y: x.triu(1),
    "tril low": lambda x, y: torch.tril(x[None].expand(2, -1, -1), -1),
    "diag_embed": lambda x, y: torch.diag_embed(x),
    "diagonal": lambda x, y: x.diagonal(1),
    "select_scatter": lambda x, y: x.select_scatter(y[0], 0, 1),
    "slice_scatter": lambda x, y: x.slice_scatter(y[:, :2], 1, 1, 3),
    "diagonal_scatter": lambda x, y: x.diagonal_scatter(y[0, :3]),
    "as_strided_scatter": lambda x, y: x.contiguous().as_strided_scatter(y[:2, :2], (2, 2), (1, 2)),
    "unfold": lambda x, y: x.unfold(1, 2, 1),
    "full_like": lambda x, y: torch.full_like(x, 2),
    "zeros_like": lambda x, y: torch.zeros_like(x.t()),
    "ones_like": lambda x, y: torch.ones_like(x, dtype=torch.int64),
    "new_full": lambda x, y: x.new_full((2, 3), 1),
    "new_zeros": lambda x, y: x.new_zeros(2),
    "channel_shuffle": lambda x, y: torch.nn.functional.channel_shuffle(x[:, :, None, None], 2),
    "pixel_shuffle": lambda x, y: torch.nn.functional.pixel_shuffle(x[:, :, None, None], 2),
    "meshgrid": lambda x, y: torch.meshgrid(x[0], y[1], indexing="ij"),
    "block_diag": lambda x, y: torch.block_diag(x, y),
    "cross": lambda x, y: torch.linalg.cross(x[:, :3], y[:, :3]),
    "tril_": lambda x, y: x.tril_(),
    "cat out": lambda x, y: torch.cat([x, y], out=x.new_empty(0)),
}
INDEXING: dict[str, Run] = {
    "gather": lambda x, i, s: x.gather(1, i),
    "gather small": lambda x, i, s: x.gather(0, i[:2, :2] % 3),
    "scatter": lambda x, i, s: x.scatter(1, i[:, :2] * 0 + torch.arange(2, device=i.device), s),
    "scatter number": lambda x, i, s: x.scatter(1, i, 3),
    "scatter_": lambda x, i, s: x.scatter_(1, i, 2),
    "scatter_add": lambda x, i, s: x.scatter_add(1, i, s),
    "scatter multiply": lambda x, i, s: x.scatter(1, i, s, reduce="multiply"),
    "scatter number add": lambda x, i, s: x.scatter(1, i, 2, reduce="add"),
    **{
        f"scatter_reduce {kind} {own}": lambda x, i, s, kind=kind, own=own: x.scatter_reduce(1, i, s, kind, include_self=own)
        for kind in ("sum", "prod", "mean", "amax", "amin")
        for own in (True, False)
    },
    "index_select": lambda x, i, s: x.index_select(1, i[0]),
    "index_add": lambda x, i, s: x.index_add(1, i[0], s, alpha=2),
    "index_copy": lambda x, i, s: x.index_copy(1, torch.tensor([3, 0], device=x.device), s[:, :2]),
    "index_fill": lambda x, i, s: x.index_fill(1, i[0] - 4, 2),
    "index_reduce": lambda x, i, s: x.index_reduce(1, i[0], s, "amax", include_self=False),
    "take": lambda x, i, s: x.take(i - 2),
    "put_": lambda x, i, s: x.put_(torch.tensor([[0, -1]], device=x.device), s[0, :2]),
    "put_ add": lambda x, i, s: x.put_(i[0] % 2, s[0], accumulate=True),
    "x[i]": lambda x, i, s: x[i % 3],
    "x[i, j]": lambda x, i, s: x[i % 3, i - 4],
    "x[:, i]": lambda x, i, s: x[:, i[0]],
    "x[None, ..., i]": lambda x, i, s: x[None, ..., i[0]],
    "x[i, :, j]": lambda x, i, s: x[None].expand(2, -1, -1)[i[0] % 2, :, i[0]],
    "x[1:, i]": lambda x, i, s: x[1:, i[0]],
    "x[list]": lambda x, i, s: x[[2, 0]],
    "x[cpu index]": lambda x, i, s: x[torch.tensor([2, -1])],
    "x[i] = s": lambda x, i, s: x.__setitem__(torch.tensor([1, 2], device=x.device), s[:2, :4]),
    "x[:, i] = 5": lambda x, i, s: x.__setitem__((slice(None), i[0]), 5),
    "x[i, j] += 1": lambda x, i, s: x.index_put_((i[0] % 3, i[0]), s[0], accumulate=True),
    "index_put row": lambda x, i, s: x.index_put((torch.tensor([0, 2], device=x.device),), s[0, :4]),
    "x[mask] = 2": lambda x, i, s: x.__setitem__(x > 1, 2),
    "x[:, mask] = 2": lambda x, i, s: x.__setitem__((slice(None), x[0] > 0), 2),
    "x[mask rows] = row": lambda x, i, s: x.__setitem__(x[:, 0] > 0, s[0, :4]),
    "x[mask] += 2": lambda x, i, s: x.index_put_((x > 1,), torch.full_like(x[0, 0], 2), accumulate=True),
    "masked_scatter": lambda x, i, s: x.masked_scatter(x > 1, s),
    "masked_scatter_": lambda x, i, s: x.masked_scatter_(x > 1, s),
    "take_along_dim": lambda x, i, s: x.take_along_dim(i[:, :1], 1),
    "bucketize": lambda x, i, s: torch.bucketize(x, s[0].sort().values),
    "bucketize right": lambda x, i, s: torch.bucketize(x, s[0].sort().values, right=True, out_int32=True),
    "searchsorted": lambda x, i, s: torch.searchsorted(s.sort(1).values, x),
    "searchsorted number": lambda x, i, s: torch.searchsorted(s[0].sort().values, 1),
    "searchsorted sorter": lambda x, i, s: torch.searchsorted(s, x, sorter=s.argsort(1), side="right"),
    "isin": lambda x, i, s: torch.isin(x, s),
    "repeat_interleave": lambda x, i, s: x.repeat_interleave(i[0], 1, output_size=4),
    "isin not": lambda x, i, s: torch.isin(x, 1, invert=True),
    "where": lambda x, i, s: torch.where(x > 0, x, s[:, :4]),
}
EMBEDDINGS: dict[str, Run] = {
    "embedding": lambda w, i: torch.nn.functional.embedding(i, w),
    "embedding max_norm": lambda w, i: torch.nn.functional.embedding(i, w.detach().clone(), max_norm=1.0),
    "embedding padding": lambda w, i: torch.nn.functional.embedding(i, w, padding_idx=2),
    "embedding by frequency": lambda w, i: torch.nn.functional.embedding(i, w, scale_grad_by_freq=True),
}


def regular(dtype: torch.dtype, *shape: int, seed: int = 0) -> torch.Tensor:
    """Integers and floats without ties: the order of equal elements is nobody's promise."""
    count = torch.Size(shape).numel()
    places = torch.randperm(count, generator=torch.Generator().manual_seed(seed)).view(shape)
    return (places.to(torch.float64) / 4 - count / 10).to(dtype) if dtype.is_floating_point else places.to(dtype)


pytestmark = pytest.mark.filterwarnings(
    "ignore:The reduce argument", "ignore:index_reduce", "ignore:torch.searchsorted", "ignore:.*degrees of freedom"
)


def _run_each(table: dict[str, Run], *inputs: torch.Tensor) -> Iterator[Case]:
    return (Case(name, run, inputs) for name, run in table.items())


@pytest.mark.parametrize("dtype", DTYPES)
def test_reductions(dtype: torch.dtype) -> None:
    check(_run_each(REDUCTIONS, gapped(regular(dtype, 2, 5, 4))))


def test_reductions_of_nan_and_infinity() -> None:
    x = regular(torch.float32, 2, 5, 4)
    x[0, 1, 2], x[1, 2, 0], x[1, 3, 3] = NAN, INF, -INF
    table = {name: run for name, run in (REDUCTIONS | ORDERINGS).items() if name not in ("prod", "cumprod", "trace", "var_mean", "std_mean")}
    check(_run_each(table, x))


@pytest.mark.parametrize("shape", [(), (1,), (0,), (0, 3), (2, 0)])
def test_reductions_of_few_elements(shape: tuple[int, ...]) -> None:
    x = regular(torch.float32, *shape)
    dim = len(shape) - 1 if shape else 0
    check(
        [
            *_run_each({name: REDUCTIONS[name] for name in ("sum", "prod", "any", "all", "argmax", "max", "var", "norm all")}, x),
            Case("max dim", lambda x: tuple(x.max(dim)), (x,)),
            Case("sum dim", lambda x: x.sum(dim, keepdim=True), (x,)),
            Case("mean dim", lambda x: x.mean(dim), (x,)),
            Case("amax dim", lambda x: x.amax(dim), (x,)),
            Case("cumsum", lambda x: x.cumsum(dim), (x,)),
            Case("softmax", lambda x: x.softmax(dim), (x,)),
            Case("logsumexp", lambda x: x.logsumexp(dim), (x,)),
            Case("sort", lambda x: tuple(x.sort(dim)), (x,)),
            Case("median", lambda x: x.median(), (x,)),
            Case("topk", lambda x: tuple(x.topk(1, dim)), (x,)),
        ]
    )


@pytest.mark.parametrize("dtype", DTYPES)
def test_orderings(dtype: torch.dtype) -> None:
    check(_run_each(ORDERINGS, gapped(regular(dtype, 4, 5) if dtype != torch.bool else regular(torch.int64, 4, 5) > 9)))


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.int64, torch.bool])
def test_shapes(dtype: torch.dtype) -> None:
    check(_run_each(SHAPES, gapped(regular(dtype, 4, 4)), regular(dtype, 4, 4, seed=1)))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.int32, torch.bool])
def test_indexing(dtype: torch.dtype) -> None:
    index = torch.tensor([[3, 0, 1, 0], [1, 1, 2, 3], [0, 2, 2, 2]])
    check(_run_each(INDEXING, gapped(regular(dtype, 3, 4)), index, regular(dtype, 3, 4, seed=1)))


@pytest.mark.parametrize("table", ["REDUCTIONS", "ORDERINGS", "SHAPES", "INDEXING", "EMBEDDINGS"])
def test_gradients(table: str) -> None:
    dtype = torch.float32
    index = torch.tensor([[3, 0, 1, 0], [1, 1, 2, 3], [0, 2, 2, 2]])
    inputs = {
        "REDUCTIONS": (regular(dtype, 2, 5, 4).abs() + 0.1,),
        "ORDERINGS": (regular(dtype, 4, 5),),
        "SHAPES": (regular(dtype, 4, 4), regular(dtype, 4, 4, seed=1)),
        "INDEXING": (regular(dtype, 3, 4), index, regular(dtype, 3, 4, seed=1)),
        "EMBEDDINGS": (regular(dtype, 4, 3), index),
    }[table]
    cases = _run_each({name: run for name, run in globals()[table].items() if name not in NO_GRADIENT}, *inputs)
    check(cases, gradients=True)


NO_GRADIENT = {
    "any", "any dim", "all", "all dims", "argmax", "argmax dim", "argmin dim", "count_nonzero", "equal", "argsort", "ones_like", "full_like",
    "zeros_like", "new_full", "new_zeros", "tril_", "cat out", "prod", "prod dim", "norm 0", "scatter multiply", "scatter number add", "scatter_",
    "put_", "put_ add", "x[i] = s", "x[:, i] = 5", "x[i, j] += 1", "x[mask] = 2", "x[:, mask] = 2", "x[mask rows] = row", "x[mask] += 2",
    "masked_scatter_", "bucketize", "bucketize right", "searchsorted", "searchsorted number", "searchsorted sorter", "isin", "isin not",
    "scatter_reduce prod True", "scatter_reduce prod False",
}  # fmt: skip
"""Not differentiable, in place on a leaf, or a gradient that itself asks where zeros stand."""


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16, torch.int64, torch.int32, torch.uint8, torch.bool])
def test_factories(dtype: torch.dtype) -> None:
    table: dict[str, Run] = {
        "zeros": lambda d: torch.zeros(2, 3, device=d, dtype=dtype),
        "ones": lambda d: torch.ones((), device=d, dtype=dtype),
        "full": lambda d: torch.full((2, 3), 1, device=d, dtype=dtype),
        "eye": lambda d: torch.eye(3, 4, device=d, dtype=dtype),
        "scalar_tensor": lambda d: torch.scalar_tensor(1, device=d, dtype=dtype),
        "tril_indices": lambda d: torch.tril_indices(3, 4, -1, device=d),
        "triu_indices": lambda d: torch.triu_indices(3, 4, device=d),
    }
    if dtype != torch.bool:
        table |= {
            "arange": lambda d: torch.arange(7, device=d, dtype=dtype),
            "arange start": lambda d: torch.arange(2, 7, device=d, dtype=dtype),
            "arange step": lambda d: torch.arange(0.5, 7, 1.5, device=d, dtype=dtype),
            "arange down": lambda d: torch.arange(9, 1, -3, device=d, dtype=dtype),
            "arange none": lambda d: torch.arange(3, 3, device=d, dtype=dtype),
            "arange out": lambda d: torch.arange(1, 5, out=torch.empty(0, device=d, dtype=dtype)),
            "linspace one": lambda d: torch.linspace(3, 8, 1, device=d, dtype=dtype),
        }
    if dtype not in (torch.bool, torch.bfloat16):
        table |= {
            "linspace": lambda d: torch.linspace(0, 10, 7, device=d, dtype=dtype),
            "logspace": lambda d: torch.logspace(0, 1, 4, base=3, device=d, dtype=dtype),
            "linspace tensor": lambda d: torch.linspace(torch.ones((), device=d), 9, 5, device=d, dtype=dtype),
        }
    check(Case(name, run, (torch.device("cpu"),)) for name, run in table.items())


def test_default_dtypes_of_factories() -> None:
    check(
        Case(name, run, (torch.device("cpu"),))
        for name, run in {
            "full float": lambda d: torch.full((2,), 1.5, device=d),
            "full int": lambda d: torch.full((2,), 3, device=d),
            "full bool": lambda d: torch.full((2,), True, device=d),
            "full complex": lambda d: torch.full((2,), 1j, device=d),
            "arange": lambda d: torch.arange(3, device=d),
            "arange float": lambda d: torch.arange(3.0, device=d),
            "linspace": lambda d: torch.linspace(0, 1, 3, device=d),
            "zeros": lambda d: torch.zeros(2, device=d),
        }.items()
    )


def test_a_moving_window_compiles_once() -> None:
    x = torch.arange(20.0).to(DEVICE)
    for start in range(2, 6):
        lazymlir.sync()
        metrics.clear_all()
        window = x[torch.arange(start, start + 3, device=DEVICE)]
        part = torch.select_scatter(x.view(4, 5), torch.zeros(5, device=DEVICE), 0, start - 2)
        lazymlir.sync()
        assert window.tolist() == [start, start + 1, start + 2]
        assert part[start - 2].sum().item() == 0
        assert start < 4 or metrics.counter_value("UncachedCompile") is None


def test_a_mask_that_selects_reads_how_many_and_no_more() -> None:
    x = regular(torch.float32, 3, 4)
    metrics.clear_all()
    selected = moved(x)[moved(x) > 0]
    assert metrics.executed_fallback_ops() == []
    assert metrics.counter_value("HostRead") == 1
    torch.testing.assert_close(selected.cpu(), x[x > 0])


@pytest.mark.parametrize(
    "mistake",
    [
        lambda x: x.sum(2),
        lambda x: x.softmax(5),
        lambda x: torch.cat([x, x[:, :2]]),
        lambda x: x.gather(0, torch.zeros(5, 9, dtype=torch.int64, device=x.device)),
        lambda x: x.index_put_((torch.tensor([0, 1], device=x.device),), torch.zeros(3, 4, device=x.device)),
        lambda x: x.__setitem__(torch.zeros(2, 4, dtype=torch.bool, device=x.device), 1.0),
        lambda x: x.scatter(0, torch.zeros(3, 4, dtype=torch.int64, device=x.device), x.double()),
        lambda x: x[:, :0].max(1),
        lambda x: x.select_scatter(x, 0, 1),
        lambda x: x.topk(9),
        lambda x: x.kthvalue(9),
        lambda x: x.flip((0, 0)),
        lambda x: torch.stack([x, x[0]]),
        lambda x: x.long().mean(),
        lambda x: x.index_select(0, torch.zeros(1, 1, dtype=torch.int64, device=x.device)),
    ],
)
def test_mistakes_raise_where_the_operation_is_called(mistake: Run) -> None:
    x = torch.zeros(3, 4)
    with pytest.raises((RuntimeError, ValueError, IndexError, TypeError)) as eager:
        mistake(x)
    with pytest.raises(eager.type):
        mistake(x.to(DEVICE))
