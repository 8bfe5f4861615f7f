"""A compiled program: how to bind a step's arrays and numbers to its arguments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import itemgetter
from typing import Any, Protocol

import ml_dtypes
import numpy as np
from jax._src.core import ShapedArray

from lazymlir.errors import OutOfMemoryError

from .client import Client

__all__ = ["Executable", "Program", "numpy_dtype"]

_NUMPY = {
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
    "f64": np.float64,
    "complex<f32>": np.complex64,
    "complex<f64>": np.complex128,
    "i1": np.bool_,
    **{f"i{bits}": getattr(np, f"int{bits}") for bits in (8, 16, 32, 64)},
    **{f"ui{bits}": getattr(np, f"uint{bits}") for bits in (8, 16, 32, 64)},
}


def numpy_dtype(dtype: str) -> np.dtype:
    return np.dtype(_NUMPY[dtype])


@dataclass(frozen=True)
class Executable:
    """A loaded XLA executable: what the second cache level keeps."""

    client: Client
    loaded: Any
    results: int
    handlers: list[Any] = field(default_factory=list)

    @cached_property
    def needed(self) -> int:
        """Bytes that a run allocates: results that reuse no argument, and temporaries."""
        stats = self.loaded.get_compiled_memory_stats()
        return stats.output_size_in_bytes - stats.alias_size_in_bytes + stats.temp_size_in_bytes

    @cached_property
    def fits(self) -> bool:
        return self.needed <= self.client.memory

    def run(self, arguments: Sequence[Any]) -> list[Any]:
        """Starts it and returns an array for each result, without waiting for them. OutOfMemoryError, and nothing donated,
        where the device is too small for it."""
        if not self.fits:
            raise OutOfMemoryError(f"a program needs {self.needed} bytes, and the device has {self.client.memory}")
        return self.client.execute(self.loaded, arguments, self.results, self.handlers)


class Runs(Protocol):
    """What a program needs of an executable."""

    @property
    def client(self) -> Client: ...

    def run(self, arguments: Sequence[Any]) -> list[Any]: ...


class _Vector:
    """One packed vector of scalars. The array stays on the device until they change: no program donates it."""

    def __init__(self, slots: Sequence[int], dtype: str) -> None:
        self._pick: Any = itemgetter(*slots) if len(slots) > 1 else (lambda numbers, slot=slots[0]: (numbers[slot],))
        self._dtype = numpy_dtype(dtype)
        self._shaped = ShapedArray((len(slots),), self._dtype)
        self._bytes = b""
        self._array: Any = None

    def put(self, client: Client, slots: Sequence[Any]) -> Any:
        packed = np.array(self._pick(slots), self._dtype)
        raw = packed.tobytes()
        if raw != self._bytes:
            self._array, self._bytes = client.put(packed, self._shaped), raw
        return self._array


class Program:
    """An executable bound to a trace: `leaves` are its array arguments by leaf number, `vectors` the slots (and element
    type) of each packed vector that follows them. Slots -1, -2, ... are `numbers` of the graph's own."""

    def __init__(self, executable: Runs, leaves: Sequence[int], vectors: Sequence[tuple[str, Sequence[int]]], numbers: Sequence[int] = ()) -> None:
        self.executable = executable
        self.leaves = list(leaves)
        self._vectors = [_Vector(slots, dtype) for dtype, slots in vectors]
        self._numbers = numbers[::-1]

    def run(self, leaves: Sequence[Any], slots: Sequence[Any]) -> list[Any]:
        """As `Executable.run`, with this step's leaves and scalars."""
        client = self.executable.client
        arguments = [leaves[leaf] for leaf in self.leaves]
        if self._numbers:
            slots = [*slots, *self._numbers]
        for vector in self._vectors:
            arguments.append(vector.put(client, slots))
        return self.executable.run(arguments)
