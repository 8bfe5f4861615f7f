"""Prediction: a call that repeats what was recorded at the same place last time is recorded without being taken apart.

What a kernel records follows from its arguments: the values and geometry of tensors, static arguments, kinds of numbers. So
while a trace follows a script, a memo of the call that came next there holds what its arguments were. Where the arguments of
this call are equal (compared, never hashed), it would record what stands in the script, and only what is new is made: slots,
result values, tensors. Any other call is recorded the ordinary way, and where the script goes on with that, noted in turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any
from weakref import ref

import torch

from lazymlir.core.engine import engine
from lazymlir.core.locations import here
from lazymlir.core.trace import Record, Signature, Trace
from lazymlir.core.values import Buffer, Layout, Value
from lazymlir.dialect import TensorType

from .dtypes import TORCH_OF, dtype_name
from .overflow import limits
from .storage import LazyStorage
from .tensors import META, contiguous_strides

if TYPE_CHECKING:
    from .kernels import Call, Plan

__all__ = ["DIFFERENT", "Draft", "Memo"]

DIFFERENT: Any = object()
"""What `Memo.repeat` returns where the call is another one."""

TRIES = 4
"""A place where so many different calls came is not noted again."""

_create = torch._C._acc.create_empty_tensor
_as_strided = torch.ops.aten.as_strided.default.redispatch
_storage_of = torch.Tensor.untyped_storage
_default_dtype = torch.get_default_dtype
_TENSOR, _NUMBER, _LIST, _STATIC = range(4)


def _gone() -> ref[Any]:
    """A reference to what is no more."""
    return ref(set())


_UNSEEN = _gone()
"""Among a trace's results: one that nothing outside its call refers to."""


class _Test:
    """What argument number `place` has to be, besides its type. A tensor: operand `number` of the trace, in this geometry over
    a buffer with layout `home`. A number: between `low` and `high`; it becomes a slot, as a float if `converts`. A list: one
    test for each of `items`. Anything else: `value`."""

    __slots__ = ("converts", "dtype", "high", "home", "items", "kind", "low", "number", "offset", "place", "sizes", "strides", "type", "value", "written")  # fmt: skip

    def __init__(self, kind: int, place: int, argument: Any) -> None:
        self.kind = kind
        self.place = place
        self.type = type(argument)


class _Output:
    """A result that becomes a tensor to return."""

    __slots__ = ("dtype", "layout", "sizes", "strides", "type")

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.type = layout.type
        self.sizes = layout.sizes
        self.dtype = TORCH_OF[layout.dtype]
        self.strides = None if layout.strides == contiguous_strides(layout.sizes) else layout.strides

    def make(self, value: Value) -> torch.Tensor:
        tensor = _create(self.sizes, self.dtype)
        storage: Any = _storage_of(tensor)
        storage.__class__ = LazyStorage
        storage._lazymlir = Buffer(value, self.layout)
        return tensor if self.strides is None else _as_strided(META, tensor, self.sizes, self.strides, 0)


class _Write:
    """A result that becomes the value of a buffer: of number `index` among those of written arguments."""

    __slots__ = ("index", "type")

    def __init__(self, index: int, type_: TensorType) -> None:
        self.index = index
        self.type = type_


