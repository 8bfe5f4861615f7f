"""What the programs in tests/cases/ and their test share."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import torch

import lazymlir

FOLDER = Path(__file__).with_name("cases")


def barrier(device: Any) -> None:
    if str(device) != "cpu":
        lazymlir.mark_step()


def names() -> list[str]:
    return [path.stem.removeprefix("case_") for path in sorted(FOLDER.glob("case_*.py"))]


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"case_{name}", FOLDER / f"case_{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def flatten(value: Any) -> list[Any]:
    """The tensors, on the CPU, and other values of a nest of dictionaries, lists and tuples."""
    if isinstance(value, dict):
        return [leaf for item in value.values() for leaf in flatten(item)]
    if isinstance(value, (list, tuple)):
        return [leaf for item in value for leaf in flatten(item)]
    return [value.detach().cpu() if isinstance(value, torch.Tensor) else value]


def differences(wanted: list[Any], got: list[Any], expect: dict[str, Any]) -> list[str]:
    """Values, dtypes and shapes; `exact` is bit for bit but for the payload of NaN."""
    if len(wanted) != len(got):
        return [f"{len(got)} outputs, eager {len(wanted)}"]
    found = []
    for i, (x, y) in enumerate(zip(wanted, got, strict=True)):
        if not isinstance(x, torch.Tensor):
            if x != y and (x == x or y == y):
                found.append(f"output {i} is {y!r}, eager {x!r}")
            continue
        rtol, atol = (0, 0) if expect.get("exact") else (expect.get("rtol", 1e-5), expect.get("atol", 1e-6))
        if x.dtype in (torch.float16, torch.bfloat16):
            rtol, atol = 2e-2, 2e-2
        try:
            torch.testing.assert_close(y, x, rtol=rtol, atol=atol, equal_nan=True)
        except AssertionError as error:
            found.append(f"output {i}: {error}")
    return found
