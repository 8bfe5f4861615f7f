"""`lazymlir.loop`: why a loop of the host's language does not become one of the program."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator

import pytest
import torch
from control_support import DEVICE, line

import lazymlir


@pytest.fixture
def remarks() -> Iterator[list[str]]:
    """What the passes say."""
    said: list[str] = []

    class Keeper(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            said.append(record.getMessage())

    handler = Keeper()
    logging.getLogger("lazymlir.passes").addHandler(handler)
    with lazymlir.config(logs="passes"):
        yield said
    logging.getLogger("lazymlir.passes").removeHandler(handler)


def test_iterations_that_differ_are_told_of(remarks: list[str]) -> None:
    x = torch.ones(3, device=DEVICE)
    for i in lazymlir.loop(range(6)):
        x = x * 1.5 + i
        if i == 3:
            x = x.relu()
        x = x - 0.5
    x.cpu()
    (said,) = [remark for remark in remarks if "the loop at" in remark]
    where = line(-7), line(-4), line(-3)
    assert re.search("loop at .*{} are not alike: number 3 records aten.relu.* of .*{}.*, where number 1 records aten.sub.*{}".format(*where), said)


def test_a_loop_of_equal_iterations_needs_no_remark(remarks: list[str]) -> None:
    x = torch.ones(3, device=DEVICE)
    for _ in lazymlir.loop(range(6)):
        for i in lazymlir.loop([1.5, 2.5]):
            x = x * i
    x.cpu()
    assert not [remark for remark in remarks if "the loop at" in remark]


def test_loop_goes_through_anything() -> None:
    assert list(lazymlir.loop(iter("abc"))) == ["a", "b", "c"]
    assert [item for item, _ in zip(lazymlir.loop(range(10**9)), range(2), strict=False)] == [0, 1]
    for _ in lazymlir.loop([1, 2]):
        break

    def fails() -> None:
        for _ in lazymlir.loop([1, 2]):
            raise ValueError("mine")

    with pytest.raises(ValueError, match="mine"):
        fails()
    assert list(lazymlir.loop([])) == []
