"""Reductions, scans, sorting, softmax."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from lazymlir.dialect import Builder, Node, TensorType
from lazymlir.dialect.types import BOOL, highest, is_complex, is_float, lowest, real_dtype

from ..registry import aten
from .common import as_dims, at_least_1d, full, is_inexact, math_dtype, to, truth, wrap
from .formula import Term, absolute, exp, is_nan, log, log_of_sum, maximum, minimum, power, sqrt, where

Dims = int | Sequence[int] | None


def reduce_(b: Builder, name: str, x: Node, dims: tuple[int, ...]) -> Node:
    """`lazy.<name>` over `dims`, which keep size 1: results broadcast against `x`."""
    kept = tuple(1 if dim in dims else size for dim, size in enumerate(x.shape))
    return b.reshape(b.emit(name, (x,), {"dims": dims}), kept)


def reduced(b: Builder, name: str, x: Term, dims: tuple[int, ...]) -> Term:
    """A reduction of a term, spread over its shape again."""
    return Term(b, b.expand(reduce_(b, name, x.node, dims), x.node.shape))


def finish(b: Builder, x: Node, out: TensorType) -> Node:
    """With the result's type: reduced dimensions kept or not."""
    return b.reshape(b.cast(x, out.dtype), out.shape)


# Sums and products.


@aten("sum", "sum.dim_IntList")
def sum_(b: Builder, out: TensorType, x: Node, dim: Dims = None, keepdim: bool = False, *, dtype: Any = None) -> Node:
    return finish(b, reduce_(b, "sum", b.cast(x, math_dtype(out.dtype)), as_dims(dim, x.rank)), out)


@aten("nansum")
def nansum(b: Builder, out: TensorType, x: Node, dim: Dims = None, keepdim: bool = False, *, dtype: Any = None) -> Node:
    term = Term(b, b.cast(x, math_dtype(out.dtype)))
    return sum_(b, out, where(is_nan(term), 0, term).node, dim)


@aten("mean", "mean.dim")
def mean(b: Builder, out: TensorType, x: Node, dim: Dims = None, keepdim: bool = False, *, dtype: Any = None) -> Node:
    return finish(b, _mean(b, b.cast(x, math_dtype(out.dtype)), as_dims(dim, x.rank)), out)


def _mean(b: Builder, x: Node, dims: tuple[int, ...]) -> Node:
    return (Term(b, reduce_(b, "sum", x, dims)) / prod(x.shape[dim] for dim in dims)).node


@aten("prod", "prod.dim_int")
def prod_(b: Builder, out: TensorType, x: Node, dim: int | None = None, keepdim: bool = False, *, dtype: Any = None) -> Node:
    return finish(b, reduce_(b, "prod", b.cast(x, math_dtype(out.dtype)), as_dims(dim, x.rank)), out)


@aten("count_nonzero", "count_nonzero.dim_IntList")
def count_nonzero(b: Builder, out: TensorType, x: Node, dim: Dims = None) -> Node:
    return sum_(b, out, truth(b, x), dim)


@aten("all", "all.dim", "all.dims")
def all_(b: Builder, out: TensorType, x: Node, dim: Dims = None, keepdim: bool = False) -> Node:
    return finish(b, reduce_(b, "all", truth(b, x), _listed_dims(dim, x.rank)), out)


@aten("any", "any.dim", "any.dims")
def any_(b: Builder, out: TensorType, x: Node, dim: Dims = None, keepdim: bool = False) -> Node:
    return finish(b, reduce_(b, "any", truth(b, x), _listed_dims(dim, x.rank)), out)


def _listed_dims(dim: Dims, rank: int) -> tuple[int, ...]:
    """For the two reductions whose empty list of dimensions means none of them."""
    return () if isinstance(dim, (list, tuple)) and not dim else as_dims(dim, rank)


@aten("trace")
def trace(b: Builder, out: TensorType, x: Node) -> Node:
    places = x.type.with_dtype("i64")
    diagonal = b.eq(b.iota(dim=0, result=places), b.iota(dim=1, result=places))
    return sum_(b, out, b.where(diagonal, x, full(b, 0, x.type)))


# Moments.


