"""Every overload that has a kernel writes what its schema says and nothing else, and returns what aliases what it says."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import pytest
import torch
from schema_calls import direct_calls, list_arguments
from schema_support import SchemaCheck
from torch.utils._pytree import tree_leaves, tree_map

import lazymlir
from lazymlir.core.engine import Engine, engine
from lazymlir.frontend_torch.registry import overload_of

DEVICE = "lazymlir"
SAMPLES = 3
UNDECLARED = {
    ("aten::native_batch_norm", "writes running_mean, which is not declared"),
    ("aten::native_batch_norm", "writes running_var, which is not declared"),
    ("aten::native_batch_norm.out", "writes running_mean, which is not declared"),
    ("aten::native_batch_norm.out", "writes running_var, which is not declared"),
    ("aten::_copy_from", "writes dst, which is not declared"),
    ("aten::_copy_from", "result 0 aliases dst, which is not declared"),
    ("aten::_copy_from_and_resize", "writes dst, which is not declared"),
    ("aten::_copy_from_and_resize", "result 0 aliases dst, which is not declared"),
}
"""torch's schemas do not say so; torch's own kernels do it, and are relied on to."""

NEVER_WRITTEN = {
    ("aten::_fused_adagrad_", "state_steps"),
    ("aten::record_stream", "self"),
}
"""torch's schemas say so; torch's own kernels do not do it."""

UNCHECKED = {
    "aten::scaled_dot_product_attention": "seen by no mode: it is called where autograd has been passed",
    **dict.fromkeys(
        ("aten::cov", "aten::cumprod_backward", "aten::istft", "aten::linear_backward", "aten::tensor_split.tensor_indices_or_sections"),
        "seen by no mode: composed anew before autograd",
    ),
    **dict.fromkeys(
        (
            "aten::_unique",
            "aten::_unique2",
            "aten::bincount",
            "aten::masked_select",
            "aten::masked_select.out",
            "aten::nonzero",
            "aten::nonzero.out",
            "aten::unique_consecutive",
        ),
        "reads a count, for which the trace would have to run",
    ),
}
"""Overloads that cannot be called here, and why."""


class WouldRunError(Exception):
    """The call needs a value that is pending."""


@pytest.fixture
def nothing_runs(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Calls that would cut the trace raise instead; what they recorded is forgotten."""
    read = Engine.read

    def read_present(self: Engine, value: Any) -> Any:
        if value.array is None:
            raise WouldRunError
        return read(self, value)

    monkeypatch.setattr(Engine, "read", read_present)
    lazymlir.sync()
    trace = engine.trace
    mark = trace.mark()
    with lazymlir.config(fallback="error", max_trace=10**9), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
    assert engine.trace is trace, "something cut the trace"
    trace.rollback(mark)


def moved(x: Any) -> Any:
    if isinstance(x, torch.Tensor):
        return x.detach().to(DEVICE).requires_grad_(x.requires_grad)
    return torch.device(DEVICE) if isinstance(x, torch.device) else x


def tensors(tree: Any) -> list[torch.Tensor]:
    return [leaf for leaf in tree_leaves(tree) if isinstance(leaf, torch.Tensor)]


def attempt(check: SchemaCheck, call: Callable[[], Any]) -> None:
    """A sample that the device does not take says nothing of schemas."""
    try:
        with check:
            call()
    except Exception:
        return


def run_with_gradients(function: Callable[..., Any], inputs: Any) -> None:
    first, args, kwargs = inputs
    outputs = [x for x in tensors(function(first, *args, **kwargs)) if x.requires_grad]
    wanted = [x for x in tensors(inputs) if x.requires_grad]
    if outputs and wanted:
        torch.autograd.grad(outputs, wanted, [torch.ones_like(x) for x in outputs], allow_unused=True)


def run_samples(check: SchemaCheck) -> None:
    """torch's own samples of its operators."""
    from torch.testing._internal.common_methods_invocations import op_db

    for info in op_db:
        for dtype in (dtype for dtype in (torch.float32, torch.int64, torch.bool) if dtype in info.supported_dtypes("cpu")):
            differentiable = dtype == torch.float32 and info.supports_autograd
            try:
                samples = list(islice(info.sample_inputs_func(info, "cpu", dtype, differentiable), SAMPLES))
            except Exception:  # samples for other devices
                continue
            for sample in samples:
                given = (sample.input, sample.args, sample.kwargs)
                attempt(check, lambda given=given, info=info: run_with_gradients(info.op, tree_map(moved, given)))
                if info.inplace_variant is not None:
                    attempt(check, lambda given=given, info=info: run_in_place(info.inplace_variant, tree_map(moved, given)))


def run_in_place(function: Callable[..., Any], inputs: Any) -> None:
    first, args, kwargs = inputs
    function(first.clone(), *args, **kwargs)


def run_derived(check: SchemaCheck) -> None:
    """For each functional call seen: the in-place overload and the `out=` overload with the same arguments."""
    for func, args, kwargs in list(check.calls.values()):
        packet = getattr(torch.ops.aten, func._schema.name.split("::")[1])
        in_place = getattr(torch.ops.aten, func._schema.name.split("::")[1] + "_", None)
        with torch.no_grad():
            args, kwargs = tree_map(lambda x: x.detach() if isinstance(x, torch.Tensor) else x, (args, kwargs))
            for overload in overloads(packet, check) + overloads(in_place, check):
                if overload.name() not in check.calls and takes(overload, func):
                    attempt(check, lambda o=overload, f=func, a=args, k=kwargs: call_derived(o, f, a, k))


def overloads(packet: Any, check: SchemaCheck) -> list[Any]:
    found = [getattr(packet, name) for name in packet.overloads()] if packet is not None else []
    return [overload for overload in found if overload.name() in check.names]


def takes(overload: Any, func: Any) -> bool:
    """Whether it has the same arguments, but for `out=`."""
    one, other = ([(a.name, str(a.type)) for a in o._schema.arguments if not a.is_out] for o in (overload, func))
    return one == other


def call_derived(overload: Any, func: Any, args: Any, kwargs: dict[str, Any]) -> None:
    outs = [argument.name for argument in overload._schema.arguments if argument.is_out]
    if not outs:
        target = tree_map(lambda x: x.clone() if isinstance(x, torch.Tensor) else x, args[0])
        overload(target, *args[1:], **kwargs)
        return
    made = func(*args, **kwargs)
    made = made if isinstance(made, tuple) else (made,)
    empty = [tree_map(lambda x: torch.empty_strided(x.shape, x.stride(), dtype=x.dtype, device=x.device), result) for result in made]
    overload(*args, **kwargs, **dict(zip(outs, empty, strict=True)))


def run_direct(check: SchemaCheck) -> None:
    """What no sample reaches."""
    for name, args, kwargs in direct_calls():
        attempt(check, lambda name=name, args=args, kwargs=kwargs: overload_of(name)(*args, **kwargs))
    for name in sorted(check.names):
        if name.startswith("aten::_foreach_"):
            overload = overload_of(name.removeprefix("aten::"))
            if not any(argument.is_out for argument in overload._schema.arguments):
                attempt(check, lambda overload=overload: overload(*list_arguments(overload)))


def test_kernels_do_what_their_schemas_declare(nothing_runs: None) -> None:
    check = SchemaCheck()
    run_samples(check)
    run_direct(check)
    run_derived(check)
    unchecked = check.names - set(check.calls) - set(UNCHECKED)
    check.calls.clear()
    assert set(check.differences) - UNDECLARED == set()
    assert check.unwritten - NEVER_WRITTEN == set()
    assert unchecked == set()
