"""Tensors of the device: reading and writing the buffer behind a tensor, and making new tensors.

The payload lives on the storage object, never on the tensor: `.data`, `detach`, `nn.Parameter` and autograd's saved
outputs make new tensor objects over the same storage, and lose whatever hung on the old one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from lazymlir import metrics
from lazymlir.core.engine import engine
from lazymlir.core.replay import capturing
from lazymlir.core.trace import Signature
from lazymlir.core.values import Buffer, Layout, Value, layout_of, reach, repeats
from lazymlir.core.views import View, view_of
from lazymlir.dialect import Builder, Node, TensorType
from lazymlir.dialect.types import is_float, itemsize
from lazymlir.dialect.views import read_chain

from .dtypes import NAME_OF, TORCH_OF, dtype_name
from .growth import shown
from .storage import LazyStorage

__all__ = [
    "DEVICE_NAME", "META", "buffer_of", "from_host", "geometry_of", "is_lazy", "join", "new_like_layout", "new_tensor", "once",
    "read", "record", "set_geometry", "to_host", "write",
]  # fmt: skip

DEVICE_NAME = "lazymlir"
META = torch._C.DispatchKeySet(torch._C.DispatchKey.Meta)

_create = torch._C._acc.create_empty_tensor
_storage_of = torch.Tensor.untyped_storage
_as_strided = torch.ops.aten.as_strided.default.redispatch
_set_ = torch.ops.aten.set_.source_Storage_storage_offset.redispatch


def is_lazy(x: Any) -> bool:
    """Whether `x` is a tensor of this device."""
    return isinstance(x, torch.Tensor) and x.device.type == DEVICE_NAME


def geometry_of(tensor: torch.Tensor) -> tuple[tuple[int, ...], tuple[int, ...], int, str]:
    """Sizes, strides and offset in elements, and the dtype's name: what a tensor shows of its buffer."""
    return tuple(tensor.shape), tensor.stride(), int(tensor.storage_offset()), NAME_OF[tensor.dtype]


def buffer_of(tensor: torch.Tensor) -> Buffer:
    """The buffer behind a tensor of the device."""
    storage = _storage_of(tensor)
    try:
        return storage._lazymlir
    except AttributeError:
        if tensor.numel():
            raise RuntimeError(f"internal error: a tensor of shape {list(tensor.shape)} has no buffer; please report this") from None
        layout = layout_of(NAME_OF[tensor.dtype], (0,), (1,))
        return attach(storage, Buffer(uninitialized(layout.type), layout))


def attach(storage: Any, buffer: Buffer) -> Buffer:
    """Makes `buffer` the payload of a storage."""
    storage.__class__ = LazyStorage
    storage._lazymlir = buffer
    return buffer


# Reading and writing.


def read(tensor: torch.Tensor) -> tuple[Value, Layout]:
    """The value of a tensor, and its layout; records the view operations if it is a view."""
    buffer = buffer_of(tensor)
    home = buffer.home
    sizes, strides, offset, dtype = geometry_of(tensor)
    if offset == 0 and sizes == home.sizes and strides == home.strides and dtype == home.dtype:
        return buffer.value, home
    value = buffer.value
    if value.in_parts is not None and (found := shown(value.in_parts, home, dtype, sizes, strides, offset)):
        value, home, strides, offset = found
    view = view_of(home, dtype, sizes, strides, offset)
    layout = layout_of(dtype, sizes, strides)
    if not view.chain:
        return value, layout
    return record(_read_signature(home.type, view), (value,), view.starts)[0], layout


def join(tensor: torch.Tensor) -> None:
    """Computes what a tensor's buffer holds, if that is in parts."""
    buffer = getattr(_storage_of(tensor), "_lazymlir", None)
    if buffer is not None and buffer.value.in_parts is not None:
        engine.read(buffer.value)


