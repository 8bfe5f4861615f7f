"""What a function can reach: the tensors that its body may use, and where they are kept.

Whatever the body's code can name is walked: closure cells, the globals that it and the functions it calls name, defaults,
bound objects, lists, dicts, modules, optimizers, attributes. What belongs to Python or to torch is not, except objects
that hold tensors.
"""

from __future__ import annotations

import functools
import sys
import sysconfig
import types
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import torch

__all__ = ["ABSENT", "Container", "Place", "Reach", "version_of"]

MOST = 200_000
"""More entries than this are not walked."""

ABSENT: Any = object()
"""What a container holds where it has no such entry."""

_STANDARD = sysconfig.get_paths()["stdlib"]
_LEAVES = (str, bytes, int, float, bool, complex, type(None), torch.dtype, torch.device, CodeType, BuiltinFunctionType, ModuleType)


def version_of(x: torch.Tensor) -> int:
    """How often a tensor was written, as far as torch counts it."""
    return -1 if x.is_inference() else x._version


class Container:
    """Something that holds tensors and more: a dict, a list, a closure cell, or some variables, by `names`, of a module or
    class. `path` says in words where it is."""

    __slots__ = ("held", "names", "path")

    def __init__(self, held: Any, path: str, names: tuple[str, ...] | None = None) -> None:
        self.held = held
        self.path = path
        self.names = names

    def look(self) -> dict[Any, Any]:
        """What it holds now."""
        held = self.held
        if self.names is not None:
            variables = vars(held) if isinstance(held, type) else held
            return {name: variables.get(name, ABSENT) for name in self.names}
        if type(held) is CellType:
            return {0: _content(held)}
        return dict(enumerate(held)) if isinstance(held, list) else dict(held)

    def name_of(self, key: Any) -> str:
        if type(self.held) is CellType:
            return self.path
        if isinstance(key, str):
            return f"{self.path}.{key}" if self.path else key
        return f"{self.path}[{key if isinstance(key, int) else '...'}]"


