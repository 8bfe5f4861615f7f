"""A write through a window leaves in memory what numpy's assignment through the same window leaves, bit for bit."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from views_support import view_programs, windows

import lazymlir
from lazymlir.core.values import layout_of
from lazymlir.core.views import view_of
from lazymlir.dialect import Builder, Node, TensorType
from lazymlir.mlir import func, ir, shared_context
from lazymlir.passes import Pipeline

DEVICE = "lazymlir"
DTYPES = (torch.float32, torch.int64, torch.bool, torch.float64, torch.uint8, torch.complex64)
BITS = {1: np.uint8, 4: np.uint32, 8: np.uint64}


class Window(NamedTuple):
    order: list[int]
    home: list[int]
    sizes: list[int]
    strides: list[int]
    offset: int


@st.composite
def writable_windows(draw: st.DrawFn) -> Window:
    """torch refuses a write only where a stride of 0 repeats elements. A size of 0 comes in sometimes."""
    drawn = draw(st.one_of(windows(), view_programs().map(lambda program: program[1])))
    window = Window(*drawn)
    sizes = [1 if stride == 0 else size for size, stride in zip(window.sizes, window.strides, strict=True)]
    if sizes and draw(st.integers(0, 15)) == 0:
        sizes[draw(st.integers(0, len(sizes) - 1))] = 0
    return window._replace(sizes=sizes)


def elements(count: int, dtype: torch.dtype, first: int) -> torch.Tensor:
    """Different numbers, among them NaN and -0.0."""
    counted = torch.arange(first, first + count)
    if dtype == torch.bool:
        return counted % 3 == 0
    made = counted.to(dtype)
    if dtype.is_floating_point:
        made[counted % 7 == 3], made[counted % 7 == 5] = float("nan"), -0.0
    return made


def bits(x: torch.Tensor) -> np.ndarray[Any, Any]:
    x = torch.view_as_real(x) if x.is_complex() else x
    return x.numpy().view(BITS[x.element_size()])


def assigned(memory: torch.Tensor, window: Window, update: torch.Tensor) -> torch.Tensor:
    """The memory after numpy's assignment; where the window shows an element twice, the last one in order stays."""
    expected = memory.numpy().copy()
    strides = [stride * expected.itemsize for stride in window.strides]
    places = np.lib.stride_tricks.as_strided(np.arange(expected.size)[window.offset :], window.sizes, [8 * stride for stride in window.strides])
    if len(np.unique(places)) == places.size:
        np.lib.stride_tricks.as_strided(expected[window.offset :], window.sizes, strides)[...] = update.numpy()
    else:
        expected[places.reshape(-1)] = update.numpy().reshape(-1)
    return torch.from_numpy(expected)


def home_tensor(memory: torch.Tensor, window: Window) -> torch.Tensor:
    """A tensor of the device over a buffer with the window's home geometry."""
    in_memory = [window.home[dim] for dim in window.order]
    return memory.reshape(in_memory).permute([window.order.index(dim) for dim in range(len(window.order))]).to(DEVICE)


@settings(max_examples=5, derandomize=True, deadline=None)
@given(st.lists(st.tuples(writable_windows(), st.sampled_from(DTYPES)), min_size=36, max_size=36))
def test_any_window_writes_exactly_its_elements(drawn: list[tuple[Window, torch.dtype]]) -> None:
    written = []
    for window, dtype in drawn:
        memory = elements(int(np.prod(window.home)), dtype, 0)
        update = elements(int(np.prod(window.sizes)), dtype, 1000).reshape(window.sizes)
        base = home_tensor(memory, window)
        view = torch.as_strided(base, window.sizes, window.strides, window.offset)
        view.copy_(update.to(DEVICE))
        found = torch.as_strided(base, (memory.numel(),), (1,), 0).clone()
        written.append((window, found, view.clone(), assigned(memory, window, update)))
    lazymlir.sync()
    for window, found, seen, expected in written:
        assert np.array_equal(bits(found.cpu()), bits(expected)), (window, expected.dtype)
        wanted = torch.as_strided(expected, window.sizes, window.strides, window.offset)
        assert np.array_equal(bits(seen.cpu()), bits(wanted.contiguous())), (window, expected.dtype)


def inverted(window: Window) -> str:
    """The graph of a write through the window, as `lazy-invert-views` leaves it."""
    strides = home_tensor(torch.empty(int(np.prod(window.home))), window).stride()
    home = layout_of("f32", tuple(window.home), strides)
    view = view_of(home, "f32", tuple(window.sizes), tuple(window.strides), window.offset)
    types = [home.type, view.type, *[TensorType((), "i64")] * len(view.starts)]
    with shared_context(), ir.Location.unknown():
        module = ir.Module.create()
        mlir_types = [ir.Type.parse(str(type_)) for type_ in types]
        function = func.FuncOp("main", (mlir_types, mlir_types[:1]), ip=ir.InsertionPoint(module.body))
        block = function.add_entry_block()
        operands = [Node(value, type_) for value, type_ in zip(block.arguments, types, strict=True)]
        written = Builder(ir.InsertionPoint(block), ir.Location.unknown()).write_view(*operands, chain=view.chain)
        func.ReturnOp([written.value], ip=ir.InsertionPoint(block))
        Pipeline.parse("lazy-invert-views").run(module)
        return str(module)


def scatters(window: Window) -> bool:
    """Whether only scattering is exact, or the window holds over 8 elements for each one that the view shows."""
    reach = 0
    for stride, size in sorted((stride, size) for stride, size in zip(window.strides, window.sizes, strict=True) if size > 1):
        if stride <= reach:
            return True
        reach += stride * (size - 1)
    return reach + 1 > 8 * int(np.prod(window.sizes))


@settings(max_examples=300, derandomize=True, deadline=None)
@given(writable_windows())
def test_elements_are_scattered_only_where_nothing_else_is_exact_and_cheap(window: Window) -> None:
    if 0 not in window.sizes and not scatters(window):
        assert "strided_update" not in inverted(window)
