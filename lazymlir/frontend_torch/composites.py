"""Operations that torch composes of others and of reads of values; here they are composed without the reads.

What a read decided is selected by the program, and what a read refused is required of it: the exception is raised when
something that was computed is read.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import torch

from .gradients import below_autograd, is_transformed, needs_gradient, products_before

__all__ = ["KERNELS"]

_aten = torch.ops.aten


def _require(holds: torch.Tensor, message: str) -> None:
    _aten._assert_async.msg(holds, message)


# Statistics.


def _are_weights(weights: torch.Tensor | None, count: int, kind: Callable[[torch.Tensor], bool]) -> bool:
    return weights is None or (weights.dim() <= 1 and weights.numel() == count and kind(weights))


def _is_integral(x: torch.Tensor) -> bool:
    return not (x.is_floating_point() or x.is_complex() or x.dtype == torch.bool)


def cov(x: torch.Tensor, *, correction: int = 1, fweights: torch.Tensor | None = None, aweights: torch.Tensor | None = None) -> torch.Tensor:
    """The covariances of the rows of `x`. That weights leave no degrees of freedom is no warning: only the program knows."""
    rows = x if x.dim() == 2 else x.reshape(1, -1)
    count = rows.shape[1]
    sound = x.dim() <= 2 and x.dtype != torch.bool and _are_weights(fweights, count, _is_integral)
    if not sound or not count or not _are_weights(aweights, count, torch.Tensor.is_floating_point):
        return _aten.cov.default.decompose(x, correction=correction, fweights=fweights, aweights=aweights)
    weights = _weights(fweights, aweights)
    if weights is None:
        total, freedom = count, max(count - correction, 0)
        if count - correction <= 0:
            warnings.warn("cov(): degrees of freedom is <= 0. Correction should be strictly less than the number of observations.", stacklevel=2)
    else:
        total = weights.sum()
        _require(total != 0, "cov(): weights sum to zero, can't be normalized")
        lost = correction if aweights is None or correction == 0 else correction * (weights * aweights).sum() / total
        freedom = (total - lost).clamp(min=0)
    centered = rows - ((rows if weights is None else rows * weights).sum(1) / total)[:, None]
    weighted = centered if weights is None else centered * weights
    return torch.true_divide(torch.mm(centered, weighted.t().conj()), freedom).squeeze()


def _weights(frequencies: torch.Tensor | None, reliabilities: torch.Tensor | None) -> torch.Tensor | None:
    """The products of both kinds."""
    for name, weights in (("fweights", frequencies), ("aweights", reliabilities)):
        if weights is not None:
            _require(weights.min() >= 0, f"cov(): {name} cannot be negative")
    if frequencies is None or reliabilities is None:
        return reliabilities if frequencies is None else frequencies
    return frequencies * reliabilities


# Signals.


def istft(
    x: torch.Tensor,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: torch.Tensor | None = None,
    center: bool = True,
    normalized: bool = False,
    onesided: bool | None = None,
    length: int | None = None,
    return_complex: bool = False,
) -> torch.Tensor:
    """Each frame's inverse transform times the window, added up and divided by what the squares of the windows add up to."""
    hop, width = n_fft // 4 if hop_length is None else hop_length, n_fft if win_length is None else win_length
    if not _is_spectrogram(x, n_fft, hop, width, window, onesided, return_complex):
        return _aten.istft.default.decompose(x, n_fft, hop_length, win_length, window, center, normalized, onesided, length, return_complex)
    if window is None:
        warnings.warn("A window was not provided. A rectangular window will be applied.", stacklevel=2)
        window = torch.ones(width, dtype=x.dtype.to_real(), device=x.device)
    left = (n_fft - width) // 2
    window = torch.constant_pad_nd(window, (left, n_fft - width - left))
    batch = x if x.dim() == 3 else x[None]
    made = _overlapped(_frames(batch.transpose(1, 2), n_fft, normalized, return_complex) * window, hop)
    squares = _overlapped((window**2).expand(1, x.shape[-1], n_fft), hop)
    start = n_fft // 2 if center else 0
    end = start + length if length is not None else made.shape[1] - start
    made, squares = made[:, start:end], squares[:, start:end]
    _require(~(squares.abs().min() < 1e-11), "window overlap add min: 1")
    made = made / squares
    if length is not None and made.shape[1] < length:
        warnings.warn("The signal is shorter than the length asked for: the result is padded with zeros in the tail.", stacklevel=2)
        made = torch.constant_pad_nd(made, (0, length - made.shape[1]))
    return made if x.dim() == 3 else made[0]


