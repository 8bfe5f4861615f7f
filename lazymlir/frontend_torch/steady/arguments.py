"""The arguments of one call: taken apart into tensors and numbers, with a key that says everything else of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch.utils._pytree import tree_flatten, tree_unflatten

from lazymlir.core.values import Buffer
from lazymlir.core.views import view_of
from lazymlir.errors import SteadyError

from ..tensors import DEVICE_NAME, buffer_of, geometry_of
from .numbers import is_plain, is_special

__all__ = ["Arguments", "as_host", "flatten", "unflatten"]

_storage_of = torch.Tensor.untyped_storage
_ATOMS = (torch.Tensor, torch.nn.Parameter, float, int, bool, type(None), str)


def flatten(tree: Any) -> tuple[list[Any], Any]:
    return tree_flatten(tree)


def unflatten(leaves: list[Any], structure: Any) -> Any:
    return tree_unflatten(leaves, structure)


class Arguments:
    """`leaves` in order; `tensors` are the places among them of the device's tensors, with `buffers`; `hosts` those of CPU
    tensors and arrays, `numbers` those of floats and integers, `objects` those of anything else. `starts` are where the
    windows that some tensors are begin, by place: they may vary."""

    __slots__ = ("buffers", "hosts", "key", "leaves", "numbers", "objects", "starts", "structure", "tensors")

    def __init__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        if not kwargs and all(type(x) in _ATOMS for x in args):
            self.leaves, self.structure = list(args), len(args)
        else:
            self.leaves, self.structure = flatten((args, kwargs))
        self.tensors: list[int] = []
        self.buffers: list[Buffer] = []
        self.hosts: list[int] = []
        self.numbers: list[int] = []
        self.objects: list[int] = []
        self.starts: dict[int, tuple[int, ...]] = {}
        self.key: tuple[Any, ...] = (self.structure, *[self._describe(i, leaf) for i, leaf in enumerate(self.leaves)])
        if len(self.buffers) > 1 and len(set(map(id, self.buffers))) < len(self.buffers):  # some share memory: how they do is fixed
            first: dict[int, int] = {}
            self.key += tuple([first.setdefault(id(buffer), i) for i, buffer in enumerate(self.buffers)]), tuple(self.starts.items())

    def again(self, leaves: list[Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments of the call, with other leaves."""
        if isinstance(self.structure, int):
            return tuple(leaves), {}
        return unflatten(leaves, self.structure)

    def _describe(self, i: int, leaf: Any) -> Any:
        kind = type(leaf)
        if isinstance(leaf, torch.Tensor):
            return self._tensor(i, leaf) if leaf.device.type == DEVICE_NAME else self._host(i, leaf)
        if kind is float:
            self.numbers.append(i)
            return (float, repr(leaf) if is_special(leaf) else None)
        if kind is int:
            self.numbers.append(i)
            return int
        if is_plain(leaf) or isinstance(leaf, torch.dtype | torch.device):
            return (kind, leaf)
        if kind is np.ndarray and leaf.dtype.kind in "fiub" and leaf.flags.writeable:
            self.hosts.append(i)
            return (kind, leaf.dtype, leaf.shape, leaf.strides)
        self.objects.append(i)
        return id(leaf)

    def _host(self, i: int, x: torch.Tensor) -> Any:
        self.hosts.append(i)
        if x.layout is not torch.strided:
            return (x.layout, x.dtype, x.shape)
        return (type(x), x.dtype, x.shape, x.stride(), x.requires_grad)

    def _tensor(self, i: int, x: torch.Tensor) -> Any:
        self.tensors.append(i)
        buffer = buffer_of(x)
        self.buffers.append(buffer)
        home = buffer.home
        if x.requires_grad and x.grad_fn is not None and torch.is_grad_enabled():
            raise SteadyError("an argument of a steady function was computed with gradients: pass `x.detach()`, or compute it inside")
        geometry = geometry_of(x)
        if geometry == (home.sizes, home.strides, 0, home.dtype):
            return home, x.requires_grad, type(x), x.is_conj(), x.is_neg()
        sizes, strides, offset, dtype = geometry
        view = view_of(home, dtype, sizes, strides, offset)
        self.starts[i] = view.starts
        return home, x.requires_grad, type(x), sizes, strides, dtype, view.chain, x.is_conj(), x.is_neg()


def as_host(leaf: Any) -> torch.Tensor:
    """A CPU argument as a tensor over the same memory."""
    return torch.from_numpy(leaf) if isinstance(leaf, np.ndarray) else leaf
