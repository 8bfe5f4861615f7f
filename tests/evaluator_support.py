"""Graphs of the `lazy` dialect, and what numpy says they compute."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from lazymlir.dialect import OPS, Builder, Node, TensorType, operand_types, read_attributes, tensor_type
from lazymlir.mlir import func, ir, shared_context
from lazymlir.passes import Pipeline, functions
from lazymlir.passes.canonicalize.chains import place

Array = np.ndarray[Any, Any]
Fill = Callable[[Builder, list[Node]], Sequence[Node]]

NUMPY = {"f16": "f2", "f32": "f4", "f64": "f8", "i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8", "i1": "?"}
NUMPY |= {"ui8": "u1", "ui32": "u4", "complex<f32>": "c8", "complex<f64>": "c16"}


def graph(arguments: Sequence[TensorType], fill: Fill) -> ir.Module:
    """A module of one function; `fill(builder, arguments)` returns its results."""
    with shared_context(), ir.Location.unknown():
        module = ir.Module.create()
        types = [ir.Type.parse(str(type_)) for type_ in arguments]
        function = func.FuncOp("main", (types, []), ip=ir.InsertionPoint(module.body))
        block = function.add_entry_block()
        builder = Builder(ir.InsertionPoint(block), ir.Location.unknown())
        nodes = [Node(value, type_) for value, type_ in zip(block.arguments, arguments, strict=True)]
        results = [node.value for node in fill(builder, nodes)]
        func.ReturnOp(results, ip=ir.InsertionPoint(block))
        signature = ir.FunctionType.get(types, [value.type for value in results])
        function.operation.attributes["function_type"] = ir.TypeAttr.get(signature)
    return module


def run(module: ir.Module, passes: str) -> str:
    with shared_context(), ir.Location.unknown():
        Pipeline.parse(passes).run(module)
        return str(module)


def evaluate(module: ir.Module, arguments: Sequence[Array]) -> list[Array]:
    with shared_context():
        (function,) = functions(module)
        block = function.regions[0].blocks[0]
        known: dict[ir.Value, Array] = dict(zip(block.arguments, arguments, strict=True))
        for op in (view.operation for view in block.operations):
            operands = [known[value] for value in op.operands]
            if op.name == "func.return":
                return operands
            definition = OPS[op.name.removeprefix("lazy.")]
            type_ = tensor_type(op.results[0].type)
            with np.errstate(all="ignore"):
                made = _evaluate(definition.name, operands, read_attributes(definition, op), type_, operand_types(op))
            known[op.results[0]] = np.asarray(made).astype(NUMPY[type_.dtype], copy=False).reshape(type_.shape)
    raise AssertionError("no return")


def _evaluate(name: str, x: list[Array], attributes: dict[str, Any], type_: TensorType, types: Sequence[TensorType]) -> Any:
    if name in ELEMENTWISE:
        return ELEMENTWISE[name](*x)
    if name in ("real", "imag"):
        return getattr(x[0], name)
    if name == "constant":
        return np.full(type_.shape, attributes["value"])
    if name == "write_view":
        steps = place(types[0], attributes["chain"], [int(start) for start in x[2:]])
        return replaced(x[0], places(types[0], steps), x[1])
    return STRUCTURAL[name](x, **attributes)


def _truncating_division(x: Array, y: Array) -> Array:
    if x.dtype.kind not in "iu":
        return x / y
    quotient = abs(x) // np.where(y == 0, 1, abs(y))
    return np.where((x < 0) != (y < 0), -quotient, quotient)


ELEMENTWISE: dict[str, Callable[..., Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": _truncating_division,
    "pow": operator.pow,
    "neg": operator.neg,
    "abs": abs,
    "maximum": np.maximum,
    "bitwise_not": operator.invert,
    "bitwise_and": operator.and_,
    "bitwise_or": operator.or_,
    "eq": operator.eq,
    "where": np.where,
    "complex": lambda real, imag: np.stack([real, imag], -1).view("c8" if real.dtype == "f4" else "c16"),
}


def cast(x: Array, dtype: str) -> Array:
    """Out of range, floats saturate and NaN becomes 0: numpy leaves that open."""
    wanted = np.dtype(NUMPY[dtype])
    if dtype == "i1":
        return x != 0
    x = x.real if wanted.kind != "c" else x
    if wanted.kind not in "iu" or x.dtype.kind != "f":
        return x.astype(wanted)
    limits = np.iinfo(wanted)
    whole = np.nan_to_num(np.trunc(x.astype("f8")), nan=0.0, posinf=math.inf, neginf=-math.inf)
    inside = np.where((whole >= -(2.0**63)) & (whole < 2.0**63), whole, 0).astype("i8")
    return np.where(whole >= float(limits.max), limits.max, np.where(whole <= float(limits.min), limits.min, inside)).astype(wanted)


def _box(x: Array, starts: Sequence[int], operands: Sequence[Array], sizes: Sequence[int], steps: Sequence[int]) -> tuple[slice, ...]:
    dynamic = iter(operands)
    first = [int(next(dynamic)) if start == -1 else start for start in starts]
    return tuple(slice(start, start + size * step, step) for start, size, step in zip(first, sizes, steps, strict=True))


def _update_slice(x: list[Array], starts: Sequence[int]) -> Array:
    result = x[0].copy()
    result[_box(x[0], starts, x[2:], x[1].shape, (1,) * x[1].ndim)] = x[1]
    return result


def _strided_places(start: Array, sizes: Sequence[int], strides: Sequence[int]) -> Array:
    grid = np.indices(sizes, dtype=np.int64) if sizes else np.zeros((0,), np.int64)
    return start + sum((axis * stride for axis, stride in zip(grid, strides, strict=True)), np.zeros(sizes, np.int64))


def _pad(x: list[Array], low: Sequence[int], high: Sequence[int], interior: Sequence[int]) -> Array:
    sizes = [a + max(n - 1, 0) * (k + 1) + min(n, 1) + b for a, n, k, b in zip(low, x[0].shape, interior, high, strict=True)]
    result = np.full(sizes, x[1])
    result[tuple(slice(a, a + (k + 1) * n, k + 1) for a, k, n in zip(low, interior, x[0].shape, strict=True))] = x[0]
    return result


STRUCTURAL: dict[str, Callable[..., Any]] = {
    "cast": lambda x, dtype: cast(x[0], dtype),
    "permute": lambda x, dims: x[0].transpose(dims),
    "reshape": lambda x, shape: x[0].reshape(shape),
    "expand": lambda x, shape: np.broadcast_to(x[0], shape),
    "bitcast": lambda x, dtype: np.ascontiguousarray(x[0]).view(NUMPY[dtype]),
    "slice": lambda x, starts, sizes, steps: x[0][_box(x[0], starts, x[1:], sizes, steps)],
    "update_slice": _update_slice,
    "strided": lambda x, sizes, strides: x[0][_strided_places(x[1], sizes, strides)],
    "strided_update": lambda x, strides: replaced(x[0], _strided_places(x[2], x[1].shape, strides), x[1]),
    "pad": _pad,
    "cat": lambda x, dim: np.concatenate(x, dim),
}


def places(base: TensorType, steps: Sequence[Any]) -> Array:
    """Where in the flat base each element of the view stands."""
    found = np.arange(base.size).reshape(base.shape)
    for kind, *args in steps:
        if kind == "slice":
            found = found[tuple(slice(start, start + size * step, step) for start, size, step in zip(*args, strict=True))]
        elif kind == "strided":
            found = found[_strided_places(np.array(args[0]), *args[1:])]
        else:
            found = STRUCTURAL[kind]([found], args[0])
    return found


def replaced(x: Array, where: Array, update: Array) -> Array:
    result = x.copy().reshape(-1)
    result[where] = update
    return result.reshape(x.shape)


def same_bits(x: Array, y: Array) -> bool:
    """NaN is NaN, whatever its payload; 0.0 is not -0.0."""
    if x.dtype.kind == "c":
        return same_bits(x.real, y.real) and same_bits(x.imag, y.imag)
    if x.dtype.kind != "f":
        return bool((x == y).all())
    return bool((((x == y) & (np.signbit(x) == np.signbit(y))) | (np.isnan(x) & np.isnan(y))).all())
