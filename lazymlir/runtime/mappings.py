"""How many memory mappings the process has left: XLA's programs on the CPU take some tens each, and the process ends where
Linux gives no more."""

from __future__ import annotations

from pathlib import Path

__all__ = ["are_scarce"]

_SCARCE = 0.6
"""A program may take some thousands, and the system counts those of threads and libraries too."""


def are_scarce() -> bool:
    """Whether more than this share of the mappings is taken; False where the system does not tell."""
    try:
        taken = Path("/proc/self/maps").read_bytes().count(b"\n")
        return taken > _SCARCE * int(Path("/proc/sys/vm/max_map_count").read_text())
    except (OSError, ValueError):
        return False
