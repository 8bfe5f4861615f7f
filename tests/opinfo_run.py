"""Runs entries of PyTorch's operator database on the CPU and on the device, and compares.

An entry (an OpInfo) makes its own samples. Those of a batch are recorded into one trace, a barrier runs it, then each is
compared with what the CPU made of it: dtypes, shapes, what shares memory, and values at torch's tolerances.
"""

from __future__ import annotations

import contextlib
import random
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

import numpy
import torch
from opinfo_gauges import GAUGES, PLACES, is_place
from ops_support import DEVICE, copied, moved, weights
from torch.utils._pytree import tree_leaves, tree_map

import lazymlir
from lazymlir import metrics

__all__ = ["DEVICE", "VARIANTS", "WIDER", "Outcome", "entry_name", "no_farther", "run_entry", "samples_of", "seed_all", "unequal"]

BATCH = 16
"""Samples of a trace: XLA's compile time grows faster than a trace's length."""

VARIANTS = ("forward", "backward", "inplace", "out", "errors")

RANDOM = frozenset((
    "bernoulli", "cauchy", "exponential", "geometric", "log_normal", "multinomial", "nn.functional.alpha_dropout", "nn.functional.dropout",
    "nn.functional.dropout2d", "nn.functional.dropout3d", "nn.functional.feature_alpha_dropout", "nn.functional.fractional_max_pool2d",
    "nn.functional.fractional_max_pool3d", "nn.functional.multi_head_attention_forward", "nn.functional.rrelu",
    "nn.functional.scaled_dot_product_attention", "normal", "pca_lowrank", "rand_like", "randint", "randint_like", "randn", "randn_like",
    "svd_lowrank", "uniform",
))  # fmt: skip
"""Entries whose results are drawn: where a second run on the CPU differs, only what is no number is compared."""

UNINITIALIZED = frozenset(("empty", "empty_like", "empty_permuted", "empty_strided", "new_empty", "new_empty_strided", "resize_", "resize_as_"))
"""Entries whose numbers say nothing."""


DEMANDS_VALUES = frozenset((
    "__getitem__", "allclose", "argwhere", "bincount", "combinations", "equal", "index_put", "item", "masked_select", "narrow", "nonzero",
    "repeat_interleave", "tensor_split", "unique", "unique_consecutive",
))  # fmt: skip
"""Entries that mean a read: their result is a number of Python's, or its size or place is decided by values."""


@dataclass
class Outcome:
    """What became of the samples of an entry's variant. Operations that ran on the CPU, and reads that cut the trace, by name."""

    entry: str
    dtype: str
    variant: str
    samples: int = 0
    failures: list[str] = field(default_factory=list)
    fallbacks: list[str] = field(default_factory=list)
    reads: int = 0

    @property
    def native(self) -> bool:
        return not self.failures and not self.fallbacks and (not self.reads or self.entry in DEMANDS_VALUES)


class _Sample:
    """A sample of an entry: input, args and kwargs, with CPU tensors; `differentiable` picks what may be differentiated."""

    def __init__(self, number: int, made: Any) -> None:
        self.number = number
        self.tree = (made.input, made.args, made.kwargs)
        self.differentiable: Callable[[Any], Any] = made.output_process_fn_grad

    def placed(self, place: Callable[[torch.Tensor], torch.Tensor]) -> tuple[Any, Any, Any]:
        """A copy; a tensor given twice stays one."""
        known: dict[int, torch.Tensor] = {}

        def put(x: Any) -> Any:
            if isinstance(x, torch.Tensor) and not x.is_meta:
                if id(x) not in known:
                    with torch.no_grad():
                        made = place(x.detach())
                    known[id(x)] = made.requires_grad_(x.requires_grad)
                return known[id(x)]
            if place is moved and (x == "cpu" or (isinstance(x, torch.device) and x.type == "cpu")):
                return torch.device(DEVICE)
            return x

        return tree_map(put, self.tree)


