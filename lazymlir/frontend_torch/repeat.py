"""Functions that record a call again: one for each memo, unrolled.

A step is thousands of calls, and each costs what Python takes for it, so nothing is looped over, looked up or branched on
here that is known beforehand. `repeat_function` writes the source of a function for what one memo says; sources depend only
on the form of a call (how many tensors, numbers, results), so there are few, and each is compiled once. For `x * 1.5`:

    def repeat(trace, args, kwargs):
        if not (len(args) == 2 and not kwargs): return DIFFERENT
        if not (default_dtype() is c0): return DIFFERENT
        a0, a1, = args
        if not (a1.__class__ is c1): return DIFFERENT
        if not (c2 <= a1 <= c3): return DIFFERENT
        if not (c4(a0)): return DIFFERENT
        try: ba0 = storage_of(a0)._lazymlir
        except AttributeError: return DIFFERENT
        va0 = ba0.value
        if not ((va0.index if va0.trace is trace else leaf(trace, va0)) == len(trace.results) - c5): return DIFFERENT
        if not (ba0.home is c6): return DIFFERENT
        trace.slots.append(a1)
        results = trace.results
        ... # makes the result's value, and the tensor
        trace.position += c7
        return t0
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any
from weakref import WeakValueDictionary, ref

import torch

from lazymlir.core.engine import engine
from lazymlir.core.locations import here
from lazymlir.core.trace import UNSEEN, Trace
from lazymlir.core.values import Buffer, Layout, Value, contiguous_strides
from lazymlir.dialect import TensorType

from .dtypes import TORCH_OF
from .storage import LazyStorage
from .tensors import META

__all__ = ["DIFFERENT", "Form", "Number", "Operand", "Output", "Static", "TensorList", "Write", "repeat_function"]

DIFFERENT: Any = object()
"""What a repeat function returns where the call is another one; nothing is recorded then."""

_storage_of = torch.Tensor.untyped_storage


# What an argument has to be.


class Operand:
    """A tensor: operand `number` of the trace, over a buffer with layout `home`, at `offset` (None where it shows the whole
    buffer). Sizes, strides and dtype are checked for all tensors of the call at once. `written` where the call writes it;
    `window` where it first reads it as a view of the buffer."""

    __slots__ = ("home", "number", "offset", "window", "written")

    def __init__(self, home: Layout, offset: int | None) -> None:
        self.home = home
        self.offset = offset
        self.number = 0
        self.window = self.written = False


def numbered_later(operand: Operand) -> bool:
    """Sorts operands into the order in which they are numbered."""
    return not operand.window


class Number:
    """A number of this type from `low` to `high`, which becomes a slot: as a float if `converts`."""

    __slots__ = ("converts", "high", "low", "type")

    def __init__(self, type_: type, low: float, high: float) -> None:
        self.type = type_
        self.low = low
        self.high = high
        self.converts = False


class Static:
    """A value of the same type, equal to `value`."""

    __slots__ = ("type", "value")

    def __init__(self, value: Any) -> None:
        self.type = type(value)
        self.value = value


class TensorList:
    """A list or tuple of so many items, each as it has to be."""

    __slots__ = ("items", "type")

    def __init__(self, type_: type, items: Sequence[Any]) -> None:
        self.type = type_
        self.items = items


# What becomes of a result.


class Output:
    """A tensor of this layout that the call returns."""

    __slots__ = ("dtype", "layout", "strides")

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.dtype = TORCH_OF[layout.dtype]
        self.strides = None if layout.strides == contiguous_strides(layout.sizes) else layout.strides


class Write:
    """The value of a written buffer: number `index` of those, in the order of the arguments."""

    __slots__ = ("index", "type")

    def __init__(self, index: int, type_: TensorType) -> None:
        self.index = index
        self.type = type_


class Form:
    """All that a call did: what its arguments were, and what became of the results of its records, which stand from `start`
    to before `end` in the script. The trace had `base` results before.

    `geometry` tells of the call's tensors, all in order, whether they have the same types, sizes, strides and dtypes. The
    slots of windows stand before and after those of the call's own record; `random`: it draws a key. `checked` is the place
    of a record with checks. `gives` is what the call returns: "output", "first argument", "nothing", or a function of the
    outputs.
    """

    arguments: list[Any]
    base: int
    start: int
    names: tuple[str, ...]
    count: int
    default_dtype: torch.dtype
    check: Callable[..., None] | None
    geometry: Callable[..., bool]
    end: int
    slots_before: tuple[Any, ...]
    slots_after: tuple[Any, ...]
    random: bool
    checked: int | None
    results: list[Output | Write | None]
    gives: Any

    @property
    def has_lists(self) -> bool:
        return any(isinstance(argument, TensorList) for argument in self.arguments)


class _Source:
    """Lines of a function's body, and the constants that they name."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.constants: list[Any] = []

    def constant(self, value: Any) -> str:
        self.constants.append(value)
        return f"c{len(self.constants) - 1}"

    def add(self, line: str) -> None:
        self.lines.append(line)

    def require(self, condition: str) -> None:
        self.add(f"if not ({condition}): return DIFFERENT")

    def function(self) -> Any:
        """The function; calls that say the same share one, so that what runs often is near."""
        names = ", ".join(f"c{i}" for i in range(len(self.constants)))
        body = "\n        ".join(self.lines)
        source = f"def make({names}):\n    def repeat(trace, args, kwargs):\n        {body}\n    return repeat\n"
        key = source, *[(constant.__class__, constant) for constant in self.constants]
        try:
            found = _functions.get(key)
        except TypeError:  # some constant cannot be looked up
            return _compiled(source)(*self.constants)
        if found is None:
            found = _functions[key] = _compiled(source)(*self.constants)
        return found


