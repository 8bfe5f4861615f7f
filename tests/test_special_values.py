"""Every elementwise operation on signed zeros, infinities, NaN and extremes, against CPU eager.

Zeros must have eager's sign, infinities and NaN stand where eager's do. What IEEE defines, and what only chooses, is equal
bit for bit. Eager's vector and scalar kernels differ here and there; then either answer will do.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
import torch
from ops_support import DEVICE, FLOATS
from torch.nn import functional as F
from torch.testing._comparison import default_tolerances

import lazymlir

INF, NAN = float("inf"), float("nan")
Function = Callable[..., Any]
ops = torch.ops.aten

# What has one right answer in each bit: one operation, correctly rounded, or a choice among its operands.
EXACT_UNARY: dict[str, Function] = {
    **{
        name: getattr(torch, name)
        for name in ("abs", "ceil", "floor", "frac", "isfinite", "isinf", "isnan", "isneginf", "isposinf", "logical_not", "neg", "positive")
    },
    **{name: getattr(torch, name) for name in ("relu", "round", "sgn", "sign", "signbit", "square", "trunc", "nan_to_num", "reciprocal")},
    "x + 0": lambda x: x + 0,
    "x + 0.0": lambda x: x + 0.0,
    "x + -0.0": lambda x: x + -0.0,
    "x - 0": lambda x: x - 0,
    "0 - x": lambda x: 0 - x,
    "-0.0 - x": lambda x: -0.0 - x,
    "x - x": lambda x: x - x,
    "x * 0": lambda x: x * 0,
    "x * 0.0": lambda x: x * 0.0,
    "x * -0.0": lambda x: x * -0.0,
    "x * 1": lambda x: x * 1,
    "x * -1": lambda x: x * -1,
    "x / -3": lambda x: x / -3,
    "x / 0": lambda x: x / 0,
    "0 / x": lambda x: 0 / x,
    "x ** 0": lambda x: x**0,
    "x ** 1": lambda x: x**1,
    "x ** 2": lambda x: x**2,
    "x == x": lambda x: x == x,
    "x < 0": lambda x: x < 0,
    "x >= 0.0": lambda x: x >= 0.0,
    "bool": lambda x: x.bool(),
    "clamp 0": lambda x: x.clamp(min=0.0),
    "clamp -0.0": lambda x: x.clamp(min=-0.0),
    "clamp max 0": lambda x: x.clamp(max=0.0),
    "clamp max -0.0": lambda x: x.clamp(max=-0.0),
    "clamp 0 1": lambda x: x.clamp(0.0, 1.0),
    "clamp_min": lambda x: x.clamp_min(0),
    "clamp_max": lambda x: x.clamp_max(0),
    "clamp nan": lambda x: x.clamp(min=NAN),
    "hardtanh": F.hardtanh,
    "hardtanh 0 1": lambda x: F.hardtanh(x, 0.0, 1.0),
    "relu6": F.relu6,
    "threshold": lambda x: F.threshold(x, 0.0, 0.0),
    "threshold -0.0": lambda x: F.threshold(x, -1.0, -0.0),
    "hardshrink": F.hardshrink,
    "hardshrink 0": lambda x: F.hardshrink(x, 0.0),
    "round 0": lambda x: torch.round(x, decimals=0),
    "where": lambda x: torch.where(x == 0, x, -x),
    "masked_fill": lambda x: x.masked_fill(x == 0, -0.0),
    "fill -0.0": lambda x: torch.full_like(x, -0.0),
    "copysign": lambda x: torch.copysign(x, -0.0),
    "double": lambda x: x.double(),
    "float": lambda x: x.float(),
    "half": lambda x: x.half(),
    "bfloat16": lambda x: x.bfloat16(),
}
UNARY: dict[str, Function] = {
    **{
        name: getattr(torch, name)
        for name in ("acos", "acosh", "angle", "asin", "asinh", "atan", "atanh", "cos", "cosh", "deg2rad", "digamma", "erf", "erfc", "erfinv")
    },
    **{
        name: getattr(torch, name)
        for name in ("exp", "exp2", "expm1", "lgamma", "log", "log10", "log1p", "log2", "logit", "rsqrt", "sigmoid", "sqrt", "sin", "sinc", "sinh")
    },
    **{name: getattr(F, name) for name in ("elu", "gelu", "hardsigmoid", "hardswish", "leaky_relu", "logsigmoid", "mish", "selu", "silu")},
    **{name: getattr(F, name) for name in ("softplus", "softshrink", "softsign", "tanhshrink", "celu")},
    **{f"x ** {n}": lambda x, n=n: x**n for n in (3, 4, 5, -1, -2, -3, 0.5, -0.5, 1.5, INF, -INF, NAN)},
    **{f"{n} ** x": lambda x, n=n: n**x for n in (2.0, 1.0, 0.0, -0.0, -2.0, INF)},
    "tan": torch.tan,
    "tanh": torch.tanh,
    "gelu tanh": lambda x: F.gelu(x, approximate="tanh"),
    "logit eps": lambda x: torch.logit(x, 0.1),
    "leaky_relu 0": lambda x: F.leaky_relu(x, 0.0),
    "softshrink 0": lambda x: F.softshrink(x, 0.0),
    "softplus beta": lambda x: F.softplus(x, 2.0, 5.0),
    "entr": torch.special.entr,
    "round 1": lambda x: torch.round(x, decimals=1),
    "round -1": lambda x: torch.round(x, decimals=-1),
    "x % 3": lambda x: x % 3,
    "x % -3": lambda x: x % -3,
    "x // 3": lambda x: x // 3,
    "x // -3": lambda x: x // -3,
    "3 % x": lambda x: 3 % x,
    "3 // x": lambda x: 3 // x,
    "fmod": lambda x: torch.fmod(x, -3),
    "div trunc": lambda x: torch.div(x, -3, rounding_mode="trunc"),
    "xlogy 0": lambda x: torch.xlogy(0.0, x),
    "addcmul": lambda x: torch.addcmul(x, x, x, value=-1),
    "addcdiv": lambda x: torch.addcdiv(x, x, x, value=2.0),
}
EXACT_BINARY: dict[str, Function] = {
    **{name: getattr(torch, name) for name in ("add", "sub", "mul", "copysign", "eq", "ne", "lt", "le", "gt", "ge")},
    **{name: getattr(torch, name) for name in ("maximum", "minimum", "heaviside", "nextafter", "logical_and", "logical_or", "logical_xor")},
    "fmax": lambda x, y: torch.fmax(x, y) + 0,  # C leaves open which of two zeros it is
    "fmin": lambda x, y: torch.fmin(x, y) + 0,
    "div": torch.div,
    "where": lambda x, y: torch.where(x > y, x, y),
    "clamp": lambda x, y: torch.clamp(x, min=y),
    "clamp max": lambda x, y: torch.clamp(x, max=y),
    "clamp both": lambda x, y: torch.clamp(x, y, -y),
    "threshold_backward": lambda x, y: ops.threshold_backward(x, y, 0.0),
    "hardtanh_backward": lambda x, y: ops.hardtanh_backward(x, y, -1.0, 1.0),
    "hardshrink_backward": lambda x, y: ops.hardshrink_backward(x, y, 0.5),
    "softshrink_backward": lambda x, y: ops.softshrink_backward(x, y, 0.5),
}
BINARY: dict[str, Function] = {
    **{name: getattr(torch, name) for name in ("atan2", "floor_divide", "fmod", "hypot", "logaddexp", "logaddexp2", "pow", "remainder", "xlogy")},
    "ldexp": lambda x, y: torch.ldexp(x, y),
    "xlog1py": torch.special.xlog1py,
    "div trunc": lambda x, y: torch.div(x, y, rounding_mode="trunc"),
    "div floor": lambda x, y: torch.div(x, y, rounding_mode="floor"),
    "lerp": lambda x, y: torch.lerp(x, y, 0.25),
    "lerp 1": lambda x, y: torch.lerp(x, y, 1.0),
    "prelu": lambda x, y: ops._prelu_kernel(x, y),
    "glu": lambda x, y: F.glu(torch.stack([x, y]), 0)[0],
    "leaky_relu_backward": lambda x, y: ops.leaky_relu_backward(x, y, 0.01, False),
    "elu_backward": lambda x, y: ops.elu_backward(x, 1.0, 1.0, 1.0, False, y),
    "gelu_backward": lambda x, y: ops.gelu_backward(x, y),
    "silu_backward": lambda x, y: ops.silu_backward(x, y),
    "mish_backward": lambda x, y: ops.mish_backward(x, y),
    "softplus_backward": lambda x, y: ops.softplus_backward(x, y, 1.0, 20.0),
    "hardsigmoid_backward": lambda x, y: ops.hardsigmoid_backward(x, y),
    "hardswish_backward": lambda x, y: ops.hardswish_backward(x, y),
    "sigmoid_backward": lambda x, y: ops.sigmoid_backward(x, y),
    "tanh_backward": lambda x, y: ops.tanh_backward(x, y),
    "logit_backward": lambda x, y: ops.logit_backward(x, y),
}


def specials(dtype: torch.dtype) -> torch.Tensor:
    limits = torch.finfo(dtype)
    numbers = (0.0, -0.0, 1.0, -1.0, INF, -INF, NAN, limits.max, limits.min, limits.tiny, -limits.tiny, 0.5, -0.5, 2.5, -2.5, 3.0, -3.0, 0.1, 30.0)
    return torch.tensor(numbers, dtype=torch.float64).to(dtype)


def pairs(dtype: torch.dtype) -> tuple[torch.Tensor, torch.Tensor]:
    x, y = zip(*product(specials(dtype).tolist(), repeat=2), strict=True)
    return torch.tensor(x, dtype=torch.float64).to(dtype), torch.tensor(y, dtype=torch.float64).to(dtype)


def eager(run: Function, inputs: tuple[torch.Tensor, ...]) -> list[torch.Tensor]:
    """What the vector kernel and what the scalar kernel gives."""
    count = len(inputs[0])
    return [run(*(x.repeat(64) for x in inputs))[:count], torch.cat([run(*(x[i : i + 1] for x in inputs)) for i in range(count)])]


def wrong(got: torch.Tensor, wanted: torch.Tensor, precise: torch.Tensor | None) -> torch.Tensor:
    """Where `got` is not what is wanted: bit for bit, or closely where there is a more precise answer to say which zeros are
    zeros. XLA flushes subnormal numbers to zero, so they are one."""
    if not wanted.is_floating_point():
        return got != wanted
    tiny = torch.finfo(wanted.dtype).tiny
    same = (got == wanted) | (got.isnan() & wanted.isnan()) | ((wanted.abs() <= tiny) & (got.abs() <= tiny))
    zero = (wanted == 0) & (got == 0)
    if precise is not None:
        rtol, atol = default_tolerances(wanted.dtype)
        same |= torch.isclose(got.double(), wanted.double(), rtol, atol)
        zero &= precise == 0
    return ~same | (zero & (wanted.signbit() != got.signbit())) | (wanted.isinf() != got.isinf())


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("count", [1, 2])
def test_special_values(dtype: torch.dtype, count: int) -> None:
    tables = ((EXACT_UNARY, True), (UNARY, False)) if count == 1 else ((EXACT_BINARY, True), (BINARY, False))
    inputs = (specials(dtype),) if count == 1 else pairs(dtype)
    there = tuple(x.to(DEVICE) for x in inputs)
    recorded = []
    for table, exact in tables:
        for name, run in table.items():
            try:
                wanted = eager(run, inputs)
            except (RuntimeError, NotImplementedError):  # eager has no kernel for this type
                continue
            precise = None if exact else run(*(x.double() for x in inputs))
            if dtype == torch.float16 and precise is not None:  # eager rounds some gradients between the steps
                wanted.append(precise.to(dtype))
            recorded.append((name, precise, wanted, run(*there)))
    lazymlir.sync()
    failures = []
    for name, precise, wanted, result in recorded:
        got = result.cpu()
        assert got.dtype == wanted[0].dtype, name
        bad = torch.stack([wrong(got, answer, precise) for answer in wanted]).all(0)
        failures += [
            f"{name}{tuple(x[i].item() for x in inputs)} is {got[i].item()}, eager {[answer[i].item() for answer in wanted]}"
            for i in bad.nonzero().flatten().tolist()
        ]
    assert not failures, f"{len(failures)} differences\n" + "\n".join(failures)


REDUCTIONS: dict[str, Function] = {
    **{name: getattr(torch, name) for name in ("sum", "mean", "prod", "amax", "amin", "nansum", "argmax", "argmin", "any", "all", "logsumexp")},
    **{
        name: getattr(torch, name)
        for name in ("cumsum", "cumprod", "softmax", "log_softmax", "logcumsumexp", "count_nonzero", "nanmean", "var", "std")
    },
    **{f"{name} values": lambda x, dim, name=name: getattr(torch, name)(x, dim)[0] for name in ("max", "min", "median", "cummax", "cummin")},
    **{f"{name} places": lambda x, dim, name=name: getattr(torch, name)(x, dim)[1] for name in ("max", "min", "median", "cummax", "cummin")},
    **{f"sort {part}": lambda x, dim, part=part: torch.sort(x, dim=dim, stable=True)[part] for part in (0, 1)},
    **{f"norm {order}": lambda x, dim, order=order: torch.linalg.vector_norm(x, order, dim) for order in (0, 1, 2, 3, INF, -INF)},
    "diff": lambda x, dim: torch.diff(x, dim=dim),
    "topk": lambda x, dim: torch.topk(x, 1, dim)[0],
}
ROWS: tuple[tuple[float, ...], ...] = (
    (0.0,) * 4, (-0.0,) * 4, (0.0, -0.0, 0.0, -0.0), (-0.0, 0.0, -0.0, 0.0), (1.0, -1.0, -0.0, 0.0), (INF, 1.0, -INF, 2.0), (INF, INF, 1.0, 0.0),
    (-INF,) * 4, (INF,) * 4, (NAN, 1.0, INF, -0.0), (1.0, NAN, 2.0, NAN), (NAN,) * 4, (-INF, 1.0, 0.0, -0.0), (-1.0, -0.0, -2.0, -INF),
)  # fmt: skip


@pytest.mark.filterwarnings("ignore:.*degrees of freedom")
@pytest.mark.parametrize("dtype", FLOATS)
def test_reductions_of_special_values(dtype: torch.dtype) -> None:
    """Along rows of 1, 4 and 64 elements, and along columns."""
    rows = torch.tensor(ROWS, dtype=torch.float64).to(dtype)
    inputs = {
        "1": (rows[:, :1], 1),
        "4": (rows, 1),
        "64": (rows.repeat(1, 16), 1),
        "columns": (rows.mT.contiguous(), 0),
        "all": (rows[:1, :1], (0, 1)),
    }
    recorded = []
    for name, run in REDUCTIONS.items():
        for size, (x, dim) in inputs.items():
            if size == "all" and name not in ("sum", "mean", "amax", "amin"):
                continue
            recorded.append((f"{name} {size}", run(x, dim), run(x.double(), dim), run(x.to(DEVICE), dim)))
    lazymlir.sync()
    failures = []
    for name, wanted, precise, result in recorded:
        got = result.cpu()
        bad = wrong(got, wanted, precise)
        failures += [f"{name} {place} is {got[tuple(place)].item()}, eager {wanted[tuple(place)].item()}" for place in bad.nonzero().tolist()]
    assert not failures, f"{len(failures)} differences\n" + "\n".join(failures)
