"""Fourier transforms against CPU eager: values, dtypes, strides, gradients, and no fallback."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from ops_support import Case, check, gapped

_aten = torch.ops.aten
COMPLEXES = (torch.complex64, torch.complex128)


def drawn(*shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(0), dtype=dtype)


def of_parts(transform: Callable[..., Any]) -> Callable[..., Any]:
    """A transform of a complex tensor, given as pairs of numbers: gradients are asked for of real tensors."""
    return lambda x: transform(torch.view_as_complex(x))


def orders(rank: int) -> Iterator[tuple[int, ...]]:
    for count in range(1, rank + 1):
        yield from itertools.permutations(range(rank), count)


@pytest.mark.parametrize("dtype", COMPLEXES)
def test_normalization(dtype: torch.dtype) -> None:
    x = drawn(3, 6, dtype=dtype)
    numbers = itertools.product(("backward", "ortho", "forward"), (None, 5, 9))
    names = ("fft", "ifft", "hfft", "irfft")
    cases = [Case(f"{name} {norm} {n}", getattr(torch.fft, name), (x, n, -1, norm)) for (norm, n), name in itertools.product(numbers, names)]
    cases += [Case(f"{name} {norm}", getattr(torch.fft, name), (x.real, n, 0, norm)) for name, n, norm in
              itertools.product(("rfft", "ihfft", "fft"), (None, 7), ("backward", "ortho", "forward"))]  # fmt: skip
    check(cases)


def test_any_dimensions_of_any_layout() -> None:
    """Results lie in memory as eager's do. The number of compiled transforms is what this test takes time for."""
    for permuted in ((0, 1, 2), (2, 0, 1)):
        x = drawn(3, 4, 5).permute(permuted)
        z = torch.complex(x, x.flip(0))
        cases = []
        for number, dims in enumerate(orders(3)):
            odd = number % 2
            cases.append(Case(f"c2c {permuted} {dims}", _aten._fft_c2c, (z, dims, 2, bool(odd))))
            cases.append(Case(f"r2c {permuted} {dims}", _aten._fft_r2c, (x, dims, 1, not odd)))
            last = 2 * (z.shape[dims[-1]] - 1) + odd
            cases.append(Case(f"c2r {permuted} {dims} {last}", torch.fft.irfftn, (z, [z.shape[d] for d in dims[:-1]] + [last], dims)))
        check(cases)


def test_more_dimensions_than_stablehlo_transforms() -> None:
    x = drawn(2, 3, 4, 3, 2)
    z = torch.complex(x, x.flip(1))
    check([
        Case("fftn", torch.fft.fftn, (z,)),
        Case("ifftn", torch.fft.ifftn, (z, None, (0, 1, 2, 3))),
        Case("rfftn", torch.fft.rfftn, (x,)),
        Case("irfftn", torch.fft.irfftn, (z,)),
        Case("rfftn of some", torch.fft.rfftn, (x, None, (3, 1, 4, 0))),
    ])  # fmt: skip


def test_special_sizes_and_values() -> None:
    nan = drawn(2, 8)
    nan[0, 3] = float("nan")
    check([
        Case("one element", torch.fft.fft, (drawn(3, 1),)),
        Case("one element of a real signal", torch.fft.rfft, (drawn(3, 1),)),
        Case("irfft to one", torch.fft.irfft, (drawn(3, 1, dtype=torch.complex64), 1)),
        Case("NaN stays in its row", torch.fft.rfft, (nan,)),
        Case("a prime length", torch.fft.fft, (drawn(2, 97),)),
        Case("integers", torch.fft.fft, (torch.arange(6).view(2, 3),)),
        Case("booleans", torch.fft.rfft, (torch.tensor([True, False, True]),)),
        Case("conjugates", lambda x: torch.fft.fft(x.conj()), (drawn(3, 4, dtype=torch.complex64),)),
        Case("negatives", lambda x: torch.fft.rfft(x.conj().imag), (drawn(3, 4, dtype=torch.complex64),)),
        Case("imaginary parts where a real signal has none", torch.fft.irfft2, (drawn(4, 5, dtype=torch.complex64), (4, 8))),
        Case("no dimensions", torch.fft.fftn, (drawn(3, 4, dtype=torch.complex64), None, ())),
        Case("length 0", torch.fft.fft, (drawn(3, 4), 0)),
        Case("half floats", torch.fft.fft, (drawn(3, 4).half(),)),
        Case("a complex signal as a real one", torch.fft.rfft, (drawn(4, dtype=torch.complex64),)),
        Case("shifts", lambda x: torch.fft.ifftshift(torch.fft.fftshift(x), 0), (drawn(3, 4),)),
        Case("frequencies", lambda x: torch.fft.rfftfreq(6, 0.5, device=x.device) * x, (drawn(4),)),
    ])  # fmt: skip


