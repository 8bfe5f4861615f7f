"""From geometry to a view chain: how a strided window onto a buffer is read from the buffer's value.

The chain follows from the strides alone, whatever operations made the view: a permutation, a slice, a reshape, an
expansion or any product of them is found again; a strided read of the flat buffer is the last resort and always exact.
"""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import NamedTuple

from lazymlir.dialect.types import TensorType, itemsize
from lazymlir.dialect.views import Chain, Step

from .values import Layout, reach

__all__ = ["View", "ViewError", "view_of"]

Sizes = tuple[int, ...]


class ViewError(RuntimeError):
    """The window reaches beyond its buffer."""


class View(NamedTuple):
    """`chain` is static, `starts` are the numbers its steps take: they may change without a recompilation."""

    chain: Chain
    starts: tuple[int, ...]
    type: TensorType


class _Factor(NamedTuple):
    """One dimension of a row-major factorization of memory."""

    stride: int
    size: int


@lru_cache(maxsize=65536)
def view_of(home: Layout, dtype: str, sizes: Sizes, strides: Sizes, offset: int) -> View:
    """The window (dtype, sizes, strides, offset) onto a buffer of layout `home`; ViewError where it does not fit."""
    steps, memory = _to_memory_order(home)
    if dtype != home.dtype:
        recast, memory = _recast(home.dtype, dtype, memory)
        steps += recast
    total = prod(memory)
    _require_inside(total, sizes, strides, offset, home)
    read, starts = _window(memory, total, sizes, strides, offset)
    chain = _simplify(home.sizes, (*steps, *read))
    return View(chain, starts, TensorType(sizes, dtype))


def _to_memory_order(home: Layout) -> tuple[list[Step], Sizes]:
    """Steps that bring the value's dimensions into the order of memory, and the sizes in that order."""
    order = sorted(range(len(home.sizes)), key=lambda dim: (home.sizes[dim] == 1, -home.strides[dim]))
    memory = tuple(home.sizes[dim] for dim in order)
    return ([("permute", tuple(order))] if order != sorted(order) else []), memory


