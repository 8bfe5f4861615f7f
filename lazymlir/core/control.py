"""The records of control flow: one for a conditional, one for a loop, with what their functions recorded as regions.

Each condition on values that a region requires (a check) is judged only where the region runs: what it found is a further
result of the operation. In a loop each iteration draws random numbers of its own, because the keys are state: an iteration
splits each in two, one to draw from and one for the next iteration.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from weakref import WeakValueDictionary

from lazymlir.dialect import Builder, Node, TensorType, control
from lazymlir.dialect.builder import Check

from .regions import Fragment
from .trace import Signature

__all__ = ["conditional", "loop"]

_FOUND = TensorType((2,), "i64")
"""What a check has found: whether it failed, and what it tells."""

_signatures: WeakValueDictionary[Any, Signature] = WeakValueDictionary()


def _interned(key: tuple[Any, ...], make: Callable[[], Signature]) -> Signature:
    """The one signature of equal fragments, so that equal traces are equal."""
    found = _signatures.get(key)
    if found is None:
        found = _signatures[key] = make()
    return found


def conditional(then: Fragment, otherwise: Fragment, operands: Sequence[TensorType], results: Sequence[TensorType]) -> Signature:
    """Of the operands (pred, *captured) the results of `then` where pred, a 0-dim bool, holds, else those of `otherwise`. Its
    scalars are those of both, in order."""
    return _interned(("cond", then, otherwise, *operands), lambda: _conditional(then, otherwise, operands, results))


def _conditional(then: Fragment, otherwise: Fragment, types: Sequence[TensorType], results: Sequence[TensorType]) -> Signature:
    own = len(then.slot_kinds)
    checks = (*then.checks, *otherwise.checks)

    def emit(b: Builder, operands: Sequence[Node], scalars: Sequence[Node]) -> list[Node]:
        holds, *captured = operands

        def first(inner: Builder) -> list[Node]:
            made, found = _emitted(inner, then, captured, scalars[:own])
            return [*made, *found, *_nothing(inner, len(otherwise.checks))]

        def second(inner: Builder) -> list[Node]:
            made, found = _emitted(inner, otherwise, captured, scalars[own:])
            return [*made, *_nothing(inner, len(then.checks)), *found]

        made = control.conditional(b, holds, first, second, [*results, *[_FOUND] * len(checks)])
        _require(b, made[len(results) :], checks)
        return made[: len(results)]

    signature = Signature("cond", emit, types, (*then.slot_kinds, *otherwise.slot_kinds), results)
    signature.checks = checks
    return signature


def loop(condition: Fragment, body: Fragment, operands: Sequence[TensorType], state: int) -> Signature:
    """The operands are the initial state, so many values, and what is captured; `condition` gives a 0-dim bool, `body` the next
    state. Results are the last state, scalars those of both in order."""
    return _interned(("while_loop", condition, body, state, *operands), lambda: _loop(condition, body, operands, state))


def _loop(condition: Fragment, body: Fragment, types: Sequence[TensorType], count: int) -> Signature:
    own = len(condition.slot_kinds)
    kinds = (*condition.slot_kinds, *body.slot_kinds)
    keys = [place for place, kind in enumerate(kinds) if kind == "key"]
    checks = (*condition.checks, *body.checks)

    def emit(b: Builder, operands: Sequence[Node], scalars: Sequence[Node]) -> list[Node]:
        captured = operands[count:]

        def step(inner: Builder, carried: Sequence[Node]) -> list[Node]:
            before, drawn, state = carried[1 : 1 + len(checks)], carried[1 + len(checks) : -count], carried[-count:]
            numbers = list(scalars)
            for place, key in zip(keys, drawn, strict=True):
                numbers[place] = key
            state, found, numbers[own:] = _once(inner, body, [*state, *captured], numbers[own:])
            goes_on, asked, numbers[:own] = _once(inner, condition, [*state, *captured], numbers[:own])
            found = [_first(inner, old, new) for old, new in zip(before, [*asked, *found], strict=True)]
            return [*goes_on, *found, *[numbers[place] for place in keys], *state]

        numbers = list(scalars)
        goes_on, asked, numbers[:own] = _once(b, condition, operands, numbers[:own])
        found = [*asked, *_nothing(b, len(body.checks))]
        ended = control.loop(b, [*goes_on, *found, *[numbers[place] for place in keys], *operands[:count]], lambda _, now: now[0], step)
        _require(b, ended[1 : 1 + len(checks)], checks)
        return ended[-count:]

    signature = Signature("while_loop", emit, types, kinds, types[:count])
    signature.checks = checks
    return signature


def _emitted(b: Builder, fragment: Fragment, captured: Sequence[Node], scalars: Sequence[Node]) -> tuple[list[Node], list[Node]]:
    """The results of a fragment, and what its checks find."""
    around, b.checks = b.checks, []
    made = fragment.emit(b, captured, scalars)
    found, b.checks = [check.found for check in b.checks], around
    return made, found


def _once(b: Builder, fragment: Fragment, captured: Sequence[Node], scalars: Sequence[Node]) -> tuple[list[Node], list[Node], list[Node]]:
    """The results of one time that a fragment runs, what its checks find, and its scalars for the next time."""
    own, following = list(scalars), list(scalars)
    for place, kind in enumerate(fragment.slot_kinds):
        if kind == "key":
            own[place], following[place] = _split(b, scalars[place])
    return *_emitted(b, fragment, captured, own), following


def _split(b: Builder, key: Node) -> list[Node]:
    """Two keys of one."""
    pair = b.bitcast(b.random_bits(key, result=TensorType((2,), "ui64")), dtype="i64")
    return [b.reshape(b.static_slice(pair, 0, place, 1), ()) for place in range(2)]


def _first(b: Builder, old: Node, new: Node) -> Node:
    """What was found in the first iteration in which a check failed."""
    failed = b.static_slice(old, 0, 0, 1)
    return b.where(b.expand(b.ne(failed, b.constant(0, failed.type)), old.shape), old, new)


def _nothing(b: Builder, count: int) -> list[Node]:
    """What so many checks find that are not made."""
    return [b.constant(0, _FOUND)] * count


def _require(b: Builder, found: Sequence[Node], checks: Sequence[tuple[type[Exception], str]]) -> None:
    b.checks += [Check(node, error, message) for node, (error, message) in zip(found, checks, strict=True)]
