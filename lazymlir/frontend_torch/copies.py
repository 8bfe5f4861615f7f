"""Kernels that make, move and re-describe tensors: factories of empty tensors, copies, views, set_ and resize_."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Any

import torch

from lazymlir.core.trace import Signature
from lazymlir.core.values import Layout, Value, contiguous_strides, layout_of, reach
from lazymlir.dialect import TensorType

from .bytes import rehome
from .dtypes import dtype_name
from .overlap import require_apart
from .storage import LazyStorage
from .tensors import (
    DEVICE_NAME,
    META,
    buffer_of,
    host_array,
    is_lazy,
    new_tensor,
    put,
    read,
    record,
    set_geometry,
    to_host,
    uninitialized,
    write,
)

__all__ = ["KERNELS", "cast_value"]

_aten = torch.ops.aten
Sizes = tuple[int, ...]


def require_only_device(device: torch.device | None) -> None:
    """There is one device; torch itself does not look at the index."""
    if device is not None and device.type == DEVICE_NAME and device.index not in (None, 0):
        raise RuntimeError(f"invalid device {device}: there is only {DEVICE_NAME}:0")


def _unsupported_layout(layout: torch.layout | None) -> None:
    if layout not in (None, torch.strided):
        raise NotImplementedError(f"device lazymlir has strided tensors only, not {layout}")


# Factories.


def empty(size: Any, *, dtype: Any = None, layout: Any = None, device: Any = None, pin_memory: Any = None, memory_format: Any = None) -> torch.Tensor:
    require_only_device(device)
    _unsupported_layout(layout)
    dtype = dtype or torch.get_default_dtype()
    sizes = tuple(size)
    if any(n < 0 for n in sizes):
        raise RuntimeError(f"Trying to create tensor with negative dimension {min(sizes)}: {list(sizes)}")
    strides = None
    if memory_format not in (None, torch.contiguous_format, torch.preserve_format):
        strides = torch.empty(sizes, device="meta", memory_format=memory_format).stride()
    return new_tensor(sizes, dtype, strides, uninitialized(TensorType(sizes, dtype_name(dtype))))


def empty_strided(size: Any, stride: Any, *, dtype: Any = None, layout: Any = None, device: Any = None, pin_memory: Any = None) -> torch.Tensor:
    require_only_device(device)
    _unsupported_layout(layout)
    dtype = dtype or torch.get_default_dtype()
    sizes = tuple(size)
    return new_tensor(sizes, dtype, tuple(stride), uninitialized(TensorType(sizes, dtype_name(dtype))))


def efficient_zeros(size: Any, **kwargs: Any) -> torch.Tensor:
    """Forward-mode autograd's zero tensors are ordinary zeros here."""
    return empty(size, **kwargs).zero_()


def _room(x: torch.Tensor) -> int:
    """How many elements of its type the memory of `x` holds: the storage itself says 0."""
    return buffer_of(x).home.type.nbytes // x.element_size()


def zeros_in_equal_memory(x: torch.Tensor, other: torch.Tensor, *, self_num_batch_dims: int = 0) -> torch.Tensor:
    """Zeros with the geometry of `other`, over as much memory, for each element of the first dimensions of `x`: what
    forward-mode autograd copies the tangent of a view into."""
    lead = tuple(x.shape[:self_num_batch_dims])
    memory = empty((*lead, _room(other)), dtype=other.dtype, device=other.device).zero_()
    return memory.as_strided((*lead, *other.shape), (*memory.stride()[:-1], *other.stride()), other.storage_offset())


def have_equal_memory(x: torch.Tensor, other: torch.Tensor) -> bool:
    return _room(x) == _room(other)


# Copies.

_cast_signatures: dict[tuple[TensorType, TensorType], Signature] = {}


