"""Linear algebra against CPU eager: factors, solutions and their gradients; where signs are free, what they must multiply to;
`info`, and the errors that values decide."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest
import torch
from ops_support import DEVICE, Case, check, gapped

import lazymlir
from lazymlir import metrics

LinAlgError = torch.linalg.LinAlgError
NAN = float("nan")

pytestmark = pytest.mark.filterwarnings("ignore:torch.*is deprecated")


def _matrices(*shape: int, dtype: torch.dtype = torch.float64) -> torch.Tensor:
    """Of small condition."""
    x = torch.randn(shape, dtype=dtype, generator=torch.Generator().manual_seed(sum(shape)))
    return x + 3 * torch.eye(*shape[-2:], dtype=dtype)


def _definite(x: torch.Tensor) -> torch.Tensor:
    return x @ x.mH + torch.eye(x.shape[-1], dtype=x.dtype, device=x.device)


SQUARE: dict[str, Callable[[torch.Tensor], Any]] = {
    "cholesky": lambda x: torch.linalg.cholesky(_definite(x)),
    "cholesky upper": lambda x: torch.linalg.cholesky(_definite(x), upper=True),
    "cholesky_ex": lambda x: torch.linalg.cholesky_ex(_definite(x))[:2],
    "cholesky_inverse": lambda x: torch.cholesky_inverse(torch.linalg.cholesky(_definite(x))),
    "cholesky_inverse upper": lambda x: torch.cholesky_inverse(torch.linalg.cholesky(_definite(x), upper=True), upper=True),
    "cholesky_solve": lambda x: torch.cholesky_solve(x, torch.linalg.cholesky(_definite(x))),
    "det": torch.linalg.det,
    "det of the transpose": lambda x: torch.linalg.det(x.mT),
    "logdet": lambda x: torch.logdet(_definite(x)),
    "slogdet": lambda x: tuple(torch.linalg.slogdet(x)),
    "inv": torch.linalg.inv,
    "inv of the transpose": lambda x: torch.linalg.inv(x.mT),
    "inv_ex": lambda x: tuple(torch.linalg.inv_ex(x)),
    "solve": lambda x: torch.linalg.solve(x, x[..., :2]),
    "solve of the transpose": lambda x: torch.linalg.solve(x.mT, x[..., :2]),
    "solve right": lambda x: torch.linalg.solve(x, x[..., :2, :], left=False),
    "solve vector": lambda x: torch.linalg.solve(x, x[..., 0]),
    "lu_solve": lambda x: torch.linalg.lu_solve(*torch.linalg.lu_factor(x), x),
    "lu_solve adjoint": lambda x: torch.linalg.lu_solve(*torch.linalg.lu_factor(x), x, adjoint=True),
    "lu_solve right": lambda x: torch.linalg.lu_solve(*torch.linalg.lu_factor(x), x, left=False),
    "lu_solve right adjoint": lambda x: torch.linalg.lu_solve(*torch.linalg.lu_factor(x), x, left=False, adjoint=True),
    "solve_triangular": lambda x: torch.linalg.solve_triangular(x, x[..., :2], upper=True),
    "solve_triangular right": lambda x: torch.linalg.solve_triangular(x, x, upper=False, left=False, unitriangular=True),
    "solve_triangular adjoint": lambda x: torch.linalg.solve_triangular(x.mH, x, upper=False),
    "triangular_solve": lambda x: torch.triangular_solve(x, x, upper=False, transpose=True),
    "matrix_exp": torch.linalg.matrix_exp,
    "matrix_power": lambda x: torch.linalg.matrix_power(x, -3),
    "eigvalsh": lambda x: torch.linalg.eigvalsh(x + x.mH),
    "matrix_norm 2": lambda x: torch.linalg.matrix_norm(x, 2),
    "nuclear norm": lambda x: torch.linalg.matrix_norm(x, "nuc"),
    "cond": torch.linalg.cond,
}
ANY: dict[str, Callable[[torch.Tensor], Any]] = {
    "lu": lambda x: tuple(torch.linalg.lu(x)),
    "lu_factor": lambda x: tuple(torch.linalg.lu_factor(x)),
    "lu_unpack": lambda x: tuple(torch.lu_unpack(*torch.linalg.lu_factor(x))),
    "svdvals": torch.linalg.svdvals,
    "pinv": torch.linalg.pinv,
    "geqrf": lambda x: tuple(torch.geqrf(x)),
}
TALL: dict[str, Callable[[torch.Tensor], Any]] = {
    "qr": lambda x: tuple(torch.linalg.qr(x)),
    "lstsq": lambda x: torch.linalg.lstsq(x, x[..., :2])[0],
    "lstsq gels": lambda x: torch.linalg.lstsq(x, x[..., 0, None] ** 2, driver="gels")[0],
    "householder_product": lambda x: torch.linalg.householder_product(x, x[..., 0, :] / 10),
}
WITHOUT_GRADIENT: dict[str, Callable[[torch.Tensor], Any]] = {
    "qr complete": lambda x: tuple(torch.linalg.qr(x, "complete")),
    "qr r": lambda x: torch.linalg.qr(x, "r").R,
    "matrix_rank": torch.linalg.matrix_rank,
    "lstsq residuals": lambda x: tuple(torch.linalg.lstsq(x, x**2, driver="gels"))[:2],
    "lstsq rank": lambda x: tuple(torch.linalg.lstsq(x.mT, x.mT[..., :2], driver="gelsd")),
    "ormqr": lambda x: [torch.ormqr(*torch.geqrf(x), x, transpose=t) for t in (True, False)],
    "ormqr right": lambda x: torch.ormqr(*torch.geqrf(x), x.mT, left=False),
    "lu_unpack permutation": lambda x: torch.lu_unpack(*torch.linalg.lu_factor(x), unpack_data=False).P,
}
TABLES = (("square", SQUARE), ("any", ANY), ("tall", TALL), ("tall", WITHOUT_GRADIENT))
NO_GRADIENT = ("geqrf", "cond")
NOTHING_COMPLEX = (
    "cholesky_ex", "cholesky_inverse upper", "det of the transpose", "logdet", "inv of the transpose", "inv_ex", "solve vector",
    "solve of the transpose", "matrix_power", "matrix_norm 2", "nuclear norm", "cond", "lstsq residuals", "lu_unpack permutation",
)  # fmt: skip
"""What is made of others as it is of real matrices."""

SHAPES = {"square": (2, 3, 3), "any": (2, 3, 4), "tall": (2, 5, 3)}
SOME = 10
"""Cases of a program: XLA's compile time grows faster than its length."""

