"""What the results of structured operations must be, computed the plain way: torch where it has the operation, else loops in numpy."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import torch
from lowering_support import INF, Array, numpy


def reduced(name: str, x: torch.Tensor, dims: Sequence[int]) -> Any:
    if name in ("sum", "amax", "amin", "all", "any"):
        return getattr(torch, name)(x, dims, **({"dtype": x.dtype} if name == "sum" else {})) if dims else x
    product = x.float() if x.dtype in (torch.float16, torch.bfloat16) else x
    for dim in sorted(dims, reverse=True):
        product = torch.prod(product, dim, dtype=product.dtype)
    return product.to(x.dtype)


def sliced(x: torch.Tensor, starts: Sequence[int], sizes: Sequence[int], steps: Sequence[int]) -> torch.Tensor:
    return x[tuple(slice(a, a + max(n - 1, 0) * k + min(n, 1), k) for a, n, k in zip(starts, sizes, steps, strict=True))]


def padded(x: Array, low: Sequence[int], high: Sequence[int], interior: Sequence[int]) -> Array:
    spread = np.full([(n - 1) * (k + 1) + 1 for n, k in zip(x.shape, interior, strict=True)], 7, x.dtype)
    spread[tuple(slice(None, None, k + 1) for k in interior)] = x
    spread = np.pad(spread, [(max(a, 0), max(b, 0)) for a, b in zip(low, high, strict=True)], constant_values=7)
    return spread[tuple(slice(max(-a, 0), n - max(-b, 0)) for a, b, n in zip(low, high, spread.shape, strict=True))]


def replaced(x: torch.Tensor, update: torch.Tensor, *_: torch.Tensor) -> torch.Tensor:
    """`x` with `update` at row 1, column 2."""
    out = x.clone()
    out[1 : 1 + update.shape[0], 2 : 2 + update.shape[1]] = update
    return out


def strided_put(strides: Sequence[int], x: torch.Tensor, update: torch.Tensor, start: torch.Tensor) -> Array:
    out = x.numpy().copy()
    for place in np.ndindex(*update.shape):
        out[int(start) + sum(i * s for i, s in zip(place, strides, strict=True))] = update.numpy()[place]
    return out


def exactly(equation: str, *operands: torch.Tensor) -> torch.Tensor:
    """An einsum in the widest type of its kind, rounded once."""
    kind = operands[0].dtype
    wide = torch.complex128 if kind.is_complex else torch.float64 if kind.is_floating_point else torch.int64
    return torch.einsum(equation, *[x.to(wide) for x in operands]).to(kind)


def convolved(x: torch.Tensor, weight: torch.Tensor, **a: Any) -> torch.Tensor:
    dtype, rank = x.dtype, x.ndim - 2
    wide = torch.complex128 if dtype.is_complex else torch.float64
    x, weight = x.to(wide), weight.to(wide)
    spread = torch.zeros(*x.shape[:2], *[(n - 1) * k + 1 for n, k in zip(x.shape[2:], a["x_dilation"], strict=True)], dtype=wide)
    spread[(..., *[slice(None, None, k) for k in a["x_dilation"]])] = x
    edges = [edge for low, high in zip(reversed(a["low"]), reversed(a["high"]), strict=True) for edge in (low, high)]
    spread = torch.nn.functional.pad(spread, edges) if edges else spread
    groups, weights = spread.chunk(a["batch_groups"]) if a["batch_groups"] > 1 else [spread], weight.chunk(a["batch_groups"])
    if rank == 0:
        parts = x.reshape(x.shape[0], a["groups_count"], -1), weight.reshape(a["groups_count"], -1, weight.shape[1])
        return torch.einsum("ngi,goi->ngo", *parts).reshape(x.shape[0], -1).to(dtype)
    fits = [n - k + 1 for n, k in zip(spread.shape[2:], weight.shape[2:], strict=True)]
    if min(fits) < 1:
        return torch.zeros(x.shape[0], weight.shape[0], *[max(n, 0) for n in fits], dtype=dtype)
    arguments = {"stride": a["strides"], "dilation": a["weight_dilation"], "groups": a["groups_count"]}
    run = functools.partial(getattr(torch.nn.functional, f"conv{rank}d"), **arguments)
    return torch.cat([run(g, w) for g, w in zip(groups, weights, strict=True)], 1).to(dtype)


Place = tuple[int, ...]


def positions(shape: Sequence[int], window: Sequence[int], strides: Place, low: Place, high: Place, dilation: Place) -> list[int]:
    """How many windows there are along each dimension."""
    return [(a + n + b - (k - 1) * d - 1) // s + 1 for a, n, b, k, d, s in zip(low, shape, high, window, dilation, strides, strict=True)]


def windows(x: Array, window: Sequence[int], strides: Place, low: Place, high: Place, dilation: Place) -> Iterator[tuple[Place, list[Place]]]:
    """Each window's position and the positions in `x` that it covers, those in the padding too."""
    for place in np.ndindex(*positions(x.shape, window, strides, low, high, dilation)):
        corner = [i * s - a for i, s, a in zip(place, strides, low, strict=True)]
        yield place, [tuple(c + i * d for c, i, d in zip(corner, element, dilation, strict=True)) for element in np.ndindex(*window)]