def _content(cell: CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return ABSENT


class Place:
    """Where a tensor is kept."""

    __slots__ = ("container", "key")

    def __init__(self, container: Container, key: Any) -> None:
        self.container = container
        self.key = key

    def __str__(self) -> str:
        return self.container.name_of(self.key)

    @property
    def identity(self) -> tuple[int, Any]:
        return id(self.container.held), self.key

    def get(self) -> Any:
        held = self.container.held
        if type(held) is CellType:
            return _content(held)
        try:
            return held[self.key]
        except (KeyError, IndexError):
            return ABSENT

    def set(self, value: Any) -> None:
        held = self.container.held
        if type(held) is CellType:
            held.cell_contents = value
        else:
            held[self.key] = value


class Reach:
    """One walk from some roots, by their names."""

    def __init__(self, roots: dict[str, Any]) -> None:
        self.containers: list[Container] = []
        self.looks: dict[tuple[int, Any], Any] = {}
        """What each container held, by its identity and the key."""
        self.tensors: dict[int, tuple[torch.Tensor, str]] = {}
        """By identity, with the path."""
        self.hosts: dict[int, tuple[torch.Tensor, str, int]] = {}
        """CPU tensors by identity, with the path and how often they were written."""
        self.places: dict[int, list[Place]] = {}
        """The places of each tensor that can be filled anew; a tuple's are not among them."""
        self.optimizers: list[torch.optim.Optimizer] = []
        self.complete = True
        self._seen: dict[int, Any] = {}
        self._roots = {id(getattr(root, "__func__", root)) for root in roots.values()}
        self._waiting: list[tuple[Any, str]] = [(root, path) for path, root in roots.items()]
        while self._waiting:
            self._visit(*self._waiting.pop())
        self._seen.clear()

    def _visit(self, x: Any, path: str) -> None:
        if isinstance(x, torch.Tensor):
            self.tensors.setdefault(id(x), (x, path))
            if x.device.type == "cpu":
                self.hosts.setdefault(id(x), (x, path, version_of(x)))
            return
        if id(x) in self._seen or isinstance(x, _LEAVES):
            return
        self._seen[id(x)] = x
        if len(self.looks) > MOST:
            self.complete = False
        elif isinstance(x, (dict, list, CellType)):
            self._contain(x, path)
        elif isinstance(x, (tuple, set, frozenset)):
            self._waiting += [(item, f"{path}[{i}]") for i, item in enumerate(x)]
        elif isinstance(x, FunctionType):
            self._function(x, path)
        elif isinstance(x, MethodType):
            self._waiting += [(x.__self__, path.rpartition(".")[0] or "self"), (x.__func__, path)]
        elif isinstance(x, functools.partial):
            self._waiting += [(x.func, path), (x.args, f"{path}.args"), (x.keywords, f"{path}.keywords")]
        elif isinstance(x, type):
            self._class(x)
        else:
            self._object(x, path)

    def _contain(self, held: Any, path: str, names: tuple[str, ...] | None = None) -> None:
        container = Container(held, path, names)
        self.containers.append(container)
        for key, value in container.look().items():
            self.looks[id(held), key] = value
            if isinstance(value, torch.Tensor):
                self.places.setdefault(id(value), []).append(Place(container, key))
            if not isinstance(value, _LEAVES):
                self._waiting.append((value, container.name_of(key)))
            if isinstance(key, torch.Tensor):
                self._waiting.append((key, f"a key of {path}"))

    def _function(self, function: FunctionType, path: str) -> None:
        if _is_foreign(function) and id(function) not in self._roots:
            return
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            self._waiting.append((cell, name))
        self._waiting += [(function.__defaults__ or (), f"{path}.defaults"), (function.__kwdefaults__ or {}, f"{path}.defaults")]
        names = _names(function.__code__)
        variables = function.__globals__
        own = tuple(name for name in names if name in variables and not _is_foreign(variables[name]))
        if own:
            self._contain(variables, "", own)
        for module in [variables[name] for name in own if isinstance(variables[name], ModuleType)]:
            used = tuple(name for name in names if name in vars(module))
            if used:
                self._contain(vars(module), module.__name__, used)

    def _class(self, kind: type) -> None:
        for base in kind.__mro__:
            if not _is_foreign(base) and (base is kind or id(base) not in self._seen):
                self._seen[id(base)] = base
                self._contain(base, base.__name__, tuple(vars(base)))

    def _object(self, x: Any, path: str) -> None:
        if isinstance(x, torch.optim.Optimizer):
            self.optimizers.append(x)
        module = _module_of(type(x))
        if module.startswith("lazymlir."):  # another steady function
            self._waiting.append((getattr(x, "__wrapped__", None), path))
            return
        if _is_standard(module) and not isinstance(x, types.SimpleNamespace) and module != "argparse":
            return
        variables = getattr(x, "__dict__", None)
        if isinstance(variables, dict):
            self._contain(variables, path)
        self._waiting.append((type(x), type(x).__name__))


def _names(code: CodeType) -> tuple[str, ...]:
    """The names that code and the code within it use."""
    names = dict.fromkeys(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= dict.fromkeys(_names(constant))
    return tuple(names)


def _module_of(x: Any) -> str:
    name = x.__name__ if isinstance(x, ModuleType) else getattr(x, "__module__", None)
    return name if isinstance(name, str) else ""


@functools.cache
def _is_standard(module: str) -> bool:
    """Whether a module is Python's own: by where it lies, for a program may have a `code.py` too."""
    if module == "__main__":
        return False
    file = getattr(sys.modules.get(module), "__file__", None)
    if file is None:
        return module.partition(".")[0] in sys.stdlib_module_names
    return file.startswith(_STANDARD) and "site-packages" not in file


def _is_foreign(x: Any) -> bool:
    """Whether a module, class or function belongs to Python, to torch or to this package: its variables are not the
    program's."""
    if not isinstance(x, ModuleType | type | FunctionType | BuiltinFunctionType):
        return False
    module = _module_of(x)
    return module.partition(".")[0] in ("torch", "lazymlir", "numpy", "jax") or _is_standard(module)
