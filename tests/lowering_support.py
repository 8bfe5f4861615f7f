"""What the tests of the lowerings share: a case, arrays of every element type, and running a lowered module through XLA alone."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import jax
import ml_dtypes
import numpy as np
import torch
from jax.extend import backend
from jaxlib import xla_client

from lazymlir.dialect import Builder, Node, TensorType
from lazymlir.mlir import func, ir, shared_context
from lazymlir.passes import Pipeline
from lazymlir.runtime.templates import link

Array = np.ndarray[Any, Any]

NUMPY: dict[str, Any] = {"f16": "f2", "bf16": ml_dtypes.bfloat16, "f32": "f4", "f64": "f8", "i1": "?", "complex<f32>": "c8", "complex<f64>": "c16"}
NUMPY |= {f"{sign}{8 * size}": f"{kind}{size}" for sign, kind in (("i", "i"), ("ui", "u")) for size in (1, 2, 4, 8)}
MLIR = {np.dtype(numpy): mlir for mlir, numpy in NUMPY.items()}
TORCH = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64, "i1": torch.bool}
TORCH |= {"i8": torch.int8, "i16": torch.int16, "i32": torch.int32, "i64": torch.int64}
TORCH |= {"ui8": torch.uint8, "ui16": torch.uint16, "ui32": torch.uint32, "ui64": torch.uint64}
TORCH |= {"complex<f32>": torch.complex64, "complex<f64>": torch.complex128}

FLOATS, INTS, COMPLEXES = ("f16", "bf16", "f32", "f64"), ("i8", "ui8", "i16", "i32", "i64"), ("complex<f32>", "complex<f64>")
FEW = ("bf16", "f32", "i8", "ui8", "i64", "complex<f32>")
NAN, INF = float("nan"), float("inf")


@dataclass(frozen=True)
class Case:
    """One operation on given operands. `expected` computes its results with torch or numpy, from tensors."""

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
        return link(module, module.operation.get_asm())


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
