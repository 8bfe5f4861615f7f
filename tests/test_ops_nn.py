"""Neural network operations against CPU eager, forward and backward: values, dtypes, strides, errors, and no fallback."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest
import torch
from ops_support import DEVICE, Case, cases, check, with_options
from torch import nn
from torch.autograd import forward_ad
from torch.nn import functional as F

import lazymlir
from lazymlir import metrics
from lazymlir.core.engine import engine
from lazymlir.frontend_torch.tensors import buffer_of

HALVES = (torch.bfloat16, torch.float16)
NAN, INF = float("nan"), float("inf")


def channels_last(*sizes: int) -> torch.Tensor:
    return torch.randn(*sizes).to(memory_format=torch.channels_last)


# Products.


def product_cases(dtype: torch.dtype) -> dict[str, tuple[Callable[..., Any], tuple[Any, ...]]]:
    def x(*sizes: int) -> torch.Tensor:
        return torch.randn(*sizes, dtype=dtype)

    scaled: dict[str, Any] = {"beta": 0.5, "alpha": 2}
    return {
        "mm": (torch.mm, (x(3, 4), x(4, 5))),
        "mm of transposed": (lambda a, b: a.t() @ b.t(), (x(4, 3), x(5, 4))),
        "bmm": (torch.bmm, (x(2, 3, 4), x(2, 4, 5))),
        "matmul": (torch.matmul, (x(2, 3, 4), x(4, 5))),
        "addmm": (torch.addmm, (x(5), x(3, 4), x(4, 5))),
        "addmm scaled": (with_options(torch.addmm, **scaled), (x(3, 5), x(3, 4), x(4, 5))),
        "addmm_": (lambda a, b, c: a.clone().addmm_(b, c), (x(3, 5), x(3, 4), x(4, 5))),
        "baddbmm": (with_options(torch.baddbmm, **scaled), (x(3, 5), x(2, 3, 4), x(2, 4, 5))),
        "addbmm": (with_options(torch.addbmm, **scaled), (x(3, 5), x(2, 3, 4), x(2, 4, 5))),
        "mv": (torch.mv, (x(3, 4), x(4))),
        "addmv": (with_options(torch.addmv, alpha=3), (x(3), x(3, 4), x(4))),
        "dot": (torch.dot, (x(4), x(4))),
        "vdot": (torch.vdot, (x(4), x(4))),
        "outer": (torch.outer, (x(4), x(3))),
        "addr": (with_options(torch.addr, beta=2, alpha=3), (x(3, 4), x(3), x(4))),
        "linear": (F.linear, (x(2, 3, 4), x(5, 4), x(5))),
        "no rows": (torch.mm, (x(0, 4), x(4, 5))),
    }


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_products_with_gradients(dtype):
    check(cases(product_cases(dtype)), gradients=True)


LAYERS: dict[str, tuple[tuple[int, ...], ...]] = {
    "a vector": ((4,), (5, 4), (5,)),
    "a vector without bias": ((4,), (5, 4)),
    "a matrix": ((3, 4), (5, 4), (5,)),
    "a matrix without bias": ((3, 4), (5, 4)),
    "a batch": ((2, 3, 4), (5, 4), (5,)),
    "a batch of batches without bias": ((2, 2, 3, 4), (5, 4)),
    "no rows": ((0, 4), (5, 4), (5,)),
    "one weight for each column": ((3, 4), (4,)),
    "a weight for each number of a vector": ((4,), (4,)),
    "one bias for all": ((3, 4), (5, 4), (1,)),
    "a number as bias": ((3, 4), (5, 4), ()),
}


@pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated")
@pytest.mark.parametrize("dtype", [torch.float64, torch.complex128])
def test_a_linear_layer_has_all_derivatives(dtype):
    """Also those of its derivatives, and forward ones."""

    def squared(tensors: Iterable[torch.Tensor]) -> torch.Tensor:
        return torch.stack([(x.abs() ** 2).sum() for x in tensors]).sum()

    def derivatives(*tensors: torch.Tensor) -> tuple[torch.Tensor, ...]:
        tensors = tuple(x.clone().requires_grad_() for x in tensors)
        made = F.linear(*tensors)
        first = torch.autograd.grad(squared([made]), tensors, create_graph=True)
        second = torch.autograd.grad(squared(first), tensors, retain_graph=True)
        plain = torch.autograd.grad(squared([made]), tensors)
        return tuple(x.detach().contiguous() for x in (made, *first, *second, *plain))

    def forward(*tensors: torch.Tensor) -> torch.Tensor | None:
        with forward_ad.dual_level():
            duals = [forward_ad.make_dual(x, torch.ones_like(x)) for x in tensors]
            return forward_ad.unpack_dual(F.linear(*duals)).tangent

    for run in (derivatives, forward):
        check(cases({name: (run, tuple(torch.randn(shape, dtype=dtype) for shape in shapes)) for name, shapes in LAYERS.items()}))


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_linear_layers_with_gradients(dtype):
    check(cases({name: (F.linear, tuple(torch.randn(shape, dtype=dtype) for shape in shapes)) for name, shapes in LAYERS.items()}), gradients=True)


def test_a_linear_layer_is_one_operation(counts):
    x, weight, bias = (torch.randn(shape, device=DEVICE).requires_grad_() for shape in ((2, 3, 4), (5, 4), (5,)))
    lazymlir.sync()
    made = F.linear(x, weight, bias)
    assert len(engine.trace.results) == 1
    torch.autograd.grad(made, (x, weight, bias), torch.ones_like(made))
    assert len(engine.trace.results) == 1 + 1 + 3


def test_modes_see_the_products_of_a_linear_layer():
    from torch.utils.flop_counter import FlopCounterMode

    def flops(device: str) -> int:
        layer, x = nn.Linear(4, 5).to(device), torch.randn(3, 4).to(device).requires_grad_()
        with FlopCounterMode(display=False) as counter:
            layer(x).sum().backward()
        return counter.get_total_flops()

    assert flops(DEVICE) == flops("cpu") == 3 * 2 * 3 * 4 * 5


LAYER_MISTAKES = [((4, 3), (5, 4)), ((4, 3), (5, 3), (4,)), ((4, 3), (5, 3, 2)), ((), (5, 3)), ((3,), ())]


def test_a_bias_that_is_broadcast_otherwise_has_no_gradient():
    x, weight, bias = torch.ones(3, 4), torch.ones(5, 4), torch.ones(3, 1)
    check([Case("without gradient", F.linear, (x, weight, bias))])
    with pytest.raises(NotImplementedError, match="bias of shape"):
        F.linear(x.to(DEVICE), weight.to(DEVICE), bias.to(DEVICE).requires_grad_())


def test_mistakes_in_the_shapes_of_a_linear_layer_are_told_as_the_cpu_tells_them():
    check(Case(str(shapes), F.linear, tuple(torch.zeros(shape) for shape in shapes)) for shapes in [*LAYER_MISTAKES, LAYERS["a matrix"]])


def test_products_of_other_numbers():
    n = torch.randint(-5, 5, (3, 4))
    z, w = (torch.randn(3, 3, dtype=torch.complex64) for _ in range(2))
    check(
        cases(
            {
                "integers": (torch.mm, (n, n.t())),
                "complex": (torch.mm, (z, w)),
                "complex, conjugate": (lambda a, b: a.conj() @ b.mH, (z, w)),
                "vdot": (lambda a, b: torch.vdot(a[0], b[0]), (z, w)),
                "nothing to sum": (torch.mm, (torch.randn(3, 0), torch.randn(0, 5))),
                "beta 0 ignores NaN": (with_options(torch.addmm, beta=0), (torch.full((3, 3), NAN), torch.randn(3, 4), torch.randn(4, 3))),
                "booleans": (torch.mm, (n > 0, n.t() > 0)),
                "shapes": (torch.mm, (n, n)),
                "dtypes": (torch.mm, (torch.randn(3, 4), torch.randn(4, 3).double())),
                "float beta for integers": (with_options(torch.addmm, beta=0.5), (n @ n.t(), n, n.t())),
            }
        )
    )


def test_a_changed_scale_compiles_nothing_more(counts):
    x, y = (torch.randn(3, 3, device=DEVICE) for _ in range(2))
    for alpha in (0.5, 0.25, 3.0):
        lazymlir.sync()
        made = torch.addmm(x, x, y, alpha=alpha)
        torch.testing.assert_close(made.cpu(), torch.addmm(x.cpu(), x.cpu(), y.cpu(), alpha=alpha))
    assert counts.compiled <= 2


# Convolution.

CONVOLUTIONS: dict[str, dict[str, Any]] = {
    "plain": {},
    "stride": {"stride": 3},
    "padding": {"padding": 1},
    "dilation": {"stride": 2, "padding": 1, "dilation": 2},
    "groups": {"groups": 2},
    "depthwise": {"groups": 4, "stride": 2, "padding": 1},
    "same": {"padding": "same"},
}
TRANSPOSED: dict[str, dict[str, Any]] = {
    "plain": {},
    "cropped": {"stride": 3, "padding": 3},
    "dilation": {"stride": 2, "padding": 1, "dilation": 2, "output_padding": 1},
    "groups": {"groups": 2, "stride": 2, "output_padding": 1},
}
SPACES = {1: ((9,), (3,)), 2: ((9, 8), (3, 5)), 3: ((4, 6, 5), (3, 1, 3))}


@pytest.mark.parametrize("rank", SPACES)
def test_convolutions(rank):
    function = (F.conv1d, F.conv2d, F.conv3d)[rank - 1]
    space, kernel = SPACES[rank]
    table = {}
    for name, options in CONVOLUTIONS.items():
        weight = torch.randn(8, 4 // options.get("groups", 1), *kernel)
        table[name] = (with_options(function, **options), (torch.randn(2, 4, *space), weight, torch.randn(8)))
    check(cases(table), gradients=True)


@pytest.mark.parametrize("rank", SPACES)
def test_transposed_convolutions(rank):
    function = (F.conv_transpose1d, F.conv_transpose2d, F.conv_transpose3d)[rank - 1]
    space, kernel = SPACES[rank]
    table = {}
    for name, options in TRANSPOSED.items():
        weight = torch.randn(4, 6 // options.get("groups", 1), *kernel)
        table[name] = (with_options(function, **options), (torch.randn(2, 4, *space), weight, torch.randn(6)))
    check(cases(table), gradients=True)


def test_convolutions_of_other_layouts_and_shapes():
    weight = torch.randn(6, 4, 3, 3)
    check(
        cases(
            {
                "channels last": (F.conv2d, (channels_last(2, 4, 5, 5), weight)),
                "no batch": (F.conv2d, (torch.randn(4, 5, 5), weight)),
                "empty batch": (F.conv2d, (torch.randn(0, 4, 5, 5), weight)),
                "1x1": (with_options(F.conv2d, None, 2), (torch.randn(2, 4, 5, 5), torch.randn(6, 4, 1, 1))),
                "float64": (F.conv2d, (torch.randn(2, 4, 5, 5).double(), weight.double())),
                "channels do not fit": (F.conv2d, (torch.randn(2, 3, 5, 5), weight)),
                "kernel too large": (F.conv2d, (torch.randn(2, 4, 2, 2), weight)),
                "bias does not fit": (F.conv2d, (torch.randn(2, 4, 5, 5), weight, torch.randn(5))),
            }
        ),
        gradients=True,
    )


# Pooling.

WINDOWS = ((2,), (3, 2), (3, 2, 1), (3, 1, 1))


@pytest.mark.parametrize("rank", SPACES)
def test_maximum_pools(rank):
    function = (F.max_pool1d, F.max_pool2d, F.max_pool3d)[rank - 1]
    table = {}
    for window in (*WINDOWS, (2, 2, 1, 2)):
        for ceil in (False, True):
            run = with_options(function, *window, ceil_mode=ceil, return_indices=True)
            table[f"{window} {ceil}"] = (run, (torch.randn(2, 3, *SPACES[rank][0]),))
    check(cases(table), gradients=True)


def test_maximum_pools_of_special_values():
    x = torch.randn(1, 1, 6, 6)
    x[0, 0, 2, 3] = NAN
    x[0, 0, 0] = -INF
    check(
        cases(
            {
                "side by side": (with_options(F.max_pool2d, 2, return_indices=True), (x,)),
                "overlapping": (with_options(F.max_pool2d, 3, 2, 1, return_indices=True), (x,)),
                "large": (with_options(F.max_pool2d, 9, 1, 4, return_indices=True), (torch.randn(2, 3, 12, 12),)),
                "channels last": (with_options(F.max_pool2d, 3, 2, 1), (channels_last(2, 4, 6, 6),)),
                "no batch": (with_options(F.max_pool2d, 2), (torch.randn(3, 6, 6),)),
                "empty batch": (with_options(F.max_pool2d, 2), (torch.randn(0, 3, 6, 6),)),
                "window too large": (with_options(F.max_pool2d, 8), (torch.randn(3, 6, 6),)),
                "padding too large": (with_options(F.max_pool2d, 2, 2, 3), (torch.randn(3, 6, 6),)),
            }
        ),
        gradients=True,
    )
    check([Case("integers", with_options(F.max_pool2d, 2), (torch.randint(0, 9, (1, 2, 4, 4)),))])


@pytest.mark.parametrize("rank", SPACES)
def test_average_pools(rank):
    function = (F.avg_pool1d, F.avg_pool2d, F.avg_pool3d)[rank - 1]
    table = {}
    for window, stride, padding in ((2, None, 0), (3, 2, 1), (3, 1, 1)):
        for ceil in (False, True):
            for include in (False, True):
                run = with_options(function, window, stride, padding, ceil, include)
                table[f"{window} {stride} {padding} {ceil} {include}"] = (run, (torch.randn(2, 3, *SPACES[rank][0]),))
    if rank > 1:
        table["divisor"] = (with_options(function, 3, 2, 1, divisor_override=5), (torch.randn(2, 3, *SPACES[rank][0]),))
    check(cases(table), gradients=True)


def test_adaptive_pools():
    table = {}
    for sizes, outputs in (((8, 6), (4, 3)), ((7, 9), (3, 4)), ((7, 9), (1, 1)), ((5, 5), (7, 8))):
        table[f"average {sizes} {outputs}"] = (with_options(F.adaptive_avg_pool2d, outputs), (torch.randn(2, 3, *sizes),))
        table[f"maximum {sizes} {outputs}"] = (with_options(F.adaptive_max_pool2d, outputs, True), (torch.randn(2, 3, *sizes),))
    infinite = torch.randn(1, 2, 7, 7)
    infinite[0, 0, 3, 3] = INF
    table |= {
        "an infinity stays in its windows": (with_options(F.adaptive_avg_pool2d, 3), (infinite,)),
        "average 1d": (with_options(F.adaptive_avg_pool1d, 3), (torch.randn(2, 3, 7),)),
        "average 3d": (with_options(F.adaptive_avg_pool3d, (3, 2, 3)), (torch.randn(2, 3, 7, 6, 5),)),
        "maximum 3d": (with_options(F.adaptive_max_pool3d, (3, 2, 3), True), (torch.randn(2, 3, 7, 6, 5),)),
    }
    check(cases(table), gradients=True)


RESIZINGS: dict[str, dict[str, Any]] = {
    "nearest twice": {"scale_factor": 2, "mode": "nearest"},
    "nearest up": {"size": (7, 9), "mode": "nearest"},
    "nearest down": {"size": (3, 2), "mode": "nearest"},
    "nearest by 1.5": {"scale_factor": 1.5, "mode": "nearest"},
    "nearest exact": {"size": (7, 9), "mode": "nearest-exact"},
    "bilinear twice": {"scale_factor": 2, "mode": "bilinear"},
    "bilinear corners": {"size": (7, 9), "mode": "bilinear", "align_corners": True},
    "bilinear down": {"size": (3, 2), "mode": "bilinear"},
}


def test_resizing():
    table: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
        name: (with_options(F.interpolate, **options), (torch.randn(2, 3, 5, 6),)) for name, options in RESIZINGS.items()
    }
    table |= {
        "nearest 3d": (with_options(F.interpolate, size=(4, 5, 7)), (torch.randn(2, 3, 5, 4, 3),)),
        "linear 1d": (with_options(F.interpolate, scale_factor=2, mode="linear"), (torch.randn(2, 3, 5),)),
        "trilinear": (with_options(F.interpolate, size=(4, 5, 7), mode="trilinear"), (torch.randn(2, 3, 5, 4, 3),)),
    }
    check(cases(table), gradients=True)


# Normalization.


def batch_norm(training: bool) -> Callable[..., Any]:
    def run(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, mean: torch.Tensor, var: torch.Tensor) -> Any:
        mean, var = mean.detach().clone(), var.detach().abs()
        return F.batch_norm(x, mean, var, weight, bias, training, 0.3, 1e-4), mean, var

    return run


def test_normalizations():
    parameters = tuple(torch.randn(3) for _ in range(4))
    table = {}
    for training in (True, False):
        for shape in ((4, 3), (2, 3, 5), (2, 3, 4, 5)):
            table[f"batch {training} {shape}"] = (batch_norm(training), (torch.randn(*shape), *parameters))
    table |= {
        "batch without statistics": (with_options(F.batch_norm, None, None, training=True), (torch.randn(2, 3, 5),)),
        "batch, channels last": (with_options(F.batch_norm, None, None, training=True), (channels_last(2, 3, 4, 4),)),
        "instance": (F.instance_norm, (torch.randn(2, 3, 5),)),
        "layer": (lambda x, w, b: F.layer_norm(x, (4, 5), w, b), (torch.randn(2, 3, 4, 5), torch.randn(4, 5), torch.randn(4, 5))),
        "layer without parameters": (with_options(F.layer_norm, (5,)), (torch.randn(2, 3, 5),)),
        "layer of nothing": (with_options(F.layer_norm, (5,)), (torch.randn(0, 5),)),
        "layer does not fit": (with_options(F.layer_norm, (4,)), (torch.randn(3, 5),)),
        "group": (lambda x, w, b: F.group_norm(x, 2, w, b), (torch.randn(2, 4, 3, 5), torch.randn(4), torch.randn(4))),
        "group without parameters": (with_options(F.group_norm, 2), (torch.randn(2, 4, 5),)),
    }
    check(cases(table), gradients=True)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_statistics_saved_by_normalizations(dtype):
    """Their shapes and dtypes, for parameters in float32 and in the input's own type."""
    aten = torch.ops.aten
    x = torch.ones(2, 4, 3, dtype=dtype)
    table = {}
    for parameter in {torch.float32, dtype}:
        p = torch.ones(4, dtype=parameter)
        table |= {
            f"batch {parameter}": (with_options(aten.native_batch_norm, True, 0.1, 1e-5), (x, p, p, p, p)),
            f"batch, evaluated {parameter}": (with_options(aten.native_batch_norm, False, 0.1, 1e-5), (x, p, p, p, p)),
            f"layer {parameter}": (lambda x, w: aten.native_layer_norm(x, [3], w, w, 1e-5), (x, torch.ones(3, dtype=parameter))),
            f"group {parameter}": (with_options(aten.native_group_norm, 2, 4, 3, 2, 1e-5), (x, p, p)),
        }
    check(cases(table))