def test_gradients() -> None:
    x, z = gapped(drawn(4, 6)), drawn(3, 5, 2, dtype=torch.float64)
    cases = [Case(name, getattr(torch.fft, name), (x,)) for name in ("fft", "rfft", "ihfft", "rfft2", "fft2", "rfftn", "ihfft2")]
    cases += [Case(name, of_parts(getattr(torch.fft, name)), (z,)) for name in ("fft", "ifft", "irfft", "hfft", "irfft2", "ifft2", "hfft2")]
    cases.append(Case("odd", of_parts(lambda x: torch.fft.irfft(x, 7, norm="ortho")), (z,)))
    cases.append(Case("second", _second_gradient, (x,)))
    check(cases, gradients=True)


def _second_gradient(x: torch.Tensor) -> torch.Tensor:
    power = torch.fft.rfft(x).abs().square().sum()
    (first,) = torch.autograd.grad(power, x, create_graph=True)
    return first**2


def test_given_results() -> None:
    z = drawn(3, 5, dtype=torch.complex64)
    check([
        Case("fft", lambda x: torch.fft.fft(x, out=torch.empty(3, 5, dtype=x.dtype, device=x.device)), (z,)),
        Case("rfft", lambda x: torch.fft.rfft(x, out=torch.empty(0, dtype=torch.complex64, device=x.device)), (z.real,)),
        Case("irfft", lambda x: torch.fft.irfft(x, out=torch.empty(3, 8, device=x.device)), (z,)),
        Case("ihfft", lambda x: torch.fft.ihfft(x, out=torch.empty(3, 3, dtype=torch.complex64, device=x.device)), (z.real,)),
        Case("another dtype", lambda x: torch.fft.fft(x, out=torch.empty(3, 5, device=x.device)), (z,)),
    ])  # fmt: skip


@pytest.mark.filterwarnings("ignore:A window was not provided", "ignore:The length of signal is shorter", "ignore:The signal is shorter")
@pytest.mark.parametrize("gradients", [False, True])
def test_short_time_transforms_and_back(gradients: bool) -> None:
    window = torch.hann_window(8) + 0.1

    def back(x: torch.Tensor, window: torch.Tensor, **options: Any) -> torch.Tensor:
        forth = {name: option for name, option in options.items() if name not in ("length", "return_complex")}
        return torch.istft(torch.stft(x, 8, window=window, return_complex=True, **forth), 8, window=window, **options)

    tables: list[dict[str, Any]] = [
        {},
        dict(hop_length=3),
        dict(center=False, length=12),
        dict(length=20),
        dict(normalized=True),
        dict(onesided=False),
        dict(onesided=False, return_complex=True),
        dict(win_length=4),
    ]
    cases = []
    for number, options in enumerate(tables[::2] if gradients else tables):
        x = drawn(20) if number % 2 else drawn(2, 20)
        weights = window[: options.get("win_length", 8)]
        cases.append(Case(f"{options}", lambda x, w, options=options: back(x, w, **options), (x, weights)))
    cases.append(Case("no window", lambda z: torch.istft(torch.complex(z, z), 8), (drawn(5, 6),)))
    check(cases, gradients=gradients)


def test_windows_that_leave_a_place_out_are_refused_when_it_is_read() -> None:
    spectrum = drawn(5, 6, dtype=torch.complex64).to("lazymlir")
    made = torch.istft(spectrum, 8, window=torch.zeros(8, device="lazymlir"))
    with pytest.raises(RuntimeError, match="window overlap add min: 1"):
        made.cpu()


@pytest.mark.filterwarnings("ignore:A window was not provided")
def test_arguments_that_do_not_fit_are_refused_with_words_of_torch() -> None:
    z = drawn(5, 6, dtype=torch.complex64)
    cases = [
        Case("n_fft", lambda z: torch.istft(z, 9), (z,)),
        Case("hop", lambda z: torch.istft(z, 8, hop_length=9), (z,)),
        Case("window", lambda z: torch.istft(z, 8, window=torch.ones(7, device=z.device)), (z,)),
        Case("complex", lambda z: torch.istft(z, 8, return_complex=True), (z,)),
        Case("right", lambda z: torch.istft(z, 8), (z,)),
    ]
    check(cases)
