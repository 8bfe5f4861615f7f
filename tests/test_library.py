"""Contractions and convolutions computed by torch's kernels, called from XLA's programs."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F

import lazymlir
from lazymlir.passes import STANDARD
from lazymlir.runtime import library
from lazymlir.runtime.client import client
from lazymlir.runtime.compiler import standard

DEVICE = "lazymlir"
EVERYTHING = "lazy-call-library{minimum-contraction=1 minimum-convolution=1}"
CALLED = ",".join(EVERYTHING if name == "lazy-call-library" else name for name in STANDARD)
"""The standard passes, with which the library computes every product."""


def both(function: Callable[..., torch.Tensor], *tensors: torch.Tensor, passes: str = CALLED) -> None:
    """Values and gradients are the CPU's."""
    found = []
    for device in ("cpu", DEVICE):
        inputs = [tensor.detach().clone().to(device).requires_grad_() for tensor in tensors]
        with lazymlir.config(passes=passes):
            out = function(*inputs)
            (out * torch.linspace(-1, 1, out.numel(), dtype=out.dtype).reshape(out.shape).to(device)).sum().backward()
            found.append([x.detach().cpu() for x in (out, *(tensor.grad for tensor in inputs)) if x is not None])
    for got, expected in zip(found[1], found[0], strict=True):
        torch.testing.assert_close(got, expected)


def heads(x: torch.Tensor) -> torch.Tensor:
    """[place, batch, width] to [batch, head, place, width]."""
    return x.unflatten(-1, (2, -1)).permute(1, 2, 0, 3)


def attention(x: torch.Tensor, packed: torch.Tensor) -> torch.Tensor:
    """Sequence first, its queries, keys and values side by side."""
    q, k, v = (heads(part) for part in (x @ packed).chunk(3, -1))
    return (torch.softmax(q @ k.transpose(-1, -2), -1) @ v).permute(2, 0, 1, 3).flatten(2)


PRODUCTS: dict[str, tuple[Callable[..., torch.Tensor], list[tuple[int, ...]], int]] = {
    "matrices": (torch.mm, [(4, 5), (5, 6)], 3),
    "a linear layer": (F.linear, [(2, 3, 5), (4, 5), (4,)], 3),
    "transposed operands": (lambda x, y: x.t() @ y.t(), [(5, 4), (6, 5)], 3),
    "a transposed result": (lambda x, y: (x @ y).t().contiguous(), [(4, 5), (5, 6)], 3),
    "a vector": (torch.mv, [(4, 5), (5,)], 2),  # the matrix' gradient is an outer product: no sum
    "batches": (torch.bmm, [(3, 4, 5), (3, 5, 6)], 3),
    "broadcast batches": (torch.matmul, [(2, 3, 4, 5), (3, 5, 6)], 3),
    "batches of which one dimension is 1": (torch.matmul, [(1, 3, 4, 5), (1, 3, 5, 1)], 3),
    "several dimensions summed": (lambda x, y: torch.einsum("abc,dcb->ad", x, y), [(2, 3, 4), (5, 4, 3)], 3),
    "batches inside": (lambda x, y: torch.einsum("abc,cbd->bad", x, y), [(2, 3, 4), (4, 3, 5)], 3),
    "every second row": (lambda x, y: x[::2] @ y[:, 1:], [(6, 4), (4, 5)], 3),
    "a row of a batch": (lambda x, y: x[1] @ y[2], [(3, 4, 5), (3, 5, 6)], 3),
    "attention": (attention, [(4, 3, 6), (6, 12)], 9),
    "a chain": (lambda *xs: torch.linalg.multi_dot(xs), [(2, 3), (3, 4), (4, 2)], 6),
}


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
@pytest.mark.parametrize("name", PRODUCTS)
def test_products(counts, name, dtype):
    function, shapes, calls = PRODUCTS[name]
    both(function, *(torch.randn(shape, dtype=dtype) for shape in shapes))
    assert counts["LibraryCalls"] == calls
    assert counts.fallbacks == 0


CONVOLUTIONS: dict[str, tuple[tuple[int, ...], tuple[int, ...], dict[str, Any], int]] = {
    "one dimension": ((2, 3, 9), (4, 3, 3), {"padding": 1}, 3),
    "two dimensions": ((2, 3, 6, 7), (4, 3, 3, 3), {"padding": 1}, 3),
    "three dimensions": ((2, 3, 4, 5, 4), (4, 3, 2, 2, 2), {}, 3),
    "a stride": ((2, 3, 8, 8), (4, 3, 3, 3), {"stride": 2, "padding": 1}, 3),
    "single pixels with a stride": ((2, 3, 8, 8), (4, 3, 1, 1), {"stride": 2}, 3),
    "a dilation": ((2, 3, 9, 8), (4, 3, 3, 2), {"dilation": (2, 3), "padding": (2, 1)}, 3),
    "channels last": ((2, 6, 7, 3), (4, 3, 3, 3), {"padding": 1}, 3),
}


