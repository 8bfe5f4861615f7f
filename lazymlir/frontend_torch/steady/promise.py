"""A promise: a body that was recorded alike twice, what must hold for it to be replayed, and the replay."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import is_
from typing import Any

import torch

from lazymlir.core.engine import engine
from lazymlir.core.replay import Replay
from lazymlir.core.values import Value
from lazymlir.dialect.types import TensorType
from lazymlir.errors import fresh

from ..dtypes import TORCH_OF
from ..tensors import META, geometry_of, is_lazy, new_like_layout, put
from .arguments import Arguments, as_host, unflatten
from .compare import Unlike, require_alike, scalars
from .guard import Guard, same
from .numbers import compile_all, is_special
from .reach import Place
from .recording import Copy, Known, Recording, Source, Spec

__all__ = ["BROKEN", "Promise"]

BROKEN: Any = object()

_storage_of = torch.Tensor.untyped_storage
_as_strided = torch.ops.aten.as_strided.default.redispatch


def _has_grad(x: torch.Tensor) -> bool:
    return x.grad is not None


def _hooks(x: Any) -> tuple[list[Any], list[Any]]:
    """The hooks that autograd would call for a tensor."""
    return [*(x._backward_hooks or {}).values()], [*(x._post_accumulate_grad_hooks or {}).values()]


class _Tensors:
    """The tensors that were there before the body and that it used: how to find them again, and whether they are alike."""

    def __init__(self, before: Recording, now: Recording, guard: Guard) -> None:
        self._guard = guard
        self._places = {place.identity: place for places in now.start.places.values() for place in places}
        self._before = before
        self.index: dict[int, int] = {}
        """From the number of a known of the recording to the place here."""
        self.list: list[Any] = []
        """The tensors now; what is found anew at each call is None in between."""
        self.arguments: list[tuple[int, int]] = []
        self.places: list[tuple[int, Place, Known]] = []
        self.grads: list[tuple[int, int, Known]] = []
        self.without_grad: list[int] = []
        self._twice: list[tuple[int, int]] = []
        """Tensors that are arguments as well as what they are found as."""
        self._fixed: list[torch.Tensor] = []
        self._paths: list[str] = []
        self._now = now
        self.buffers: list[Any] = []

    def use(self, k: int) -> int:
        """The place of a known, which is then found at each call."""
        if k in self.index:
            return self.index[k]
        known = self._now.known[k]
        alike = [old for old in self._before.known if not old.tokens.isdisjoint(known.tokens)]
        tokens = known.tokens & frozenset(token for old in alike for token in old.tokens)
        place = self.index[k] = len(self.list)
        self.list.append(None)
        kinds = {token[0]: token for token in tokens}
        held = [token for token in known.tokens if token[0] == "place"]
        given = [token[1] for token in known.tokens if token[0] == "argument"]
        if kinds.keys() == {"argument"}:
            self.arguments.append((place, given.pop()))
        elif "tensor" in kinds and (not held or any(token[1:] in self._guard.held for token in held)):
            self.list[place] = known.tensor
            self._fixed.append(known.tensor)
            self._paths.append(known.path)
        elif "grad" in kinds:
            owner = next(j for j, other in enumerate(self._now.known) if kinds["grad"][1:] in other.tokens)
            self.grads.append((place, self.use(owner), known))
        elif "place" in kinds:
            self.places.append((place, self._places[kinds["place"][1:]], known))
        else:
            raise Unlike(f"{known.path} is another tensor than before")
        self._twice += [(place, i) for i in given]
        return place

    def has_grads_of(self, other: Recording) -> bool:
        """Whether the same of them had gradients in another recording."""
        owners = {token for k in self.index for token in self._now.known[k].tokens}
        one, another = (
            {token for known in r.known for token in known.tokens if token[0] == "grad" and token[1:] in owners} for r in (self._now, other)
        )
        return one == another

    def finish(self) -> None:
        """Every tensor is known that is used."""
        numbers = {place: k for k, place in self.index.items()}
        has_grad = {owner for _, owner, _ in self.grads}
        for place, k in numbers.items():
            x = self._now.known[k].tensor
            if x.requires_grad and x.is_leaf and place not in has_grad:
                if any(("grad", *token) in other.tokens for token in self._now.known[k].tokens for other in self._now.known):
                    continue  # a gradient that the body does not look at
                self.without_grad.append(place)
        fixed_known = [self._now.known[numbers[place]] for place, x in enumerate(self.list) if x is not None]
        self._looks = [(k.tensor, k.buffer, k.home, k.tensor.shape, k.tensor.stride(), k.tensor.requires_grad) for k in fixed_known]
        self._windows = [(x, int(x.storage_offset())) for x in self._fixed if _storage_of(x)._lazymlir.home.sizes != tuple(x.shape)]
        self._hooked = [x for x in self._fixed if x.requires_grad]
        self._hooks = list(map(_hooks, self._hooked))
        fixed = {id(x) for x in self._fixed}
        self._ungraded = [self.list[place] for place in self.without_grad if id(self.list[place]) in fixed]
        self.without_grad = [place for place in self.without_grad if id(self.list[place]) not in fixed]
        first: dict[int, int] = {}
        self._pattern = [first.setdefault(id(self._now.known[numbers[place]].buffer), place) for place in range(len(self.list))]
        self.buffers = [self._now.known[numbers[place]].buffer for place in range(len(self.list))]
        del self._now, self._before
        self._moving = bool(self.arguments or self.places or self.grads)

    def find(self, arguments: Arguments) -> str | None:
        """Finds them for a call; what is not as it was, or None."""
        tensors, buffers = self.list, self.buffers
        try:
            for x, buffer, home, sizes, strides, requires_grad in self._looks:
                own = _storage_of(x)._lazymlir
                if own is not buffer or own.home is not home or x.shape != sizes or x.stride() != strides or x.requires_grad is not requires_grad:
                    path = next(path for path, fixed in zip(self._paths, self._fixed, strict=True) if fixed is x)
                    return f"{path} is over other memory than before, or its shape or requires_grad changed"
            for x, offset in self._windows:
                if x.storage_offset() != offset:
                    return "a view begins elsewhere"
            for place, i in self.arguments:
                tensors[place] = x = arguments.leaves[i]
                buffers[place] = _storage_of(x)._lazymlir
        except AttributeError:
            return "a tensor is not on the device any more"
        if list(map(_hooks, self._hooked)) != self._hooks:
            return "a tensor has other hooks than before"
        if self._ungraded and any(map(_has_grad, self._ungraded)):
            return "a gradient is there that was None"
        for place, where, known in self.places:
            if not self._take(place, where.get(), known):
                return f"{known.path} is not alike"
        for place, owner, known in self.grads:
            if not self._take(place, tensors[owner].grad, known):
                return f"{known.path} is not alike"
        for place in self.without_grad:
            if tensors[place].grad is not None:
                return "a gradient is there that was None"
        for place, i in self._twice:
            if tensors[place] is not arguments.leaves[i]:
                return f"argument {i} was a tensor that the function has already"
        if self._moving:
            first: dict[int, int] = {}
            if [first.setdefault(id(buffer), place) for place, buffer in enumerate(buffers)] != self._pattern:
                return "other tensors share their memory than before"
        return None

    def _take(self, place: int, x: Any, known: Known) -> bool:
        if not is_lazy(x) or geometry_of(x) != known.geometry:
            return False
        buffer = getattr(_storage_of(x), "_lazymlir", None)
        if buffer is None or buffer.home is not known.home or x.requires_grad is not known.tensor.requires_grad:
            return False
        self.list[place], self.buffers[place] = x, buffer
        return True

    def drop(self) -> None:
        """Lets go of what is found anew at each call."""
        for found in (self.arguments, self.places, self.grads):
            for entry in found:
                self.list[entry[0]] = self.buffers[entry[0]] = None


class _Numbers:
    """The scalars of the trace: constants, and what follows the numbers of a call."""

    def __init__(self, before: Recording, now: Recording) -> None:
        expressions = scalars(before, now)
        self._rates = now.rates
        self._rates.unchanged()
        self._rest = now.rest
        self._places = now.arguments.numbers
        self._arguments: list[Any] = [BROKEN]
        self._slots = list(expressions)
        self._compute = compile_all(list(expressions.values()))
        self._results = compile_all([spec[1] for spec in now.outputs if spec[0] == "number"])
        self._holds = now.table.holds()
        self._special = [is_special(now.trace.slots[slot]) if type(now.trace.slots[slot]) is float else None for slot in self._slots]
        self.slots = list(now.trace.slots)
        self.results: list[Any] = []

    def broken(self, arguments: Arguments) -> str | None:
        """Takes over the numbers of a call; what does not go together with the recording, or None."""
        own = [arguments.leaves[i] for i in self._places]
        if self._rates.unchanged() and len(own) == len(self._arguments) and all(map(is_, own, self._arguments)):
            return None
        self._arguments = [BROKEN]
        numbers = own + self._rates.numbers()
        rest = self._rates.rest()
        if len(rest) != len(self._rest) or not all(map(same, rest, self._rest)):
            return "an optimizer's parameter groups changed"
        try:
            if not self._holds(numbers):
                return "a number changed that the program depends on"
            values, self.results = self._compute(numbers), self._results(numbers)
        except (ArithmeticError, ValueError):
            return "a number cannot be computed"
        for slot, value, special in zip(self._slots, values, self._special, strict=True):
            if special is not None and is_special(value) and not special:
                return f"a number became {value}"
            self.slots[slot] = value
        self._arguments = own
        return None

    def hold_of(self, other: Recording) -> bool:
        """Whether the numbers of another recording go together with this one."""
        return len(other.rest) == len(self._rest) and all(map(same, other.rest, self._rest)) and self._holds(other.numbers)


class Promise:
    """`broken` says why a call cannot be replayed, `run` replays it after that said None."""

    def __init__(self, before: Recording, now: Recording, between: Sequence[Recording]) -> None:
        require_alike(before, now)
        if not (now.start.complete and now.end.complete):
            raise Unlike("too much can be reached from the function")
        self._numbers = _Numbers(before, now)
        self._guard = guard = Guard(before.start, now.start, now.end, now.rates.keys)
        self._tensors = tensors = _Tensors(before, now, guard)
        self._objects = [now.arguments.leaves[i] for i in now.arguments.objects]  # their identities are in the key
        self._leaves: list[tuple[int, Any]] = [self._leaf(before, now, leaf) for leaf in range(len(now.leaves))]
        self._copies = [_Put(copy) for copy in now.copies]
        self._writes = [(tensors.use(k), self._source(source)) for k, source in now.writes.items()]
        self._keys = now.key_slots
        self._windows = now.windows
        self._fresh = now.fresh
        sources = [*(source for _, source in self._writes), *(self._source(fresh.source) for fresh in now.fresh)]
        self._made = [self._source(fresh.source) for fresh in now.fresh]
        wanted = sorted({number for kind, number in sources if kind == "result"})
        self._wanted = {number: i for i, number in enumerate(wanted)}
        self._moved = list(dict.fromkeys(source for source in sources if source[0] != "result"))
        self._replay = Replay(now.trace, wanted)
        self._keeps = [(self._keeper(now, token), self._spec(spec)) for token, _, spec in now.keeps]
        self._outputs = [self._spec(spec) for spec in now.outputs]
        self._structure = now.structure
        self._starts = {i: starts for i, starts in now.arguments.starts.items() if i not in {i for _, i in now.windows}}
        if any(guard.holds_of(other.start) and self._numbers.hold_of(other) and tensors.has_grads_of(other) for other in between):
            raise Unlike("the body alternates, and nothing that lazymlir.steady sees tells why")
        tensors.finish()

    def _leaf(self, before: Recording, now: Recording, leaf: int) -> tuple[int, Any]:
        """A buffer's place with those that must hold the same array, or -1 and the number of a copy."""
        kind, number = now.leaves[leaf][0]
        if kind == "copy":
            return -1, number
        used = [self._tensors.use(k) for _, k in now.leaves[leaf]]
        return used[0], used[1:]

    def _source(self, source: Source) -> Source:
        return (source[0], self._tensors.use(source[1])) if source[0] == "known" else source

    def _spec(self, spec: Spec) -> Spec:
        return (spec[0], self._tensors.use(spec[1]), spec[2]) if spec[0] in ("known", "view") else spec

    def _keeper(self, now: Recording, token: tuple[Any, ...]) -> Callable[[Any], None]:
        """Sets the place that a token names."""
        if token[0] == "grad":
            owner = self._tensors.use(next(k for k, known in enumerate(now.known) if token[1:] in known.tokens))
            return lambda value: setattr(self._tensors.list[owner], "grad", value)
        container = next(container for container in now.start.containers if id(container.held) == token[1])
        return Place(container, token[2]).set

    def broken(self, arguments: Arguments) -> str | None:
        why = self._guard.broken() or self._numbers.broken(arguments)
        if why is None and self._starts and any(arguments.starts[i] != starts for i, starts in self._starts.items()):
            why = "a window onto a tensor begins elsewhere"
        return why or self._tensors.find(arguments)

    def run(self, arguments: Arguments) -> Any:
        """The result of the call; BROKEN, and nothing done, where tensors hold one array that did not."""
        try:
            return self._run(arguments)
        finally:
            self._tensors.drop()

    def _run(self, arguments: Arguments) -> Any:
        engine.clear()
        buffers = self._tensors.buffers
        copies = [copy.value(arguments) for copy in self._copies]
        values = []
        for place, rest in self._leaves:
            value = copies[rest] if place < 0 else buffers[place].value
            if value.array is None:
                self._settle(value)
            if place >= 0 and rest and any(buffers[other].value.array is not value.array for other in rest):
                return BROKEN
            values.append(value)
        slots = self._numbers.slots.copy()
        begun = self._replay.begin(values, slots)
        if begun is None:
            return BROKEN
        trace, made = begun
        for slot in self._keys:
            slots[slot] = engine.random.next()
        for slot, i in self._windows:
            starts = arguments.starts[i]
            slots[slot : slot + len(starts)] = starts
        moved = {source: self._value(source, values, copies) for source in self._moved} if self._moved else {}
        del values, copies
        value = None
        result = self._place(made, moved)
        del made, moved
        self._replay.run(trace)
        return result

    @staticmethod
    def _settle(value: Value) -> None:
        if value.error is not None:
            raise fresh(value.error)
        engine.read(value)

    def _value(self, source: Source, values: Sequence[Value], copies: Sequence[Value]) -> Value:
        kind, which = source
        if kind == "leaf":
            return values[which]
        if kind == "known":
            return self._tensors.buffers[which].value
        if kind == "copy":
            return copies[which]
        value = Value(which.result_types[0])
        value.source = which
        return value

    def _place(self, made: Sequence[Value], moved: dict[Source, Value]) -> Any:
        """Puts the results where they belong: buffers, places, and what the call returns."""
        tensors, buffers, wanted = self._tensors.list, self._tensors.buffers, self._wanted
        written = []
        for place, source in self._writes:
            buffers[place].value = made[wanted[source[1]]] if source[0] == "result" else moved[source]
            written.append(tensors[place])
        if written:
            torch.autograd.graph.increment_version(written)
        bases = [
            new_like_layout(fresh.home, made[wanted[source[1]]] if source[0] == "result" else moved[source])
            for fresh, source in zip(self._fresh, self._made, strict=True)
        ]
        for keep, spec in self._keeps:
            keep(self._tensor(spec, bases))
        numbers = iter(self._numbers.results)
        leaves = [next(numbers) if spec[0] == "number" else self._tensor(spec, bases) for spec in self._outputs]
        return leaves[0] if self._structure.is_leaf() else unflatten(leaves, self._structure)

    def _tensor(self, spec: Spec, bases: Sequence[torch.Tensor]) -> Any:
        kind, which, geometry = spec
        if kind == "plain":
            return which
        if kind == "known":
            return self._tensors.list[which]
        base = bases[which] if kind == "fresh" else self._tensors.list[which].detach()
        sizes, strides, offset, dtype = geometry
        if TORCH_OF[dtype] is not base.dtype:
            base = base.view(TORCH_OF[dtype])
        if base.shape == sizes and base.stride() == strides and base.storage_offset() == offset:
            return base
        return _as_strided(META, base, sizes, strides, offset)


class _Put:
    """A copy of the host's to the device, at each call anew unless it is a constant."""

    def __init__(self, copy: Copy) -> None:
        self._copy = copy
        self._constant = copy.value if copy.token is None else None
        copy.value = Value(TensorType((), "f32"))

    def value(self, arguments: Arguments) -> Value:
        if self._constant is not None:
            return self._constant
        copy = self._copy
        assert copy.token is not None
        source = as_host(arguments.leaves[copy.token[1]]) if copy.token[0] == "argument" else copy.host
        assert source is not None
        if copy.window:
            sizes, strides, offset, conj, neg = copy.window
            source = torch.as_strided(source.detach(), sizes, strides, source.storage_offset() + offset)
            source = source.conj() if conj else source
            source = source._neg_view() if neg else source
        return put(source, copy.dtype, copy.sizes)
