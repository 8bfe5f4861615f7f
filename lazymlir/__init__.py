"""lazymlir: unmodified PyTorch programs on a device that records, optimises in MLIR and runs by XLA.

Importing this package loads neither torch nor jax, except that the device is registered at once where torch is already
there; each public name loads what it needs.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

from ._autoload import register_when_torch_is_there

__version__ = "0.1.0"

_PUBLIC = {
    "lazymlir.tensor": (
        "Tensor", "device", "sync", "mark_step", "manual_seed", "tensor", "as_tensor", "empty", "zeros", "ones", "full", "arange", "linspace", "eye",
        "rand", "randn", "randint", "randperm",
    ),
    "lazymlir.debug": ("ir_text", "ir_graph"),
    "lazymlir.config": ("config",),
    "lazymlir.core.loops": ("loop",),
    "lazymlir.frontend_torch.steady.function": ("steady",),
    "lazymlir.frontend_torch.control.flow": ("cond", "while_loop"),
}  # fmt: skip
_HOME = {name: module for module, names in _PUBLIC.items() for name in names}

__all__ = ["__version__", "metrics", *_HOME]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(import_module(_HOME[name]), name)
        globals()[name] = value
        return value
    if name in ("metrics", "errors", "passes", "dialect"):
        return import_module(f"lazymlir.{name}")
    raise AttributeError(f"module 'lazymlir' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


if "LAZYMLIR_CPU_MALLOC" in os.environ and import_module("lazymlir.config").config.cpu_malloc:
    import_module("lazymlir.runtime.malloc").keep_memory()  # before anything below starts a thread
register_when_torch_is_there()
