"""Templates of linear algebra.

On the CPU, LAPACK is called directly where jax's functions would replace a failed factorization by NaN, compute what is not
wanted, or not tell LAPACK's `info`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.lax import linalg
from jaxlib import lapack

__all__ = ["TEMPLATES"]

Array = Any
Results = tuple[Array, ...]


def _call_lapack(routine: str, x: Array, results: Sequence[Any], **options: str) -> Sequence[Array]:
    """Calls LAPACK's `routine`, which overwrites `x` with its first result. Results with the rank of `x` are matrices, which
    LAPACK wants column by column; the last one is `info`."""
    column_major = (*range(x.ndim - 2), x.ndim - 1, x.ndim - 2)
    results = [*results, jax.ShapeDtypeStruct(x.shape[:-2], np.int32)]
    call = jax.ffi.ffi_call(
        lapack.prepare_lapack_call(f"{routine}_ffi", x.dtype),
        results,
        input_layouts=[column_major],
        output_layouts=[column_major if len(result.shape) == x.ndim else None for result in results],
        input_output_aliases={0: 0} if results[0].shape == x.shape and results[0].dtype == x.dtype else None,
    )
    return call(x, **{name: np.uint8(ord(option)) for name, option in options.items()})


def _real(x: Array) -> Any:
    return np.finfo(x.dtype).dtype


def _spread(condition: Array, x: Array) -> Array:
    """A condition for each matrix, for each of its elements."""
    return condition.reshape(*condition.shape, *(1,) * (x.ndim - condition.ndim))


def _failed(x: Array, result: Array) -> Array:
    """What stands for `info` where only NaN tells of a failure."""
    dims = tuple(range(x.ndim - 2, result.ndim))
    return jnp.any(jnp.isnan(result), dims).astype(np.int32)


# Cholesky.


def _cholesky(x: Array) -> Results:
    def with_lapack(x: Array) -> Results:
        factor, info = _call_lapack("potrf", x, [x], uplo="L")
        return jnp.tril(factor), _with_nan(info, factor)

    def otherwise(x: Array) -> Results:
        factor = linalg.cholesky(x, symmetrize_input=False)
        failed = _failed(x, factor) > 0
        order = jax.lax.cond(jnp.any(failed), _first_bad_minor, lambda x: jnp.zeros(x.shape[:-2], np.int32), x)
        return factor, jnp.where(failed, order, 0)

    return jax.lax.platform_dependent(x, cpu=with_lapack, default=otherwise)


def _with_nan(info: Array, factor: Array) -> Array:
    """`info` of a Cholesky factor, also where a NaN on its diagonal comes first: not every library looks for one."""
    size = factor.shape[-1]
    isnan = jnp.isnan(jnp.diagonal(factor, axis1=-2, axis2=-1))
    first = jnp.min(jnp.where(isnan, jnp.arange(1, size + 1, dtype=np.int32), size + 1), -1)
    order = jnp.minimum(first, jnp.where(info > 0, info, size + 1))
    return jnp.where(order > size, 0, order)


def _first_bad_minor(x: Array) -> Array:
    """The order of the first leading minor that has no Cholesky factorization: all larger ones have none either."""
    place = jnp.arange(x.shape[-1])

    def halve(_: Array, bounds: Results) -> Results:
        good, bad = bounds
        order = (good + bad) // 2
        inside = place < order[..., None]
        minor = jnp.where(inside[..., :, None] & inside[..., None, :], x, jnp.eye(x.shape[-1], dtype=x.dtype))
        failed = _failed(x, linalg.cholesky(minor, symmetrize_input=False)) > 0
        return jnp.where(failed, good, order), jnp.where(failed, order, bad)

    batch = x.shape[:-2]
    bounds = jnp.zeros(batch, np.int32), jnp.full(batch, x.shape[-1], np.int32)
    return jax.lax.fori_loop(0, x.shape[-1].bit_length(), halve, bounds)[1]


# Triangular systems.


def _triangular_solve(a: Array, b: Array, left: bool, lower: bool, unit: bool, transpose: str) -> Array:
    options = {"transpose_a": transpose != "none", "conjugate_a": transpose == "adjoint"}
    return linalg.triangular_solve(a, b, left_side=left, lower=lower, unit_diagonal=unit, **options)


# Reflections.


def _geqrf(x: Array) -> Results:
    reflectors, scales = jnp.linalg.qr(x, mode="raw")
    return jnp.swapaxes(reflectors, -1, -2), scales


def _ormqr(x: Array, scales: Array, other: Array, left: bool, adjoint: bool) -> Array:
    return linalg.ormqr(x, scales, other, left=left, transpose=adjoint)


# Eigenvalues and singular values.


def _eigh(x: Array, lower: bool, vectors: bool) -> Results:
    def with_lapack(x: Array) -> Results:
        values = jax.ShapeDtypeStruct(x.shape[:-1], _real(x))
        routine = "heevd" if np.issubdtype(x.dtype, np.complexfloating) else "syevd"
        made, found, info = _call_lapack(routine, x, [x, values], mode="V" if vectors else "N", uplo="L" if lower else "U")
        return found, made, info

    def otherwise(x: Array) -> Results:
        made, found = linalg.eigh(x, lower=lower, symmetrize_input=False)
        return found, made, _failed(x, found)

    return jax.lax.platform_dependent(x, cpu=with_lapack, default=otherwise)


def _svd(x: Array, full: bool, vectors: bool) -> Results:
    *batch, rows, columns = x.shape
    least = min(rows, columns)

    def with_lapack(x: Array) -> Results:
        s = jax.ShapeDtypeStruct((*batch, least), _real(x))
        u = jax.ShapeDtypeStruct((*batch, rows, rows if full else least), x.dtype)
        vh = jax.ShapeDtypeStruct((*batch, columns if full else least, columns), x.dtype)
        _, s, u, vh, info = _call_lapack("gesdd", x, [x, s, u, vh], mode=("A" if full else "S") if vectors else "N")
        return u, s, vh, info

    def otherwise(x: Array) -> Results:
        u, s, vh = linalg.svd(x, full_matrices=full)
        holds_nan = jnp.any(jnp.isnan(x), (-2, -1))
        return u, s, vh, jnp.where(holds_nan, -4, _failed(x, s))

    return jax.lax.platform_dependent(x, cpu=with_lapack, default=otherwise)


def _eig(x: Array, vectors: bool) -> Results:
    """LAPACK's, which only the CPU has."""
    real = not np.issubdtype(x.dtype, np.complexfloating)
    values = jax.ShapeDtypeStruct(x.shape[:-1], x.dtype)
    made = jax.ShapeDtypeStruct(x.shape, np.result_type(x.dtype, np.complex64))
    results = [values, values, made, made] if real else [values, made, made]
    *parts, _, right, info = _call_lapack("geev", x, results, compute_left="N", compute_right="V" if vectors else "N")
    return jax.lax.complex(*parts) if real else parts[0], right, info