FREE_OF_GAUGE: dict[str, Callable[[torch.Tensor], Any]] = {
    "eigh": lambda x: [(v := torch.linalg.eigh(x + x.mH)).eigenvectors * v.eigenvalues[..., None, :] @ v.eigenvectors.mH, v.eigenvalues],
    "eigh upper": lambda x: (v := torch.linalg.eigh(x, "U")).eigenvectors * v.eigenvalues[..., None, :] @ v.eigenvectors.mH,
    "svd": lambda x: [(u := torch.linalg.svd(x)).U @ torch.diag_embed(u.S).to(x.dtype) @ u.Vh, u.S, u.U.abs(), u.Vh.abs()],
    "eig": lambda x: [(e := torch.linalg.eig(x)).eigenvectors * e.eigenvalues[..., None, :] @ torch.linalg.inv(e.eigenvectors), e.eigenvectors.abs()],
    "eigvals": lambda x: torch.view_as_real(torch.linalg.eigvals(x)).sum(-2),
}


def _check(cases: Iterable[Case], gradients: bool = False) -> None:
    some = [_without_strides(case) for case in cases]
    for first in range(0, len(some), SOME):
        check(some[first : first + SOME], gradients=gradients)


def test_values_of_complex_matrices() -> None:
    runs = [(name, run, SHAPES[kind]) for kind, table in TABLES for name, run in table.items() if name not in NOTHING_COMPLEX]
    _check(Case(name, run, (_matrices(*shape, dtype=torch.complex64),)) for name, run, shape in runs)


def test_values_and_gradients() -> None:
    runs = [(name, run, SHAPES[kind]) for kind, table in TABLES[:3] for name, run in table.items() if name not in NO_GRADIENT]
    _check((Case(name, run, (_matrices(*shape),)) for name, run, shape in runs), gradients=True)


def test_values_without_gradients() -> None:
    runs = [(name, run, SHAPES[kind]) for kind, table in TABLES for name, run in table.items() if name in NO_GRADIENT or table is WITHOUT_GRADIENT]
    _check(Case(name, run, (_matrices(*shape),)) for name, run, shape in runs)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.complex64, torch.complex128], ids=str)
