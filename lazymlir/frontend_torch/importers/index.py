"""Reading and writing at computed places. The program checks that indices are within range; negative ones wrap where torch
lets them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from lazymlir.dialect import Builder, Node, TensorType
from lazymlir.dialect.types import BOOL, highest, is_float, is_unsigned, lowest

from ..counted import MASKS, require_fits, with_places
from ..overflow import is_real, must_fit
from ..registry import aten
from .common import at_least_1d, full, is_within, to, truth, wrap
from .formula import Term, maximum, where
from .reduce import renorm

Put = Callable[[Node, Node, str], Node]
"""`(base, update, kind)` to `base` with the update written at places known to the function."""


OUT_OF_BOUNDS = "index {{}} is out of bounds for dimension {dim} with size {size}"
OUT_OF_RANGE = "index out of range in self"
OUT_OF_ELEMENTS = "out of range: tried to access index {{}} on a tensor of {size} elements."
"""torch's words for indices that are too large or too small."""


def as_index(b: Builder, index: Node) -> Node:
    return b.cast(index, "i64")


def within(b: Builder, index: Node, size: int, error: type[Exception], message: str, dim: int = 0, lowest: int = 0) -> Node:
    """The index as i64, required to be at least `lowest` and below `size`."""
    index = as_index(b, index)
    b.require(is_within(b, index, size, lowest), error, message.format(dim=dim, size=size), index)
    return index


def _wrapped(b: Builder, index: Node, size: int, message: str = OUT_OF_BOUNDS, dim: int = 0) -> Node:
    """Negative indices count from the end."""
    term = Term(b, within(b, index, size, IndexError, message, dim, -size))
    return term.node if is_unsigned(index.dtype) else where(term < 0, term + size, term).node


# One element for each index.


@aten("gather")
def gather(b: Builder, out: TensorType, x: Node, dim: int, index: Node, *, sparse_grad: bool = False) -> Node:
    if out.size == 0:
        return full(b, 0, out)
    x, dim = at_least_1d(b, x), wrap(dim, x.rank)
    places = within(b, at_least_1d(b, index), x.shape[dim], RuntimeError, OUT_OF_BOUNDS, dim)
    return b.reshape(b.gather(x, places, dim=dim), out.shape)


@aten("take")
def take(b: Builder, out: TensorType, x: Node, index: Node) -> Node:
    if out.size == 0:
        return full(b, 0, out)
    return b.index(b.reshape(x, (x.type.size,)), _wrapped(b, index, x.type.size, OUT_OF_ELEMENTS), dims=(0,))


@aten("put")
def put(b: Builder, out: TensorType, x: Node, index: Node, source: Node, accumulate: bool = False) -> Node:
    places = _wrapped(b, b.reshape(index, (index.type.size,)), x.type.size, OUT_OF_ELEMENTS)
    update = b.reshape(source, places.shape)
    flat = b.index_put(b.reshape(x, (x.type.size,)), update, places, dims=(0,), kind="add" if accumulate else "set")
    return b.reshape(flat, out.shape)


def _scatter(b: Builder, x: Node, dim: int, index: Node, write: Callable[[Node, Put], Node]) -> Node:
    """`write(base, put)` with a `put` that scatters by `index`; nothing where there is no index."""
    if index.type.size == 0:
        return x
    dim = wrap(dim, x.rank)
    places = within(b, at_least_1d(b, index), at_least_1d(b, x).shape[dim], RuntimeError, OUT_OF_BOUNDS, dim)

    def scatter(base: Node, update: Node, kind: str) -> Node:
        return b.scatter(base, places, update, dim=dim, kind=kind)

    return b.reshape(write(at_least_1d(b, x), scatter), x.shape)


def _update(b: Builder, source: Node, index: Node) -> Node:
    """The part of `source` that `index` covers."""
    source, index = at_least_1d(b, source), at_least_1d(b, index)
    if source.shape == index.shape:
        return source
    return b.slice(source, starts=(0,) * source.rank, sizes=index.shape, steps=(1,) * source.rank)


def _value(b: Builder, value: Node, x: Node, index: Node) -> Node:
    return to(b, value, x.dtype, at_least_1d(b, index).shape)


@aten("scatter.src")
def scatter_src(b: Builder, out: TensorType, x: Node, dim: int, index: Node, src: Node) -> Node:
    return _scatter(b, x, dim, index, lambda base, put: put(base, _update(b, src, index), "set"))


