"""Random numbers: each random record gets a key of its own, a pure function of the seed and of how many came before.

No state lives on the device, so a print or a barrier changes no number, and a seed repeats exactly, from cache too.
"""

from __future__ import annotations

from threading import Lock

__all__ = ["RandomKeys"]

_MASK = (1 << 64) - 1
_GAMMA = 0x9E3779B97F4A7C15


def _mix(x: int) -> int:
    """The finalizer of SplitMix64: a bijection of 64-bit numbers that spreads every bit."""
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
    return x ^ (x >> 31)


class RandomKeys:
    """The device's stream of keys. `seed` and `count` are its whole state."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self.count = 0
        self._lock = Lock()

    def reseed(self, seed: int) -> None:
        self.seed = seed & _MASK
        self.count = 0

    def next(self) -> int:
        """The next key, a signed 64-bit integer; keys of one seed never repeat."""
        with self._lock:  # threads share the stream
            self.count += 1
            key = _mix((_mix(self.seed) + self.count * _GAMMA) & _MASK)
        return key - (1 << 64) if key >> 63 else key
