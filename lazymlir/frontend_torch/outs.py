"""The `out=` forms: what the functional kernel gives is written into the given tensors, as torch does it."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import torch

from .dtypes import require_castable
from .infer import stand_in, unnoticed
from .registry import arguments

__all__ = ["make_out_kernel", "write_out"]

_answers: dict[Any, RuntimeError | None] = {}
"""What the CPU said, by overload and dtypes."""


def make_out_kernel(functional: Callable[..., Any], out_overload: Any) -> Callable[..., Any]:
    """The kernel of an `out=` form: the functional kernel, then a write into each given tensor, resized as torch does."""
    schema = out_overload._schema
    names = [argument.name for argument in schema.arguments if argument.is_out]
    # torch leaves out an argument that equals its default, which the functional form need not have.
    defaults = [(argument.name, argument.default_value) for argument in schema.arguments if argument.has_default_value()]
    places = {name: place for place, (name, _) in enumerate(arguments(out_overload))}

    def kernel(*args: Any, **kwargs: Any) -> Any:
        outs = [kwargs.pop(name) for name in names]
        for name, value in defaults:
            if value is not None and places[name] >= len(args):
                kwargs.setdefault(name, value)
        made = functional(*args, **kwargs)
        targets = outs[0] if isinstance(outs[0], (tuple, list)) else outs
        results = made if isinstance(made, (tuple, list)) else (made,)
        if len(names) == len(targets) and any(result is not None and out.dtype != result.dtype for out, result in zip(targets, results, strict=True)):
            _require_dtypes(out_overload, args, kwargs, names, targets, results)
        for out, result in zip(targets, results, strict=True):
            if result is not None:
                write_out(out, result)
        if not schema.returns:
            return None
        return outs[0] if len(outs) == 1 else tuple(outs)

    return kernel


def _require_dtypes(
    overload: Any, args: Sequence[Any], kwargs: dict[str, Any], names: Sequence[str], targets: Sequence[Any], results: Sequence[Any]
) -> None:
    """torch's error where an operation takes no `out=` of another dtype than its result's. Which do is torch's own
    knowledge: the CPU is asked."""
    key = (overload, *(x.dtype for x in (*args, *targets) if isinstance(x, torch.Tensor)))
    if key not in _answers:
        given, fitting = (dict(zip(names, outs, strict=True)) for outs in (targets, results))
        _answers[key] = _refusal(overload, args, kwargs | given) if _refusal(overload, args, kwargs | fitting) is None else None
    refusal = _answers[key]
    if refusal is not None:
        raise refusal


def _refusal(overload: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> RuntimeError | None:
    try:
        with unnoticed():
            overload(*(stand_in(argument) for argument in args), **{name: stand_in(argument) for name, argument in kwargs.items()})
    except RuntimeError as error:
        return error.with_traceback(None)
    except (TypeError, ValueError, IndexError):
        pass
    return None


def write_out(out: torch.Tensor, result: torch.Tensor) -> None:
    """Copies a result into a tensor given as `out=`; torch's error where the dtype does not fit."""
    require_castable(result.dtype, out.dtype)
    if out.shape != result.shape:
        if out.numel():
            warnings.warn(
                f"An output with one or more elements was resized since it had shape {list(out.shape)}, which does not match the "
                f"required output shape {list(result.shape)}. This behavior is deprecated, and in a future PyTorch release outputs "
                "will not be resized unless they have zero elements.",
                stacklevel=3,
            )
        out.resize_(result.shape)
        out.as_strided_(result.shape, result.stride())
    out.copy_(result)
