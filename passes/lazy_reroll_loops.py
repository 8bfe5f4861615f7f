"""Makes loops of operations that stand there again and again, as a loop of the host's language has recorded them.

    %1 = "lazy.dot"(%s, %w) ...
    %2 = "lazy.tanh"(%1) ...
    %3 = "lazy.dot"(%2, %w) ...
    %4 = "lazy.tanh"(%3) ...
    (and so on)
becomes
    %count = "lazy.count"() {value = 29 : i64} : () -> tensor<i64>
    %r:2 = stablehlo.while(%i = %zero, %x = %s) : tensor<i64>, tensor<4x4xf32>
    cond { ... %i < %count }
    do {
      %1 = "lazy.dot"(%x, %w) ...
      %2 = "lazy.tanh"(%1) ...
      ... %i + 1, %2
    }

The LazyTensor paper leaves it as future work ("re-rolling loops"). reroll/ has the parts: sequence.py reads the function,
repeats.py finds what stands there several times, proof.py proves from the flow of data that it is a loop, search.py chooses,
cost.py says whether it pays, and emit.py writes. The dialect has no loop of its own: IRDL's variadic operands are of one type.

A graph that has no loop is left as it is, and so is everything of which the proof fails: the pass never changes a result
but by the order in which XLA rounds.
"""

from __future__ import annotations

from dataclasses import dataclass

from lazymlir.logs import log
from lazymlir.mlir import ir

from .base import Pass, functions, register

__all__ = ["LazyRerollLoops"]


@register
@dataclass(frozen=True)
class LazyRerollLoops(Pass):
    """Make loops of operations that stand there again and again."""

    name = "lazy-reroll-loops"

    mode: str = "auto"
    remember: bool = False

    def run(self, module: ir.Module) -> dict[str, int]:
        if self.mode == "off":
            return {}
        rolled = [count for function in functions(module) for count in self._reroll(function)]
        return {"loops rolled": len(rolled), "iterations rolled": sum(rolled)}

    def _reroll(self, function: ir.Operation) -> list[int]:
        from .reroll.cost import Judge  # numpy is loaded with it
        from .reroll.emit import write_loops
        from .reroll.search import find_loops
        from .reroll.sequence import Sequence

        sequence = Sequence(function)
        judge = Judge(sequence, self.mode, self.remember)
        loops = find_loops(sequence, judge)
        for remark in judge.remarks:
            log("passes", 2, "%s", remark)
        write_loops(sequence, loops)
        return [loop.count for loop in loops]
