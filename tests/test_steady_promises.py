"""What `lazymlir.steady` refuses, by line, and when it records again; the CPU is the judge."""

from __future__ import annotations

import contextlib
import copy
from typing import Any

import pytest
import torch
from steady_support import DEVICE, equal, here, refuse
from torch import nn, optim

import lazymlir
from lazymlir.errors import SteadyError


def test_a_host_scalar_that_varies_is_refused():
    count = [0]

    @lazymlir.steady
    def step(x):
        count[0] += 1
        return x * float(count[0] + 1)

    refuse(step, torch.ones(3, device=DEVICE), match=f"number varies.*{here(-2)}")


def test_a_read_in_the_body_is_refused_and_leaves_everything_valid():
    p = torch.ones(3, device=DEVICE)

    @lazymlir.steady
    def step(x):
        p.add_(x)
        total = p.sum()
        if total > 3:
            return x

    with pytest.raises(SteadyError, match=here(-3) + ".*return the tensor"):
        step(torch.ones(3, device=DEVICE))
    assert p.tolist() == [2.0, 2.0, 2.0]


@pytest.mark.parametrize(
    "read", [lambda x: x.item(), lambda x: print(x), lambda x: x.cpu(), lambda x: x.nonzero(), lambda x: bool(x), lambda x: x.tolist()]
)
def test_every_kind_of_read_is_refused(read, capsys):
    @lazymlir.steady
    def step(x, y):
        with contextlib.suppress(SteadyError):  # caught, it stands all the same
            read(x)
        return x + y

    refuse(step, torch.ones((), device=DEVICE), torch.ones((), device=DEVICE), match=r"read on the host, at .*test_steady_promises.py")


def test_a_fallback_is_refused():
    @lazymlir.steady
    def step(x):
        return torch.unique_consecutive(x, dim=0)

    refuse(step, torch.ones(2, 2, device=DEVICE), match=f"unique_consecutive.*{here(-2)}")


def test_data_loaded_in_the_body_is_refused():
    data = iter(torch.randn(100, 3))

    @lazymlir.steady
    def step(x):
        return x * next(data).to(DEVICE)

    refuse(step, torch.ones(3, device=DEVICE), match=f"makes on the CPU varies.*{here(-2)}")


def test_a_scheduler_in_the_body_is_refused():
    p = nn.Parameter(torch.ones(3, device=DEVICE))
    optimizer = optim.SGD([p], lr=0.1)
    scheduler = optim.lr_scheduler.StepLR(optimizer, 1)

    @lazymlir.steady
    def step():
        p.sum().backward()
        optimizer.step()
        scheduler.step()

    refuse(step, match="'lr'.*outside")
    assert type(optimizer.param_groups[0]["lr"]) is float


def test_an_optimizer_that_needs_the_host_is_refused():
    p = nn.Parameter(torch.ones(3, 2, device=DEVICE))
    optimizer = optim.Adafactor([p])

    @lazymlir.steady
    def step():
        p.sum().backward()
        optimizer.step()
        optimizer.zero_grad()

    refuse(step, match=r"read on the host, at .*test_steady_promises.py")


def test_a_tensor_that_cannot_be_found_is_refused():
    class Slots:
        __slots__ = ("x",)

    hidden = Slots()
    hidden.x = torch.ones(3).to(DEVICE)

    @lazymlir.steady
    def reads(x):
        return x + hidden.x

    @lazymlir.steady
    def writes(x):
        hidden.x.copy_(x * 2)

    refuse(reads, torch.ones(3, device=DEVICE), match=f"cannot find is used at .*{here(-6)}")
    refuse(writes, torch.ones(3, device=DEVICE), match=f"cannot find is written at .*{here(-3)}")


def test_a_generator_and_seeding_in_the_body_are_refused():
    generator = torch.Generator().manual_seed(1)

    @lazymlir.steady
    def step(x):
        return x + torch.rand(3, device=DEVICE, generator=generator)

    @lazymlir.steady
    def seeds(x):
        torch.manual_seed(1)
        return x + torch.rand(3, device=DEVICE)

    x = torch.ones(3, device=DEVICE)
    refuse(step, x, match=f"generator.*{here(-8)}")
    refuse(seeds, x, match="seed")


def test_results_that_vary_are_refused():
    count = [0]

    @lazymlir.steady
    def step(x):
        count[0] += 1
        return x, count[0]

    refuse(step, torch.ones(3, device=DEVICE), match="only tensors may vary", calls=9)


def test_a_body_that_grows_is_refused():
    kept: list[torch.Tensor] = []

    @lazymlir.steady
    def step(x):
        kept.append(x * 2)
        return sum(kept)

    refuse(step, torch.ones(3, device=DEVICE), match="no two recorded the same", calls=9)


# Broken promises.


def model_and(steady: bool, device: str) -> tuple[nn.Sequential, optim.Optimizer, Any]:
    torch.manual_seed(1)
    model = nn.Sequential(nn.Linear(4, 5), nn.Tanh(), nn.Linear(5, 2)).to(device)
    optimizer = optim.Adam(model.parameters(), lr=0.01)

    def step(x: torch.Tensor) -> torch.Tensor:
        loss = model(x).square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        return loss

    return model, optimizer, lazymlir.steady(step) if steady else step


def set_data(model: Any, optimizer: Any) -> None:
    with torch.no_grad():
        model[0].weight.data = model[0].weight.data * 2


def replace_module(model: Any, optimizer: Any) -> None:
    model[1] = nn.ReLU()


def replace_parameter(model: Any, optimizer: Any) -> None:
    device = model[0].weight.device
    model[0].bias = nn.Parameter(torch.ones(5).to(device))
    optimizer.add_param_group({"params": [model[0].bias], "lr": 0.02})


