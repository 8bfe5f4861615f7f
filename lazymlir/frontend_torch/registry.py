"""The table of importers: from ATen overloads to lazy operations.

    @aten("addcmul")
    def addcmul(b, out, x, first, second, *, value=1):
        ...

An importer is called when a graph is built, with the builder, the result type (a tuple for several, None for a result
that was not asked for) and the overload's arguments: nodes for tensors and for the numbers that may vary from step to
step, plain Python values for everything else. It returns a node, or one for each result, then one for each argument
that it mutates.

Registering `X` also registers its in-place form `X_` and its `out=` form, where torch has them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from lazymlir.core.values import Value

__all__ = ["IMPORTERS", "Importer", "aten", "name_of", "overload_of"]


@dataclass(frozen=True)
class Importer:
    """How an overload is recorded. `mutates` names arguments written by the operation (a function tells it from the
    arguments by name); `static` names those whose numbers are part of the graph, `runtime` integers whose values are not;
    `random` asks for a key (the name of an argument: only where that is not 0); `check` sees the arguments of every call,
    for mistakes in numbers; `meta` is the function that infers results where the overload itself cannot run on meta
    tensors; `accepts` says for the arguments, as meta tensors, whether the importer can record the call, or raises what
    torch would; where it cannot, `otherwise` is called with the overload and the arguments, or the call falls back;
    `promotes` adds an argument `common`, the type that torch promotes the first two arguments to; `derives` makes further
    arguments of the arguments as meta tensors, whose strides an importer does not see; `differentiable` is called instead
    where derivatives of the call are asked for, which torch itself has not, or not all; `unrecorded` may give the results
    of a signature on values, with the call's other arguments, so that nothing has to be recorded; `functional` infers the
    result type of an in-place form."""

    overload: Any
    function: Callable[..., Any]
    mutates: tuple[str, ...] | Callable[[dict[str, Any]], Sequence[str]] = ()
    static: tuple[str, ...] = ()
    random: bool | str = False
    host_indices: bool = False
    meta: Callable[..., Any] | None = None
    functional: Any = None
    runtime: tuple[str, ...] = ()
    check: Callable[..., None] | None = None
    accepts: Callable[..., bool] | None = None
    otherwise: Callable[..., Any] | None = None
    promotes: bool = False
    derives: Callable[..., dict[str, Any]] | None = None
    differentiable: Callable[..., Any] | None = None
    unrecorded: Callable[..., list[Value] | None] | None = None


IMPORTERS: dict[Any, Importer] = {}

NOT_EVERYWHERE = {"cholesky"}
"""Operations that one of the supported releases of torch has not."""


def overload_of(name: str) -> Any:
    """`torch.ops.aten` overload by name: "add.Tensor", or "relu" for the default one."""
    base, _, overload = name.partition(".")
    return getattr(getattr(torch.ops.aten, base), overload or "default")


def name_of(overload: Any) -> str:
    """The inverse: "add.Tensor", or "relu" for the default overload."""
    base = overload._schema.name.split("::")[1]
    return f"{base}.{overload._overloadname}" if overload._overloadname != "default" else base


def aten(
    *names: str,
    mutates: Sequence[str] | Callable[[dict[str, Any]], Sequence[str]] = (),
    static: Sequence[str] = (),
    random: bool | str = False,
    host_indices: bool = False,
    meta: Callable[..., Any] | None = None,
    runtime: Sequence[str] = (),
    check: Callable[..., None] | None = None,
    accepts: Callable[..., bool] | None = None,
    otherwise: Callable[..., Any] | None = None,
    promotes: bool = False,
    derives: Callable[..., dict[str, Any]] | None = None,
    differentiable: Callable[..., Any] | None = None,
    unrecorded: Callable[..., list[Value] | None] | None = None,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Registers an importer for each overload named."""

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        for name in names:
            if name in NOT_EVERYWHERE and not hasattr(torch.ops.aten, name):
                continue
            importer = Importer(
                overload_of(name),
                function,
                mutates=mutates if callable(mutates) else tuple(mutates),
                static=tuple(static),
                random=random,
                host_indices=host_indices,
                meta=meta,
                runtime=tuple(runtime),
                check=check,
                accepts=accepts,
                otherwise=otherwise,
                promotes=promotes,
                derives=derives,
                differentiable=differentiable,
                unrecorded=unrecorded,
            )
            _add(importer)
            if not mutates:
                _add_inplace(importer)
        return function

    return add


def _add(importer: Importer) -> None:
    known = IMPORTERS.get(importer.overload)
    if known is not None and known.functional is None:  # one of its own takes the place of a derived one
        raise ValueError(f"{importer.overload} has two importers")
    IMPORTERS[importer.overload] = importer


def _add_inplace(importer: Importer) -> None:
    """The in-place form writes what the functional form gives into its first argument."""
    name = importer.overload._schema.name.split("::")[1]
    packet = getattr(torch.ops.aten, f"{name}_", None)
    for overload in (getattr(packet, overload_name) for overload_name in packet.overloads()) if packet is not None else ():
        if overload not in IMPORTERS and _same_arguments(importer.overload, overload):
            _add(replace(importer, overload=overload, mutates=("self",), functional=importer.overload))


def arguments(overload: Any) -> list[tuple[str, str]]:
    """Name and type of each argument that is no `out=`."""
    return [(argument.name, str(argument.type)) for argument in overload._schema.arguments if not argument.is_out]


def _same_arguments(one: Any, other: Any) -> bool:
    return arguments(one) == arguments(other)


def out_overload(functional: Any) -> Any:
    """The `out=` form of a functional overload, or None."""
    packet = getattr(torch.ops.aten, functional._schema.name.split("::")[1])
    for name in packet.overloads():
        candidate = getattr(packet, name)
        if any(argument.is_out for argument in candidate._schema.arguments) and _same_arguments(functional, candidate):
            return candidate
    return None