def _moments(b: Builder, x: Node, dim: Dims, correction: float | None, wide: bool = False) -> tuple[Node, Node]:
    """Variance and mean in two passes, of doubles where `wide`; the variance of a complex tensor is that of its parts, added."""
    if not is_inexact(x.dtype):
        raise RuntimeError("std and var only support floating point and complex dtypes")
    dims = as_dims(dim, x.rank)
    if is_complex(x.dtype):
        (real, real_mean), (imag, imag_mean) = (_moments(b, part(x), dim, correction) for part in (b.real, b.imag))
        return b.add(real, imag), b.complex(real_mean, imag_mean)
    x = b.cast(x, "f64" if wide else math_dtype(x.dtype))
    middle = b.cast(_mean(b, b.cast(x, "f64"), dims), x.dtype)  # as eager, which adds up doubles
    distance = Term(b, x) - Term(b, b.expand(middle, x.shape))
    degrees = max(prod(x.shape[d] for d in dims) - (1 if correction is None else correction), 0)
    return (Term(b, reduce_(b, "sum", (distance * distance).node, dims)) / degrees).node, middle


@aten("var.correction", static=("correction",))
def var(b: Builder, out: TensorType, x: Node, dim: Dims = None, *, correction: float | None = None, keepdim: bool = False) -> Node:
    return finish(b, _moments(b, x, dim, correction)[0], out)


@aten("std.correction", static=("correction",))
def std(b: Builder, out: TensorType, x: Node, dim: Dims = None, *, correction: float | None = None, keepdim: bool = False) -> Node:
    return finish(b, b.sqrt(_moments(b, x, dim, correction, wide=True)[0]), out)  # whose square may be too large for the result's type


@aten("var_mean.correction", static=("correction",))
def var_mean(
    b: Builder, out: Sequence[TensorType], x: Node, dim: Dims = None, *, correction: float | None = None, keepdim: bool = False
) -> tuple[Node, Node]:
    spread, middle = _moments(b, x, dim, correction)
    return finish(b, spread, out[0]), finish(b, middle, out[1])


@aten("std_mean.correction", static=("correction",))
def std_mean(
    b: Builder, out: Sequence[TensorType], x: Node, dim: Dims = None, *, correction: float | None = None, keepdim: bool = False
) -> tuple[Node, Node]:
    spread, middle = _moments(b, x, dim, correction, wide=True)
    return finish(b, b.sqrt(spread), out[0]), finish(b, middle, out[1])


# Norms: what is summed and what is done to the sum, by order.
_NORMS: dict[float, tuple[str, Callable[[Term], Term], Callable[[Term], Term]]] = {
    0.0: ("sum", lambda x: x.differs(0).cast(x.dtype), lambda total: total),
    1.0: ("sum", lambda x: x, lambda total: total),
    2.0: ("sum", lambda x: x * x, sqrt),
    float("inf"): ("amax", lambda x: x, lambda total: total),
    float("-inf"): ("amin", lambda x: x, lambda total: total),
}


@aten("linalg_vector_norm", static=("ord",))
def vector_norm(b: Builder, out: TensorType, x: Node, ord: float = 2, dim: Dims = None, keepdim: bool = False, *, dtype: Any = None) -> Node:
    if dtype is not None and not is_complex(x.dtype):
        x = b.cast(x, out.dtype)
    magnitude = absolute(Term(b, b.cast(x, math_dtype(x.dtype)))).cast(math_dtype(out.dtype))
    general = ("sum", lambda x: power(x, float(ord)), lambda total: power(total, 1.0 / ord))
    kind, each, whole = _NORMS.get(float(ord)) or general
    return finish(b, whole(Term(b, reduce_(b, kind, each(magnitude).node, as_dims(dim, x.rank)))).node, out)


def _check_renorm(x: Any, p: float, dim: int, maxnorm: complex) -> None:
    if isinstance(maxnorm, complex):
        raise RuntimeError("renorm: maxnorm must be real-valued")
    if maxnorm < 0:
        raise RuntimeError(f"renorm: expected maxnorm to be >= 0 but got {maxnorm}")


