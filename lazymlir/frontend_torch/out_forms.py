"""Forms that write into a tensor given, of operations whose functional form torch composes, or takes other arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from .outs import make_out_kernel
from .overlap import guarded
from .registry import name_of, overload_of

__all__ = ["KERNELS"]

_aten = torch.ops.aten


def _of_dtype(functional: Any) -> Callable[..., Any]:
    """The kernel of the `out=` form of a factory, which makes what `out` can hold."""

    def kernel(*args: Any, out: torch.Tensor, **kwargs: Any) -> torch.Tensor:
        made = make_out_kernel(lambda *given, **named: functional(*given, **named, dtype=out.dtype, device=out.device), _OUT[functional])
        return made(*args, out=out, **kwargs)

    return kernel


_OUT = {
    _aten.linspace.default: _aten.linspace.out,
    _aten.linspace.Tensor_Tensor: _aten.linspace.Tensor_Tensor_out,
    _aten.linspace.Tensor_Scalar: _aten.linspace.Tensor_Scalar_out,
    _aten.linspace.Scalar_Tensor: _aten.linspace.Scalar_Tensor_out,
    _aten.logspace.default: _aten.logspace.out,
    _aten.logspace.Tensor_Tensor: _aten.logspace.Tensor_Tensor_out,
    _aten.logspace.Tensor_Scalar: _aten.logspace.Tensor_Scalar_out,
    _aten.logspace.Scalar_Tensor: _aten.logspace.Scalar_Tensor_out,
    _aten.eye.default: _aten.eye.out,
    _aten.eye.m: _aten.eye.m_out,
}
"""Factories by functional form."""


def addbmm_(x: torch.Tensor, first: torch.Tensor, second: torch.Tensor, *, beta: Any = 1, alpha: Any = 1) -> torch.Tensor:
    """Unlike others, this in-place form gives the tensor the shape of the result."""
    made = _aten.addbmm.default(x, first, second, beta=beta, alpha=alpha)
    if x.shape != made.shape:
        x.resize_(made.shape)
    return x.copy_(made)


def _kernels() -> dict[str, Callable[..., Any]]:
    composed = {
        "conj_physical.out": _aten.conj_physical,
        "linalg_eigvals.out": _aten.linalg_eigvals,
        "masked_select.out": _aten.masked_select,
        "mvlgamma.out": _aten.mvlgamma,
        "narrow_copy.out": _aten.narrow_copy,
        "native_batch_norm.out": _aten.native_batch_norm,
        "nonzero.out": _aten.nonzero,
        "_native_batch_norm_legit.out": _aten._native_batch_norm_legit,
    }
    kernels = {name: make_out_kernel(functional.default, overload_of(name)) for name, functional in composed.items()}
    kernels |= {name_of(out): _of_dtype(functional) for functional, out in _OUT.items()}
    kernels["addbmm_"] = addbmm_
    return {name: guarded(overload_of(name), kernel) for name, kernel in kernels.items()}


KERNELS = _kernels()
"""PrivateUse1 kernels by overload."""
