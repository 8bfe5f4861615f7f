"""Draws programs: each statement is chosen by what the CPU, which runs along, has in its variables so far.

A rounding error is allowed where it stays small, so nothing is drawn that makes it large: a difference of numbers that
were rounded in 8 bits, a comparison, a conversion to whole numbers, a wide float made of a narrow one.
"""

from __future__ import annotations

import contextlib
import math
import re
import warnings
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any

import torch
from fuzz_operations import OPERATIONS, Kind, Operation
from fuzz_parts import DTYPES, PARTS
from fuzz_program import DEFAULT_MAX_TRACE, ERRORS, MISSING_ON_CPU, Program, execute, new_space, tensors_of
from hypothesis import strategies as st

__all__ = ["programs"]

SHAPES = ((3, 4), (2, 3), (4,), (2, 3, 4), (4, 4), (), (1, 4), (2, 2, 2), (3, 1, 2), (0, 3), (6, 2))
FAMILIES = ("view", "view", "view", "in-place", "in-place", "in-place", "in-place", "copy", "arithmetic", "decide", "describe", "event", "event")
LONGEST_POOL = 9
LARGEST = 128
"""Elements of a tensor: a larger one is dropped."""

DIGITS = {torch.float64: 50, torch.float32: 22, torch.float16: 10, torch.bfloat16: 7, torch.complex64: 22, torch.complex128: 50}
"""Bits of a number, one less than there are."""

RANGES = {torch.uint8: (0, 255), torch.int32: (-(2**30), 2**30), torch.int64: (-(2**52), 2**52)}
WIDE = (torch.float32, torch.float64, torch.complex64, torch.complex128)
DEEPEST = 3
"""So many roundings one after another stay within the tolerances."""

LIMIT = 16.0
"""Numbers that were rounded are no larger, so that the error stays below the absolute tolerance."""


REFUSES_EXPANDED = ("{x}.copy_", "{x}.add_", "{x}.mul_", "{x}.neg_", "{x}.sub_", "{x}.tanh_", "{x}.eq_", "{x}.clamp_", "{x}.index_add_")
"""Operations that torch does not let write an expanded tensor."""


class Facts:
    """What decides whether an operation may round this tensor's numbers."""

    def __init__(self, tensor: torch.Tensor, roundings: int) -> None:
        self.tensor = tensor
        self.dtype = tensor.dtype
        self.roundings = roundings

    @cached_property
    def _numbers(self) -> torch.Tensor:
        x = self.tensor.detach().resolve_conj().resolve_neg()
        return (torch.view_as_real(x) if x.is_complex() else x).double().abs().flatten()

    @cached_property
    def _finite(self) -> torch.Tensor:
        return self._numbers[self._numbers.isfinite()]

    @property
    def special(self) -> bool:
        return len(self._finite) < len(self._numbers)

    @cached_property
    def largest(self) -> float:
        return float(self._finite.max()) if len(self._finite) else 0.0

    @cached_property
    def smallest(self) -> float:
        above = self._finite[self._finite > 0]
        return float(above.min()) if len(above) else 1.0

    @property
    def subnormal(self) -> bool:
        """XLA's programs on the CPU take subnormal numbers for 0."""
        return self.dtype in DIGITS and self.smallest < torch.finfo(self.dtype).tiny

    @cached_property
    def places(self) -> float:
        """Binary places after the point."""
        return next((k for k in range(5) if bool((self._finite * 2**k % 1 == 0).all())), math.inf)

    @property
    def negative_zero(self) -> bool:
        return self.dtype.is_floating_point and bool(((self.tensor == 0) & self.tensor.signbit()).any())

    def fits(self, dtype: torch.dtype) -> bool:
        """Whether a conversion says the same everywhere."""
        source = self.dtype
        if self.subnormal and dtype != source:
            return False
        if self.roundings:
            return dtype in DIGITS and source in DIGITS and DIGITS[dtype] <= DIGITS[source] and dtype.is_complex >= source.is_complex
        if dtype in RANGES and source not in RANGES and source != torch.bool:
            low, high = RANGES[dtype]
            return not self.special and self.largest <= high and (low < 0 or bool((self.tensor.real >= 0).all()))
        return True


@lru_cache(maxsize=256)
def _integers(low: int, high: int) -> st.SearchStrategy[int]:
    return st.integers(low, high)


