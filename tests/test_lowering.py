"""Each lowering computes what eager torch computes on the CPU, through XLA alone: the pass, jaxlib's client, a comparison.

Neighbouring cases are one module, compiled once; a case is a row of data and a test of its own.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import jax
import ml_dtypes
import numpy as np
import pytest
import torch
from jax.extend import backend
from jaxlib import xla_client

from lazymlir.dialect import OPS, Builder, Node, TensorType
from lazymlir.mlir import func, ir, shared_context
from lazymlir.passes import Pipeline
from lazymlir.passes.lower_to_stablehlo import LOWERINGS

Array = np.ndarray[Any, Any]
NOT_LOWERED = {"scalar": "packed by the pass itself", "write_view": "expanded by lazy-invert-views"}
NUMPY: dict[str, Any] = {"f16": "f2", "bf16": ml_dtypes.bfloat16, "f32": "f4", "f64": "f8", "i1": "?", "complex<f32>": "c8", "complex<f64>": "c16"}
NUMPY |= {f"{sign}{8 * size}": f"{kind}{size}" for sign, kind in (("i", "i"), ("ui", "u")) for size in (1, 2, 4, 8)}
MLIR = {np.dtype(numpy): mlir for mlir, numpy in NUMPY.items()}
TORCH = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64, "i1": torch.bool}
TORCH |= {"i8": torch.int8, "i16": torch.int16, "i32": torch.int32, "i64": torch.int64, "complex<f32>": torch.complex64, "complex<f64>": torch.complex128}
TORCH |= {"ui8": torch.uint8, "ui16": torch.uint16, "ui32": torch.uint32, "ui64": torch.uint64}
FLOATS, INTS, COMPLEXES = ("f16", "bf16", "f32", "f64"), ("i8", "ui8", "i16", "i32", "i64"), ("complex<f32>", "complex<f64>")
FEW = ("bf16", "f32", "i8", "ui8", "i64", "complex<f32>")
PER_PROGRAM = 60  # XLA's compile time grows faster than a module
NAN, INF = float("nan"), float("inf")


@dataclass(frozen=True)
class Case:
    """One operation on given operands. `expected` computes its results with torch or numpy."""

    op: str
    inputs: tuple[Array, ...]
    expected: Callable[..., Any]
    attributes: dict[str, Any] = field(default_factory=dict)
    result: TensorType | None = None
    unused: tuple[int, ...] = ()

    def __str__(self) -> str:
        words = [str(type_of(a)).removeprefix("tensor<")[:-1] for a in self.inputs[:1]]
        words += [f"{key}{value}" for key, value in self.attributes.items() if len(self.attributes) < 3]
        return "-".join([self.op, *words]).replace(" ", "")


def type_of(a: Array) -> TensorType:
    return TensorType(a.shape, MLIR[a.dtype])


def array(values: Any, dtype: str) -> Array:
    with np.errstate(all="ignore"):
        return np.asarray(values).astype(NUMPY[dtype])


def normal(shape: Sequence[int], dtype: str = "f32", seed: int = 0) -> Array:
    values = np.random.default_rng(seed).standard_normal(tuple(shape))
    if dtype.startswith("complex"):
        return array(values + 1j * np.random.default_rng(seed + 1).standard_normal(tuple(shape)), dtype)
    if dtype == "i1":
        return values > 0
    return array(values if dtype in FLOATS else np.abs(values * 20) if dtype.startswith("u") else values * 20, dtype)


def tensor(a: Array) -> torch.Tensor:
    if a.dtype == ml_dtypes.bfloat16:
        return torch.from_numpy(a.view(np.int16).copy()).view(torch.bfloat16)
    return torch.from_numpy(np.array(a))


def numpy(value: Any) -> Array:
    if not isinstance(value, torch.Tensor):
        return np.asarray(value)
    value = value.detach().contiguous()
    return value.view(torch.int16).numpy().view(ml_dtypes.bfloat16) if value.dtype == torch.bfloat16 else value.resolve_conj().numpy()


# The program of many cases.


def lowered(cases: Sequence[Case]) -> str:
    """StableHLO of a function that takes all operands and returns all used results."""
    with shared_context(), ir.Location.unknown():
        module = ir.Module.create()
        given = [type_of(a) for case in cases for a in case.inputs]
        types = [ir.Type.parse(str(type_)) for type_ in given]
        function = func.FuncOp("main", (types, []), ip=ir.InsertionPoint(module.body))
        block = function.add_entry_block()
        builder = Builder(ir.InsertionPoint(block), ir.Location.unknown())
        arguments = iter([Node(value, type_) for value, type_ in zip(block.arguments, given, strict=True)])
        results = [node.value for case in cases for node in _emit(builder, case, arguments)]
        func.ReturnOp(results, ip=ir.InsertionPoint(block))
        signature = ir.FunctionType.get(types, [value.type for value in results])
        function.operation.attributes["function_type"] = ir.TypeAttr.get(signature)
        Pipeline.parse("lazy-lower-to-stablehlo").run(module)
        return module.operation.get_asm()


def _emit(builder: Builder, case: Case, arguments: Iterator[Node]) -> list[Node]:
    operands = list(itertools.islice(arguments, len(case.inputs)))
    made = builder.emit(case.op, operands, case.attributes, case.result)
    nodes = list(made) if isinstance(made, tuple) else [made]
    return [node for number, node in enumerate(nodes) if number not in case.unused]


def execute(text: str, inputs: Sequence[Array]) -> list[Array]:
    client = backend.get_backend("cpu")
    program = client.compile_and_load(text, xla_client.DeviceList((client.local_devices()[0],)), xla_client.CompileOptions())
    with jax.enable_x64(True):
        placed = [jax.device_put(a) for a in inputs]
    return [np.asarray(result[0]) for result in program.execute_sharded(placed).disassemble_into_single_device_arrays()]


@functools.cache
def outcomes(program: int) -> list[list[Array]]:
    """Results of the cases that share the program."""
    cases = CASES[program * PER_PROGRAM : (program + 1) * PER_PROGRAM]
    results = iter(execute(lowered(cases), [a for case in cases for a in case.inputs]))
    return [list(itertools.islice(results, len(OPS[case.op].results) - len(case.unused))) for case in cases]


# Cases: elementwise.

SPECIAL = [NAN, INF, -INF, -0.0, 0.0, 0.3, -0.3, 0.5, -0.5, 1.0, -1.0, 1.5, 2.5, -2.5, 3.7, -7.2, 20.0, -20.0, 100.0, 1e-3, 1e-6, 0.999, 30000.0]
WHOLE = [-128, -100, -7, -3, -1, 0, 1, 2, 3, 7, 64, 127]
PLANE = [complex(a, b) for a in (-2.5, -0.3, 0.0, 0.7, 3.0) for b in (-1.2, 0.0, 0.4)]
UNARY: dict[str, Callable[..., Any]] = {name: getattr(torch, name) for name in ("exp", "expm1", "log", "log1p", "sqrt", "rsqrt", "sin", "cos", "tan", "tanh")}
UNARY |= {name: getattr(torch, name) for name in ("sigmoid", "asin", "acos", "atan", "sinh", "cosh", "asinh", "acosh", "atanh")}
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
        for name, function in (UNARY | REAL_UNARY).items():
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
        for name, function in {**BINARY, **COMPARED, "div": torch.div, "pow": torch.pow, "atan2": torch.atan2}.items():
            yield Case(name, (x, y), function)
    for dtype in INTS:
        x, y = (np.repeat(np.array(WHOLE, "i8"), len(WHOLE)).astype(NUMPY[dtype]), np.tile(np.array(WHOLE, "i8"), len(WHOLE)).astype(NUMPY[dtype]))
        for name, function in (BINARY | COMPARED | BITS).items():
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
        for name, function in {"add": torch.add, "sub": torch.sub, "mul": torch.mul, "div": torch.div, "pow": torch.pow, "eq": torch.eq, "ne": torch.ne}.items():
            yield Case(name, (x, y), function)
    both = pairs([False, True], "i1")
    for name, function in {**BITS, **COMPARED, "maximum": torch.maximum, "minimum": torch.minimum}.items():
        yield Case(name, both, function)
    for name, function in {"add": torch.add, "lt": torch.lt, "ge": torch.ge}.items():
        yield Case(name, (array([1, 2**63, 2**64 - 1], "ui64"), array([2**64 - 1, 1, 1], "ui64")), functools.partial(unsigned, name))


def unsigned(name: str, x: torch.Tensor, y: torch.Tensor) -> Array:
    return {"add": np.add, "lt": np.less, "ge": np.greater_equal}[name](x.numpy(), y.numpy())


def logical_shift(bits: int, x: torch.Tensor, y: torch.Tensor) -> Array:
    shifted = [int(a) % 2**bits >> int(b) for a, b in zip(x, y, strict=True)]
    return np.array(shifted, f"u{bits // 8}").view(x.numpy().dtype)


def other_elementwise_cases() -> Iterator[Case]:
    for dtype in (*FLOATS, *INTS, *COMPLEXES, "i1"):
        yield Case("where", (normal((3, 5), "i1"), normal((3, 5), dtype), normal((3, 5), dtype, 1)), torch.where)
    yield Case("where", (array(True, "i1"), array(1.0, "f32"), array(2.0, "f32")), torch.where)
    everything = (*FLOATS, *INTS, "ui16", "ui32", "ui64", *COMPLEXES, "i1")
    some = ("bf16", "f32", "ui8", "i64", "complex<f32>", "i1")
    for old, new in dict.fromkeys([*itertools.product(some, everything), *itertools.product(everything, ("f16", "i32", "i1"))]):
        values = array([0, 1, 1.5, 2.7, 100] if old.startswith("u") else [0, -0.0, 1, -1.5, 2.7, 100, -128], old)
        yield Case("cast", (values,), lambda x, new=new: x.to(TORCH[new]), {"dtype": new})
    halves = [1.00390625 + 2**-30, 1.01171875 + 2**-40, 2049 + 2**-20, 65519.99, 1e6, 1e300]
    for new in ("f16", "bf16", "f32", "i1"):
        yield Case("cast", (array([*halves, NAN, INF], "f64"),), lambda x, new=new: x.to(TORCH[new]), {"dtype": new})
    yield Case("cast", (array([2**24 + 1, 2049, -(2**40) - 1, 257], "i64"),), lambda x: x.to(torch.bfloat16), {"dtype": "bf16"})
    yield Case("cast", (array([-1.5, 300.7, -129.0, 70000.0], "f32"),), lambda x: x.to(torch.uint8), {"dtype": "ui8"})
    yield Case("cast", (array([-1.5, 2.0**63], "f32"),), lambda x: x.to(torch.uint64), {"dtype": "ui64"})
    for old, new in itertools.product(("i1", "bf16", "f32", "i64", *COMPLEXES), ("i1", "ui8", "f16", "i32", "f64", *COMPLEXES)):
        values = normal((2, 16), "i1" if new == "i1" else old)
        values = values.view(NUMPY[old]) if new == "i1" else values
        yield Case("bitcast", (values,), lambda x, new=new: x.view(TORCH[new]), {"dtype": new})
    for old, new in (("f64", "complex<f32>"), ("complex<f32>", "i64"), ("f32", "i32"), ("i1", "ui8")):
        yield Case("bitcast", (normal((), old),), lambda x, new=new: x.view(TORCH[new]), {"dtype": new})


# Cases: the other families.


def leaf_cases() -> Iterator[Case]:
    for dtype, value in [("f32", -0.0), ("bf16", 1.5), ("f64", NAN), ("f16", INF), ("i1", True), ("ui8", 255), ("i64", -(2**63)), ("complex<f64>", 1 - 2j)]:
        wanted = TensorType((2, 3), dtype)
        yield Case("constant", (), lambda v=value, t=wanted: np.full(t.shape, array(v, t.dtype)), {"value": value}, wanted)
    yield Case("constant", (), lambda: np.full((), 2**64 - 1, "u8"), {"value": 2**64 - 1}, TensorType((), "ui64"))
    yield Case("constant", (), lambda: np.full((0, 2), 1.0, "f4"), {"value": 1.0}, TensorType((0, 2), "f32"))
    for dtype, dim in [("i64", 0), ("f32", 1), ("ui8", 1), ("bf16", 0)]:
        wanted = np.broadcast_to(np.arange(3).reshape((3, 1) if dim == 0 else (1, 3)), (3, 3)).astype(NUMPY[dtype])
        yield Case("iota", (), lambda w=wanted: w, {"dim": dim}, TensorType((3, 3), dtype))


def reduced(name: str, x: torch.Tensor, dims: Sequence[int]) -> Any:
    if name in ("sum", "amax", "amin", "all", "any"):
        return getattr(torch, name)(x, dims, **({"dtype": x.dtype} if name == "sum" else {})) if dims else x
    product = x.float() if x.dtype in (torch.float16, torch.bfloat16) else x
    for dim in sorted(dims, reverse=True):
        product = torch.prod(product, dim, dtype=product.dtype)
    return product.to(x.dtype)


def reduce_cases() -> Iterator[Case]:
    def case(name: str, x: Array, *dims: int) -> Case:
        return Case(name, (x,), lambda x: reduced(name, x, dims), {"dims": dims})

    for name, dtype in itertools.product(("sum", "prod", "amax", "amin"), ("f16", "f64", *FEW)):
        if not (name.startswith("am") and dtype in COMPLEXES):
            x = normal((4, 5, 6), dtype)
            yield from (case(name, x, 1), case(name, x, 0, 2))
    yield from (case(name, normal((2, 3))) for name in ("sum", "amax"))
    for name, dims in itertools.product(("all", "any"), ((1,), (0, 1), ())):
        yield case(name, normal((2, 7), "i1", 3), *dims)
    for size in (3, 40):
        x = normal((size, size))
        x[1, 2], x[2, 0] = NAN, -INF
        yield from (case(name, x, dim) for name in ("amax", "amin", "sum") for dim in (0, 1))
    yield from (case(name, np.zeros((0, 3), "f4"), 0) for name in ("sum", "prod"))
    yield from (case(name, np.zeros((0, 3), "?"), 0) for name in ("all", "any"))
    for dtype, low, high in (("f32", -INF, INF), ("i8", -128, 127), ("ui8", 0, 255)):
        for name, value in (("amax", low), ("amin", high)):
            yield Case(name, (np.zeros((0, 3), NUMPY[dtype]),), lambda x, v=value: np.full(3, v, x.numpy().dtype), {"dims": (0,)})
    yield case("sum", array(np.full(4000, 0.1), "bf16"), 0)
    yield case("sum", array(np.full(4000, 20.0), "f16"), 0)
    yield case("sum", array([100, 100], "i8"), 0)
    for name, dtype in itertools.product(("max", "min"), ("f64", *FEW[:-1], "i1")):
        yield from arg_cases(name, normal((4, 7, 5), dtype))
    for values in ([1, NAN, 3, NAN], [1, 3, 3, 1], [-INF, -INF], [INF, INF], [-0.0, 0.0], [2]):
        yield from (Case(name, (array(values, "f32"),), lambda x, n=name: getattr(torch, n)(x, 0), {"dim": 0}) for name in ("max", "min"))
    yield from scan_cases()


def arg_cases(name: str, x: Array) -> Iterator[Case]:
    for dim in range(x.ndim):
        yield Case(name, (x,), lambda x, dim=dim: getattr(torch, name)(x, dim), {"dim": dim})


def scan_cases() -> Iterator[Case]:
    def case(name: str, x: Array, dim: int) -> Case:
        return Case(name, (x,), lambda x: getattr(torch, name)(x, dim, dtype=x.dtype), {"dim": dim})

    for name, dtype in itertools.product(("cumsum", "cumprod"), ("f16", *FEW)):
        x = normal((3, 9), dtype)
        yield case(name, x / np.abs(x).max() if dtype in FLOATS else x, 1)
    for shape, dim in [((9, 2), 0), ((1000,), 0), ((33,), 0), ((2, 300, 3), 1), ((0, 3), 0), ((3, 0), 0), ((1,), 0)]:
        yield from (case("cumsum", normal(shape, dtype), dim) for dtype in ("f32", "i64"))
    yield case("cumprod", array([1, 2, NAN, 3] + [1] * 40, "f32"), 0)


def shape_cases() -> Iterator[Case]:
    x, start = normal((4, 6)), [np.array(value, "i8") for value in (1, 2, 0)]
    yield Case("permute", (normal((2, 3, 4)),), lambda x: x.permute(2, 0, 1), {"dims": (2, 0, 1)})
    yield Case("permute", (normal(()),), lambda x: x, {"dims": ()})
    yield Case("reshape", (x,), lambda x: x.reshape(3, 8), {"shape": (3, 8)})
    yield Case("reshape", (normal((1, 1)),), lambda x: x.reshape(()), {"shape": ()})
    for small, shape in [((), (2, 3)), ((1, 3), (4, 2, 3)), ((3, 1), (3, 0)), ((), ())]:
        yield Case("expand", (normal(small),), lambda x, s=shape: x.expand(s), {"shape": shape})
    for starts, sizes, steps in [((1, 0), (2, 3), (1, 2)), ((0, 0), (4, 6), (1, 1)), ((4, 2), (0, 2), (1, 3))]:
        box = {"starts": starts, "sizes": sizes, "steps": steps}
        yield Case("slice", (x,), lambda x, b=box: sliced(x, **b), box)
    for given, starts, sizes, steps in [((1,), (-1, 2), (2, 2), (2, 3)), ((1, 2), (-1, -1), (3, 4), (1, 1)), ((3,), (0, -1), (4, 0), (1, 1))]:
        actual = itertools.chain(given)
        whole = tuple(next(actual) if s == -1 else s for s in starts)
        box = {"starts": whole, "sizes": sizes, "steps": steps}
        operands = [np.array(value, "i8") for value in given]
        yield Case("slice", (x, *operands), lambda x, *_, b=box: sliced(x, **b), {**box, "starts": starts})
    for dtype in ("f32", "i1"):
        big, small = normal((4, 6), dtype), normal((2, 3), dtype, 1)
        yield Case("update_slice", (big, small), lambda x, u: torch.slice_scatter(x, torch.slice_scatter(x[1:3], u, 1, 2, 5), 0, 1, 3), {"starts": (1, 2)})
        yield Case("update_slice", (big, small, start[1]), lambda x, u, s: torch.slice_scatter(x, torch.slice_scatter(x[1:3], u, 1, 2, 5), 0, 1, 3), {"starts": (1, -1)})
    yield Case("update_slice", (x, np.ones_like(x)), lambda x, u: u, {"starts": (0, 0)})
    yield Case("update_slice", (x, x[:, :0]), lambda x, u: x, {"starts": (0, 3)})
    for low, high, interior in [((1, 2), (0, 3), (0, 0)), ((-1, 0), (2, -2), (0, 1)), ((0, 0), (0, 0), (0, 0))]:
        yield Case("pad", (x, np.array(7, "f4")), lambda x, v, p=(low, high, interior): padded(x.numpy(), *p), {"low": low, "high": high, "interior": interior})
    yield Case("pad", (x[:0], np.array(7, "f4")), lambda x, v: np.full((3, 6), 7, "f4"), {"low": (1, 0), "high": (2, 0), "interior": (1, 0)})
    for dims in ((0,), (1, 0), ()):
        yield Case("flip", (x,), lambda x, d=dims: x.flip(d), {"dims": dims})
    for parts in ([x, x[:, :1], x[:, :0]], [x]):
        yield Case("cat", tuple(parts), lambda *xs: torch.cat(xs, 1), {"dim": 1})
    flat = normal((30,))
    for sizes, strides, first in [((3, 4), (7, 1), 2), ((2, 3), (3, 1), 5), ((3, 2), (1, 5), 0), ((4, 3), (1, 1), 3), ((2, 2, 3), (10, 0, 2), 1), ((), (), 4), ((0, 2), (1, 1), 0), ((5, 1), (6, 9), 1)]:
        view = {"sizes": sizes, "strides": strides}
        yield Case("strided", (flat, np.array(first, "i8")), lambda x, s, v=view: torch.as_strided(x, v["sizes"], v["strides"], int(s)), view)
        yield Case("strided_update", (flat, normal(sizes, seed=1), np.array(first, "i8")), lambda x, u, s, t=strides: strided_put(x, u, int(s), t), {"strides": strides})


def sliced(x: torch.Tensor, starts: Sequence[int], sizes: Sequence[int], steps: Sequence[int]) -> torch.Tensor:
    return x[tuple(slice(a, a + max(n - 1, 0) * k + min(n, 1), k) for a, n, k in zip(starts, sizes, steps, strict=True))]


def padded(x: Array, low: Sequence[int], high: Sequence[int], interior: Sequence[int]) -> Array:
    spread = np.full([(n - 1) * (k + 1) + 1 for n, k in zip(x.shape, interior, strict=True)], 7, x.dtype)
    spread[tuple(slice(None, None, k + 1) for k in interior)] = x
    spread = np.pad(spread, [(max(a, 0), max(b, 0)) for a, b in zip(low, high, strict=True)], constant_values=7)
    return spread[tuple(slice(max(-a, 0), n - max(-b, 0)) for a, b, n in zip(low, high, spread.shape, strict=True))]


def strided_put(x: torch.Tensor, update: torch.Tensor, start: int, strides: Sequence[int]) -> Array:
    out = x.numpy().copy()
    for place in np.ndindex(*update.shape):
        out[start + sum(i * s for i, s in zip(place, strides, strict=True))] = update.numpy()[place]
    return out


def exactly(equation: str, *operands: torch.Tensor) -> torch.Tensor:
    """An einsum in the widest type of its kind, rounded once."""
    kind = operands[0].dtype
    wide = torch.complex128 if kind.is_complex else torch.float64 if kind.is_floating_point else torch.int64
    return torch.einsum(equation, *[x.to(wide) for x in operands]).to(kind)


def contract_cases() -> Iterator[Case]:
    dims = {"x_batch": (), "y_batch": (), "x_contract": (1,), "y_contract": (0,)}
    for dtype in (*FLOATS, *INTS, *COMPLEXES):
        yield Case("dot", (normal((3, 5), dtype), normal((5, 4), dtype, 1)), functools.partial(exactly, "ij,jk->ik"), dims)
    for dtype in ("bf16", "f16"):
        yield Case("dot", (array(np.full((2, 3000), 0.1), dtype), array(np.ones((3000, 2)), dtype)), functools.partial(exactly, "ij,jk->ik"), dims)
    batched = {"x_batch": (0, 2), "y_batch": (1, 0), "x_contract": (3,), "y_contract": (3,)}
    yield Case("dot", (normal((2, 4, 3, 5)), normal((3, 2, 6, 5), seed=1)), functools.partial(exactly, "bicj,cbkj->bcik"), batched)
    for left, right in [((0, 5), (5, 4)), ((3, 0), (0, 4))]:
        yield Case("dot", (normal(left), normal(right)), torch.matmul, dims)
    yield Case("dot", (normal((5,)), normal((5,))), torch.dot, {**dims, "x_contract": (0,)})
    yield from convolution_cases()
    yield from window_cases()
    yield from pool_cases()


def convolution_cases() -> Iterator[Case]:
    def case(x: Array, weight: Array, **given: Any) -> Case:
        rank = x.ndim - 2
        names = {"strides": 1, "low": 0, "high": 0, "x_dilation": 1, "weight_dilation": 1}
        attributes = {name: tuple(given.get(name, (default,) * rank)) for name, default in names.items()}
        attributes |= {name: given.get(name, 1) for name in ("groups_count", "batch_groups")}
        return Case("convolution", (x, weight), functools.partial(convolved, **attributes), attributes)

    for dtype in ("f16", "bf16", "f32", "f64", "complex<f32>", "i64"):
        yield case(normal((2, 3, 7, 6), dtype), normal((4, 3, 3, 2), dtype, 1), strides=(2, 1), low=(1, 1), high=(1, 1))
    yield case(normal((2, 3, 9)), normal((4, 3, 3)), weight_dilation=(2,))
    yield case(normal((1, 2, 5, 6, 4)), normal((3, 2, 2, 3, 2)), strides=(1, 2, 1), low=(1, 0, 1), high=(0, 1, 1))
    yield case(normal((2, 6, 8, 8)), normal((9, 2, 3, 3)), groups_count=3, low=(2, -1), high=(0, 1))
    yield case(normal((2, 3, 5, 5)), normal((4, 3, 3, 3)), x_dilation=(2, 3), low=(2, 1), high=(2, 2))
    yield case(normal((6, 3, 5, 5)), normal((4, 3, 2, 2)), batch_groups=2)
    yield case(normal((4, 6)), normal((9, 2)), groups_count=3)
    yield case(normal((0, 3, 5, 5)), normal((4, 3, 2, 2)))
    yield case(normal((1, 3, 2, 5)), normal((4, 3, 3, 2)))


def convolved(x: torch.Tensor, weight: torch.Tensor, **a: Any) -> torch.Tensor:
    dtype, rank = x.dtype, x.ndim - 2
    wide = torch.complex128 if dtype.is_complex else torch.float64
    x, weight = x.to(wide), weight.to(wide)
    spread = torch.zeros(*x.shape[:2], *[(n - 1) * k + 1 for n, k in zip(x.shape[2:], a["x_dilation"], strict=True)], dtype=wide)
    spread[(..., *[slice(None, None, k) for k in a["x_dilation"]])] = x
    edges = [edge for low, high in zip(reversed(a["low"]), reversed(a["high"]), strict=True) for edge in (low, high)]
    spread = torch.nn.functional.pad(spread, edges) if edges else spread
    groups = [spread, *([] if a["batch_groups"] == 1 else [])]
    groups, weights = spread.chunk(a["batch_groups"]) if a["batch_groups"] > 1 else [spread], weight.chunk(a["batch_groups"])
    if rank == 0:
        parts = x.reshape(x.shape[0], a["groups_count"], -1), weight.reshape(a["groups_count"], -1, weight.shape[1])
        return torch.einsum("ngi,goi->ngo", *parts).reshape(x.shape[0], -1).to(dtype)
    if any(n < (k - 1) * d + 1 for n, k, d in zip(spread.shape[2:], weight.shape[2:], a["weight_dilation"], strict=True)):
        return torch.zeros(x.shape[0], weight.shape[0], *[max(n - k + 1, 0) for n, k in zip(spread.shape[2:], weight.shape[2:], strict=True)], dtype=dtype)
    run = functools.partial(getattr(torch.nn.functional, f"conv{rank}d"), stride=a["strides"], dilation=a["weight_dilation"], groups=a["groups_count"])
    return torch.cat([run(g, w) for g, w in zip(groups, weights, strict=True)], 1).to(dtype)


def windows(x: Array, fill: Any, window: Sequence[int], strides: Sequence[int], low: Sequence[int], high: Sequence[int], dilation: Sequence[int]) -> Iterator[tuple[tuple[int, ...], list[tuple[int, ...]]]]:
    """Each window's position and the positions in `x` that it covers, those in the padding too."""
    counts = [(a + n + b - (k - 1) * d - 1) // s + 1 for a, n, b, k, d, s in zip(low, x.shape, high, window, dilation, strides, strict=True)]
    for place in np.ndindex(*counts):
        corner = [i * s - a for i, s, a in zip(place, strides, low, strict=True)]
        yield place, [tuple(c + i * d for c, i, d in zip(corner, element, dilation, strict=True)) for element in np.ndindex(*window)]


def inside(x: Array, place: tuple[int, ...]) -> bool:
    return all(0 <= i < n for i, n in zip(place, x.shape, strict=True))


def window_cases() -> Iterator[Case]:
    shapes: list[tuple[tuple[int, ...], dict[str, tuple[int, ...]]]] = [
        ((5, 6), {"window": (2, 3), "strides": (1, 2), "low": (1, 0), "high": (0, 1), "x_dilation": (1, 1), "dilation": (1, 1)}),
        ((4, 4), {"window": (2, 2), "strides": (1, 1), "low": (1, 1), "high": (1, 1), "x_dilation": (2, 3), "dilation": (2, 1)}),
        ((9, 9), {"window": (7, 6), "strides": (2, 1), "low": (-1, 2), "high": (3, 0), "x_dilation": (1, 1), "dilation": (1, 1)}),
        ((3, 3), {"window": (4, 1), "strides": (1, 1), "low": (0, 0), "high": (0, 0), "x_dilation": (1, 1), "dilation": (1, 1)}),
    ]
    for dtype, kind, (shape, attributes) in itertools.product(("f32", "bf16", "i32", "ui8"), ("sum", "max", "min"), shapes):
        x = normal(shape, dtype)
        x[0, 1] = NAN if dtype == "f32" and kind != "sum" else x[0, 1]
        yield Case("reduce_window", (x,), functools.partial(windowed, kind, **attributes), {"kind": kind, **attributes})


def windowed(kind: str, x: torch.Tensor, x_dilation: Sequence[int], **a: Any) -> Array:
    given = numpy(x)
    neutral: Any = {"sum": 0, "max": -INF, "min": INF}[kind]
    if given.dtype.kind in "iu" and kind != "sum":
        neutral = getattr(np.iinfo(given.dtype), "min" if kind == "max" else "max")
    spread = np.full([(n - 1) * k + 1 for n, k in zip(given.shape, x_dilation, strict=True)], neutral, given.dtype)
    spread[tuple(slice(None, None, k) for k in x_dilation)] = given
    found = {place: [spread[p] if inside(spread, p) else neutral for p in covered] for place, covered in windows(spread, neutral, **a)}
    reduce = {"sum": lambda v: np.sum(np.array(v, "f8" if given.dtype.kind not in "iu" else "i8")), "max": np.max, "min": np.min}[kind]
    shape = np.max([(0, 0), *found], axis=0) + 1 if found else (0, given.shape[1])
    out = np.zeros(shape, given.dtype)
    for place, values in found.items():
        out[place] = reduce(values).astype(given.dtype)
    return out


def pool_cases() -> Iterator[Case]:
    def case(x: Array, window: Sequence[int], unused: tuple[int, ...] = (), **given: Any) -> Case:
        names = {"strides": window, "low": (0,) * len(window), "high": (0,) * len(window), "dilation": (1,) * len(window)}
        attributes = {"window": tuple(window), **{name: tuple(given.get(name, default)) for name, default in names.items()}}
        return Case("max_pool", (x,), functools.partial(pooled, unused=unused, **attributes), attributes, unused=unused)

    for dtype in (*FLOATS, "i8", "ui8", "i64"):
        yield case(normal((2, 7, 8), dtype), (3, 2), strides=(2, 1), low=(1, 0), high=(1, 1))
    holes = normal((2, 9, 9))
    holes[0, 2:5, 3], holes[1, :, :] = NAN, -INF
    yield case(np.full((1, 4, 4), -128, "i8"), (2, 2), low=(1, 1), high=(1, 1))
    for window in ((3, 3), (6, 6)):
        for unused in ((), (1,), (0,)):
            yield case(holes, window, unused, strides=(1, 1), low=(2, 1), high=(1, 2))
        yield case(np.round(holes), window, dilation=(1, 1), strides=(2, 1))
    yield case(normal((3, 2, 10)), (3,), dilation=(3,), strides=(2,), low=(1,), high=(1,))
    yield case(normal((1, 2, 4, 5, 6)), (2, 3, 2), strides=(1, 1, 2), low=(1, 1, 0), high=(0, 1, 1))
    yield case(normal((1, 1, 2, 2)), (2, 2), dilation=(3, 3), strides=(1, 1), low=(1, 1), high=(1, 1))
    yield case(normal((0, 4, 4)), (2, 2))
    x = normal((2, 3, 8, 8))
    x[0, 0, 2, 2:5] = NAN
    attributes = {"window": (3, 3), "strides": (2, 2), "low": (1, 1), "high": (1, 1), "dilation": (1, 1)}
    yield Case("max_pool", (x,), lambda x: torch.nn.functional.max_pool2d(x, 3, 2, 1, return_indices=True), attributes)


def pooled(x: torch.Tensor, window: Sequence[int], unused: Sequence[int], **a: Any) -> Any:
    """torch's loop: the first of equal elements, the last NaN, padding left out; a window in the padding: any valid place."""
    given, rank = numpy(x), len(window)
    lowest = np.iinfo(given.dtype).min if given.dtype.kind in "iu" else -INF
    planes = given.reshape(-1, *given.shape[given.ndim - rank :])
    values, places = [], []
    for plane in planes:
        for _, covered in windows(plane, lowest, window, **a):
            best, where = given.dtype.type(lowest), None
            for p in (p for p in covered if inside(plane, p)):
                if where is None or plane[p] > best or np.isnan(plane[p].astype("f8")):
                    best, where = plane[p], p
            values.append(best)
            places.append(np.ravel_multi_index(where, plane.shape) if where else plane.size - 1)
    counts = [(l + n + h - (k - 1) * d - 1) // s + 1 for l, n, h, k, d, s in zip(a["low"], planes.shape[1:], a["high"], window, a["dilation"], a["strides"], strict=True)]
    shape = (*given.shape[: given.ndim - rank], *counts)
    both = np.array(values, given.dtype).reshape(shape), np.array(places, "i8").reshape(shape)
    return [each for number, each in enumerate(both) if number not in unused]


def places(shape: Sequence[int], size: int, dtype: str = "i64", seed: int = 5) -> Array:
    return array(np.random.default_rng(seed).integers(0, size, tuple(shape)), dtype)


def index_cases() -> Iterator[Case]:
    for dtype in (*FEW, "i1"):
        x = normal((4, 5, 3), dtype)
        yield from gather_cases(x)
        yield Case("index", (x, places((2, 6), 4)), lambda x, i: x[i], {"dims": (0,)})
        yield Case("index_put", (x, normal((2, 3, 5, 3), dtype, 1), places((2, 3), 4)), functools.partial(index_put_, "set", (0,)), {"dims": (0,), "kind": "set"})
    yield Case("gather", (normal((4, 5)), places((2, 0), 5)), lambda x, i: torch.gather(x, 1, i), {"dim": 1})
    yield Case("gather", (normal((4, 0)), places((4, 0), 1)), lambda x, i: torch.gather(x, 1, i), {"dim": 1})
    for dims, picked in [((1,), lambda x, i: x[:, i].movedim((1, 2), (0, 1))), ((0, 1), lambda x, i, j: x[i, j]), ((2, 0), lambda x, i, j: x[j, :, i])]:
        indices = [places((2, 2), 3, seed=seed) for seed in range(len(dims))]
        yield Case("index", (normal((4, 5, 3)), *indices), picked, {"dims": dims})
        shape = (2, 2, *[n for d, n in enumerate((4, 5, 3)) if d not in dims])
        for kind in ("set", "add"):
            yield Case("index_put", (normal((4, 5, 3)), normal(shape, seed=1), *indices), functools.partial(index_put_, kind, dims), {"dims": dims, "kind": kind})
    for index in (np.array(3, "i8"), places((0,), 4), array([3, 0], "ui8"), array([3, 0], "i32")):
        yield Case("index", (normal((4, 2)), index), lambda x, i: x[i.long()], {"dims": (0,)})
        yield Case("index_put", (normal((4, 2)), normal((*index.shape, 2), seed=1), index), functools.partial(index_put_, "set", (0,)), {"dims": (0,), "kind": "set"})
    for dtype, kind in itertools.product((*FEW, "f16", "i1"), ("add", "mul", "amax", "amin")):
        if not (dtype.startswith("complex") and kind.startswith("am")):
            inputs = (normal((3, 4), dtype), normal((9, 4), dtype, 1), places((9,), 3))
            yield Case("index_put", inputs, functools.partial(index_put_, kind, (0,)), {"dims": (0,), "kind": kind})
    many = (np.zeros((50, 8), "f4"), normal((3000, 8)), places((3000,), 50))
    yield Case("index_put", many, functools.partial(index_put_, "set", (0,)), {"dims": (0,), "kind": "set"})
    yield from sort_cases()


def gather_cases(x: Array) -> Iterator[Case]:
    dtype = MLIR[x.dtype]
    for dim, shape in ((0, (7, 5, 3)), (1, (4, 2, 3)), (2, (2, 3, 6))):
        index = places(shape, x.shape[dim])
        yield Case("gather", (x, index), lambda x, i, d=dim: torch.gather(x, d, i), {"dim": dim})
        inputs = (x, index, normal(shape, dtype, 1))
        yield Case("scatter", inputs, functools.partial(scattered, "set", dim), {"dim": dim, "kind": "set"})
    for kind in ("add", "mul", "amax", "amin") if not dtype.startswith("complex") else ("add", "mul"):
        yield Case("scatter", inputs, functools.partial(scattered, kind, 2), {"dim": 2, "kind": kind})


COMBINE: dict[str, Callable[[Any, Any], Any]] = {"set": lambda old, new: new, "add": np.add, "mul": np.multiply, "amax": np.maximum, "amin": np.minimum}


def wide(x: torch.Tensor) -> Array:
    """Sums and products of 16-bit floats are accumulated in float32 and rounded once, unlike torch's."""
    return x.float().numpy().copy() if x.dtype in (torch.float16, torch.bfloat16) else x.numpy().copy()


def narrowed(out: Array, x: torch.Tensor) -> Array:
    return out.astype(numpy(x).dtype)


def scattered(kind: str, dim: int, x: torch.Tensor, index: torch.Tensor, update: torch.Tensor) -> Array:
    out, new = wide(x), wide(update)
    for place in np.ndindex(*index.shape):
        target = (*place[:dim], int(index[place]), *place[dim + 1 :])
        out[target] = COMBINE[kind](out[target], new[place])
    return narrowed(out, x)


def index_put_(kind: str, dims: Sequence[int], x: torch.Tensor, update: torch.Tensor, *indices: torch.Tensor) -> Array:
    out, new = wide(x), wide(update)
    for place in np.ndindex(*indices[0].shape):
        target: list[Any] = [slice(None)] * x.ndim
        for dim, index in zip(dims, indices, strict=True):
            target[dim] = int(index[place])
        out[tuple(target)] = COMBINE[kind](out[tuple(target)], new[place])
    return narrowed(out, x)


def sort_cases() -> Iterator[Case]:
    def case(x: Array, dim: int, descending: bool) -> Case:
        return Case("sort", (x,), lambda x: torch.sort(x, dim=dim, stable=True, descending=descending), {"dim": dim, "descending": descending})

    ties = [0.0, -0.0, NAN, 1.0, -NAN, -0.0, -INF, INF, 1.0, -1.0, 1e-40, -1e-40]
    for dtype, descending in itertools.product((*FLOATS, "i8", "ui8", "i32", "i64", "ui16", "i1"), (False, True)):
        x = normal((6, 11), dtype)
        yield case(np.round(x) if dtype in FLOATS else x, int(descending), descending)
        if dtype in FLOATS:
            yield case(array(ties, dtype), 0, descending)
        if dtype in INTS:
            yield case(np.array([np.iinfo(x.dtype).max, 0, np.iinfo(x.dtype).min, 5, 0], x.dtype), 0, descending)
    for dtype in ("ui32", "ui64"):
        x = array([5, 2**31, 2**32 - 1, 0, 5], dtype)
        yield Case("sort", (x,), lambda x: [np.sort(x.numpy()), np.argsort(x.numpy(), stable=True)], {"dim": 0, "descending": False})
    yield from (case(normal(shape), 0, False) for shape in ((0,), (1,), (3, 0), (2000,)))


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


GROUPS = (unary_cases, binary_cases, other_elementwise_cases, leaf_cases, reduce_cases, shape_cases, contract_cases, index_cases, random_cases)
CASES = [case for group in GROUPS for case in group()]


@pytest.mark.parametrize("number", range(len(CASES)), ids=[f"{number}-{case}" for number, case in enumerate(CASES)])
def test_lowering_computes_what_torch_computes(number: int) -> None:
    case = CASES[number]
    expected = case.expected(*[tensor(a) for a in case.inputs])
    wanted = list(expected) if isinstance(expected, list | tuple) else [expected]
    got = outcomes(number // PER_PROGRAM)[number % PER_PROGRAM]
    assert len(got) == len(wanted)
    for actual, reference in zip(got, map(numpy, wanted), strict=True):
        assert (actual.shape, actual.dtype) == (reference.shape, reference.dtype)
        torch.testing.assert_close(tensor(actual), tensor(reference), equal_nan=True)
        if case.op in SIGNED_ZERO and actual.dtype.kind != "c":
            np.testing.assert_array_equal(np.signbit(actual) & (actual == 0), np.signbit(reference) & (reference == 0))


def test_every_declared_operation_has_a_lowering_and_a_case() -> None:
    assert set(LOWERINGS) == set(OPS) - set(NOT_LOWERED)
    assert {case.op for case in CASES} == set(LOWERINGS)


def test_streams_of_different_keys_are_unrelated() -> None:
    wanted = TensorType((4096,), "ui32")
    keys = [0, 1, 2, 2**32, -1]
    streams = execute(lowered([Case("random_bits", (np.array(key, "i8"),), lambda: None, result=wanted) for key in keys]), [np.array(k, "i8") for k in keys])
    for left, right in itertools.combinations(streams, 2):
        assert not np.intersect1d(left[:64], right).size
        same = np.unpackbits((~(left ^ right)).view("u1")).mean()
        assert abs(same - 0.5) < 0.01
    for stream in streams:
        assert abs(np.unpackbits(stream.view("u1")).mean() - 0.5) < 0.01
