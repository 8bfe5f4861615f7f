"""Windows as columns, sampling by grids, resizing, unpooling."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
import torch
from ops_support import FLOATS, Case, check, gapped
from torch.nn import functional as F

INF, NAN = float("inf"), float("nan")


def _image(*shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    generator = torch.Generator().manual_seed(sum(shape))
    return torch.randn(shape, generator=generator, dtype=torch.float64).to(dtype)


# Columns.


def _column_cases() -> Iterator[Case]:
    for kernel, stride, padding, dilation in (((3, 2), (2, 1), (1, 0), (1, 2)), (4, 4, 0, 1), ((1, 40), 1, (0, 20), 1), (2, 3, 1, 3)):
        options = dict(kernel_size=kernel, stride=stride, padding=padding, dilation=dilation)
        for x in (gapped(_image(2, 3, 9, 10)),) if kernel != 2 else (_image(3, 9, 10),):
            yield Case(f"unfold {options}", lambda x, o=options: F.unfold(x, **o), (x,))
            columns = F.unfold(x, **options)
            yield Case(f"fold {options}", lambda y, o=options: F.fold(y, (9, 10), **o), (columns,))
    yield Case("no batch", lambda x: F.unfold(x, 2), (_image(0, 3, 4, 4),))
    yield Case("kernel too large", lambda x: F.unfold(x, 7), (_image(1, 3, 4, 4),))
    yield Case("wrong count of columns", lambda x: F.fold(x, (4, 4), 2), (_image(1, 4, 8),))


def test_windows_become_columns_and_back() -> None:
    check(_column_cases(), gradients=True)


def test_columns_of_every_type() -> None:
    dtypes = (*FLOATS, torch.bool, torch.complex64)
    check(
        Case(f"{dtype}", lambda x: (F.unfold(x, 3, padding=1), F.fold(F.unfold(x, 3), (5, 6), 3)), (_image(2, 2, 5, 6, dtype=dtype),))
        for dtype in dtypes
    )


# Grids.

EDGES = (-1.0, 1.0, 0.0, -1.5, 3.7, -0.99, 1.2, 100.0, -1e5, 0.2)
PADDINGS = ("zeros", "border", "reflection")


def _grid_cases(rank: int, modes: tuple[str, ...]) -> Iterator[Case]:
    x = _image(2, 3, *(4, 5, 3)[:rank])
    grid = _image(2, *(3, 4, 3)[:rank], rank) * 1.5
    grid.view(-1)[: len(EDGES)] = torch.tensor(EDGES)
    for mode, padding, corners in product(modes, PADDINGS, (False, True)):

        def sample(x: torch.Tensor, grid: torch.Tensor, *options: object) -> torch.Tensor:
            return F.grid_sample(x, grid, *options)  # pyright: ignore[reportArgumentType]

        yield Case(f"{rank}d {mode} {padding} {corners}", sample, (gapped(x), grid, mode, padding, corners))


def test_sampling_by_a_grid() -> None:
    check(_grid_cases(2, ("nearest",)))
    check(_grid_cases(3, ("nearest",)))
    check(_grid_cases(2, ("bilinear",)), gradients=True)
    check((case for number, case in enumerate(_grid_cases(2, ("bicubic",))) if number in (0, 5)), gradients=True)
    check((case for number, case in enumerate(_grid_cases(3, ("bilinear",))) if number in (1, 4)), gradients=True)


def test_sampling_one_pixel_and_numbers_that_are_none() -> None:
    def sample(x: torch.Tensor, grid: torch.Tensor, padding: str, corners: bool) -> torch.Tensor:
        return F.grid_sample(x, grid, "bilinear", padding, corners)

    grid = torch.tensor([[NAN, 0.0], [0.0, NAN], [INF, 0.0]]).view(1, 1, 3, 2)
    volume = torch.cat([grid, torch.zeros(1, 1, 3, 1)], 3).view(1, 1, 1, 3, 3)
    given = ((_image(1, 2, 1, 1), _image(1, 2, 2, 2)), (_image(1, 2, 3, 4), grid), (_image(1, 2, 3, 4, 2), volume))
    cases = product(given, ("zeros", "border"), (False, True))
    check(Case(f"{g.shape} {padding} {corners}", sample, (x, g, padding, corners)) for (x, g), padding, corners in cases)


# Resizing.


def _resize_cases() -> Iterator[Case]:
    sizes: tuple[dict[str, object], ...] = ({"size": (7, 4)}, {"scale_factor": 1.7}, {"scale_factor": (0.4, 2.0)}, {"size": (1, 1)}, {"size": (5, 6)})
    for size, (mode, antialias), corners in product(sizes, (("bicubic", False), ("bilinear", True), ("bicubic", True)), (False, True)):
        options = {"mode": mode, "antialias": antialias, "align_corners": corners, **size}
        x = _image(2, 2, 5, 6)
        yield Case(f"{options}", lambda x, o=options: F.interpolate(x, **o), (gapped(x),))  # pyright: ignore[reportArgumentType]


def test_resizing_by_cubic_convolution_and_with_antialiasing() -> None:
    check((case for number, case in enumerate(_resize_cases()) if number % 4 == 1), gradients=True)


def test_a_tap_of_no_weight_keeps_what_is_no_number() -> None:
    x = _image(1, 1, 6, 6)
    x[0, 0, 3, 3] = NAN
    check(
        Case(mode, lambda x, m=mode, a=a: F.interpolate(x, (12, 3), mode=m, antialias=a), (x,))
        for mode, a in (("bicubic", False), ("bilinear", True))
    )


def test_a_hundred_taps() -> None:
    check([Case("thumbnail", lambda x: F.interpolate(x, (2, 3), mode="bicubic", antialias=True), (_image(1, 2, 120, 8),))])


# Unpooling and drawn windows.


def test_unpooling_puts_maxima_back() -> None:
    def unpooled(x: torch.Tensor, pool: str, kernel: int) -> torch.Tensor:
        values, indices = getattr(F, pool)(x, kernel, return_indices=True)
        return getattr(F, pool.replace("pool", "unpool"))(values * 2, indices, kernel, output_size=x.shape)

    given = (("max_pool1d", _image(2, 3, 8)), ("max_pool2d", _image(2, 3, 7, 9)), ("max_pool3d", _image(1, 2, 5, 6, 7)))
    check((Case(pool, unpooled, (gapped(x), pool, 2)) for pool, x in given), gradients=True)


def test_unpooling_refuses_a_place_beyond_the_volume() -> None:
    place = torch.tensor([[[[0, 1], [2, 99]]]]).to("lazymlir")
    made = F.max_unpool2d(_image(1, 1, 2, 2).to("lazymlir"), place, [2, 2])
    with pytest.raises(RuntimeError, match=r"Found an invalid max index: 99 \(output volumes are of size 4x4\)"):
        made.cpu()


def _drawn_cases(dtype: torch.dtype) -> Iterator[Case]:
    for rank, kernel, counts in ((2, 2, (8, 6)), (2, 3, (1, 4)), (3, 2, (5, 3, 2))):
        x = _image(2, 3, *(17, 13, 7)[:rank], dtype=dtype)
        x[0, 0].view(-1)[::5] = NAN
        pool = F.fractional_max_pool2d if rank == 2 else F.fractional_max_pool3d
        samples = torch.rand(2, 3, rank, generator=torch.Generator().manual_seed(rank)).to(dtype)

        def run(x: torch.Tensor, samples: torch.Tensor, pool=pool, kernel=kernel, counts=counts) -> object:
            return pool(x, kernel, output_size=counts, return_indices=True, _random_samples=samples.detach())

        yield Case(f"{rank} {kernel} {counts} {dtype}", run, (x, samples))


def test_pooling_of_drawn_windows() -> None:
    for dtype in FLOATS:
        check(_drawn_cases(dtype), gradients=dtype == torch.float32)
