"""Threads and processes: autograd's threads record for the one that called it; a forked child stays away from the device."""

from __future__ import annotations

import os
from typing import Any

import torch

from lazymlir.core.engine import engine

__all__ = ["install"]

_KEY = "lazymlir"


def install() -> None:
    """torch hands objects kept under a key in its thread-local state on to the threads that work for a thread."""
    tls = torch._C

    def get() -> Any:
        return tls._get_obj_in_tls(_KEY) if tls._is_key_in_tls(_KEY) else None

    engine.recorders.inherit(get, lambda recorder: tls._stash_obj_in_tls(_KEY, recorder))
    os.register_at_fork(after_in_child=engine.leave)
