"""Whether a loop pays.

XLA's time to compile grows faster than a program, and a loop of parameters serves any trip count; but what stands in one
piece is fused, and what varies from iteration to iteration has to be stacked. So a loop pays

- where it saves `ENOUGH` operations; `ENOUGH_FREE` where no type depends on the trip count: such a loop takes as long as
  its operations in a row, and serves any count that comes; but `ENOUGH_SLOWER` where it runs slower: where all are pointwise,
  which XLA fuses into one kernel, while a loop goes through memory each time; and with convolutions, which XLA's CPU compiler
  does better outside of loops;
- where its body was met with another trip count before, if no type depends on that: then it is the last time that it is
  compiled;
- but not where it has to move more than `MOVED` bytes for each operation that it saves, to stack what varies and to keep what
  is read afterwards: where tensors are large, fewer operations are no gain.
"""

from __future__ import annotations

from lazymlir.dialect import OPS, tensor_type

from .proof import VARYING, Loop, read_afterwards
from .sequence import Sequence

__all__ = ["Judge"]

ENOUGH = 400
ENOUGH_FREE = 24
ENOUGH_SLOWER = 4000
MOVED = 1 << 15

FEWEST = 12
"""Nothing that saves less than so many operations is looked at."""

_FUSED = ("pointwise", "view", "leaf")
"""Groups of operations that XLA fuses."""

_met: dict[int, set[int]] = {}
"""By the hash of a body: the trip counts that this process has met. A wrong hit costs one compilation."""


class Judge:
    def __init__(self, sequence: Sequence, mode: str, remember: bool) -> None:
        """`mode` is auto, or always where all loops are wanted. With `remember`, bodies are known from one graph to the next."""
        self.sequence = sequence
        self.mode = mode
        self.remember = remember
        self.remarks: list[str] = []
        self.fewest = 1 if mode == "always" else FEWEST

    def pays(self, loop: Loop) -> bool:
        """Whether to write it; leaves a remark."""
        reason = self._against(loop)
        self._remark(loop.start, loop.period, loop.count, "become a loop" if reason is None else f"stay unrolled: {reason}")
        return reason is None

    def is_none(self, start: int, period: int, count: int) -> None:
        """Leaves a remark on the same operations several times in a row that are no loop."""
        if period * (count - 1) >= ENOUGH_FREE:
            self._remark(start, period, count, "are no loop: what they read does not follow from one iteration to the next")

    def _remark(self, start: int, period: int, count: int, verdict: str) -> None:
        where = self.sequence.operations[start].location
        self.remarks.append(f"{where}: {count} iterations of {period} operations {verdict}")

    def _against(self, loop: Loop) -> str | None:
        if self.mode == "always":
            return None
        saved = loop.period * (loop.count - 1)
        kept = {result for result, iterations in read_afterwards(self.sequence, loop).items() if iterations != {loop.count - 1}}
        free = not kept and not (loop.kinds == VARYING).any()  # no type depends on the trip count
        if free and self._met_otherwise(loop):
            return None
        enough = ENOUGH_SLOWER if self._runs_slower(loop) else ENOUGH_FREE if free else ENOUGH
        if saved < enough:
            return f"a loop would save {saved} operations, less than {enough}"
        moved = self._moved(loop, kept)
        if moved > MOVED * saved:
            return f"a loop would save {saved} operations, but move {moved} bytes"
        return None

    def _runs_slower(self, loop: Loop) -> bool:
        names = {op.name.removeprefix("lazy.") for op in self.sequence.operations[loop.start : loop.start + loop.period]}
        return "convolution" in names or all(name in OPS and not OPS[name].groups.isdisjoint(_FUSED) for name in names)

    def _met_otherwise(self, loop: Loop) -> bool:
        if not self.remember:
            return False
        body = self.sequence.operations[loop.start : loop.start + loop.period]
        operations = tuple(
            (op.name, *(f"{name}={value}" for name, value in op.attributes.items() if name != "slot"), str(op.results[0].type)) for op in body
        )
        counts = _met.setdefault(hash((operations, tuple(loop.kinds.tolist()))), set())
        counts.add(loop.count)
        return len(counts) > 1

    def _moved(self, loop: Loop, kept: set[int]) -> int:
        """The bytes of all that varies and of the results that are kept of each iteration."""
        sequence = self.sequence
        base = int(sequence.first_value[loop.start])
        varying = {tuple(column) for column in loop.sources[:, loop.kinds == VARYING].T.tolist()}
        one_each = [*(base + result for result in kept), *(column[0] for column in varying)]
        return loop.count * sum(tensor_type(sequence.value(value).type).nbytes for value in one_each)