def load_state(model: Any, optimizer: Any) -> None:
    optimizer.load_state_dict(copy.deepcopy(optimizer.state_dict()))


def freeze(model: Any, optimizer: Any) -> None:
    model[0].weight.requires_grad_(False)


def double_momentum(model: Any, optimizer: Any) -> None:
    optimizer.param_groups[0]["amsgrad"] = True
    for state in optimizer.state.values():
        state["max_exp_avg_sq"] = torch.zeros_like(state["exp_avg_sq"])


def write_in_place(model: Any, optimizer: Any) -> None:
    with torch.no_grad():
        model[0].weight.mul_(0.5)


def hook(model: Any, optimizer: Any) -> None:
    model[1].register_forward_hook(lambda module, args, out: out * 2)


def gradient(model: Any, optimizer: Any) -> None:
    model[0].weight.grad = torch.ones(5, 4).to(model[0].weight.device)


def tie(model: Any, optimizer: Any) -> None:
    with torch.no_grad():
        model[2].bias.copy_(model[0].bias[:2])


@pytest.mark.parametrize(
    "change",
    [set_data, replace_module, replace_parameter, load_state, freeze, double_momentum, write_in_place, hook, gradient, tie],
    ids=lambda change: change.__name__,
)
def test_whatever_changes_between_calls_counts(change, counts):
    def run(device: str, steady: bool) -> list[torch.Tensor]:
        model, optimizer, step = model_and(steady, device)
        generator = torch.Generator().manual_seed(3)
        losses = []
        for i in range(16):
            losses.append(step(torch.randn(6, 4, generator=generator).to(device)).detach().cpu())
            if i == 6:
                change(model, optimizer)
        return [*losses, *(p.detach().cpu() for p in model.parameters())]

    for got, expected in zip(run(DEVICE, True), run("cpu", False), strict=True):
        torch.testing.assert_close(got, expected, rtol=1e-3, atol=1e-5)
    assert counts["SteadyCall"] >= 8
    assert counts["SteadyBroken"] == (0 if change in (write_in_place, tie) else 1)


def test_another_dtype_is_another_promise(counts):
    @lazymlir.steady
    def double(x):
        return x * 2

    for dtype in (torch.float32, torch.float64, torch.int64) * 5:
        assert double(torch.ones(2, dtype=dtype, device=DEVICE)).dtype == dtype
    assert counts["SteadyRecord"] == 9


def test_a_global_number_that_changes_is_seen():
    factor.value = 2.0

    @lazymlir.steady
    def step(x):
        return x * factor.value

    x = torch.ones(2, device=DEVICE)
    for value in (2.0, 2.0, 2.0, 2.0, 5.0, 5.0, 5.0, 5.0):
        factor.value = value
        assert step(x).tolist() == [value, value]


class factor:
    value = 2.0


def test_grad_mode_autocast_and_default_dtype_are_part_of_the_key():
    weight = nn.Parameter(torch.randn(4, 4).to(DEVICE))

    @lazymlir.steady
    def step(x):
        return x @ weight + torch.ones(4, device=DEVICE)

    x = torch.randn(4, 4, device=DEVICE)
    for _ in range(5):
        with torch.autocast(DEVICE, torch.bfloat16):
            low = (x @ weight).dtype
            assert low == torch.bfloat16
            assert step(x).dtype == torch.float32
        with torch.no_grad():
            equal(step(x), (x.cpu() @ weight.detach().cpu()) + 1)


@pytest.mark.parametrize("use", [lambda c: c.sum().item(), lambda c: float(c[0]), lambda c: 2.0 if c.sum() > 0 else 3.0, lambda c: c.tolist()[0]])
def test_the_values_of_a_cpu_argument_are_not_used_on_the_host(use):
    step = lazymlir.steady(lambda x, c: x * use(c))
    with pytest.raises(SteadyError, match="an argument that is on the CPU is used there"):
        step(torch.ones(3).to(DEVICE), torch.tensor([1.5]))


EPOCH = 0


def test_what_is_written_between_calls_is_looked_at():
    global EPOCH
    step = lazymlir.steady(lambda x: x * 2 if EPOCH < 5 else x * 3)
    for EPOCH in (0, 0, 0, 0, 1, 2, 3, 4, 5, 5, 6, 4):
        equal(step(torch.ones(3).to(DEVICE)), torch.full((3,), 2.0 if EPOCH < 5 else 3.0))


def test_a_hook_replaced_by_another_breaks_the_promise():
    p = nn.Parameter(torch.ones(3, device=DEVICE))

    @lazymlir.steady
    def step():
        p.grad = None
        (p * p).sum().backward()
        return p.grad.clone()

    hook = p.register_hook(lambda g: g * 2)
    for _ in range(5):
        equal(step(), torch.full((3,), 4.0))
    hook.remove()
    p.register_hook(lambda g: g * 5)
    equal(step(), torch.full((3,), 10.0))


def test_methods_of_a_subclass_and_of_a_copy_are_their_own():
    class A:
        k = 2.0

        @lazymlir.steady
        def step(self, x):
            return x * self.k

    class B(A):
        def step(self, x):
            return super().step(x) * 10

    x, a, b = torch.ones(3).to(DEVICE), A(), B()
    for _ in range(5):
        equal(a.step(x), torch.full((3,), 2.0))
        equal(b.step(x), torch.full((3,), 20.0))
    other = copy.copy(a)
    other.k = 7.0
    equal(other.step(x), torch.full((3,), 7.0))
    equal(a.step(x), torch.full((3,), 2.0))
