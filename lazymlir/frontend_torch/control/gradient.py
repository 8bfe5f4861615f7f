"""The gradient of `cond`.

While a branch is recorded, autograd builds its graph; then, still in the region, gradients are computed from stand-ins for those
of the results. So a branch's records are its forward pass and, after it, its backward pass: the operation in the graph runs the
first part, and that of the backward pass all of it, on what was captured (values do not change), with the same numbers. What
a branch computed is not kept: which of the two it would be only the program knows (compare torch.utils.checkpoint).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import torch
from torch._C._functorch import is_functorch_wrapped_tensor
from torch.autograd.graph import saved_tensors_hooks
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_map

from lazymlir.core import control
from lazymlir.core.engine import engine
from lazymlir.core.regions import Fragment, Recording
from lazymlir.core.trace import Signature
from lazymlir.core.values import Value
from lazymlir.dialect import TensorType
from lazymlir.errors import ControlFlowError

from ..copies import resolved
from ..dtypes import TORCH_OF
from ..tensors import new_tensor, read
from .function import Function, claim, tensors_in
from .trees import flattened

__all__ = ["PRED", "Backward", "Branch", "StandIns", "backward"]

PRED = TensorType((), "i1")


class StandIns:
    """Tensors from outside that require gradients, and the leaves that stand for them in branches, so that gradients end there and
    hooks wait."""

    def __init__(self) -> None:
        self._leaves: dict[int, tuple[torch.Tensor, torch.Tensor]] = {}
        self._originals: dict[int, torch.Tensor] = {}

    def of(self, x: torch.Tensor) -> torch.Tensor:
        """The leaf for a tensor, or a leaf itself."""
        if id(x) in self._originals:
            return x
        if id(x) not in self._leaves:
            leaf = x.detach().requires_grad_()
            self._leaves[id(x)], self._originals[id(leaf)] = (x, leaf), x
        return self._leaves[id(x)][1]

    def require_no_gradients(self) -> None:
        """Those of tensors from outside would be lost with the leaves."""
        if any(leaf.grad is not None for _, leaf in self._leaves.values()):
            raise ControlFlowError(
                "a function given to lazymlir.cond calls backward(), which adds to gradients that were there before: use torch.autograd.grad"
            )

    def original(self, leaf: torch.Tensor) -> torch.Tensor:
        """What a leaf stands for; a tensor that torch.autograd.Function was given unseen stands for itself."""
        return self._originals.get(id(leaf), leaf)


class Branch(Function):
    """A branch, recorded: `tree` is what it returns, of `values`, and `fragment` its forward pass."""

    def __init__(self, recording: Recording, name: str, function: Callable[..., Any], operands: Sequence[Any], stand_ins: StandIns) -> None:
        super().__init__(recording)
        self.stand_ins = stand_ins
        self._began = torch._C._autograd._get_sequence_nr()
        leaves = _Leaves(self) if torch.is_grad_enabled() else None
        if leaves is not None:
            operands = tree_map(leaves.of, operands)
        with self.inside(), leaves or nullcontext(), _own_saved_tensors():
            made = function(*operands)
        stand_ins.require_no_gradients()
        self.tree = flattened(f"what {name} returns", made)
        with self.inside(), torch.no_grad():
            self.values = self.tree.values()
            self.fragment = self.region.fragment(self.values)

    def began(self, node: Any) -> bool:
        """Whether a node of autograd's graph belongs to the branch."""
        return node._sequence_nr() >= self._began

    def leaves(self) -> list[torch.Tensor]:
        """The leaves that the results are differentiable in."""
        nodes = [torch.autograd.graph.get_gradient_edge(x).node for x in self.tree.tensors if x.requires_grad]
        seen = set(nodes)
        found = []
        while nodes:
            node = nodes.pop()
            if isinstance(node, torch._C._functions.AccumulateGrad):
                found.append(node.variable)
            elif not self.began(node):
                raise ControlFlowError(
                    f"a tensor that requires grad goes from outside of a branch into {node.name()} there, unseen: make it an operand of lazymlir.cond"
                )
            following = [after for after, _ in node.next_functions if after is not None and after not in seen]
            seen.update(following)
            nodes += following
        return found

    def backward(self, places: Sequence[int], given: Sequence[torch.Tensor], leaves: Sequence[torch.Tensor]) -> tuple[Fragment, list[Value]]:
        """Records the backward pass: from the gradients `given` of the results at `places` those of `leaves`."""
        pairs = [
            (self.tree.tensors[place], gradient) for place, gradient in zip(places, given, strict=True) if self.tree.tensors[place].requires_grad
        ]
        with self.inside(), torch.no_grad():
            found: Sequence[torch.Tensor | None] = [None] * len(leaves)
            if pairs:
                results, gradients = zip(*pairs, strict=True)
                found = torch.autograd.grad(results, leaves, gradients, allow_unused=True)
            made = [torch.zeros_like(leaf) if gradient is None else gradient for leaf, gradient in zip(leaves, found, strict=True)]
            values = [read(resolved(x))[0] for x in made]
            return self.region.fragment(values), values