def cast_value(value: Value, wanted: TensorType) -> Value:
    """`value` converted and broadcast; nothing is recorded where it has that type already."""
    if value.type == wanted:
        return value
    key = (value.type, wanted)
    found = _cast_signatures.get(key)
    if found is None:

        def emit(b: Any, operands: Any, scalars: Any) -> Any:
            return [b.expand(b.cast(operands[0], wanted.dtype), wanted.shape)]

        found = _cast_signatures[key] = Signature("copy", emit, [value.type], [], [wanted])
    return record(found, (value,))[0]


def resolved(x: torch.Tensor) -> torch.Tensor:
    """`x` without a lazy conjugate or negative bit: what its buffer holds is then what it means."""
    if x.is_conj():
        x = torch.conj_physical(x.conj())
    return torch.neg(x._neg_view()) if x.is_neg() else x


def conj_physical_(x: torch.Tensor) -> torch.Tensor:
    """Conjugates what the memory holds: then what a lazy bit makes of it is conjugated too."""
    plain = x.conj() if x.is_conj() else x
    if x.is_complex():
        write(plain, read(torch.conj_physical(plain))[0], changes=True)
    return x


def copy_from(source: torch.Tensor, target: torch.Tensor, non_blocking: bool = False) -> torch.Tensor:
    """`target.copy_(source)`, across devices too."""
    if not isinstance(source, torch.Tensor):  # a number, which torch hands to kernels unwrapped
        source = torch.tensor(source)
    if _is_same(source, target):
        return target
    if target.is_conj() or target.is_neg():
        source = source.to(target.dtype)  # a number that has no imaginary part yet gets the conjugate's, -0.0
        source, plain = (source.conj(), target.conj()) if target.is_conj() else (source._neg_view(), target._neg_view())
        copy_from(source, plain, non_blocking)
        return target
    if not is_lazy(target):
        with torch.no_grad():
            target.copy_(_host_copy(source))
        return target
    wanted = TensorType(tuple(target.shape), dtype_name(target.dtype))
    if source.shape != target.shape:  # torch's error where the shapes do not go together
        _on_meta(target.shape).copy_(_on_meta(source.shape))
    # Of the assignment x[...] = element, which torch does by filling on the CPU, here comes a copy of the expanded element.
    element = (
        target.dim() > 0
        and source.shape == target.shape
        and not any(stride for size, stride in zip(source.shape, source.stride(), strict=True) if size > 1)
    )
    require_apart(_aten.copy_.default, target, (target, _ELEMENT if element else source), {})
    if is_lazy(source):
        value = cast_value(read(resolved(source))[0], wanted)
    elif source.device.type == "cpu":
        value = put(source, target.dtype, tuple(target.shape))
    else:
        raise NotImplementedError(f"no copy from {source.device} to {target.device}: go through the CPU")
    write(target, value)
    return target


