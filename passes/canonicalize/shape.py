"""Operations that move elements and are no views: joining, padding, reversing."""

from __future__ import annotations

from lazymlir.dialect import Node

from .chains import read_placed
from .numbers import identical
from .rewriter import Op, pattern
from .views import placed


@pattern("cat")
def cat_of_one(op: Op) -> Node | None:
    """Parts without elements are left out; a single part stands for itself."""
    dim = op.attributes["dim"]
    parts = [part for part in op.operands if part.shape[dim]] or op.operands[:1]
    if len(parts) == 1:
        return parts[0]
    return op.build.join(parts, dim) if len(parts) < len(op.operands) else None


@pattern("slice")
def slice_of_cat(op: Op) -> Node | None:
    """A slice that falls into one part of a `cat` is a slice of that part."""
    source = op.source(0)
    if source is None or source.name != "cat":
        return None
    dim: int = source.attributes["dim"]
    kind, starts, sizes, steps = placed(op)
    start, size = starts[dim], sizes[dim]
    if not isinstance(start, int) or size == 0:
        return None
    offset = 0
    for part in source.operands:
        inside = start - offset
        if inside >= 0 and inside + (size - 1) * steps[dim] < part.shape[dim]:
            return read_placed(op.build, part, (kind, (*starts[:dim], inside, *starts[dim + 1 :]), sizes, steps))
        offset += part.shape[dim]
    return None


@pattern("pad")
def pad_nothing(op: Op) -> Node | None:
    """No padding at all, or padding a constant with itself."""
    x, value = op.number(0), op.number(1)
    if x is not None and value is not None and identical(x, value):
        return op.constant(x)
    return op.operands[0] if not any(any(op.attributes[side]) for side in ("low", "high", "interior")) else None


@pattern("flip")
def flip_nothing(op: Op) -> Node | None:
    """Only dimensions of one element or none, or a constant."""
    number = op.number(0)
    if number is not None:
        return op.constant(number)
    x = op.operands[0]
    dims: tuple[int, ...] = op.attributes["dims"]
    return x if all(x.shape[dim] < 2 for dim in dims) else None


@pattern("flip")
def flip_of_flip(op: Op) -> Node | None:
    source = op.source(0)
    if source is None or source.name != "flip":
        return None
    dims = set(op.attributes["dims"]) ^ set(source.attributes["dims"])
    return op.build.flip(source.operands[0], dims=sorted(dims)) if dims else source.operands[0]
