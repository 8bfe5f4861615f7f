"""Recording, barriers, program variants, donation and cuts."""

from __future__ import annotations

import gc
import re
import resource
from pathlib import Path

import pytest
import torch

import lazymlir
from lazymlir.core.engine import engine
from lazymlir.runtime import compiler

DEVICE = "lazymlir"


def test_nothing_runs_until_something_is_read(counts):
    x = torch.ones(3, device=DEVICE)
    y = (x + x) * 3.0
    assert counts.compiled == 0
    assert y.tolist() == [6.0, 6.0, 6.0]
    assert counts.compiled == 1


def test_what_is_never_read_is_never_executed(counts):
    x = torch.randn(3).to(DEVICE)
    for _ in range(5):
        _ = (x + 1.5).tanh()
    del _
    lazymlir.sync()
    assert counts.compiled == 0


def test_a_tensor_printed_twice_runs_nothing_the_second_time(counts):
    x = torch.randn(3).to(DEVICE) + 1.25
    first = repr(x)
    assert counts.compiled + counts["CachedCompile"] == 1
    assert repr(x) == first
    assert counts.compiled + counts["CachedCompile"] == 1
    assert "lazymlir:0" in first


def test_reading_an_old_value_does_not_cut_the_graph(counts):
    x = torch.randn(3).to(DEVICE)
    previous = (x * 2.5).sum()
    lazymlir.sync()
    y = x + 4.5
    assert isinstance(previous.item(), float)
    assert len(engine.trace.records) == 1
    assert counts["MarkStep"] == 1
    del y


def test_a_changed_scalar_compiles_nothing_once_a_general_variant_exists(counts):
    x = torch.randn(5).to(DEVICE)

    def step(rate):
        y = x * rate
        lazymlir.sync()
        torch.testing.assert_close(y.cpu(), x.cpu() * rate)

    for rate in (0.1, 0.2):
        step(rate)
    before = counts.compiled
    for rate in (0.0, 1.0, 0.5, -0.0, 1e-8, float("inf")):
        step(rate)
    assert counts.compiled == before


def test_zero_and_one_come_first_and_a_general_variant_follows(counts):
    x = torch.randn(6).to(DEVICE)
    for rate in (1.0, 0.3, 0.0, 1.0, 0.7):
        y = x * rate + rate
        lazymlir.sync()
        torch.testing.assert_close(y.cpu(), x.cpu() * rate + rate)
    assert counts.compiled <= 2


def test_equal_scalars_are_not_one_scalar(counts):
    x = torch.randn(7).to(DEVICE)
    for rate, momentum in ((0.9, 0.9), (0.1, 0.9), (0.5, 0.5)):
        y = x * rate + x * momentum
        lazymlir.sync()
        torch.testing.assert_close(y.cpu(), x.cpu() * rate + x.cpu() * momentum)
    assert counts.compiled == 1


def test_a_slice_at_another_start_is_the_same_program(counts):
    x = torch.randn(32, 4).to(DEVICE)
    for i in range(17):
        y = x[i : i + 4] * 3.5
        lazymlir.sync()
        torch.testing.assert_close(y.cpu(), x.cpu()[i : i + 4] * 3.5)
    assert counts.compiled == 1


def test_a_write_through_a_view_shows_in_every_alias():
    x = torch.arange(24.0).reshape(2, 3, 4).to(DEVICE)
    expected = torch.arange(24.0).reshape(2, 3, 4)
    row, turned = x[1], x.permute(2, 0, 1)
    turned[:, :, 1:].mul_(2.0)
    expected.permute(2, 0, 1)[:, :, 1:].mul_(2.0)
    row[::2].add_(100.0)
    expected[1][::2].add_(100.0)
    lazymlir.sync()
    torch.testing.assert_close(x.cpu(), expected)
    torch.testing.assert_close(row.cpu(), expected[1])
    torch.testing.assert_close(turned.cpu(), expected.permute(2, 0, 1))


