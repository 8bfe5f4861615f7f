"""What the tests of `lazymlir.steady` share."""

from __future__ import annotations

import inspect
import re
from typing import Any

import pytest
import torch

from lazymlir.errors import SteadyError

DEVICE = "lazymlir"


def here(offset: int) -> str:
    """The place so many lines after this call, as errors name it."""
    frame = inspect.currentframe()
    assert frame is not None and frame.f_back is not None
    return re.escape(f"{frame.f_back.f_code.co_filename.rpartition('/')[2]}:{frame.f_back.f_lineno + offset}")


def equal(got: Any, expected: Any) -> None:
    torch.testing.assert_close(got.detach().cpu(), expected.detach().cpu(), rtol=1e-5, atol=1e-6)


def refuse(step: Any, *args: Any, match: str, calls: int = 4) -> None:
    """One of some calls is refused."""

    def repeat() -> None:
        for _ in range(calls):
            step(*args)

    with pytest.raises(SteadyError, match=match):
        repeat()
