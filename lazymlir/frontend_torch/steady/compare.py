"""Whether two recordings of a body are the same program, and which of its scalars follow what."""

from __future__ import annotations

import math
from typing import Any

import torch

from lazymlir.errors import SteadyError

from .guard import same
from .numbers import same_plain
from .recording import FOLLOW_ALL, Copy, Known, Recording, Source

__all__ = ["Escaped", "Unlike", "require_alike", "scalars"]

Token = tuple[Any, ...]


class Unlike(Exception):
    """Two recordings differ, which they may at first, while optimizers make their state."""


class Escaped(Exception):
    """A followed number went where it cannot be followed: into C++, or a library, and came back as another number."""


def _is_moved(old: Any, new: Any) -> bool:
    """Whether numbers differ by so little that they may have been computed of a followed number's tag."""
    return type(old) is type(new) is float and math.isclose(old, new, rel_tol=1e-4)


def _all_moved(old: Copy, new: Copy) -> bool:
    one, other = (torch.frombuffer(bytearray(copy.constant), dtype=copy.floating or torch.float32) for copy in (old, new))
    return torch.allclose(one, other, rtol=1e-4)


def require_alike(before: Recording, now: Recording) -> None:
    """Unlike where the recordings are not the same operations on the same tensors."""
    records = zip(before.trace.records, now.trace.records, strict=False)
    for number, (old, new) in enumerate(records):
        if old != new:
            raise Unlike(f"{new[0]} is recorded at {now.line(number)} where {old[0]} was before, or of other operands")
    if len(before.trace.records) != len(now.trace.records):
        raise Unlike(f"{len(now.trace.records)} operations are recorded where {len(before.trace.records)} were before")
    for leaf, (old, new) in enumerate(zip(before.leaves, now.leaves, strict=True)):
        if not _sources_alike(before, now, old, new):
            raise Unlike(f"another tensor than before is used at {now.line_of_leaf(leaf)}")
    if before.structure != now.structure:
        raise Unlike("the result has another structure than before")
    _require_alike_effects(before, now)


def _sources_alike(before: Recording, now: Recording, old: list[Source], new: list[Source]) -> bool:
    if old[0][0] == new[0][0] == "copy":
        one, other = before.copies[old[0][1]], now.copies[new[0][1]]
        return (one.token, one.window, one.dtype, one.sizes) == (other.token, other.window, other.dtype, other.sizes)
    return any(_source_alike(before, now, one, other) for one in old for other in new)


def _source_alike(before: Recording, now: Recording, old: Source, new: Source) -> bool:
    if old[0] == new[0] == "known":
        return _known_alike(before.known[old[1]], now.known[new[1]])
    return old == new


def _known_alike(old: Known, new: Known) -> bool:
    return not old.tokens.isdisjoint(new.tokens) and old.geometry == new.geometry and old.home is new.home


def _require_alike_effects(before: Recording, now: Recording) -> None:
    if len(before.writes) != len(now.writes):
        raise Unlike(f"{len(now.writes)} tensors are written where {len(before.writes)} were before")
    for k, source in now.writes.items():
        known = now.known[k]
        if not any(_known_alike(before.known[j], known) and _source_alike(before, now, old, source) for j, old in before.writes.items()):
            raise Unlike(f"{known.path} is written otherwise than before")
    for token, path, spec in now.keeps:
        if not any(token == old[0] and _spec_alike(before, now, old[2], spec) for old in before.keeps):
            raise Unlike(f"{path} is replaced by another tensor than before")
    if len(before.keeps) != len(now.keeps):
        raise Unlike("other tensors are replaced than before")
    for old, new in zip(before.outputs, now.outputs, strict=True):
        if old[0] == new[0] == "plain" and not same(old[1], new[1]):
            raise Unlike(f"the function returns {new[1]!r} and returned {old[1]!r}: only tensors may vary")
        if old[0] != new[0] or not _spec_alike(before, now, old, new):
            raise Unlike("the function returns another tensor than before")


def _spec_alike(before: Recording, now: Recording, old: Any, new: Any) -> bool:
    if old[0] != new[0] or old[2] != new[2]:
        return False
    if new[0] in ("known", "view"):
        return _known_alike(before.known[old[1]], now.known[new[1]])
    if new[0] == "fresh":
        one, other = before.fresh[old[1]], now.fresh[new[1]]
        return one.home is other.home and _source_alike(before, now, one.source, other.source)
    return same(old[1], new[1])


def scalars(before: Recording, now: Recording) -> dict[int, str]:
    """The slots that follow a number, with their expressions; all others are constants. SteadyError where one varies and
    follows none; Unlike where a number varies that nothing follows."""
    found = dict(now.expressions)
    apart = {*now.key_slots, *(slot + j for slot, i in now.windows for j in range(len(now.arguments.starts[i])))}
    for slot, (old, new) in enumerate(zip(before.trace.slots, now.trace.slots, strict=True)):
        if slot in apart:
            continue
        if before.expressions.get(slot) != found.get(slot):
            raise Unlike(f"a number at {now.line_of_slot(slot)} is computed otherwise than before")
        if slot in found or same_plain(old, new):
            continue
        what = f"a number varies that is no argument, at {now.line_of_slot(slot)}: it was {old!r} and is {new!r}"
        integer = next((new for old, new in zip(before.numbers, now.numbers, strict=True) if type(new) is int and old != new), None)
        if integer is not None:
            raise Unlike(f"the argument {integer} varies, and an integer is part of the program: pass a float, a tensor or a window of one")
        if now.follow and _is_moved(old, new):
            raise Escaped(what)
        if now.follow < FOLLOW_ALL and before.numbers != now.numbers:
            raise Unlike(f"{what}; torch computes it of an argument or rate, which therefore may not vary")
        raise SteadyError(f"{what}; pass it as an argument of the steady function")
    _require_constant(before, now)
    return found


def _require_constant(before: Recording, now: Recording) -> None:
    """What the body makes on the host must be the same each time; and if CPU tensors are arguments, they must have varied
    meanwhile, or it could have been made of them."""
    for leaf, sources in enumerate(now.leaves):
        kind, j = sources[0]
        if kind != "copy" or now.copies[j].token is not None:
            continue
        line = now.line_of_leaf(leaf)
        old, new = before.copies[before.leaves[leaf][0][1]], now.copies[j]
        if new.constant != old.constant:
            if now.follow and new.floating is not None and _all_moved(old, new):
                raise Escaped(f"a tensor used at {line} is made of a number")
            raise SteadyError(f"a tensor that the body makes on the CPU varies, used at {line}: pass it as an argument of the steady function")
        if any(old == new for old, new in zip(before.hosts, now.hosts, strict=True)):
            raise Unlike(f"a tensor used at {line} is made on the CPU, perhaps of an argument that has not varied yet")