class Generator:
    """Makes one program."""

    def __init__(self, draw: Any) -> None:
        self._draw = draw
        self.space = new_space("cpu")
        self.roundings: dict[str, int] = {}
        self.statements: list[str] = []
        self.raised: dict[int, Exception] = {}
        self.made = 0
        self.x = ""
        self.dim = 0
        self.index = ""
        self.near = ""
        self._cache: dict[str, Facts] = {}

    # What the parts ask for.

    def number(self, low: int, high: int) -> int:
        return self._draw(_integers(low, high)) if high > low else low

    def pick(self, options: Sequence[Any]) -> Any:
        return options[self.number(0, len(options) - 1)]

    def odds(self, one_in: int) -> bool:
        return self.number(0, one_in - 1) == one_in - 1

    def tensor(self, name: str) -> torch.Tensor:
        return self.space[name]

    def names(self) -> list[str]:
        return list(self.roundings)

    def value(self, text: str) -> Any:
        return eval(text, self.space)

    def shares(self, name: str, other: str) -> bool:
        return self.space[name].untyped_storage()._cdata == self.space[other].untyped_storage()._cdata

    def facts(self, name: str) -> Facts:
        if name not in self._cache:
            self._cache[name] = Facts(self.space[name], self.roundings[name])
        return self._cache[name]

    def castable(self, name: str, dtype: torch.dtype) -> bool:
        return self.facts(name).fits(dtype)

    def exact(self, name: str) -> bool:
        return self.roundings[name] == 0 and not self.facts(name).subnormal

    # Statements.

    def run(self) -> None:
        for _ in range(self.number(2, 3)):
            self._leaf()
        for _ in range(self.number(5, 28)):
            self._step()
        if self.odds(2):
            self._backward()

    def _leaf(self) -> None:
        dtype = self.pick((torch.float32, *DTYPES))
        if dtype in DIGITS and self.odds(12):
            text = f"special({dtype}, device)"
        else:
            text = f"ramp({self.pick(SHAPES)}, {dtype}, device, {self.number(0, 12)})"
        if dtype in (torch.float32, torch.float64) and self.odds(2):
            text += ".requires_grad_()"
        self._emit(f"{self._new()} = {text}", 0)

    def _backward(self) -> None:
        """At the end, from everything that may have a gradient."""
        self._cache.clear()
        for name in self.names():
            tensor = self.space[name]
            if _floating_with_gradient(tensor) and self._tame_backward(name):
                self._emit(f"{name}.sum().backward(retain_graph=True)", 0)

    def _new(self) -> str:
        self.made += 1
        return f"t{self.made - 1}"

    def _step(self) -> None:
        if not self.roundings:
            self._leaf()
            return
        self._cache.clear()
        operation = self._operation()
        if operation is None or (_recast(operation) and self.space[self.x].numel() == 0):  # strides of nothing: see fuzz_program.py
            return
        text = self._fill(operation.template)
        if operation.statement:
            self._statement(operation, text)
        else:
            self._expression(operation, text)
        while len(self.roundings) > LONGEST_POOL:
            self._delete(next(name for name in self.names() if not self._gathers(name)))

    def _operation(self) -> Operation | None:
        self.x = self.pick(self.names())
        tensor = self.space[self.x]
        fits = _fitting(self.pick(FAMILIES), _traits(tensor))
        return self.pick(fits) if fits else None

    def _fill(self, template: str) -> str:
        chosen = {"x": self.x}

        def draw(match: re.Match[str]) -> str:
            name = match[1]
            if name in chosen:
                return chosen[name]
            text = PARTS[name](self, self.space[self.x])
            if name in ("y", "z"):
                chosen[name] = text
            return text

        return re.sub(r"\{(\w+)\}", draw, template)

    def _operands(self, text: str) -> list[Facts]:
        return [self.facts(name) for name in re.findall(r"\bt\d+\b", text) if name in self.roundings]

    def _expression(self, operation: Operation, text: str) -> None:
        name = f"t{self.made}"
        operands = self._operands(text)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            error = execute(f"{name} = {text}", self.space)
        if error is not None:
            self._failed(f"{name} = {text}", error)
            return
        result = self.space[name]
        # float16 with a 0-dim complex64 is complex32, which XLA has not.
        kept = isinstance(result, torch.Tensor) and result.numel() <= LARGEST and result.dtype != torch.complex32
        rounded = verdict(operation.kind, operands, result.dtype) if kept else None
        if (
            rounded is None
            or (result.dtype not in WIDE and rounded and result.requires_grad)
            or (_recast(operation) and not _may_recast(operands[0], result))
        ):
            del self.space[name]
            return
        self.made += 1
        self.statements.append(f"{name} = {text}")
        self.roundings[name] = rounded

    def _statement(self, operation: Operation, text: str) -> None:
        target, operands = self.space[self.x], self._operands(text)
        group = self._sharing()
        if not self._in_order(operation, operands):
            return
        if target.dtype == torch.bool and any(facts.tensor.is_neg() for facts in operands):
            return  # torch writes the numbers, and then refuses to negate them
        if operation.kind is Kind.DESCRIBE:
            rounded: int | None = max(facts.roundings for facts in operands) if operands else 0
            if text.startswith("del "):
                self._delete(self.x)
                return
            if ".data = " in text and any(facts.tensor.is_conj() or facts.tensor.is_neg() for facts in operands):
                return  # torch lets .data take a tensor of another key set on its own devices only
            if "backward" in text and not self._tame_backward(self.x):
                return
        else:
            rounded = verdict(operation.kind, operands, target.dtype)
        if rounded is None or (rounded and not self._may_round(target, group)) or _gives_history(operation, target, operands):
            return
        self._emit(text, rounded, group, operands)

    def _emit(self, text: str, rounded: int, group: Sequence[str] = (), operands: Sequence[Facts] = ()) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            error = execute(text, self.space)
        if error is not None:
            self._failed(text, error)
            return
        self.statements.append(text)
        touched = re.findall(r"\bt\d+\b", text)
        for name in {*group, *touched}:
            self.roundings[name] = max(self.roundings.get(name, 0), rounded)

    def _failed(self, text: str, error: Exception) -> None:
        if MISSING_ON_CPU in str(error):
            return
        if "single memory location" in str(error) and re.search(r"\[(True|False)", text):
            return  # masks are read before that is found: they may be a mistake themselves
        self.raised[len(self.statements)] = error
        self.statements.append(text)

    def _delete(self, name: str) -> None:
        self.statements.append(f"del {name}")
        del self.space[name], self.roundings[name]

    def _gathers(self, name: str) -> bool:
        """Whether the tensor holds a gradient, which is to be compared at the end."""
        tensor = self.space[name]
        with contextlib.suppress(RuntimeError):  # asking is refused where the base of certain views was written over
            return tensor.is_leaf and tensor.grad is not None
        return False

    def _sharing(self) -> list[str]:
        return [name for name in self.roundings if self.shares(name, self.x)]

    def _in_order(self, operation: Operation, operands: Sequence[Facts]) -> bool:
        """Whether what is written does not depend on the order in which the CPU writes it, or the CPU refuses."""
        target = self.space[self.x]
        if operation.kind is Kind.DESCRIBE or "{larger}" in operation.template:
            return True
        if not _apart(target) and not (_expanded(target) and operation.template.split("(")[0] in REFUSES_EXPANDED):
            return "fill_({scalar})" in operation.template or "zero_()" in operation.template
        others = [facts.tensor for facts in operands]
        if "copy_" in operation.template and any(_expanded(other) for other in others):
            return False  # accepted here, since an assignment of the element would look the same
        if "{near}" in operation.template:
            with contextlib.suppress(*ERRORS):
                others.append(self.value(self.near).detach())
        return all(_same_or_known(target, other) for other in others if other is not target)

    def _may_round(self, target: torch.Tensor, group: Sequence[str]) -> bool:
        """Not what another tensor shows as whole numbers, nor narrow floats that a gradient passes."""
        sizes = {_component(self.space[name].dtype) for name in group}
        return len(sizes) == 1 and None not in sizes and not (target.dtype not in WIDE and target.requires_grad)

    def _tame_backward(self, name: str) -> bool:
        facts = self.facts(name)
        return facts.dtype in WIDE and facts.largest <= LIMIT and not facts.special


