"""Cases of the operations on single elements, of leaves and of random numbers."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import torch
from lowering_support import COMPLEXES, FEW, FLOATS, INF, INTS, NAN, NUMPY, TORCH, Array, Case, array, normal, numpy, tensor

from lazymlir.dialect import TensorType
from lazymlir.dialect.special import POLYNOMIALS

SPECIAL = [NAN, INF, -INF, -0.0, 0.0, 0.3, -0.3, 0.5, -0.5, 1.0, -1.0, 1.5, 2.5, -2.5, 3.7, -7.2, 20.0, -20.0, 100.0, 1e-3, 1e-6, 0.999, 30000.0]
WHOLE = [-128, -100, -7, -3, -1, 0, 1, 2, 3, 7, 64, 127]
PLANE = [complex(a, b) for a in (-2.5, -0.3, 0.0, 0.7, 3.0) for b in (-1.2, 0.0, 0.4)]
UNARY: dict[str, Callable[..., Any]] = {name: getattr(torch, name) for name in ("exp", "expm1", "log", "log1p", "sqrt", "rsqrt", "sigmoid")}
UNARY |= {name: getattr(torch, name) for name in ("sin", "cos", "tan", "asin", "acos", "atan")}
UNARY |= {name: getattr(torch, name) for name in ("sinh", "cosh", "tanh", "asinh", "acosh", "atanh")}
REAL_UNARY = {name: getattr(torch, name) for name in ("ceil", "floor", "round", "trunc", "erf", "lgamma", "digamma", "sign", "neg", "abs")}
REAL_UNARY |= {"erf_inv": torch.erfinv, "is_finite": torch.isfinite, "cbrt": lambda x: torch.from_numpy(np.cbrt(x.double().numpy())).to(x.dtype)}
BINARY: dict[str, Callable[..., Any]] = {name: getattr(torch, name) for name in ("add", "sub", "mul", "maximum", "minimum", "fmod")}
COMPARED = {name: getattr(torch, name) for name in ("eq", "ne", "lt", "le", "gt", "ge")}
BITS = {name: getattr(torch, name) for name in ("bitwise_and", "bitwise_or", "bitwise_xor")}
SIGNED_ZERO = {"neg", "abs", "ceil", "floor", "round", "trunc", "fmod", "sign", "cast", "mul"}


def pairs(values: Sequence[Any], dtype: str) -> tuple[Array, Array]:
    left, right = zip(*itertools.product(values, values), strict=True)
    return array(left, dtype), array(right, dtype)


def unary_cases() -> Iterator[Case]:
    for dtype in FLOATS:
        for name, function in (REAL_UNARY if dtype == "bf16" else UNARY | REAL_UNARY).items():
            yield Case(name, (array(SPECIAL, dtype),), function)
    for dtype, name in itertools.product(COMPLEXES, UNARY):
        yield Case(name, (array(PLANE, dtype),), UNARY[name])
    for dtype in INTS:
        values = np.array(WHOLE, "i8").astype(NUMPY[dtype])
        for name in ("neg", "sign", "abs"):
            yield Case(name, (values,), getattr(torch, name))
        yield Case("bitwise_not", (values,), torch.bitwise_not)
        yield Case("popcount", (values,), lambda x: np.bitwise_count(x.numpy().view(f"u{x.itemsize}")).astype(x.numpy().dtype))
    yield Case("bitwise_not", (array([True, False], "i1"),), torch.bitwise_not)
    for dtype in COMPLEXES:
        x = array([*PLANE, 0, complex(NAN, 1)], dtype)
        for name, function in {"neg": torch.neg, "sign": torch.sgn, "abs": torch.abs, "real": torch.real, "imag": torch.imag}.items():
            yield Case(name, (x,), function)
        yield Case("complex", (numpy(tensor(x).real), numpy(tensor(x).imag)), torch.complex)
    yield Case("exp", (array(1.0, "f32"),), torch.exp)
    yield Case("sign", (array([[NAN] * 40], "f32"),), torch.sign)
    yield Case("erf", (array(np.zeros((0, 3)), "f32"),), torch.erf)


def no_zero(values: Sequence[Any]) -> list[Any]:
    return [value for value in values if value != 0]


def binary_cases() -> Iterator[Case]:
    for dtype in FLOATS:
        x, y = pairs(SPECIAL, dtype)
        compared = COMPARED if dtype in FEW else {}
        for name, function in {**BINARY, **compared, "div": torch.div, "pow": torch.pow, "atan2": torch.atan2}.items():
            yield Case(name, (x, y), function)
    for dtype in INTS:
        x, y = (np.repeat(np.array(WHOLE, "i8"), len(WHOLE)).astype(NUMPY[dtype]), np.tile(np.array(WHOLE, "i8"), len(WHOLE)).astype(NUMPY[dtype]))
        for name, function in (BINARY | COMPARED | BITS if dtype in ("i8", "ui8") else BINARY).items():
            keep = (y != 0) if name == "fmod" else np.ones(y.shape, bool)
            yield Case(name, (x[keep], y[keep]), function)
        overflow = (y == 0) | ((y.view(f"i{y.itemsize}") == -1) & (x == np.iinfo(x.dtype).min))
        yield Case("div", (x[~overflow], y[~overflow]), lambda x, y: torch.div(x, y, rounding_mode="trunc"))
        yield Case("pow", (x, y), torch.pow)
        shifts = array(np.tile([0, 1, 3, 7, 100], len(WHOLE)), dtype), np.repeat(np.array(WHOLE, "i8"), 5).astype(NUMPY[dtype])
        yield Case("shift_left", shifts[::-1], torch.bitwise_left_shift)
        if not dtype.startswith("u"):
            yield Case("shift_right_arithmetic", shifts[::-1], torch.bitwise_right_shift)
        bits = 8 * shifts[0].itemsize
        yield Case("shift_right_logical", shifts[::-1], functools.partial(logical_shift, bits))
    for dtype in COMPLEXES:
        x, y = pairs(no_zero(PLANE), dtype)
        yield from (Case(name, (x, y), getattr(torch, name)) for name in ("add", "sub", "mul", "div", "pow", "eq", "ne"))
    yield from power_cases()
    both = pairs([False, True], "i1")
    for name, function in {**BITS, **COMPARED, "maximum": torch.maximum, "minimum": torch.minimum}.items():
        yield Case(name, both, function)
    large = array([1, 2**63, 2**64 - 1], "ui64"), array([2**64 - 1, 1, 1], "ui64")
    for name, function in {"add": np.add, "lt": np.less, "ge": np.greater_equal}.items():
        yield Case(name, large, lambda x, y, function=function: function(x.numpy(), y.numpy()))


def power_cases() -> Iterator[Case]:
    for dtype in (*FLOATS, "i32", "ui8", "complex<f64>"):
        x = array(no_zero(PLANE) if dtype in COMPLEXES else WHOLE if dtype in INTS else SPECIAL, dtype)
        exponents = (0, 1, 2, 3, 5) if dtype in INTS else (0, 1, 2, 3, 0.5, -0.5, -1, -2, 1.7)
        for number in exponents:
            yield Case("pow_scalar", (x, array(number, dtype)), lambda x, _, number=number: x**number)


def logical_shift(bits: int, x: torch.Tensor, y: torch.Tensor) -> Array:
    shifted = [int(a) % 2**bits >> int(b) for a, b in zip(x, y, strict=True)]
    return np.array(shifted, f"u{bits // 8}").view(x.numpy().dtype)


def special_cases() -> Iterator[Case]:
    positive = [1e-3, 0.4, 1.0, 1.5, 2.0, 7.0, 30.0, 150.0]
    for dtype in ("f32", "f64"):
        x, y = pairs(positive, dtype)
        yield Case("zeta", (x, y), torch.special.zeta)
    yield Case("zeta", pairs([1.0, 2.0, 3.0, 0.5, NAN], "f64")[::-1], torch.special.zeta)
    for name, function in {"igamma": torch.igamma, "igammac": torch.igammac}.items():
        yield Case(name, (x, y), function)
    places = array([-2.0, -0.7, 0.0, 0.3, 1.0, 1.7], "f32")
    for family in POLYNOMIALS:
        function = getattr(torch.special, family.replace("_", "_polynomial_"))
        for degree in (0, 1, 2, 5):
            yield Case("orthogonal_polynomial", (places, np.full(6, degree)), function, {"family": family})
    for dtype in INTS:
        x, y = pairs([0, 1, 6, 12, 35, 97, 100], dtype)
        yield Case("gcd", (x, y), torch.gcd)
    yield Case("gcd", (np.array([-12, 0, -7, 4]), np.array([18, -3, 0, -6])), torch.gcd)


def where_cases() -> Iterator[Case]:
    for dtype in (*FLOATS, *INTS, *COMPLEXES, "i1"):
        yield Case("where", (normal((3, 5), "i1"), normal((3, 5), dtype), normal((3, 5), dtype, 1)), torch.where)
    yield Case("where", (array(True, "i1"), array(1.0, "f32"), array(2.0, "f32")), torch.where)


def to(dtype: str, x: torch.Tensor) -> torch.Tensor:
    return (x if TORCH[dtype].is_complex or dtype == "i1" else x.real if x.is_complex() else x).to(TORCH[dtype])


def cast_cases() -> Iterator[Case]:
    def case(x: Array, dtype: str) -> Case:
        return Case("cast", (x,), functools.partial(to, dtype), {"dtype": dtype})

    everything = (*FLOATS, *INTS, "ui16", "ui32", "ui64", *COMPLEXES, "i1")
    some = ("bf16", "f32", "ui8", "i64", "complex<f32>", "i1")
    for old, new in dict.fromkeys([*itertools.product(some, everything), *itertools.product(everything, ("f16", "i32", "i1"))]):
        values = array([0, 1, 1.5, 2.7, 100] if old.startswith("u") else [0, -0.0, 1, -1.5, 2.7, 100, -128], old)
        yield case(values, new)
    halves = [1.00390625 + 2**-30, 1.01171875 + 2**-40, 2049 + 2**-20, 65519.99, 1e6, 1e300]
    for new in ("f16", "bf16", "f32", "i1"):
        yield case(array([*halves, NAN, INF], "f64"), new)
    yield case(array([2**24 + 1, 2049, -(2**40) - 1, 257], "i64"), "bf16")
    yield case(array([-1.5, 300.7, -129.0, 70000.0], "f32"), "ui8")
    yield case(array([-1.5, 2.0**63], "f32"), "ui64")
    yield case(array([complex(0, 1), complex(NAN, 0), 0], "complex<f32>"), "i1")


def bitcast_cases() -> Iterator[Case]:
    for old, new in itertools.product(("i1", "bf16", "f32", "i64", *COMPLEXES), ("i1", "ui8", "f16", "i32", "f64", *COMPLEXES)):
        values = normal((2, 16), "i1" if new == "i1" else old)
        values = values.view(NUMPY[old]) if new == "i1" else values
        yield Case("bitcast", (values,), lambda x, new=new: x.view(TORCH[new]), {"dtype": new})
    for old, new in (("f64", "complex<f32>"), ("complex<f32>", "i64"), ("f32", "i32"), ("i1", "ui8")):
        yield Case("bitcast", (normal((), old),), lambda x, new=new: x.view(TORCH[new]), {"dtype": new})


def leaf_cases() -> Iterator[Case]:
    values: dict[str, Any] = {"f32": -0.0, "bf16": 1.5, "f64": NAN, "f16": INF, "i1": True, "ui8": 255, "i64": -(2**63), "complex<f64>": 1 - 2j}
    for dtype, value in values.items():
        wanted = TensorType((2, 3), dtype)
        yield Case("constant", (), lambda v=value, t=wanted: np.full(t.shape, array(v, t.dtype)), {"value": value}, wanted)
    yield Case("constant", (), lambda: np.full((), 2**64 - 1, "u8"), {"value": 2**64 - 1}, TensorType((), "ui64"))
    yield Case("constant", (), lambda: np.full((0, 2), 1.0, "f4"), {"value": 1.0}, TensorType((0, 2), "f32"))
    for dtype, dim in [("i64", 0), ("f32", 1), ("ui8", 1), ("bf16", 0)]:
        wanted = np.broadcast_to(np.arange(3).reshape((3, 1) if dim == 0 else (1, 3)), (3, 3)).astype(NUMPY[dtype])
        yield Case("iota", (), lambda w=wanted: w, {"dim": dim}, TensorType((3, 3), dtype))


def random_cases() -> Iterator[Case]:
    """The numbers stand here so that each jaxlib and each compilation gives the same."""
    for key, dtype, bits in [
        (0, "ui32", [0x6B200159, 0x99BA4EFE, 0x508EFB2C, 0xC0DE3F32, 0x64A626EC]),
        (-1, "ui32", [0x413979C4, 0x4E58FB3F, 0x9FEAE161, 0xF48AEA97, 0x23FBFF6E]),
        (2**40 + 1, "ui64", [0x93050C81D0B10933, 0xD0778E6694F4998F, 0xCE83545B35CBBD5B]),
    ]:
        wanted = np.array(bits, NUMPY[dtype])
        yield Case("random_bits", (np.array(key, "i8"),), lambda _, w=wanted: w, result=TensorType(wanted.shape, dtype))
    yield Case("random_bits", (np.array(0, "i8"),), lambda _: np.array(0x6B200159, "u4"), result=TensorType((), "ui32"))
    yield Case("random_bits", (np.array(0, "i8"),), lambda _: np.zeros((0, 3), "u4"), result=TensorType((0, 3), "ui32"))


def pointwise_cases() -> Iterator[Case]:
    for group in (unary_cases, binary_cases, special_cases, where_cases, cast_cases, bitcast_cases, leaf_cases, random_cases):
        yield from group()
