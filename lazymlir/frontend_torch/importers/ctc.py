"""Connectionist temporal classification: the likelihood of a sequence of labels, however they are spread over time. The
states of a sample are its labels, with a blank before, between and after them."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, nan
from typing import Any

import torch

from lazymlir.dialect import Builder, Node, TensorType
from lazymlir.dialect.types import BOOL

from ..registry import aten
from .common import full, math_dtype
from .formula import Term, exp, is_infinite, log, where

Lengths = Node | Sequence[Node]

LARGEST = 2**27
"""So many numbers are computed at most where joined targets do not tell how long one of them may be."""


def _vector(b: Builder, lengths: Lengths) -> Term:
    if isinstance(lengths, Node):
        return Term(b, b.cast(lengths, "i64"))
    return Term(b, b.join([b.reshape(b.cast(length, "i64"), (1,)) for length in lengths], 0))


class _Paths:
    """The states of all samples, [batch, states]: their labels, and which may be entered over a blank."""

    def __init__(self, b: Builder, scores: Node, targets: Node, input_lengths: Lengths, target_lengths: Lengths, blank: int) -> None:
        self.b = b
        self.times, self.batch, self.classes = scores.shape
        self.scores = Term(b, b.cast(scores, math_dtype(scores.dtype)))
        self.input_lengths, self.target_lengths = _vector(b, input_lengths), _vector(b, target_lengths)
        self.longest = targets.shape[-1]
        self.states = 2 * self.longest + 1
        self.shape = (self.times, self.batch, self.states)
        self.labels = self._labels(targets, blank)
        two_before = self._moved(self.labels, 2, blank)
        self.skips = self.labels.differs(two_before) & (self.number(1, self.labels.node.type) > 1)
        index = b.expand(self.labels.node, self.shape)
        self.emitted = Term(b, b.gather(self.scores.node, index, dim=2))

    def number(self, dim: int, type_: TensorType) -> Term:
        return Term(self.b, self.b.iota(dim=dim, result=type_.with_dtype("i64")))

    def _moved(self, x: Term, distance: int, fill: float) -> Term:
        """[batch, states] with the states `distance` further back."""
        value = self.b.constant(fill, TensorType((), x.dtype))
        return Term(self.b, self.b.pad(x.node, value, low=(0, distance), high=(0, -distance), interior=(0, 0)))

    def _labels(self, targets: Node, blank: int) -> Term:
        b = self.b
        shape = TensorType((self.batch, self.longest), "i64")
        place = self.number(1, shape)
        targets = b.cast(targets, "i64")
        if targets.rank == 1:
            lengths = self.target_lengths
            begin = self._of_samples(Term(b, b.cumsum(lengths.node, dim=0)) - lengths, shape.shape)
            last = full(b, max(self.longest - 1, 0), shape)
            targets = b.index(targets, b.minimum((begin + place).node, last), dims=(0,)) if shape.size else full(b, 0, shape)
        known = place < self._of_samples(self.target_lengths, shape.shape)
        given = where(known, Term(b, targets), blank)
        pairs = b.join([full(b, blank, shape.with_shape((*shape.shape, 1))), b.reshape(given.node, (*shape.shape, 1))], 2)
        flat = b.reshape(pairs, (self.batch, 2 * self.longest))
        return Term(b, b.join([flat, full(b, blank, shape.with_shape((self.batch, 1)))], 1))

    def _of_samples(self, x: Term, shape: tuple[int, ...]) -> Term:
        """A number for each sample, dimension 0 or 1, over `shape`."""
        apart = (self.batch, 1) if len(shape) == 2 else (1, self.batch, 1)
        return Term(self.b, self.b.expand(self.b.reshape(x.node, apart), shape))

    def over(self, x: Term, last: int) -> Term:
        """A number for each sample over [times, batch, last]."""
        return self._of_samples(x, (self.times, self.batch, last))

    def is_last_state(self, shape: tuple[int, ...]) -> Term:
        """The two states that a path may end in: the last label and the blank after it."""
        state = self.number(len(shape) - 1, TensorType(shape, "i64"))
        end = self._of_samples(self.target_lengths * 2, shape)
        return state.equals(end) | (state.equals(end - 1))

    def log_sums(self, x: Term, start: Term, skips: Term) -> Term:
        return Term(self.b, self.b.path_sums(x.node, start.node, skips.node))

    def forward(self) -> Term:
        type_ = TensorType(self.shape, "i64")
        time, state = self.number(0, type_), self.number(2, type_)
        may_start = time.equals(0) & (state.equals(0) | (state.equals(1) & (self.over(self.target_lengths, self.states) > 0)))
        nothing = Term(self.b, full(self.b, -inf, self.emitted.node.type))
        return self.log_sums(self.emitted, where(may_start, 0, nothing), self.skips)

    def backward(self) -> Term:
        """The same from the end: time and states run backward."""
        b = self.b
        is_end = self.number(0, TensorType(self.shape, "i64")).equals(self.over(self.input_lengths - 1, self.states))
        nothing = Term(b, full(b, -inf, self.emitted.node.type))
        start = where(is_end & self.is_last_state(self.shape), 0, nothing)
        skips = self._moved(Term(b, b.flip(self.skips.node, dims=(1,))), 2, False)
        emitted, start = (Term(b, b.flip(x.node, dims=(0, 2))) for x in (self.emitted, start))
        return Term(b, b.flip(self.log_sums(emitted, start, skips).node, dims=(0, 2)))

    def loss(self, sums: Term) -> Term:
        b, (batch, states) = self.b, self.shape[1:]
        last = self._of_samples(self.input_lengths - 1, (1, batch, states))
        last = where(last < 0, 0, last)
        final = Term(b, b.reshape(b.gather(sums.node, last.node, dim=0), (batch, states)))
        final = where(self.is_last_state((batch, states)), final, -inf)
        largest = Term(b, b.amax(final.node, dims=(1,)))
        largest = where(is_infinite(largest), 0, largest)
        total = b.sum(exp(final - self._of_samples(largest, (batch, states))).node, dims=(1,))
        losses = -(log(Term(b, total)) + largest)
        empty = where(self.target_lengths.equals(0), Term(b, full(b, 0, losses.node.type)), inf)
        return where(self.input_lengths.equals(0), empty, losses)


def _check(scores: torch.Tensor, targets: torch.Tensor, input_lengths: Any, target_lengths: Any, *rest: Any, **_: Any) -> None:
    """Lengths that are numbers are known at the call."""
    if isinstance(input_lengths, torch.Tensor) or scores.dim() != 3:
        return
    checked = "(while checking arguments for ctc_loss_allocate_outputs)"
    for name, lengths, highest in (("input_lengths", input_lengths, scores.shape[0]), ("target_lengths", target_lengths, None)):
        for length in lengths:
            if length < 0:
                raise RuntimeError(f"Expected {name} to have value at least 0, but got value {length} {checked}")
            if highest is not None and length > highest:
                raise RuntimeError(f"Expected {name} to have value at most {highest}, but got value {length} {checked}")
    wanted, exact = (sum(target_lengths), "") if targets.dim() == 1 else (max(target_lengths, default=0), "at least ")
    found = targets.shape[-1]
    if found != wanted if targets.dim() == 1 else found < wanted:
        dim = targets.dim() - 1
        raise RuntimeError(
            f"Expected tensor to have size {exact}{wanted} at dimension {dim}, but got size {found} for argument #2 'targets' {checked}"
        )


def _accepts(scores: torch.Tensor, targets: torch.Tensor, *_: Any, **__: Any) -> bool:
    if targets.dim() != 1:
        return targets.dim() == 2 and scores.dim() == 3
    return scores.dim() == 3 and scores.shape[0] * scores.shape[1] * (2 * targets.shape[0] + 1) <= LARGEST


def _types(
    scores: torch.Tensor, targets: torch.Tensor, input_lengths: Any, target_lengths: Any, blank: int = 0, zero_infinity: bool = False
) -> tuple[torch.Tensor, torch.Tensor]:
    """The sums have room for the longest target there may be: lengths change from call to call, shapes do not."""
    times, batch, classes = scores.shape
    if scores.numel() == 0:
        raise RuntimeError("log_probs tensor must not be empty")
    if not 0 <= blank < classes:
        raise RuntimeError("blank must be in label range")
    for name, lengths in (("input_lengths", input_lengths), ("target_lengths", target_lengths)):
        if len(lengths) != batch:
            raise RuntimeError(f"{name} must be of size batch_size")
    return scores.new_empty((batch,)), scores.new_empty((batch, times, 2 * targets.shape[-1] + 1))


@aten("_ctc_loss", "_ctc_loss.Tensor", runtime=("input_lengths", "target_lengths"), check=_check, accepts=_accepts, meta=_types)
def ctc_loss(
    b: Builder,
    out: Sequence[TensorType],
    scores: Node,
    targets: Node,
    input_lengths: Lengths,
    target_lengths: Lengths,
    blank: int = 0,
    zero_infinity: bool = False,
) -> tuple[Node, Node]:
    paths = _Paths(b, scores, targets, input_lengths, target_lengths, blank)
    sums = paths.forward()
    return b.cast(paths.loss(sums).node, out[0].dtype), b.cast(b.permute(sums.node, (1, 0, 2)), out[1].dtype)


@aten(
    "_ctc_loss_backward",
    "_ctc_loss_backward.Tensor",
    runtime=("input_lengths", "target_lengths"),
    accepts=lambda grad, *rest, **named: _accepts(*rest, **named),
    meta=lambda grad, scores, *_, **__: torch.empty_like(scores),
)
def ctc_loss_backward(
    b: Builder,
    out: TensorType,
    grad: Node,
    scores: Node,
    targets: Node,
    input_lengths: Lengths,
    target_lengths: Lengths,
    loss: Node,
    log_alpha: Node,
    blank: int,
    zero_infinity: bool = False,
) -> Node:
    """Each class's probability, less the share of the paths that emit it at that time."""
    paths = _Paths(b, scores, targets, input_lengths, target_lengths, blank)
    dtype, classes = paths.scores.dtype, paths.classes
    before = Term(b, b.permute(b.cast(log_alpha, dtype), (1, 0, 2)))
    after = paths.backward()
    losses = Term(b, b.cast(loss, dtype))
    share = exp(before + after + paths.over(losses, paths.states) - paths.emitted)
    share = where(before.equals(-inf) | after.equals(-inf), 0, share)
    index = b.expand(paths.labels.node, paths.shape)
    shares = Term(b, b.scatter(full(b, 0, paths.scores.node.type), index, share.node, dim=2, kind="add"))
    unknown = is_infinite(paths.over(losses, classes)) | paths.scores.equals(-inf)
    made = where(unknown, nan, exp(paths.scores) - shares) * paths.over(Term(b, b.cast(grad, dtype)), classes)
    past = paths.number(0, TensorType(out.shape, BOOL)) >= paths.over(paths.input_lengths, classes)
    if zero_infinity:
        past = past | is_infinite(paths.over(losses, classes))
    return b.cast(where(past, 0, made).node, out.dtype)
