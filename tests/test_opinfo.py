"""A seeded sample of every entry of PyTorch's operator database; `make opinfo` runs them all (opinfo_main.py)."""

from __future__ import annotations

import pytest
import torch
from opinfo_coverage import not_native
from opinfo_run import entry_name, run_entry
from opinfo_skips import SKIPPED
from torch.testing._internal.common_methods_invocations import op_db

CHUNKS = 20
LONGEST_SKIP_LIST = 14


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_a_sample_of_each_entry(chunk: int) -> None:
    """With its gradient where it has one. An entry that the coverage page calls native must be."""
    known = not_native()
    failures: list[str] = []
    seen = 0
    for op in op_db[chunk::CHUNKS]:
        name = entry_name(op)
        if torch.float32 not in op.supported_dtypes("cpu") or name in SKIPPED:
            continue
        outcome = run_entry(op, torch.float32, "backward", 1, runs=4) or run_entry(op, torch.float32, "forward", 1, runs=4)
        if outcome is None:
            continue
        seen += 1
        failures += [f"{name} {outcome.variant}: {failure}" for failure in outcome.failures]
        if not outcome.failures and not outcome.native and (name, outcome.variant) not in known:
            failures.append(f"{name} {outcome.variant}: ran {outcome.fallbacks} on the CPU and read {outcome.reads} times")
    assert seen > 20
    assert not failures, "\n".join(failures)


def test_the_skip_list_is_short_and_says_why() -> None:
    assert len(SKIPPED) <= LONGEST_SKIP_LIST
    assert all(SKIPPED.values())
    assert set(SKIPPED) <= {entry_name(op) for op in op_db}
