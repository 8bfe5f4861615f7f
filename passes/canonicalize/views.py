"""View operations: views of views, of constants, and of what was just written through the same view."""

from __future__ import annotations

from collections.abc import Callable

from lazymlir.dialect import Node
from lazymlir.dialect.shape import DYNAMIC
from lazymlir.mlir import ir

from .chains import Placed, Start, apart, injective, normal, place, read_placed, start_node, unplace
from .rewriter import Op, pattern, remembered

__all__ = ["VIEWS", "place_starts", "placed"]

VIEWS = ("permute", "reshape", "expand", "slice", "strided", "bitcast", "real", "imag")
"""Operations that are a step of a view chain."""

_LONGEST = 16
"""How many view operations a pattern looks through: keeps the pass linear in a long chain."""


def place_starts(op: Op, shape: tuple[int, ...], spans: tuple[int, ...], first: int) -> tuple[Start, ...]:
    """The starts of a slice or update: constants as numbers, as long as they are in range."""
    dynamic = iter(range(first, len(op.values)))
    starts: list[Start] = []
    for start, whole, span in zip(op.attributes["starts"], shape, spans, strict=True):
        starts.append(_known_start(op, next(dynamic), whole - span) if start == DYNAMIC else start)
    return tuple(starts)


def _known_start(op: Op, operand: int, last: int) -> Start:
    number = op.number(operand)
    return number if isinstance(number, int) and 0 <= number <= last else op.values[operand]


@remembered
def placed(op: Op) -> Placed:
    """A view operation as a step."""
    if op.name == "slice":
        sizes, steps = op.attributes["sizes"], op.attributes["steps"]
        spans = tuple((size - 1) * step + 1 if size else 0 for size, step in zip(sizes, steps, strict=True))
        return ("slice", place_starts(op, op.operands[0].shape, spans, 1), sizes, steps)
    if op.name == "strided":
        return ("strided", _known_start(op, 1, op.operands[0].type.size), op.attributes["sizes"], op.attributes["strides"])
    return (op.name, *op.attributes.values())


@remembered
def _written(op: Op) -> list[Placed]:
    """The view that a write_view writes through, in normal form."""
    starts = [_known_start(op, operand, 2**62) for operand in range(2, len(op.values))]
    base = op.operands[0].type
    return normal(base, place(base, op.attributes["chain"], starts))


def _path(op: Op | None, arrived: Callable[[Op], bool]) -> list[Op]:
    """The view operations that end in `op`, back to the last one for which `arrived` holds; none where there is none."""
    path: list[Op] = []
    while op is not None and op.name in VIEWS and len(path) < _LONGEST:
        path.insert(0, op)
        if arrived(op):
            return path
        op = op.source(0)
    return []


def _shows_written(path: list[Op], write: Op) -> bool:
    """Whether these view operations show exactly what the write_view writes."""
    written, base = _written(write), write.operands[0].type
    return written == normal(base, [placed(reader) for reader in path]) and injective(base, written)


def _reads_a_write(op: Op) -> bool:
    source = op.source(0)
    return source is not None and source.name == "write_view"


@pattern(*VIEWS)
def read_after_write(op: Op) -> Node | None:
    """Reading the view that was just written gives what was written."""
    path = _path(op, _reads_a_write)
    write = path[0].source(0) if path else None
    return write.operands[1] if write is not None and _shows_written(path, write) else None


@pattern(*VIEWS)
def read_beside_write(op: Op) -> Node | None:
    """Reading elements that were surely not written passes the write by."""
    path = _path(op, _reads_a_write)
    write = path[0].source(0) if path else None
    if write is None:
        return None
    base = write.operands[0]
    reading = normal(base.type, [placed(reader) for reader in path])
    if not apart(base.type, _written(write), reading):
        return None
    for step in reading:
        base = read_placed(op.build, base, step)
    return base


@pattern("slice")
def read_after_update(op: Op) -> Node | None:
    """The same for an update of a box."""
    source = op.source(0)
    if source is None or source.name != "update_slice":
        return None
    x, update = source.operands[:2]
    written = ("slice", place_starts(source, x.shape, update.shape, 2), update.shape, (1,) * x.rank)
    if placed(op) == written:
        return update
    return read_placed(op.build, x, placed(op)) if apart(x.type, [written], [placed(op)]) else None


