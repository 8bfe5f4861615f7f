"""Random windows onto a buffer: order of the buffer's dimensions in memory, its sizes; the window's sizes, strides, offset."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st


@st.composite
def windows(draw):
    home_sizes = draw(st.lists(st.integers(1, 5), max_size=4))
    order = draw(st.permutations(range(len(home_sizes))))
    total = int(np.prod(home_sizes))
    sizes, strides, reach = [], [], 0
    for _ in range(draw(st.integers(0, 4))):
        size = draw(st.integers(1, 5))
        stride = draw(st.integers(0, 12))
        if reach + (size - 1) * stride < total:
            reach += (size - 1) * stride
            sizes.append(size)
            strides.append(stride)
    return order, home_sizes, sizes, strides, draw(st.integers(0, total - 1 - reach))


@st.composite
def view_programs(draw):
    """Windows that real view operations make."""
    array = np.arange(int(np.prod(shape := draw(st.lists(st.integers(1, 5), min_size=1, max_size=4))))).reshape(shape)
    view = array
    diagonals = 0
    for _ in range(draw(st.integers(1, 5))):
        kind = draw(st.sampled_from(["permute", "slice", "select", "expand", "diagonal", "unsqueeze"]))
        if kind == "permute":
            view = view.transpose(draw(st.permutations(range(view.ndim))))
        elif kind == "slice" and view.ndim:
            dim = draw(st.integers(0, view.ndim - 1))
            start = draw(st.integers(0, view.shape[dim] - 1))
            view = view[tuple(slice(start, None, draw(st.integers(1, 3))) if d == dim else slice(None) for d in range(view.ndim))]
        elif kind == "select" and view.ndim:
            dim = draw(st.integers(0, view.ndim - 1))
            view = view[(slice(None),) * dim + (draw(st.integers(0, view.shape[dim] - 1)), ...)]
        elif kind == "expand":
            view = np.broadcast_to(view, (draw(st.integers(1, 3)), *view.shape))
        elif kind == "diagonal" and view.ndim >= 2:
            view = view.diagonal()
            diagonals += 1
        elif kind == "unsqueeze":
            view = view[..., None]
    offset = (view.__array_interface__["data"][0] - array.__array_interface__["data"][0]) // 8
    return diagonals, (list(range(array.ndim)), list(array.shape), list(view.shape), [s // 8 for s in view.strides], offset)
