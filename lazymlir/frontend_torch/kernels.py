"""The kernels that torch calls: each records one operation.

A kernel takes its arguments apart into values, numbers that may vary, and static rest; the rest with the layouts is the
key of a `Call`, which knows the signature to record and the tensors to return. A call is made on its first use only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import is_
from typing import Any

import torch

from lazymlir.core.engine import engine
from lazymlir.core.trace import Signature
from lazymlir.core.values import Layout, Value
from lazymlir.dialect import Builder, Node, TensorType, TypeBuilder, TypeRuleError
from lazymlir.dialect.leaf import SCALAR_KINDS
from lazymlir.dialect.types import is_complex, is_float

from .dtypes import TORCH_OF, dtype_name, require_castable
from .fallback import fallback
from .infer import OutSpec, infer, meta_tensor
from .overflow import overflows
from .overlap import guarded, require_apart
from .prediction import Draft, put_first
from .refusals import require_accepted, require_numbers
from .registry import Importer, arguments
from .repeat import DIFFERENT
from .steady.numbers import exactly
from .tensors import DEVICE_NAME, from_host, new_tensor, read, write

__all__ = ["SLOT_KINDS", "Call", "Plan", "as_slot", "make_kernel"]

SLOT_KINDS: dict[type, str] = {float: "float", int: "int", bool: "int", complex: "complex"}
_Tensor = torch.Tensor
_storage_of = torch.Tensor.untyped_storage
_default_dtype = torch.get_default_dtype
_UNKNOWN: Any = object()
_BEYOND: Any = object()
"""In a key: a number that the first operand's type cannot hold."""


class _Place(tuple):
    """In a call's template: operand (kind "operand") or number ("slot") `index`."""

    __slots__ = ()

    def __new__(cls, kind: str, index: int) -> _Place:
        return super().__new__(cls, (kind, index))


class _Template:
    """The structure of a kernel's arguments, made once per signature: a place for each value and number, in the order in
    which `Plan.take` takes them; `kinds` are the numbers' kinds, `wraps` tells a number where the schema says Tensor."""

    def __init__(self, plan: Plan, args: tuple[Any, ...], kwargs: dict[str, Any], slots: Sequence[Any]) -> None:
        self.plan = plan
        self.slots = slots
        self.kinds: list[str] = []
        self.wraps = False
        self._operands = 0
        self.args = [self._of(name, argument) for name, argument in zip(plan.names, args, strict=False)]
        self.kwargs = {name: self._of(name, argument) for name, argument in kwargs.items()}

    def _of(self, name: str, argument: Any) -> Any:
        if isinstance(argument, _Tensor):
            self._operands += 1
            return _Place("operand", self._operands - 1)
        if type(argument) in SLOT_KINDS and name in self.plan.numbers:
            self.kinds.append(SLOT_KINDS[type(self.slots[len(self.kinds)])])
            self.wraps = self.wraps or name in self.plan.tensors
            return _Place("slot", len(self.kinds) - 1)
        if type(argument) in (list, tuple):
            return [self._of(name, item) for item in argument]
        return None if isinstance(argument, torch.Generator) else argument


class Call:
    """What a signature records and returns; `asks` whether torch may refuse its numbers."""

    __slots__ = ("asks", "mutated", "outputs", "signature")

    def __init__(self, signature: Signature, outputs: Sequence[OutSpec | int | None], mutated: Sequence[str], asks: bool) -> None:
        self.asks = asks
        self.signature = signature
        self.outputs = outputs
        self.mutated = mutated