def _floating_with_gradient(x: torch.Tensor) -> bool:
    return x.is_floating_point() and _learns(x)


def _gives_history(operation: Operation, target: torch.Tensor, operands: Sequence[Facts]) -> bool:
    """Whether an assignment would make whole numbers require a gradient: where torch fills instead of copying, on the CPU only."""
    learns = any(_learns(facts.tensor) for facts in operands)
    return "] = {" in operation.template and learns and not (target.is_floating_point() or target.is_complex())


def _learns(x: torch.Tensor) -> bool:
    """Asking is refused where the base of certain views was written over."""
    with contextlib.suppress(RuntimeError):
        return x.requires_grad
    return False


def _places(x: torch.Tensor) -> list[int]:
    """The bytes where the elements of a tensor begin."""
    size = x.element_size()
    numbers = torch.zeros(x.shape, dtype=torch.int64) + x.storage_offset()
    for dim, stride in enumerate(x.stride()):
        numbers += stride * torch.arange(x.shape[dim]).reshape([-1 if d == dim else 1 for d in range(x.dim())])
    return [number * size for number in numbers.flatten().tolist()]


def _apart(x: torch.Tensor) -> bool:
    """Whether no element shows twice."""
    return len(set(_places(x))) == x.numel()


def _expanded(x: torch.Tensor) -> bool:
    return any(stride == 0 and size > 1 for size, stride in zip(x.shape, x.stride(), strict=True))


def _dense(x: torch.Tensor) -> bool:
    return torch._prims_common.is_non_overlapping_and_dense_or_false(x)


