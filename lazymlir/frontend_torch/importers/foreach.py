"""Operations on lists of tensors: one record for the whole list, made of the importer of one tensor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from lazymlir.dialect import Builder, Node, TensorType

from ..registry import IMPORTERS, aten, overload_of
from . import activations, pointwise, reduce, special  # noqa: F401  (their importers are used here)

UNARY = [
    "abs",
    "acos",
    "asin",
    "atan",
    "ceil",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "expm1",
    "floor",
    "frac",
    "lgamma",
    "log",
    "log10",
    "log1p",
    "log2",
    "max",
    "neg",
    "reciprocal",
    "round",
    "rsqrt",
    "sigmoid",
    "sign",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "trunc",
]

# Overload of the list: overload of one tensor. A list of numbers is one number for each tensor.
OVERLOADS: dict[str, str] = {
    **{f"_foreach_{name}": name for name in UNARY},
    **{f"_foreach_{name}.List": f"{name}.Tensor" for name in ("add", "sub", "mul", "div")},
    **{f"_foreach_{name}.Tensor": f"{name}.Tensor" for name in ("add", "mul", "div")},
    **{f"_foreach_{name}.{form}": f"{name}.Scalar" for name in ("add", "sub", "mul", "div") for form in ("Scalar", "ScalarList")},
    **{f"_foreach_{name}.{form}": name for name in ("clamp_min", "clamp_max") for form in ("Scalar", "ScalarList")},
    **{f"_foreach_{name}.List": f"{name}.Tensor" for name in ("clamp_min", "clamp_max")},
    "_foreach_maximum.List": "maximum",
    "_foreach_maximum.Scalar": "clamp_min",
    "_foreach_maximum.ScalarList": "clamp_min",
    "_foreach_minimum.List": "minimum",
    "_foreach_minimum.Scalar": "clamp_max",
    "_foreach_minimum.ScalarList": "clamp_max",
    "_foreach_pow.List": "pow.Tensor_Tensor",
    "_foreach_pow.Scalar": "pow.Tensor_Scalar",
    "_foreach_pow.ScalarList": "pow.Tensor_Scalar",
    "_foreach_pow.ScalarAndTensor": "pow.Scalar",
    "_foreach_lerp.List": "lerp.Tensor",
    "_foreach_lerp.Scalar": "lerp.Scalar",
    "_foreach_lerp.ScalarList": "lerp.Scalar",
}


def _own(args: Sequence[Any], i: int) -> list[Any]:
    """The arguments of tensor `i`: its own of every list, the others as they are."""
    return [arg[i] if isinstance(arg, list) else arg for arg in args]


def _meta(name: str, single: str) -> Callable[..., list[Any]]:
    """Infers as the operation of one tensor does: torch's own inference lets pass what its kernels refuse."""
    whole, one = overload_of(name), IMPORTERS[overload_of(single)].meta or overload_of(single)

    def meta(*args: Any, **kwargs: Any) -> list[Any]:
        whole(*args, **kwargs)
        return [one(*_own(args, i), **kwargs) for i in range(_length(args))]

    return meta


def _accepts(single: str) -> Callable[..., bool] | None:
    """A list is taken if the importer of one tensor takes each of it."""
    accepts = IMPORTERS[overload_of(single)].accepts
    return accepts and (lambda *args, **kwargs: all(accepts(*_own(args, i), **kwargs) for i in range(_length(args))))


def _check(single: str) -> Callable[..., None] | None:
    """Refuses what the importer of one tensor refuses."""
    check = IMPORTERS[overload_of(single)].check

    def check_each(*args: Any, **kwargs: Any) -> None:
        assert check is not None
        for i in range(_length(args)):
            check(*_own(args, i), **kwargs)

    return check and check_each


def _length(args: Sequence[Any]) -> int:
    return next(len(arg) for arg in args if isinstance(arg, list))


def _of_each(function: Callable[..., Any], out: Any, args: Sequence[Any], call: Callable[..., Node]) -> list[Node]:
    """`call(function, type, arguments)` for each tensor of the list."""
    types = [out] if isinstance(out, TensorType) else list(out)
    return [call(function, type_, _own(args, i)) for i, type_ in enumerate(types)]


def _derive(name: str, single: str) -> None:
    function = IMPORTERS[overload_of(single)].function

    @aten(name, meta=_meta(name, single), accepts=_accepts(single), check=_check(single))
    def importer(b: Builder, out: Any, *args: Any, **kwargs: Any) -> list[Node]:
        return _of_each(function, out, args, lambda one, type_, own: one(b, type_, *own, **kwargs))


for _name, _single in OVERLOADS.items():
    _derive(_name, _single)


def _derive_fused(name: str) -> None:
    """x + value * first * second, or / second: the value comes last, and by name."""
    function = IMPORTERS[overload_of(name)].function

    @aten(f"_foreach_{name}.Scalar", f"_foreach_{name}.ScalarList")
    def importer(b: Builder, out: Any, x: list[Node], first: list[Node], second: list[Node], value: Any = None) -> list[Node]:
        def call(one: Callable[..., Node], type_: TensorType, own: list[Any]) -> Node:
            return one(b, type_, *own[:3]) if own[3] is None else one(b, type_, *own[:3], value=own[3])

        return _of_each(function, out, (x, first, second, value), call)

    @aten(f"_foreach_{name}.Tensor", host_indices=True)
    def from_tensor(b: Builder, out: Any, x: list[Node], first: list[Node], second: list[Node], scalars: Node) -> list[Node]:
        """One number for each tensor, as a host tensor."""
        values = [b.reshape(b.static_slice(scalars, 0, i, 1), ()) for i in range(len(x))]
        return importer(b, out, x, first, second, values)


for _name in ("addcmul", "addcdiv"):
    _derive_fused(_name)


@aten("_foreach_norm.Scalar", static=("ord",))
def norm(b: Builder, out: Any, x: list[Node], ord: float = 2, dtype: Any = None) -> list[Node]:
    function = IMPORTERS[overload_of("linalg_vector_norm")].function
    return _of_each(function, out, (x,), lambda one, type_, own: one(b, type_, *own, ord, dtype=dtype))


@aten("_foreach_copy")
def copy(b: Builder, out: Any, x: list[Node], source: list[Node], non_blocking: bool = False) -> list[Node]:
    return [b.expand(b.cast(new, old.dtype), old.shape) for old, new in zip(x, source, strict=True)]


@aten("_foreach_zero")
def zero(b: Builder, out: Any, x: list[Node]) -> list[Node]:
    return [b.constant(0, node.type) for node in x]
