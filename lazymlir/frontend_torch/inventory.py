"""Which of torch's operations the device has, which torch composes of others, and which fall back."""

from __future__ import annotations

from collections.abc import Iterable

import torch

from . import composites, copies, counted, factories, gradients
from .importers.attention import EXTRA_KERNELS
from .registry import IMPORTERS

__all__ = ["KEYED_KERNELS", "native_operations", "other_operations", "release"]

KEYED_KERNELS = (*EXTRA_KERNELS, *composites.KERNELS, *gradients.KERNELS)
"""Kernels that say at which key they stand: name, dispatch key, function."""

Operations = dict[str, list[str]]
"""Operation to overloads."""

_FAMILY_OF = {"formula": "pointwise"}
"""Modules that write importers for another family."""

_COMPOSITES = ("CompositeImplicitAutograd", "CompositeExplicitAutograd", "CompositeExplicitAutogradNonFunctional")


def release() -> str:
    """torch's, as 2.13.0."""
    return torch.__version__.split("+")[0]


def native_operations() -> dict[str, Operations]:
    """The operations that are recorded, by the importers' families."""
    families: dict[str, Operations] = {}
    for overload, importer in IMPORTERS.items():
        if importer.functional is None:
            family = importer.function.__module__.rsplit(".", 1)[-1]
            name = overload._schema.name.split("::")[1]
            families.setdefault(_FAMILY_OF.get(family, family), {}).setdefault(name, []).append(overload._overloadname)
    for family, kernels in (("copies and views", copies.KERNELS), ("factories", factories.KERNELS), ("after reading a count", counted.KERNELS)):
        families[family] = _by_operation(kernels)
    families["composed without reading values"] = _by_operation(name for name, key, _ in KEYED_KERNELS if key == "PrivateUse1")
    return families


def other_operations() -> tuple[Operations, Operations]:
    """What torch composes, and what falls back."""
    has = torch._C._dispatch_has_kernel_for_dispatch_key
    names = sorted(name for name in torch._C._dispatch_get_all_op_names() if name.startswith("aten::") and not has(name, "PrivateUse1"))
    composed = {name for name in names if any(has(name, key) for key in _COMPOSITES)}
    first, second = ([name for name in names if (name in composed) == wanted] for wanted in (True, False))
    return _by_operation(first), _by_operation(second)


def _by_operation(names: Iterable[str]) -> Operations:
    operations: Operations = {}
    for full in names:
        name, _, overload = full.removeprefix("aten::").partition(".")
        operations.setdefault(name, []).append(overload or "default")
    return operations
