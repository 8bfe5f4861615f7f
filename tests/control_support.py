"""What the tests of control flow share. The judge is the same program in Python on the CPU."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

import torch
from torch.utils._pytree import tree_leaves, tree_map

import lazymlir

DEVICE = "lazymlir"


def on_cpu(tree: Any) -> Any:
    return tree_map(lambda x: x.detach().cpu() if isinstance(x, torch.Tensor) else x, tree)


def same(got: Any, expected: Any) -> None:
    torch.testing.assert_close(on_cpu(got), on_cpu(expected), rtol=1e-5, atol=1e-6, equal_nan=True)


def moved(tree: Any) -> Any:
    return tree_map(lambda x: x.to(DEVICE) if isinstance(x, torch.Tensor) else x, tree)


def line(offset: int) -> str:
    """The place so many lines after this call, as messages name it."""
    frame = inspect.currentframe()
    assert frame is not None and frame.f_back is not None
    return re.escape(f"{frame.f_back.f_code.co_filename.rpartition('/')[2]}:{frame.f_back.f_lineno + offset}")


def branches(then: Callable[..., Any], otherwise: Callable[..., Any], *operands: Any) -> None:
    """Both ways are what Python makes of them; nothing is read until the end."""
    for number in (1.0, -1.0):
        expected = then(*operands) if number > 0 else otherwise(*operands)
        pred = torch.tensor(number, device=DEVICE) > 0
        got = lazymlir.cond(pred, then, otherwise, *moved(operands))
        assert all(isinstance(x, lazymlir.Tensor) for x in tree_leaves(got))
        same(got, expected)


def gradients(program: Callable[..., Any], *tensors: torch.Tensor) -> None:
    """Those of what `program(limit, *tensors)` returns, for both branches."""
    for limit in (-100.0, 100.0):
        found = []
        for device in ("cpu", DEVICE):
            own = [x.detach().clone().to(device).requires_grad_(x.is_floating_point() or x.is_complex()) for x in tensors]
            results = [y for y in tree_leaves(program(limit, *own)) if y.requires_grad]
            wanted = [x for x in own if x.requires_grad]
            weights = [torch.linspace(0.5, 1.5, max(y.numel(), 1))[: y.numel()].reshape(y.shape).to(y.dtype).to(device) for y in results]
            made = torch.autograd.grad(results, wanted, weights, allow_unused=True)
            found.append([torch.zeros_like(x).cpu() if y is None else y.cpu() for x, y in zip(wanted, made, strict=True)])
        same(found[1], found[0])
