"""Donation: a buffer whose old value dies with a program is overwritten in place; one that something still needs is not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import torch
from torch import nn

import lazymlir

DEVICE = "lazymlir"
LARGE = 16 << 20
"""Floats in 64 MB."""


def pointer(x: torch.Tensor) -> int:
    """Where the device keeps the memory behind a tensor."""
    return x.untyped_storage()._lazymlir.value.array.unsafe_buffer_pointer()


def on_device(*shape: int) -> torch.Tensor:
    return torch.rand(*shape).to(DEVICE)


def aliased() -> int:
    return lazymlir.metrics.counter_value("InputOutputAliasCount") or 0


def peak_kib(reset: bool = False) -> int:
    """The most memory that this process has had since the last reset."""
    if reset:
        Path("/proc/self/clear_refs").write_text("5")
    (line,) = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")]
    return int(line.split()[1])


# Donated.

WRITES: dict[str, Callable[[torch.Tensor], object]] = {
    "whole": lambda x: x.mul_(0.5).add_(1.0),
    "slice": lambda x: x[2:4].add_(1.0),
    "row": lambda x: x[3].mul_(2.0),
    "columns": lambda x: x[:, 5:9].add_(1.0),
    "every second row": lambda x: x[::2].add_(1.0),
    "diagonal": lambda x: x.diagonal().add_(1.0),
    "transposed": lambda x: x.t()[1:3].add_(1.0),
    "two views": lambda x: (x[0].add_(1.0), x[1].add_(1.0)),
    "copied in": lambda x: x[7].copy_(torch.ones(x.shape[1])),
    "filled": lambda x: x[1:3].fill_(0.25),
    "indexed": lambda x: x.index_add_(0, torch.tensor([1, 2]).to(DEVICE), torch.ones(2, x.shape[1]).to(DEVICE)),
}


@pytest.mark.parametrize("name", WRITES)
def test_a_write_takes_place_in_the_memory_that_is_there(name: str) -> None:
    x = on_device(64, 32)
    expected = x.cpu()
    lazymlir.sync(wait=True)
    address, before = pointer(x), aliased()
    for _ in range(3):
        WRITES[name](x)
        lazymlir.sync(wait=True)
        assert pointer(x) == address
    assert aliased() > before
    for _ in range(3):
        WRITES[name](expected) if name != "indexed" else expected.index_add_(0, torch.tensor([1, 2]), torch.ones(2, 32))
    torch.testing.assert_close(x.cpu(), expected)


# The window of every second row is read whole before the rows are chosen: that takes memory for it.
@pytest.mark.parametrize("name", [name for name in WRITES if name != "every second row"])
def test_a_write_to_64_mb_needs_no_memory(name: str) -> None:
    x = torch.zeros(LARGE >> 12, 1 << 12, device=DEVICE)
    x.add_(1.0)
    lazymlir.sync(wait=True)
    WRITES[name](x)
    lazymlir.sync(wait=True)
    before, address = peak_kib(reset=True), pointer(x)
    for _ in range(3):
        WRITES[name](x)
        lazymlir.sync(wait=True)
        assert pointer(x) == address
    growth = peak_kib() - before
    assert growth < 16 << 10, f"{growth} KiB more at the peak"


def test_a_name_bound_anew_takes_over_the_memory() -> None:
    x = on_device(100)
    lazymlir.sync(wait=True)
    address = pointer(x)
    for _ in range(3):
        x = x + 1.5
        lazymlir.sync(wait=True)
        assert pointer(x) == address


def trained(optimizer_of: Callable[..., torch.optim.Optimizer]) -> Iterator[list[int]]:
    """The addresses of all parameters and states after each step."""
    model = nn.Sequential(nn.Linear(24, 40), nn.ReLU(), nn.Linear(40, 3)).to(DEVICE)
    optimizer = optimizer_of(model.parameters())
    for _ in range(6):
        loss = model(on_device(5, 24)).square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        lazymlir.sync(wait=True)
        states = [x for state in optimizer.state.values() for x in state.values() if isinstance(x, torch.Tensor) and x.device.type == DEVICE]
        yield [pointer(x) for x in (*model.parameters(), *states)]


OPTIMIZERS: dict[str, Callable[..., torch.optim.Optimizer]] = {
    "SGD with momentum": lambda parameters: torch.optim.SGD(parameters, lr=0.1, momentum=0.9),
    "AdamW": lambda parameters: torch.optim.AdamW(parameters, lr=0.1),
    "AdamW for each": lambda parameters: torch.optim.AdamW(parameters, lr=0.1, foreach=False),
    "AdamW fused": lambda parameters: torch.optim.AdamW(parameters, lr=0.1, fused=True),
}


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_parameters_and_states_stay_in_place_at_every_step(name: str) -> None:
    _, second, *later = trained(OPTIMIZERS[name])
    assert len(set(second)) == len(second)
    for addresses in later:
        assert addresses == second


def test_an_optimizer_step_reports_each_buffer_that_it_overwrites() -> None:
    model = nn.Linear(6, 4).to(DEVICE)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    inputs = on_device(5, 6)
    counts = []
    for _ in range(4):
        before = aliased()
        model(inputs).sum().backward()
        optimizer.step()
        optimizer.zero_grad()
        lazymlir.sync(wait=True)
        counts.append(aliased() - before)
    assert counts[0] >= 2
    assert counts[2:] in ([0, 0], [4, 4])


# Not donated.


def test_a_detached_alias_sees_the_write_and_a_copy_does_not() -> None:
    x = on_device(50)
    alias, copy, before = x.detach(), x.clone(), x.cpu()
    x.add_(1.0)
    lazymlir.sync(wait=True)
    assert torch.equal(alias.cpu(), before + 1.0)
    assert torch.equal(copy.cpu(), before)
    assert pointer(alias) == pointer(x) != pointer(copy)


def test_an_old_value_under_another_name_is_kept() -> None:
    x = on_device(50)
    lazymlir.sync(wait=True)
    old, before, address = x, x.cpu(), pointer(x)
    x = x + 1.0
    lazymlir.sync(wait=True)
    assert pointer(old) == address != pointer(x)
    assert torch.equal(old.cpu(), before)


def test_what_autograd_saved_is_kept() -> None:
    x = on_device(50)
    w = on_device(50).requires_grad_()
    values = x.cpu()
    product = (w * x).sum()
    lazymlir.sync(wait=True)
    del x
    y = on_device(50)
    y.mul_(2.0)
    lazymlir.sync(wait=True)
    product.backward()
    assert w.grad is not None
    assert torch.equal(w.grad.cpu(), values)


def test_an_activation_saved_for_backward_survives_the_end_of_its_name() -> None:
    x = on_device(50).requires_grad_()
    h = (x * 2.0).exp()
    y = h.tanh()
    lazymlir.sync(wait=True)
    h_values = h.detach().cpu()
    del h
    y.sum().backward()
    expected = (1 - h_values.tanh() ** 2) * h_values * 2.0
    assert x.grad is not None
    torch.testing.assert_close(x.grad.cpu(), expected)


def test_an_exported_host_copy_does_not_change() -> None:
    x = on_device(50)
    lazymlir.sync(wait=True)
    exported = x.cpu().numpy()
    before = exported.copy()
    for _ in range(3):
        x.add_(1.0)
        lazymlir.sync(wait=True)
    assert (exported == before).all()
    assert (x.cpu().numpy() == ((before + 1) + 1) + 1).all()


def test_a_view_of_the_array_itself_keeps_it_from_being_overwritten() -> None:
    import numpy as np

    x = on_device(50)
    lazymlir.sync(wait=True)
    array = x.untyped_storage()._lazymlir.value.array
    exported = np.asarray(array)
    before = exported.copy()
    del array
    x.add_(1.0)
    lazymlir.sync(wait=True)
    assert (exported == before).all()
    assert (x.cpu().numpy() == before + 1).all()


def test_one_array_in_two_buffers_is_neither_donated_nor_passed_twice() -> None:
    x = on_device(50)
    y = x.clone()
    lazymlir.sync(wait=True)
    before = x.cpu()
    x.add_(1.0)
    lazymlir.sync(wait=True)
    assert torch.equal(y.cpu(), before)
    y.add_(2.0)
    x.add_(y)
    lazymlir.sync(wait=True)
    torch.testing.assert_close(y.cpu(), before + 2.0)
    torch.testing.assert_close(x.cpu(), before + 1.0 + (before + 2.0))


def test_both_buffers_of_one_array_written_at_once_become_two_arrays() -> None:
    x = on_device(50)
    y = x.clone()
    lazymlir.sync(wait=True)
    before = x.cpu()
    x.add_(1.0)
    y.mul_(3.0)
    lazymlir.sync(wait=True)
    assert pointer(x) != pointer(y)
    torch.testing.assert_close(x.cpu(), before + 1.0)
    torch.testing.assert_close(y.cpu(), before * 3.0)


def test_swapped_buffers_hold_each_others_values() -> None:
    x, y = on_device(50), on_device(50)
    x_before, y_before = x.cpu(), y.cpu()
    for _ in range(3):
        x.data, y.data = y.detach() * 1.0, x.detach() * 1.0
        lazymlir.sync(wait=True)
    assert torch.equal(x.cpu(), y_before)
    assert torch.equal(y.cpu(), x_before)


def test_a_view_of_the_old_value_is_read_before_it_is_overwritten() -> None:
    x = on_device(64, 8)
    expected = x.cpu()
    lazymlir.sync(wait=True)
    row = x[3].clone()
    x[2:5].mul_(10.0)
    total = x.sum(0) + row
    lazymlir.sync(wait=True)
    row_expected = expected[3].clone()
    expected[2:5].mul_(10.0)
    torch.testing.assert_close(row.cpu(), row_expected)
    torch.testing.assert_close(total.cpu(), expected.sum(0) + row_expected)
    torch.testing.assert_close(x.cpu(), expected)
