"""Random numbers: each record has a key of its own and draws its bits from it. 16-bit floats are computed in float32,
from as many random bits as they have digits, so that rounding reaches no number that is out of range."""

from __future__ import annotations

from math import sqrt
from typing import Any

import torch

from lazymlir.dialect import Builder, Node, TensorType
from lazymlir.dialect.types import BOOL, is_complex, is_float, itemsize, real_dtype

from ..registry import aten
from .common import is_probability, math_dtype, to

_aten = torch.ops.aten

DIGITS = {"f64": 53, "f32": 24, "f16": 11, "bf16": 8}
"""Binary digits of a float's significand."""

SCALAR_NAMES = {
    torch.bool: "Bool",
    torch.uint8: "Byte",
    torch.int8: "Char",
    torch.int16: "Short",
    torch.int32: "Int",
    torch.int64: "Long",
    torch.complex64: "ComplexFloat",
    torch.complex128: "ComplexDouble",
}
"""What torch's messages call a dtype that has no random numbers of some kind."""

C_NAMES = {torch.uint8: "unsigned char", torch.int8: "signed char", torch.int16: "short", torch.int32: "int", torch.int64: "long"}
"""What its messages about ranges call an integer dtype."""


# Uniform numbers.


def _bits(b: Builder, key: Node, shape: tuple[int, ...], count: int) -> Node:
    """Random integers of `count` bits, signed."""
    wide = count > 32
    bits = b.random_bits(key, result=TensorType(shape, "ui64" if wide else "ui32"))
    rest = (64 if wide else 32) - count
    if rest:
        bits = b.shift_right_logical(bits, b.constant(rest, bits.type))
    return b.cast(bits, "i64" if wide else "i32")


def unit(b: Builder, key: Node, type_: TensorType) -> Node:
    """Uniform in [0, 1), every multiple of the type's precision equally likely; in the type to compute in."""
    digits = DIGITS[type_.dtype]
    drawn = b.cast(_bits(b, key, type_.shape, digits), math_dtype(type_.dtype))
    return b.mul(drawn, b.constant(2.0**-digits, drawn.type))


def _odd(b: Builder, key: Node, shape: tuple[int, ...], dtype: str) -> tuple[Node, int]:
    """A random odd integer below 2**digits as a float, and the number of digits."""
    digits = DIGITS[dtype]
    drawn = _bits(b, key, shape, digits - 1)
    one = b.constant(1, drawn.type)
    return b.cast(b.add(b.shift_left(drawn, one), one), dtype), digits


def open_unit(b: Builder, key: Node, shape: tuple[int, ...], dtype: str) -> Node:
    """Uniform strictly between 0 and 1, symmetric about 1/2; `dtype` is f32 or f64."""
    odd, digits = _odd(b, key, shape, dtype)
    return b.mul(odd, b.constant(2.0**-digits, odd.type))


def standard_normal(b: Builder, key: Node, shape: tuple[int, ...], dtype: str) -> Node:
    """Mean 0, deviation 1, by the inverse of the distribution; `dtype` is f32 or f64."""
    odd, digits = _odd(b, key, shape, dtype)
    half = 2.0 ** (digits - 1)
    centered = b.mul(b.sub(odd, b.constant(half, odd.type)), b.constant(1 / half, odd.type))  # exact, strictly within -1 and 1
    return b.mul(b.erf_inv(centered), b.constant(sqrt(2), odd.type))


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise RuntimeError(message)


# Filling a tensor in place.


def _pairs(out: TensorType) -> TensorType:
    """The parts of complex numbers, in a dimension of their own."""
    return TensorType((*out.shape, 2), real_dtype(out.dtype))


def _halves(b: Builder, pairs: Node) -> list[Node]:
    """The first and the second elements of the last dimension."""
    return [b.reshape(b.static_slice(pairs, pairs.rank - 1, i, 1), pairs.shape[:-1]) for i in range(2)]


def _check_uniform(x: torch.Tensor, low: float = 0.0, high: float = 1.0, **_: Any) -> None:
    if not (x.is_floating_point() or x.is_complex()):
        raise NotImplementedError(f"\"check_uniform_bounds\" not implemented for '{SCALAR_NAMES[x.dtype]}'")
    _require(low <= high, f"uniform_ expects to return a [from, to) range, but found from={low:g} > to={high:g}")


