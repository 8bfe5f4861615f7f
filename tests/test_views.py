"""A view chain derived from strides reads exactly the window that the strides describe."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from views_support import view_programs, windows

from lazymlir.core.values import layout_of
from lazymlir.core.views import ViewError, view_of
from lazymlir.dialect import TensorType
from lazymlir.dialect.views import chain_type, step_starts, step_type


def evaluate(base: np.ndarray, chain, starts) -> np.ndarray:
    """The chain's meaning, in numpy."""
    starts = list(starts)
    for step in chain:
        kind, *args = step
        type_ = TensorType(base.shape, "i64")
        mine = [starts.pop(0) for _ in range(step_starts(type_, step))]
        if kind == "permute":
            made = base.transpose(args[0])
        elif kind == "reshape":
            made = np.ascontiguousarray(base).reshape(args[0])
        elif kind == "expand":
            made = np.broadcast_to(base, args[0])
        elif kind == "slice":
            sizes, steps = args
            index = []
            for dim, size in enumerate(sizes):
                start = mine.pop(0) if size != base.shape[dim] else 0
                index.append(slice(start, start + (size - 1) * steps[dim] + 1, steps[dim]))
            made = base[tuple(index)]
        else:
            sizes, strides = args
            places = np.full(sizes, mine[0])
            for dim, (size, stride) in enumerate(zip(sizes, strides, strict=True)):
                places = places + (np.arange(size) * stride).reshape([-1 if d == dim else 1 for d in range(len(sizes))])
            made = base[places]
        assert made.shape == step_type(type_, step).shape
        base = made
    assert not starts
    return base


def check(order, home_sizes, sizes, strides, offset):
    home_strides = [0] * len(home_sizes)
    stride = 1
    for dim in reversed(order):
        home_strides[dim] = stride
        stride *= max(home_sizes[dim], 1)
    total = int(np.prod(home_sizes))
    memory = np.arange(total)
    value = np.lib.stride_tricks.as_strided(memory, home_sizes, [8 * s for s in home_strides]) if total else np.zeros(home_sizes, int)
    home = layout_of("i64", tuple(home_sizes), tuple(home_strides))
    view = view_of(home, "i64", tuple(sizes), tuple(strides), offset)
    expected = np.lib.stride_tricks.as_strided(memory[offset:], sizes, [8 * s for s in strides]) if 0 not in sizes else np.zeros(sizes, int)
    np.testing.assert_array_equal(evaluate(value, view.chain, view.starts), expected)
    assert chain_type(home.type, view.chain) == TensorType(tuple(sizes), "i64")
    return view


@settings(max_examples=600, derandomize=True, deadline=None)
@given(windows())
def test_any_window_reads_exactly_its_elements(window):
    check(*window)


@settings(max_examples=400, derandomize=True, deadline=None)
@given(view_programs())
def test_chains_of_view_operations_need_no_strided_read(program):
    diagonals, window = program
    view = check(*window)
    if diagonals == 0:
        assert not any(step[0] == "strided" for step in view.chain), view.chain


@pytest.mark.parametrize(
    ("home", "sizes", "strides", "offset", "chain", "starts"),
    [
        ((2, 3, 4), (3, 4, 2), (4, 1, 12), 0, (("permute", (1, 2, 0)),), ()),
        ((2, 3), (6,), (1,), 0, (("reshape", (6,)),), ()),
        ((8, 3), (4, 3), (3, 1), 6, (("slice", (4, 3), (1, 1)),), (2,)),
        ((8, 3), (3,), (1,), 6, (("slice", (1, 3), (1, 1)), ("reshape", (3,))), (2,)),
        ((3,), (2, 3), (0, 1), 0, (("reshape", (1, 3)), ("expand", (2, 3))), ()),
        ((4, 4), (4,), (5,), 0, (("reshape", (16,)), ("slice", (4,), (5,))), (0,)),
        ((6,), (3, 2), (1, 1), 0, (("strided", (3, 2), (1, 1)),), (0,)),
    ],
)
def test_well_known_views_have_their_plain_form(home, sizes, strides, offset, chain, starts):
    view = check(list(range(len(home))), list(home), list(sizes), list(strides), offset)
    assert (view.chain, view.starts) == (chain, starts)


def test_a_changed_start_changes_no_chain():
    home = layout_of("f32", (32, 4), (4, 1))
    chains = {view_of(home, "f32", (4, 4), (4, 1), 4 * start).chain for start in range(17)}
    assert len(chains) == 1


def test_a_window_beyond_its_buffer_is_refused():
    with pytest.raises(ViewError, match="reaches element 6 of a buffer of 6"):
        view_of(layout_of("f32", (6,), (1,)), "f32", (4,), (2,), 0)
