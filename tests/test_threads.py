"""Threads record side by side; interrupts and failures leave every tensor as eager would."""

from __future__ import annotations

import os
import signal
import sys
import threading

import pytest
import torch

import lazymlir
from lazymlir.runtime.client import Client

DEVICE = "lazymlir"


def in_thread(work) -> None:
    """Runs `work` in a thread of its own; raises what it raised."""
    errors: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(60)
    assert not thread.is_alive()
    if errors:
        raise errors[0]


def test_two_threads_that_repeat_their_steps_compile_nothing_more(counts):
    steps, settled = 30, threading.Barrier(2)
    compiled: list[int] = []

    def train(width: int, seed: int) -> None:
        generator = torch.Generator().manual_seed(seed)
        model = torch.nn.Linear(width, 3).to(DEVICE)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
        for step in range(steps):
            if step == 5:
                lazymlir.sync()
                settled.wait()
                compiled.append(counts.compiled)
                settled.wait()
            optimizer.zero_grad()
            x = torch.randn(4, width, generator=generator).to(DEVICE)
            model(x).square().mean().backward()
            optimizer.step()
        lazymlir.sync(wait=True)

    threads = [threading.Thread(target=train, args=(width, width)) for width in (5, 7)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
        assert not thread.is_alive()
    assert counts.compiled == max(compiled)
    assert counts.fallbacks == 0


def test_threads_share_tensors():
    x = torch.arange(4.0).to(DEVICE) * 2.5  # pending here
    made: list[torch.Tensor] = []

    def work() -> None:
        y = x + 1.0
        made.append(y * 3.0)
        x.add_(100.0)

    in_thread(work)
    expected = torch.arange(4.0) * 2.5
    assert made[0].tolist() == ((expected + 1.0) * 3.0).tolist()  # pending in a thread that has ended
    assert x.tolist() == (expected + 100.0).tolist()


def test_what_an_ended_thread_left_behind_runs_at_the_next_barrier():
    kept: list[torch.Tensor] = []
    in_thread(lambda: kept.append(torch.ones(3).to(DEVICE) * 1.75))
    lazymlir.sync()
    assert kept[0].untyped_storage()._lazymlir.value.array is not None
    assert kept[0].tolist() == [1.75] * 3


def test_an_array_that_another_thread_has_recorded_is_not_overwritten():
    p = torch.ones(1 << 18).to(DEVICE)
    lazymlir.sync(wait=True)
    recorded, go_on = threading.Event(), threading.Event()
    sums: list[float] = []

    def reader() -> None:
        doubled = p * 2.0
        recorded.set()
        go_on.wait(60)
        sums.append(doubled.sum().item())

    thread = threading.Thread(target=reader)
    thread.start()
    recorded.wait(60)
    p.add_(5.0)
    lazymlir.sync(wait=True)
    go_on.set()
    thread.join(60)
    assert sums == [2.0 * (1 << 18)]
    assert p[:2].tolist() == [6.0, 6.0]


def test_backward_records_for_the_thread_that_called_it(counts):
    def step() -> None:
        w = torch.ones(3, device=DEVICE, requires_grad=True)
        (w * 1.25).tanh().sum().backward()
        lazymlir.sync()
        assert w.grad is not None

    in_thread(step)
    before = counts.compiled
    for _ in range(3):
        in_thread(step)
    assert counts.compiled == before


def test_backward_runs_on_the_thread_that_called_it():
    threads: list[threading.Thread] = []
    w = torch.ones(3, device=DEVICE, requires_grad=True)
    w.register_hook(lambda _: threads.append(threading.current_thread()))
    w.tanh().sum().backward()
    assert threads == [threading.current_thread()]
    assert torch._C._is_multithreading_enabled()


@pytest.fixture
def ctrl_c():
    """Ctrl-C interrupts, also where the tests were started in the background, where a shell has SIGINT ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_an_interrupt_while_a_program_starts_applies_it_exactly_once(monkeypatch, ctrl_c):
    p = torch.zeros(1 << 16).to(DEVICE)
    lazymlir.sync(wait=True)
    execute = Client.execute

    def interrupted(self, *args):
        arrays = execute(self, *args)
        os.kill(os.getpid(), signal.SIGINT)
        return arrays

    p.add_(1.5)
    monkeypatch.setattr(Client, "execute", interrupted)
    with pytest.raises(KeyboardInterrupt):
        lazymlir.sync()
    monkeypatch.setattr(Client, "execute", execute)
    lazymlir.sync()
    assert p[:3].tolist() == [1.5] * 3
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_execution_that_fails_after_donation_loses_only_what_it_donated(monkeypatch):
    p, q = torch.zeros(1 << 16).to(DEVICE), torch.arange(3.0).to(DEVICE)
    lazymlir.sync(wait=True)
    p.add_(1.5)
    r = q * 2.25
    execute = Client.execute

    def failing(self, executable, arguments, results, handlers):
        monkeypatch.setattr(Client, "execute", execute)
        for array in arguments:
            if array.nbytes >= 1 << 16:
                array.delete()
        raise RuntimeError("INTERNAL: the device failed")

    monkeypatch.setattr(Client, "execute", failing)
    with pytest.raises(RuntimeError, match="the device failed"):
        lazymlir.sync()
    for _ in range(2):
        with pytest.raises(RuntimeError) as caught:
            p.cpu()
    assert any("test_threads.py" in note for note in caught.value.__notes__) or "test_threads.py" in str(caught.value)
    assert r.tolist() == [0.0, 2.25, 4.5]
    assert q.tolist() == [0.0, 1.0, 2.0]
    p.zero_()
    assert p[:2].tolist() == [0.0, 0.0]


def test_a_tensor_too_large_is_an_error_that_names_size_and_line():
    keep = torch.ones(2).to(DEVICE) + 0.5
    huge = torch.ones(1 << 46, device=DEVICE) * 2.5
    with pytest.raises(lazymlir.errors.OutOfMemoryError, match=r"needs \d+ bytes.*tensor<70368744177664xf32>.*test_threads\.py:\d+"):
        huge.cpu()
    assert keep.tolist() == [1.5, 1.5]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="only where processes fork")
def test_a_forked_child_is_told_to_stay_away():
    x = torch.ones(2).to(DEVICE) * 1.25
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            x + 1.0
            os.write(writing, b"no error")
        except lazymlir.errors.LazymlirError as error:
            os.write(writing, str(error).encode())
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    assert b"forked process cannot use device lazymlir" in os.read(reading, 1000)
    assert x.tolist() == [1.25, 1.25]


def test_threads_that_write_parts_of_a_tensor_lose_no_write():
    x = torch.zeros(4, 3, device=DEVICE)

    def add(row: int) -> None:
        for _ in range(30):
            x[row].add_(1)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=add, args=(row,)) for row in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(120)
    finally:
        sys.setswitchinterval(interval)
    assert x.tolist() == [[30.0] * 3] * 4
