"""Values and buffers: what a tensor holds (LazyTensor paper, sections on in-place operations and views)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lazymlir.dialect.shape import may_overlap
from lazymlir.dialect.types import TensorType

if TYPE_CHECKING:
    from .outcome import Outcome
    from .parts import Parts
    from .trace import Signature, Trace

__all__ = ["Buffer", "Layout", "Value", "contiguous_strides", "layout_of", "reach", "repeats"]


class Value:
    """An immutable tensor value: present (`array` is a device array) or pending (result `index` of `trace`).

    A trace keeps its values by weak reference only, so a pending value is alive exactly as long as some buffer holds it:
    what is alive at a barrier is what the program must return, and nothing else is computed.
    A present value that a trace uses is its leaf number `~index`. `error` is what a read raises if the value was lost.
    `source` is the signature of an operation without operands that is recorded only when something uses the value; so is the
    concatenation of `parts`.
    `outcome` is that of the program that computed the value, if it has checks that nobody has looked at.
    """

    __slots__ = ("__dict__", "__weakref__", "array", "index", "trace", "type")
    # Of few values only: those have a dictionary for it.
    error: BaseException | None = None
    source: Signature | None = None
    parts: Parts | None = None
    outcome: Outcome | None = None

    def __init__(self, type_: TensorType, array: Any = None, trace: Trace | None = None, index: int = 0) -> None:
        self.type = type_
        self.array = array
        self.trace = trace
        self.index = index

    @property
    def in_parts(self) -> Parts | None:
        """What it is joined of, if that is not yet recorded."""
        return self.parts if self.array is None and self.trace is None else None

    @property
    def recorded_later(self) -> tuple[Signature, tuple[Value, ...]] | None:
        """The operation that makes the value, and its operands, if it is recorded only when something uses the value."""
        if self.parts is not None:
            return self.parts.signature, self.parts.values
        return None if self.source is None else (self.source, ())

    def lose(self, error: BaseException) -> None:
        """The value is lost: whatever uses it raises `error`."""
        self.error = error
        self.array = self.trace = self.outcome = self.parts = None


class Layout:
    """A dtype with sizes and strides (in elements), interned: equal layouts are one object, compared by identity."""

    __slots__ = ("dense", "dtype", "overlaps", "sizes", "strides", "type")

    def __init__(self, dtype: str, sizes: tuple[int, ...], strides: tuple[int, ...]) -> None:
        self.dtype = dtype
        self.sizes = sizes
        self.strides = strides
        self.type = TensorType(sizes, dtype)
        self.dense = _is_dense(sizes, strides)
        self.overlaps = may_overlap(sizes, strides)

    def __repr__(self) -> str:
        return f"{self.type} strides {self.strides}"


def contiguous_strides(sizes: tuple[int, ...]) -> tuple[int, ...]:
    """Row-major strides as torch counts them (a dimension of size 0 counts as 1)."""
    strides, stride = [], 1
    for size in reversed(sizes):
        strides.append(stride)
        stride *= max(size, 1)
    return tuple(reversed(strides))


def _is_dense(sizes: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    """Whether the elements fill their memory without gap or overlap, in some order of dimensions."""
    if 0 in sizes:
        return True
    expected = 1
    for stride, size in sorted((stride, size) for stride, size in zip(strides, sizes, strict=True) if size != 1):
        if stride != expected:
            return False
        expected *= size
    return True


def reach(sizes: tuple[int, ...], strides: tuple[int, ...], offset: int = 0) -> int:
    """How many elements a buffer has that a window just fits into."""
    return 0 if 0 in sizes else offset + 1 + sum((size - 1) * stride for size, stride in zip(sizes, strides, strict=True))


def repeats(sizes: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    """Whether a window is expanded: shows an element more than once in one of its dimensions."""
    return 0 in strides and any(stride == 0 and size > 1 for size, stride in zip(sizes, strides, strict=True))


_layouts: dict[tuple[str, tuple[int, ...], tuple[int, ...]], Layout] = {}


def layout_of(dtype: str, sizes: tuple[int, ...], strides: tuple[int, ...]) -> Layout:
    """The one Layout with these contents."""
    key = (dtype, sizes, strides)
    found = _layouts.get(key)
    if found is None:
        found = _layouts.setdefault(key, Layout(dtype, tuple(sizes), tuple(strides)))
    return found


class Buffer:
    """The mutable cell behind one storage. `value` has the shape of `home`, whose strides say where each element lies.

    Every tensor over the storage whose geometry is home reads the value; any other reads it through a view chain.
    """

    __slots__ = ("__weakref__", "home", "value")

    def __init__(self, value: Value, home: Layout) -> None:
        self.value = value
        self.home = home
