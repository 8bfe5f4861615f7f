"""Tensors that grow: `tokens = torch.cat([tokens, token])`, step after step, as text is generated.

Recorded as it stands, each step would have types of its own, and so a program of its own. So where a line goes on with what it
made before, the result is kept in parts, which are all of the same few types, and a window that lies in one part is read from
it. Whatever else is done with the tensor joins the parts first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lazymlir.core.engine import engine
from lazymlir.core.parts import Parts
from lazymlir.core.values import Layout, Value, contiguous_strides, layout_of
from lazymlir.dialect.types import is_integer

if TYPE_CHECKING:
    from lazymlir.core.locations import Location
    from lazymlir.core.trace import Signature
    from lazymlir.dialect import TensorType

__all__ = ["grown", "shown"]

LARGEST = 1 << 20
"""Larger tensors, in bytes, are joined at once: their parts would keep memory that programs could use again."""

MOST = 256
"""So many parts are joined: a program of more arguments takes long to compile."""

LINES = 1 << 12
"""So many lines with concatenations are remembered."""

Sizes = tuple[int, ...]

_made: dict[tuple[Location, str], TensorType] = {}
"""The type that a line of the program made last, by line and dtype."""

_growing: set[tuple[Location, str]] = set()
"""Lines that have gone on with what they made."""


def grown(signature: Signature, values: Sequence[Value], dim: int = 0) -> list[Value] | None:
    """The result of a concatenation in parts, where it goes on with a tensor that is already there; else None."""
    (made,) = signature.result_types
    first, *others = values
    if any(type_.rank != made.rank or type_.dtype != made.dtype for type_ in signature.operand_types):
        return None
    with engine.lock:
        recorder = engine.recorders.current()
        if recorder.requested or recorder.capture is not None or engine.left:
            return None  # which recording the operation will answer
    line = engine.here(), made.dtype
    if not _goes_on(line, first.type, made, _looks_like_tokens(signature.operand_types, dim)) or made.nbytes > LARGEST:
        return None
    dim %= made.rank
    if any(value.in_parts is not None for value in others):
        _growing.discard(line)  # at its front: the new part comes first
        return None
    if first.in_parts is not None and first.in_parts.dim == dim and len(first.in_parts.values) < MOST:
        known = first.in_parts.values
    elif first.array is not None:
        known = (first,)
    else:
        return None
    value = Value(made)
    value.parts = Parts(dim, (*known, *others))
    return [value]


def _goes_on(line: tuple[Location, str], first: TensorType, made: TensorType, tokens: bool) -> bool:
    """Whether a line goes on with what it made last, did so before, or is likely to."""
    before = _made.get(line)
    if before is None and len(_made) >= LINES:
        _made.clear()
        _growing.clear()
    _made[line] = made
    if before == first != made or (before is None and tokens):
        _growing.add(line)
    return line in _growing


def _looks_like_tokens(types: Sequence[TensorType], dim: int) -> bool:
    """Integers and one more of them: the first step of what is most likely to go on."""
    return len(types) == 2 and is_integer(types[0].dtype) and types[0].rank == types[1].rank > 0 and types[1].shape[dim] == 1


def shown(parts: Parts, home: Layout, dtype: str, sizes: Sizes, strides: Sizes, offset: int) -> tuple[Value, Layout, Sizes, int] | None:
    """Where a window onto a row-major buffer that is in parts lies in one of them: that value, its layout, and the window's
    strides and offset there (1 in dimensions of size 1, so that they are the same at each length). None where it reaches farther,
    or is no part of a grid along the buffer's dimensions."""
    if dtype != home.dtype or 0 in sizes or home.strides != contiguous_strides(home.sizes):
        return None
    places = [offset // stride % size for size, stride in zip(home.sizes, home.strides, strict=True)]
    steps = [_step(home, size, stride) for size, stride in zip(sizes, strides, strict=True)]
    along = [step for step in steps if step is not None]
    if len({dim for dim, _ in along}) < len(along) or any(size > 1 and step is None for size, step in zip(sizes, steps, strict=True)):
        return None
    last = places.copy()
    for size, step in zip(sizes, steps, strict=True):
        if step is not None:
            last[step[0]] += (size - 1) * step[1]
    if any(place >= size for place, size in zip(last, home.sizes, strict=True)):
        return None
    start = 0
    for value in parts.values:
        end = start + value.type.shape[parts.dim]
        if start <= places[parts.dim] and last[parts.dim] < end:
            break
        start = end
    else:
        return None
    places[parts.dim] -= start
    own = contiguous_strides(value.type.shape)
    within = tuple([1 if step is None else step[1] * own[step[0]] for step in steps])
    return value, layout_of(dtype, value.type.shape, own), within, sum(place * stride for place, stride in zip(places, own, strict=True))


def _step(home: Layout, size: int, stride: int) -> tuple[int, int] | None:
    """The dimension that a window's dimension moves along, and how far at a time; None where it does not move."""
    if size == 1 or stride <= 0:
        return None
    fitting = [dim for dim, (n, unit) in enumerate(zip(home.sizes, home.strides, strict=True)) if n > 1 and stride % unit == 0]
    dim = max(fitting, key=lambda dim: home.strides[dim], default=None)
    return None if dim is None else (dim, stride // home.strides[dim])
