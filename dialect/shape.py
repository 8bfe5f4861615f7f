"""Operations that move elements without computing."""

from __future__ import annotations

from collections.abc import Sequence

from .attributes import INT, INTS
from .declare import declare, require
from .types import BOOL, TensorType, is_integer

DYNAMIC = -1
"""In `starts`: this start is an operand (in order) instead of a number."""


@declare("permute", "x", dims=INTS, groups=("view",))
def permute(x: TensorType, dims: tuple[int, ...]) -> TensorType:
    """Reorders dimensions: dimension i of the result is dimension `dims[i]` of `x`."""
    require(sorted(dims) == list(range(x.rank)), f"dims {list(dims)} is not a permutation of rank {x.rank}")
    return x.with_shape(tuple(x.shape[dim] for dim in dims))


@declare("reshape", "x", shape=INTS, groups=("view",))
def reshape(x: TensorType, shape: tuple[int, ...]) -> TensorType:
    """The same elements, in row-major order, in another shape."""
    result = x.with_shape(shape)
    require(result.size == x.size, f"{x} has {x.size} elements, shape {list(shape)} has {result.size}")
    return result


@declare("expand", "x", shape=INTS, groups=("view",))
def expand(x: TensorType, shape: tuple[int, ...]) -> TensorType:
    """Repeats: dimensions are matched from the last one, missing ones are added in front, size 1 becomes any size."""
    require(len(shape) >= x.rank, f"shape {list(shape)} has fewer dimensions than {x}")
    matched = shape[len(shape) - x.rank :]
    require(all(old in (new, 1) for old, new in zip(x.shape, matched, strict=True)), f"{x} does not expand to shape {list(shape)}")
    return x.with_shape(shape)


@declare("optimization_barrier", "x")
def optimization_barrier(x: TensorType) -> TensorType:
    """`x`: what makes it and what reads it become kernels of their own."""
    return x


@declare("after", "x", "other")
def after(x: TensorType, other: TensorType) -> TensorType:
    """`x`, which is not to be read before `other` is there."""
    return x


def _require_starts(x: TensorType, starts: tuple[int, ...], operands: tuple[TensorType, ...]) -> None:
    require(len(starts) == x.rank, f"{len(starts)} starts for rank {x.rank}")
    require(all(start >= 0 or start == DYNAMIC for start in starts), f"starts {list(starts)} must not be negative, but for {DYNAMIC}")
    dynamic = starts.count(DYNAMIC)
    require(dynamic == len(operands), f"{dynamic} dynamic starts, but {len(operands)} start operands")
    require(all(operand == TensorType((), "i64") for operand in operands), "a start operand must be tensor<i64>")


@declare("slice", "x", "*start_operands", starts=INTS, sizes=INTS, steps=INTS, groups=("view",))
def slice_(
    x: TensorType, start_operands: tuple[TensorType, ...], starts: tuple[int, ...], sizes: tuple[int, ...], steps: tuple[int, ...]
) -> TensorType:
    """Elements `starts[d] + i * steps[d]`, `i < sizes[d]`, of each dimension d. A start of -1 is an operand: in range by
    the caller's promise, so that a changed start changes no type and needs no recompilation."""
    _require_starts(x, starts, start_operands)
    require(len(sizes) == len(steps) == x.rank, f"sizes {list(sizes)} and steps {list(steps)} must have rank {x.rank}")
    for dim, (start, size, step) in enumerate(zip(starts, sizes, steps, strict=True)):
        require(size >= 0 and step >= 1, f"dimension {dim}: size {size} and step {step} must be at least 0 and 1")
        span = max(start, 0) + (size - 1) * step + 1 if size else 0
        require(span <= x.shape[dim], f"dimension {dim}: the slice ends at {span}, beyond size {x.shape[dim]}")
    return x.with_shape(sizes)


@declare("update_slice", "x", "update", "*start_operands", starts=INTS, groups=("view",))
def update_slice(x: TensorType, update: TensorType, start_operands: tuple[TensorType, ...], starts: tuple[int, ...]) -> TensorType:
    """`x` with a box replaced by `update`; starts as in `slice`."""
    _require_starts(x, starts, start_operands)
    require(update.dtype == x.dtype and update.rank == x.rank, f"the update is {update}, the operand {x}")
    for dim, start in enumerate(starts):
        end = max(start, 0) + update.shape[dim]
        require(end <= x.shape[dim], f"dimension {dim}: the update ends at {end}, beyond size {x.shape[dim]}")
    return x