@aten("uniform_", mutates=("self",), random=True, check=_check_uniform)
def uniform_(b: Builder, out: TensorType, x: Node, low: Node | None = None, high: Node | None = None, *, key: Node) -> Node:
    """low + u * (high - low). Where rounding gives `high` itself, `low`: as likely, and within the range. Of a complex number
    both parts are drawn."""
    if is_complex(out.dtype):
        return b.complex(*_halves(b, uniform_(b, _pairs(out), x, low, high, key=key)))
    u = unit(b, key, out)
    lower = b.constant(0, u.type) if low is None else to(b, low, u.dtype, u.shape)
    upper = b.constant(1, u.type) if high is None else to(b, high, u.dtype, u.shape)
    drawn = b.cast(b.add(b.mul(u, b.sub(upper, lower)), lower), out.dtype)
    return b.where(b.lt(drawn, b.cast(upper, out.dtype)), drawn, b.cast(lower, out.dtype))


def _normal(b: Builder, out: TensorType, mean: Node | None, std: Node | None, key: Node) -> Node:
    dtype = math_dtype(out.dtype)
    drawn = standard_normal(b, key, out.shape, dtype)
    if std is not None:
        drawn = b.mul(drawn, to(b, std, dtype, out.shape))
    return drawn if mean is None else b.add(drawn, to(b, mean, dtype, out.shape))


def _check_normal(x: Any, mean: Any = 0.0, std: Any = 1.0, *_: Any, **__: Any) -> None:
    if isinstance(std, float):
        _require(std >= 0, f"normal expects std >= 0.0, but found std {std:g}")


@aten("normal_", mutates=("self",), random=True, check=_check_normal)
def normal_(b: Builder, out: TensorType, x: Node, mean: Node | None = None, std: Node | None = None, *, key: Node) -> Node:
    if is_complex(out.dtype):  # each part has half of the variance
        part = _pairs(out)
        pairs = b.mul(standard_normal(b, key, part.shape, part.dtype), b.constant(sqrt(0.5), part))
        if std is not None:
            pairs = b.mul(pairs, to(b, std, part.dtype, part.shape))
        real, imag = _halves(b, pairs)
        return b.complex(real if mean is None else b.add(real, to(b, mean, part.dtype, out.shape)), imag)
    return b.cast(_normal(b, out, mean, std, key), out.dtype)


def _check_normal_tensors(mean: Any, std: Any = 1.0, **_: Any) -> None:
    _check_normal(None, mean, std)


@aten("normal.Tensor_float", "normal.float_Tensor", "normal.Tensor_Tensor", random=True, check=_check_normal_tensors)
def normal(b: Builder, out: TensorType, mean: Node, std: Node | None = None, *, key: Node) -> Node:
    if std is not None:
        b.require(b.ge(std, b.constant(0, std.type)), RuntimeError, "normal expects all elements of std >= 0.0")
    return b.cast(_normal(b, out, mean, std, key), out.dtype)


def _check_positive(name: str, argument: str) -> Any:
    def check(x: torch.Tensor, value: float = 1.0, **_: Any) -> None:
        _require(value > 0.0, f"{name} expects {argument} > 0.0, but found {argument}={value:g}")

    return check


@aten("exponential_", mutates=("self",), random=True, check=_check_positive("exponential_", "lambda"))
def exponential_(b: Builder, out: TensorType, x: Node, rate: Node | None = None, *, key: Node) -> Node:
    dtype = math_dtype(out.dtype)
    drawn = b.neg(b.log(open_unit(b, key, out.shape, dtype)))
    return b.cast(drawn if rate is None else b.div(drawn, to(b, rate, dtype, out.shape)), out.dtype)


def _check_log_normal(x: torch.Tensor, mean: float = 1.0, std: float = 2.0, **_: Any) -> None:
    _require(std > 0.0, f"log_normal_ expects std > 0.0, but found std={std:g}")


@aten("log_normal_", mutates=("self",), random=True, check=_check_log_normal)
def log_normal_(b: Builder, out: TensorType, x: Node, mean: Node | None = None, std: Node | None = None, *, key: Node) -> Node:
    mean = b.constant(1, TensorType((), "f64")) if mean is None else mean
    std = b.constant(2, TensorType((), "f64")) if std is None else std
    return b.cast(b.exp(_normal(b, out, mean, std, key)), out.dtype)