@aten("scatter.value")
def scatter_value(b: Builder, out: TensorType, x: Node, dim: int, index: Node, value: Node) -> Node:
    return _scatter(b, x, dim, index, lambda base, put: put(base, _value(b, value, x, index), "set"))


@aten("scatter.reduce")
def scatter_reduce(b: Builder, out: TensorType, x: Node, dim: int, index: Node, src: Node, *, reduce: str) -> Node:
    return _scatter(b, x, dim, index, lambda base, put: put(base, _update(b, src, index), KINDS[reduce]))


@aten("scatter.value_reduce")
def scatter_value_reduce(b: Builder, out: TensorType, x: Node, dim: int, index: Node, value: Node, *, reduce: str) -> Node:
    return _scatter(b, x, dim, index, lambda base, put: put(base, _value(b, value, x, index), KINDS[reduce]))


@aten("scatter_add")
def scatter_add(b: Builder, out: TensorType, x: Node, dim: int, index: Node, src: Node) -> Node:
    return scatter_reduce(b, out, x, dim, index, src, reduce="add")


# Reductions into places.

KINDS = {"sum": "add", "add": "add", "mean": "add", "prod": "mul", "multiply": "mul", "amax": "amax", "amin": "amin"}


_NEUTRAL: dict[str, Callable[[str], float]] = {"add": lambda dtype: 0, "mul": lambda dtype: 1, "amax": lowest, "amin": highest}
"""What changes nothing when it is combined."""


def _reduce_into(b: Builder, base: Node, update: Node, put: Put, reduce: str, include_self: bool) -> Node:
    """Without `include_self`, the places written to start from the neutral element."""
    kind = KINDS[reduce]
    if not include_self:
        base = put(base, full(b, _NEUTRAL[kind](base.dtype), update.type), "set")
    made = put(base, update, kind)
    return _divided(b, made, update, put, include_self) if reduce == "mean" else made


def _divided(b: Builder, total: Node, update: Node, put: Put, include_self: bool) -> Node:
    """A sum divided by the number of its summands; integers round down."""
    counts = Term(b, put(full(b, int(include_self), total.type), full(b, 1, update.type), "add"))
    counts = maximum(counts, 1)
    quotient = Term(b, total) / counts
    if not is_float(total.dtype) and not is_unsigned(total.dtype):
        quotient = where((Term(b, total) < 0) & (quotient * counts).differs(Term(b, total)), quotient - 1, quotient)
    return quotient.node


@aten("scatter_reduce.two")
def scatter_reduce_two(b: Builder, out: TensorType, x: Node, dim: int, index: Node, src: Node, reduce: str, *, include_self: bool = True) -> Node:
    return _scatter(b, x, dim, index, lambda base, put: _reduce_into(b, base, _update(b, src, index), put, reduce, include_self))


# Whole slices along one dimension.


@aten("index_select")
def index_select(b: Builder, out: TensorType, x: Node, dim: int, index: Node) -> Node:
    if index.rank > 1:
        raise IndexError("index_select(): Index is supposed to be a vector")
    x, dim = at_least_1d(b, x), wrap(dim, x.rank)
    error = RuntimeError if dim == 1 or x.type.size == 0 else IndexError  # as torch has it
    places = at_least_1d(b, within(b, index, x.shape[dim], error, OUT_OF_RANGE))
    if out.size == 0:
        return full(b, 0, out)
    return b.reshape(take_slices(b, x, dim, places), out.shape)


def take_slices(b: Builder, x: Node, dim: int, places: Node) -> Node:
    """The slices of `x` along `dim` that the vector `places` names."""
    made = b.index(x, places, dims=(dim,))
    return b.permute(made, (*range(1, dim + 1), 0, *range(dim + 1, x.rank)))


def add_slices(b: Builder, x: Node, dim: int, places: Node, size: int) -> Node:
    """The inverse: slices of `x` added where they came from, in a dimension of `size`."""
    base = full(b, 0, x.type.with_shape((*x.shape[:dim], size, *x.shape[dim + 1 :])))
    return b.index_put(base, b.permute(x, (dim, *(d for d in range(x.rank) if d != dim))), places, dims=(dim,), kind="add")