class Memo:
    """What a call recorded, up to place `end` of its script, and how to tell that another call records the same.

    `results` says of each result of its records what becomes of it: None where nothing outside the call needs it. The slots
    of windows that are read or written stand before and after its own. `checked` is the place of its record if that has checks.
    """

    __slots__ = (
        "check", "checked", "count", "default_dtype", "end", "give", "names", "plan", "random", "results", "slots_after", "slots_before", "tests",
        "tries",
    )  # fmt: skip

    def __init__(self, plan: Plan, end: int) -> None:
        self.plan = plan
        self.end = end
        self.check = plan.importer.check
        self.default_dtype = _default_dtype()
        self.tries = 1

    def repeat(self, trace: Trace, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """Records the call and returns what it returns; DIFFERENT, and nothing recorded, where it is another one."""
        if len(args) != self.count or _default_dtype() is not self.default_dtype:
            return DIFFERENT
        if kwargs or self.names:
            if tuple(kwargs) != self.names:
                return DIFFERENT
            arguments: Sequence[Any] = (*args, *kwargs.values())
        else:
            arguments = args
        if self.check is not None:
            self.check(*args, **kwargs)
        slots = [*self.slots_before]
        written: list[Buffer] = []
        try:
            if not _match(self.tests, arguments, trace, slots, written):
                return DIFFERENT
        except AttributeError:  # a tensor of another device, or one without a buffer
            return DIFFERENT
        # It is the same: from here on nothing fails.
        if self.checked is not None:
            trace.located[self.checked] = here(trace.thread)
        trace.position = self.end
        if self.random:
            slots.append(engine.random.next())
        if self.slots_after:
            slots += self.slots_after
        if slots:
            trace.slots += slots
        results = trace.results
        outputs: list[torch.Tensor] = []
        for result in self.results:
            if result is None:
                results.append(_UNSEEN)
                continue
            value = Value(result.type, None, trace, len(results))
            results.append(ref(value))
            if result.__class__ is _Output:
                outputs.append(result.make(value))
            else:
                written[result.index].value = value
        give = self.give
        return outputs[0] if give is _FIRST_OUTPUT else args[0] if give is _FIRST_ARGUMENT else give(outputs)


_FIRST_OUTPUT, _FIRST_ARGUMENT = object(), object()


def _match(tests: Sequence[_Test], arguments: Sequence[Any], trace: Trace, slots: list[Any], written: list[Buffer]) -> bool:
    """Whether every argument is what its test says; collects the numbers, and the buffers that are written."""
    for test in tests:
        argument = arguments[test.place]
        if type(argument) is not test.type:
            return False
        kind = test.kind
        if kind == _TENSOR:
            buffer = _storage_of(argument)._lazymlir
            value = buffer.value
            if (
                (value.index if value.trace is trace else _leaf(trace, value)) != test.number
                or buffer.home is not test.home
                or argument.shape != test.sizes
                or argument.stride() != test.strides
                or argument.storage_offset() != test.offset
                or argument.dtype is not test.dtype
            ):
                return False
            if test.written:
                written.append(buffer)
        elif kind == _NUMBER:
            if not test.low <= argument <= test.high:
                return False
            slots.append(float(argument) if test.converts else argument)
        elif kind == _LIST:
            if len(argument) != len(test.items) or not _match(test.items, argument, trace, slots, written):
                return False
        elif argument != test.value:
            return False
    return True


def _leaf(trace: Trace, value: Value) -> int | None:
    """The operand number of a value of no trace; None where it would have to be computed first."""
    return None if value.array is None else trace.number(value)


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
        if known is not None and known.tries >= TRIES:
            return None
        try:
            return cls(plan, trace, args, kwargs, 1 if known is None else known.tries + 1)
        except _UnpredictableError:
            return None

    def __init__(self, plan: Plan, trace: Trace, args: Sequence[Any], kwargs: dict[str, Any], tries: int) -> None:
        self.call: Call | None = None
        """Set by the plan."""
        self.plan, self.trace, self.script, self.start, self.tries = plan, trace, trace.script, trace.position, tries
        self.count, self.names = len(args), tuple(kwargs)
        self.results, self.slots = len(trace.results), len(trace.slots)
        self.tensors: list[tuple[_Test, Value, Buffer]] = []
        self.numbers: list[tuple[_Test, Any]] = []
        self.tests = [self._test(name, place, argument) for place, (name, argument) in enumerate(zip(plan.names, args, strict=False))]
        self.tests += [self._test(name, self.count + place, argument) for place, (name, argument) in enumerate(kwargs.items())]

    def _test(self, name: str, place: int, argument: Any) -> _Test:
        if isinstance(argument, torch.Tensor):
            return self._tensor(place, argument)
        if type(argument) in (list, tuple):
            test = _Test(_LIST, place, argument)
            test.items = [self._test(name, i, item) for i, item in enumerate(argument)]
            return test
        if name in self.plan.numbers and argument is not None:
            return self._number(place, argument)
        if isinstance(argument, torch.Generator):
            raise _UnpredictableError
        test = _Test(_STATIC, place, argument)
        test.value = argument
        return test

    def _tensor(self, place: int, argument: torch.Tensor) -> _Test:
        test = _Test(_TENSOR, place, argument)
        buffer = getattr(_storage_of(argument), "_lazymlir", None)
        if buffer is None or argument.is_complex():  # conjugates are resolved first
            raise _UnpredictableError
        test.home = buffer.home
        test.sizes, test.strides, test.offset, test.dtype = argument.shape, argument.stride(), argument.storage_offset(), argument.dtype
        test.written = False
        self.tensors.append((test, buffer.value, buffer))
        return test

    def _number(self, place: int, argument: Any) -> _Test:
        """Within bounds in which its value makes no difference to what is recorded."""
        if type(argument) not in (int, float, bool):
            raise _UnpredictableError
        test = _Test(_NUMBER, place, argument)
        low, high = limits(dtype_name(self.tensors[0][0].dtype)) if self.tensors else (float("-inf"), float("inf"))
        if type(argument) is int:
            low, high = max(low, -(2**53)), min(high, 2**53)
        if not low <= argument <= high:
            raise _UnpredictableError
        test.low, test.high = low, high
        self.numbers.append((test, argument))
        return test

    def finish(self, signature: Signature, mutated: Sequence[torch.Tensor], made: Any) -> None:
        """The call recorded `signature` and returned `made`: a memo of it, if the trace has followed its script and if all
        that it recorded can be told from its arguments."""
        trace, script = self.trace, self.script
        if trace.script is not script or script.open or trace.position <= self.start:
            return
        memo = self._memo(signature, mutated, made)
        if memo is not None:
            script.memos[self.start] = memo

    def _memo(self, signature: Signature, mutated: Sequence[torch.Tensor], made: Any) -> Memo | None:
        trace = self.trace
        records = self.script.records[self.start : trace.position]
        own = next((i for i, record in enumerate(records) if record[0] is signature), None)
        if own is None or any(value.trace is not trace for _, value, _ in self.tensors):
            return None
        memo = Memo(self.plan, trace.position)
        memo.tries, memo.count, memo.names = self.tries, self.count, self.names
        memo.checked = self.start + own if signature.checks else None
        for test, value, _ in self.tensors:
            test.number = value.index
        if not self._take_writes(mutated) or not self._take_slots(memo, records, own):
            return None
        # Windows are read, and so their buffers numbered, before the call's own operands.
        read = {number for _, operands in records[:own] for number in operands}
        memo.tests = sorted(self.tests, key=lambda test: not (test.kind == _TENSOR and test.number in read))
        if read and any(test.kind == _LIST and any(item.kind == _TENSOR for item in test.items) for test in self.tests):
            return None
        return memo if self._take_results(memo, mutated, made) else None

    def _take_writes(self, mutated: Sequence[torch.Tensor]) -> bool:
        """Marks what is written. False where it might share its memory with another argument: that decides what is recorded."""
        for tensor in mutated:
            buffer = _storage_of(tensor)._lazymlir
            (test, *others) = [test for test, _, own in self.tensors if own is buffer] or [None]
            if test is None or others or sum(other.number == test.number for other, _, _ in self.tensors) > 1:
                return False
            test.written = True
        return True

    def _take_slots(self, memo: Memo, records: Sequence[Record], own: int) -> bool:
        slots = self.trace.slots[self.slots :]
        signature = records[own][0]
        first = sum(len(record[0].slot_kinds) for record in records[:own])
        end = first + len(signature.slot_kinds)
        memo.slots_before, memo.slots_after = slots[:first], slots[end:]
        memo.random = signature.slot_kinds[-1:] == ("key",)
        numbers = slots[first : end - memo.random]
        if len(numbers) != len(self.numbers):
            return False
        for (test, argument), slot in zip(self.numbers, numbers, strict=True):
            test.converts = type(argument) is int and type(slot) is float
            if slot != argument or type(slot) is not type(argument) and not test.converts:
                return False
        return True

    def _take_results(self, memo: Memo, mutated: Sequence[torch.Tensor], made: Any) -> bool:
        trace = self.trace
        outputs = [] if mutated else [item for item in (made if type(made) in (list, tuple) else [made]) if isinstance(item, torch.Tensor)]
        becomes: dict[int, Any] = {}
        for tensor in outputs:
            buffer = getattr(_storage_of(tensor), "_lazymlir", None)
            if buffer is None or (tensor.shape, tensor.stride(), tensor.storage_offset()) != (buffer.home.sizes, buffer.home.strides, 0):
                return False
            becomes[buffer.value.index] = _Output(buffer.home)
            if buffer.value.trace is not trace:
                return False
        written = [test for test in _flat(memo.tests) if test.kind == _TENSOR and test.written]
        for test, _, buffer in self.tensors:
            if test.written:
                becomes[buffer.value.index] = _Write(written.index(test), buffer.value.type)
        numbers = range(self.results, len(trace.results))
        memo.results = [becomes.pop(number, None) for number in numbers]
        if becomes or any(result is None and trace.results[number]() is not None for result, number in zip(memo.results, numbers, strict=True)):
            return False
        memo.give = _giver(made, mutated)
        return memo.give is not None


def _flat(tests: Sequence[_Test]) -> Iterator[_Test]:
    for test in tests:
        if test.kind == _LIST:
            yield from _flat(test.items)
        else:
            yield test


def _giver(made: Any, mutated: Sequence[torch.Tensor]) -> Any:
    """How to return outputs as `made` is; None where it is not known how."""
    if mutated:
        return _FIRST_ARGUMENT if made is mutated[0] else (lambda outputs: None) if made is None else None
    if isinstance(made, torch.Tensor):
        return _FIRST_OUTPUT
    if type(made) not in (list, tuple):
        return (lambda outputs: None) if made is None else None
    if all(isinstance(item, torch.Tensor) for item in made):
        return type(made)
    rest = [None if isinstance(item, torch.Tensor) else (item,) for item in made]

    def give(outputs: list[torch.Tensor]) -> Any:
        tensors = iter(outputs)
        return type(made)(next(tensors) if item is None else item[0] for item in rest)

    return give