@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_convolutions(counts, name):
    x, weight, options, calls = CONVOLUTIONS[name]
    convolve = {3: F.conv1d, 4: F.conv2d, 5: F.conv3d}[len(x)]
    order = (0, 3, 1, 2) if name == "channels last" else range(len(x))
    both(lambda x, weight: convolve(x.permute(*order), weight, **options), torch.randn(x), torch.randn(weight))
    assert counts["LibraryCalls"] == calls
    assert counts.fallbacks == 0


@pytest.mark.parametrize("transposed", [False, True])
def test_convolutions_of_every_geometry(counts, transposed):
    """What torch's own functions cannot say stays with XLA; the values are the CPU's either way."""
    draw = random.Random(0)
    for _ in range(30):
        groups = draw.choice([1, 1, 1, 2])
        size, window = draw.choice([5, 6, 7]), draw.choice([1, 2, 3])
        stride, dilation = draw.choice([1, 2, 3]), draw.choice([1, 1, 2])
        padding = draw.choice([0, 1, 2])
        x, weight = torch.randn(2, 2 * groups, size, size + 1), torch.randn(2 * groups, 2, window, window)
        options = dict(stride=stride, padding=padding, dilation=dilation, groups=groups)
        if transposed:
            options["output_padding"] = draw.randrange(max(stride, dilation))
        convolve = F.conv_transpose2d if transposed else F.conv2d
        both(lambda x, w, c=convolve, o=options: c(x, w, **o), x, weight)
    assert counts["LibraryCalls"] > 60
    assert counts.fallbacks == 0


def test_what_reads_only_padding_stays_with_xla(counts):
    """Nothing of the input is left then, and torch's convolution refuses it."""
    shape, weight = (3, 2, 1, 5), torch.ones(2, 2, 1, 1)
    both(lambda x, w: F.conv2d(x, w, stride=(3, 1), padding=(1, 0)), torch.randn(shape), weight)
    both(lambda x, w: F.conv_transpose1d(x, w, padding=3), torch.randn(3, 1, 3), torch.randn(1, 3, 4))
    both(lambda x, w: F.conv3d(x, w, stride=3, padding=1), torch.randn(3, 1, 1, 7, 7), torch.randn(2, 1, 1, 1, 1))
    assert counts.fallbacks == 0


def test_sums_of_nothing_stay_with_xla(counts):
    passes = CALLED.replace("minimum-contraction=1", "minimum-contraction=0")
    both(lambda x, y: x.t() @ y, torch.randn(0, 3), torch.randn(0, 4), passes=passes)
    assert counts["LibraryCalls"] == 0


def test_sixteen_bits_integers_and_complex_numbers_stay_with_xla(counts):
    with lazymlir.config(passes=CALLED):
        for dtype in (torch.bfloat16, torch.float16, torch.int64, torch.complex64):
            x = torch.ones(4, 4).to(dtype)
            torch.testing.assert_close((x.to(DEVICE) @ x.to(DEVICE)).cpu(), x @ x)
    assert counts["LibraryCalls"] == 0


def test_a_changed_start_is_no_other_program(counts):
    """A window that starts elsewhere at each step is read where it stands."""
    x, y = torch.randn(9, 4), torch.randn(4, 5)
    there = [x.to(DEVICE), y.to(DEVICE)]
    with lazymlir.config(passes=CALLED):
        for start in range(7):
            torch.testing.assert_close((there[0][start : start + 3] @ there[1]).cpu(), x[start : start + 3] @ y)
    assert counts.compiled <= 2  # with the first start as a constant, and with any
    assert counts["LibraryCalls"] == counts.compiled


def test_rows_of_a_stack_by_a_number_of_the_loop(counts):
    x, weights = torch.randn(3, 4), torch.randn(5, 4, 4)
    with lazymlir.config(passes=CALLED):
        moved, stack = x.to(DEVICE), weights.to(DEVICE)
        _, out = lazymlir.while_loop(
            lambda i, h: i < 5, lambda i, h: (i + 1, torch.tanh(h @ stack[0])), torch.zeros((), dtype=torch.int64, device=DEVICE), moved
        )
        for _ in range(5):
            x = torch.tanh(x @ weights[0])
        torch.testing.assert_close(out.cpu(), x)
    assert counts["LibraryCalls"] == 1


@pytest.mark.parametrize("mode", ["always", "off"])
def test_loops_that_are_rolled_again_call_too(counts, mode):
    passes = CALLED.replace("lazy-reroll-loops", f"lazy-reroll-loops{{mode={mode}}}")
    weights = [torch.randn(4, 4) for _ in range(6)]

    def stack(x: torch.Tensor, *weights: torch.Tensor) -> torch.Tensor:
        for weight in weights:
            x = torch.tanh(x @ weight)
        return x

    both(stack, torch.randn(3, 4), *weights, passes=passes)
    assert counts["LibraryCalls"] == {"always": 5, "off": 18}[mode]  # the first or last product of a loop stands outside
    assert (counts["LoopsRolled"] > 0) == (mode == "always")