def _check_cauchy(x: torch.Tensor, median: float = 0.0, sigma: float = 1.0, **_: Any) -> None:
    _require(sigma > 0.0, f"cauchy_ expects sigma > 0.0, but found sigma={sigma:g}")


@aten("cauchy_", mutates=("self",), random=True, check=_check_cauchy)
def cauchy_(b: Builder, out: TensorType, x: Node, median: Node | None = None, sigma: Node | None = None, *, key: Node) -> Node:
    dtype = math_dtype(out.dtype)
    u = open_unit(b, key, out.shape, dtype)
    angle = b.mul(b.sub(u, b.constant(0.5, u.type)), b.constant(torch.pi, u.type))
    drawn = b.tan(angle)
    if sigma is not None:
        drawn = b.mul(drawn, to(b, sigma, dtype, out.shape))
    return b.cast(drawn if median is None else b.add(drawn, to(b, median, dtype, out.shape)), out.dtype)


def _check_geometric(x: torch.Tensor, p: float, **_: Any) -> None:
    _require(0 < p < 1, f"geometric_ expects p to be in (0, 1), but got p={p:g}")


@aten("geometric_", mutates=("self",), random=True, check=_check_geometric)
def geometric_(b: Builder, out: TensorType, x: Node, p: Node, *, key: Node) -> Node:
    """The number of the first success: 1, 2, ..."""
    u = open_unit(b, key, out.shape, "f64")
    failures = b.expand(b.log1p(b.neg(b.cast(p, "f64"))), out.shape)
    return b.cast(b.maximum(b.ceil(b.div(b.log(u), failures)), b.constant(1, u.type)), out.dtype)


# Integers.


def _count(dtype: str) -> int:
    """random_() draws from [0, count): up to the largest integer, or as far as a float counts without gaps."""
    if is_float(dtype):
        return 2 ** DIGITS[dtype] + 1
    return 2 if dtype == BOOL else 2 ** (8 * itemsize(dtype) - (not dtype.startswith("ui")))


def _integers(b: Builder, out: TensorType, low: Node | None, count: Node, key: Node) -> Node:
    """low + a random number below `count` (unsigned, as is the remainder of 64 random bits)."""
    bits = b.random_bits(key, result=TensorType(out.shape, "ui64"))
    drawn = b.cast(b.fmod(bits, b.expand(count, out.shape)), "i64")
    if low is not None:
        drawn = b.add(drawn, b.expand(low, out.shape))
    return b.cast(drawn, out.dtype)


@aten("random_", mutates=("self",), random=True)
def random_(b: Builder, out: TensorType, x: Node, *, key: Node) -> Node:
    count = _count(out.dtype)
    if count == 2**64:
        return b.cast(b.random_bits(key, result=TensorType(out.shape, "ui64")), out.dtype)
    return _integers(b, out, None, b.constant(count, TensorType((), "ui64")), key)


def _check_random(x: torch.Tensor, low: int, high: int | None, **_: Any) -> None:
    if high is not None:
        _require(low < high, f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}")
    limit = _limit(x.dtype)
    for name, value in (("from", low), ("to - 1", None if high is None else high - 1)):
        _require(value is None or -limit - 1 <= value <= limit, f"{name} is out of bounds for {C_NAMES.get(x.dtype, str(x.dtype)[6:])}")


def _limit(dtype: torch.dtype) -> int:
    if dtype.is_floating_point:
        return int(torch.finfo(dtype).max)
    return 1 if dtype == torch.bool else torch.iinfo(dtype).max


@aten("random_.from", mutates=("self",), random=True, runtime=("from", "to"), check=_check_random)
def random_from(b: Builder, out: TensorType, x: Node, low: Node, high: Node | None, *, key: Node) -> Node:
    low = b.cast(low, "i64")
    if high is None:  # up to and including the largest
        high = b.constant(min(_count(out.dtype), 2**63 - 1), low.type)
    return _integers(b, out, low, b.bitcast(b.sub(b.cast(high, "i64"), low), dtype="ui64"), key)


def _check_random_to(x: torch.Tensor, high: int, **_: Any) -> None:
    _check_random(x, 0, high)


@aten("random_.to", mutates=("self",), random=True, runtime=("to",), check=_check_random_to)
def random_to(b: Builder, out: TensorType, x: Node, high: Node, *, key: Node) -> Node:
    return _integers(b, out, None, b.cast(b.cast(high, "i64"), "ui64"), key)