@aten("renorm", static=("p",), check=_check_renorm)
def renorm(b: Builder, out: TensorType, x: Node, p: float, dim: int, maxnorm: Node) -> Node:
    """Scales each slice along `dim` whose norm is too large."""
    others = tuple(d for d in range(x.rank) if d != wrap(dim, x.rank))
    real = real_dtype(out.dtype)
    kept = TensorType(tuple(1 if d in others else size for d, size in enumerate(out.shape)), math_dtype(real))
    size = Term(b, vector_norm(b, kept, x, p, others))
    limit = Term(b, to(b, maxnorm, kept.dtype, kept.shape))
    factor = where(size > limit, limit / (size + 1e-7), 1).cast(real)
    wide = math_dtype(out.dtype)
    return b.cast(b.mul(b.cast(x, wide), b.expand(factor.cast(wide).node, out.shape)), out.dtype)


@aten("norm.Scalar", "norm.ScalarOpt_dim", "norm.ScalarOpt_dim_dtype", "norm.ScalarOpt_dtype", static=("p",))
def norm(b: Builder, out: TensorType, x: Node, p: float | None = 2, dim: Dims = None, keepdim: bool = False, *, dtype: Any = None) -> Node:
    return vector_norm(b, out, x, 2 if p is None else p, dim, keepdim, dtype=dtype)


# Extremes. Booleans are compared as bytes: the dialect orders numbers.


def _ordered(b: Builder, x: Node) -> Node:
    return b.cast(x, "ui8") if x.dtype == BOOL else x


def _extreme(kind: str) -> Callable[..., Node]:
    def importer(b: Builder, out: TensorType, x: Node, dim: Dims = None, keepdim: bool = False) -> Node:
        if x.type.size == 0 and out.rank == 0:
            raise RuntimeError(
                f"{kind[1:]}(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument."
            )
        return finish(b, reduce_(b, kind, _ordered(b, x), as_dims(dim, x.rank)), out)

    return importer


def _extreme_and_place(kind: str) -> Callable[..., tuple[Node, Node]]:
    def importer(b: Builder, out: Sequence[TensorType], x: Node, dim: int, keepdim: bool = False) -> tuple[Node, Node]:
        dim = wrap(dim, x.rank)
        if x.rank and x.shape[dim] == 0:
            raise IndexError(f"{kind}(): Expected reduction dim {dim} to have non-zero size.")
        values, places = b.emit(kind, (at_least_1d(b, _ordered(b, x)),), {"dim": dim})
        return finish(b, values, out[0]), finish(b, places, out[1])

    return importer


def _place(kind: str) -> Callable[..., Node]:
    def importer(b: Builder, out: TensorType, x: Node, dim: int | None = None, keepdim: bool = False) -> Node:
        if x.dtype == BOOL:
            raise RuntimeError(f"arg{kind}(): does not support bool input")
        x = b.reshape(_ordered(b, x), (x.type.size,)) if dim is None else at_least_1d(b, _ordered(b, x))
        return finish(b, b.emit(kind, (x,), {"dim": 0 if dim is None else wrap(dim, x.rank)})[1], out)

    return importer


for _kind in ("max", "min"):
    aten(f"a{_kind}", _kind)(_extreme(f"a{_kind}"))
    aten(f"{_kind}.dim")(_extreme_and_place(_kind))
    aten(f"arg{_kind}")(_place(_kind))


@aten("aminmax", "_aminmax", "_aminmax.dim")
def aminmax(b: Builder, out: Sequence[TensorType], x: Node, dim: int | None = None, keepdim: bool = False) -> tuple[Node, Node]:
    return _extreme("amin")(b, out[0], x, dim), _extreme("amax")(b, out[1], x, dim)


# Scans.


def _scan(name: str) -> Callable[..., Node]:
    def importer(b: Builder, out: TensorType, x: Node, dim: int, *, dtype: Any = None) -> Node:
        if x.rank == 0:  # nothing is summed: a -0.0 stays
            return b.cast(x, out.dtype)
        return finish(b, b.emit(name, (b.cast(x, math_dtype(out.dtype)),), {"dim": wrap(dim, x.rank)}), out)

    return importer


for _name in ("cumsum", "cumprod"):
    aten(_name)(_scan(_name))


