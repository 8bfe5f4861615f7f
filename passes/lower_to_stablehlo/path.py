"""Lowerings of dialect/path.py."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from lazymlir.dialect import Node, TensorType

from .registry import Emitter, i64s, lowering


def _log_of_sum(e: Emitter, terms: Sequence[Node]) -> Node:
    """The logarithm of a sum of powers of e; -inf where all of them are 0."""
    type_ = terms[0].type
    largest = terms[0]
    for term in terms[1:]:
        largest = e.op("maximum", type_, largest, term)
    largest = e.select(e.compare("EQ", largest, e.splat(-inf, type_)), e.splat(0.0, type_), largest)
    total: Node | None = None
    for term in terms:
        power = e.op("exponential", type_, e.op("subtract", type_, term, largest))
        total = power if total is None else e.op("add", type_, total, power)
    assert total is not None
    return e.op("add", type_, e.op("log", type_, total), largest)


@lowering("path_sums")
def path_sums(e: Emitter, result: TensorType, x: Node, start: Node, skips: Node) -> Node:
    """A loop over time: carries the time, the sums of the time before, and the sums of all times."""
    if result.size == 0:
        return x
    times, batch, states = result.shape
    places, one_time = TensorType((), "i32"), result.with_shape((1, batch, states))

    def condition(e: Emitter, time: Node, *_: Node) -> Sequence[Node]:
        return [e.compare("LT", time, e.splat(times, places))]

    def step(e: Emitter, time: Node, before: Node, sums: Node, x: Node, start: Node, skips: Node) -> Sequence[Node]:
        zero, nothing = e.splat(0, places), e.splat(-inf, result.with_shape(()))

        def now(all_times: Node) -> Node:
            sliced = e.op("dynamic_slice", one_time, all_times, time, zero, zero, slice_sizes=i64s(one_time.shape))
            return e.reshape(sliced, before.shape)

        def earlier(distance: int) -> Node:
            return e.pad(before, nothing, (0, distance), (0, -distance))

        skipped = e.select(skips, earlier(2), e.splat(-inf, before.type))
        reached = e.op("add", before.type, _log_of_sum(e, [before, earlier(1), skipped, now(start)]), now(x))
        sums = e.op("dynamic_update_slice", result, sums, e.reshape(reached, one_time.shape), time, zero, zero)
        return [e.shifted(time, 1), reached, sums, x, start, skips]

    none = e.splat(-inf, result.with_shape((batch, states)))
    initial = [e.splat(0, places), none, e.splat(-inf, result), x, start, skips]
    return e.loop(initial, condition, step)[2]
