"""Registers the device as soon as torch is there, whichever of the two is imported first.

After installation torch itself calls `autoload`, through the entry point group `torch.backends`. From a checkout nothing
tells torch about it, so `import lazymlir` leaves a finder behind that waits for torch's import.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

__all__ = ["autoload", "register_when_torch_is_there"]


def autoload() -> None:
    """Registers device `lazymlir`, without loading jax."""
    import_module("lazymlir.frontend_torch")


def register_when_torch_is_there() -> None:
    torch = sys.modules.get("torch")
    if torch is None:
        sys.meta_path.insert(0, _TorchFinder())
    elif hasattr(torch, "library"):  # else torch is being imported, and will call autoload
        autoload()


class _TorchFinder(MetaPathFinder):
    """Finds torch as the other finders would, and registers the device after it has run."""

    def find_spec(self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        if fullname != "torch":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(fullname)
        if spec is not None and spec.loader is not None:
            run = spec.loader.exec_module

            def run_and_register(module: Any) -> None:
                run(module)
                autoload()

            spec.loader.exec_module = run_and_register  # type: ignore[method-assign]
        return spec