def _running(b: Builder, x: Node, combine: Callable[[Term, Term], Term], neutral: float, dim: int) -> Node:
    """Combines each element with all before it, over distances that double."""
    low, high, distance = [0] * x.rank, [0] * x.rank, 1
    while distance < x.shape[dim]:
        low[dim], high[dim] = distance, -distance
        earlier = b.pad(x, full(b, neutral, x.type.with_shape(())), low=low, high=high, interior=(0,) * x.rank)
        x = combine(Term(b, earlier), Term(b, x)).node
        distance *= 2
    return x


def _running_extreme(largest: bool) -> Callable[..., tuple[Node, Node]]:
    """With the last place where the extreme so far stands."""

    def importer(b: Builder, out: Sequence[TensorType], x: Node, dim: int) -> tuple[Node, Node]:
        dim, x = wrap(dim, x.rank), at_least_1d(b, _ordered(b, x))
        combine, neutral = (maximum, lowest) if largest else (minimum, highest)
        values = _running(b, x, lambda earlier, x: combine(x, earlier), neutral(x.dtype), dim)  # of equal ones the last
        reached = Term(b, x).equals(Term(b, values)) | is_nan(Term(b, x))
        places = where(reached, Term(b, b.iota(dim=dim, result=x.type.with_dtype("i64"))), 0)
        return finish(b, values, out[0]), finish(b, _running(b, places.node, maximum, 0, dim), out[1])

    return importer


aten("cummax")(_running_extreme(largest=True))
aten("cummin")(_running_extreme(largest=False))


@aten("_logcumsumexp", accepts=lambda x, dim: not x.is_complex())
def logcumsumexp(b: Builder, out: TensorType, x: Node, dim: int) -> Node:
    x = (Term(b, at_least_1d(b, b.cast(x, math_dtype(out.dtype)))) + 0).node  # -0.0 becomes 0.0: log(0 + exp(x))
    return finish(b, _running(b, x, log_of_sum, float("-inf"), wrap(dim, out.rank)), out)


# Order.


def _sorted(b: Builder, x: Node, dim: int, descending: bool = False) -> tuple[Node, Node]:
    return b.sort(at_least_1d(b, _ordered(b, x)), dim=wrap(dim, x.rank), descending=descending)


@aten("sort", "sort.stable")
def sort(b: Builder, out: Sequence[TensorType], x: Node, dim: int = -1, descending: bool = False, *, stable: bool | None = None) -> tuple[Node, Node]:
    values, places = _sorted(b, x, dim, descending)
    return finish(b, values, out[0]), finish(b, places, out[1])


