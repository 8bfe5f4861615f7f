"""Programs of the fuzzer: a list of torch statements, run on the CPU and on the device, and compared."""

from __future__ import annotations

import contextlib
import gc
import math
import types
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import torch

import lazymlir
from lazymlir import metrics
from lazymlir.config import config

__all__ = ["ERRORS", "MISSING_ON_CPU", "Program", "Space", "difference", "ramp", "special"]

ERRORS = (RuntimeError, IndexError, TypeError, ValueError)
MISSING_ON_CPU = "not implemented for"
"""In the message of an operation that the CPU has not for a dtype: says nothing of the device."""

DEFAULT_MAX_TRACE = 2000
RUNS = 4
"""A program is run so often: the first run writes a script, the second takes notes of its calls, later ones are predicted."""


def ramp(shape: tuple[int, ...], dtype: torch.dtype, device: str, first: int = 0) -> torch.Tensor:
    """Numbers from -3 to 3 in halves (whole ones where the dtype has no others, positive ones where it has no sign)."""
    numbers = (torch.arange(first, first + math.prod(shape)) * 5) % 13 - 6
    if dtype == torch.bool:
        numbers = numbers % 3 == 0
    elif dtype == torch.uint8:
        numbers = numbers.abs()
    elif dtype.is_complex:
        numbers = numbers / 2 + 1j * numbers.flip(0)
    elif dtype.is_floating_point:
        numbers = numbers / 2
    return numbers.to(dtype).reshape(shape).clone().to(device)


def special(dtype: torch.dtype, device: str) -> torch.Tensor:
    """What is no ordinary number."""
    return torch.tensor([[0.0, -0.0, math.inf], [-math.inf, math.nan, 1.0]], dtype=dtype).to(device)


Space = dict[str, Any]
"""The variables of a running program."""


def new_space(device: str) -> Space:
    return {"torch": torch, "lazymlir": lazymlir, "gc": gc, "ramp": ramp, "special": special, "device": device}


@lru_cache(maxsize=4096)
def _code(statement: str) -> types.CodeType:
    return compile(statement, "<fuzz>", "exec")


def execute(statement: str, space: Space) -> Exception | None:
    """Runs one statement; the exception that it raised."""
    try:
        exec(_code(statement), space)
    except Exception as error:
        return error.with_traceback(None)
    return None


@dataclass(frozen=True)
class Program:
    """`expected` are the variables after the run on the CPU, `raised` the errors by number of statement, `exact` the
    variables that must be equal in every bit."""

    statements: Sequence[str]
    expected: Space
    raised: dict[int, Exception]
    exact: frozenset[str]
    max_trace: int = DEFAULT_MAX_TRACE

    def __repr__(self) -> str:
        lines = [f"{statement}  # {type(self.raised[n]).__name__}" if n in self.raised else statement for n, statement in enumerate(self.statements)]
        return f"\n# max_trace={self.max_trace}\n" + "\n".join(lines) + "\n"


def difference(program: Program) -> str:
    """Runs the program on the device, several times; says what is not as on the CPU, or nothing."""
    for run in range(RUNS):
        found = _difference(program)
        if found:
            return found if run == 0 else f"in run {run}: {found}"
    return ""


def _difference(program: Program) -> str:
    lazymlir.sync(wait=True)
    metrics.clear_all()
    space = new_space("lazymlir")
    with warnings.catch_warnings(), config(max_trace=program.max_trace):
        warnings.simplefilter("ignore")
        for number, statement in enumerate(program.statements):
            error, wanted = execute(statement, space), program.raised.get(number)
            if not _same_kind(error, wanted):
                return f"{statement}: eager {_raises(wanted)}, the device {_raises(error)}"
        try:
            found = _compare(program, space)
        except Exception as error:
            found = f"a read {_raises(error)}"
    fallbacks = metrics.executed_fallback_ops()
    return found or (f"ran on the CPU: {', '.join(fallbacks)}" if fallbacks else "")


def _same_kind(error: Exception | None, wanted: Exception | None) -> bool:
    if error is None or wanted is None:
        return error is wanted
    return isinstance(error, type(wanted))


def _raises(error: Exception | None) -> str:
    return f"raises {type(error).__name__}: {error}" if error is not None else "raises nothing"