def _put_slices(
    b: Builder, x: Node, dim: int, index: Node, source: Node, write: Callable[[Node, Node, Put], Node], error: type[Exception], message: str
) -> Node:
    """`write(base, update, put)` with the slices of `source` along `dim`, and a `put` that writes them where `index` says."""
    if index.type.size == 0 or x.type.size == 0:
        return x
    dim = wrap(dim, x.rank)
    base, source = at_least_1d(b, x), at_least_1d(b, source)
    places = at_least_1d(b, within(b, index, base.shape[dim], error, message, dim))
    update = b.permute(source, (dim, *(d for d in range(source.rank) if d != dim)))

    def put(base: Node, update: Node, kind: str) -> Node:
        return b.index_put(base, update, places, dims=(dim,), kind=kind)

    return b.reshape(write(base, update, put), x.shape)


@aten("index_add")
def index_add(b: Builder, out: TensorType, x: Node, dim: int, index: Node, source: Node, *, alpha: Any = 1) -> Node:
    source = b.cast(source, x.dtype)
    if isinstance(alpha, Node):
        source = (Term(b, source) * Term(b, to(b, alpha, x.dtype, source.shape))).node
    words = (IndexError, OUT_OF_RANGE) if x.rank < 2 else (RuntimeError, OUT_OF_BOUNDS)
    return _put_slices(b, x, dim, index, source, lambda base, update, put: put(base, update, "add"), *words)


@aten("index_copy")
def index_copy(b: Builder, out: TensorType, x: Node, dim: int, index: Node, source: Node) -> Node:
    words = (IndexError, f"index_copy_(): {OUT_OF_BOUNDS}")
    return _put_slices(b, x, dim, index, source, lambda base, update, put: put(base, update, "set"), *words)


@aten("index_reduce")
def index_reduce(b: Builder, out: TensorType, x: Node, dim: int, index: Node, source: Node, reduce: str, *, include_self: bool = True) -> Node:
    def write(base: Node, update: Node, put: Put) -> Node:
        return _reduce_into(b, base, update, put, reduce, include_self)

    return _put_slices(b, x, dim, index, source, write, IndexError, OUT_OF_RANGE)


_check_fill = is_real(value=3)


def _check_index_fill(x: torch.Tensor, dim: int, index: torch.Tensor, value: Any) -> None:
    if index.dtype != torch.int64:
        raise IndexError("index_fill_(): Expected dtype int64 for index.")
    _check_fill(x, dim, index, value)


@aten("index_fill.int_Scalar", "index_fill.int_Tensor", check=_check_index_fill)
def index_fill(b: Builder, out: TensorType, x: Node, dim: int, index: Node, value: Node) -> Node:
    if index.type.size == 0 or x.type.size == 0:
        return x
    base, dim = at_least_1d(b, x), wrap(dim, x.rank)
    places = b.reshape(_wrapped(b, index, base.shape[dim], dim=dim), (index.type.size,))
    update = to(b, value, x.dtype, (places.type.size, *base.shape[:dim], *base.shape[dim + 1 :]))
    return b.reshape(b.index_put(base, update, places, dims=(dim,), kind="set"), x.shape)


@aten("embedding")
def embedding(b: Builder, out: TensorType, weight: Node, indices: Node, *_: Any, **__: Any) -> Node:
    error = IndexError if weight.type.size else RuntimeError  # as torch has it
    places = within(b, indices, weight.shape[0], error, OUT_OF_RANGE)
    return full(b, 0, out) if out.size == 0 or weight.type.size == 0 else b.index(weight, places, dims=(0,))


@aten("embedding_dense_backward")
def embedding_backward(
    b: Builder, out: TensorType, gradient: Node, indices: Node, num_weights: int, padding_idx: int, scale_grad_by_freq: bool
) -> Node:
    if gradient.type.size == 0:
        return full(b, 0, out)
    places = b.reshape(as_index(b, indices), (indices.type.size,))
    rows = Term(b, b.reshape(gradient, (places.type.size, out.shape[1])))

    def spread(x: Node) -> Term:
        return Term(b, b.expand(b.reshape(x, (x.shape[0], 1)), rows.node.shape))

    if scale_grad_by_freq:
        ones = b.constant(1, places.type)
        counts = b.index_put(b.constant(0, TensorType((num_weights,), "i64")), ones, places, dims=(0,), kind="add")
        rows = rows / spread(b.cast(b.index(counts, places, dims=(0,)), rows.dtype))
    if padding_idx >= 0:
        rows = where(spread(Term(b, places).equals(padding_idx).node), 0, rows)
    return b.index_put(full(b, 0, out), rows.node, places, dims=(0,), kind="add")