def write(tensor: torch.Tensor, value: Value, changes: bool = False) -> None:
    """Makes `value`, of the tensor's shape and dtype, the tensor's value; every alias sees it. Where the tensor shows an
    element twice, the last one stays; or of `changes`, the last one that is another than before: what an operation left
    alone is not written."""
    buffer = buffer_of(tensor)
    home = buffer.home
    sizes, strides, offset, dtype = geometry_of(tensor)
    if offset == 0 and sizes == home.sizes and strides == home.strides and dtype == home.dtype:
        buffer.value = value
        return
    if 0 in sizes:
        return
    if repeats(sizes, strides):
        raise RuntimeError(
            "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
            "Please clone() the tensor before performing the operation."
        )
    view = view_of(home, dtype, sizes, strides, offset)
    if not view.chain:
        buffer.value = value
        return
    changes = changes and home.dtype == dtype and layout_of(dtype, sizes, strides).overlaps
    signature = _changes_signature(home.type, view) if changes else _write_signature(home.type, view)
    with engine.lock:  # another thread may write another part of the same buffer
        buffer.value = record(signature, (buffer.value, value), view.starts)[0]


def once(tensor: torch.Tensor) -> torch.Tensor:
    """A window onto the same elements in which an expanded dimension has the size 1; `tensor` itself where there is none."""
    strides = tensor.stride()
    if not repeats(tensor.shape, strides):
        return tensor
    sizes = tuple([1 if stride == 0 and size > 1 else size for size, stride in zip(tensor.shape, strides, strict=True)])
    return _as_strided(META, tensor, sizes, strides, tensor.storage_offset())


def record(signature: Signature, operands: Any, slots: Any = ()) -> list[Value]:
    return engine.record(signature, operands, slots)


_signatures: dict[Any, Signature] = {}


def _view_signature(kind: str, base: TensorType, view: View, make: Any) -> Signature:
    key = (kind, base, view.chain, view.type)
    found = _signatures.get(key)
    if found is None:
        found = _signatures[key] = make(base, view)
    return found


def _read_signature(base: TensorType, view: View) -> Signature:
    return _view_signature("view", base, view, _make_read)


def _make_read(base: TensorType, view: View) -> Signature:
    chain = view.chain

    def emit(b: Builder, operands: Any, scalars: Any) -> list[Node]:
        return [read_chain(b, operands[0], chain, scalars)[-1]]

    return Signature("view", emit, [base], ["index"] * len(view.starts), [view.type])


def _write_signature(base: TensorType, view: View) -> Signature:
    return _view_signature("write_view", base, view, _make_write)


def _make_write(base: TensorType, view: View) -> Signature:
    chain = view.chain

    def emit(b: Builder, operands: Any, scalars: Any) -> list[Node]:
        return [b.write_view(*operands, *scalars, chain=chain)]

    return Signature("write_view", emit, [base, view.type], ["index"] * len(view.starts), [base])


def _changes_signature(base: TensorType, view: View) -> Signature:
    return _view_signature("write_changes", base, view, _make_changes)


def _make_changes(base: TensorType, view: View) -> Signature:
    """Each element of the window that changes is put at its place in the flat base; what does not, after its end."""
    chain, places_type = view.chain, base.with_dtype("i64")
    flat = base.with_shape((base.size,))

    def emit(b: Builder, operands: Any, scalars: Any) -> list[Node]:
        x, update = operands
        numbers = b.reshape(b.iota(dim=0, result=flat.with_dtype("i64")), places_type.shape)
        places, before = (read_chain(b, node, chain, scalars)[-1] for node in (numbers, x))
        places = b.where(b.ne(_bits(b, before), _bits(b, update)), places, b.constant(base.size, places.type))
        longer = b.pad(b.reshape(x, flat.shape), b.constant(0, TensorType((), base.dtype)), low=(0,), high=(1,), interior=(0,))
        written = b.index_put(longer, update, places, dims=(0,), kind="set")
        return [b.reshape(b.static_slice(written, 0, 0, base.size), base.shape)]

    return Signature("write_changes", emit, [base, view.type], ["index"] * len(view.starts), [base])


def _bits(b: Builder, x: Node) -> Node:
    """What tells -0.0 from 0.0."""
    return b.bitcast(x, dtype=f"i{8 * itemsize(x.dtype)}") if is_float(x.dtype) else x


def uninitialized(type_: TensorType) -> Value:
    """The value of memory that nothing was written to: zeros, recorded only if something reads it."""
    key = ("empty", type_)
    found = _signatures.get(key)
    if found is None:
        found = _signatures[key] = Signature("empty", lambda b, operands, scalars: [b.constant(0, type_)], [], [], [type_])
    value = Value(type_)
    value.source = found
    return value