def test_eigenvectors_and_singular_vectors_make_the_matrix_again(dtype: torch.dtype) -> None:
    _check(Case(name, run, (_matrices(2, 3, 3, dtype=dtype),)) for name, run in FREE_OF_GAUGE.items())


def _without_strides(case: Case) -> Case:
    """What arithmetic makes of factors lies in memory as torch pleases."""

    def run(*inputs: Any) -> Any:
        made = case.run(*inputs)
        return [y.contiguous() for y in (made if isinstance(made, (tuple, list)) else [made])]

    return Case(case.name, run, case.inputs)


def test_strides_of_factors_and_strided_inputs() -> None:
    names = ("cholesky", "inv", "solve", "solve_triangular", "lu_solve")
    runs = [
        *((name, SQUARE[name]) for name in names),
        ("lu", ANY["lu"]),
        ("lu_factor", ANY["lu_factor"]),
        ("qr", TALL["qr"]),
        ("geqrf", ANY["geqrf"]),
    ]
    spectral = (("eigh", lambda x: tuple(torch.linalg.eigh(x)[:1])), ("svd", lambda x: torch.linalg.svd(x)[1]))
    cases = [Case(name, run, (gapped(_matrices(2, 3, 3)),)) for name, run in (*runs, *spectral)]
    check([*cases, Case("turned", torch.linalg.inv, (_matrices(3, 3).mT,))])


@pytest.mark.parametrize("run", [torch.linalg.eigh, torch.linalg.svd, torch.linalg.eig])
def test_factors_lie_in_memory_as_eager_has_them(run: Callable[[torch.Tensor], Any]) -> None:
    x = _matrices(2, 3, 3)
    for expected, got in zip(run(x), run(x.to(DEVICE)), strict=True):
        assert (got.stride(), got.dtype) == (expected.stride(), expected.dtype)


def test_empty_matrices_and_batches() -> None:
    skipped = ("eigvalsh", "cond", "matrix_norm 2", "nuclear norm", "solve vector", "lstsq gels", "householder_product")
    cases = [
        _without_strides(Case(f"{name} {shape}", run, (torch.ones(shape, dtype=torch.float64),)))
        for kind, table in TABLES
        for name, run in table.items()
        for shape in ((0, 3, 3), (0, 0), (2, 0, 0), *(((0, 3), (3, 0)) if kind != "square" else ()))
        if name not in skipped and not name.startswith("lstsq")
    ]
    for shape in ((0, 3), (3, 0), (2, 0, 3)):
        for full in (True, False):
            cases.append(Case(f"svd {shape}", lambda x, full=full: tuple(torch.linalg.svd(x, full)), (torch.ones(shape),)))
    cases += [Case(f"eigh {shape}", lambda x: tuple(torch.linalg.eigh(x)), (torch.ones(shape),)) for shape in ((0, 0), (0, 2, 2))]
    check(cases)


def test_info_of_failed_factorizations() -> None:
    zero = torch.tensor([[[0.0, 1, 2], [0, 1, 3], [0, 4, 5]], [[1, 2, 3], [2, 4, 1], [1, 2, 7]], [[1, 0, 0], [0, 2, 0], [0, 0, 3]]])
    indefinite = torch.stack([torch.diag(torch.tensor(d)) for d in ([1.0, 2, -3], [-1.0, 2, 3], [1.0, 0, 3], [1.0, 2, 3], [NAN, 1, 2])])
    check(
        [
            Case("cholesky", lambda x: torch.linalg.cholesky_ex(x).info, (indefinite,)),
            Case("cholesky upper", lambda x: torch.linalg.cholesky_ex(x, upper=True).info, (indefinite,)),
            Case("lu", lambda x: torch.linalg.lu_factor_ex(x).info, (zero,)),
            Case("inv", lambda x: torch.linalg.inv_ex(x).info, (zero,)),
            Case("inv transposed", lambda x: torch.linalg.inv_ex(x.mT).info, (zero,)),
            Case("solve", lambda x: torch.linalg.solve_ex(x, x).info, (zero,)),
            Case("det", torch.linalg.det, (zero,)),
            Case("slogdet", lambda x: tuple(torch.linalg.slogdet(x)), (zero,)),
        ]
    )


