"""PyTorch's databases of modules and optimizers, on the device against the CPU."""

from __future__ import annotations

import copy
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import torch
from opinfo_run import DEVICE, WIDER, Outcome, no_farther, seed_all, unequal
from ops_support import moved
from torch.testing._internal.common_modules import module_db
from torch.testing._internal.common_optimizers import optim_db
from torch.utils._pytree import tree_leaves, tree_map

import lazymlir
from lazymlir import metrics

__all__ = ["run_modules", "run_optimizers"]

STEPS = 4
Place = Callable[[Any], Any]


class _Run(NamedTuple):
    """What a run gave: results (or losses), gradients of inputs and parameters, parameters and buffers after it."""

    results: list[Any]
    gradients: list[torch.Tensor | None]
    state: list[torch.Tensor]


def run_modules() -> Iterator[Outcome]:
    """Each module in training and in evaluation: results, gradients and buffers."""
    for info in module_db:
        for training in (True, False):
            outcome = Outcome(info.module_cls.__name__, "float32", "training" if training else "evaluation")
            seed_all(outcome.entry)
            for number, given in enumerate(info.module_inputs_func(info, "cpu", torch.float32, True, training)):
                made = given.constructor_input
                module = info.module_cls(*made.args, **made.kwargs).train(training)
                if given.forward_input is not None:
                    _compare(outcome, f"{number} {given.desc}", partial(_run_module, module, given.forward_input))
            if outcome.samples:
                yield outcome


def _run_module(module: torch.nn.Module, given: Any, place: Place) -> _Run:
    module = place(copy.deepcopy(module))
    args, kwargs = tree_map(place, (tuple(given.args), dict(given.kwargs)))
    torch.manual_seed(0)
    results = [y for y in tree_leaves(module(*args, **kwargs)) if isinstance(y, torch.Tensor)]
    wanted = [x for x in (*tree_leaves((args, kwargs)), *module.parameters()) if isinstance(x, torch.Tensor) and x.requires_grad]
    outputs = [y for y in results if y.requires_grad]
    gradients = torch.autograd.grad(outputs, wanted, [torch.ones_like(y) for y in outputs], allow_unused=True) if outputs and wanted else []
    return _Run(results, list(gradients), list(module.buffers()))


def run_optimizers() -> Iterator[Outcome]:
    """Some steps of each optimizer with each of its configurations."""
    for info in optim_db:
        if info.only_supports_sparse_grads:
            continue
        outcome = Outcome(info.optim_cls.__name__, "float32", "optimizer")
        for number, given in enumerate(info.optim_inputs_func("cpu")):
            _compare(outcome, f"{number} {given.desc}", partial(_run_optimizer, info, given.kwargs))
        yield outcome


def _run_optimizer(info: Any, kwargs: dict[str, Any], place: Place) -> _Run:
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Tanh(), torch.nn.Linear(8, 3))
    x, y = torch.randn(6, 4), torch.randn(6, 3)
    model, x, y = place(model), place(x), place(y)
    # Muon takes matrices only.
    parameters = [p for p in model.parameters() if p.dim() == 2 or info.optim_cls.__name__ != "Muon"]
    optimizer = info.optim_cls(parameters, **tree_map(lambda n: place(n) if isinstance(n, torch.Tensor) and n.dim() else n, kwargs))
    losses: list[Any] = []

    def closure() -> torch.Tensor:
        optimizer.zero_grad()
        loss = (model(x) - y).square().mean()
        loss.backward()
        return loss

    for _ in range(STEPS):
        if info.step_requires_closure:
            losses.append(optimizer.step(closure))
        else:
            losses.append(closure())
            optimizer.step()
    return _Run([loss.detach() for loss in losses], [], [parameter.detach() for parameter in model.parameters()])


def _copied(x: Any) -> Any:
    return x.detach().clone().requires_grad_(x.requires_grad) if isinstance(x, torch.Tensor) else x


def _placed(x: Any) -> Any:
    if isinstance(x, torch.nn.Module):
        return x.to(DEVICE)
    return moved(x.detach()).requires_grad_(x.requires_grad) if isinstance(x, torch.Tensor) else x


def _widened(x: Any) -> Any:
    if isinstance(x, torch.nn.Module):
        return x.double()
    return x.detach().to(WIDER.get(x.dtype, x.dtype)).requires_grad_(x.requires_grad) if isinstance(x, torch.Tensor) else x


def _compare(outcome: Outcome, name: str, run: Callable[[Place], _Run]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            expected = run(_copied)
        except Exception:  # what eager refuses is another matter
            return
        outcome.samples += 1
        lazymlir.sync(wait=True)
        metrics.clear_all()
        try:
            got = run(_placed)
            outcome.fallbacks = sorted({*outcome.fallbacks, *metrics.executed_fallback_ops()})
            outcome.reads += metrics.counter_value("HostRead") or 0
            lazymlir.sync()
            text = _difference(expected, got, run)
        except Exception as error:
            text = f"{type(error).__name__}: {str(error)[:300]}"
    if text:
        outcome.failures.append(f"{name}: {text}")


def _difference(expected: _Run, got: _Run, run: Callable[[Place], _Run]) -> str:
    again, precise = run(_copied), None
    drawn = any(unequal(one, other, False) for one, other in zip(_flat(expected), _flat(again), strict=True))
    for place, (wanted, found) in enumerate(zip(_flat(expected), _flat(got), strict=True)):
        text = unequal(wanted, found, drawn)
        if text and isinstance(wanted, torch.Tensor):
            precise = precise or _flat(run(_widened))
            text = "" if no_farther(wanted, found, precise[place]) or _close_for_its_size(found, precise[place]) else text
        if text:
            return f"{place}: {text}"
    return ""


def _close_for_its_size(found: torch.Tensor, precise: torch.Tensor) -> bool:
    """Whether the error is within torch's relative tolerance of the largest element: a gradient of a whole module sums
    terms of that size, which cancel in some of its elements."""
    return bool((found.detach().cpu().double() - precise.detach()).abs().max() <= 1.3e-6 * precise.detach().abs().max())


def _flat(run: _Run) -> Sequence[Any]:
    return [*run.results, *run.gradients, *run.state]


def main() -> int:
    wrong = 0
    for outcome in (*run_optimizers(), *run_modules()):
        wrong += bool(outcome.failures)
        how = "differs" if outcome.failures else "as on the CPU"
        print(
            f"{outcome.entry} {outcome.variant} ({outcome.samples} samples): {how} {' '.join(outcome.fallbacks)}",
            *outcome.failures,
            sep="\n    ",
            flush=True,
        )
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