def _is_same(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether both show the same memory in the same way."""
    return (
        is_set_to(one, other)
        and one.dtype == other.dtype
        and (one.device, one.is_conj(), one.is_neg()) == (other.device, other.is_conj(), other.is_neg())
    )


_ELEMENT = torch.zeros(())


def _on_meta(shape: Any) -> torch.Tensor:
    return torch.empty(shape, device="meta")


def _host_copy(source: torch.Tensor) -> torch.Tensor:
    host = to_host(source)
    if source.is_conj():
        host = host.conj()
    return host._neg_view() if source.is_neg() else host


def copy_from_and_resize(source: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    target.resize_(source.shape)
    return copy_from(source, target)


def clone(x: torch.Tensor, *, memory_format: Any = None) -> torch.Tensor:
    """A new buffer that holds the same value: nothing is recorded."""
    value, layout = read(resolved(x))
    if memory_format in (None, torch.preserve_format):
        strides = layout.strides if layout.dense else torch.empty_like(torch.empty_strided(layout.sizes, layout.strides, device="meta")).stride()
    else:
        strides = torch.empty(layout.sizes, device="meta", memory_format=memory_format).stride()
    return new_tensor(layout.sizes, x.dtype, strides, value)


def to_copy(
    x: torch.Tensor,
    *,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    pin_memory: Any = None,
    non_blocking: bool = False,
    memory_format: Any = None,
) -> torch.Tensor:
    require_only_device(device)
    dtype = dtype or x.dtype
    if device is not None and device.type == "cpu":
        host = _host_copy(x).to(dtype=dtype)
        return _in_format(host, x.stride(), memory_format)
    if is_lazy(x):
        value, known = read(resolved(x))
        copied = cast_value(value, TensorType(known.sizes, dtype_name(dtype)))
        meta = torch.empty_strided(known.sizes, known.strides, device="meta")
        return new_tensor(known.sizes, dtype, torch.empty_like(meta, memory_format=memory_format).stride(), copied)
    made = torch.empty_like(x, dtype=dtype, device=device or x.device, memory_format=memory_format or torch.preserve_format)
    return made.copy_(x)


def _in_format(host: torch.Tensor, strides: Sizes, memory_format: Any) -> torch.Tensor:
    """A contiguous tensor with the strides that torch gives a copy of one with these strides."""
    if memory_format is None and tuple(strides) == host.stride():
        return host
    alike = torch.empty_strided(host.shape, strides, dtype=host.dtype)  # on the CPU: the meta device's strides of single elements differ
    made = torch.empty_like(alike, memory_format=memory_format or torch.preserve_format)
    return host if made.stride() == host.stride() else made.copy_(host)


def local_scalar(x: torch.Tensor) -> Any:
    """The one element of `x` as a Python number; a barrier if it is pending."""
    return host_array(read(x)[0]).item()


# Views: torch's own Meta kernels find geometry; nothing is recorded until the view is read.


def _through_meta(name: str) -> Any:
    base, _, overload = name.partition(".")
    return partial(getattr(getattr(_aten, base), overload or "default").redispatch, META)


def _require_inside(nbytes: int, itemsize: int, size: Sizes, stride: Sizes, offset: int) -> None:
    """torch's error for a window that reaches beyond its storage; that of the meta device has no bytes to reach beyond."""
    needed = reach(size, stride, offset) * itemsize
    if needed > nbytes:
        raise RuntimeError(
            f"setStorage: sizes {list(size)}, strides {list(stride)}, storage offset {offset}, and itemsize {itemsize} requiring a storage "
            f"size of {needed} are out of bounds for storage of size {nbytes}"
        )


_as_strided = _through_meta("as_strided")


@lru_cache(maxsize=1 << 12)
def _require_inside_home(home: Layout, itemsize: int, size: Sizes, stride: Sizes, offset: int) -> None:
    """As `_require_inside`, for a buffer: what is inside once always is."""
    _require_inside(home.type.nbytes, itemsize, size, stride, offset)


def as_strided(x: torch.Tensor, size: Any, stride: Any, storage_offset: int | None = None) -> torch.Tensor:
    made = _as_strided(x, size, stride, storage_offset)
    _require_inside_home(buffer_of(x).home, x.element_size(), tuple(size), tuple(stride), made.storage_offset())
    return made


def as_strided_(x: torch.Tensor, size: Any, stride: Any, storage_offset: int | None = None) -> torch.Tensor:
    offset = int(x.storage_offset()) if storage_offset is None else storage_offset
    _require_inside_home(buffer_of(x).home, x.element_size(), tuple(size), tuple(stride), offset)
    return set_geometry(x, size, stride, offset)


def set_storage(x: torch.Tensor, source: Any, storage_offset: int, size: Any, stride: Any = ()) -> torch.Tensor:
    size = tuple(size)
    stride = tuple(stride) or contiguous_strides(size)
    if size == tuple(x.shape) and stride == x.stride():  # torch lets the storage grow where the geometry changes, only there
        _require_inside(source.nbytes(), x.element_size(), size, stride, storage_offset)
    _grow(source, x.dtype, reach(size, stride, storage_offset))
    if isinstance(source, LazyStorage) and storage_offset == 0:
        rehome(source, x.dtype, size, stride)
    return _aten.set_.source_Storage_storage_offset.redispatch(META, x, source, storage_offset, size, stride)


def set_whole_storage(x: torch.Tensor, source: Any) -> torch.Tensor:
    return set_storage(x, source, 0, (source.nbytes() // x.element_size(),))


def set_nothing(x: torch.Tensor) -> torch.Tensor:
    return _aten.set_.source_Tensor.redispatch(META, x, empty((0,), dtype=x.dtype))


def is_set_to(x: torch.Tensor, y: torch.Tensor) -> bool:
    same_storage = x.untyped_storage()._cdata == y.untyped_storage()._cdata
    return same_storage and x.shape == y.shape and x.stride() == y.stride() and x.storage_offset() == y.storage_offset()


def resize_(x: torch.Tensor, size: Any, *, memory_format: Any = None) -> torch.Tensor:
    """Changes the shape in place; a storage that is too small grows and keeps its elements."""
    sizes = tuple(size)
    strides = contiguous_strides(sizes)
    if memory_format not in (None, torch.contiguous_format, torch.preserve_format):
        strides = torch.empty(sizes, device="meta", memory_format=memory_format).stride()
    if tuple(x.shape) == sizes and memory_format is None:
        return x
    buffer_of(x)  # makes one where there is none
    offset = int(x.storage_offset())
    storage: Any = x.untyped_storage()
    _grow(storage, x.dtype, reach(sizes, strides, offset), sizes if offset == 0 else None)
    return set_geometry(x, sizes, strides, offset)


def _grow(storage: LazyStorage, dtype: torch.dtype, needed: int, sizes: Sizes | None = None) -> None:
    """Makes room for so many elements of `dtype`, and keeps what is there. A storage that was empty becomes home to a
    tensor of these sizes."""
    nbytes = storage.nbytes()
    if needed * dtype.itemsize <= nbytes:
        return
    buffer = storage._lazymlir
    if nbytes == 0:
        sizes = (needed,) if sizes is None else sizes
        buffer.home = layout_of(dtype_name(dtype), sizes, contiguous_strides(sizes))
        buffer.value = uninitialized(buffer.home.type)
        return
    unit = dtype if nbytes % dtype.itemsize == 0 else torch.uint8
    old = set_geometry(empty((0,), dtype=unit), (nbytes // unit.itemsize,), (1,), 0, storage)
    grown = empty((needed * dtype.itemsize // unit.itemsize,), dtype=unit)
    grown[: old.numel()].copy_(old)
    buffer.value, buffer.home = read(grown)


def record_stream(x: torch.Tensor, stream: Any) -> None:
    """Nothing to do: XLA orders programs by their data."""


KERNELS = {
    "empty.memory_format": empty,
    "empty_strided": empty_strided,
    "_efficientzerotensor": efficient_zeros,
    "_new_zeros_with_same_feature_meta": zeros_in_equal_memory,
    "_has_same_storage_numel": have_equal_memory,
    "_copy_from": copy_from,
    "conj_physical_": conj_physical_,
    "_copy_from_and_resize": copy_from_and_resize,
    "clone": clone,
    "_to_copy": to_copy,
    "_local_scalar_dense": local_scalar,
    **{name: _through_meta(name) for name in ("view", "_reshape_alias", "view.dtype", "unfold", "view_as_real", "view_as_complex")},
    "as_strided": as_strided,
    "as_strided_": as_strided_,
    "set_.source_Storage_storage_offset": set_storage,
    "set_.source_Storage": set_whole_storage,
    "set_.source_Tensor": _through_meta("set_.source_Tensor"),
    "set_": set_nothing,
    "is_set_to": is_set_to,
    "resize_": resize_,
    "record_stream": record_stream,
}
"""PrivateUse1 kernels by overload."""
