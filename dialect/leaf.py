"""Leaves: values that no operand gives. Device data are the arguments of the graph's function."""

from __future__ import annotations

from .attributes import INT, INTS, NUMBER, STRING
from .declare import declare, require
from .types import BOOL, TensorType, is_complex, is_float, is_integer

SCALAR_KINDS = {"float": "f64", "int": "i64", "complex": "complex<f64>", "index": "i64", "key": "i64"}


@declare("constant", value=NUMBER, groups=("leaf",))
def constant(value: complex, result: TensorType) -> TensorType:
    """A tensor whose elements are all `value`. Other tensor data never stands in the graph: it is an argument."""
    if isinstance(value, complex):
        require(is_complex(result.dtype), f"a complex value cannot fill {result}")
    if isinstance(value, float):
        require(is_float(result.dtype) or is_complex(result.dtype), f"a float value cannot fill {result}")
    return result


@declare("scalar", slot=INT, kind=STRING, groups=("leaf",))
def scalar(slot: int, kind: str) -> TensorType:
    """A host number that may differ at each run: entry `slot` of the step's scalars. `kind` is one of float, int,
    complex, index (says only where, as a slice start) and key (random numbers). The number of this run stands in the
    discardable attribute `value` until `lazy-specialize-scalars` has looked at it."""
    require(kind in SCALAR_KINDS, f"kind {kind!r} is none of {', '.join(SCALAR_KINDS)}")
    require(slot >= 0, f"slot {slot} is negative")
    return TensorType((), SCALAR_KINDS[kind])


@declare("count", value=INT, groups=("leaf",))
def count(value: int) -> TensorType:
    """A number that follows from the graph, the trip count of a loop say, but is a parameter of its program: graphs that
    differ in it alone share one."""
    return TensorType((), "i64")


@declare("table", "index", slots=INTS, kind=STRING)
def table(index: TensorType, slots: tuple[int, ...], kind: str) -> TensorType:
    """The host number of slot `slots[index]`, all of one kind (see `scalar`): one for each iteration of a loop. The index is
    in range by the caller's promise; how many slots there are is a parameter of the program."""
    require(index == TensorType((), "i64"), f"the index must be tensor<i64>, got {index}")
    require(bool(slots), "there are no slots")
    return scalar(min(slots), kind)


@declare("iota", dim=INT, groups=("leaf",))
def iota(dim: int, result: TensorType) -> TensorType:
    """Counts 0, 1, 2, ... along dimension `dim`; constant along the others."""
    require(0 <= dim < result.rank, f"dim {dim} is no dimension of {result}")
    require(result.dtype != BOOL and (is_integer(result.dtype) or is_float(result.dtype)), f"cannot count in {result.dtype}")
    return result