def pointer(x: torch.Tensor) -> int:
    return x.untyped_storage()._lazymlir.value.array.unsafe_buffer_pointer()


def test_an_in_place_update_reuses_the_memory():
    p = torch.zeros(64 << 20, device=DEVICE)  # 256 MB
    p.add_(1.5)
    lazymlir.sync(wait=True)
    before, address = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, pointer(p)
    for _ in range(10):
        p.mul_(0.99).add_(0.5)
        lazymlir.sync(wait=True)
        assert pointer(p) == address
    growth = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert growth < 16 << 10, f"{growth} KiB more at the peak"


def test_a_buffer_that_is_still_held_is_not_donated(counts):
    p = torch.ones(1 << 20).to(DEVICE)
    alias_of_old = p.clone()
    p.mul_(3.0)
    lazymlir.sync()
    assert alias_of_old.sum().item() == 1 << 20
    assert p.sum().item() == 3 << 20


def test_the_same_array_held_twice_is_one_argument():
    x = torch.randn(4).to(DEVICE)
    y = x.clone()
    x.add_(y)
    y.add_(x)
    lazymlir.sync()
    assert not torch.equal(x.cpu(), y.cpu())


class TestLongTraces:
    @staticmethod
    def body(x, w):
        for _ in range(100):
            x = (x * w + 0.5).tanh()
        return x

    def test_a_loop_without_barriers_settles_on_few_programs(self, counts):
        x, w = torch.randn(4).to(DEVICE), torch.randn(4).to(DEVICE)
        for _ in range(60):
            x = self.body(x, w)
        assert torch.isfinite(x.cpu()).all()
        assert counts.compiled <= 3

    def test_the_cut_changes_no_value(self):
        x, w = torch.randn(4), torch.randn(4)
        y, v = x.to(DEVICE), w.to(DEVICE)
        for i in range(12):
            x, y = self.body(x, w), self.body(y, v)
            if i % 3 == 0:
                w, v = w * 0.9, v * 0.9
        torch.testing.assert_close(y.cpu(), x, rtol=1e-4, atol=1e-5)

    def test_a_dead_trace_is_dropped_without_running(self, counts):
        x = torch.ones(2, device=DEVICE)
        for _ in range(5000):
            x = x * 2.0 - 1.0
        del x
        gc.collect()
        lazymlir.sync()
        assert torch.ones(2, device=DEVICE).tolist() == [1.0, 1.0]


def test_a_mistake_raises_where_it_is_made_and_spares_the_trace(counts):
    x = torch.randn(3).to(DEVICE)
    y = x + 1.5
    with pytest.raises(RuntimeError, match="size of tensor a"):
        _ = y + torch.randn(4).to(DEVICE)
    with pytest.raises(RuntimeError, match="same device"):
        _ = y + torch.randn(3)
    with pytest.raises(RuntimeError, match="can't be cast"):
        torch.ones(3, dtype=torch.int64, device=DEVICE).add_(0.5)
    torch.testing.assert_close(y.cpu(), x.cpu() + 1.5)


def test_another_device_index_is_refused():
    with pytest.raises(RuntimeError, match="there is only lazymlir:0"):
        torch.ones(2, device="lazymlir:1")


def test_0_dim_cpu_tensors_mix_as_torch_allows():
    x = torch.randn(3).to(DEVICE)
    torch.testing.assert_close((x * torch.tensor(2.5)).cpu(), x.cpu() * 2.5)


def test_an_interrupt_while_compiling_loses_nothing(monkeypatch):
    x = torch.randn(3).to(DEVICE)
    x_before = x.cpu()
    x.add_(7.25)
    original = type(engine)._compile

    def interrupted(self, *args):
        monkeypatch.setattr(type(engine), "_compile", original)
        raise KeyboardInterrupt

    monkeypatch.setattr(type(engine), "_compile", interrupted)
    with pytest.raises(KeyboardInterrupt):
        lazymlir.sync()
    torch.testing.assert_close(x.cpu(), x_before + 7.25)


