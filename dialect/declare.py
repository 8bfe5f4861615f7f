"""How an operation of the dialect is declared: one function that is its type rule, its documentation and its verifier.

    @declare("permute", "x", dims=INTS, groups=("view",))
    def permute(x, dims):
        \"\"\"Reorders dimensions: dimension i of the result is dimension `dims[i]` of `x`.\"\"\"
        require(sorted(dims) == list(range(x.rank)), f"dims {dims} is not a permutation of rank {x.rank}")
        return x.with_shape(tuple(x.shape[d] for d in dims))

The rule gets the operands' `TensorType`s (a tuple for a variadic operand, written "*xs") and the attributes as Python
values, and returns the result type or types. A rule with a parameter `result` belongs to an operation whose type does
not follow from its operands (a constant, say): it is given the wanted type, checks it and returns it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .types import TensorType

__all__ = ["OPS", "OpDef", "TypeRuleError", "declare", "require"]

INFERRED = 1 << 12
"""So many inferences are remembered of each operation."""


class TypeRuleError(ValueError):
    """An operation's operands or attributes break its type rule."""


def require(condition: bool, message: str) -> None:
    if not condition:
        raise TypeRuleError(message)


@dataclass(frozen=True)
class OpDef:
    """One operation: `operands` by name ("*xs" takes any number), `attributes` by name to kind, and its type rule."""

    name: str
    operands: tuple[str, ...]
    attributes: dict[str, Any]
    results: tuple[str, ...]
    rule: Callable[..., Any]
    groups: frozenset[str]
    family: str
    summary: str
    gives_result: bool
    pure: bool = True
    _inferred: dict[Any, tuple[TensorType, ...]] = field(default_factory=lambda: dict[Any, tuple[TensorType, ...]](), repr=False, compare=False)
    """What was inferred before, by all that it follows from: a graph has the same few again and again."""

    @property
    def variadic(self) -> bool:
        return bool(self.operands) and self.operands[-1].startswith("*")

    def infer(self, operands: tuple[TensorType, ...], attributes: dict[str, Any], result: TensorType | None) -> tuple[TensorType, ...]:
        """Result types, or TypeRuleError."""
        key = (operands, result, *attributes.items(), *map(_kind, attributes.values()))
        known = self._inferred.get(key)
        if known is None:
            if len(self._inferred) >= INFERRED:
                self._inferred.clear()
            known = self._inferred[key] = self._infer(operands, attributes, result)
        return known

    def _infer(self, operands: tuple[TensorType, ...], attributes: dict[str, Any], result: TensorType | None) -> tuple[TensorType, ...]:
        count = len(self.operands)
        if self.variadic:
            require(len(operands) >= count - 1, f"takes at least {count - 1} operands, got {len(operands)}")
            bound = (*operands[: count - 1], tuple(operands[count - 1 :]))
        else:
            require(len(operands) == count, f"takes {count} operands, got {len(operands)}")
            bound = operands
        extra = {"result": result} if self.gives_result else {}
        inferred = self.rule(*bound, **attributes, **extra)
        return (inferred,) if isinstance(inferred, TensorType) else tuple(inferred)


def _kind(attribute: Any) -> Any:
    """What tells attributes apart that are equal: 1, 1.0 and True."""
    return tuple([item.__class__ for item in attribute]) if attribute.__class__ is tuple else attribute.__class__


OPS: dict[str, OpDef] = {}


def declare(
    name: str, *operands: str, groups: tuple[str, ...] = (), results: tuple[str, ...] = ("result",), pure: bool = True, **attributes: Any
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Adds `lazy.<name>` to the dialect; see the module's documentation."""

    def add(rule: Callable[..., Any]) -> Callable[..., Any]:
        if name in OPS:
            raise ValueError(f"lazy.{name} is declared twice")
        if any(operand.startswith("*") for operand in operands[:-1]):
            raise ValueError(f"lazy.{name}: only the last operand may be variadic")
        family = rule.__module__.rsplit(".", 1)[-1]
        summary = inspect.cleandoc(rule.__doc__ or "")
        gives_result = "result" in inspect.signature(rule).parameters
        OPS[name] = OpDef(name, operands, attributes, results, rule, frozenset(groups), family, summary, gives_result, pure)
        return rule

    return add
