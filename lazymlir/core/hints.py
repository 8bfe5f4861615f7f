"""Hints: `for i in lazymlir.loop(range(n))` tells where the iterations of a loop of the host's language begin.

(LazyTensor paper, future work on re-rolling loops: "the host language could provide hints".) Nothing is recorded as an
operation, and loops are found without: but where the program says that there is one, it is told why it was none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from .locations import Location, describe

if TYPE_CHECKING:
    from .trace import Signature, Trace

__all__ = ["Hint", "remarks"]


class Hint:
    """A loop of the user's program, and where it stands."""

    def __init__(self, location: Location) -> None:
        self.location = location


def remarks(trace: Trace) -> Iterator[str]:
    """Of each line with a loop whose iterations differ: where they first do. The first of several may be another, as it is where
    there is no state yet: the loop is then made of the rest."""
    told = set()
    for hint, begins in trace.begins.items():
        place = describe(hint.location)
        bodies = [[signature for signature, _ in trace.records[start:end]] for start, end in pairwise(begins)]
        usual = 1 if len(bodies) > 2 else 0
        odd = next((i for i in range(usual, len(bodies)) if bodies[i] != bodies[usual]), None)
        if odd is None or place in told:
            continue
        told.add(place)
        one, other = (_Body(trace, bodies[i], begins[i]) for i in (odd, usual))
        at = next((at for at, pair in enumerate(zip(one.signatures, other.signatures, strict=False)) if pair[0] is not pair[1]), None)
        at = min(len(one.signatures), len(other.signatures)) if at is None else at
        said = f"number {odd} records {one.tell(at)}, where number {usual} records {other.tell(at)}"
        yield f"the iterations of the loop at {place} are not alike: {said}"


class _Body:
    """What an iteration recorded, and where."""

    def __init__(self, trace: Trace, signatures: Sequence[Signature], start: int) -> None:
        self.trace, self.signatures, self.start = trace, signatures, start

    def tell(self, at: int) -> str:
        """Its operation number `at`, in words."""
        if at == len(self.signatures):
            return "nothing more"
        signature = self.signatures[at]
        return f"{signature} of {', '.join(map(str, signature.operand_types)) or 'nothing'} (at {describe(self.trace.location(self.start + at))})"