@aten("randperm", "randperm.generator", random=True)
def randperm(b: Builder, out: TensorType, n: int, *, key: Node, dtype: Any = None) -> Node:
    """The order in which random numbers sort."""
    bits = b.random_bits(key, result=TensorType(out.shape, "ui64"))
    return b.cast(b.sort(bits, dim=0, descending=False)[1], out.dtype)


# Yes or no.


def _successes(b: Builder, shape: tuple[int, ...], p: Node | float, key: Node) -> Node:
    """True with probability `p`, to 24 or 53 digits."""
    wide = isinstance(p, Node) and p.dtype == "f64" and p.rank > 0
    u = unit(b, key, TensorType(shape, "f64" if wide else "f32"))
    chance = to(b, p, u.dtype, shape) if isinstance(p, Node) else b.constant(p, u.type)
    return b.lt(u, chance)


def _check_probability(x: torch.Tensor, p: float = 0.5, **_: Any) -> None:
    _require(0 <= p <= 1, f"bernoulli_ expects p to be in [0, 1], but got p={p:g}")


def _require_probability(b: Builder, p: Node) -> None:
    b.require(is_probability(b, p), RuntimeError, "Expected p_in >= 0 && p_in <= 1 to be true, but got false.")


@aten("bernoulli_.float", mutates=("self",), random=True, check=_check_probability)
@aten("bernoulli.p", random=True, check=_check_probability)
def bernoulli_float(b: Builder, out: TensorType, x: Node, p: Node | float = 0.5, *, key: Node) -> Node:
    return b.cast(_successes(b, out.shape, p, key), out.dtype)


@aten("bernoulli.Tensor", random=True)
def bernoulli_tensor(b: Builder, out: TensorType, x: Node, p: Node, *, key: Node) -> Node:
    _require_probability(b, p)
    return b.cast(_successes(b, out.shape, p, key), out.dtype)


@aten("bernoulli", random=True)
def bernoulli(b: Builder, out: TensorType, p: Node, *, key: Node) -> Node:
    _require_probability(b, p)
    return b.cast(_successes(b, out.shape, p, key), out.dtype)


def _check_dropout(x: torch.Tensor, p: float, train: bool | None = None) -> None:
    _check_probability(x, 1 - p)


@aten("native_dropout", random=True, check=_check_dropout)
def native_dropout(b: Builder, out: tuple[TensorType, TensorType], x: Node, p: Node, train: bool | None, *, key: Node) -> tuple[Node, Node]:
    if train is False:
        return x, b.constant(1, out[1])
    keep = b.sub(b.constant(1, p.type), p)
    mask = _successes(b, x.shape, keep, key)
    return dropped(b, x, mask, keep), mask


def dropped(b: Builder, x: Node, mask: Node, keep: Node) -> Node:
    """`x` where the mask is set, divided by the chance of that."""
    dtype = math_dtype(x.dtype)
    zero, one = b.constant(0, keep.type), b.constant(1, keep.type)
    scale = b.where(b.eq(keep, zero), zero, b.div(one, keep))
    made = b.mul(b.mul(b.cast(x, dtype), b.cast(mask, dtype)), to(b, scale, dtype, x.shape))
    return b.cast(made, x.dtype)


@aten("native_dropout_backward")
def native_dropout_backward(b: Builder, out: TensorType, grad: Node, mask: Node, scale: Node) -> Node:
    dtype = math_dtype(out.dtype)
    return b.cast(b.mul(b.mul(b.cast(grad, dtype), b.cast(mask, dtype)), to(b, scale, dtype, out.shape)), out.dtype)


def _writes_noise(given: dict[str, Any]) -> tuple[str, ...]:
    return ("noise",) if given.get("training") else ()