@aten("topk")
def topk(b: Builder, out: Sequence[TensorType], x: Node, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> tuple[Node, Node]:
    if x.dtype == BOOL:
        raise RuntimeError("topk does not support bool dtypes on CPU")
    made = _sorted(b, x, dim, largest)
    values, places = (b.static_slice(node, wrap(dim, x.rank), 0, k) for node in made)
    return finish(b, values, out[0]), finish(b, places, out[1])


@aten("kthvalue")
def kthvalue(b: Builder, out: Sequence[TensorType], x: Node, k: int, dim: int = -1, keepdim: bool = False) -> tuple[Node, Node]:
    values, places = (b.static_slice(node, wrap(dim, x.rank), k - 1, 1) for node in _sorted(b, x, dim))
    return finish(b, values, out[0]), finish(b, places, out[1])


@aten("median.dim")
def median_dim(b: Builder, out: Sequence[TensorType], x: Node, dim: int, keepdim: bool = False) -> tuple[Node, Node]:
    """The lower middle; the first NaN where there is one."""
    x, dim = at_least_1d(b, x), wrap(dim, x.rank)
    middle = [b.static_slice(node, dim, (x.shape[dim] - 1) // 2, 1) for node in _sorted(b, x, dim)]
    if is_float(x.dtype):
        largest = [b.reshape(node, middle[0].shape) for node in b.max(x, dim=dim)]
        found = b.ne(largest[0], largest[0])
        middle = [b.where(found, there, node) for there, node in zip(largest, middle, strict=True)]
    return finish(b, middle[0], out[0]), finish(b, middle[1], out[1])


@aten("nanmedian.dim")
def nanmedian_dim(b: Builder, out: Sequence[TensorType], x: Node, dim: int, keepdim: bool = False) -> tuple[Node, Node]:
    """The lower middle of what is not NaN; NaN is sorted last."""
    x, dim = at_least_1d(b, x), wrap(dim, x.rank)
    present = b.cast(b.eq(x, x), "i64")
    count = Term(b, reduce_(b, "sum", present, (dim,)))
    middle = (maximum(count - 1, 0) / 2).node
    values, places = (b.gather(node, middle, dim=dim) for node in _sorted(b, x, dim))
    return finish(b, values, out[0]), finish(b, places, out[1])


def _of_all(along: Callable[..., tuple[Node, Node]]) -> Callable[..., Node]:
    """A median of all elements."""

    def importer(b: Builder, out: TensorType, x: Node) -> Node:
        if x.type.size == 0:
            return full(b, float("nan") if is_float(out.dtype) else 0, out)
        return along(b, (out, out.with_dtype("i64")), b.reshape(x, (x.type.size,)), 0)[0]

    return importer


aten("median")(_of_all(median_dim))
aten("nanmedian")(_of_all(nanmedian_dim))


# Softmax.


def _shifted(b: Builder, x: Term, dims: tuple[int, ...]) -> Term:
    """`x` minus its largest element, so that no exponential overflows."""
    return x - reduced(b, "amax", x, dims)


@aten("_softmax")
def softmax(b: Builder, out: TensorType, x: Node, dim: int, half_to_float: bool) -> Node:
    return _softmax(b, out, x, dim)


@aten("_safe_softmax")
def safe_softmax(b: Builder, out: TensorType, x: Node, dim: int, dtype: Any = None) -> Node:
    """0 for rows that are wholly masked by -inf."""
    made = _softmax(b, out, x, dim)
    masked = reduced(b, "all", Term(b, x).equals(float("-inf")), as_dims(dim, x.rank))
    return where(masked, 0, Term(b, made)).node


def _softmax(b: Builder, out: TensorType, x: Node, dim: int) -> Node:
    dims = as_dims(dim, x.rank)
    powers = exp(_shifted(b, Term(b, b.cast(x, math_dtype(out.dtype))), dims))
    return b.cast((powers / reduced(b, "sum", powers, dims)).node, out.dtype)


@aten("_log_softmax")
def log_softmax(b: Builder, out: TensorType, x: Node, dim: int, half_to_float: bool) -> Node:
    dims = as_dims(dim, x.rank)
    shifted = _shifted(b, Term(b, b.cast(x, math_dtype(out.dtype))), dims)
    return b.cast((shifted - log(reduced(b, "sum", exp(shifted), dims))).node, out.dtype)


def _gradient_terms(b: Builder, gradient: Node, output: Node) -> tuple[Term, Term]:
    dtype = math_dtype(output.dtype)
    return Term(b, b.cast(gradient, dtype)), Term(b, b.cast(output, dtype))


@aten("_softmax_backward_data")
def softmax_backward(b: Builder, out: TensorType, gradient: Node, output: Node, dim: int, input_dtype: Any) -> Node:
    incoming, chances = _gradient_terms(b, gradient, output)
    weighted = incoming * chances
    return b.cast((weighted - chances * reduced(b, "sum", weighted, as_dims(dim, output.rank))).node, out.dtype)


@aten("_log_softmax_backward_data")
def log_softmax_backward(b: Builder, out: TensorType, gradient: Node, output: Node, dim: int, input_dtype: Any) -> Node:
    incoming, logs = _gradient_terms(b, gradient, output)
    return b.cast((incoming - exp(logs) * reduced(b, "sum", incoming, as_dims(dim, output.rank))).node, out.dtype)


@aten("logsumexp")
def logsumexp(b: Builder, out: TensorType, x: Node, dim: Dims, keepdim: bool = False) -> Node:
    dims = as_dims(dim, x.rank)
    term = Term(b, to(b, x, math_dtype(out.dtype)))
    largest = Term(b, reduce_(b, "amax", b.real(term.node) if is_complex(term.dtype) else term.node, dims))
    largest = where(absolute(largest).equals(float("inf")), 0, largest).cast(term.dtype)
    powers = exp(term - Term(b, b.expand(largest.node, x.shape)))
    return finish(b, (log(Term(b, reduce_(b, "sum", powers.node, dims))) + largest).node, out)
