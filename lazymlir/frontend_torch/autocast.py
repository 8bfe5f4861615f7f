"""`torch.autocast("lazymlir")`: casts in front of the operations that torch's own devices cast for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from .registry import overload_of

__all__ = ["install"]

LOWER = (
    "mm", "addmm", "bmm", "baddbmm", "addbmm", "mv", "addmv", "matmul", "linear", "convolution", "_convolution", "conv1d", "conv2d",
    "conv3d", "conv_transpose1d", "conv_transpose2d.input", "conv_transpose3d.input", "scaled_dot_product_attention", "prelu", "lstm_cell",
    "gru_cell", "einsum",
)  # fmt: skip
"""Run in the autocast dtype."""

FULL = (
    "softmax.int", "log_softmax.int", "layer_norm", "group_norm", "exp", "expm1", "log", "log10", "log2", "log1p", "reciprocal", "rsqrt",
    "sinh", "cosh", "tan", "acos", "asin", "erfinv", "pow.Tensor_Scalar", "pow.Tensor_Tensor", "pow.Scalar", "softplus", "sum",
    "sum.dim_IntList", "prod", "prod.dim_int", "cumsum", "cumprod", "norm.Scalar", "norm.ScalarOpt_dim", "cosine_similarity",
    "cosine_embedding_loss", "nll_loss", "nll_loss2d", "mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "kl_div",
    "margin_ranking_loss", "hinge_embedding_loss", "poisson_nll_loss", "triplet_margin_loss", "soft_margin_loss", "multi_margin_loss",
    "multilabel_margin_loss", "binary_cross_entropy_with_logits", "cross_entropy_loss", "dist", "pdist", "cdist", "renorm", "logsumexp",
    "linalg_vector_norm", "linalg_matrix_norm",
)  # fmt: skip
"""Run in float32."""

WIDEST = ("addcdiv", "addcmul", "atan2", "bilinear", "cross", "dot", "grid_sampler", "index_put", "tensordot", "scatter_add", "vdot")
"""Run in the widest floating type among the arguments."""

_KEY = torch._C.DispatchKeySet(torch._C.DispatchKey.AutocastPrivateUse1)


def _cast(x: Any, dtype: torch.dtype) -> Any:
    if isinstance(x, torch.Tensor):
        eligible = x.is_floating_point() and x.dtype != torch.float64 and x.device.type == "lazymlir"
        return x.to(dtype) if eligible and x.dtype != dtype else x
    if isinstance(x, (list, tuple)):
        return type(x)(_cast(item, dtype) for item in x)
    return x


def _widest(args: Any) -> torch.dtype:
    widest = torch.get_autocast_dtype("lazymlir")
    for x in args:
        items = x if isinstance(x, (list, tuple)) else (x,)
        for item in items:
            if isinstance(item, torch.Tensor) and item.is_floating_point() and item.device.type == "lazymlir":
                widest = torch.promote_types(widest, item.dtype)
    return widest


def _kernel(name: str, dtype_of: Callable[[Any], torch.dtype]) -> Callable[..., Any]:
    overload = overload_of(name)

    def kernel(*args: Any, **kwargs: Any) -> Any:
        dtype = dtype_of(args)
        with torch._C._ExcludeDispatchKeyGuard(_KEY):
            return overload(*(_cast(x, dtype) for x in args), **{key: _cast(x, dtype) for key, x in kwargs.items()})

    return kernel


def install(libraries: list[torch.library.Library]) -> None:
    everything = torch.library.Library("_", "IMPL")
    everything.fallback(torch.library.fallthrough_kernel, "AutocastPrivateUse1")
    library = torch.library.Library("aten", "IMPL")
    libraries.extend((everything, library))
    rules: tuple[tuple[tuple[str, ...], Callable[[Any], torch.dtype]], ...] = (
        (LOWER, lambda args: torch.get_autocast_dtype("lazymlir")),
        (FULL, lambda args: torch.float32),
        (WIDEST, _widest),
    )
    for names, dtype_of in rules:
        for name in names:
            library.impl(name, _kernel(name, dtype_of), "AutocastPrivateUse1")