def _own_saved_tensors() -> AbstractContextManager[Any]:
    """Hooks from around do not see what a branch saves: it does not outlive the region."""
    if torch._C._autograd._top_saved_tensors_default_hooks(True) is None:
        return nullcontext()
    return saved_tensors_hooks(lambda x: x, lambda x: x)


class _Leaves(TorchFunctionMode):
    """Gives each call that takes a tensor from outside which requires a gradient a leaf in its place."""

    def __init__(self, branch: Branch) -> None:
        super().__init__()
        self._branch = branch
        self._made: dict[int, Any] = {}

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        made = func(*tree_map(self.of, args), **tree_map(self.of, kwargs or {}))
        self._made.update({id(x): x for x in tensors_in(made)})
        return made

    def of(self, x: Any) -> Any:
        if not isinstance(x, torch.Tensor) or not x.requires_grad or is_functorch_wrapped_tensor(x):
            return x
        inside = id(x) in self._made or self._branch.owns(x) if x.is_leaf else self._branch.began(x.grad_fn)
        return x if inside else self._branch.stand_ins.of(x)


class Backward:
    """The backward pass of a conditional, recorded but not yet part of any trace; `captured` is what it reads."""

    def __init__(self, recording: Recording, then: Branch, otherwise: Branch, leaves: Sequence[torch.Tensor]) -> None:
        branches = then, otherwise
        types = [value.type for value in then.values]
        self.places = [place for place, _ in enumerate(types) if any(branch.tree.tensors[place].requires_grad for branch in branches)]
        gradients = [recording.captured.stand_in(types[place]) for place in self.places]
        given = [_holder(value) for value in gradients]
        (first, values), (second, _) = (branch.backward(self.places, given, leaves) for branch in branches)
        captured = recording.operands()
        signature = control.conditional(first, second, [PRED, *(value.type for value in captured)], [value.type for value in values])
        order = {id(value): place for place, value in enumerate(gradients)}
        self._kept = [value for value in captured if id(value) not in order]
        self._plan = _Plan(signature, [order.get(id(value)) for value in captured], [*then.region.slots, *otherwise.region.slots], leaves)
        self._inputs = [then.stand_ins.original(leaf) for leaf in leaves]

    def attached(self, holds: Value, made: list[torch.Tensor]) -> list[torch.Tensor]:
        """The results `made` of the conditional, with this as their backward pass. What is kept for it is saved as torch saves
        tensors, and freed with them."""
        kept = [_holder(value) for value in (holds, *self._kept)]
        results = _Cond.apply(self._plan, kept, [made[place] for place in self.places], *[x.view_as(x) for x in self._inputs])
        with_graph = dict(zip(self.places, results, strict=True))
        return [with_graph.get(place, x) for place, x in enumerate(made)]


def backward(recording: Recording, then: Branch, otherwise: Branch) -> Backward | None:
    """The backward pass of a conditional, where there is anything to differentiate."""
    leaves = list(dict.fromkeys([leaf for branch in (then, otherwise) for leaf in branch.leaves()]))
    return Backward(recording, then, otherwise, leaves) if leaves else None


class _Plan:
    """How to record the backward pass: of the captured values, `order` says which gradient each is, or None for the next that
    was kept."""

    def __init__(self, signature: Signature, order: Sequence[int | None], slots: list[Any], leaves: Sequence[torch.Tensor]) -> None:
        self._signature, self._order, self._slots = signature, order, slots
        self._layouts = [(tuple(leaf.shape), leaf.dtype) for leaf in leaves]

    def record(self, kept: Sequence[torch.Tensor], gradients: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        holds, *rest = [read(x)[0] for x in kept]
        given, following = [read(resolved(x))[0] for x in gradients], iter(rest)
        operands = [next(following) if place is None else given[place] for place in self._order]
        values = engine.record(self._signature, (holds, *operands), self._slots)
        made = [new_tensor(sizes, dtype, None, value) for (sizes, dtype), value in zip(self._layouts, values, strict=True)]
        claim(made)
        return made


class _Cond(torch.autograd.Function):
    """Gives what a conditional has made a backward pass."""

    @staticmethod
    def forward(ctx: Any, plan: _Plan, kept: list[torch.Tensor], made: list[torch.Tensor], *inputs: torch.Tensor) -> tuple[torch.Tensor, ...]:
        ctx.plan = plan
        ctx.save_for_backward(*kept)
        return tuple(made)

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[Any, ...]:
        with torch.no_grad():
            made = ctx.plan.record(ctx.saved_tensors, gradients)
        return None, None, None, *(_refuse_to_differentiate(made) if torch.is_grad_enabled() else made)


def _refuse_to_differentiate(made: list[torch.Tensor]) -> Sequence[torch.Tensor]:
    """The same, which raise an error where they are differentiated: with grad mode on, a graph of the backward pass is wanted."""
    refuse = torch._C._functions.DelayedError(b"lazymlir.cond has no second derivative: branch in Python where one is needed", len(made))
    found = refuse(*[x.detach().requires_grad_() for x in made])
    return found if isinstance(found, tuple) else (found,)


def _holder(value: Value) -> torch.Tensor:
    """A tensor of its own that has this value."""
    return new_tensor(value.type.shape, TORCH_OF[value.type.dtype], None, value)