def test_small_products_stay_with_xla_and_large_ones_go(counts):
    small = torch.ones(8, 8, device=DEVICE)
    assert (small @ small).sum().item() == 8 * 8 * 8
    assert counts["LibraryCalls"] == 0
    large = torch.ones(512, 512, device=DEVICE)
    assert (large @ large).sum().item() == 512**3
    assert counts["LibraryCalls"] == 1
    with lazymlir.config(cpu_library=False):
        assert (large @ large).sum().item() == 512**3
    assert counts["LibraryCalls"] == 1


def test_only_where_the_library_is_ready(monkeypatch):
    assert "lazy-call-library" in standard("auto", "cpu")
    assert "lazy-call-library" not in standard("auto", "cuda")
    monkeypatch.setattr(library, "is_ready", lambda: False)
    assert "lazy-call-library" not in standard("auto", "cpu")


def test_a_library_without_the_functions_is_none(monkeypatch):
    monkeypatch.setattr(library, "_library", np.__file__)
    assert not library.is_ready.__wrapped__()


WRONG = """
func.func @main(%x: tensor<1x2x3xf32>, %y: tensor<1x3x2xf32>) -> tensor<1x2x2xf32> {{
  %0 = stablehlo.custom_call @lazymlir_matmul(%x, %y) {{
    backend_config = {{numbers = array<i64: 6, 1, 0, 0, 1, 2, 2, 4, 2, 1, 0, 0, 1, 2, 3, 6, 3, 1, 0, 0, 1, {rows}, 2, 6, 2, 1>}},
    api_version = 4 : i32,
    operand_layouts = [dense<[2, 1, 0]> : tensor<3xindex>, dense<[2, 1, 0]> : tensor<3xindex>], result_layouts = [dense<[2, 1, 0]> : tensor<3xindex>]
  }} : (tensor<1x2x3xf32>, tensor<1x3x2xf32>) -> tensor<1x2x2xf32>
  return %0 : tensor<1x2x2xf32>
}}
"""


def test_a_kernel_that_fails_is_an_error():
    xla = client()
    x, y = (xla.put(np.ones(shape, np.float32)) for shape in ((1, 2, 3), (1, 3, 2)))
    (good,) = xla.execute(xla.compile(WRONG.format(rows=3)), [x, y], 1, [])
    assert (xla.get(good) == 3).all()
    with pytest.raises(Exception, match="Expected size for first two dimensions"):
        xla.get(xla.execute(xla.compile(WRONG.format(rows=2)), [x, y], 1, [])[0])
    (good,) = xla.execute(xla.compile(WRONG.format(rows=3)), [x, y], 1, [])
    assert (xla.get(good) == 3).all()


ENDING = """
import os, sys, torch, lazymlir
weight = torch.randn(64, 64, 3, 3, device="lazymlir")
def run():
    x = torch.randn(16, 64, 32, 32, device="lazymlir")
    for _ in range(20):
        x = torch.conv2d(x, weight, None, 1, 1) / 24
    lazymlir.sync()
    return x
first = run().cpu()
running = run()
if sys.argv[1] == "fork" and os.fork() == 0:
    sys.exit(0)
"""


@pytest.mark.parametrize("how", ["exit", "fork"])
def test_a_process_may_end_while_a_kernel_runs(how):
    done = subprocess.run([sys.executable, "-c", ENDING, how], capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr


def test_threads_take_turns():
    found: dict[int, torch.Tensor] = {}
    inputs = [torch.randn(64, 64) for _ in range(4)]

    def work(place: int) -> None:
        x = inputs[place].to(DEVICE)
        for _ in range(20):
            x = torch.tanh(x @ x / 64)
            lazymlir.sync()
        found[place] = x.cpu()

    with lazymlir.config(passes=CALLED):
        threads = [threading.Thread(target=work, args=(place,)) for place in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    for place, x in enumerate(inputs):
        for _ in range(20):
            x = torch.tanh(x @ x / 64)
        torch.testing.assert_close(found[place], x)


def test_every_order_of_dimensions():
    """Batch, rows, columns and sums in any order of either operand: [a, b] x [a, b] of two dimensions each."""
    draw = random.Random(0)
    sizes = {"a": 2, "b": 3, "c": 4, "d": 5, "e": 2, "f": 3}
    for _ in range(40):
        names = draw.sample("abcdef", 5)
        batch, rows, columns, sums = names[:1], names[1:2], names[2:3], names[3:]
        x, y, out = ([*names] for names in (batch + rows + sums, batch + columns + sums, batch + rows + columns))
        for each in (x, y, out):
            draw.shuffle(each)
        equation = f"{''.join(x)},{''.join(y)}->{''.join(out)}"
        operands = [torch.randn([sizes[name] for name in each]) for each in (x, y)]
        with lazymlir.config(passes=CALLED):
            got = torch.einsum(equation, *(operand.to(DEVICE) for operand in operands)).cpu()
        torch.testing.assert_close(got, torch.einsum(equation, *operands), msg=lambda text, e=equation: f"{e}: {text}")