# The exponential.

_DEGREE = 20
_NORMS = {np.dtype(np.float32): 3.0, np.dtype(np.float64): 1.3}
"""Up to which 1-norm the Taylor polynomial of that degree is exact to the last place."""


def _matrix_exp(x: Array) -> Array:
    """Each squaring doubles the error: where double precision is cheap, it is used."""

    def wide(x: Array) -> Array:
        return _squared(x.astype(np.result_type(x.dtype, np.float64))).astype(x.dtype)

    return jax.lax.platform_dependent(x, cpu=wide, default=_squared)


def _squared(x: Array) -> Array:
    """The exponential of x / 2 ** s, squared s times, with s so that a short polynomial serves."""
    norm = jnp.max(jnp.sum(jnp.abs(x), -2), -1)
    wanted = jnp.ceil(jnp.log2(norm / _NORMS[_real(x)]))
    squarings = jnp.where(jnp.isfinite(norm), jnp.clip(wanted, 0), 0).astype(np.int32)
    scale = jnp.exp2(-squarings.astype(norm.dtype))

    def square(state: Results) -> Results:
        done, y = state
        return done + 1, jnp.where(_spread(done < squarings, y), y @ y, y)

    def unfinished(state: Results) -> Array:
        return jnp.any(state[0] < squarings)

    return jax.lax.while_loop(unfinished, square, (jnp.int32(0), _exponential_polynomial(x * _spread(scale, x).astype(x.dtype))))[1]


def _exponential_polynomial(x: Array) -> Array:
    """The first terms of the exponential series, with few products: a polynomial in x ** 4 whose coefficients are
    polynomials of degree 3."""
    square = x @ x
    powers = [jnp.broadcast_to(jnp.eye(x.shape[-1], dtype=x.dtype), x.shape), x, square, square @ x]
    fourth = square @ square
    factors = 1 / np.cumprod([1.0, *range(1, _DEGREE + 1)])
    made = factors[_DEGREE].astype(_real(x)) * fourth
    for degree in range(_DEGREE - 4, -1, -4):
        made += sum(factors[degree + i].astype(_real(x)) * power for i, power in enumerate(powers))
        made = made @ fourth if degree else made
    return made


TEMPLATES: dict[str, Callable[..., Any]] = {
    "cholesky": _cholesky,
    "eig": _eig,
    "eigh": _eigh,
    "geqrf": _geqrf,
    "householder_product": linalg.householder_product,
    "lu": linalg.lu,
    "matrix_exp": _matrix_exp,
    "ormqr": _ormqr,
    "pivot_order": lambda pivots, rows: linalg.lu_pivots_to_permutation(pivots, rows),
    "svd": _svd,
    "triangular_solve": _triangular_solve,
}
