"""`out=`: which dtypes and which memory an operation takes, as on the CPU."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from conftest import DEVICE

Run = Callable[[str], torch.Tensor]


def ones(device: str, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    return torch.ones(3, 3, dtype=dtype, device=device)


WIDER_OUT: dict[str, Run] = {
    "add": lambda d: torch.add(ones(d), 1, out=ones(d, torch.float64)),
    "sum": lambda d: torch.sum(ones(d), 0, out=ones(d, torch.float64)[0]),
    "exp": lambda d: torch.exp(ones(d), out=ones(d, torch.float64)),
    "cat": lambda d: torch.cat([ones(d), ones(d)], out=torch.empty(6, 3, dtype=torch.float64, device=d)),
    "lt": lambda d: torch.lt(ones(d), 2, out=ones(d, torch.int64)),
}
EXACT_OUT: dict[str, Run] = {
    "mm": lambda d: torch.mm(ones(d), ones(d), out=ones(d, torch.float64)),
    "floor": lambda d: torch.floor(ones(d), out=ones(d, torch.float64)),
    "gather": lambda d: torch.gather(ones(d), 0, torch.zeros(3, 3, dtype=torch.int64, device=d), out=ones(d, torch.float64)),
    "where": lambda d: torch.where(ones(d) > 0, ones(d), ones(d), out=ones(d, torch.float64)),
    "complex": lambda d: torch.complex(ones(d), ones(d), out=ones(d, torch.complex128)),
    "argmax": lambda d: torch.argmax(ones(d), 0, out=ones(d, torch.int32)[0]),
    "narrower": lambda d: torch.add(ones(d), 1, out=ones(d, torch.int64)),
}
OWN_MEMORY: dict[str, Run] = {
    "cat": lambda d: torch.cat([x := ones(d), ones(d)], out=x),
    "part": lambda d: torch.cat([(x := ones(d))[:1], ones(d)[:1]], out=x[:2]),
}


@pytest.mark.parametrize("name", WIDER_OUT)
def test_a_wider_dtype_is_taken(name: str) -> None:
    expected, got = WIDER_OUT[name]("cpu"), WIDER_OUT[name](DEVICE)
    assert got.dtype == expected.dtype
    assert got.tolist() == expected.tolist()


@pytest.mark.parametrize("name", EXACT_OUT)
def test_another_dtype_is_refused(name: str) -> None:
    for device in ("cpu", DEVICE):
        with pytest.raises(RuntimeError, match=r"(?i)dtype|type|same"):
            EXACT_OUT[name](device)


@pytest.mark.parametrize("name", OWN_MEMORY)
def test_a_list_that_holds_the_result_is_refused(name: str) -> None:
    for device in ("cpu", DEVICE):
        with pytest.raises(RuntimeError, match="single memory location"):
            OWN_MEMORY[name](device)
