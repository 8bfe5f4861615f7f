"""Distances, losses of margins and of sequences, bags of embeddings, counts and segments."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
import torch
from ops_support import DEVICE, FLOATS, Case, check, gapped
from torch.nn import functional as F

INF, NAN = float("inf"), float("nan")


def _normal(*shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(sum(shape)), dtype=torch.float64).to(dtype)


# Distances.


def _distance_cases() -> Iterator[Case]:
    for p in (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, INF):
        x, y = _normal(2, 1, 5, 4), _normal(3, 6, 4)
        x[0, 0, 0] = y[1, 2]
        yield Case(f"cdist {p}", lambda x, y, p=p: torch.cdist(x, y, p), (gapped(x), y))
        yield Case(f"pdist {p}", lambda x, p=p: F.pdist(x, p), (gapped(_normal(7, 3)),))


def test_distances() -> None:
    check(_distance_cases(), gradients=True)


def test_distances_of_few_and_of_no_vectors() -> None:
    sizes = (((0, 2), (3, 2)), ((3, 0), (4, 0)), ((30, 3), (2, 3)))
    check(Case(f"{one} {other}", torch.cdist, (_normal(*one), _normal(*other))) for one, other in sizes)
    check(Case(f"pdist of {rows}", F.pdist, (_normal(rows, 2),)) for rows in (0, 1, 2, 60))
    modes = ("use_mm_for_euclid_dist", "donot_use_mm_for_euclid_dist")
    check(Case(mode, lambda x, y, m=mode: torch.cdist(x, y, compute_mode=m), (_normal(40, 3), _normal(5, 3))) for mode in modes)


# Margins.


def _margin_cases() -> Iterator[Case]:
    scores, target = _normal(4, 5), torch.tensor([0, 4, 2, 1])
    scores[1, 2] = NAN
    for p, reduction in product((1, 2), ("none", "mean", "sum")):
        options = dict(p=p, margin=0.7, reduction=reduction)
        yield Case(f"{options}", lambda x, t, w, o=options: F.multi_margin_loss(x, t, weight=w.detach(), **o), (gapped(scores), target, _normal(5)))
        yield Case(f"one sample {options}", lambda x, t, o=options: F.multi_margin_loss(x, t, **o), (scores[0], target[1]))
    targets = torch.tensor([[1, -1, 2, 0, 0], [0, 2, 2, -1, 3], [-1, 1, 1, 1, 1], [4, 3, 2, 1, 0]])
    for reduction in ("none", "mean", "sum"):
        yield Case(f"multilabel {reduction}", lambda x, t, r=reduction: F.multilabel_margin_loss(x, t, reduction=r), (gapped(scores), targets))
        yield Case(f"multilabel one {reduction}", lambda x, t, r=reduction: F.multilabel_margin_loss(x, t, reduction=r), (scores[0], targets[1]))


def test_losses_of_margins() -> None:
    check(_margin_cases(), gradients=True)


def test_a_target_out_of_range_is_refused() -> None:
    scores = _normal(2, 3).to(DEVICE)
    with pytest.raises(RuntimeError, match="target out of range"):
        F.multi_margin_loss(scores, torch.tensor([0, 3]).to(DEVICE)).cpu()
    with pytest.raises(RuntimeError, match="argument #2 'target' is out of range"):
        F.multilabel_margin_loss(scores, torch.tensor([[0, -2, -1], [0, 1, 2]]).to(DEVICE)).cpu()


# Sequences.


def _sequence_cases() -> Iterator[Case]:
    scores = _normal(30, 3, 5)
    targets = torch.tensor([[1, 2, 2, 4], [3, 1, 0, 0], [2, 2, 1, 3]])
    joined = torch.tensor([1, 2, 2, 4, 3, 2, 2, 1])
    for lengths, counts, infinite in (((30, 7, 12), (4, 1, 3), False), ((30, 0, 3), (4, 0, 3), True), ((9, 2, 1), (3, 2, 3), True)):

        def loss(x: torch.Tensor, t: torch.Tensor, lengths: object = lengths, counts: object = counts, infinite: bool = infinite) -> torch.Tensor:
            return F.ctc_loss(x.log_softmax(2), t, lengths, counts, reduction="none", zero_infinity=infinite)  # pyright: ignore[reportArgumentType]

        yield Case(f"{lengths} {counts}", loss, (scores, targets))
        if sum(counts) == len(joined):
            yield Case(f"joined {lengths} {counts}", loss, (gapped(scores), joined))


def test_likelihoods_of_sequences() -> None:
    check(_sequence_cases(), gradients=True)


def test_lengths_of_sequences_are_no_part_of_the_program() -> None:
    scores, targets = _normal(9, 2, 4).log_softmax(2), torch.tensor([[1, 2, 3], [3, 3, 1]])
    here = scores.to(DEVICE), targets.to(DEVICE)
    loss: Any = F.ctc_loss
    for lengths in ((9, 8), (7, 5), (6, 9)):
        torch.testing.assert_close(loss(*here, lengths, (3, 2)).cpu(), loss(scores, targets, lengths, (3, 2)))
    for wrong in (((10, 8), (3, 2)), ((9, 8), (4, 2)), ((9, -1), (3, 2))):
        with pytest.raises(RuntimeError, match=r"Expected (input_lengths to have value|tensor to have size at least)"):
            loss(*here, *wrong)


# Bags.


def _bag_cases() -> Iterator[Case]:
    indices, offsets = torch.tensor([1, 2, 4, 1, 0, 2]), torch.tensor([0, 2, 2, 5])
    for mode, padding, last in product(("sum", "mean", "max"), (None, 2), (False, True)):
        options = dict(mode=mode, padding_idx=padding, include_last_offset=last)
        ends = torch.tensor([0, 2, 2, 6]) if last else offsets
        yield Case(f"{options}", lambda w, i, o, options=options: F.embedding_bag(i, w, o, **options), (gapped(_normal(5, 3)), indices, ends))
    yield Case(
        "frequency", lambda w, i: F.embedding_bag(i, w, scale_grad_by_freq=True, mode="sum"), (_normal(5, 3), torch.tensor([[0, 1, 2], [2, 1, 0]]))
    )
    for padding in (None, 4):
        yield Case(
            f"weights {padding}",
            lambda w, i, o, s, p=padding: F.embedding_bag(i, w, o, per_sample_weights=s, mode="sum", padding_idx=p),
            (_normal(5, 3), indices.int(), offsets.int(), _normal(6)),
        )


def test_bags_of_embeddings() -> None:
    check(_bag_cases(), gradients=True)


def test_all_results_of_bags() -> None:
    weight, indices, offsets = _normal(5, 3), torch.tensor([1, 2, 4, 1, 0, 2]), torch.tensor([0, 2, 2, 5])
    weight[1, 0] = weight[4, 1] = NAN
    calls = product((torch.ops.aten._embedding_bag, torch.ops.aten._embedding_bag_forward_only), (0, 1, 2), (-1, 2), (False, True))
    check(
        Case(f"{call} {mode} {padding} {last}", lambda w, i, o, c=call, m=mode, p=padding, e=last: c(w, i, o, False, m, False, None, e, p), given)
        for given in ((weight, indices, offsets),)
        for call, mode, padding, last in calls
        if not (mode == 2 and padding == 2)  # eager leaves the words of empty bags as they were
    )


def test_bags_refuse_wrong_offsets_and_words() -> None:
    weight = _normal(5, 3).to(DEVICE)
    for indices, offsets, message in (
        ([1, 2], [1], r"offsets\[0\] has to be 0"),
        ([1, 2], [0, 3], r"offsets\[-1\] can not be greater than input's length 2"),
        ([1, 5], [0], "but found idx to be 5"),
    ):
        with pytest.raises(RuntimeError, match=message):
            F.embedding_bag(torch.tensor(indices).to(DEVICE), weight, torch.tensor(offsets).to(DEVICE)).cpu()


# Counts.


def _count_cases() -> Iterator[Case]:
    x = _normal(50)
    for bins, low, high in ((7, 0, 0), (5, -1, 2), (3, 2, 2), (100, -1, 1)):
        yield Case(f"histc {bins} {low} {high}", torch.histc, (gapped(x), bins, low, high))
    yield Case("histc of equal ones", lambda x: torch.histc(x, 4), (torch.ones(3),))
    for density in (False, True):
        yield Case(f"histogram {density}", lambda x, w, d=density: tuple(torch.histogram(x, 9, weight=w, density=d)), (x, _normal(50).abs()))
        yield Case(f"edges {density}", lambda x, e, d=density: tuple(torch.histogram(x, e, density=d)), (x, torch.tensor([-2.0, 0, 0.5, 2])))
    yield Case("range", lambda x: tuple(torch.histogram(x, 4, range=(-1.0, 1.0))), (torch.tensor([-1, 1, 0.5, NAN, 7, -0.5]),))
    yield Case("equal range", lambda x: tuple(torch.histogram(x, 4, range=(0.0, 0.0))), (x,))
    yield Case("two dimensions", lambda x: torch.histogramdd(x, [3, 4], density=True), (_normal(30, 2),))
    for dtype in (*FLOATS, torch.int64, torch.uint8, torch.bool):
        y = (_normal(5, 7) * 2).to(dtype).round() if dtype != torch.bool else _normal(5, 7) > 0
        yield Case(f"mode {dtype}", lambda x: (*torch.mode(x, 0), *torch.mode(x, 1, True)), (gapped(y),))
        yield from (Case(f"nonzero {dtype} {n}", lambda x, n=n: torch.nonzero_static(x, size=n, fill_value=-3), (y,)) for n in (0, 4, 50))


def test_counting() -> None:
    check(_count_cases())


def test_a_range_without_end_is_refused() -> None:
    with pytest.raises(RuntimeError, match="not finite"):
        torch.histc(torch.tensor([1.0, INF]).to(DEVICE), 4).cpu()


# Segments.


def _segment_cases() -> Iterator[Case]:
    x = _normal(2, 6, 3)
    x[0, 0] = 0
    lengths = torch.tensor([[1, 0, 3, 2], [2, 2, 2, 0]])
    offsets = torch.tensor([0, 2, 2, 5])
    for kind, initial in product(("sum", "mean", "prod", "max", "min"), (None, 1)):
        options = dict(initial=initial)
        yield Case(
            f"{kind} lengths {initial}", lambda x, n, k=kind, o=options: torch.segment_reduce(x, k, lengths=n, axis=1, **o), (gapped(x), lengths)
        )
        yield Case(
            f"{kind} offsets {initial}", lambda x, n, k=kind, o=options: torch.segment_reduce(x, k, offsets=n, **o), (x.view(12, 3)[:5], offsets)
        )


def test_segments() -> None:
    check(_segment_cases(), gradients=True)
