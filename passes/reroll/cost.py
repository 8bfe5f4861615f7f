"""Whether a loop pays."""

from __future__ import annotations

from .proof import VARYING, Loop
from .sequence import Sequence

__all__ = ["Judge"]

ENOUGH = 400
"""So many operations less are worth a loop."""

_seen: dict[int, set[int]] = {}
"""By body, the trip counts that this process has met."""


class Judge:
    def __init__(self, sequence: Sequence, mode: str, remember: bool) -> None:
        self.sequence = sequence
        self.mode = mode
        self.remember = remember
        self.remarks: list[str] = []

    def pays(self, loop: Loop, instances: int) -> bool:
        saved = loop.period * (loop.count - 1)
        if self.mode == "always":
            return True
        return saved >= ENOUGH
