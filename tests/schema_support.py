"""What an ATen overload declares of its arguments, held against what the device's kernel does to them.

Nothing runs: a write is seen as another value in the buffer, aliasing as a storage that two tensors share.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from lazymlir.frontend_torch.tensors import buffer_of, is_lazy

__all__ = ["SchemaCheck", "registered"]


def registered() -> set[str]:
    """The overloads with a kernel of this device, as "aten::add.Tensor"."""
    names: list[str] = torch._C._dispatch_get_registrations_for_dispatch_key("PrivateUse1")
    return {name for name in names if name.startswith("aten::")}


class SchemaCheck(TorchDispatchMode):
    """Checks every call of a registered overload that reaches the device meanwhile.

    `calls` are the overloads called, `unwritten` the arguments declared as written (overload and name) that no call has
    written yet, `differences` what contradicts a schema.
    """

    def __init__(self) -> None:
        super().__init__()
        self.names = registered()
        self.unwritten: set[tuple[str, str]] = set()
        self.differences: dict[tuple[str, str], None] = {}
        self.calls: dict[str, tuple[Any, Any, dict[str, Any]]] = {}
        """Of each overload that was called, the first call."""
        self._written: set[tuple[str, str]] = set()

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        call = _Call(func, args, kwargs)
        result = func(*args, **kwargs)
        if func.name() not in self.names:
            return result
        if call.tensors or any(is_lazy(leaf) for leaf in tree_leaves(result)):
            self.calls.setdefault(func.name(), (func, args, kwargs))
            for difference in (*call.undeclared_changes(), *call.wrong_results(result)):
                self.differences[func.name(), difference] = None
            self._note_writes(func.name(), call)
        return result

    def _note_writes(self, name: str, call: _Call) -> None:
        for argument, changed in call.declared_writes():
            if changed:
                self._written.add((name, argument))
                self.unwritten.discard((name, argument))
            elif (name, argument) not in self._written:
                self.unwritten.add((name, argument))


class _Call:
    """One call: the device's tensors among its arguments, and what was in their buffers before."""

    def __init__(self, func: Any, args: Any, kwargs: dict[str, Any]) -> None:
        self.schema = func._schema
        given = dict(zip((argument.name for argument in self.schema.arguments), args, strict=False)) | kwargs
        declared = {argument.name: argument.alias_info for argument in self.schema.arguments}
        self.tensors = [(name, declared[name], x) for name, argument in given.items() for x in tree_leaves(argument) if is_lazy(x)]
        self.values = {_storage(x): buffer_of(x).value for _, _, x in self.tensors}
        self.geometry = {id(x): _geometry(x) for _, _, x in self.tensors}

    def undeclared_changes(self) -> Iterator[str]:
        """Buffers written, or tensors given another geometry, that no argument declares as written."""
        may_write = {_storage(x) for _, alias, x in self.tensors if alias is not None and alias.is_write}
        for name, alias, x in self.tensors:
            writes = alias is not None and alias.is_write
            if _geometry(x) != self.geometry[id(x)] and not writes:
                yield f"gives {name} another geometry, which is not declared"
            elif _storage(x) in self.values and _storage(x) not in may_write and buffer_of(x).value is not self.values[_storage(x)]:
                yield f"writes {name}, which is not declared"

    def declared_writes(self) -> Iterator[tuple[str, bool]]:
        """The arguments declared as written, and whether that could be seen."""
        for name, alias, x in self.tensors:
            if alias is not None and alias.is_write and x.numel():
                changed = self.values.get(_storage(x)) is not buffer_of(x).value or _geometry(x) != self.geometry[id(x)]
                yield name, changed

    def wrong_results(self, result: Any) -> Iterator[str]:
        """Results that alias what they are not declared to alias, or do not alias what they are."""
        returns = self.schema.returns
        results = result if isinstance(result, (tuple, list)) and len(returns) > 1 else (result,)
        fresh: set[int] = set()
        for number, (declared, tree) in enumerate(zip(returns, results, strict=False)):
            for x in tree_leaves(tree):
                if not is_lazy(x):
                    continue
                alias = declared.alias_info
                if alias is None:
                    shared = [name for name, _, y in self.tensors if _storage(x) == _storage(y)]
                    if shared:
                        yield f"result {number} aliases {shared[0]}, which is not declared"
                    if _storage(x) in fresh:
                        yield f"result {number} aliases another result"
                    fresh.add(_storage(x))
                    continue
                origins = [y for _, info, y in self.tensors if info is not None and info.before_set & alias.before_set]
                if alias.is_write and not any(x is y for y in origins):
                    yield f"result {number} is not the argument that is declared"
                elif not any(_storage(x) == _storage(y) for y in origins):
                    yield f"result {number} does not alias the argument that is declared"


def _storage(x: torch.Tensor) -> int:
    return x.untyped_storage()._cdata


def _geometry(x: torch.Tensor) -> tuple[Any, ...]:
    return (_storage(x), tuple(x.shape), x.stride(), x.storage_offset(), x.dtype)