def _strided(tree: Any) -> bool:
    return all(x.layout == torch.strided for x in tree_leaves(tree) if isinstance(x, torch.Tensor))


def entry_name(op: Any) -> str:
    return f"{op.name}.{op.variant_test_name}" if op.variant_test_name else op.name


def seed_all(entry: str) -> None:
    seed = sum(map(ord, entry))
    torch.manual_seed(seed)
    random.seed(seed)
    numpy.random.seed(seed)


def samples_of(op: Any, dtype: torch.dtype, requires_grad: bool, limit: int | None) -> list[_Sample]:
    """The entry's samples, or so many of them chosen by a seed, small ones first."""
    seed_all(op.name)
    made = [s for s in op.sample_inputs("cpu", dtype, requires_grad=requires_grad) if _strided((s.input, s.args, s.kwargs))]
    numbered = [_Sample(number, s) for number, s in enumerate(made)]
    if limit is not None and len(numbered) > limit:
        numbered = sorted(random.Random(op.name).sample(numbered, limit), key=lambda sample: sample.number)
    return numbered


@dataclass
class _Made:
    """`results` are flat, `gradients` those of the inputs that take one."""

    results: list[Any]
    inputs: list[torch.Tensor]
    gradients: list[torch.Tensor | None]


class _Unfit(Exception):
    """The variant does not take this sample."""


def _call(op: Any, variant: str, sample: _Sample, tree: tuple[Any, Any, Any]) -> _Made:
    input_, args, kwargs = tree
    inputs = [x for x in tree_leaves(tree) if isinstance(x, torch.Tensor)]
    if variant == "inplace":
        results = op.get_inplace()(input_, *args, **kwargs)
    elif variant == "out":
        results = _with_out(op, input_, args, kwargs, inputs)
    else:
        results = op(input_, *args, **kwargs)
    gradients: list[torch.Tensor | None] = []
    if variant == "backward":
        outputs = [y for y in tree_leaves(sample.differentiable(results)) if isinstance(y, torch.Tensor) and y.requires_grad]
        wanted = [x for x in inputs if x.requires_grad]
        if not outputs or not wanted:
            raise _Unfit
        gradients = list(torch.autograd.grad(outputs, wanted, [weights(y) for y in outputs], allow_unused=True))
    return _Made(list(tree_leaves(results)), inputs, gradients)


def _with_out(op: Any, input_: Any, args: Any, kwargs: Any, inputs: Sequence[torch.Tensor]) -> Any:
    """Calls the out= form with tensors of the right sizes that hold something else."""
    with torch.no_grad():
        shapes = op(input_, *args, **kwargs)
    device = next((x.device for x in inputs), kwargs.get("device"))
    outs = tree_map(lambda y: torch.full_like(y, 1, device=device) if isinstance(y, torch.Tensor) else y, shapes)
    if not all(isinstance(y, torch.Tensor) for y in tree_leaves(outs)):
        raise _Unfit
    with torch.no_grad():
        op(input_, *args, out=outs, **kwargs)
    return outs


def _batches(samples: Sequence[_Sample]) -> Iterator[Sequence[_Sample]]:
    for first in range(0, len(samples), BATCH):
        yield samples[first : first + BATCH]


def run_entry(op: Any, dtype: torch.dtype, variant: str, limit: int | None = None, runs: int = 1) -> Outcome | None:
    """All of an entry's samples, or `limit` of them; None where the entry has no such variant. Of several runs of each, the last
    one is compared: what the device records from the third on is predicted."""
    outcome = Outcome(entry_name(op), str(dtype)[6:], variant)
    if variant == "backward" and not (op.supports_autograd and dtype in op.supported_backward_dtypes("cpu")):
        return None
    if (variant == "inplace" and op.get_inplace() is None) or (variant == "out" and not op.supports_out):
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if variant == "errors":
            _run_errors(op, outcome)
            return outcome if outcome.samples else None
        for batch in _batches(samples_of(op, dtype, variant == "backward", limit)):
            _run_batch(op, variant, batch, outcome, runs)
    return outcome if outcome.samples else None


