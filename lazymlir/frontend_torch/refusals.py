"""Element types and empty tensors that torch's operations refuse.

Which ones is torch's own knowledge, and its meta kernels do not have it: when a signature is made, the CPU is asked.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch

from .infer import unnoticed

__all__ = ["require_accepted", "require_numbers"]

_Tensor = torch.Tensor

_OF_TYPES = re.compile(
    "implemented for|[Cc]omplex|[Bb]ool|dtype|data type|scalar type|floating|[Ii]nteger|integral|[Uu]nsupported input type|Promotion for"
)
_OF_THE_CPU_ONLY = re.compile("not implemented for '(Half|BFloat16)'|histogram_cpu|for privateuse1 backends|must match the size")
"""What the CPU lacks and others have, this device too; and shapes that do not go together, which meta kernels find, of buffers
that other devices leave empty."""

_TRUSTS_ITS_ARGUMENTS = re.compile(
    r"aten\.(_(?!_|foreach_|softmax|log_softmax|logcumsumexp|index_put_impl_)|native_|linalg_|lu_|ldl_|ormqr|lstm|gru|rnn)|backward"
)
"""Kernels that may not check that their arguments fit together, since torch itself makes them: with others they write anywhere."""

_ALWAYS_ACCEPTED = {torch.float32, torch.float64}
_LARGE = 1 << 16
_MUCH_MEMORY = 1 << 24
_FEW_ELEMENTS = 1 << 12


_OF_NUMBERS = re.compile("without overflow|ZeroDivisionError|Promotion for")
_OF_NUMBERS_BEFORE_TENSORS = re.compile("without overflow|Promotion for")
"""Where the zeros that stand for tensors may be divisors."""


def require_accepted(function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any], sizes: Sequence[Any]) -> None:
    """torch's error if its CPU kernel does not take tensors of these element types, with these numbers; or does not take
    these shapes, of which one is empty: then zeros stand for what the others hold, which is right where they are indices.
    `sizes` are the arguments that may be sizes of the result."""
    if _TRUSTS_ITS_ARGUMENTS.search(str(function)):
        return
    given = list(_flat((*args, *kwargs.values())))
    tensors = [argument for argument in given if isinstance(argument, _Tensor)]
    if any(tensor.numel() == 0 for tensor in tensors):
        if sum(tensor.numel() * tensor.element_size() for tensor in tensors) <= _MUCH_MEMORY:
            _ask(function, args, kwargs, lambda size: size, re.compile(""))
        return
    dtypes = {tensor.dtype for tensor in tensors}
    plain = len(dtypes) == 1 and dtypes <= _ALWAYS_ACCEPTED and not any(isinstance(argument, (bool, complex)) for argument in given)
    if not dtypes or plain or _may_make_much(sizes):
        return
    fits = _ask(function, args, kwargs, lambda size: 1, _OF_TYPES)
    if not fits and sum(tensor.numel() for tensor in tensors) <= _FEW_ELEMENTS:
        _ask(function, args, kwargs, lambda size: size, _OF_TYPES)


def require_numbers(function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> None:
    """torch's error if its CPU kernel does not take one of the numbers, which is beyond what the tensors' type holds."""
    if _TRUSTS_ITS_ARGUMENTS.search(str(function)):
        return
    words = _OF_NUMBERS if isinstance(next(_flat(args)), _Tensor) else _OF_NUMBERS_BEFORE_TENSORS
    _ask(function, args, kwargs, lambda size: min(size, 1), words)


def _ask(function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any], sized: Callable[[int], int], words: re.Pattern[str]) -> bool:
    """Raises the CPU's error if it has such words, else tells whether there was none. With all sizes 1 it is quick, and
    errors of shapes are of no account."""
    options = {name: None if name in ("device", "pin_memory", "generator") else _zeros(argument, sized) for name, argument in kwargs.items()}
    try:
        with unnoticed():
            function(*(_zeros(argument, sized) for argument in args), **options)
    except (RuntimeError, TypeError, ValueError, IndexError) as error:
        if words.search(str(error)) and not _OF_THE_CPU_ONLY.search(str(error)):
            raise error.with_traceback(None) from None
        return False
    return True


def _zeros(argument: Any, sized: Callable[[int], int]) -> Any:
    if isinstance(argument, (list, tuple)):
        return [_zeros(item, sized) for item in argument]
    if isinstance(argument, torch.Generator):
        return None
    return torch.zeros([sized(size) for size in argument.shape], dtype=argument.dtype, device="cpu") if isinstance(argument, _Tensor) else argument


def _flat(arguments: Sequence[Any]) -> Iterator[Any]:
    for argument in arguments:
        if isinstance(argument, (list, tuple)):
            yield from _flat(argument)
        else:
            yield argument


def _may_make_much(arguments: Sequence[Any]) -> bool:
    """Whether a number or a list of numbers may be the size of a large result."""
    return any(
        math.prod(item for item in (argument if isinstance(argument, (list, tuple)) else (argument,)) if type(item) is int) > _LARGE
        for argument in arguments
    )