def inside(x: Array, place: Place) -> bool:
    return all(0 <= i < n for i, n in zip(place, x.shape, strict=True))


def windowed(kind: str, x: torch.Tensor, x_dilation: Sequence[int], **a: Any) -> Array:
    given = numpy(x)
    neutral: Any = {"sum": 0, "max": -INF, "min": INF}[kind]
    if given.dtype.kind in "iu" and kind != "sum":
        neutral = getattr(np.iinfo(given.dtype), "min" if kind == "max" else "max")
    spread = np.full([(n - 1) * k + 1 for n, k in zip(given.shape, x_dilation, strict=True)], neutral, given.dtype)
    spread[tuple(slice(None, None, k) for k in x_dilation)] = given
    found = {place: [spread[p] if inside(spread, p) else neutral for p in covered] for place, covered in windows(spread, **a)}
    reduce = {"sum": lambda v: np.sum(np.array(v, "f8" if given.dtype.kind not in "iu" else "i8")), "max": np.max, "min": np.min}[kind]
    shape = np.max([(0, 0), *found], axis=0) + 1 if found else (0, given.shape[1])
    out = np.zeros(shape, given.dtype)
    for place, values in found.items():
        out[place] = reduce(values).astype(given.dtype)
    return out


def pooled(x: torch.Tensor, window: Sequence[int], unused: Sequence[int], **a: Any) -> Any:
    """torch's loop: the first of equal elements, the last NaN, padding left out; a window in the padding: any valid place."""
    given, rank = numpy(x), len(window)
    lowest = np.iinfo(given.dtype).min if given.dtype.kind in "iu" else -INF
    planes = given.reshape(-1, *given.shape[given.ndim - rank :])
    values, places = [], []
    for plane in planes:
        for _, covered in windows(plane, window, **a):
            best, where = given.dtype.type(lowest), None
            for p in (p for p in covered if inside(plane, p)):
                if where is None or plane[p] > best or np.isnan(plane[p].astype("f8")):
                    best, where = plane[p], p
            values.append(best)
            places.append(np.ravel_multi_index(where, plane.shape) if where else plane.size - 1)
    counts = positions(planes.shape[1:], window, **a)
    shape = (*given.shape[: given.ndim - rank], *counts)
    both = np.array(values, given.dtype).reshape(shape), np.array(places, "i8").reshape(shape)
    return [each for number, each in enumerate(both) if number not in unused]


COMBINE: dict[str, Callable[[Any, Any], Any]] = {"set": lambda old, new: new, "add": np.add, "mul": np.multiply}
COMBINE |= {"amax": np.maximum, "amin": np.minimum}


def wide(x: torch.Tensor) -> Array:
    """Sums and products of 16-bit floats are accumulated in float32 and rounded once, unlike torch's."""
    return x.float().numpy().copy() if x.dtype in (torch.float16, torch.bfloat16) else x.numpy().copy()


def narrowed(out: Array, x: torch.Tensor) -> Array:
    return out.astype(numpy(x).dtype)


def scattered(kind: str, dim: int, x: torch.Tensor, index: torch.Tensor, update: torch.Tensor) -> Array:
    out, new = wide(x), wide(update)
    for place in np.ndindex(*index.shape):
        target = (*place[:dim], int(index[place]), *place[dim + 1 :])
        out[target] = COMBINE[kind](out[target], new[place])
    return narrowed(out, x)


def index_put(kind: str, dims: Sequence[int], x: torch.Tensor, update: torch.Tensor, *indices: torch.Tensor) -> Array:
    out, new = wide(x), wide(update)
    for place in np.ndindex(*indices[0].shape):
        target: list[Any] = [slice(None)] * x.ndim
        for dim, index in zip(dims, indices, strict=True):
            target[dim] = int(index[place])
        out[tuple(target)] = COMBINE[kind](out[tuple(target)], new[place])
    return narrowed(out, x)
