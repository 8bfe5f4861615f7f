"""Operations whose result's size its values decide: the count is read, at a barrier, and what is made of so many elements is
recorded again. So one program serves a count, and nothing else leaves the device."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from .fallback import fallback

__all__ = ["KERNELS", "MASKS", "require_fits", "with_places", "with_total"]

_aten = torch.ops.aten
MASKS = (torch.bool, torch.uint8)
"""Dtypes of indices that say for each place whether it is meant."""


def nonzero(x: torch.Tensor) -> torch.Tensor:
    """One column after the other in memory, as torch's."""
    count = int((x if x.dtype == torch.bool else x != 0).sum())
    return _aten.nonzero_static(x, size=count).t().contiguous().t()


def masked_select(x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    if mask.dtype != torch.bool:
        raise RuntimeError("masked_select: expected BoolTensor for mask")
    x, mask = torch.broadcast_tensors(x, mask)
    return x.reshape(-1).index_select(0, nonzero(mask.reshape(-1)).squeeze(1))


def with_places(overload: Any, x: torch.Tensor, indices: Sequence[torch.Tensor | None], *rest: Any, **named: Any) -> Any:
    """An indexing operation with the places where its masks are true in place of these."""
    places: list[torch.Tensor | None] = []
    for index in indices:
        if index is None or index.dtype not in MASKS:
            places.append(index)
        elif index.dim() == 0:
            return fallback(overload, x, indices, *rest, **named)
        else:
            require_fits(x, index, len(places))
            places.extend((index.nonzero() if index.device.type == "cpu" else nonzero(index)).unbind(1))
    return overload(x, places, *rest, **named)


def require_fits(x: torch.Tensor, mask: torch.Tensor, dim: int) -> None:
    """torch's error where a mask has not the shape of the dimensions of `x` from `dim` on."""
    if mask.shape != x.shape[dim : dim + mask.dim()]:
        raise IndexError(f"The shape of the mask {list(mask.shape)} at index {dim} does not match the shape of the indexed tensor {list(x.shape)}")


def bincount(x: torch.Tensor, weights: torch.Tensor | None = None, minlength: int = 0) -> torch.Tensor:
    if minlength < 0:
        raise RuntimeError("minlength should be >= 0")
    if x.dim() != 1 or x.is_floating_point() or x.is_complex() or x.dtype == torch.bool:
        return fallback(_aten.bincount.default, x, weights, minlength)  # refuses it
    if weights is not None and weights.shape != x.shape:
        raise RuntimeError("weights should be 1-d and have the same length as input")
    if x.numel() == 0:
        return torch.zeros(minlength, dtype=torch.int64, device=x.device)
    lowest, highest = torch.stack([x.min(), x.max()]).tolist()
    if lowest < 0:
        raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
    if weights is None:
        weights = torch.ones_like(x, dtype=torch.int64)
    elif weights.dtype != torch.float32:
        weights = weights.double()
    return weights.new_zeros(max(highest + 1, minlength)).index_add(0, x.long(), weights)


def with_total(overload: Any, repeats: torch.Tensor, *, output_size: int | None = None) -> torch.Tensor:
    """How often each place is repeated -> the places."""
    if repeats.dim() != 1 or repeats.dtype not in (torch.int64, torch.int32):
        return fallback(overload, repeats, output_size=output_size)  # refuses it
    total, lowest = torch.stack([repeats.sum(), repeats.min().long()]).tolist() if repeats.numel() else (0, 0)
    if lowest < 0:
        raise RuntimeError("repeats can not be negative")
    return overload(repeats, output_size=total)


def unique(x: torch.Tensor, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False) -> tuple[torch.Tensor, ...]:
    if x.is_complex():
        return fallback(_aten._unique2.default, x, sorted, return_inverse, return_counts)
    flat = x.reshape(-1)
    values, order = (flat.byte() if x.dtype == torch.bool else flat).sort(stable=True)
    values, ranks, counts = _runs(values.to(x.dtype), return_counts)
    inverse = torch.empty_like(ranks).scatter(0, order, ranks).reshape(x.shape) if return_inverse else ranks[:0]
    return values, inverse, counts


def unique_values(x: torch.Tensor, sorted: bool = True, return_inverse: bool = False) -> tuple[torch.Tensor, ...]:
    return unique(x, sorted, return_inverse)[:2]


def unique_consecutive(
    x: torch.Tensor, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> tuple[torch.Tensor, ...]:
    if dim is not None and x.dim() != 1:
        return fallback(_aten.unique_consecutive.default, x, return_inverse, return_counts, dim)
    values, ranks, counts = _runs(x.reshape(-1), return_counts)
    return values, ranks.reshape(x.shape) if return_inverse else ranks[:0], counts


def _runs(x: torch.Tensor, counts: bool) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The value of each run of equal elements, for each element the number of its run, and the lengths if wanted."""
    begins = torch.cat([torch.ones_like(x[:1], dtype=torch.bool), x[1:] != x[:-1]])
    places = nonzero(begins).squeeze(1)
    ends = torch.cat([places[1:], places.new_full((min(x.numel(), 1),), x.numel())])
    return x.index_select(0, places), begins.cumsum(0) - 1, ends - places if counts else places[:0]


KERNELS: dict[str, Callable[..., Any]] = {
    "nonzero": nonzero,
    "masked_select": masked_select,
    "bincount": bincount,
    "_unique2": unique,
    "_unique": unique_values,
    "unique_consecutive": unique_consecutive,
}
"""PrivateUse1 kernels by overload."""
