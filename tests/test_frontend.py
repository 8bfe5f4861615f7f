"""What unchanged scripts do with a device: moving, printing, saving, copying, modules, optimizers, autograd."""

from __future__ import annotations

import copy
import io
import pickle
import subprocess
import sys
import warnings

import pytest
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

import lazymlir

DEVICE = "lazymlir"


def on_device(*sizes: int) -> torch.Tensor:
    return torch.randn(*sizes).to(DEVICE)


@pytest.mark.parametrize(
    "program",
    [
        "import torch, lazymlir; assert torch.ones(2, device='lazymlir').device.type == 'lazymlir'",
        "import lazymlir, torch; assert torch.ones(2, device='lazymlir').device.type == 'lazymlir'",
        "import lazymlir; assert lazymlir.ones(2).tolist() == [1.0, 1.0]",
        "import lazymlir.passes, sys; assert not {'torch', 'jax', 'jaxlib'} & set(sys.modules)",
        "import lazymlir, sys; assert not {'torch', 'jax', 'jaxlib'} & set(sys.modules)",
        "import torch, lazymlir, sys; torch.ones(2, device='lazymlir') * 2; assert 'jax' not in sys.modules",
    ],
)
def test_import_orders(program):
    subprocess.run([sys.executable, "-W", "error", "-c", program], check=True)


def test_isinstance_and_factories():
    x = lazymlir.randn(2, 4)
    assert isinstance(x, lazymlir.Tensor)
    assert not isinstance(torch.ones(2), lazymlir.Tensor)
    assert type(x) is torch.Tensor
    assert lazymlir.Tensor([1.0, 2.0]).tolist() == [1.0, 2.0]
    assert lazymlir.device() == torch.device("lazymlir", 0)
    assert x.device == lazymlir.device()
    assert x.is_lazymlir
    for made in (lazymlir.zeros(2), lazymlir.full((2,), 3.0), lazymlir.arange(3), lazymlir.eye(2), lazymlir.rand(2), lazymlir.randint(0, 5, (2,))):
        assert isinstance(made, lazymlir.Tensor)


@pytest.mark.parametrize(
    "dtype", [torch.float32, torch.float64, torch.bfloat16, torch.float16, torch.int64, torch.uint8, torch.bool, torch.complex64]
)
def test_every_dtype_moves_there_and_back(dtype):
    x = (torch.randn(3, 4) * 3).to(dtype)
    for source in (x, x.t(), x[1:, ::2], x[0, 0], x[:0]):
        moved = source.to(DEVICE)
        assert moved.dtype == dtype
        torch.testing.assert_close(moved.cpu(), source, rtol=0, atol=0)
    assert x.to(DEVICE).tolist() == x.tolist()


def test_a_later_write_to_the_source_does_not_show():
    x = torch.ones(1000)
    moved = x.to(DEVICE)
    x.zero_()
    assert moved.cpu().sum() == 1000
    back = moved.cpu()
    back.zero_()
    assert moved.cpu().sum() == 1000


def test_default_device_and_device_context():
    with torch.device(DEVICE):
        assert torch.ones(2).device.type == DEVICE
    torch.set_default_device(DEVICE)
    try:
        assert nn.Linear(2, 3).weight.device.type == DEVICE
    finally:
        torch.set_default_device(None)


def test_save_load_pickle_and_deepcopy_keep_values_and_ties():
    x = on_device(3, 4)
    model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4))
    model[1].weight = model[0].weight
    model.to(DEVICE)
    assert model[0].weight is model[1].weight
    stream = io.BytesIO()
    torch.save({"x": x, "row": x[1], "model": model.state_dict()}, stream)
    for location, device in ((None, DEVICE), ("cpu", "cpu"), (DEVICE, DEVICE)):
        stream.seek(0)
        loaded = torch.load(stream, map_location=location)
        assert loaded["x"].device.type == device
        torch.testing.assert_close(loaded["x"].cpu(), x.cpu(), rtol=0, atol=0)
        loaded["row"].add_(1.0)
        torch.testing.assert_close(loaded["x"][1].cpu(), x[1].cpu() + 1.0)
        model.load_state_dict(loaded["model"])
    torch.testing.assert_close(pickle.loads(pickle.dumps(x)).cpu(), x.cpu(), rtol=0, atol=0)
    twin = copy.deepcopy(model)
    assert twin[0].weight is twin[1].weight
    pair = copy.deepcopy([x, x[1]])
    pair[1].zero_()
    assert pair[0][1].abs().sum().item() == 0
    assert x[1].abs().sum().item() > 0


