"""`cond` and `while_loop`: what their functions do becomes part of the program, which decides.

Both stay in the graph: nothing is read, no barrier comes. Each is one record, whose regions are what the functions recorded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from lazymlir.core import control
from lazymlir.core.engine import engine
from lazymlir.core.regions import recording
from lazymlir.dialect import TensorType
from lazymlir.errors import ControlFlowError

from ..dtypes import dtype_name
from ..gradients import is_transformed
from ..tensors import is_lazy, read
from .function import Function, claim
from .gradient import PRED, Branch, StandIns, backward
from .trees import Tree, flattened, require_alike

__all__ = ["cond", "while_loop"]


def cond(pred: Any, then_fn: Callable[..., Any], else_fn: Callable[..., Any], *operands: Any) -> Any:
    """`then_fn(*operands) if pred else else_fn(*operands)`, decided by the program: nothing waits for `pred`.

        y = lazymlir.cond(x.sum() > 0, lambda x: x.sqrt(), lambda x: x - 1, x)

    `pred` is a tensor of one element; where it is none of this device, Python decides at once. Both functions return tensors in
    the same nesting, of the same shapes and dtypes (TypeError and ValueError say what differs). They may use any other tensor of
    the device, and gradients flow to all of them; the backward pass computes the branch that was taken anew.

    ControlFlowError, which names the line, where a function reads a value, writes into a tensor that it did not make, or runs
    an operation on the CPU: nothing is recorded then.
    """
    if not is_lazy(pred):
        return (then_fn if pred else else_fn)(*operands)
    _require_one_element("pred", pred)
    _require_plain("cond")
    with recording("cond") as region:
        stand_ins = StandIns()
        then, otherwise = (Branch(region, name, function, operands, stand_ins) for name, function in (("then_fn", then_fn), ("else_fn", else_fn)))
        require_alike("what then_fn returns", then.tree, "what else_fn returns", otherwise.tree)
        captured, slots = [*region.operands()], [*then.region.slots, *otherwise.region.slots]
        following = backward(region, then, otherwise)
        types = [PRED, *(value.type for value in captured)]
        signature = control.conditional(then.fragment, otherwise.fragment, types, [value.type for value in then.values])
        holds = read(_truth(pred))[0]
        made = then.tree.made(engine.record(signature, (holds, *captured), slots), otherwise.tree)
        claim(made)
        return then.tree.spec.unflatten(made if following is None else following.attached(holds, made))


def while_loop(cond_fn: Callable[..., Any], body_fn: Callable[..., Any], *state: Any) -> tuple[Any, ...]:
    """`while cond_fn(*state): state = body_fn(*state)`, run by the program; returns the last state.

        n, x = lazymlir.while_loop(lambda n, x: n < 10, lambda n, x: (n + 1, x * 0.5), torch.zeros((), device="lazymlir"), x)

    `cond_fn` returns a tensor of one element, `body_fn` a tuple as long as the state, in the same nesting, of the same shapes and
    dtypes (TypeError and ValueError say what differs). Both may use any other tensor of the device; each iteration draws random
    numbers of its own. Where no tensor of the state is on this device, Python runs the loop.

    ControlFlowError as for `cond`, and where the result would need a gradient: how many iterations there are, and so what a
    backward pass would need, is not known when it is recorded.
    """
    if not any(map(is_lazy, torch.utils._pytree.tree_leaves(state))):
        while cond_fn(*state):
            state = _as_tuple(body_fn(*state))
        return state
    initial = flattened("state", state)
    _require_plain("while_loop")
    _require_no_gradient("a tensor of the state", initial)
    with recording("while_loop") as region:
        placeholders = [region.captured.stand_in(TensorType(tuple(x.shape), dtype_name(x.dtype))) for x in initial.tensors]

        def record(function: Callable[..., Any], name: str, result: Callable[[Any], Any]) -> Any:
            recorded = Function(region)
            with recorded.inside():
                made = flattened(f"what {name} returns", result(function(*initial.spec.unflatten(initial.made(placeholders, initial)))))
                fragment = recorded.region.fragment(made.values())
            return made, fragment, recorded.region.slots

        _, condition, asked = record(cond_fn, "cond_fn", lambda made: _truth(_one_element("what cond_fn returns", made)))
        following, body, done = record(body_fn, "body_fn", _as_tuple)
        require_alike("state", initial, "what body_fn returns", following)
        _require_no_gradient("what body_fn returns", following)
        captured = region.operands()
        operands = (*initial.values(), *captured[len(placeholders) :])
        signature = control.loop(condition, body, [value.type for value in operands], len(placeholders))
        made = initial.made(engine.record(signature, operands, [*asked, *done]), initial)
        claim(made)
        return initial.spec.unflatten(made)


def _truth(x: torch.Tensor) -> torch.Tensor:
    """One element as a 0-dim bool."""
    return x.detach().reshape(()) if x.dtype == torch.bool else x.detach().reshape(()) != 0


def _require_one_element(what: str, x: torch.Tensor) -> None:
    if x.numel() != 1:
        raise ValueError(f"{what} has the shape {list(x.shape)}: it has to have one element, else its truth is ambiguous")


def _one_element(what: str, x: Any) -> torch.Tensor:
    if not is_lazy(x):
        raise TypeError(f"{what} is {type(x).__name__}: it has to be a tensor on lazymlir, which the program can look at in each iteration")
    _require_one_element(what, x)
    return x


def _as_tuple(made: Any) -> tuple[Any, ...]:
    if not isinstance(made, (tuple, list)):
        raise TypeError(f"body_fn returns {type(made).__name__}: it has to return the next state, a tuple as long as the state")
    return tuple(made)


def _require_plain(name: str) -> None:
    if is_transformed():
        raise ControlFlowError(f"lazymlir.{name} cannot be transformed by torch.func, nor differentiated forward: branch in Python")


def _require_no_gradient(what: str, tree: Tree) -> None:
    for x, path in zip(tree.tensors, tree.paths, strict=True):
        if torch.is_grad_enabled() and x.requires_grad:
            raise ControlFlowError(
                f"{what} ({path}) requires grad, and lazymlir.while_loop has no backward pass: call it under torch.no_grad(), or write a Python "
                "loop, which is recorded iteration by iteration"
            )