def _recast(old: str, new: str, memory: Sizes) -> tuple[list[Step], Sizes]:
    """Steps that read memory of one dtype as another."""
    steps: list[Step] = []
    if not memory:
        memory = (1,)
        steps.append(("reshape", memory))
    steps.append(("bitcast", new))
    nbytes = memory[-1] * itemsize(old)
    if nbytes % itemsize(new):
        memory = (prod(memory),)
        steps.insert(len(steps) - 1, ("reshape", memory))
        nbytes = memory[-1] * itemsize(old)
        if nbytes % itemsize(new):
            raise ViewError(f"a buffer of {nbytes} bytes does not divide into elements of {new}")
    return steps, (*memory[:-1], nbytes // itemsize(new))


def _require_inside(total: int, sizes: Sizes, strides: Sizes, offset: int, home: Layout) -> None:
    if 0 in sizes:
        return
    needed = reach(sizes, strides, offset)
    if offset < 0 or needed > total:
        raise ViewError(
            f"a view with sizes {list(sizes)}, strides {list(strides)} and offset {offset} "
            f"reaches element {needed - 1} of a buffer of {total} ({home})"
        )


def _window(memory: Sizes, total: int, sizes: Sizes, strides: Sizes, offset: int) -> tuple[list[Step], tuple[int, ...]]:
    if 0 in sizes:
        return [("reshape", (total,)), ("strided", sizes, strides)], (0,)
    # Dimensions that move: size 1 and stride 0 are put back by the reshape and the expand at the end.
    moving = [dim for dim in range(len(sizes)) if sizes[dim] != 1 and strides[dim] != 0]
    order = sorted(moving, key=lambda dim: -strides[dim])
    spans = [(sizes[dim], strides[dim]) for dim in order]
    for factors in (_contiguous(memory), _factors_of_view(total, spans)):
        found = _slices(factors, spans, offset) if factors is not None else None
        if found is not None:
            kept, steps, starts, axes = found
            shape = tuple(factor.size for factor in factors or ())
            read: list[Step] = [("reshape", shape)] if shape != memory else []
            if any(size != factor for size, factor in zip(kept, shape, strict=True)):
                read.append(("slice", kept, steps))
            return [*read, *_arrange(kept, axes, order, moving, sizes, strides)], starts
    return [("reshape", (total,)), ("strided", sizes, strides)], (offset,)


def _contiguous(memory: Sizes) -> list[_Factor]:
    factors, stride = [], 1
    for size in reversed(memory):
        factors.append(_Factor(stride, size))
        stride *= size
    return factors[::-1]


def _factors_of_view(total: int, spans: list[tuple[int, int]]) -> list[_Factor] | None:
    """Memory cut at the view's own strides: what a flattened or split dimension needs."""
    if not spans:
        return [_Factor(1, total)]
    units = [stride for _, stride in spans[:-1]] + [1]
    if units[0] and total % units[0]:
        return None
    bounds = [total, *units]
    if any(bounds[i] % bounds[i + 1] for i in range(len(units))):
        return None
    return [_Factor(unit, bounds[i] // unit) for i, unit in enumerate(units)]


def _slices(factors: list[_Factor], spans: list[tuple[int, int]], offset: int) -> tuple[Sizes, Sizes, tuple[int, ...], list[int]] | None:
    """Reads each span from a factor of its own: kept sizes, steps and starts of the cut dimensions, and the factor of each
    span. None where some span fits no factor."""
    starts = [offset // factor.stride % factor.size for factor in factors]
    kept, steps, axes = [1] * len(factors), [1] * len(factors), []
    for size, stride in spans:
        axis = next((i for i, factor in enumerate(factors) if factor.size > 1 and stride % factor.stride == 0 and i not in axes), None)
        if axis is None:
            return None
        step = stride // factors[axis].stride
        if starts[axis] + (size - 1) * step >= factors[axis].size:
            return None
        kept[axis], steps[axis] = size, step
        axes.append(axis)
    cut = tuple(start for start, size, factor in zip(starts, kept, factors, strict=True) if size != factor.size)
    return tuple(kept), tuple(steps), cut, axes


def _arrange(kept: Sizes, axes: list[int], order: list[int], moving: list[int], sizes: Sizes, strides: Sizes) -> list[Step]:
    """Steps from the sliced factors to the view's own dimensions."""
    steps: list[Step] = []
    in_memory = sorted(axes)
    compact = tuple(kept[axis] for axis in in_memory)
    if compact != kept:
        steps.append(("reshape", compact))
    place = {dim: in_memory.index(axis) for dim, axis in zip(order, axes, strict=True)}
    dims = tuple(place[dim] for dim in moving)
    if dims != tuple(range(len(dims))):
        steps.append(("permute", dims))
    unexpanded = tuple(1 if strides[dim] == 0 else size for dim, size in enumerate(sizes))
    if unexpanded != tuple(sizes[dim] for dim in moving):
        steps.append(("reshape", unexpanded))
    if unexpanded != sizes:
        steps.append(("expand", sizes))
    return steps


def _simplify(shape: Sizes, steps: tuple[Step, ...]) -> Chain:
    """Merges neighbouring reshapes, drops what changes nothing, and undoes a permutation that the view undoes."""
    chain: list[Step] = []
    for step in steps:
        if step[0] == "reshape" and chain and chain[-1][0] == "reshape":
            chain[-1] = step
        elif step[0] == "permute" and chain and chain[-1][0] == "permute":
            dims = tuple(chain[-1][1][dim] for dim in step[1])
            chain.pop()
            if dims != tuple(range(len(dims))):
                chain.append(("permute", dims))
        else:
            chain.append(step)
    if chain and chain[0] == ("reshape", shape):
        chain.pop(0)
    return tuple(chain)
