"""What functions return: nested tuples, lists and dictionaries of tensors of the device, which have to be alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch.utils._pytree import TreeSpec, keystr, tree_flatten, tree_flatten_with_path, tree_map

from lazymlir.core.values import Value, layout_of

from ..copies import resolved
from ..dtypes import dtype_name
from ..tensors import DEVICE_NAME, is_lazy, new_tensor, read

__all__ = ["Tree", "flattened", "require_alike"]


class Tree(NamedTuple):
    """`tensors` in order, and how they are nested. `path(i)` names one, "[0]['x']" say."""

    tensors: list[torch.Tensor]
    spec: TreeSpec
    paths: list[str]

    def __repr__(self) -> str:
        return repr(tree_map(_Kind, self.spec.unflatten(self.tensors)))

    def values(self) -> list[Value]:
        """Their values; records what views show."""
        return [read(resolved(tensor))[0] for tensor in self.tensors]

    def made(self, values: Sequence[Value], other: Tree) -> list[torch.Tensor]:
        """Tensors of these values, laid out as those of this tree, where `other` has them laid out in the same way."""
        both = zip(values, self.tensors, other.tensors, strict=True)
        return [new_tensor(tuple(one.shape), one.dtype, _strides(one, two), value) for value, one, two in both]


def _strides(one: torch.Tensor, other: torch.Tensor) -> tuple[int, ...] | None:
    """The strides of both; None, for contiguous, where they differ or leave gaps."""
    layout = layout_of(dtype_name(one.dtype), tuple(one.shape), one.stride())
    return layout.strides if layout.dense and layout.strides == other.stride() else None


class _Kind:
    """How a message writes a tensor."""

    def __init__(self, tensor: torch.Tensor) -> None:
        self.text = f"{str(tensor.dtype).removeprefix('torch.')}{list(tensor.shape)}"

    def __repr__(self) -> str:
        return self.text


def flattened(what: str, tree: Any) -> Tree:
    """The tensors of what `what` is; TypeError where anything in it is none of the device's."""
    found, _ = tree_flatten_with_path(tree)
    for path, leaf in found:
        if not is_lazy(leaf):
            kind = f"a tensor on {leaf.device}" if isinstance(leaf, torch.Tensor) else type(leaf).__name__
            raise TypeError(f"{what}{keystr(path)} is {kind}: it has to be a tensor on {DEVICE_NAME}, in any nesting of tuples, lists and dicts")
    return Tree([leaf for _, leaf in found], tree_flatten(tree)[1], [keystr(path) for path, _ in found])


def require_alike(first: str, one: Tree, second: str, other: Tree) -> None:
    """TypeError where structures or dtypes differ, ValueError where shapes do; it names the first that does."""
    if one.spec != other.spec:
        raise TypeError(f"{second} is {other}, but {first} is {one}: they have to be nested alike")
    for x, y, path in zip(one.tensors, other.tensors, one.paths, strict=True):
        if x.dtype != y.dtype:
            raise TypeError(f"{second}{path} is {_Kind(y)}, but {first}{path} is {_Kind(x)}: their dtypes have to be the same")
        if x.shape != y.shape:
            raise ValueError(f"{second}{path} is {_Kind(y)}, but {first}{path} is {_Kind(x)}: their shapes have to be the same")
