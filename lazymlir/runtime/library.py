"""torch's CPU kernels for XLA's programs: what `lazy-call-library` calls.

The handlers (handlers.mlir) are LLVM-dialect MLIR, compiled at first use by MLIR's execution engine (15 ms). They call torch's C
interface by the addresses that its library has them at.
"""

from __future__ import annotations

import atexit
import ctypes
import os
from functools import cache
from pathlib import Path
from typing import Any

from lazymlir.logs import log
from lazymlir.mlir import ExecutionEngine, ir

__all__ = ["is_ready", "offer"]

HANDLERS = ("lazymlir_matmul", "lazymlir_convolution", "lazymlir_convolution_gradient")
"""Names of custom calls, in the order of `@handlers`."""

EXPLAIN = "torch_exception_get_what_without_backtrace"

_library = ""
_engine: ExecutionEngine | None = None


def offer(library: str) -> None:
    """Says where the shared library with torch's kernels is."""
    global _library
    _library = library
    atexit.register(_close)  # here, so that what the user registers later runs before
    os.register_at_fork(after_in_child=lambda: atexit.unregister(_close))  # a kernel that runs now never ends in the child


def _close() -> None:
    """Programs may still run when the process ends: no kernel does, once torch is taken apart."""
    if _engine is not None:
        _call(_engine, "close")


@cache
def is_ready() -> bool:
    """Whether programs may call the library: where one was offered that has the functions, and XLA takes the handlers."""
    if not _library:
        return False
    import jax  # not before a program is compiled: it takes most of a second

    try:
        for name, address in zip(HANDLERS, _compile(ctypes.CDLL(_library)), strict=True):
            jax.ffi.register_ffi_target(name, _capsule(address), platform="cpu")
    except Exception as error:  # of several libraries, in versions to come
        log("passes", 1, "contractions and convolutions stay with XLA, its programs cannot call torch's kernels: %s", error)
        return False
    return True


def _compile(library: ctypes.CDLL) -> list[int | None]:
    """The addresses of the handlers."""
    global _engine
    with ir.Context():
        module = ir.Module.parse((Path(__file__).parent / "handlers.mlir").read_text())
        declared = [op for op in module.body.operations if op.operation.name == "llvm.func" and not op.operation.regions[0].blocks]
        _engine = ExecutionEngine(module)
        for op in declared:
            name = ir.StringAttr(op.operation.attributes["sym_name"]).value
            _engine.raw_register_runtime(name, ctypes.cast(getattr(library, name), ctypes.c_void_p))  # its dependencies are searched too
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(_engine))  # its code outlives the interpreter: threads of XLA's may still be in it
    explain = ctypes.cast(getattr(library, EXPLAIN), ctypes.c_void_p) if hasattr(library, EXPLAIN) else ctypes.c_void_p()
    found = (ctypes.c_void_p * len(HANDLERS))()
    _call(_engine, "handlers", explain, ctypes.c_void_p(ctypes.addressof(found)))
    return [*found]


def _call(engine: ExecutionEngine, name: str, *arguments: ctypes.c_void_p) -> None:
    """Calls a function of handlers.mlir: what the engine gives takes an array of the arguments' addresses."""
    places = (ctypes.c_void_p * len(arguments))(*map(ctypes.addressof, arguments))
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(engine.raw_lookup(name))(ctypes.addressof(places))


def _capsule(address: int | None) -> Any:
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    return new(address, None, None)
