"""Prediction: a call that repeats what was recorded at the same place last time is recorded without being taken apart.

What a kernel records follows from its arguments: the values and geometry of tensors, static arguments, kinds of numbers. So
while a trace follows a script, a memo of the call that came next there holds what its arguments were. Where the arguments of
this call are equal (compared, never hashed), it would record what stands in the script, and only what is new is made: slots,
result values, tensors. Any other call is recorded the ordinary way, and where the script goes on with that, noted in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakValueDictionary

import torch
from torch._C._dynamo.guards import TensorGuards

from lazymlir.core.engine import engine
from lazymlir.core.script import Script
from lazymlir.core.trace import Record, Signature, Trace
from lazymlir.core.values import Buffer, Value

from .dtypes import TORCH_OF, dtype_name
from .overflow import limits
from .repeat import Form, Number, Operand, Output, Static, TensorList, Write, numbered_later, repeat_function

if TYPE_CHECKING:
    from .kernels import Call, Plan

__all__ = ["Draft", "Memo", "put_first"]

MAX_MEMOS = 4
"""So many different calls are noted at a place: with gradients and without, say, which record the same."""

_storage_of = torch.Tensor.untyped_storage


class Memo(NamedTuple):
    """What to do where a call of `plan` comes: `repeat(trace, args, kwargs)` records it, up to place `end` of the script. The
    trace has so many `leaves` before. `other` is of another call that came there."""

    plan: Plan
    repeat: Callable[[Trace, Sequence[Any], dict[str, Any]], Any]
    leaves: int
    other: Memo | None
    start: int
    end: int
    count: int


def put_first(script: Script, first: Memo, found: Memo) -> None:
    """Of the memos of a place, `first` and those behind it, the one that was found is the next to be tried."""
    memos: list[Memo] = []
    memo: Memo | None = first
    while memo is not None:
        memos.append(memo)
        memo = memo.other
    memos.sort(key=lambda memo: memo is found)  # the last of this list comes first
    made: Memo | None = None
    for count, memo in enumerate(memos, 1):
        made = memo._replace(other=made, count=count)
    script.memos[found.start] = made


class _UnpredictableError(Exception):
    """What the call records does not follow from what a memo holds."""


class Draft:
    """Takes notes of a call that is recorded the ordinary way, for a memo of it."""

    @classmethod
    def begin(cls, plan: Plan, trace: Trace, args: Sequence[Any], kwargs: dict[str, Any]) -> Draft | None:
        """None where the trace writes its script itself, or the call cannot be predicted."""
        script, position = trace.script, trace.position
        if position >= len(script.records):
            return None
        known = script.memos.get(position)
        if known is not None and known.count >= MAX_MEMOS:
            return None
        try:
            return cls(plan, trace, args, kwargs, known)
        except _UnpredictableError:
            return None

    def __init__(self, plan: Plan, trace: Trace, args: Sequence[Any], kwargs: dict[str, Any], known: Memo | None) -> None:
        self.call: Call | None = None
        """Set by the plan."""
        self.plan, self.trace, self.script, self.start, self.known = plan, trace, trace.script, trace.position, known
        self.results, self.leaves = len(trace.results), len(trace.leaves)
        self.tensors: list[torch.Tensor] = []
        self.operands: list[tuple[Operand, Value, Buffer]] = []
        self.numbers: list[tuple[Number, Any]] = []
        form = self.form = Form()
        form.check, form.default_dtype = plan.importer.check, torch.get_default_dtype()
        form.count, form.names = len(args), tuple(kwargs)
        form.arguments = [self._argument(name, argument) for name, argument in (*zip(plan.names, args, strict=False), *kwargs.items())]
        form.geometry = _geometry(self.tensors)  # now, while tensors are as they were

    def _argument(self, name: str, argument: Any) -> Any:
        if isinstance(argument, torch.Tensor):
            return self._operand(argument)
        if type(argument) in (list, tuple):
            items = [self._argument(name, item) for item in argument]
            return Static(argument) if all(isinstance(item, Static) for item in items) else TensorList(type(argument), items)
        if name in self.plan.numbers and argument is not None:
            return self._number(argument)
        if isinstance(argument, torch.Generator):
            raise _UnpredictableError
        return Static(argument)

    def _operand(self, tensor: torch.Tensor) -> Operand:
        buffer = getattr(_storage_of(tensor), "_lazymlir", None)
        if buffer is None or tensor.is_complex():  # of which conjugates would be resolved first
            raise _UnpredictableError
        home = buffer.home
        whole = tensor.numel() > 0 and (tensor.shape, tensor.stride(), tensor.dtype) == (home.sizes, home.strides, TORCH_OF[home.dtype])
        operand = Operand(home, None if whole else int(tensor.storage_offset()))
        self.tensors.append(tensor)
        self.operands.append((operand, buffer.value, buffer))
        return operand

    def _number(self, argument: Any) -> Number:
        """Within bounds in which its value makes no difference to what is recorded."""
        if type(argument) not in (int, float, bool):
            raise _UnpredictableError
        low, high = limits(dtype_name(self.tensors[0].dtype)) if self.tensors else (float("-inf"), float("inf"))
        if type(argument) is int:
            low, high = max(low, -(2**53)), min(high, 2**53)
        if not low <= argument <= high:
            raise _UnpredictableError
        number = Number(type(argument), low, high)
        self.numbers.append((number, argument))
        return number

    def finish(self, signature: Signature, mutated: Sequence[torch.Tensor], made: Any) -> None:
        """The call recorded `signature` and returned `made`: a memo of it, if the trace has followed its script and if all
        that it recorded can be told from its arguments."""
        trace, script, form = self.trace, self.script, self.form
        if engine.trace is not trace or trace.script is not script or script.open or trace.position <= self.start:
            return  # another thread may have needed a value meanwhile, and so cut the trace in the middle of the call
        records = script.records[self.start : trace.position]
        # No generators that are left before their end: an interrupt while they are closed would be lost.
        places = [i for i, record in enumerate(records) if record[0] is signature]
        here = [value.trace is trace for _, value, _ in self.operands]
        if not places or not all(here):
            return
        own = places[0]
        form.start, form.end, form.base = self.start, trace.position, self.results
        form.checked = self.start + own if signature.checks else None
        for operand, value, _ in self.operands:
            operand.number = value.index
        used = {number for _, operands in records for number in operands if number < self.results}
        if used != {operand.number for operand, _, _ in self.operands}:
            return  # another thread wrote an operand after the notes were taken
        windows = {number for _, operands in records[:own] for number in operands}
        for operand, _, _ in self.operands:
            operand.window = operand.number in windows
        if self._in_order() and self._take_writes(mutated) and self._take_slots(records, own) and self._take_results(mutated, made):
            known = self.known
            count = 1 if known is None else known.count + 1
            script.memos[self.start] = Memo(self.plan, repeat_function(form), self.leaves, known, form.start, form.end, count)

    def _in_order(self) -> bool:
        """Whether new leaves were numbered in the order in which they will be: those of windows first, which are read, where
        no list is among the arguments."""
        operands = [operand for operand, _, _ in self.operands]
        if not self.form.has_lists:
            operands.sort(key=numbered_later)
        new = [~operand.number for operand in operands if ~operand.number >= self.leaves]
        return new == sorted(new)

    def _take_writes(self, mutated: Sequence[torch.Tensor]) -> bool:
        """Marks what is written. False where it might share its memory with another argument: that decides what is recorded."""
        for tensor in mutated:
            buffer = _storage_of(tensor)._lazymlir
            found = [operand for operand, _, own in self.operands if own is buffer]
            if len(found) != 1 or sum(other.number == found[0].number for other, _, _ in self.operands) > 1:
                return False
            found[0].written = True
        return True

    def _take_slots(self, records: Sequence[Record], own: int) -> bool:
        form, slots, slots_of, place = self.form, self.trace.slots, self.script.slots_of, self.start + own
        form.slots_before, form.slots_after = tuple(slots[slots_of(self.start, place)]), tuple(slots[slots_of(place + 1, form.end)])
        form.random = records[own][0].slot_kinds[-1:] == ("key",)
        numbers = slots[slots_of(place)]
        if form.random:
            numbers.pop()
        if len(numbers) != len(self.numbers):
            return False
        for (number, argument), slot in zip(self.numbers, numbers, strict=True):
            number.converts = type(argument) is int and type(slot) is float
            if slot != argument or (type(slot) is not type(argument) and not number.converts):
                return False
        return True

    def _take_results(self, mutated: Sequence[torch.Tensor], made: Any) -> bool:
        """What becomes of each result of the records: no other may be alive."""
        form, trace = self.form, self.trace
        becomes: dict[int, Output | Write] = {}
        for tensor in _tensors(made):
            if any(tensor is other for other in mutated):
                continue
            buffer = getattr(_storage_of(tensor), "_lazymlir", None)
            if buffer is None or (tensor.shape, tensor.stride(), tensor.storage_offset()) != (buffer.home.sizes, buffer.home.strides, 0):
                return False
            if buffer.value.trace is not trace or buffer.value.index in becomes:
                return False
            becomes[buffer.value.index] = Output(buffer.home)
        written = [(operand, buffer) for operand, _, buffer in self.operands if operand.written]
        for index, (_, buffer) in enumerate(written):
            if buffer.value.trace is not trace:
                return False
            becomes[buffer.value.index] = Write(index, buffer.value.type)
        numbers = range(self.results, len(trace.results))
        form.results = [becomes.pop(number, None) for number in numbers]
        if becomes or any(result is None and trace.results[number]() is not None for result, number in zip(form.results, numbers, strict=True)):
            return False
        form.gives = _gives(made, mutated)
        return form.gives is not None


_geometries: WeakValueDictionary[Any, Any] = WeakValueDictionary()


def _geometry(tensors: Sequence[torch.Tensor]) -> Callable[..., bool]:
    """Tells whether tensors have the types, dtypes, devices, sizes and strides of these: torch's own check, which it has for
    torch.compile, takes a tenth of a microsecond. It looks at the dispatch keys too, and at those that this thread has set."""
    first: dict[int, int] = {}
    places = tuple([first.setdefault(id(tensor), place) for place, tensor in enumerate(tensors)])
    once = [*first.values()]
    here = str(torch._C._dispatch_tls_local_include_set()), str(torch._C._dispatch_tls_local_exclude_set())
    looks = [(type(x), x.dtype, x.shape, x.stride(), x.requires_grad, str(torch._C._dispatch_keys(x))) for x in tensors]
    key = places, here, *looks
    check = _geometries.get(key)
    if check is None:
        check = _geometries[key] = _new_geometry([tensors[place] for place in once], places, once)
    return check


def _new_geometry(tensors: Sequence[torch.Tensor], places: Sequence[int], once: Sequence[int]) -> Callable[..., bool]:
    if not tensors:
        return lambda: True
    check = TensorGuards(*tensors, dynamic_dims_sizes=None, dynamic_dims_strides=None).check
    if len(once) == len(places):
        return check

    def check_once(*given: torch.Tensor) -> bool:
        """torch's check refuses a tensor that is given twice."""
        return all(tensor is given[place] for tensor, place in zip(given, places, strict=True)) and check(*[given[place] for place in once])

    return check_once


def _tensors(made: Any) -> list[torch.Tensor]:
    return [item for item in (made if type(made) in (list, tuple) else [made]) if isinstance(item, torch.Tensor)]


def _gives(made: Any, mutated: Sequence[torch.Tensor]) -> Any:
    """How to return outputs as `made` is; None where it is not known how."""
    if made is None:
        return "nothing"
    if isinstance(made, torch.Tensor):
        return "output" if not mutated else "first argument" if made is mutated[0] else None
    if type(made) not in (list, tuple) or any(item is other for item in made for other in mutated):
        return None
    rest = [None if isinstance(item, torch.Tensor) else (item,) for item in made]

    def give(outputs: list[torch.Tensor]) -> Any:
        tensors = iter(outputs)
        return type_(next(tensors) if item is None else item[0] for item in rest)

    type_ = type(made)
    return type_ if all(item is None for item in rest) else give
