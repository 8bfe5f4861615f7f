"""`LAZYMLIR_CPU_MALLOC=1`: memory that programs have used is kept for the next one.

XLA:CPU allocates a program's temporary buffer anew at each step, glibc maps and unmaps it, and the kernel zeroes it page by page
(10 to 20 % of a training step). With these settings large blocks come from one heap that never shrinks. They hold for the whole
process, which is why they are asked for: what was allocated once is never returned to the system.
"""

from __future__ import annotations

import ctypes
import warnings

__all__ = ["keep_memory"]

# From malloc.h.
_SETTINGS = {"M_ARENA_MAX": (-8, 1), "M_MMAP_MAX": (-4, 0), "M_TRIM_THRESHOLD": (-1, 2**31 - 1), "M_TOP_PAD": (-2, 64 << 20)}


def keep_memory() -> bool:
    """Changes the settings, if that still has an effect; warns and returns False where not."""
    libc = ctypes.CDLL(None)
    if not hasattr(libc, "gnu_get_libc_version"):
        warnings.warn("LAZYMLIR_CPU_MALLOC=1 has no effect: it is for glibc, and this process has another C library", stacklevel=2)
        return False
    if _arenas(libc) > 1:
        warnings.warn(
            "LAZYMLIR_CPU_MALLOC=1 has no effect: threads of this process have memory of their own already; import lazymlir before the first "
            "operation of torch or jax",
            stacklevel=2,
        )
        return False
    refused = [name for name, (number, value) in _SETTINGS.items() if not libc.mallopt(number, value)]
    if refused:
        warnings.warn(f"LAZYMLIR_CPU_MALLOC=1: this C library refuses {', '.join(refused)}", stacklevel=2)
    return not refused


def _arenas(libc: ctypes.CDLL) -> int:
    """How many heaps malloc has: a thread gets its own with its first allocation, and keeps it."""
    libc.open_memstream.restype = ctypes.c_void_p
    text, size = ctypes.c_char_p(), ctypes.c_size_t()
    stream = ctypes.c_void_p(libc.open_memstream(ctypes.byref(text), ctypes.byref(size)))
    libc.malloc_info(0, stream)
    libc.fclose(stream)
    heaps = (text.value or b"").count(b"<heap nr=")
    libc.free(text)
    return heaps
