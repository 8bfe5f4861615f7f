"""Kernels that need no operand's value: filled tensors and sequences; and copies of a tensor with a part replaced.

They are made of other records, where an overload's own signature would say too much (a start that changes) or record an
operand that nothing reads (zeros_like).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from lazymlir.core.trace import Signature
from lazymlir.core.values import Value
from lazymlir.dialect import Builder, Node, TensorType

from .copies import empty, require_only_device
from .dtypes import dtype_name
from .kernels import SLOT_KINDS, as_slot
from .outs import write_out
from .overflow import must_fit
from .tensors import buffer_of, from_host, once, record, write

__all__ = ["KERNELS"]

_aten = torch.ops.aten
_signatures: dict[tuple[TensorType, str], Signature] = {}
_constants: dict[tuple[TensorType, int], Signature] = {}


# Filling.


def _filled(type_: TensorType, number: Any) -> Value:
    """All elements `number`, which may change without a recompilation."""
    kind = SLOT_KINDS[type(number)]
    found = _signatures.get((type_, kind))
    if found is None:

        def emit(b: Builder, operands: Any, scalars: Sequence[Node]) -> list[Node]:
            return [b.expand(b.cast(scalars[0], type_.dtype), type_.shape)]

        found = _signatures[type_, kind] = Signature("full", emit, [], [kind], [type_])
    return record(found, (), [number])[0]


def _set_constant(x: torch.Tensor, number: int) -> torch.Tensor:
    """All elements `number`, which is part of the graph."""
    target = once(x)
    type_ = TensorType(tuple(target.shape), dtype_name(x.dtype))
    found = _constants.get((type_, number))
    if found is None:
        found = Signature("constant", lambda b, operands, scalars: [b.constant(number, type_)], [], [], [type_])
        _constants[type_, number] = found
    write(target, record(found, ())[0])
    return x


def fill_(x: torch.Tensor, value: Any) -> torch.Tensor:
    if isinstance(value, torch.Tensor):
        if value.dim():
            raise RuntimeError(f"fill_ only supports 0-dimension value tensor but got tensor with {value.dim()} dimensions.")
        return x.copy_(value.clone())  # the value may be one of the elements
    return _fill(x, value)


def _fill(x: torch.Tensor, number: Any) -> torch.Tensor:
    single = x.dtype in (torch.float16, torch.bfloat16) and x.numel() == 1 and not isinstance(number, complex)
    if not single:  # torch makes infinity of what is too large for one 16-bit float
        must_fit(number, x.dtype)
    slot = float(number) if type(number) is int and (x.is_floating_point() or x.is_complex()) else as_slot(number)
    target = once(x)
    write(target, _filled(TensorType(tuple(target.shape), dtype_name(x.dtype)), slot))
    return x


def zero_(x: torch.Tensor) -> torch.Tensor:
    return _set_constant(x, 0)


def _dtype_of(number: Any) -> torch.dtype:
    if isinstance(number, complex):
        return torch.complex128 if torch.get_default_dtype() == torch.float64 else torch.complex64
    return {bool: torch.bool, int: torch.int64, float: torch.get_default_dtype()}[type(number)]


def full(size: Any, fill_value: Any, *, dtype: Any = None, **options: Any) -> torch.Tensor:
    return _fill(empty(size, dtype=dtype or _dtype_of(fill_value), **options), fill_value)


def zeros(size: Any, *, dtype: Any = None, **options: Any) -> torch.Tensor:
    return _set_constant(empty(size, dtype=dtype, **options), 0)


def ones(size: Any, *, dtype: Any = None, **options: Any) -> torch.Tensor:
    return _set_constant(empty(size, dtype=dtype, **options), 1)


def full_like(x: torch.Tensor, fill_value: Any, **options: Any) -> torch.Tensor:
    return torch.empty_like(x, **options).fill_(fill_value)


def zeros_like(x: torch.Tensor, **options: Any) -> torch.Tensor:
    return _set_constant(torch.empty_like(x, **options), 0)


def ones_like(x: torch.Tensor, **options: Any) -> torch.Tensor:
    return _set_constant(torch.empty_like(x, **options), 1)


def scalar_tensor(number: Any, *, dtype: Any = None, **options: Any) -> torch.Tensor:
    return full((), number, dtype=dtype or torch.get_default_dtype(), **options)


# Sequences.


def arange(start: Any, end: Any, step: Any = 1, *, dtype: Any = None, device: Any = None, **options: Any) -> torch.Tensor:
    """0, 1, ... scaled and shifted: only the length is static, so a moving window compiles once."""
    require_only_device(device)
    wanted = torch.arange(start, end, step, dtype=dtype, device="meta")
    if not wanted.dtype.is_floating_point:
        start, step = int(start), int(step)
    counted = _aten.arange.default(
        wanted.numel(), dtype=torch.int64 if isinstance(start, int) and isinstance(step, int) else torch.float64, device=device
    )
    if step != 1:
        counted = counted * step
    if start != 0:
        counted = counted + start
    return counted.to(wanted.dtype)


def arange_out(start: Any, end: Any, step: Any = 1, *, out: torch.Tensor) -> torch.Tensor:
    write_out(out, arange(start, end, step, dtype=out.dtype, device=out.device))
    return out


def _from_cpu(function: Callable[..., torch.Tensor]) -> Callable[..., torch.Tensor]:
    """A constant that the host computes."""

    def kernel(*args: Any, device: Any = None, pin_memory: Any = None, **options: Any) -> torch.Tensor:
        require_only_device(device)
        return from_host(function(*args, device="cpu", **options))

    return kernel


# Copies with a part replaced. torch's own composition asks the storage for its size in bytes, which is 0.


def _copy_with(x: torch.Tensor, source: torch.Tensor, part: Callable[[torch.Tensor], torch.Tensor]) -> torch.Tensor:
    """A copy of `x`, in the same geometry where it can be, whose `part` is `source`."""
    if once(x) is not x:  # expanded: a part cannot be written
        made = x.clone()
    else:
        count = buffer_of(x).home.type.nbytes // x.element_size()
        flat = torch.as_strided(x, (count,), (1,), 0).clone()
        made = torch.as_strided(flat, x.shape, x.stride(), x.storage_offset())
    target = part(made)
    if target.shape != source.shape:
        raise RuntimeError(
            f"expected src to have a size equal to the slice of self. src size = {list(source.shape)}, slice size = {list(target.shape)}"
        )
    target.copy_(source)
    return made


def select_scatter(x: torch.Tensor, source: torch.Tensor, dim: int, index: int) -> torch.Tensor:
    return _copy_with(x, source, lambda made: made.select(dim, index))


def slice_scatter(
    x: torch.Tensor, source: torch.Tensor, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1
) -> torch.Tensor:
    return _copy_with(x, source, lambda made: _aten.slice.Tensor(made, dim, start, end, step))


def diagonal_scatter(x: torch.Tensor, source: torch.Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> torch.Tensor:
    return _copy_with(x, source, lambda made: made.diagonal(offset, dim1, dim2))


def as_strided_scatter(x: torch.Tensor, source: torch.Tensor, size: Any, stride: Any, storage_offset: int | None = None) -> torch.Tensor:
    return _copy_with(x, source, lambda made: made.as_strided(size, stride, storage_offset))


def equal(x: torch.Tensor, y: torch.Tensor) -> bool:
    """Reads one element back: a barrier if anything is pending."""
    if x.dtype != y.dtype:
        raise RuntimeError(f"Expected object of data type {x.dtype} but got data type {y.dtype} for argument #2 'other' in call to equal")
    return x.shape == y.shape and bool((x == y).all().item())


KERNELS: dict[str, Callable[..., Any]] = {
    "fill_.Scalar": fill_,
    "fill_.Tensor": fill_,
    "zero_": zero_,
    "full": full,
    "zeros": zeros,
    "ones": ones,
    "full_like": full_like,
    "zeros_like": zeros_like,
    "ones_like": ones_like,
    "scalar_tensor": scalar_tensor,
    "arange.start": arange,
    "arange.start_step": arange,
    "arange.start_out": arange_out,
    "tril_indices": _from_cpu(torch.tril_indices),
    "triu_indices": _from_cpu(torch.triu_indices),
    "kaiser_window": _from_cpu(torch.kaiser_window),
    "kaiser_window.periodic": _from_cpu(torch.kaiser_window),
    "kaiser_window.beta": _from_cpu(torch.kaiser_window),
    "select_scatter": select_scatter,
    "slice_scatter": slice_scatter,
    "diagonal_scatter": diagonal_scatter,
    "as_strided_scatter": as_strided_scatter,
    "equal": equal,
}
"""PrivateUse1 kernels by overload."""