# Making tensors.


def new_tensor(sizes: tuple[int, ...], dtype: torch.dtype, strides: tuple[int, ...] | None, value: Value) -> torch.Tensor:
    """A tensor over a new buffer that holds `value`; strides None means contiguous. Strides that are not dense are kept
    on the tensor only: the buffer is then flat."""
    tensor = _create(sizes, dtype)
    storage = _storage_of(tensor)
    own = tensor.stride()
    wanted = own if strides is None else strides
    layout = layout_of(NAME_OF[dtype], tuple(sizes), wanted)
    if not layout.dense:
        return _new_strided(sizes, dtype, wanted, value)
    storage.__class__ = LazyStorage
    storage._lazymlir = Buffer(value, layout)
    if wanted != own:
        return _as_strided(META, tensor, sizes, wanted, 0)
    return tensor


def _new_strided(sizes: tuple[int, ...], dtype: torch.dtype, strides: tuple[int, ...], value: Value) -> torch.Tensor:
    needed = reach(sizes, strides)
    flat = TensorType((needed,), NAME_OF[dtype])
    tensor = new_tensor((needed,), dtype, None, uninitialized(flat))
    tensor = _as_strided(META, tensor, sizes, strides, 0)
    if value.source is None or value.trace is not None:  # of nothing there is nothing to write
        write(tensor, value)
    return tensor


def new_like_layout(layout: Layout, value: Value) -> torch.Tensor:
    """A tensor with the sizes and strides of `layout`."""
    return new_tensor(layout.sizes, TORCH_OF[layout.dtype], layout.strides, value)


def set_geometry(tensor: torch.Tensor, sizes: tuple[int, ...], strides: tuple[int, ...], offset: int, storage: Any = None) -> torch.Tensor:
    """Gives a tensor another geometry, over the same storage or another one."""
    return _set_(META, tensor, _storage_of(tensor) if storage is None else storage, offset, sizes, strides)


# Host and device.


def put(source: torch.Tensor, dtype: torch.dtype | None = None, sizes: tuple[int, ...] | None = None) -> Value:
    """A value with a copy of a CPU tensor's elements, converted and expanded."""
    converted = source if dtype is None else source.to(dtype)
    value = _put(converted if sizes is None else converted.expand(sizes))
    capture = capturing()
    if capture is not None:
        capture.copies.append((value, (source, dtype, sizes)))
    return value


def _put(source: torch.Tensor) -> Value:
    from lazymlir.runtime.client import client
    from lazymlir.runtime.program import numpy_dtype

    name = dtype_name(source.dtype)
    source = source.detach().resolve_conj().resolve_neg().contiguous()
    if source.dtype == torch.bfloat16:
        array = source.view(torch.int16).numpy().view(numpy_dtype(name))
    else:
        array = source.numpy()
    with metrics.timer("TransferToDeviceTime"):
        return Value(TensorType(tuple(source.shape), name), client().put(array))


def from_host(source: torch.Tensor) -> torch.Tensor:
    """A tensor of the device with a copy of a CPU tensor, in the same dense layout."""
    layout = layout_of(dtype_name(source.dtype), tuple(source.shape), source.stride())
    return new_tensor(layout.sizes, source.dtype, layout.strides if layout.dense else None, put(source))


def host_array(value: Value) -> np.ndarray:
    """The elements of a value, after a barrier if it is pending; read-only and perhaps shared with the device."""
    from lazymlir.runtime.client import client

    parts = value.in_parts
    if parts is not None:  # no program of their number is needed
        return np.concatenate([host_array(part) for part in parts.values], parts.dim)
    array = engine.read(value)
    with metrics.timer("TransferFromDeviceTime"):
        return client().get(array)


def to_host(tensor: torch.Tensor) -> torch.Tensor:
    """An independent CPU tensor with the elements of a tensor of the device, contiguous."""
    array = host_array(read(tensor)[0])
    if tensor.dtype == torch.bfloat16:
        return torch.from_numpy(array.view(np.int16).copy()).view(torch.bfloat16)
    return torch.from_numpy(array.copy())