def _is_spectrogram(
    x: torch.Tensor, n_fft: int, hop: int, width: int, window: torch.Tensor | None, onesided: bool | None, return_complex: bool
) -> bool:
    """Whether torch takes the arguments, whatever their values; for errors there is torch's composition."""
    if not x.is_complex() or x.dim() not in (2, 3) or not x.numel() or not 0 < hop <= width <= n_fft:
        return False
    half = x.shape[-2] != n_fft if onesided is None else onesided
    if x.shape[-2] != (n_fft // 2 + 1 if half else n_fft) or (half and return_complex):
        return False
    return window is None or (window.shape == (width,) and (return_complex or not window.is_complex()))


def _frames(x: torch.Tensor, n_fft: int, normalized: bool, return_complex: bool) -> torch.Tensor:
    """The signals of spectra [batch, frame, frequency]."""
    norm = "ortho" if normalized else "backward"
    return torch.fft.ifft(x, norm=norm) if return_complex else torch.fft.irfft(x[..., : n_fft // 2 + 1], n_fft, norm=norm)


def _overlapped(frames: torch.Tensor, hop: int) -> torch.Tensor:
    """The sums of frames [batch, frame, place] that begin `hop` places apart."""
    batch, count, size = frames.shape
    return _aten.unfold_backward(frames, (batch, size + hop * (count - 1)), 1, size, hop)


# Derivatives.


def cumprod_backward(grad: torch.Tensor, x: torch.Tensor, dim: int, output: torch.Tensor) -> torch.Tensor:
    """The product before each element, times what follows: grad[k] + x[k + 1] * (grad[k + 1] + x[k + 2] * ...), by joining
    stretches whose length doubles. No division: elements may be 0, and derivatives have derivatives."""
    if x.numel() <= 1:
        return grad
    wide = torch.float32 if x.dtype in (torch.float16, torch.bfloat16) else x.dtype
    factors, total = x.to(wide).conj(), grad.to(wide)
    before = products_before(factors, dim)
    count = x.shape[dim]
    factor, reach = factors.narrow(dim, 1, count - 1), 1
    while reach < count:
        rest = count - reach
        total = torch.cat([total.narrow(dim, 0, rest) + factor * total.narrow(dim, reach, rest), total.narrow(dim, rest, reach)], dim)
        rest = max(rest - reach, 0)
        factor = factor.narrow(dim, 0, rest) * factor.narrow(dim, reach, rest) if rest else factor
        reach *= 2
    return (before * total).to(x.dtype)


def _with_gradient(overload: Any, compose: Callable[..., torch.Tensor]) -> Callable[..., torch.Tensor]:
    """The kernel before autograd's of an operation (x, ..., places, value), which torch differentiates by `value` with
    reads. What it does not take is refused where it is recorded."""

    def kernel(x: torch.Tensor, *args: Any) -> torch.Tensor:
        *_, places, value = args
        sound = value.dim() == 0 and (x.is_complex() or not value.is_complex()) and places.dtype in (torch.bool, torch.int64)
        if not sound or not (is_transformed() or needs_gradient(x, value)):
            return below_autograd(overload, x, *args)
        return compose(x, *args)

    return kernel


def _index_fill(x: torch.Tensor, dim: int, index: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
    places = x.new_zeros(x.shape[dim] if x.dim() else 1, dtype=torch.bool).index_fill(0, index, True)
    places = places.reshape([-1 if d == dim % x.dim() else 1 for d in range(x.dim())])
    return torch.empty_like(x).copy_(torch.where(places, value.to(x.dtype), x))


def _masked_fill(x: torch.Tensor, mask: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
    return torch.where(mask, value.to(x.dtype), x).contiguous()


def tensor_split(x: torch.Tensor, places: torch.Tensor, dim: int = 0) -> Any:
    """torch wants the places on the CPU, and the results are views: they are read."""
    return _aten.tensor_split.tensor_indices_or_sections.decompose(x, places.cpu(), dim)


def narrow_copy(x: torch.Tensor, dim: int, start: int, length: int) -> torch.Tensor:
    """The CPU's kernel refuses a dimension that is not there with another exception than `narrow`."""
    if dim >= max(x.dim(), 1):
        raise RuntimeError(f"narrow_copy(): dimension {dim} is out of range for a tensor of {x.dim()} dimensions")
    return x.narrow(dim, start, length).clone(memory_format=torch.contiguous_format)


KERNELS: tuple[tuple[str, str, Callable[..., Any]], ...] = (
    *((function.__name__, key, function) for function in (cov, istft, cumprod_backward) for key in ("AutogradPrivateUse1", "PrivateUse1")),
    *(("tensor_split.tensor_indices_or_sections", key, tensor_split) for key in ("AutogradPrivateUse1", "PrivateUse1")),
    ("narrow_copy", "PrivateUse1", narrow_copy),
    ("index_fill.int_Tensor", "AutogradPrivateUse1", _with_gradient(_aten.index_fill.int_Tensor, _index_fill)),
    ("masked_fill.Tensor", "AutogradPrivateUse1", _with_gradient(_aten.masked_fill.Tensor, _masked_fill)),
)
"""Kernels: name, dispatch key, function."""