@declare("pad", "x", "value", low=INTS, high=INTS, interior=INTS)
def pad(x: TensorType, value: TensorType, low: tuple[int, ...], high: tuple[int, ...], interior: tuple[int, ...]) -> TensorType:
    """Puts `value` before, after and between the elements of each dimension; negative `low` and `high` crop."""
    require(value == TensorType((), x.dtype), f"the padding value is {value}, wanted tensor<{x.dtype}>")
    require(len(low) == len(high) == len(interior) == x.rank, f"low, high and interior must have rank {x.rank}")
    require(all(count >= 0 for count in interior), f"interior {list(interior)} has a negative count")
    shape = tuple(a + n + max(n - 1, 0) * k + b for a, n, k, b in zip(low, x.shape, interior, high, strict=True))
    require(all(size >= 0 for size in shape), f"padding {list(low)}, {list(high)} crops {x} to less than nothing")
    return x.with_shape(shape)


@declare("cat", "x", "*xs", dim=INT)
def cat(x: TensorType, xs: tuple[TensorType, ...], dim: int) -> TensorType:
    """Joins tensors along `dim`. All of `xs` have the same type, as IRDL asks of a variadic operand: `Builder.join` makes
    several operations where parts differ in size, which the lowering merges again."""
    require(0 <= dim < x.rank, f"dim {dim} is no dimension of {x}")
    for part in xs:
        same = part.dtype == x.dtype and part.rank == x.rank
        same = same and all(a == b for d, (a, b) in enumerate(zip(part.shape, x.shape, strict=True)) if d != dim)
        require(same, f"{part} and {x} differ elsewhere than in dimension {dim}")
    joined = x.shape[dim] + sum(part.shape[dim] for part in xs)
    return x.with_shape((*x.shape[:dim], joined, *x.shape[dim + 1 :]))


@declare("flip", "x", dims=INTS)
def flip(x: TensorType, dims: tuple[int, ...]) -> TensorType:
    """Reverses the order along each of `dims`."""
    require(len(set(dims)) == len(dims) and all(0 <= dim < x.rank for dim in dims), f"dims {list(dims)} do not fit {x}")
    return x


def may_overlap(sizes: Sequence[int], strides: Sequence[int]) -> bool:
    """Whether a strided window may show an element more than once: False where each stride reaches beyond all smaller ones."""
    reach = 0
    for stride, size in sorted((stride, size) for size, stride in zip(sizes, strides, strict=True) if size > 1):
        if stride <= reach:
            return True
        reach += stride * (size - 1)
    return False


@declare("strided", "x", "start", sizes=INTS, strides=INTS, groups=("view",))
def strided(x: TensorType, start: TensorType, sizes: tuple[int, ...], strides: tuple[int, ...]) -> TensorType:
    """Reads a flat tensor with any strides: element i is `x[start + sum(i * strides)]`. The last resort of a view chain."""
    require(x.rank == 1, f"reads flat tensors only, got {x}")
    require(start == TensorType((), "i64"), f"the start must be tensor<i64>, got {start}")
    require(len(sizes) == len(strides), f"sizes {list(sizes)} and strides {list(strides)} differ in length")
    require(all(stride >= 0 for stride in strides), f"strides {list(strides)} must not be negative")
    return x.with_shape(sizes)


@declare("strided_update", "x", "update", "start", strides=INTS, groups=("view",))
def strided_update(x: TensorType, update: TensorType, start: TensorType, strides: tuple[int, ...]) -> TensorType:
    """A flat tensor with the places that `strided` would read replaced by `update`."""
    require(x.rank == 1 and update.dtype == x.dtype, f"updates flat tensors of one type only, got {x} and {update}")
    require(start == TensorType((), "i64"), f"the start must be tensor<i64>, got {start}")
    require(len(strides) == update.rank, f"{len(strides)} strides for {update}")
    return x


def is_index_type(dtype: str) -> bool:
    """Whether a tensor of this type may index."""
    return is_integer(dtype) and dtype != BOOL