_functions: WeakValueDictionary[Any, Any] = WeakValueDictionary()


def repeat_function(form: Form) -> Callable[[Trace, Sequence[Any], dict[str, Any]], Any]:
    """`repeat(trace, args, kwargs)` records the call if it is the one that `form` says, and returns what it returns."""
    s = _Source()
    _write_matching(s, form)
    # It is the same: from here on nothing fails.
    if form.checked is not None:
        s.add(f"trace.located[trace.position + {s.constant(form.checked - form.start)}] = here(trace.thread)")
    _write_slots(s, form)
    _write_results(s, form)
    return s.function()


def _write_matching(s: _Source, form: Form) -> None:
    names = [f"a{i}" for i in range(len(form.arguments))]
    arguments = [*zip(names, form.arguments, strict=True)]
    s.require(f"len(args) == {form.count} and {'tuple(kwargs) == ' + s.constant(form.names) if form.names else 'not kwargs'}")
    s.require(f"default_dtype() is {s.constant(form.default_dtype)}")
    if form.check is not None:
        s.add(f"{s.constant(form.check)}(*args, **kwargs)")
    if names:
        s.add(f"{', '.join(names)}, = {'(*args, *kwargs.values())' if form.names else 'args'}")
    if form.has_lists:
        s.add("tensors = []; numbers = []; written = []")
        s.require(f"match({s.constant(form.arguments)}, ({', '.join(names)},), tensors, numbers)")
        s.require(f"{s.constant(form.geometry)}(*tensors)")
        s.require(f"operands({s.constant(_operands(form.arguments))}, trace, tensors, written)")
        return
    for name, argument in arguments:
        if not isinstance(argument, Operand):
            s.require(f"{name}.__class__ is {s.constant(argument.type)}")
        if isinstance(argument, Number):
            s.require(f"{s.constant(argument.low)} <= {name} <= {s.constant(argument.high)}")
        elif isinstance(argument, Static) and argument.value is not None:
            s.require(f"{name} == {s.constant(argument.value)}")
    _write_operands(s, form, [(name, argument) for name, argument in arguments if isinstance(argument, Operand)])


def _write_operands(s: _Source, form: Form, operands: Sequence[tuple[str, Operand]]) -> None:
    if not operands:
        return
    s.require(f"{s.constant(form.geometry)}({', '.join(name for name, _ in operands)})")
    s.add(f"try: {'; '.join(f'b{name} = storage_of({name})._lazymlir' for name, _ in operands)}")
    s.add("except AttributeError: return DIFFERENT")
    for name, operand in sorted(operands, key=lambda item: numbered_later(item[1])):
        s.add(f"v{name} = b{name}.value")
        number = s.constant(operand.number) if operand.number < 0 else f"len(trace.results) - {s.constant(form.base - operand.number)}"
        s.require(f"(v{name}.index if v{name}.trace is trace else leaf(trace, v{name})) == {number}")
        s.require(f"b{name}.home is {s.constant(operand.home)}")
        if operand.offset is not None:
            s.require(f"{name}.storage_offset() == {s.constant(operand.offset)}")
    written = [f"b{name}" for name, operand in operands if operand.written]
    if written:
        s.add(f"written = {', '.join(written)},")


def _operands(arguments: Sequence[Any]) -> list[Operand]:
    """The tensors among arguments, and in lists among them."""
    found: list[Operand] = []
    for argument in arguments:
        if isinstance(argument, TensorList):
            found += _operands(argument.items)
        elif isinstance(argument, Operand):
            found.append(argument)
    return found


