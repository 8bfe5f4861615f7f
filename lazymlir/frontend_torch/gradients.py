"""Reductions whose derivatives, as torch has them, read values in the backward pass; here they do not.

The kernels stand before those of autograd. Where a derivative forward or a transform of `torch.func` is asked for, which a
function with a backward pass of its own does not give, they compose the reduction of others that have all derivatives.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import torch
from torch.autograd import forward_ad

from .registry import overload_of

__all__ = ["KERNELS", "below_autograd", "install", "is_transformed", "needs_gradient", "or_differentiable"]

_aten = torch.ops.aten


def is_transformed() -> bool:
    """Whether a derivative forward, or a transform of `torch.func`, is under way."""
    return forward_ad._current_level >= 0 or torch._C._are_functorch_transforms_active()


def needs_gradient(*tensors: torch.Tensor) -> bool:
    return torch.is_grad_enabled() and any(x.requires_grad for x in tensors)


def below_autograd(overload: Any, *args: Any, **kwargs: Any) -> Any:
    """The operation as it is recorded."""
    with torch._C._AutoDispatchBelowAutograd():
        return overload(*args, **kwargs)


def or_differentiable(kernel: Callable[..., Any], differentiable: Callable[..., Any]) -> Callable[..., Any]:
    """Before autograd: `kernel`, which records the call, or `differentiable`, where derivatives are asked for, and where a
    mode looks on, which knows the operations that torch composes it of (to count their operations, say)."""
    modes = torch._C._len_torch_dispatch_stack

    def choose(*args: Any, **kwargs: Any) -> Any:
        tensors = [x for x in args if isinstance(x, torch.Tensor)] if torch.is_grad_enabled() else ()
        return (differentiable if needs_gradient(*tensors) or is_transformed() or modes() else kernel)(*args, **kwargs)

    return choose


# Forward.

COMPOSED_FORWARD = ("linear",)
"""Operations with a kernel whose derivative forward torch has only where it composes them of others."""


def install() -> None:
    """Replaces the functions of torch that open and close a level of forward derivatives: within one, torch composes what
    it has to."""
    enter, leave = forward_ad.enter_dual_level, forward_ad.exit_dual_level
    composed: list[torch.library.Library] = []

    @wraps(enter)
    def enter_dual_level() -> int:
        level = enter()
        library = torch.library.Library("aten", "IMPL")
        for name in COMPOSED_FORWARD:
            library.impl(name, overload_of(name).decompose, "AutogradPrivateUse1")
        composed.append(library)
        return level

    @wraps(leave)
    def exit_dual_level(*, level: int | None = None) -> None:
        leave(level=level)
        composed.pop()._destroy()

    forward_ad.enter_dual_level, forward_ad.exit_dual_level = enter_dual_level, exit_dual_level


# Products.


def products_before(x: torch.Tensor, dim: int) -> torch.Tensor:
    """For each element the product of those before it along `dim`, 1 for the first."""
    return torch.cat([torch.ones_like(x.narrow(dim, 0, 1)), x.narrow(dim, 0, x.shape[dim] - 1)], dim).cumprod(dim)


def _products_of_others(x: torch.Tensor, dim: int) -> torch.Tensor:
    if x.shape[dim] == 0:
        return x
    return products_before(x, dim) * products_before(x.flip(dim), dim).flip(dim)


class _Product(torch.autograd.Function):
    """The product along a dimension, which is kept."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, dim: int, dtype: torch.dtype | None) -> torch.Tensor:
        ctx.save_for_backward(x)
        ctx.dim = dim
        return below_autograd(_aten.prod.dim_int, x, dim, True, dtype=dtype)

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor) -> tuple[torch.Tensor, None, None]:
        (x,), (grad,) = ctx.saved_tensors, grads
        return grad * _products_of_others(x.to(grad.dtype), ctx.dim).conj(), None, None


def prod(x: torch.Tensor, *, dtype: torch.dtype | None = None) -> torch.Tensor:
    if is_transformed() or needs_gradient(x):
        return prod_dim(x.reshape(-1), 0, dtype=dtype)
    return below_autograd(_aten.prod.default, x, dtype=dtype)


def prod_dim(x: torch.Tensor, dim: int, keepdim: bool = False, *, dtype: torch.dtype | None = None) -> torch.Tensor:
    if not is_transformed() and not needs_gradient(x):
        return below_autograd(_aten.prod.dim_int, x, dim, keepdim, dtype=dtype)
    if x.dim() == 0:
        return prod_dim(x.reshape(1), dim, dtype=dtype)
    if not is_transformed():
        made = _Product.apply(x, dim, dtype)
    elif x.shape[dim]:
        made = x.cumprod(dim, dtype=dtype).narrow(dim, -1, 1)
    else:
        made = x.sum(dim, keepdim=True, dtype=dtype) + 1
    return made if keepdim else made.squeeze(dim)


# One element out of all.


class _Selected(torch.autograd.Function):
    """An element that a reduction of all selects; all elements that equal it share its gradient."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, overload: Any) -> torch.Tensor:
        chosen = below_autograd(overload, x)
        ctx.save_for_backward(x, chosen)
        return chosen

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor) -> tuple[torch.Tensor, None]:
        (x, chosen), (grad,) = ctx.saved_tensors, grads
        equal = (x == chosen) | (x.isnan() & chosen.isnan())
        return torch.where(equal, grad / equal.sum(), 0), None


def _selection(name: str) -> Callable[[torch.Tensor], torch.Tensor]:
    packet = getattr(_aten, name)

    def kernel(x: torch.Tensor) -> torch.Tensor:
        if is_transformed():
            return packet(x.reshape(-1), 0)[0]
        return _Selected.apply(x, packet.default) if needs_gradient(x) else below_autograd(packet.default, x)

    return kernel


KERNELS: tuple[tuple[str, str, Callable[..., Any]], ...] = (
    ("prod", "AutogradPrivateUse1", prod),
    ("prod.dim_int", "AutogradPrivateUse1", prod_dim),
    *((name, "AutogradPrivateUse1", _selection(name)) for name in ("max", "min", "median", "nanmedian")),
)
"""Kernels: name, dispatch key, function."""
