"""Assertions on values: nothing waits for them when they are recorded."""

from __future__ import annotations

import torch

from lazymlir.dialect import Builder, Node

from ..registry import aten
from .common import truth


def _check_single(x: torch.Tensor, *_: str) -> None:
    if x.numel() != 1:
        raise RuntimeError(f"Boolean value of Tensor with {'more than one' if x.numel() else 'no'} value{'s' if not x.numel() else ''} is ambiguous")


@aten("_assert_async", "_assert_async.msg", check=_check_single, meta=lambda *_: ())
def assert_async(b: Builder, out: tuple[()], x: Node, message: str = "Expected Tensor with single nonzero value, but got zero") -> tuple[Node, ...]:
    b.require(truth(b, x), RuntimeError, message.replace("{", "{{").replace("}", "}}"))
    return ()