def _write_slots(s: _Source, form: Form) -> None:
    slots = [f"*{s.constant(form.slots_before)}"] if form.slots_before else []
    if form.has_lists:
        slots.append("*numbers")
    else:
        numbers = [(f"a{i}", argument) for i, argument in enumerate(form.arguments) if isinstance(argument, Number)]
        slots += [f"float({name})" if argument.converts else name for name, argument in numbers]
    if form.random:
        slots.append("next_key()")
    if form.slots_after:
        slots.append(f"*{s.constant(form.slots_after)}")
    if len(slots) == 1:
        s.add(f"trace.slots += {slots[0][1:]}" if slots[0][0] == "*" else f"trace.slots.append({slots[0]})")
    elif slots:
        s.add(f"trace.slots += ({', '.join(slots)})")


def _write_results(s: _Source, form: Form) -> None:
    """The position moves when all is made that could fail, or that an interrupt could prevent (`Trace.mend`)."""
    s.add("results = trace.results")
    writes: list[str] = []
    outputs: list[str] = []
    for number, result in enumerate(form.results):
        if result is None:
            s.add("results.append(UNSEEN)")
            continue
        value = f"value{number}"
        type_ = result.layout.type if isinstance(result, Output) else result.type
        s.add(f"{value} = new(Value)")
        s.add(f"{value}.type = {s.constant(type_)}; {value}.array = None; {value}.trace = trace; {value}.index = len(results)")
        s.add(f"results.append(ref({value}))")
        if isinstance(result, Write):
            writes.append(f"written[{result.index}].value = {value}")
            continue
        name = f"t{len(outputs)}"
        outputs.append(name)
        sizes = s.constant(result.layout.sizes)
        s.add(f"{name} = create({sizes}, {s.constant(result.dtype)})")
        s.add(f"storage = storage_of({name}); storage.__class__ = LazyStorage")
        s.add(f"storage._lazymlir = buffer = new(Buffer); buffer.value = {value}; buffer.home = {s.constant(result.layout)}")
        if result.strides is not None:
            s.add(f"{name} = as_strided(META, {name}, {sizes}, {s.constant(result.strides)}, 0)")
    s.add(f"trace.position += {s.constant(form.end - form.start)}")
    for write in writes:
        s.add(write)
    gives = {"output": "t0", "first argument": "args[0]", "nothing": "None"}
    if not isinstance(form.gives, str):
        gives[form.gives] = f"{s.constant(form.gives)}([{', '.join(outputs)}])"
    s.add(f"return {gives[form.gives]}")


# What the sources name.


def _match(tests: Sequence[Any], arguments: Sequence[Any], tensors: list[Any], numbers: list[Any]) -> bool:
    """Whether the items of a list are as they have to be; collects tensors and numbers."""
    if len(arguments) != len(tests):
        return False
    for test, argument in zip(tests, arguments, strict=True):
        kind = test.__class__
        if kind is Operand:
            tensors.append(argument)
        elif argument.__class__ is not test.type:
            return False
        elif kind is Number:
            if not test.low <= argument <= test.high:
                return False
            numbers.append(float(argument) if test.converts else argument)
        elif kind is TensorList:
            if not _match(test.items, argument, tensors, numbers):
                return False
        elif argument != test.value:
            return False
    return True


def _match_operands(tests: Sequence[Operand], trace: Trace, tensors: Sequence[Any], written: list[Buffer]) -> bool:
    """Whether tensors that lists hold are the operands that they have to be; collects the buffers that are written."""
    try:
        for test, tensor in zip(tests, tensors, strict=True):
            buffer = _storage_of(tensor)._lazymlir
            value = buffer.value
            if (value.index if value.trace is trace else _leaf(trace, value)) != test.number or buffer.home is not test.home:
                return False
            if test.offset is not None and test.offset != tensor.storage_offset():
                return False
            if test.written:
                written.append(buffer)
    except AttributeError:  # a tensor without a buffer
        return False
    return True


def _leaf(trace: Trace, value: Value) -> int | None:
    """The operand number of a value of no trace; None where it would have to be computed first."""
    return None if value.array is None else trace.number(value)


_NAMES: dict[str, Any] = {
    "DIFFERENT": DIFFERENT,
    "UNSEEN": UNSEEN,
    "Buffer": Buffer,
    "LazyStorage": LazyStorage,
    "META": META,
    "Value": Value,
    "as_strided": torch.ops.aten.as_strided.default.redispatch,
    "create": torch._C._acc.create_empty_tensor,
    "default_dtype": torch.get_default_dtype,
    "here": here,
    "leaf": _leaf,
    "match": _match,
    "new": object.__new__,
    "next_key": engine.random.next,
    "operands": _match_operands,
    "ref": ref,
    "storage_of": _storage_of,
}


@cache
def _compiled(source: str) -> Callable[..., Any]:
    made: dict[str, Any] = {}
    exec(compile(source, "<lazymlir repeat>", "exec"), _NAMES, made)
    return made["make"]