@aten("embedding_renorm_", mutates=("self",), static=("norm_type",))
def embedding_renorm(b: Builder, out: TensorType, weight: Node, indices: Node, max_norm: Node, norm_type: float) -> Node:
    """Scales the rows that are looked up and too long."""
    places = b.reshape(within(b, indices, weight.shape[0], IndexError, OUT_OF_RANGE), (indices.type.size,))
    rows = TensorType((weight.shape[0],), BOOL)
    touched = b.index_put(b.constant(False, rows), b.constant(True, rows.with_shape(places.shape)), places, dims=(0,), kind="set")
    chosen = b.expand(b.reshape(touched, (weight.shape[0], 1)), weight.shape)
    return b.where(chosen, renorm(b, weight.type, weight, norm_type, 0, max_norm), weight)


# Several indices at once, as x[i, :, j] does.


def _only_integers(x: torch.Tensor, indices: Sequence[torch.Tensor | None], *_: Any, **__: Any) -> bool:
    """A mask selects a number of elements that only its values decide: no static shape."""
    return all(index is None or index.dtype not in MASKS for index in indices)


class _Indexed:
    """An indexing expression: `places` for `dims`, and where their dimensions stand among the result's."""

    def __init__(self, b: Builder, x: Node, indices: Sequence[Node | None]) -> None:
        self.dims = [dim for dim, index in enumerate(indices) if index is not None]
        given = [index for index in indices if index is not None]
        shape = torch.broadcast_shapes(*(index.shape for index in given))
        self.places = [b.expand(_wrapped(b, index, x.shape[dim], dim=dim), shape) for index, dim in zip(given, self.dims, strict=True)]
        rest = [size for dim, size in enumerate(x.shape) if dim not in self.dims]
        adjacent = self.dims == list(range(self.dims[0], self.dims[-1] + 1))
        before = self.dims[0] if adjacent else 0
        self.shape = (*rest[:before], *shape, *rest[before:])
        rank = len(shape)
        self.to_result = (*range(rank, rank + before), *range(rank), *range(rank + before, len(self.shape)))
        self.from_result = (*range(before, before + rank), *range(before), *range(before + rank, len(self.shape)))


@aten("index.Tensor", host_indices=True, accepts=_only_integers, otherwise=with_places)
def index_tensor(b: Builder, out: TensorType, x: Node, indices: Sequence[Node | None]) -> Node:
    if out.size == 0:
        return full(b, 0, out)
    if all(index is None for index in indices):
        return x
    indexed = _Indexed(b, x, indices)
    if x.type.size == 0:
        return full(b, 0, out)
    return b.permute(b.index(x, *indexed.places, dims=tuple(indexed.dims)), indexed.to_result)


def _only_mask(indices: Sequence[Any], is_mask: Callable[[Any], bool]) -> tuple[int, Any] | None:
    """The place of the only index and the index, if it is a mask."""
    given = [(dim, index) for dim, index in enumerate(indices) if index is not None]
    return given[0] if len(given) == 1 and is_mask(given[0][1]) else None


def _puts_without_counting(
    x: torch.Tensor, indices: Sequence[torch.Tensor | None], values: torch.Tensor, accumulate: bool = False, unsafe: bool = False
) -> bool:
    """Whether the indices are integers, or one mask with a value that is the same wherever the mask is true."""
    masked = _only_mask(indices, lambda index: index.dtype == torch.bool)
    if masked is None:
        return _only_integers(x, indices)
    after = x.dim() - masked[0] - masked[1].dim()
    return values.dim() <= after or values.shape[-1 - after] == 1


