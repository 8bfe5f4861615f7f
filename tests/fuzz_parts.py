"""The parts of a statement: dimensions, indices, shapes, other tensors, each drawn to fit the tensor at hand most of the time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

import torch

__all__ = ["DTYPES", "PARTS", "Maker"]

DTYPES = (
    torch.float32, torch.float64, torch.bfloat16, torch.float16, torch.int64, torch.int32, torch.uint8, torch.bool, torch.complex64,
)  # fmt: skip

SCALARS = {torch.bool: ("True", "False", "0", "1"), None: ("0", "1", "2", "-1", "3", "True")}
FLOAT_SCALARS = ("0", "1", "2", "-1", "0.5", "-2.5", "1.5", "-0.0", "True")


class Maker(Protocol):
    """What draws: the pool of tensors, and what was chosen so far for the statement at hand."""

    dim: int
    index: str
    near: str
    x: str

    def number(self, low: int, high: int) -> int: ...
    def pick(self, options: Sequence[Any]) -> Any: ...
    def odds(self, one_in: int) -> bool: ...
    def tensor(self, name: str) -> torch.Tensor: ...
    def names(self) -> list[str]: ...
    def value(self, text: str) -> Any: ...
    def shares(self, name: str, other: str) -> bool: ...
    def castable(self, name: str, dtype: torch.dtype) -> bool: ...
    def exact(self, name: str) -> bool: ...


Part = Callable[[Maker, torch.Tensor], str]
PARTS: dict[str, Part] = {}


def part(name: str) -> Callable[[Part], Part]:
    def add(function: Part) -> Part:
        PARTS[name] = function
        return function

    return add


def _tuple(numbers: Sequence[int]) -> str:
    return repr(tuple(numbers))


def _indices(numbers: Sequence[int]) -> str:
    return f"torch.tensor({list(numbers)}, dtype=torch.int64, device=device)"


# Other tensors.


def _broadcasts(tensor: torch.Tensor, shape: Sequence[int]) -> bool:
    sizes = tensor.shape
    return len(sizes) <= len(shape) and all(a in (1, b) for a, b in zip(reversed(sizes), reversed(shape), strict=False))


@part("y")
def _other(g: Maker, x: torch.Tensor) -> str:
    if not g.odds(12):
        fits = [name for name in g.names() if _broadcasts(g.tensor(name), x.shape) and (g.odds(8) or g.castable(name, x.dtype))]
        if fits:
            return g.pick(fits)
    return g.pick(g.names())


@part("z")
def _any_other(g: Maker, x: torch.Tensor) -> str:
    return g.pick(g.names())


@part("near")
def _overlapping(g: Maker, x: torch.Tensor) -> str:
    """Something in the same memory."""
    own = [
        f"{g.x}.flip(0)",
        f"{g.x}.detach()",
        f"{g.x}[:1]",
        f"{g.x}[-1:]",
        f"{g.x}.t()",
        f"{g.x}.transpose(0, -1)",
        f"{g.x}.flatten()[1]",
        f"{g.x}.view({g.x}.shape)",
    ]
    names = [name for name in g.names() if g.shares(name, g.x)]
    g.near = g.pick(own) if g.odds(2) else g.pick(names)
    return g.near


@part("fitting")
def _for_index(g: Maker, x: torch.Tensor) -> str:
    """A value for what the last index takes."""
    try:
        shape = tuple(g.value(f"{g.x}.detach()[{g.index}]").shape)
    except (RuntimeError, IndexError, TypeError, ValueError):
        return g.pick(g.names())
    fits = [name for name in g.names() if _broadcasts(g.tensor(name), shape) and g.castable(name, x.dtype) and not g.shares(name, g.x)]
    if fits and not g.odds(4):
        return g.pick(fits)
    return f"ramp({shape}, {x.dtype}, device, {g.number(0, 9)})"


@part("mask")
def _mask(g: Maker, x: torch.Tensor) -> str:
    masks = [name for name in g.names() if g.tensor(name).dtype == torch.bool and _broadcasts(g.tensor(name), x.shape)]
    if masks and g.odds(2):
        return g.pick(masks)
    if g.odds(2) and not x.is_complex() and g.exact(g.x):
        return f"({g.x} > 0)"
    return f"ramp({tuple(x.shape)}, torch.bool, device, {g.number(0, 9)})"


# Numbers.


@part("scalar")
def _scalar(g: Maker, x: torch.Tensor) -> str:
    if x.is_floating_point() or x.is_complex() or g.odds(10):
        return g.pick(FLOAT_SCALARS)
    return g.pick(SCALARS.get(x.dtype, SCALARS[None]))


@part("dim")
def _dim(g: Maker, x: torch.Tensor) -> str:
    g.dim = g.number(-x.dim(), x.dim() - 1) if x.dim() and not g.odds(30) else x.dim()
    return str(g.dim)


@part("dim0")
def _first_dim(g: Maker, x: torch.Tensor) -> str:
    g.dim = 0
    return "0"


def _size(g: Maker, x: torch.Tensor) -> int:
    return x.shape[g.dim] if -x.dim() <= g.dim < x.dim() else 1


@part("place")
def _place(g: Maker, x: torch.Tensor) -> str:
    size = _size(g, x)
    return str(g.number(-size, size - 1) if size and not g.odds(20) else size)


@part("length")
def _length(g: Maker, x: torch.Tensor) -> str:
    return str(g.number(1, max(_size(g, x), 1)))


def _fixed(*options: str) -> Part:
    return lambda g, x: g.pick(options)


PARTS["few"] = _fixed("0", "-1")
PARTS["step"] = _fixed("1", "2", "3")
PARTS["small"] = PARTS["offset"] = _fixed("-1", "0", "1")
PARTS["fits"] = _fixed("...", ":", "0")


@part("new_dim")
def _new_dim(g: Maker, x: torch.Tensor) -> str:
    return str(g.number(-x.dim() - 1, x.dim()))


@part("dtype")
def _dtype(g: Maker, x: torch.Tensor) -> str:
    return str(g.pick([dtype for dtype in DTYPES if g.castable(g.x, dtype)] or [x.dtype]))


@part("bits")
def _bits(g: Maker, x: torch.Tensor) -> str:
    """Never bool, whose bytes must be 0 or 1."""
    if x.dtype == torch.bool:
        return "torch.bool"
    return str(g.pick([dtype for dtype in DTYPES if dtype != torch.bool]))


# Shapes.


@part("order")
def _order(g: Maker, x: torch.Tensor) -> str:
    left, order = list(range(x.dim())), []
    while left:
        order.append(left.pop(g.number(0, len(left) - 1)))
    return _tuple(order)


def _factorizations(n: int) -> Iterator[tuple[int, ...]]:
    yield from ((n,), (-1,), (1, n), (n, 1))
    for a in range(2, n):
        if n % a == 0:
            yield from ((a, n // a), (a, -1), (a, 1, n // a))
            yield from ((a, b, n // a // b) for b in range(2, n // a) if n // a % b == 0)


@part("shape")
def _shape(g: Maker, x: torch.Tensor) -> str:
    n = x.numel() if not g.odds(20) else x.numel() + 1
    return _tuple(g.pick([*_factorizations(n), tuple(x.shape)[::-1]]))


@part("sizes")
def _sizes(g: Maker, x: torch.Tensor) -> str:
    """Without the -1 that resize_ takes for a size."""
    return _tuple(g.pick([tuple(x.shape)[::-1], *(shape for shape in _factorizations(x.numel()) if -1 not in shape)]))


@part("larger")
def _larger(g: Maker, x: torch.Tensor) -> str:
    return g.pick(("(2, 3)", "(3,)", "(5, 4)", "(2, 2, 2)", "()", "(0, 3)", "(3, 4)", "(30,)"))


@part("stored")
def _stored(g: Maker, x: torch.Tensor) -> str:
    """How many elements after the tensor's first one its memory has."""
    return str(max(x.untyped_storage().nbytes() // x.element_size() - x.storage_offset(), 0))


@part("wide")
def _wide(g: Maker, x: torch.Tensor) -> str:
    sizes = [g.pick((1, 2, 3)) if size == 1 else size for size in x.shape]
    return _tuple([*([2] if g.odds(3) else []), *sizes])


def _windows(g: Maker, x: torch.Tensor) -> tuple[list[int], list[int], int]:
    total = x.untyped_storage().nbytes() // x.element_size()
    sizes, strides, last = [], [], 0
    for _ in range(g.number(0, 3)):
        size, stride = g.pick((1, 2, 3, 4)), g.pick((1, 1, 2, 3, 4, 5, 6, 0))
        if last + (size - 1) * stride < total:
            last += (size - 1) * stride
            sizes.append(size)
            strides.append(stride)
    return sizes, strides, g.number(0, max(total - last - 1, 0))


@part("window")
def _window(g: Maker, x: torch.Tensor) -> str:
    sizes, strides, offset = _windows(g, x)
    offset += g.odds(20)
    return f"{_tuple(sizes)}, {_tuple(strides)}, {offset}" if not g.odds(5) else f"{_tuple(sizes)}, {_tuple(strides)}"


@part("storage_window")
def _storage_window(g: Maker, x: torch.Tensor) -> str:
    """Inside the storage, which would grow, by memory that nothing was written to."""
    if x.untyped_storage().nbytes() == 0:
        return "0, (0,), (1,)"
    sizes, strides, offset = _windows(g, x)
    return f"{offset}, {_tuple(sizes)}, {_tuple(strides)}"


# Indices.


def _start(g: Maker, size: int) -> str:
    return str(g.number(-size - 1, size + 1)) if g.odds(2) else ""


def _slice(g: Maker, size: int) -> str:
    return f"{_start(g, size)}:{_start(g, size)}" + (f":{g.number(1, 3)}" if g.odds(3) else "")


def _basic_item(g: Maker, size: int) -> str:
    return str(g.number(-size, size - 1)) if size and g.odds(3) else _slice(g, size)


def _items(g: Maker, x: torch.Tensor, item: Callable[[int], str]) -> list[str]:
    """Items for the first or (after an ellipsis) the last dimensions, with new ones between."""
    count = g.number(0, x.dim()) if not g.odds(30) else x.dim() + 1
    sizes = [*x.shape, 1]
    last = g.odds(4)
    items = [item(size) for size in (sizes[x.dim() - count : x.dim()] if last and count <= x.dim() else sizes[:count])]
    if last:
        items.insert(0, "...")
    if g.odds(4):
        items.insert(g.number(0, len(items)), "None")
    return items


@part("basic")
def _basic(g: Maker, x: torch.Tensor) -> str:
    g.index = ", ".join(_items(g, x, lambda size: _basic_item(g, size))) or "..."
    return g.index


@part("advanced")
def _advanced(g: Maker, x: torch.Tensor) -> str:
    """No place twice: which of two values a write leaves there is not said."""
    taken: list[str] = []

    def item(size: int) -> str:
        if size == 0 or (taken and g.odds(2)):
            return _basic_item(g, size)
        taken.append("index")
        if g.odds(4):
            return f"torch.tensor({[g.odds(2) for _ in range(size)]}, device=device)"
        if size == 1:
            return _indices([g.pick((0, -1))])
        first = g.number(0, size - 2)
        second = g.number(first + 1, size - 1)
        places = [first, second - size] if g.odds(2) else [second, first]
        return _indices(places) if g.odds(2) else str(places)

    g.index = ", ".join(_items(g, x, item)) or "True"
    return g.index


@part("places")
def _places(g: Maker, x: torch.Tensor) -> str:
    size = _size(g, x)
    return _indices([g.number(0, size - 1) for _ in range(g.number(0, 3))] if size else [])


@part("place0")
def _place_first(g: Maker, x: torch.Tensor) -> str:
    return _indices([g.number(0, x.shape[0] - 1)] if x.dim() and x.shape[0] else [])


@part("places0")
def _places_first(g: Maker, x: torch.Tensor) -> str:
    return _indices(sorted({g.number(0, x.shape[0] - 1) for _ in range(2)}) if x.dim() and x.shape[0] else [])


PARTS["places0_d"] = _places_first


@part("gather")
def _gather(g: Maker, x: torch.Tensor) -> str:
    smallest = max(min(x.shape, default=1), 1)
    return f"(ramp({tuple(x.shape)}, torch.int64, device, {g.number(0, 9)}).abs() % {smallest})"
