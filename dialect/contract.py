"""Contractions, convolution and windows."""

from __future__ import annotations

from .attributes import INT, INTS, STRING
from .declare import declare, require
from .types import BOOL, TensorType, is_complex

Dims = tuple[int, ...]


def _rest(x: TensorType, *used: Dims) -> Dims:
    taken = [dim for dims in used for dim in dims]
    require(len(set(taken)) == len(taken) and all(0 <= dim < x.rank for dim in taken), f"dims {taken} do not fit {x}")
    return tuple(size for dim, size in enumerate(x.shape) if dim not in taken)


def _accumulated(wanted: TensorType | None, rounded: TensorType) -> TensorType:
    """The sums as they were accumulated, in f32, where that is wanted of 16-bit floats; else rounded to their type."""
    return rounded.with_dtype("f32") if rounded.dtype in ("f16", "bf16") and wanted == rounded.with_dtype("f32") else rounded


@declare("dot", "x", "y", x_batch=INTS, y_batch=INTS, x_contract=INTS, y_contract=INTS)
def dot(
    x: TensorType, y: TensorType, x_batch: Dims, y_batch: Dims, x_contract: Dims, y_contract: Dims, result: TensorType | None = None
) -> TensorType:
    """Sums products over the contracted dimensions. Result dimensions: batch, the rest of `x`, the rest of `y`. The result
    of 16-bit floats may stay in f32, unrounded."""
    require(x.dtype == y.dtype and x.dtype != BOOL, f"operands are {x} and {y}")
    for kind, left, right in (("batch", x_batch, y_batch), ("contracted", x_contract, y_contract)):
        require(len(left) == len(right), f"{kind} dims {list(left)} and {list(right)} differ in number")
    x_rest, y_rest = _rest(x, x_batch, x_contract), _rest(y, y_batch, y_contract)
    for kind, left, right in (("batch", x_batch, y_batch), ("contracted", x_contract, y_contract)):
        sizes = [x.shape[dim] for dim in left], [y.shape[dim] for dim in right]
        require(sizes[0] == sizes[1], f"{kind} sizes {sizes[0]} and {sizes[1]} differ")
    return _accumulated(result, x.with_shape((*(x.shape[dim] for dim in x_batch), *x_rest, *y_rest)))


def _require_positive(**values: Dims) -> None:
    for name, dims in values.items():
        require(all(value >= 1 for value in dims), f"{name} {list(dims)} must be positive")


def window_size(size: int, window: int, stride: int, low: int, high: int, base_dilation: int, window_dilation: int) -> int:
    """Number of positions of a dilated window in a padded, dilated dimension."""
    padded = low + (max(size - 1, 0) * base_dilation + min(size, 1)) + high
    extent = (window - 1) * window_dilation + 1
    return 0 if window == 0 or extent > padded else (padded - extent) // stride + 1


@declare("convolution", "x", "weight", strides=INTS, low=INTS, high=INTS, x_dilation=INTS, weight_dilation=INTS, groups_count=INT, batch_groups=INT)
def convolution(
    x: TensorType,
    weight: TensorType,
    strides: Dims,
    low: Dims,
    high: Dims,
    x_dilation: Dims,
    weight_dilation: Dims,
    groups_count: int,
    batch_groups: int,
    result: TensorType | None = None,
) -> TensorType:
    """Cross-correlation of `x` [batch, in, spatial...] with `weight` [out, in / groups, spatial...]. Dilating `x` puts
    zeros between its elements (a transposed convolution); `batch_groups` splits the batch (a weight gradient). The result
    of 16-bit floats may stay in f32, unrounded."""
    rank = x.rank - 2
    require(rank >= 0 and weight.rank == x.rank and weight.dtype == x.dtype, f"operands are {x} and {weight}")
    for name, dims in dict(strides=strides, low=low, high=high, x_dilation=x_dilation, weight_dilation=weight_dilation).items():
        require(len(dims) == rank, f"{name} {list(dims)} must have one entry for each of {rank} spatial dimensions")
    _require_positive(strides=strides, x_dilation=x_dilation, weight_dilation=weight_dilation)
    require(groups_count >= 1 and batch_groups >= 1, f"{groups_count} groups and {batch_groups} batch groups")
    require(groups_count == 1 or batch_groups == 1, f"{groups_count} groups and {batch_groups} batch groups: one must be 1")
    require(x.shape[1] == weight.shape[1] * groups_count, f"{x.shape[1]} input channels, weight {weight} in {groups_count} groups")
    require(x.shape[0] % batch_groups == 0, f"a batch of {x.shape[0]} in {batch_groups} groups")
    require(weight.shape[0] % (groups_count * batch_groups) == 0, f"{weight.shape[0]} output channels in {groups_count * batch_groups} groups")
    spatial = tuple(
        window_size(x.shape[i + 2], weight.shape[i + 2], strides[i], low[i], high[i], x_dilation[i], weight_dilation[i]) for i in range(rank)
    )
    return _accumulated(result, x.with_shape((x.shape[0] // batch_groups, weight.shape[0], *spatial)))


@declare("reduce_window", "x", kind=STRING, window=INTS, strides=INTS, low=INTS, high=INTS, x_dilation=INTS, dilation=INTS)
def reduce_window(x: TensorType, kind: str, window: Dims, strides: Dims, low: Dims, high: Dims, x_dilation: Dims, dilation: Dims) -> TensorType:
    """Reduces each window of `x` by `kind` (sum, max or min); padding holds that kind's neutral element."""
    require(kind in ("sum", "max", "min"), f"kind {kind!r} is none of sum, max, min")
    for name, dims in dict(window=window, strides=strides, low=low, high=high, x_dilation=x_dilation, dilation=dilation).items():
        require(len(dims) == x.rank, f"{name} {list(dims)} must have rank {x.rank}")
    _require_positive(window=window, strides=strides, x_dilation=x_dilation, dilation=dilation)
    sizes = (window_size(*args) for args in zip(x.shape, window, strides, low, high, x_dilation, dilation, strict=True))
    return x.with_shape(tuple(sizes))


@declare("max_pool", "x", window=INTS, strides=INTS, low=INTS, high=INTS, dilation=INTS, results=("result", "indices"))
def max_pool(x: TensorType, window: Dims, strides: Dims, low: Dims, high: Dims, dilation: Dims) -> tuple[TensorType, TensorType]:
    """The largest element of each window over the last dimensions, and where it stands: its place in the flattened
    spatial dimensions. The first of equal ones wins, the last NaN wins over all."""
    rank = len(window)
    require(0 < rank <= x.rank, f"a window of {rank} dimensions over {x}")
    for name, dims in dict(strides=strides, low=low, high=high, dilation=dilation).items():
        require(len(dims) == rank, f"{name} {list(dims)} must have one entry for each of {rank} spatial dimensions")
    _require_positive(window=window, strides=strides, dilation=dilation)
    require(not is_complex(x.dtype), f"not defined on {x.dtype}")
    spatial = x.shape[x.rank - rank :]
    sizes = tuple(window_size(*args) for args in zip(spatial, window, strides, low, high, (1,) * rank, dilation, strict=True))
    shape = (*x.shape[: x.rank - rank], *sizes)
    return x.with_shape(shape), TensorType(shape, "i64")