def test_evaluation_writes_no_running_statistics():
    norm = nn.BatchNorm1d(3).to(DEVICE).eval()
    statistics = norm.get_buffer("running_mean")
    before = buffer_of(statistics).value
    norm(torch.randn(4, 3, device=DEVICE))
    assert buffer_of(statistics).value is before


# Losses.

DIFFERENCES: dict[str, Callable[..., Any]] = {
    "mse": F.mse_loss,
    "l1": F.l1_loss,
    "smooth l1": with_options(F.smooth_l1_loss, beta=0.5),
    "huber": with_options(F.huber_loss, delta=0.3),
    "soft margin": F.soft_margin_loss,
}


def named(function: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    return lambda *tensors: function(*tensors, **options)


REDUCTIONS = ["none", "mean", "sum"]


@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_losses(reduction):
    scores, target = torch.randn(4, 5), torch.tensor([1, 0, -100, 3])
    weight, chances = torch.rand(5), torch.rand(4, 5)
    certain = torch.tensor([[0.0, 1.0, 0.25, 0.5, 0.75]])
    table: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
        name: (named(function, reduction=reduction), (scores, torch.randn(4, 5))) for name, function in DIFFERENCES.items()
    }
    table |= {
        "promoted mse": (named(F.mse_loss, reduction=reduction), (scores, torch.randn(4, 5).double())),
        "nll": (lambda x: F.nll_loss(x, target.to(x.device), weight.to(x.device), reduction=reduction), (scores,)),
        "nll, ignored": (lambda x: F.nll_loss(x, target.clamp(0).to(x.device), ignore_index=3, reduction=reduction), (scores,)),
        "nll, all ignored": (lambda x: F.nll_loss(x, torch.full((4,), -100, device=x.device), reduction=reduction), (scores,)),
        "nll of one": (lambda x: F.nll_loss(x, torch.tensor(2, device=x.device), reduction=reduction), (scores[0],)),
        "nll of images": (
            lambda x: F.nll_loss(x, torch.ones(2, 3, 2, dtype=torch.long, device=x.device), reduction=reduction),
            (torch.randn(2, 5, 3, 2),),
        ),
        "cross entropy": (lambda x: F.cross_entropy(x, target.to(x.device), reduction=reduction, label_smoothing=0.1), (scores,)),
        "cross entropy of chances": (lambda x: F.cross_entropy(x, chances.to(x.device), reduction=reduction), (scores,)),
        "bce": (lambda x: F.binary_cross_entropy(x, chances[:1].to(x.device), weight.to(x.device), reduction=reduction), (certain,)),
        "bce of logits": (
            lambda x: F.binary_cross_entropy_with_logits(
                x, chances.to(x.device), chances.to(x.device), reduction=reduction, pos_weight=weight.to(x.device)
            ),
            (scores,),
        ),
        "kl": (lambda x: F.kl_div(x.log_softmax(1), chances.to(x.device), reduction="sum"), (scores,)),
        "a target for each sample": (lambda x: F.nll_loss(x, torch.tensor([1, 2], device=x.device)), (scores,)),
    }
    check(cases(table), gradients=True)