def _same_or_known(target: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether two tensors have no element in common, or the same ones at the same places, or torch refuses the operation."""
    if target.untyped_storage()._cdata != other.untyped_storage()._cdata or (_dense(target) and _dense(other)):
        return True
    if (target.shape, target.stride(), target.storage_offset(), target.dtype) == (other.shape, other.stride(), other.storage_offset(), other.dtype):
        return True
    return not _bytes(target) & _bytes(other)


def _bytes(x: torch.Tensor) -> set[int]:
    return {place + k for place in _places(x) for k in range(x.element_size())}


def _component(dtype: torch.dtype) -> int | None:
    """Bits of what a floating dtype is made of."""
    if dtype.is_complex:
        return dtype.itemsize * 4
    return dtype.itemsize * 8 if dtype.is_floating_point else None


def _recast(operation: Operation) -> bool:
    return "{bits}" in operation.template


def _may_recast(source: Facts, result: torch.Tensor) -> bool:
    """The bits of what was rounded are not known, nor those of a NaN."""
    return source.dtype == result.dtype or (source.roundings == 0 and not source.special)


def verdict(kind: Kind, operands: Sequence[Facts], dtype: torch.dtype) -> int | None:
    """How many roundings are in the result; None where a rounding error would grow."""
    before = max((facts.roundings for facts in operands), default=0)
    if kind is not Kind.MOVE and any(facts.subnormal for facts in operands):
        return None
    if kind is Kind.CONTRACT and len({facts.dtype for facts in operands}) > 1:
        return None  # there is nothing to multiply: torch does not look at the dtypes then
    if kind is Kind.DECIDE:
        return 0 if before == 0 and all(facts.fits(dtype) or dtype == torch.bool for facts in operands) else None
    if not all(facts.fits(dtype) for facts in operands):
        return None
    if kind is Kind.MOVE:
        return before
    if kind is Kind.EXTREME and any(facts.negative_zero for facts in operands):
        before = max(before, 1)  # of 0.0 and -0.0, eager's vectorized loops and their ends choose different ones
    if kind in (Kind.SELECT, Kind.EXTREME):
        return before if before == 0 or not any(facts.tensor.requires_grad for facts in operands) else None
    if dtype not in DIGITS:
        return 0 if before == 0 else None
    special = any(facts.special for facts in operands)
    if special and (kind not in (Kind.ADD, Kind.MULTIPLY) or before or dtype.is_complex):
        return None
    size, places = _growth(kind, operands)
    # Eager's complex sums multiply one operand by alpha, which changes the signs of zeros.
    if kind is not Kind.ROUND and not dtype.is_complex and before == 0 and size <= 2.0 ** (DIGITS[dtype] - places):
        return 0
    tame = size <= LIMIT and all(facts.largest <= LIMIT and facts.smallest > (1e-12 if dtype in WIDE else 1e-4) for facts in operands)
    if special or not tame or before >= (DEEPEST if dtype in WIDE else 1):
        return None
    return before + 1


def _growth(kind: Kind, operands: Sequence[Facts]) -> tuple[float, float]:
    """The largest number on the way, and its binary places."""
    sizes = [facts.largest for facts in operands]
    places = [facts.places for facts in operands]
    count = max((facts.tensor.numel() for facts in operands), default=1)
    if kind is Kind.ADD:
        return 2 * sum(sizes) + 3, max(1, *places)
    if kind is Kind.MULTIPLY:
        return 3 * math.prod(max(size, 1) for size in sizes), sum(places) + 1
    if kind is Kind.SUM:
        return count * sum(sizes), max(places)
    if kind is Kind.CONTRACT:
        return count * max(sizes) ** 2, 2 * max(places)
    return max(sizes), max(places)


def _traits(x: torch.Tensor) -> tuple[Any, ...]:
    return x.dtype, min(x.dim(), 2), x.requires_grad


@lru_cache(maxsize=4096)
def _fitting(family: str, traits: tuple[Any, ...]) -> list[Operation]:
    """The operations of a family that a tensor of such traits takes, each as often as it says."""
    dtype, dim, learns = traits
    x = torch.zeros((1,) * dim, dtype=dtype)
    if learns and (dtype.is_floating_point or dtype.is_complex):
        x.requires_grad_()
    return [operation for operation in OPERATIONS[family] if operation.needs(x) for _ in range(operation.often)]


@st.composite
def programs(draw: Any) -> Program:
    """A program, and what the CPU makes of it."""
    generator = Generator(draw)
    generator.run()
    max_trace = generator.pick((DEFAULT_MAX_TRACE, DEFAULT_MAX_TRACE, DEFAULT_MAX_TRACE, 1, 7))
    exact = frozenset(name for name, roundings in generator.roundings.items() if roundings == 0)
    expected = {name: value for name, value in tensors_of(generator.space).items() if name in generator.roundings}
    return Program(tuple(generator.statements), expected, generator.raised, exact, max_trace)