def test_transfers_and_runs_are_timed(counts):
    timed = ("TransferToDeviceTime", "TransferFromDeviceTime", "ExecuteTime")
    before = [(lazymlir.metrics.metric_data(name) or (0,))[0] for name in timed]
    (torch.randn(3).to(DEVICE) * 2.5).cpu()
    after = [lazymlir.metrics.metric_data(name)[0] for name in timed]
    assert [b - a for a, b in zip(before, after, strict=True)] == [1, 1, 1]
    assert counts["MarkStep"] == 0


def test_a_program_that_xla_refuses_names_the_line_and_writes_the_module(monkeypatch):
    from lazymlir.runtime.client import Client

    x = torch.randn(3, 17).to(DEVICE)
    y = x * 2.5 + 1.25
    original = Client.compile

    def refuse(self, text):
        raise ValueError("no such thing")

    monkeypatch.setattr(Client, "compile", refuse)
    with pytest.raises(lazymlir.errors.CompileError, match=r"test_engine\.py:\d+.*XLA says: no such thing") as caught:
        lazymlir.sync()
    (name,) = re.findall(r"written to (\S+\.mlir)", str(caught.value))
    module = Path(name)
    assert "stablehlo" in module.read_text()
    module.unlink()
    monkeypatch.setattr(Client, "compile", original)
    with pytest.raises(lazymlir.errors.CompileError):
        y.cpu()
    assert (x * 1.0).cpu().shape == (3, 17)


def test_a_tensor_that_cannot_fit_is_refused_and_the_rest_survives():
    keep = torch.arange(4.0).to(DEVICE)
    keep.mul_(3.0)
    huge = torch.ones(1 << 46, device=DEVICE) * 2.5
    with pytest.raises(lazymlir.errors.OutOfMemoryError, match=r"needs \d+ bytes"):
        huge.cpu()
    del huge
    keep.add_(1.0)
    assert keep.tolist() == [1.0, 4.0, 7.0, 10.0]


def test_programs_are_dropped_before_memory_mappings_run_out(monkeypatch):
    """XLA ends the process where Linux gives it no more mappings."""
    torch.ones(7, device=DEVICE).neg().tolist()
    assert engine.compiler is not None
    before = len(engine.compiler._executables)
    monkeypatch.setattr(compiler, "CHECK_EVERY", 1)
    monkeypatch.setattr(compiler.mappings, "are_scarce", lambda: True)
    for size in range(1, 6):
        assert torch.ones(size, device=DEVICE).add(size).tolist() == [size + 1.0] * size
    assert engine.compiler is not None
    kept = len(engine.compiler._executables)
    assert kept <= before // 16 + 4
    monkeypatch.undo()
    assert torch.ones(3, 1, 17, device=DEVICE).mul(2.5).sum().item() == 127.5
    assert len(engine.compiler._executables) == kept + 1


def test_records_of_one_line_are_copies_only_of_what_they_are(counts):
    """Equal records are built once and copied; operands that are one value in some of them are not those in others."""
    x, y = torch.rand(3), torch.rand(3)

    def several(x: torch.Tensor, y: torch.Tensor) -> list[torch.Tensor]:
        orders = [(x, y), (x, x), (y, x), (y, y)]
        return [torch.lerp(a, b, number).cpu() for order in (orders, orders[::-1]) for number, (a, b) in zip((0.25, 0.5, 3, 7), order, strict=True)]

    def at_once(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        pairs = [(x, x), (x, y), (y, x), (y, y), (x, y)]
        return torch.stack([a * number - b for number, (a, b) in enumerate(pairs)]).cpu()

    for one, other in zip(several(x.to("lazymlir"), y.to("lazymlir")), several(x, y), strict=True):
        torch.testing.assert_close(one, other)
    torch.testing.assert_close(at_once(x.to("lazymlir"), y.to("lazymlir")), at_once(x, y))
    torch.testing.assert_close(at_once(y.to("lazymlir"), x.to("lazymlir")), at_once(y, x))
    assert counts.fallbacks == 0