@aten("rrelu_with_noise", mutates=_writes_noise, random="training", meta=lambda x, *_, **__: torch.empty_like(x))
def rrelu_with_noise(
    b: Builder,
    out: TensorType,
    x: Node,
    noise: Node,
    lower: Node | None = None,
    upper: Node | None = None,
    training: bool = False,
    *,
    key: Node | None = None,
) -> list[Node]:
    """Negative elements times a random slope, which `noise` keeps; in evaluation times the middle one."""
    x = b.cast(x, math_dtype(x.dtype))
    low, high = (
        b.constant(default, x.type) if bound is None else to(b, bound, x.dtype, x.shape) for bound, default in ((lower, 1 / 8), (upper, 1 / 3))
    )
    if key is None:
        slope = b.div(b.add(low, high), b.constant(2, x.type))
        return [b.cast(b.where(b.le(x, b.constant(0, x.type)), b.mul(x, slope), x), out.dtype)]
    slope = b.add(low, b.mul(unit(b, key, out), b.sub(high, low)))
    slope = b.where(b.le(x, b.constant(0, x.type)), slope, b.constant(1, x.type))
    return [b.cast(b.mul(x, slope), out.dtype), slope]


aten(
    "rrelu_with_noise_",
    mutates=lambda given: ("self", *_writes_noise(given)),
    random="training",
    meta=lambda x, *_, **__: torch.empty_like(x),
)(rrelu_with_noise)


# Categories.


def _meta_multinomial(x: torch.Tensor, num_samples: int, replacement: bool = False, **_: Any) -> torch.Tensor:
    _require(x.is_floating_point(), f"multinomial only supports floating-point dtypes for input, got: {SCALAR_NAMES.get(x.dtype)}")
    _require(0 < x.dim() <= 2, "prob_dist must be 1 or 2 dim")
    _require(num_samples > 0, "cannot sample n_sample <= 0 samples")
    _require(replacement or num_samples <= x.shape[-1], "cannot sample n_sample > prob_dist.size(-1) samples without replacement")
    return torch.empty((*x.shape[:-1], num_samples), dtype=torch.int64, device="meta")


@aten("multinomial", random=True, meta=_meta_multinomial)
def multinomial(b: Builder, out: TensorType, weights: Node, num_samples: int, replacement: bool = False, *, key: Node) -> Node:
    weights = b.cast(weights, math_dtype(weights.dtype))
    zero, infinity = (b.constant(limit, weights.type) for limit in (0, float("inf")))
    proper = b.bitwise_and(b.ge(weights, zero), b.lt(weights, infinity))
    b.require(proper, RuntimeError, "probability tensor contains either `inf`, `nan` or element < 0")
    total = b.sum(weights, dims=(weights.rank - 1,))
    b.require(b.gt(total, b.constant(0, total.type)), RuntimeError, "invalid multinomial distribution (sum of probabilities <= 0)")
    if not replacement or num_samples == 1:
        return _first_arrivals(b, out, weights, num_samples, key)
    return _inverse_distribution(b, out, weights, num_samples, key)


def _first_arrivals(b: Builder, out: TensorType, weights: Node, count: int, key: Node) -> Node:
    """Each category arrives after a time with its weight as rate: the order of arrival is a sample without replacement."""
    times = b.div(b.neg(b.log(open_unit(b, key, weights.shape, weights.dtype))), weights)
    if count == 1:
        return b.reshape(b.min(times, dim=weights.rank - 1)[1], out.shape)
    return b.static_slice(b.sort(times, dim=weights.rank - 1, descending=False)[1], weights.rank - 1, 0, count)


def _inverse_distribution(b: Builder, out: TensorType, weights: Node, count: int, key: Node) -> Node:
    """For each sample the first category of some weight where the running sum exceeds a uniform part of the total."""
    dim, categories = weights.rank - 1, weights.shape[-1]
    running = b.cumsum(weights, dim=dim)
    total = b.static_slice(running, dim, categories - 1, 1)
    part = b.mul(unit(b, key, TensorType(out.shape, weights.dtype)), b.expand(total, out.shape))
    shape = (*out.shape, categories)

    def beside(x: Node) -> Node:
        return b.expand(b.reshape(x, (*x.shape[:-1], 1, categories)), shape)

    possible = b.gt(beside(weights), b.constant(0, TensorType(shape, weights.dtype)))
    reached = b.gt(beside(running), b.expand(b.reshape(part, (*out.shape, 1)), shape))
    place = b.iota(dim=len(shape) - 1, result=TensorType(shape, "i64"))
    never = b.constant(categories, place.type)
    chosen = b.amin(b.where(b.bitwise_and(possible, reached), place, never), dims=(len(shape) - 1,))
    last = b.amax(b.where(possible, place, b.constant(0, place.type)), dims=(len(shape) - 1,))
    return b.minimum(chosen, last)
