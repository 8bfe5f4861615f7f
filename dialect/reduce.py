"""Reductions and scans. A reduced dimension disappears; keeping it is a `reshape` after."""

from __future__ import annotations

from .attributes import INT, INTS
from .declare import declare, require
from .types import BOOL, TensorType, is_complex


def _without(x: TensorType, dims: tuple[int, ...]) -> tuple[int, ...]:
    require(len(set(dims)) == len(dims), f"dims {list(dims)} repeat")
    require(all(0 <= dim < x.rank for dim in dims), f"dims {list(dims)} are not all dimensions of {x}")
    return tuple(size for dim, size in enumerate(x.shape) if dim not in dims)


def _reduction(name: str, booleans: bool, ordered: bool, summary: str) -> None:
    def rule(x: TensorType, dims: tuple[int, ...]) -> TensorType:
        require((x.dtype == BOOL) == booleans, f"not defined on {x.dtype}")
        require(not (ordered and is_complex(x.dtype)), f"not defined on {x.dtype}")
        return x.with_shape(_without(x, dims))

    rule.__doc__ = summary
    declare(name, "x", dims=INTS, groups=("reduction",))(rule)


_reduction("sum", False, False, "The sum over `dims`; 0 for no elements.")
_reduction("prod", False, False, "The product over `dims`; 1 for no elements.")
_reduction("amax", False, True, "The largest element over `dims`; NaN if one is; the type's lowest value for no elements.")
_reduction("amin", False, True, "The smallest element over `dims`; NaN if one is; the type's highest value for no elements.")
_reduction("all", True, False, "Whether every element is true; true for no elements.")
_reduction("any", True, False, "Whether some element is true; false for no elements.")


def _arg(name: str, summary: str) -> None:
    def rule(x: TensorType, dim: int) -> tuple[TensorType, TensorType]:
        require(not is_complex(x.dtype), f"not defined on {x.dtype}")
        shape = _without(x, (dim,))
        require(x.shape[dim] > 0, f"dimension {dim} of {x} is empty")
        return x.with_shape(shape), TensorType(shape, "i64")

    rule.__doc__ = summary
    declare(name, "x", dim=INT, groups=("reduction",), results=("result", "indices"))(rule)


_arg("max", "The largest element along `dim` and the first place where it stands; the first NaN counts as largest.")
_arg("min", "The smallest element along `dim` and the first place where it stands; the first NaN counts as smallest.")


def _scan(name: str, ordered: bool, summary: str) -> None:
    def rule(x: TensorType, dim: int) -> TensorType:
        require(x.dtype != BOOL and not (ordered and is_complex(x.dtype)), f"not defined on {x.dtype}")
        require(0 <= dim < x.rank, f"dim {dim} is no dimension of {x}")
        return x

    rule.__doc__ = summary
    declare(name, "x", dim=INT, groups=("scan",))(rule)


_scan("cumsum", False, "The running sum along `dim`.")
_scan("cumprod", False, "The running product along `dim`.")
