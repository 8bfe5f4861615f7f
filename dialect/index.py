"""Reading and writing at computed places, and sorting. Indices are within range by the caller's promise."""

from __future__ import annotations

from .attributes import BOOL, INT, INTS, STRING
from .declare import declare, require
from .shape import is_index_type
from .types import TensorType, is_complex

UPDATE_KINDS = ("set", "add", "mul", "amax", "amin")


def _require_dim(x: TensorType, dim: int) -> None:
    require(0 <= dim < x.rank, f"dim {dim} is no dimension of {x}")


@declare("gather", "x", "index", dim=INT, groups=("index",))
def gather(x: TensorType, index: TensorType, dim: int) -> TensorType:
    """Along `dim`, takes the element that `index` names, at the same place in the other dimensions."""
    _require_dim(x, dim)
    require(is_index_type(index.dtype) and index.rank == x.rank, f"index {index} does not fit {x}")
    fits = all(i <= n for d, (i, n) in enumerate(zip(index.shape, x.shape, strict=True)) if d != dim)
    require(fits, f"index {index} is larger than {x} elsewhere than in dimension {dim}")
    return x.with_shape(index.shape)


@declare("scatter", "x", "index", "update", dim=INT, kind=STRING, groups=("index",))
def scatter(x: TensorType, index: TensorType, update: TensorType, dim: int, kind: str) -> TensorType:
    """The inverse of `gather`: combines each element of `update` into the place of `x` that `index` names, by `kind`
    (set, add, mul, amax or amin)."""
    require(gather(x, index, dim).shape == update.shape and update.dtype == x.dtype, f"update {update} does not fit index {index}")
    require(kind in UPDATE_KINDS, f"kind {kind!r} is none of {', '.join(UPDATE_KINDS)}")
    return x


def _indexed(x: TensorType, indices: tuple[TensorType, ...], dims: tuple[int, ...]) -> tuple[int, ...]:
    require(len(indices) == len(dims) and len(dims) > 0, f"{len(indices)} indices for dims {list(dims)}")
    require(len(set(dims)) == len(dims) and all(0 <= dim < x.rank for dim in dims), f"dims {list(dims)} do not fit {x}")
    first = indices[0]
    require(all(is_index_type(index.dtype) and index.shape == first.shape for index in indices), "indices must be integers of one shape")
    return (*first.shape, *(size for dim, size in enumerate(x.shape) if dim not in dims))


@declare("index", "x", "*indices", dims=INTS, groups=("index",))
def index(x: TensorType, indices: tuple[TensorType, ...], dims: tuple[int, ...]) -> TensorType:
    """Takes whole slices: indices of one shape for `dims`. Result dimensions: the indices', then the rest of `x`."""
    return x.with_shape(_indexed(x, indices, dims))


@declare("index_put", "x", "update", "*indices", dims=INTS, kind=STRING, groups=("index",))
def index_put(x: TensorType, update: TensorType, indices: tuple[TensorType, ...], dims: tuple[int, ...], kind: str) -> TensorType:
    """The inverse of `index`: combines slices of `update` into `x` by `kind`, as in `scatter`."""
    wanted = x.with_shape(_indexed(x, indices, dims))
    require(update == wanted, f"the update is {update}, the indices give {wanted}")
    require(kind in UPDATE_KINDS, f"kind {kind!r} is none of {', '.join(UPDATE_KINDS)}")
    return x


@declare("sort", "x", dim=INT, descending=BOOL, results=("result", "indices"))
def sort(x: TensorType, dim: int, descending: bool) -> tuple[TensorType, TensorType]:
    """Sorts along `dim`, stable; NaN counts as the largest. Also gives where each element stood."""
    _require_dim(x, dim)
    require(not is_complex(x.dtype), f"not defined on {x.dtype}")
    return x, TensorType(x.shape, "i64")
