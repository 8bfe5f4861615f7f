"""Cases of Fourier transforms, against numpy's."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np
from lowering_support import Array, Case, normal


def fourier_cases() -> Iterator[Case]:
    """Last and other dimensions, in any order; more than three at once; odd and even lengths."""
    dims: tuple[tuple[int, ...], ...] = ((4,), (0,), (3, 1), (1, 2, 4), (3, 0, 1, 2), (2, 0, 1, 4, 3))
    for kind, dtype in itertools.product(("fft", "ifft"), ("complex<f32>", "complex<f64>")):
        yield from (_case(kind, normal((2, 3, 4, 3, 2), dtype), d) for d in dims)
    for dtype in ("f32", "f64"):
        yield from (_case("rfft", normal((2, 3, 4, 3, 2), dtype), d) for d in dims)
        yield from (_case("irfft", normal((2, 3, 4, 3, 2), f"complex<{dtype}>"), d, odd) for d in dims for odd in (0, 1))
    yield Case("fft", (np.zeros((0, 3), "c8"),), lambda x: x, {"kind": "fft", "dims": (1,), "lengths": (3,)})
    yield Case("fft", (np.zeros((3, 0, 2), "c8"),), lambda x: x.new_zeros(3, 0, 3).real, {"kind": "irfft", "dims": (2,), "lengths": (3,)})


def _case(kind: str, x: Array, dims: Sequence[int], odd: int = 0) -> Case:
    lengths = [x.shape[d] for d in dims]
    if kind == "irfft":
        lengths[-1] = 2 * (lengths[-1] - 1) + odd

    def expected(x: np.ndarray) -> Array:
        made = getattr(np.fft, f"{kind}n")(x, lengths, dims)
        return made.astype({"c": "c8", "f": "f4"}[made.dtype.kind]) if x.dtype.itemsize < (16 if x.dtype.kind == "c" else 8) else made

    return Case("fft", (x,), lambda x: expected(x.numpy()), {"kind": kind, "dims": tuple(dims), "lengths": tuple(lengths)})