def test_a_cpu_checkpoint_loads_onto_the_device():
    stream = io.BytesIO()
    torch.save(torch.arange(6.0).reshape(2, 3).t(), stream)
    stream.seek(0)
    loaded = torch.load(stream, map_location=DEVICE)
    torch.testing.assert_close(loaded.cpu(), torch.arange(6.0).reshape(2, 3).t(), rtol=0, atol=0)
    loaded.mul_(2.0)
    torch.testing.assert_close(loaded.cpu(), torch.arange(6.0).reshape(2, 3).t() * 2)


def test_data_loader_batches():
    data = TensorDataset(torch.arange(12.0).reshape(6, 2), torch.arange(6))
    for pin_memory, workers in ((False, 0), (True, 0), (False, 1)):
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".*fork.*", category=DeprecationWarning)
            seen = [
                (x.to(DEVICE, non_blocking=True), y.to(DEVICE)) for x, y in DataLoader(data, batch_size=2, pin_memory=pin_memory, num_workers=workers)
            ]
        torch.testing.assert_close(torch.cat([x for x, _ in seen]).cpu(), data.tensors[0])


def test_manual_seed_repeats_and_prints_change_nothing():
    def draw(inspect: bool) -> list[torch.Tensor]:
        torch.manual_seed(5)
        made = []
        for _ in range(3):
            made.append(torch.randn(4, device=DEVICE))
            if inspect:
                repr(made[-1])
                lazymlir.sync()
        return [x.cpu() for x in made]

    first, second = draw(False), draw(True)
    for x, y in zip(first, second, strict=True):
        torch.testing.assert_close(x, y, rtol=0, atol=0)
    assert not torch.equal(first[0], first[1])
    state = torch.lazymlir.get_rng_state()
    x = torch.rand(3, device=DEVICE).cpu()
    torch.lazymlir.set_rng_state(state)
    torch.testing.assert_close(torch.rand(3, device=DEVICE).cpu(), x, rtol=0, atol=0)


def test_autograd_matches_the_cpu(counts):
    x, w = torch.randn(5, 3), torch.randn(4, 3)
    results = []
    for device in ("cpu", DEVICE):
        a = x.clone().to(device).requires_grad_()
        b = w.clone().to(device).requires_grad_()
        y = torch.tanh(a @ b.t()) * 2.5
        y[1:, ::2].add_(1.5)
        (y.square().sum() + a.exp().mean()).backward()
        assert a.grad is not None
        assert b.grad is not None
        results.append((a.grad.cpu(), b.grad.cpu(), y.detach().cpu()))
    for cpu, lazy in zip(*results, strict=True):
        torch.testing.assert_close(lazy, cpu)
    assert counts.fallbacks == 0


def test_double_backward_and_no_grad():
    x = on_device(3).requires_grad_()
    (gradient,) = torch.autograd.grad((x**3).sum(), x, create_graph=True)
    (second,) = torch.autograd.grad(gradient.sum(), x)
    torch.testing.assert_close(second.cpu(), 6 * x.detach().cpu())
    with torch.no_grad():
        assert not (x * 2.0).requires_grad


