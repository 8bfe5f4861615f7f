"""torch's own operators of control flow: `torch.cond` and `torch.while_loop` come here, with the functions as dynamo has read
them, and gradients as torch makes them.

What torch lets a function do and a program cannot (integers as state, writes into operands) runs as torch has it, with a read
of the condition.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch._C import DispatchKey
from torch._higher_order_ops.cond import cond_op, cond_op_dense
from torch._higher_order_ops.while_loop import while_loop_dense, while_loop_op

from lazymlir.errors import ControlFlowError
from lazymlir.logs import log

from .flow import cond, while_loop
from .function import OwnWritesOnly

__all__ = ["install"]


def _cond(pred: Any, true_fn: Callable[..., Any], false_fn: Callable[..., Any], operands: Any) -> Any:
    return _or_eager(lambda: cond(pred, true_fn, false_fn, *operands), lambda: cond_op_dense(pred, true_fn, false_fn, operands))


def _while_loop(cond_fn: Callable[..., Any], body_fn: Callable[..., Any], state: Any, others: Any, **options: Any) -> Any:
    def run() -> Any:
        return while_loop(lambda *own: cond_fn(*own, *others), lambda *own: body_fn(*own, *others), *state)

    return _or_eager(run, lambda: while_loop_dense(cond_fn, body_fn, state, others, **options))


def _or_eager(run: Callable[[], Any], eager: Callable[[], Any]) -> Any:
    try:
        return run()
    except (ControlFlowError, TypeError) as error:
        log("syncs", 2, "torch's control flow is decided on the host: %s", error)
    return eager()


def install() -> None:
    """Registers them with the device, and inside of functions that are being recorded."""
    _register(cond_op, _cond)
    _register(while_loop_op, _while_loop)


def _register(operator: Any, kernel: Callable[..., Any]) -> None:
    operator.py_impl(DispatchKey.PrivateUse1)(kernel)
    operator.py_impl(OwnWritesOnly)(lambda mode, *args, **kwargs: kernel(*args, **kwargs))