def _index_put_types(
    x: torch.Tensor, indices: Sequence[torch.Tensor | None], values: torch.Tensor, accumulate: bool = False, unsafe: bool = False
) -> torch.Tensor:
    masked = _only_mask(indices, lambda index: index.dtype == torch.bool)
    filled = masked is not None and values.numel() == 1 and not accumulate  # as masked_fill, which converts
    if x.dtype != values.dtype and not filled:
        raise RuntimeError(
            f"Index put requires the source and destination dtypes match, got {x.dtype} for the destination and {values.dtype} for the source."
        )
    if values.is_complex():
        must_fit(1j, x.dtype)
    if masked is not None:
        dim, mask = masked
        if not x.dim() and not mask.dim():
            raise IndexError("too many indices for tensor of dimension 0 (got 1)")
        require_fits(x, mask, dim)
    else:
        wanted = torch.ops.aten.index.Tensor(x, indices).shape
        if torch.broadcast_shapes(wanted, values.shape) != wanted:
            raise RuntimeError(
                f"shape mismatch: value tensor of shape {list(values.shape)} cannot be broadcast to indexing result of shape {list(wanted)}"
            )
    return torch.empty_like(x)


@aten("index_put", host_indices=True, accepts=_puts_without_counting, otherwise=with_places, meta=_index_put_types)
def index_put(
    b: Builder, out: TensorType, x: Node, indices: Sequence[Node | None], values: Node, accumulate: bool = False, unsafe: bool = False
) -> Node:
    if x.type.size == 0:
        return x
    masked = _only_mask(indices, lambda index: index.dtype == BOOL)
    if masked is not None:
        return _put_masked(b, x, *masked, b.cast(values, x.dtype), accumulate)
    if all(index is None for index in indices):
        return (Term(b, x) + Term(b, b.expand(values, x.shape))).node if accumulate else b.expand(values, x.shape)
    indexed = _Indexed(b, x, indices)
    update = b.permute(b.expand(values, indexed.shape), indexed.from_result)
    return b.index_put(x, update, *indexed.places, dims=tuple(indexed.dims), kind="add" if accumulate else "set")


aten("_index_put_impl_", mutates=("self",), host_indices=True, accepts=_puts_without_counting, otherwise=with_places, meta=_index_put_types)(
    index_put
)


def _put_masked(b: Builder, x: Node, dim: int, mask: Node, values: Node, accumulate: bool) -> Node:
    after = x.rank - dim - mask.rank
    if values.rank > after:
        split = values.rank - after
        values = b.reshape(values, (*values.shape[: split - 1], *(1,) * mask.rank, *values.shape[split:]))
    base, update = Term(b, x), Term(b, b.expand(values, x.shape))
    chosen = Term(b, b.expand(b.reshape(mask, (*mask.shape, *(1,) * after)), x.shape))
    return where(chosen, base + update if accumulate else update, base).node


# Masks whose true elements are counted.


def _ranks(b: Builder, mask: Node) -> Node:
    """For each element of the flattened mask, how many true ones come before it."""
    flat = b.cast(truth(b, b.reshape(mask, (mask.type.size,))), "i64")
    return b.sub(b.cumsum(flat, dim=0), flat)


@aten("masked_scatter")
def masked_scatter(b: Builder, out: TensorType, x: Node, mask: Node, source: Node) -> Node:
    x, mask = b.expand(x, out.shape), to(b, mask, BOOL, out.shape)
    if out.size == 0:
        return x
    ranks = Term(b, _ranks(b, mask))
    enough = ~Term(b, b.reshape(mask, (mask.type.size,))) | (ranks < source.type.size)
    b.require(enough.node, RuntimeError, "Number of elements of source < number of ones in mask")
    if source.type.size == 0:
        return x
    taken = b.index(b.reshape(source, (source.type.size,)), ranks.node, dims=(0,))
    return b.where(mask, b.reshape(taken, out.shape), x)


@aten("masked_scatter_backward", meta=lambda gradient, mask, sizes: gradient.new_empty(sizes))
def masked_scatter_backward(b: Builder, out: TensorType, gradient: Node, mask: Node, sizes: Sequence[int]) -> Node:
    """Collects the masked elements in order; one place more than the result takes those that are not masked."""
    mask = to(b, mask, BOOL, gradient.shape)
    flat = b.reshape(mask, (mask.type.size,))
    beyond = b.constant(out.size, TensorType(flat.shape, "i64"))
    places = b.where(flat, _ranks(b, mask), beyond)
    update = b.reshape(gradient, flat.shape)
    collected = b.index_put(b.constant(0, TensorType((out.size + 1,), out.dtype)), update, places, dims=(0,), kind="set")
    return b.reshape(b.static_slice(collected, 0, 0, out.size), out.shape)