def test_module_to_and_optimizer_created_before_it():
    model = nn.Linear(3, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    model.to(DEVICE)
    before = model.weight.detach().cpu()
    model(on_device(4, 3)).sum().backward()
    optimizer.step()
    assert not torch.equal(model.weight.detach().cpu(), before)
    assert model.cpu().weight.device.type == "cpu"


def test_errors_are_torch_s_own(counts):
    a, b = on_device(2, 3), on_device(2, 3)
    cases = [
        (lambda: a @ b, RuntimeError),
        (lambda: a + on_device(4), RuntimeError),
        (lambda: a.view(5), RuntimeError),
        (lambda: a[7], IndexError),
        (lambda: a.sum(5), IndexError),
        (lambda: torch.cat([a, on_device(1, 2)]), RuntimeError),
        (lambda: a.numpy(), TypeError),
        (lambda: a.expand(2, 3).t().expand(3, 3), RuntimeError),
        (lambda: a.long() / b.long().bool().float() @ 3, TypeError),
        (lambda: torch.ones(2, device="lazymlir:1"), RuntimeError),
    ]
    for mistake, kind in cases:
        with pytest.raises(kind):
            mistake()
    torch.testing.assert_close((a + b).cpu(), a.cpu() + b.cpu())
    assert counts.fallbacks == 0


def test_an_unknown_operation_falls_back_counted_and_warned(counts):
    x, y = on_device(4, 3), on_device(4, 1)
    with pytest.warns(lazymlir.frontend_torch.fallback.FallbackWarning, match=r"aten::\w+ has no lowering"):
        residuals = torch.linalg.lstsq(x, y, driver="gelsd").residuals  # whether there are any depends on values
    torch.testing.assert_close(residuals.cpu(), torch.linalg.lstsq(x.cpu(), y.cpu(), driver="gelsd").residuals)
    assert counts.fallbacks >= 1
    with lazymlir.config(fallback="error"), pytest.raises(lazymlir.errors.FallbackError, match="test_frontend.py"):
        torch.linalg.lstsq(x, y, driver="gelsd")


def test_autocast():
    model = nn.Linear(4, 2).to(DEVICE)
    with torch.autocast(DEVICE, dtype=torch.bfloat16):
        y = model(on_device(3, 4))
        assert y.dtype == torch.bfloat16
        assert y.softmax(-1).dtype == torch.float32
    y.sum().backward()
    assert model.weight.grad is not None
    assert model.weight.grad.dtype == torch.float32


def test_channels_last_and_out_arguments():
    x = torch.randn(2, 3, 4, 5).to(memory_format=torch.channels_last)
    moved = x.to(DEVICE)
    assert moved.stride() == x.stride()
    assert (moved * 2.0).stride() == (x * 2.0).stride()
    out = torch.empty(0, device=DEVICE)
    torch.mul(moved, 3.0, out=out)
    torch.testing.assert_close(out.cpu(), x * 3.0, check_stride=False)


@pytest.mark.parametrize("where", ["leaf", "middle", "accumulate", "module", "node", "before a node", "saved", "checkpoint"])
def test_a_hook_that_raises_is_an_exception_like_any_other(where):
    model = nn.Linear(3, 2).to(DEVICE)
    x = on_device(4, 3).requires_grad_()

    def fail(*_):
        raise ZeroDivisionError("in the hook")

    middle = x * 2.5
    if where == "saved":
        with torch.autograd.graph.saved_tensors_hooks(lambda saved: saved, fail):
            middle = middle.exp()
    elif where == "checkpoint":
        runs = iter([torch.exp, fail])
        middle = torch.utils.checkpoint.checkpoint(lambda x: next(runs)(x), x, use_reentrant=False)
    elif where == "node":
        assert middle.grad_fn is not None
        middle.grad_fn.register_hook(fail)
    elif where == "before a node":
        assert middle.grad_fn is not None
        middle.grad_fn.register_prehook(fail)
    elif where == "module":
        model.register_full_backward_hook(fail)
    elif where == "accumulate":
        model.weight.register_post_accumulate_grad_hook(fail)
    else:
        (x if where == "leaf" else middle).register_hook(fail)
    with pytest.raises(ZeroDivisionError, match="in the hook"):
        model(middle).sum().backward()
    torch.testing.assert_close((x * 2.0).detach().cpu(), x.detach().cpu() * 2)


def test_a_checkpointed_dropout_repeats_its_mask():
    x = torch.ones(64, device=DEVICE, requires_grad=True)
    y = torch.utils.checkpoint.checkpoint(lambda x: nn.functional.dropout(x * 2.0, 0.5).exp(), x, use_reentrant=False)
    y.sum().backward()
    assert x.grad is not None
    assert torch.equal(y.detach().cpu() == 1, x.grad.cpu() == 0)


def test_a_list_of_overlapping_tensors_is_written_in_order():
    x, y = torch.ones(3, device=DEVICE), torch.arange(3.0, device=DEVICE)
    torch._foreach_mul_([x[:2], x[1:]], 2)
    torch._foreach_add_([y, y], [1.0, 2.0])
    assert x.tolist() == [2.0, 4.0, 2.0]
    assert y.tolist() == [3.0, 4.0, 5.0]


def test_a_write_into_an_expanded_tensor_is_refused_where_it_is_made():
    x = torch.ones(3, 1, device=DEVICE)
    with pytest.raises(RuntimeError, match="refers to a single memory location"):
        x.expand(3, 4).add_(1)
    assert x.tolist() == [[1.0], [1.0], [1.0]]


def test_adding_zero_makes_negative_zero_positive():
    x = torch.tensor([-0.0]).to(DEVICE)
    for y in (x + 0, x + 0.0, x + torch.zeros(1, device=DEVICE)):
        assert not torch.signbit(y.cpu()).item()