SINGULAR: dict[str, Callable[[torch.Tensor], Any]] = {
    "inv": torch.linalg.inv,
    "inv_ex": lambda x: torch.linalg.inv_ex(x, check_errors=True).inverse,
    "inverse": torch.inverse,
    "solve": lambda x: torch.linalg.solve(x, x),
    "tensorinv": lambda x: torch.linalg.tensorinv(x[0] if x.dim() == 3 else x, ind=1),
    "cholesky": torch.linalg.cholesky,
    "cholesky upper": lambda x: torch.linalg.cholesky(x, upper=True),
    "cholesky_inverse": torch.cholesky_inverse,
    "lu_factor": lambda x: torch.linalg.lu_factor(x)[0],
    "lu_factor_ex": lambda x: torch.linalg.lu_factor_ex(x, check_errors=True)[0],
    "svd": lambda x: torch.linalg.svd(x / x)[1],
    "eig": lambda x: torch.linalg.eig(x / x)[0],
    "lu_unpack": lambda x: torch.lu_unpack(x, torch.full(x.shape[:-1], 9, dtype=torch.int32, device=x.device))[0],
}


@pytest.mark.parametrize("name", SINGULAR)
@pytest.mark.parametrize("batched", [False, True], ids=["one", "batch"])
def test_errors_of_values_are_raised_at_the_next_read(name: str, batched: bool) -> None:
    x = torch.diag(torch.tensor([1.0, 0, 2]))
    x = torch.stack([torch.eye(3), x]) if batched else x
    if batched and name == "tensorinv":
        x = x.flip(0)
    with pytest.raises(RuntimeError) as expected:
        SINGULAR[name](x)
    metrics.clear_all()
    made = SINGULAR[name](x.to(DEVICE))
    assert not metrics.executed_fallback_ops() and not metrics.counter_value("HostRead")
    with pytest.raises(expected.type) as found:
        made.cpu()
    assert str(found.value).startswith(str(expected.value).split(" Did you")[0])


def test_a_matrix_that_is_not_singular_raises_nothing() -> None:
    x = (torch.eye(3) * 2).to(DEVICE)
    torch.testing.assert_close(torch.linalg.inv(x).cpu(), torch.eye(3) / 2)
    lazymlir.sync(wait=True)


def test_refused_calls() -> None:
    x = _matrices(3, 3)
    check(
        [
            Case("right", torch.linalg.inv, (x,)),
            Case("svd driver", lambda x: torch.linalg.svd(x, driver="gesvd"), (x,)),
            Case("not square", torch.linalg.inv, (x[:2],)),
            Case("lu without pivots", lambda x: torch.linalg.lu(x, pivot=False), (x,)),
            Case("lu_factor without pivots", lambda x: torch.linalg.lu_factor(x, pivot=False), (x,)),
            Case("lstsq driver", lambda x: torch.linalg.lstsq(x, x, driver="no"), (x,)),
            Case("half", torch.linalg.inv, (x.half(),)),
            Case("half qr", torch.linalg.qr, (x.half(),)),
            Case("integers", torch.linalg.det, (x.int(),)),
            Case("uplo", lambda x: torch.linalg.eigh(x, "X"), (x,)),
        ]
    )


def test_an_exponential_of_large_numbers_is_precise() -> None:
    x = _matrices(3, 6, 6)
    x *= torch.tensor([0.0, 1, 10])[:, None, None]
    got = torch.linalg.matrix_exp(x.float().to(DEVICE)).cpu().double()
    for one, other in zip(got, torch.linalg.matrix_exp(x.float().double()), strict=True):
        assert (one - other).abs().max() <= 1e-6 * other.abs().max()


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16], ids=str)
@pytest.mark.parametrize(("times", "size"), [((2, 64), 16), ((1, 128), 128), ((5, 3), 24)], ids=str)
def test_contractions_of_16_bit_floats_over_several_dimensions(counts, dtype, times, size):
    """XLA:CPU has no code for what these become if their batch of one is left."""
    x, y = torch.randn(*times, size, dtype=dtype), torch.randn(*times, 2 * size, dtype=dtype)
    found = torch.einsum("bki,bkj->ij", x.to("lazymlir"), y.to("lazymlir"))
    expected = torch.einsum("bki,bkj->ij", x.double(), y.double())
    epsilon = torch.finfo(dtype).eps
    torch.testing.assert_close(found.cpu().double(), expected, rtol=epsilon, atol=epsilon)  # sums in float32, rounded once
    assert counts.fallbacks == 0