# 16-bit floats.


def halves_of(run: Callable[..., Any], inputs: Sequence[torch.Tensor], dtype: torch.dtype) -> tuple[list[torch.Tensor], list[torch.Tensor]]:
    """Results and gradients in `dtype` here, and those of the same numbers in float32 on the CPU, rounded once."""
    rounded = [x.to(dtype) for x in inputs]

    def outcome(xs: list[torch.Tensor]) -> list[torch.Tensor]:
        xs = [x.requires_grad_() for x in xs]
        made = run(*xs)
        made = made[0] if isinstance(made, tuple) else made
        return [made.detach(), *torch.autograd.grad(made, xs, torch.ones_like(made))]

    here = outcome([x.to(DEVICE) for x in rounded])
    return here, [x.to(dtype) for x in outcome([x.float() for x in rounded])]


@pytest.mark.parametrize("dtype", HALVES)
def test_halves_are_computed_in_float_and_rounded_once(dtype):
    table = {
        **{name: case for name, case in product_cases(torch.float32).items() if name in ("mm", "addmm scaled", "baddbmm", "linear", "addr")},
        "convolution": (with_options(F.conv2d, padding=1), (torch.randn(2, 4, 5, 5), torch.randn(6, 4, 3, 3), torch.randn(6))),
        "average": (with_options(F.avg_pool2d, 3, 2, 1), (torch.randn(2, 3, 7, 7),)),
        "maximum": (with_options(F.max_pool2d, 3, 1, 1), (torch.randn(2, 3, 7, 7),)),
        "adaptive": (with_options(F.adaptive_avg_pool2d, 3), (torch.randn(2, 3, 7, 7),)),
        "mse": (F.mse_loss, (torch.randn(4, 5), torch.randn(4, 5))),
    }
    metrics.clear_all()
    made = {name: halves_of(run, inputs, dtype) for name, (run, inputs) in table.items()}
    lazymlir.sync()
    for here, expected in made.values():
        for a, b in zip(here, expected, strict=True):
            torch.testing.assert_close(a.cpu(), b)
    assert metrics.executed_fallback_ops() == []