@pattern(*(name for name in VIEWS if name not in ("bitcast", "real", "imag")))
def view_of_constant(op: Op) -> Node | None:
    source = op.source(0)
    return op.constant(source.attributes["value"]) if source is not None and source.name == "constant" else None


@pattern(*VIEWS)
def view_of_view(op: Op) -> Node | None:
    """Two views that are one, or none; one view that is a simpler one."""
    source, step, x = op.source(0), placed(op), op.operands[0]
    if source is not None and source.name in VIEWS:
        base = source.operands[0]
        steps = normal(base.type, [placed(source), step])
        if len(steps) < 2:
            return read_placed(op.build, base, steps[0]) if steps else base
    steps = normal(x.type, [step])
    if not steps:
        return x
    return read_placed(op.build, x, steps[0]) if steps[0] != step or _start_became_static(op, step) else None


def _start_became_static(op: Op, step: Placed) -> bool:
    return op.name == "slice" and sum(isinstance(start, ir.Value) for start in step[1]) < len(op.values) - 1


@pattern("write_view")
def write_nothing(op: Op) -> Node | None:
    return op.operands[0] if op.operands[1].type.size == 0 else None


@pattern("write_view")
def write_through_simpler_chain(op: Op) -> Node | None:
    chain, starts = unplace(op.operands[0].type, _written(op))
    if not chain:
        return op.operands[1]
    if chain == op.attributes["chain"]:
        return None
    b = op.build
    return b.write_view(*op.operands[:2], *(start_node(b, start) for start in starts), chain=chain)


@pattern("write_view")
def write_over_write(op: Op) -> Node | None:
    """The last write through one view wins, so an earlier one is dropped where only writes in between read it."""
    between: list[Op] = []
    earlier = op.source(0)
    while earlier is not None and earlier.name == "write_view" and earlier.used_once() and len(between) < _LONGEST:
        if _written(earlier) == _written(op):
            base = earlier.operands[0]
            for write in (*reversed(between), op):
                base = op.build.write_view(base, *write.operands[1:], chain=write.attributes["chain"])
            return base
        between.append(earlier)
        earlier = earlier.source(0)
    return None


@pattern("write_view")
def write_what_was_read(op: Op) -> Node | None:
    """Writing a view of the base back to where it was read."""
    path = _path(op.source(1), lambda reader: reader.values[0] == op.values[0])
    return op.operands[0] if path and _shows_written(path, op) else None


@pattern("update_slice")
def update_nothing_or_all(op: Op) -> Node | None:
    x, update = op.operands[:2]
    if update.type.size == 0:
        return x
    return update if update.shape == x.shape else None


@pattern("update_slice")
def static_update(op: Op) -> Node | None:
    """A start that is a constant becomes part of the operation; a window as long as its dimension starts at 0."""
    x, update = op.operands[:2]
    starts = place_starts(op, x.shape, update.shape, 2)
    starts = tuple(0 if whole == size else start for start, whole, size in zip(starts, x.shape, update.shape, strict=True))
    dynamic = [start for start in starts if isinstance(start, ir.Value)]
    if len(dynamic) == len(op.values) - 2:
        return None
    static = tuple(start if isinstance(start, int) else DYNAMIC for start in starts)
    return op.build.update_slice(x, update, *(start_node(op.build, start) for start in dynamic), starts=static)


@pattern("update_slice")
def update_over_update(op: Op) -> Node | None:
    earlier, x = op.source(0), op.operands[0]
    if earlier is None or earlier.name != "update_slice" or not earlier.used_once() or earlier.operands[1].shape != op.operands[1].shape:
        return None
    boxes = [place_starts(write, x.shape, op.operands[1].shape, 2) for write in (earlier, op)]
    if boxes[0] != boxes[1]:
        return None
    return op.build.update_slice(earlier.operands[0], *op.operands[1:], starts=op.attributes["starts"])
