"""The only file that imports MLIR bindings; everything else takes them from here.

PyPI's `mlir-python-bindings` is an empty placeholder, so the wheel `torch-mlir` (which carries the full upstream
bindings and the StableHLO dialect) stands in for it. The day the real package exists, this file changes and no other.
"""

from __future__ import annotations

import sys
import threading
import types

# `torch_mlir.ir` wants numpy for four attribute builders that nothing here uses; leaving it out halves the start-up time
# of `lazymlir-opt`. A process that already has numpy keeps it.
_numpy_left_out = "numpy" not in sys.modules
if _numpy_left_out:
    sys.modules["numpy"] = None  # type: ignore[assignment]
try:
    from torch_mlir import ir
    from torch_mlir._mlir_libs import _mlir, _stablehlo, _torchMlir
    from torch_mlir._mlir_libs._mlirExecutionEngine import ExecutionEngine
    from torch_mlir.dialects import ext, func
    from torch_mlir.passmanager import PassManager
finally:
    if _numpy_left_out:
        del sys.modules["numpy"]

__all__ = ["ExecutionEngine", "PassManager", "ext", "func", "ir", "new_context", "shared_context", "stablehlo"]

stablehlo = _stablehlo

_SEARCH_PREFIX = "lazymlir._op_views"


def _stop_repeated_imports() -> None:
    """Without a module per dialect the bindings retry a failing import for every operation they touch (18 us each)."""
    package = types.ModuleType(_SEARCH_PREFIX)
    package.__path__ = []
    sys.modules[_SEARCH_PREFIX] = package
    for namespace in ("lazy", "stablehlo", "chlo"):
        sys.modules[f"{_SEARCH_PREFIX}.{namespace}"] = types.ModuleType(f"{_SEARCH_PREFIX}.{namespace}")
    _mlir.globals.append_dialect_search_prefix(_SEARCH_PREFIX)


_stop_repeated_imports()
_stablehlo.register_stablehlo_passes()

# Loading one dialect into two contexts at a time races inside the bindings (ext.py keeps the module on the class).
_load_lock = threading.RLock()
_shared: ir.Context | None = None


def new_context() -> ir.Context:
    """A context with `lazy`, `func`, `stablehlo` and `chlo` loaded."""
    from lazymlir import dialect

    with _load_lock:
        context = ir.Context()
        _stablehlo.register_dialect(context)
        with context:
            dialect.load()
            _load_chlo(context)
    return context


def _load_chlo(context: ir.Context) -> None:
    """chlo has no registration of its own here, but a conversion pass that depends on it loads it."""
    _torchMlir.register_dialect(context)
    empty = ir.Module.parse("module { func.func @f() { return } }", context)
    PassManager.parse("builtin.module(func.func(convert-torch-to-stablehlo))", context).run(empty.operation)


def shared_context() -> ir.Context:
    """The context of this process's graphs, made on first use."""
    global _shared
    with _load_lock:
        if _shared is None:
            _shared = new_context()
    return _shared