class Plan:
    """An importer with what its schema says."""

    def __init__(self, importer: Importer) -> None:
        self.importer = importer
        self.overload = importer.overload
        self.names = [name for name, _ in arguments(self.overload)]
        types = dict(arguments(self.overload))
        varying = ("number", "Scalar", "float", "Optional[number]", "Optional[float]", "Tensor", "List[number]", "List[float]")
        self.numbers = {name for name in self.names if types[name] in varying and name not in importer.static} | set(importer.runtime)
        self.integers = frozenset(importer.runtime)
        self.tensors = {name for name in self.names if types[name] == "Tensor"}
        self.calls: dict[tuple[Any, ...], Call | None] = {}
        returns = self.overload._schema.returns
        self.returns_mutated = bool(returns) and returns[0].alias_info is not None
        self.returns = len(returns)
        self.mutates_lists = any(
            argument.alias_info is not None and argument.alias_info.is_write and str(argument.type).startswith("List")
            for argument in self.overload._schema.arguments
        )
        self.returns_list = len(returns) == 1 and str(returns[0].type).startswith("List")

    def moved(self, tensor: torch.Tensor) -> torch.Tensor:
        """A tensor of another device as an operand: 0-dim CPU tensors and host indices, as torch allows; else torch's error."""
        if tensor.device.type == "cpu" and (tensor.dim() == 0 or self.importer.host_indices):
            return from_host(tensor)
        raise RuntimeError(f"Expected all tensors to be on the same device, but found at least two devices, {DEVICE_NAME}:0 and {tensor.device}!")

    def argument(self, name: str, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """An argument by name; None where it is not given."""
        position = self.names.index(name)
        return args[position] if position < len(args) else kwargs.get(name)

    def is_random(self, args: Sequence[Any], kwargs: dict[str, Any]) -> bool:
        random = self.importer.random
        return bool(self.argument(random, args, kwargs)) if isinstance(random, str) else random

    def run(self, args: tuple[Any, ...], kwargs: dict[str, Any], draft: Draft | None = None) -> Any:
        if self.importer.check is not None:
            self.importer.check(*args, **kwargs)
        random = self.is_random(args, kwargs) if self.importer.random else False
        key: list[Any] = [_default_dtype(), random]
        values: list[Value] = []
        slots: list[Any] = []
        take = self.take
        for name, argument in zip(self.names, args, strict=False):
            take(name, argument, key, values, slots)
        for name, argument in kwargs.items():
            key.append(name)
            take(name, argument, key, values, slots)
        full_key = tuple(key)
        call = self.calls.get(full_key, _UNKNOWN)
        if call is _UNKNOWN:
            exact = self._exact(args, kwargs)
            if exact is not None:
                return self.run(*exact)
            layouts = [item for item in key if type(item) is Layout]
            asks = any(item is _BEYOND for item in key)
            call = self.calls[full_key] = self._make_call(_Template(self, args, kwargs, slots), layouts, slots, args, kwargs, random, asks)
        elif call is not None and call.asks:
            self.require_numbers(args, kwargs)
        if call is None:
            return (self.importer.otherwise or fallback)(self.overload, *args, **kwargs)
        if random:
            slots.append(_random_key(kwargs.get("generator") or next((a for a in args if isinstance(a, torch.Generator)), None)))
        made = self.importer.unrecorded(call.signature, values, *args[1:], **kwargs) if self.importer.unrecorded is not None else None
        if made is None:
            made = engine.record(call.signature, values, slots)
            if draft is not None:
                draft.call = call
        return self._finish(call, made, args, kwargs)

    def run_list(self, args: tuple[Any, ...], kwargs: dict[str, Any], draft: Draft | None = None) -> Any:
        """Where the memory of a list that is written is shared, each write must see the one before."""
        if not _share_memory(args):
            return self.run(args, kwargs, draft)
        count = len(args[0])
        for i in range(count):
            own = tuple([a[i]] if isinstance(a, (list, tuple)) and len(a) == count else a for a in args)
            require_apart(self.overload, args[0][i], own, kwargs)
            self.run(own, kwargs)
        return args[0] if self.returns else None

    def run_number(self, args: tuple[Any, ...], kwargs: dict[str, Any], draft: Draft | None = None) -> Any:
        """An overload whose first argument is a number: the tensor after it decides what a large integer means."""
        if type(args[0]) is int and args[0] >= 2**63 and (args[1].is_floating_point() or args[1].is_complex()):
            args = (float(args[0]), *args[1:])
        return self.run(args, kwargs, draft)

    def take(self, name: str, argument: Any, key: list[Any], values: list[Value], slots: list[Any]) -> None:
        """Takes one argument apart: its value or number, and what it adds to the key."""
        kind = type(argument)
        if kind is _Tensor or isinstance(argument, _Tensor):
            value, layout = self.operand(argument)
            values.append(value)
            key.append(layout)
        elif kind in SLOT_KINDS and name in self.numbers:
            if kind is int:
                if name not in self.integers and values and _is_float_beside(argument, values[0].type.dtype):
                    kind, argument = float, float(argument)
                elif argument >= 2**63:  # torch promotes it as an unsigned integer
                    key.append(_BEYOND)
                    argument = as_slot(argument)
            key.append(kind)
            slots.append(argument)
            if values and overflows(argument, values[0].type.dtype):
                key.append(_BEYOND)
        elif kind is list or kind is tuple:
            key.append(len(argument))
            for item in argument:
                self.take(name, item, key, values, slots)
        elif kind is torch.Generator:
            key.append(kind)
        else:
            key.append(kind)
            key.append(argument)

    def operand(self, tensor: torch.Tensor) -> tuple[Value, Layout]:
        if tensor.device.type != DEVICE_NAME:
            tensor = self.moved(tensor)
        value, layout = read(tensor)
        if layout.dtype[0] == "c" and tensor.is_conj():  # torch lets products take conjugates as they are
            return read(tensor.resolve_conj())
        return value, layout

    # Once per signature.

    def _written(self, args: Sequence[Any], kwargs: dict[str, Any]) -> Sequence[str]:
        """The names of the arguments that this call writes."""
        mutates = self.importer.mutates
        return mutates(dict(zip(self.names, args, strict=False)) | kwargs) if callable(mutates) else mutates

    def _exact(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]] | None:
        """The arguments with the true values of numbers that a steady function follows, where they are static; None where
        none are."""
        own = tuple([x if name in self.numbers else exactly(x) for name, x in zip(self.names, args, strict=False)])
        named = {name: x if name in self.numbers else exactly(x) for name, x in kwargs.items()}
        same = all(map(is_, own, args)) and all(map(is_, named.values(), kwargs.values()))
        return None if same else (own, named)

    def require_numbers(self, args: Sequence[Any], kwargs: dict[str, Any]) -> None:
        require_numbers(_callable(self.overload, bool(self.tensors & self.numbers)), args, kwargs)

    def _make_call(
        self,
        template: _Template,
        layouts: Sequence[Layout],
        slots: Sequence[Any],
        args: Sequence[Any],
        kwargs: dict[str, Any],
        random: bool,
        asks: bool,
    ) -> Call | None:
        """None where the importer does not take such a call."""
        importer, written = self.importer, self._written(args, kwargs)
        if asks:
            self.require_numbers(args, kwargs)
        metas = [meta_tensor(layout) for layout in layouts]
        meta_args = _fill(template.args, metas, slots)
        meta_kwargs = {name: _fill(item, metas, slots) for name, item in template.kwargs.items()}
        if importer.accepts is not None and not importer.accepts(*meta_args, **meta_kwargs):
            return None
        sizes = [argument for name, argument in (*zip(self.names, args, strict=False), *kwargs.items()) if name not in self.numbers]
        require_accepted(_callable(self.overload, template.wraps), args, kwargs, sizes)
        common = dtype_name(torch.result_type(*meta_args[:2])) if importer.promotes else None
        specs = infer(importer.meta or _callable(self.overload, template.wraps), meta_args, meta_kwargs)
        outputs: list[OutSpec | int | None] = [] if self.returns_mutated or not self.returns else specs
        if importer.functional is not None:
            fresh = [meta_tensor(layout) for layout in layouts]
            meta_args = _fill(template.args, fresh, slots)
            meta_kwargs = {name: _fill(item, fresh, slots) for name, item in template.kwargs.items()}
            specs = infer(importer.meta or _callable(importer.functional, template.wraps), meta_args, meta_kwargs)
        targets = self._mutated_operands(template, written)
        if importer.functional is not None:
            for spec, operand in zip(specs, targets, strict=False):
                if isinstance(spec, OutSpec):
                    require_castable(spec.dtype, TORCH_OF[layouts[operand].dtype])
        out_types = [spec.type if isinstance(spec, OutSpec) else None for spec in specs]
        mutated_types = [layouts[operand].type for operand in targets]
        wanted = [spec.type for spec in outputs if isinstance(spec, OutSpec)] + mutated_types
        kinds = [*template.kinds, "key"] if random else template.kinds
        single = len(out_types) == 1 and not self.returns_list
        out = out_types[0] if single else tuple(out_types)
        named = template.kwargs if common is None else {**template.kwargs, "common": common}
        if importer.derives is not None:
            named = {**named, **importer.derives(*meta_args, **meta_kwargs)}
        emit = _emitter(importer.function, template.args, named, out, wanted, len(wanted) - len(mutated_types), random)
        signature = Signature(str(self.overload), emit, [layout.type for layout in layouts], kinds, wanted)
        _check_types(signature)
        return Call(signature, outputs, written, asks)

    def _mutated_operands(self, template: _Template, mutated: Sequence[str]) -> list[int]:
        """The operand numbers that the operation writes, in the order of `mutates`."""
        operands = []
        for name in mutated:
            position = self.names.index(name)
            place = template.args[position] if position < len(template.args) else template.kwargs.get(name)
            for item in place if isinstance(place, list) else [place]:
                if isinstance(item, _Place):
                    operands.append(item[1])
        return operands

    # Every time.

    def _finish(self, call: Call, results: list[Value], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        made: list[Any] = []
        taken = 0
        for spec in call.outputs:
            if not isinstance(spec, OutSpec):
                made.append(spec)
                continue
            made.append(new_tensor(spec.sizes, spec.dtype, spec.strides, results[taken]))
            taken += 1
        if call.mutated:
            tensors = self.mutated(call.mutated, args, kwargs)
            for tensor, value in zip(tensors, results[taken:], strict=True):
                write(tensor, value, changes=True)
            if self.returns_mutated:
                return tensors[0] if self.returns == 1 and not self.returns_list else tuple(tensors)
        if self.returns == 0:
            return None
        return made if self.returns_list else made[0] if self.returns == 1 else tuple(made)

    def mutated(self, names: Sequence[str], args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[torch.Tensor]:
        tensors: list[torch.Tensor] = []
        for name in names:
            argument = self.argument(name, args, kwargs)
            tensors += argument if isinstance(argument, (list, tuple)) else [] if argument is None else [argument]
        return tensors


def _callable(overload: Any, wraps: bool) -> Any:
    """What to call for an overload: where a number stands for a tensor, torch has to choose the overload again."""
    return overload.overloadpacket if wraps else overload


def _is_float_beside(number: int, dtype: str) -> bool:
    """Whether a Python integer beside a tensor may stand as a float, so that a rate of 1 is the same record as 0.5: where
    it is exact, or too large for a signed integer."""
    if is_float(dtype):
        return abs(number) <= 2**53 or number >= 2**63
    return number >= 2**63 and is_complex(dtype)


def as_slot(number: Any) -> Any:
    """A number that fits a slot: an integer that only 64 unsigned bits hold is wrapped around."""
    return number - 2**64 if type(number) is int and number >= 2**63 else number


def _share_memory(args: tuple[Any, ...]) -> bool:
    """Whether tensors of the list that is written share their memory, or it is read as anything but the tensor itself at its own place."""
    written = args[0]
    places = {_storage_of(tensor)._cdata: place for place, tensor in enumerate(written)}
    if len(places) < len(written):
        return True
    for argument in args[1:]:
        if isinstance(argument, _Tensor):
            if _storage_of(argument)._cdata in places:
                return True
        elif isinstance(argument, (list, tuple)):
            for i, tensor in enumerate(argument):
                place = places.get(_storage_of(tensor)._cdata) if isinstance(tensor, _Tensor) else None
                if place is not None and not (place == i and tensor is written[i]):
                    return True
    return False


def _fill(template: Any, operands: Sequence[Any], slots: Sequence[Any]) -> Any:
    """The arguments again, with something in each place."""
    if isinstance(template, _Place):
        return operands[template[1]] if template[0] == "operand" else slots[template[1]]
    if isinstance(template, list):
        return [_fill(item, operands, slots) for item in template]
    return template


def _emitter(
    function: Callable[..., Any], template: list[Any], named: dict[str, Any], out: Any, wanted: Sequence[TensorType], outputs: int, random: bool
) -> Callable[[Builder, Sequence[Node], Sequence[Node]], list[Node]]:
    named = {name: item for name, item in named.items() if name not in ("device", "layout", "pin_memory", "generator", "memory_format")}
    template = [item for item in template if not isinstance(item, torch.memory_format)]

    def emit(b: Builder, operands: Sequence[Node], scalars: Sequence[Node]) -> list[Node]:
        kwargs = {name: _fill(item, operands, scalars) for name, item in named.items()}
        if random:
            kwargs["key"] = scalars[-1]
        made = function(b, out, *_fill(template, operands, scalars), **kwargs)
        nodes = [node for node in (made if isinstance(made, (tuple, list)) else (made,)) if node is not None]
        # What an operation writes into takes on the type of what was there, as eager's in-place operations do.
        return nodes[:outputs] + [
            b.expand(b.cast(node, type_.dtype), type_.shape) for node, type_ in zip(nodes[outputs:], wanted[outputs:], strict=True)
        ]

    return emit


def _check_types(signature: Signature) -> None:
    """Finds at the call, not at the barrier, that an operation is not defined on these types."""
    builder = TypeBuilder()
    operands = [builder.argument(type_) for type_ in signature.operand_types]
    scalars = [builder.argument(TensorType((), SCALAR_KINDS[kind])) for kind in signature.slot_kinds]
    try:
        made = signature.emit(builder, operands, scalars)
    except TypeRuleError as error:
        types = ", ".join(map(str, signature.operand_types))
        raise NotImplementedError(f"{signature.name} is not implemented for {types} on device {DEVICE_NAME}: {error}") from None
    types = tuple(node.type for node in made)
    if types != signature.result_types:
        raise AssertionError(f"internal error: {signature.name} emits {types} where {signature.result_types} is wanted; please report this")
    signature.checks = tuple((check.error, check.message) for check in builder.checks)


def _random_key(generator: torch.Generator | None) -> int:
    if generator is None or generator.device.type == DEVICE_NAME:
        return engine.random.next()
    low, high = -(2**63), 2**63 - 1
    return int(torch.randint(low, high, (), generator=generator, dtype=torch.int64, device="cpu"))


def make_kernel(importer: Importer) -> Callable[..., Any]:
    """The PrivateUse1 kernel of an overload."""
    plan = Plan(importer)
    run = plan.run_list if plan.mutates_lists else plan.run_number if plan.names[:1] and plan.names[0] in plan.numbers - plan.tensors else plan.run
    current, lock = engine.recorders.current, engine.lock

    def record(*args: Any, **kwargs: Any) -> Any:
        draft = Draft.begin(plan, engine.trace, args, kwargs)
        made = run(args, kwargs, draft)
        if draft is not None and draft.call is not None:
            with lock:
                draft.finish(draft.call.signature, plan.mutated(draft.call.mutated, args, kwargs), made)
        return made

    record = guarded(plan.overload, record)

    def kernel(*args: Any, **kwargs: Any) -> Any:
        with lock:
            recorder = current()
            trace = recorder.trace
            memo = first = trace.script.memos.get(trace.position)
            try:
                while memo is not None and not recorder.requested:
                    if memo[0] is plan:
                        made = memo[1](trace, args, kwargs)
                        if made is not DIFFERENT:
                            if first is not None and memo is not first:
                                put_first(trace.script, first, memo)
                            return made
                        trace.forget_leaves(memo[2])  # which were numbered for what turned out to be another call
                    memo = memo[3]
            except BaseException:
                trace.mend()
                raise
        return record(*args, **kwargs)

    return kernel