def tensors_of(space: Space) -> dict[str, torch.Tensor]:
    return {name: value for name, value in space.items() if isinstance(value, torch.Tensor)}


def _compare(program: Program, space: Space) -> str:
    expected, got = tensors_of(program.expected), tensors_of(space)
    if expected.keys() != got.keys():
        return f"variables {sorted(expected)}, here {sorted(got)}"
    wanted, found = _partition(expected), _partition(got)
    if wanted != found:
        return f"share memory: {wanted}, here {found}"
    for name, tensor in expected.items():
        wanted, found = _described(tensor), _described(got[name])
        if wanted != found:
            return f"{name}: {wanted}, here {found}"
    copies = {name: (got[name].detach().clone(), _gradient_copy(got[name])) for name in expected}
    lazymlir.sync()
    for name, tensor in expected.items():
        copy, gradient = copies[name]
        text = _values(tensor.detach(), copy.cpu(), name in program.exact)
        if not text and gradient is not None:
            text = _values(_gradient(tensor), gradient.cpu(), False)
        if text:
            return f"{name}: {text}"
    return ""


def _partition(tensors: dict[str, torch.Tensor]) -> list[list[str]]:
    """The names of those that share a storage."""
    groups: dict[int, list[str]] = {}
    for name, tensor in tensors.items():
        groups.setdefault(tensor.untyped_storage()._cdata, []).append(name)
    return sorted(groups.values())


def _described(tensor: torch.Tensor) -> str:
    # Where they address nothing, torch's meta and CPU kernels choose different strides.
    strides = [stride for stride, size in zip(tensor.stride(), tensor.shape, strict=True) if size != 1 and tensor.numel()]
    parts = [f"{tensor.dtype} {list(tensor.shape)} strides {strides} offset {tensor.storage_offset()}"]
    parts.append(f"is_view {tensor._is_view()} conj {tensor.is_conj()} neg {tensor.is_neg()}")
    gradient = _gradient(tensor)
    if gradient is not None:
        parts.append(f"gradient {gradient.dtype} {list(gradient.shape)}")
    return ", ".join([*parts, _history(tensor)])


def _history(tensor: torch.Tensor) -> str:
    """Where the tensor stands in autograd's graph; asking is refused where the base of certain views was written over."""
    try:
        return f"requires_grad {tensor.requires_grad} is_leaf {tensor.is_leaf}"
    except RuntimeError as error:
        return str(error)


def _gradient(tensor: torch.Tensor) -> torch.Tensor | None:
    with contextlib.suppress(RuntimeError):
        return tensor.grad if tensor.is_leaf else None
    return None


def _gradient_copy(tensor: torch.Tensor) -> torch.Tensor | None:
    gradient = _gradient(tensor)
    return None if gradient is None else gradient.detach().clone()


def _values(wanted: Any, got: torch.Tensor, exact: bool) -> str:
    wanted = wanted.resolve_conj().resolve_neg().contiguous()
    got = got.resolve_conj().resolve_neg().contiguous()
    if wanted.numel() == 0 or _same_bits(wanted, got):
        return ""
    try:
        if exact:
            _require_equal(wanted, got)
        else:
            torch.testing.assert_close(got, wanted, equal_nan=True)
    except AssertionError as error:
        return f"{error}\n  eager {wanted.tolist()}\n  here  {got.tolist()}"
    return ""


def _same_bits(one: torch.Tensor, other: torch.Tensor) -> bool:
    return torch.equal(_bytes(one), _bytes(other))


def _bytes(x: torch.Tensor) -> torch.Tensor:
    return x.new_empty(x.numel()).copy_(x.reshape(-1)).view(torch.uint8)


def _require_equal(wanted: torch.Tensor, got: torch.Tensor) -> None:
    """Equal in value and in the sign of zero; every NaN is equal to every other."""
    if wanted.is_complex():
        wanted, got = torch.view_as_real(wanted), torch.view_as_real(got)
    same = wanted == got
    if wanted.is_floating_point():
        same &= wanted.signbit() == got.signbit()
        same |= wanted.isnan() & got.isnan()
    assert bool(same.all()), "not the same bits"
