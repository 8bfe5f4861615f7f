"""Storages as raw bytes: what saving, loading and deep copies move."""

from __future__ import annotations

from typing import Any

import torch

from lazymlir.core.values import Buffer, layout_of
from lazymlir.dialect.types import itemsize

from .dtypes import NAME_OF, TORCH_OF
from .storage import LazyStorage
from .tensors import _create, _storage_of, attach, host_array, put

__all__ = ["rehome", "resize", "storage_bytes", "storage_from_bytes", "write_bytes"]


def _memory_order(sizes: tuple[int, ...], strides: tuple[int, ...]) -> list[int]:
    return sorted(range(len(sizes)), key=lambda dim: (sizes[dim] == 1, -strides[dim]))


def storage_bytes(storage: LazyStorage) -> torch.UntypedStorage:
    """A CPU storage with the buffer's bytes in the order of memory."""
    buffer = storage._lazymlir
    array = host_array(buffer.value)
    array = array.transpose(_memory_order(buffer.home.sizes, buffer.home.strides)).copy()
    return torch.frombuffer(bytearray(array.tobytes()), dtype=torch.uint8).untyped_storage() if array.nbytes else torch.UntypedStorage(0)


def _flat(raw: torch.UntypedStorage, dtype: torch.dtype) -> torch.Tensor:
    count = raw.nbytes() // itemsize(NAME_OF[dtype])
    return torch.empty(0, dtype=dtype).set_(raw, 0, (count,), (1,))


def storage_from_bytes(raw: torch.UntypedStorage) -> LazyStorage:
    """A storage of the device with a copy of a CPU storage's bytes; its buffer takes a dtype from the first tensor."""
    storage: Any = _storage_of(_create((0,), torch.uint8))
    attach(storage, Buffer(put(_flat(raw, torch.uint8)), layout_of("ui8", (raw.nbytes(),), (1,))))
    return storage


def write_bytes(storage: LazyStorage, raw: torch.UntypedStorage) -> None:
    """Replaces the buffer's contents; its layout stays."""
    home = storage._lazymlir.home
    typed = torch.empty(0, dtype=TORCH_OF[home.dtype]).set_(raw, 0, home.sizes, home.strides)
    storage._lazymlir.value = put(typed)


def resize(storage: LazyStorage, nbytes: int) -> None:
    """Makes a storage longer, by zeros, or shorter."""
    buffer = storage._lazymlir
    resized = torch.zeros(nbytes, dtype=torch.uint8)
    kept = min(nbytes, storage.nbytes())
    resized[:kept] = _flat(storage_bytes(storage), torch.uint8)[:kept]
    buffer.value, buffer.home = put(resized), layout_of("ui8", (nbytes,), (1,))


def rehome(storage: LazyStorage, dtype: torch.dtype, sizes: tuple[int, ...], strides: tuple[int, ...]) -> None:
    """Gives a buffer that came as bytes the layout of the first tensor over the whole of it."""
    buffer = storage._lazymlir
    layout = layout_of(NAME_OF[dtype], sizes, strides)
    if buffer.value.array is None or buffer.home.dtype != "ui8" or len(buffer.home.sizes) != 1 or layout.dtype == "ui8":
        return
    if not layout.dense or layout.type.nbytes != storage.nbytes():
        if storage.nbytes() % itemsize(layout.dtype):
            return
        layout = layout_of(layout.dtype, (storage.nbytes() // itemsize(layout.dtype),), (1,))
    raw = storage_bytes(storage)
    buffer.value = put(torch.empty(0, dtype=dtype).set_(raw, 0, layout.sizes, layout.strides))
    buffer.home = layout
