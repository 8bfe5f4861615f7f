"""Cases of linear algebra."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from lowering_support import NUMPY, Array, Case, normal

DTYPES = ("f32", "f64", "complex<f32>", "complex<f64>")


def _definite(x: Array) -> Array:
    return x @ np.swapaxes(x, -1, -2).conj() + 2 * np.eye(x.shape[-1], dtype=x.dtype)


def _lu(x: torch.Tensor) -> Any:
    lu, pivots, _ = torch.linalg.lu_factor_ex(x)
    return lu, pivots - 1, torch.lu_unpack(lu, pivots)[0].real.argmax(-2).int()


def _solved(a: torch.Tensor, b: torch.Tensor, left: bool, lower: bool, unit: bool, transpose: str) -> torch.Tensor:
    turned = {"none": a, "transpose": a.mT, "adjoint": a.mH}[transpose]
    return torch.linalg.solve_triangular(turned, b, upper=lower == (transpose != "none"), left=left, unitriangular=unit)


def _eigh(x: torch.Tensor, lower: bool) -> Any:
    return (*torch.linalg.eigh(x, "L" if lower else "U"), torch.zeros(x.shape[:-2], dtype=torch.int32))


def _svd(x: torch.Tensor, full: bool) -> Any:
    return (*torch.linalg.svd(x, full_matrices=full), torch.zeros(x.shape[:-2], dtype=torch.int32))


def _eigvals(x: torch.Tensor) -> Any:
    return torch.linalg.eigvals(x), torch.zeros(x.shape[:-2], dtype=torch.int32)


def linalg_cases() -> Iterator[Case]:
    for dtype in DTYPES:
        x, tall, wide = normal((2, 4, 4), dtype), normal((2, 5, 3), dtype), normal((3, 5), dtype)
        other = normal((2, 4, 3), dtype, 1)
        yield Case("cholesky", (_definite(x),), torch.linalg.cholesky_ex)
        yield from (Case("lu", (given,), _lu) for given in (x, tall, wide))
        for left, lower, transpose in itertools.product((True, False), (True, False), ("none", "transpose", "adjoint")):
            options = {"left": left, "lower": lower, "unit": lower, "transpose": transpose}
            b = other if left else np.ascontiguousarray(np.swapaxes(other, -1, -2))
            yield Case("triangular_solve", (x, b), lambda a, b, o=options: _solved(a, b, **o), options)
        yield from (Case("geqrf", (given,), torch.geqrf) for given in (x, tall, wide))
        yield from reflection_cases(tall)
        yield from spectral_cases(dtype)
        yield Case("matrix_exp", (x,), torch.linalg.matrix_exp)
    pivots = np.array([[1, 1, 3], [2, 3, 2]], "i4")
    yield Case("pivot_order", (pivots,), lambda p: torch.tensor([[1, 0, 3, 2], [2, 3, 0, 1]], dtype=torch.int32), {"rows": 4})


def reflection_cases(x: Array) -> Iterator[Case]:
    reflectors, scales = (part.numpy() for part in torch.geqrf(torch.from_numpy(x)))
    yield Case("householder_product", (reflectors, scales), torch.linalg.householder_product)
    for left, adjoint in itertools.product((True, False), (True, False)):
        other = np.ascontiguousarray(x if left else np.swapaxes(x, -1, -2))

        def expected(r: torch.Tensor, s: torch.Tensor, o: torch.Tensor, left: bool = left, adjoint: bool = adjoint) -> torch.Tensor:
            return torch.ormqr(r, s, o, left, adjoint)

        yield Case("ormqr", (reflectors, scales, other), expected, {"left": left, "adjoint": adjoint})


def spectral_cases(dtype: str) -> Iterator[Case]:
    """Vectors only where their signs are not free."""
    x = normal((2, 4, 4), dtype)
    scaled = np.diag([3.0, 1.0, 2.0]).astype(NUMPY[dtype])
    for lower in (True, False):
        yield Case("eigh", (x,), lambda x, lower=lower: _eigh(x, lower)[::2], {"lower": lower}, unused=(1,))
    yield Case("eigh", (scaled,), lambda x: _eigh(x, True), {"lower": True})
    yield Case("svd", (x[..., :3],), lambda x: _svd(x, False)[1::2], {"full": False}, unused=(0, 2))
    for full in (True, False):
        yield Case("svd", (scaled[:2],), lambda x, full=full: _svd(x, full), {"full": full})
    yield Case("eig", (np.triu(x),), _eigvals, unused=(1,))
    yield Case("eig", (np.triu(x),), lambda x: (*torch.linalg.eig(x), _eigvals(x)[1]))
