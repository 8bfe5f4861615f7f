"""Comparing many operations with CPU eager at once: all are recorded, one barrier runs them, then each is compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import torch
from torch.utils._pytree import tree_leaves, tree_map

import lazymlir
from lazymlir import metrics

DEVICE = "lazymlir"
FLOATS = (torch.float32, torch.float64, torch.bfloat16, torch.float16)
DTYPES = (*FLOATS, torch.int64, torch.uint8, torch.bool)


class Case(NamedTuple):
    """`run` is called with the inputs, on the CPU and on the device; tensors among them keep their geometry."""

    name: str
    run: Callable[..., Any]
    inputs: tuple[Any, ...]


def cases(table: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]]) -> Iterator[Case]:
    for name, (run, inputs) in table.items():
        yield Case(name, run, inputs)


def with_options(function: Callable[..., Any], *args: Any, **options: Any) -> Callable[..., Any]:
    """`function` with further arguments after its tensors."""
    return lambda *tensors: function(*tensors, *args, **options)


class _Outcome(NamedTuple):
    results: list[torch.Tensor]
    inputs: list[torch.Tensor]
    gradients: list[torch.Tensor]


def check(cases: Iterable[Case], gradients: bool = False) -> None:
    """Values, dtypes, shapes and strides of all results; values of the inputs afterwards; gradients where asked for.

    A case that the CPU refuses must be refused by the device too, when it is recorded. Nothing may fall back.
    """
    lazymlir.sync(wait=True)
    metrics.clear_all()
    recorded: list[tuple[Case, _Outcome, _Outcome]] = []
    failures: list[str] = []
    for case in cases:
        try:
            expected = _run(case, torch.Tensor.clone, gradients)
        except (RuntimeError, TypeError, IndexError, ValueError) as error:
            failures += _accepted_only_here(case, error, gradients)
            continue
        recorded.append((case, expected, _run(case, moved, gradients)))
    lazymlir.sync()
    for case, expected, got in recorded:
        failures += _differences(case, expected, got)
    assert recorded
    assert not failures, f"{len(failures)} differences\n" + "\n".join(failures[:20])
    assert metrics.executed_fallback_ops() == []


def moved(x: torch.Tensor) -> torch.Tensor:
    """`x` on the device: the same window onto a copy of all of its memory."""
    count = x.untyped_storage().nbytes() // x.element_size()
    return torch.as_strided(x, (count,), (1,), 0).to(DEVICE).as_strided(x.shape, x.stride(), x.storage_offset())


def _run(case: Case, place: Callable[[torch.Tensor], torch.Tensor], gradients: bool) -> _Outcome:
    def prepare(x: Any) -> Any:
        if not isinstance(x, torch.Tensor):
            return torch.device(DEVICE) if place is moved and x == torch.device("cpu") else x
        made = copied(x) if place is not moved else moved(x)
        return made.requires_grad_() if gradients and made.is_floating_point() else made

    inputs = tree_map(prepare, case.inputs)
    results = _tensors(case.run(*inputs))
    given = _tensors(inputs)
    if not gradients:
        return _Outcome(results, given, [])
    outputs = [result for result in results if result.requires_grad]
    wanted = [x for x in given if x.requires_grad]
    found = torch.autograd.grad(outputs, wanted, [weights(y) for y in outputs], allow_unused=True)
    return _Outcome(results, given, [torch.zeros(()) if gradient is None else gradient for gradient in found])


def weights(y: torch.Tensor) -> torch.Tensor:
    """What the elements of a result count in a gradient: each another number."""
    flat = torch.linspace(0.5, 1.5, max(y.numel(), 1), dtype=torch.float64)[: y.numel()]
    return flat.view(y.shape).to(y.dtype).to(y.device)


def copied(x: torch.Tensor) -> torch.Tensor:
    """The same window onto a copy of the memory."""
    count = x.untyped_storage().nbytes() // x.element_size()
    return torch.as_strided(x, (count,), (1,), 0).clone().as_strided(x.shape, x.stride(), x.storage_offset())


def _tensors(tree: Any) -> list[torch.Tensor]:
    return [leaf for leaf in tree_leaves(tree) if isinstance(leaf, torch.Tensor)]


def _accepted_only_here(case: Case, error: Exception, gradients: bool) -> list[str]:
    if "not implemented for" in str(error):
        return []
    try:
        _run(case, moved, gradients)
    except type(error):
        return []
    return [f"{case.name}: eager raises {type(error).__name__}: {error}"]


def _differences(case: Case, expected: _Outcome, got: _Outcome) -> list[str]:
    found = []
    for part in _Outcome._fields:
        pairs = list(zip(getattr(expected, part), getattr(got, part), strict=True))
        for number, (wanted, result) in enumerate(pairs):
            if part == "results" and wanted.numel() and wanted.stride() != result.stride():
                found.append(f"{case.name}: result {number} has strides {result.stride()}, eager {wanted.stride()}")
            try:
                torch.testing.assert_close(result.detach().cpu(), wanted.detach().resolve_conj(), equal_nan=True)
            except AssertionError as error:
                found.append(f"{case.name}: {part[:-1]} {number}: {error}\n  eager {wanted.detach()}\n  here {result.detach().cpu()}")
    return found


def gapped(x: torch.Tensor) -> torch.Tensor:
    """The elements of `x` in a window of a larger tensor, transposed in memory where there are two dimensions."""
    if x.dim() < 2:
        wide = torch.zeros((*x.shape, 2), dtype=x.dtype)
        wide[..., 1] = x
        return wide[..., 1]
    wide = torch.zeros((*x.shape[:-2], x.shape[-1] + 1, x.shape[-2]), dtype=x.dtype)
    window = wide[..., 1:, :].transpose(-1, -2)
    window.copy_(x)
    return window