def _run_batch(op: Any, variant: str, batch: Sequence[_Sample], outcome: Outcome, runs: int) -> None:
    lazymlir.sync(wait=True)
    metrics.clear_all()
    expected: dict[int, _Made] = {}
    for sample in batch:
        with contextlib.suppress(Exception):  # error inputs are another matter
            seed_all(op.name)
            expected[sample.number] = _call(op, variant, sample, sample.placed(copied))
    samples = [sample for sample in batch if sample.number in expected]
    outcome.samples += len(samples)
    for _ in range(runs - 1):
        alive = []
        for sample in samples:
            with contextlib.suppress(Exception):
                alive.append(_call(op, variant, sample, sample.placed(moved)))
        lazymlir.sync(wait=True)
    pairs: list[tuple[_Sample, _Made]] = []
    for sample in samples:
        try:
            pairs.append((sample, _call(op, variant, sample, sample.placed(moved))))
        except Exception as error:
            outcome.failures.append(f"{sample.number}: raises {type(error).__name__}: {str(error)[:300]}")
    outcome.fallbacks = sorted({*outcome.fallbacks, *metrics.executed_fallback_ops()})
    outcome.reads += metrics.counter_value("HostRead") or 0
    try:
        lazymlir.sync()
    except Exception as error:
        outcome.failures.append(f"batch: {type(error).__name__}: {str(error)[:300]}")
    for sample, got in pairs:
        try:
            text = _difference(op, variant, sample, expected[sample.number], got)
        except Exception as error:
            text = f"a read raises {type(error).__name__}: {str(error)[:300]}"
        if text:
            outcome.failures.append(f"{sample.number}: {text}")


def _run_errors(op: Any, outcome: Outcome) -> None:
    """What the CPU refuses the device refuses with the same type, at once or, where values decide, at the barrier."""
    if op.error_inputs_func is None:
        return
    seed_all(op.name)
    for number, wrong in enumerate(op.error_inputs("cpu")):
        sample = _Sample(number, wrong.sample_input)
        if not _strided(sample.tree):
            continue
        expected, got = (_raised(op, sample.placed(place)) for place in (copied, moved))
        outcome.samples += 1
        if expected is not None and not isinstance(got, type(expected)):
            outcome.failures.append(
                f"{number}: eager raises {type(expected).__name__}: {str(expected)[:150]}; here {type(got).__name__}: {str(got)[:150]}"
            )


def _raised(op: Any, tree: tuple[Any, Any, Any]) -> Exception | None:
    input_, args, kwargs = tree
    try:
        op(input_, *args, **kwargs)
        lazymlir.sync(wait=True)
    except Exception as error:
        return error
    return None


def _difference(op: Any, variant: str, sample: _Sample, expected: _Made, got: _Made) -> str:
    drawn = op.name in UNINITIALIZED or (op.name in RANDOM and _is_drawn(op, variant, sample, expected))
    if len(expected.results) != len(got.results):
        return f"{len(got.results)} results, eager {len(expected.results)}"
    if _sharing(expected) != _sharing(got):
        return f"shares memory with inputs {_sharing(got)}, eager {_sharing(expected)}"
    if expected.inputs and any(y.device.type != DEVICE for y in got.results if isinstance(y, torch.Tensor)):
        return "a result is not on the device"
    expected, got = _without_choice(op, expected), _without_choice(op, got)
    precise: _Made | None = None
    for part in ("results", "gradients", "inputs"):
        for place, (wanted, found) in enumerate(zip(getattr(expected, part), getattr(got, part), strict=True)):
            text = unequal(wanted, found, drawn)
            if text and isinstance(wanted, torch.Tensor) and wanted.dtype in WIDER:
                precise = precise or _without_choice(op, _call(op, variant, sample, sample.placed(_widened)))
                if no_farther(wanted, found, getattr(precise, part)[place]):
                    text = ""
            if text and op.name in PLACES and part == "results" and place == 1:
                values, places = (y.detach().cpu() for y in got.results)
                text = "" if is_place(sample.tree[0].detach(), values, places) else text
            if text:
                return f"{part} {place}: {text}"
    return ""


