"""Direct calls of overloads that no sample of torch reaches, by name; the functional form stands for its in-place and
`out=` forms."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch

__all__ = ["direct_calls", "list_arguments"]

DEVICE = "lazymlir"


def floats(*shape: int) -> torch.Tensor:
    return torch.rand(*shape).to(DEVICE)


def integers(*shape: int) -> torch.Tensor:
    return torch.ones(shape, dtype=torch.int64).to(DEVICE)


def scalar() -> torch.Tensor:
    return torch.tensor(1.5).to(DEVICE)


def list_arguments(overload: Any) -> list[Any]:
    """Arguments of an overload on lists, made from their types."""
    made: dict[str, Callable[[], Any]] = {
        "Tensor": scalar,
        "number": lambda: 2.0,
        "List[number]": lambda: [2.0, 3.0],
        "List[Tensor]": lambda: [floats(2, 3), floats(4)],
    }
    if overload._opname.startswith(("_foreach_addcdiv", "_foreach_addcmul")):
        made["Tensor"] = lambda: torch.rand(2)
    return [made[str(a.type)]() for a in overload._schema.arguments if not a.has_default_value()]


def direct_calls() -> Iterator[tuple[str, tuple[Any, ...], dict[str, Any]]]:
    """Name, positional and named arguments."""
    named: dict[str, dict[str, Any]] = {
        "div.Scalar_mode": {"rounding_mode": "floor"},
        "norm.ScalarOpt_dtype": {"dtype": torch.float64},
        "norm.ScalarOpt_dim_dtype": {"dtype": torch.float64},
        "scatter.value_reduce": {"reduce": "add"},
        "repeat_interleave.Tensor": {"output_size": 3},
    }
    for name, args in _calls().items():
        yield name, args, named.get(name, {})
    on = {"device": torch.device(DEVICE), "pin_memory": False}
    for name, args in _factories().items():
        yield name, args, on | ({"generator": None} if name.endswith("generator") else {})
    yield "arange.start_out", (0, 5), {"out": floats(5)}
    yield "bernoulli.float_out", (floats(2), 0.5), {"out": floats(2)}
    for name, args, out in _written():
        yield name, args, {"out": out}
    yield "_linalg_eigh.eigenvalues", (floats(3, 3),), {"eigenvalues": floats(3), "eigenvectors": floats(3, 3)}
    gradients = {"out0": floats(2, 3), "out1": floats(4, 3), "out2": floats(4)}
    yield "linear_backward.out", (floats(2, 3), floats(2, 4), floats(4, 3), [True, True, True]), gradients
    yield from _optimizers()


def _calls() -> dict[str, tuple[Any, ...]]:
    x, y, i, b = floats(2, 3), floats(2, 3), integers(2, 3), floats(2, 3) > 0.5
    image, video = floats(1, 2, 4, 4), floats(1, 2, 4, 4, 4)
    keys = torch.arange(5.0).to(DEVICE)
    calls: dict[str, tuple[Any, ...]] = {
        "_conj_physical": (x,),
        "_copy_from": (x, y),
        "_copy_from_and_resize": (x, y),
        "_has_same_storage_numel": (x, y),
        "_new_zeros_with_same_feature_meta": (x, y),
        "_reshape_alias": (x, [3, 2], [2, 1]),
        "view.dtype": (x, torch.int32),
        "fill_.Tensor": (x, scalar()),
        "is_set_to": (x, y),
        "record_stream": (x, torch.Stream()),
        "set_": (floats(2),),
        "set_.source_Storage": (floats(6), x.untyped_storage()),
        "set_.source_Storage_storage_offset": (floats(2), x.untyped_storage(), 2, [2], [1]),
        "set_.source_Tensor": (floats(2), x),
        "_assert_async": (scalar(),),
        "_assert_async.msg": (scalar(), "message"),
        "_aminmax": (x,),
        "_aminmax.dim": (x, 1),
        "all.dims": (b, [0, 1]),
        "any.dims": (b, [0, 1]),
        "clamp": (x, 0.25, 0.75),
        "clamp_max": (x, 0.5),
        "copysign.Scalar": (x, -1.0),
        "count_nonzero.dim_IntList": (x, [1]),
        "div.Scalar_mode": (x, 2.0),
        "floor_divide.Scalar": (x, 2.0),
        "fmod.Scalar": (x, 2.0),
        "lerp.Tensor": (x, y, floats(2, 3)),
        "remainder.Scalar_Tensor": (2.0, x),
        "isin.Scalar_Tensor": (2.0, x),
        "isin.Tensor_Scalar": (x, 2.0),
        "special_xlog1py.other_scalar": (x, 2.0),
        "special_xlog1py.self_scalar": (2.0, x),
        "xlogy.Scalar_Other": (x, 2.0),
        "xlogy.Scalar_Self": (2.0, x),
        "norm.Scalar": (x, 2),
        "norm.ScalarOpt_dim_dtype": (x, 2, [1], False),
        "norm.ScalarOpt_dtype": (x, 2),
        "_logcumsumexp": (x, 1),
        "bucketize.Scalar": (0.5, keys),
        "searchsorted.Scalar": (keys, 0.5),
        "_index_put_impl_": (floats(3), [integers(2)], floats(2)),
        "scatter.value_reduce": (x, 1, i, 2.0),
        "embedding_renorm_": (floats(4, 3), integers(2), 0.5, 2.0),
        "repeat_interleave.Tensor": (integers(3),),
        "bernoulli.Tensor": (x, y),
        "bernoulli.p": (x, 0.5),
        "bernoulli_.Tensor": (x, y),
        "normal.float_Tensor": (0.0, x),
        "random_": (x,),
        "random_.from": (x, 1, 5),
        "random_.to": (x, 5),
        "reflection_pad2d": (image, [1, 1, 1, 1]),
        "reflection_pad2d_backward": (floats(1, 2, 6, 6), image, [1, 1, 1, 1]),
        "reflection_pad3d": (video, [1] * 6),
        "reflection_pad3d_backward": (floats(1, 2, 6, 6, 6), video, [1] * 6),
        "replication_pad3d": (video, [1] * 6),
        "replication_pad3d_backward": (floats(1, 2, 6, 6, 6), video, [1] * 6),
        "convolution_overrideable": (image, floats(3, 2, 3, 3), None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1),
        "convolution_backward_overrideable": (
            floats(1, 3, 4, 4), image, floats(3, 2, 3, 3), [1, 1], [1, 1], [1, 1], False, [0, 0], 1, [True, True, True],
        ),
        "_native_batch_norm_legit.no_stats": (image, None, None, True, 0.1, 1e-5),
        "_batch_norm_no_update": (image, None, None, floats(2), floats(2), 0.1, 1e-5),
        "scaled_dot_product_attention": (floats(1, 2, 3, 4), floats(1, 2, 3, 4), floats(1, 2, 3, 4)),
        "_nested_tensor_from_mask_left_aligned": (floats(1, 2, 3), torch.ones(1, 2, dtype=torch.bool).to(DEVICE)),
        "_thnn_fused_lstm_cell": (floats(2, 12), floats(2, 12), floats(2, 3)),
        "_thnn_fused_lstm_cell_backward_impl": (floats(2, 3), floats(2, 3), floats(2, 3), floats(2, 3), floats(2, 12), True),
        "_thnn_fused_gru_cell": (floats(2, 9), floats(2, 9), floats(2, 3)),
        "_thnn_fused_gru_cell_backward": (floats(2, 3), floats(2, 15), True),
        "_amp_foreach_non_finite_check_and_unscale_": ([floats(2)], floats(1), floats(1)),
        "_amp_update_scale_": (floats(1), torch.zeros(1, dtype=torch.int32).to(DEVICE), floats(1), 2.0, 0.5, 10),
        "_native_multi_head_attention": (*[floats(1, 2, 4)] * 3, 4, 2, floats(12, 4), floats(12), floats(4, 4), floats(4)),
        "_transformer_encoder_layer_fwd": (
            floats(1, 2, 4), 4, 2, floats(12, 4), floats(12), floats(4, 4), floats(4), False, False, 1e-5,
            floats(4), floats(4), floats(4), floats(4), floats(8, 4), floats(8), floats(4, 8), floats(4),
        ),
    }  # fmt: skip
    calls |= _late_calls(x)
    for name in ("lshift", "rshift"):
        calls[f"__{name}__.Tensor"], calls[f"__{name}__.Scalar"] = (i, i), (i, 1)
        calls[f"__i{name}__.Tensor"], calls[f"__i{name}__.Scalar"] = (i, i), (i, 1)
    for name, source in (("nearest2d", image), ("nearest3d", video)):
        size = [8] * (source.dim() - 2)
        for full in (f"upsample_{name}", f"_upsample_{name.replace('nearest', 'nearest_exact')}"):
            calls[full] = (source, size)
            calls[f"{full}_backward"] = (floats(1, 2, *size), size, list(source.shape))
    return calls


POLYNOMIALS = tuple(f"special_{shifted}chebyshev_polynomial_{kind}" for shifted in ("", "shifted_") for kind in "tuvw") + tuple(
    f"special_{name}" for name in ("hermite_polynomial_h", "hermite_polynomial_he", "laguerre_polynomial_l", "legendre_polynomial_p")
)


def _late_calls(x: torch.Tensor) -> dict[str, tuple[Any, ...]]:
    """Of numbers with tensors, and of matrices and images."""
    image, small = floats(1, 1, 4, 4), floats(1, 1, 2, 2)
    bag = (integers(4), integers(4) * 0, integers(1) * 4, integers(1) * 0)
    calls: dict[str, tuple[Any, ...]] = {
        "special_zeta.other_scalar": (x, 2.0),
        "special_zeta.self_scalar": (2.0, x),
        "conj_physical_": (floats(3).to(torch.complex64),),
        "_weight_norm_interface": (floats(4, 3), floats(4, 1)),
        "_weight_norm_interface_backward": (floats(4, 3), floats(4, 3), floats(4, 1), floats(4, 1) + 1, 0),
        "_cholesky_solve_helper": (floats(3, 2), torch.eye(3).to(DEVICE), False),
        "_linalg_eigvals": (floats(3, 3),),
        "_grouped_mm": (floats(8, 8), floats(2, 8, 8), torch.tensor([3, 8], dtype=torch.int32).to(DEVICE)),
        "_embedding_bag_forward_only": (floats(5, 3), integers(4), integers(1) * 0),
        "_embedding_bag_dense_backward": (floats(1, 3), *bag, 5, False, 0, None),
        "_upsample_bicubic2d_aa": (image, [2, 2], False),
        "_upsample_bicubic2d_aa_backward": (small, [2, 2], [1, 1, 4, 4], False),
    }
    for name in POLYNOMIALS:
        calls[f"{name}.n_scalar"], calls[f"{name}.x_scalar"] = (x, 2), (0.5, x)
    return calls


def _written() -> Iterator[tuple[str, tuple[Any, ...], torch.Tensor]]:
    """`out=` forms whose functional forms are composed: name, arguments, what is written."""
    yield "conj_physical.out", (floats(3).to(torch.complex64),), floats(3).to(torch.complex64)
    yield "linalg_eigvals.out", (floats(3, 3),), floats(3).to(torch.complex64)
    yield "mvlgamma.out", (floats(3) + 2, 1), floats(3)
    yield "eye.out", (3,), floats(3, 3)
    yield "eye.m_out", (3, 2), floats(3, 2)
    for name in ("linspace", "logspace"):
        for overload, ends in (
            ("", (0.0, 1.0)),
            ("Tensor_Tensor_", (scalar(), scalar())),
            ("Tensor_Scalar_", (scalar(), 2.0)),
            ("Scalar_Tensor_", (0.0, scalar())),
        ):
            yield f"{name}.{overload}out", (*ends, 5), floats(5)


def _factories() -> dict[str, tuple[Any, ...]]:
    return {
        "arange.start": (0, 5),
        "eye.m": (2, 3),
        "linspace": (0.0, 1.0, 5),
        "logspace": (0.0, 1.0, 5),
        "randperm": (5,),
        "randperm.generator": (5,),
        "kaiser_window": (5,),
        "kaiser_window.beta": (5, True, 8.0),
        "kaiser_window.periodic": (5, True),
        "tril_indices": (3, 3),
        "triu_indices": (3, 3),
    }


def _optimizers() -> Iterator[tuple[str, tuple[Any, ...], dict[str, Any]]]:
    def lists(count: int) -> list[list[torch.Tensor]]:
        return [[floats(2), floats(3)] for _ in range(count)]

    def steps() -> list[torch.Tensor]:
        return [scalar(), scalar()]

    shared = {"weight_decay": 0.1, "maximize": False}
    adam = {**shared, "beta1": 0.9, "beta2": 0.99, "eps": 1e-8, "amsgrad": True}
    sgd = {**shared, "momentum": 0.9, "dampening": 0.1, "nesterov": False, "is_first_step": False}
    adagrad = {**shared, "lr_decay": 0.1, "eps": 1e-8}
    scaled = {"grad_scale": floats(1), "found_inf": torch.zeros(1).to(DEVICE)}
    for form, rate in ((".tensor_lr", scalar()), ("", 0.1)):
        yield f"_fused_adam_{form}", (*lists(5), steps()), {**adam, **scaled, "lr": rate}
        yield f"_fused_adamw_{form}", (*lists(5), steps()), {**adam, **scaled, "lr": rate}
        yield f"_fused_sgd_{form}", tuple(lists(3)), {**sgd, **scaled, "lr": rate}
        yield f"_fused_adagrad_{form}", (*lists(3), steps()), {**adagrad, **scaled, "lr": rate}