def _without_choice(op: Any, made: _Made) -> _Made:
    gauge = GAUGES.get(op.name)
    if gauge is None or not all(isinstance(y, torch.Tensor) for y in made.results):
        return made
    return _Made(
        [y.to(DEVICE) if made.results[0].device.type == DEVICE else y for y in gauge(*(y.detach().cpu() for y in made.results))],
        made.inputs,
        made.gradients,
    )


WIDER = {torch.float32: torch.float64, torch.bfloat16: torch.float64, torch.float16: torch.float64, torch.complex64: torch.complex128}


def _widened(x: torch.Tensor) -> torch.Tensor:
    return copied(x).to(WIDER.get(x.dtype, x.dtype))


def no_farther(wanted: torch.Tensor, found: torch.Tensor, precise: Any, times: float = 4) -> bool:
    """Whether what the device computed is as close to the same in double precision as what eager computed, up to `times`:
    two orders of summation differ by more than torch's tolerances where much cancels."""
    if not isinstance(precise, torch.Tensor) or precise.shape != wanted.shape or wanted.shape != found.shape or wanted.dtype != found.dtype:
        return False
    one, other = ((x.detach().cpu().to(precise.dtype) - precise.detach()).abs() for x in (wanted, found))
    same = ~precise.detach().isfinite() & (wanted.detach().isnan() == found.detach().cpu().isnan())
    one, other = one.masked_fill(same, 0), other.masked_fill(same, 0)
    return bool(other.max() <= times * one.max())


def _is_drawn(op: Any, variant: str, sample: _Sample, expected: _Made) -> bool:
    """Whether some runs on the CPU differ. Entries seed the generator themselves, which does nothing here, and put it back."""
    first = _without_choice(op, expected).results
    for _ in range(8):  # one number may be drawn twice
        torch.rand(1)
        with patch.object(torch, "manual_seed", lambda seed: None):
            again = _without_choice(op, _call(op, variant, sample, sample.placed(copied))).results
        if any(unequal(one, other, False) for one, other in zip(first, again, strict=True)):
            return True
    return False


def _sharing(made: _Made) -> list[list[int]]:
    """For each result, the inputs whose memory it shares."""
    return [
        [place for place, x in enumerate(made.inputs) if isinstance(y, torch.Tensor) and x.untyped_storage()._cdata == y.untyped_storage()._cdata]
        for y in made.results
    ]


def unequal(wanted: Any, found: Any, drawn: bool) -> str:
    if wanted is None or found is None:
        zero = wanted if found is None else found
        return "" if zero is None or not bool(zero.any()) else f"{found}, eager {wanted}"
    if not isinstance(wanted, torch.Tensor):
        try:
            torch.testing.assert_close(found, wanted, equal_nan=True)
        except (AssertionError, TypeError, ValueError) as error:
            return "" if found == wanted else f"{error}"
        return ""
    if not isinstance(found, torch.Tensor):
        return f"a {type(found).__name__}, eager a tensor"
    if (wanted.dtype, wanted.shape) != (found.dtype, found.shape):
        return f"{found.dtype} {list(found.shape)}, eager {wanted.dtype} {list(wanted.shape)}"
    if drawn:
        return ""
    try:
        torch.testing.assert_close(found.detach().cpu().resolve_conj().resolve_neg(), wanted.detach().resolve_conj().resolve_neg(), equal_nan=True)
    except AssertionError as error:
        return f"{' '.join(str(error).split())} eager {wanted.detach().flatten()[:6].tolist()} here {found.detach().cpu().flatten()[:6].tolist()}"
    return ""
