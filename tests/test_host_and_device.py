"""Between host and device: transfers are copies, and copying, pickling and saving keep what is shared and tied."""

from __future__ import annotations

import copy
import io
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from ops_support import DEVICE
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

import lazymlir

DTYPES = (
    torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.complex64, torch.complex128, torch.bool, torch.uint8, torch.int8,
    torch.int16, torch.int32, torch.int64, torch.uint16, torch.uint32, torch.uint64,
)  # fmt: skip
SHAPES: tuple[tuple[int, ...], ...] = ((), (0,), (1,), (3, 4), (2, 0, 3), (2, 3, 2))


def numbers(shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
    return (torch.arange(torch.Size(shape).numel(), dtype=torch.float64).reshape(shape) * 1.5 + 1).to(dtype)


def saved(thing: Any, where: Any = None) -> Any:
    file = io.BytesIO()
    torch.save(thing, file)
    file.seek(0)
    return torch.load(file, map_location=where, weights_only=False)


def pickled(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))


COPIES: dict[str, Callable[[Any], Any]] = {"deepcopy": copy.deepcopy, "pickle": pickled, "save": saved, "save to the CPU": lambda x: saved(x, "cpu")}


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_way_there_and_back(dtype: torch.dtype) -> None:
    for shape in SHAPES:
        x = numbers(shape, dtype)
        made = [
            x.to(DEVICE),
            torch.as_tensor(x, device=DEVICE),
            torch.empty_like(x, device=DEVICE),
        ]
        made[-1].copy_(x)
        if 0 not in shape:  # a list of nothing has no shape
            made.append(torch.tensor(x.tolist(), dtype=dtype, device=DEVICE))
        if dtype != torch.bfloat16:
            made.append(torch.as_tensor(x.numpy(), device=DEVICE))
            made.append(torch.from_numpy(x.numpy()).to(DEVICE, non_blocking=True))
        for y in made:
            assert (y.dtype, y.shape, y.device.type) == (dtype, x.shape, DEVICE)
            assert torch.equal(y.cpu(), x)
            assert y.tolist() == x.tolist()
            assert torch.equal(torch.empty_like(x).copy_(y), x)
            if x.numel() == 1:
                assert y.item() == x.item()
        if dtype != torch.bfloat16:
            assert np.array_equal(made[0].cpu().numpy(), x.numpy())


@pytest.mark.parametrize("way", ["t", "slice", "expand", "flip", "channels_last", "step"])
def test_geometry_survives_transfers(way: str) -> None:
    x = torch.arange(48.0).reshape(2, 3, 2, 4)
    view = {
        "t": lambda: x.transpose(1, 3),
        "slice": lambda: x[1:, :, 1],
        "expand": lambda: x[:1, :1].expand(5, 3, 2, 4),
        "flip": lambda: x.flip(2),
        "channels_last": lambda: x.contiguous(memory_format=torch.channels_last),
        "step": lambda: x[..., ::2],
    }[way]()
    there = view.to(DEVICE)
    assert there.stride() == view.to(torch.float64).float().stride() or there.stride() == view.clone().stride()
    assert torch.equal(there.cpu(), view)
    moved = x.to(DEVICE)
    assert moved.cpu().stride() == x.stride()
    moved[..., 1:3].copy_(torch.zeros(2, 3, 2, 2))
    assert moved.cpu()[..., 1:3].sum() == 0


def test_what_is_moved_does_not_follow_its_source() -> None:
    buffer = np.arange(4.0, dtype=np.float32)
    shared = torch.from_numpy(buffer)
    made = [
        shared.to(DEVICE),
        torch.as_tensor(buffer, device=DEVICE),
        shared.to(DEVICE, non_blocking=True),
        torch.zeros(4, device=DEVICE).copy_(shared),
    ]
    made.append(shared.view(2, 2).t().to(DEVICE).t().reshape(4))
    buffer[:] = -1
    back = [x.cpu() for x in made]
    for x in made:
        x.add_(1)
    for x, y in zip(made, back, strict=True):
        assert y.tolist() == [0, 1, 2, 3]
        assert x.tolist() == [1, 2, 3, 4]
    array = made[0].cpu().numpy()
    array[:] = 0
    assert made[0].tolist() == [1, 2, 3, 4]


def test_batches_of_a_loader_that_pins_and_reuses_memory() -> None:
    data = TensorDataset(torch.arange(20.0).reshape(10, 2), torch.arange(10))
    batches = [(x.to(DEVICE, non_blocking=True), y.to(DEVICE)) for x, y in DataLoader(data, batch_size=4)]
    assert torch.equal(torch.cat([x for x, _ in batches]).cpu(), data.tensors[0])
    assert torch.equal(torch.cat([y for _, y in batches]).cpu(), data.tensors[1])
    stage = torch.empty(4, 2)
    kept = []
    for x, _ in DataLoader(data, batch_size=4, drop_last=True):
        stage.copy_(x)
        kept.append(stage.to(DEVICE, non_blocking=True))
    assert torch.equal(torch.cat(kept).cpu(), data.tensors[0][:8])


@pytest.mark.parametrize("way", COPIES)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.complex64, torch.bool, torch.int64])
def test_copies_keep_values_geometry_and_sharing(way: str, dtype: torch.dtype) -> None:
    base = numbers((4, 6), dtype).to(DEVICE)
    base[0] = base[1]  # pending
    views = [base[1:3], base.t(), base[:, 2], base[::2, 1::2], base[3, 5], base[:0], base.view(-1)[5:9]]
    alone = [numbers(shape, dtype).to(DEVICE) for shape in SHAPES]
    expected = [x.cpu() for x in (base, *views, *alone)]
    made = COPIES[way]([base, *views, *alone])
    lazymlir.sync()
    for x, y, origin in zip(expected, made, (base, *views, *alone), strict=True):
        assert (y.dtype, y.shape, y.stride(), y.storage_offset()) == (x.dtype, x.shape, origin.stride(), origin.storage_offset())
        assert y.device.type == ("cpu" if way == "save to the CPU" else DEVICE)
        assert torch.equal(y.cpu(), x)
    made[0].zero_()
    if way != "pickle":  # by which tensors share no memory in eager either
        assert all(not view.any() for view in made[: len(views) + 1])
    assert all(torch.equal(x, y.cpu()) for x, y in zip(expected, (base, *views, *alone), strict=True))  # and with nothing else


class Tied(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.Embedding(5, 3)
        self.head = nn.Linear(3, 5, bias=False)
        self.head.weight = self.embed.weight
        self.norm = nn.BatchNorm1d(3)
        self.register_buffer("table", torch.arange(6).view(2, 3))

    def forward(self, places: torch.Tensor) -> torch.Tensor:
        return self.head(self.norm(self.embed(places)))


CONVERSIONS: dict[str, Callable[[nn.Module], nn.Module]] = {
    "deepcopy": copy.deepcopy,
    "pickle": pickled,
    "save": saved,
    "to the device": lambda m: m.to(DEVICE),
    "to the CPU and back": lambda m: m.cpu().to(DEVICE),
    "half and back": lambda m: m.half().float(),
    "double and back": lambda m: m.double().float(),
    "bfloat16 and back": lambda m: m.to(torch.bfloat16).to(torch.float32),
    "a dtype and a device": lambda m: m.to(DEVICE, torch.float64).to("cpu", torch.float32).to(DEVICE),
    "to_empty": lambda m: fill(m.to_empty(device=DEVICE)),
}


def fill(m: nn.Module) -> nn.Module:
    with torch.no_grad():
        for tensor in m.state_dict().values():
            tensor.fill_(1)
    return m


@pytest.mark.parametrize("way", CONVERSIONS)
def test_modules_keep_what_is_tied(way: str) -> None:
    torch.manual_seed(0)
    host = Tied()
    module = copy.deepcopy(host).to(DEVICE)
    with torch.no_grad():
        for net in (host, module):
            net.embed.weight.mul_(2)
            if "half" in way or "bfloat16" in way:
                net.embed.weight.copy_(net.embed.weight.bfloat16())
            if way == "to_empty":
                fill(net)
    made = CONVERSIONS[way](module)
    assert made.head.weight is made.embed.weight
    assert made.table.dtype == torch.int64
    assert [name for name, _ in made.named_parameters()] == ["embed.weight", "norm.weight", "norm.bias"]
    places = torch.tensor([0, 3, 3, 1])
    for net, i in ((host, places), (made, places.to(DEVICE))):
        net(i).pow(2).sum().backward()
        torch.optim.SGD(net.parameters(), lr=0.01).step()
    for x, y in zip(host.state_dict().values(), made.state_dict().values(), strict=True):
        torch.testing.assert_close(y.cpu(), x, rtol=1e-3, atol=1e-3)
    assert made.head.weight.grad is made.embed.weight.grad


@pytest.mark.parametrize("way", ["deepcopy", "pickle", "save"])
def test_parameters_with_gradients_and_optimizers(way: str) -> None:
    torch.manual_seed(0)
    module = nn.Linear(3, 2).to(DEVICE)
    optimizer = torch.optim.Adam(module.parameters(), lr=0.1)
    module(torch.ones(1, 3, device=DEVICE)).pow(2).sum().backward()
    optimizer.step()
    again, stepped = COPIES[way]((module, optimizer))
    assert stepped.param_groups[0]["params"][0] is again.weight
    assert stepped.state[again.weight]["exp_avg"].device.type == DEVICE
    for net, opt in ((module, optimizer), (again, stepped)):
        opt.zero_grad()
        net(torch.ones(1, 3, device=DEVICE)).pow(2).sum().backward()
        opt.step()
    assert torch.equal(again.weight.cpu(), module.weight.cpu())
    with torch.no_grad():
        again.weight.zero_()
    assert module.weight.cpu().any()


def test_a_leaf_is_copied_with_its_gradient() -> None:
    x = torch.arange(3.0, device=DEVICE).requires_grad_()
    (x * x).sum().backward()
    y = copy.deepcopy(x)
    assert x.grad is not None and y.grad is not None
    x.grad.zero_()
    assert (y.requires_grad, y.is_leaf, y.grad.tolist()) == (True, True, [0, 2, 4])


def test_devices_are_not_mixed_but_for_numbers() -> None:
    x = torch.ones(3, device=DEVICE)
    for mixed in (
        lambda: x + torch.ones(3),
        lambda: torch.ones(3).add_(x),
        lambda: torch.where(x > 0, x, torch.ones(3)),
        lambda: torch.cat([x, torch.ones(3)]),
    ):
        with pytest.raises(RuntimeError):
            mixed()
    assert (x + torch.tensor(2.0)).tolist() == [3, 3, 3]
    assert (torch.tensor(2.0) * x).device.type == DEVICE


def test_a_state_dict_moves_between_host_and_device() -> None:
    torch.manual_seed(0)
    host, there = Tied(), Tied().to(DEVICE)
    there.load_state_dict(host.state_dict())
    back = Tied()
    back.load_state_dict(saved(there.state_dict()))
    assert all(torch.equal(x, y) for x, y in zip(host.state_dict().values(), back.state_dict().values(), strict=True))
    taken = Tied()
    taken.load_state_dict(there.state_dict(), assign=True)
    assert taken.norm.weight.device.type == DEVICE


def test_a_storage_is_made_longer_and_shorter() -> None:
    x = torch.arange(4.0, device=DEVICE)
    storage = x.untyped_storage()
    storage.resize_(0)
    assert storage.nbytes() == 0
    storage.resize_(16)
    x.copy_(torch.ones(4))
    assert (x + 1).tolist() == [2.0] * 4


def test_a_number_is_copied_into_a_tensor() -> None:
    for dtype in DTYPES[:8]:
        one: Any = 1
        assert torch.zeros(2, dtype=dtype, device=DEVICE).copy_(one).tolist() == torch.zeros(2, dtype=dtype).copy_(one).tolist()


@pytest.mark.parametrize("make", [lambda: nn.LazyConv2d(4, 3), lambda: nn.Sequential(nn.LazyLinear(4), nn.LazyBatchNorm1d())])
def test_modules_without_shapes_are_moved_before_and_after(make: Callable[[], nn.Module]) -> None:
    x = torch.ones(2, 3, 5, 5) if isinstance(make(), nn.LazyConv2d) else torch.ones(2, 3)
    module = make()
    weight = next(module.parameters())
    assert module.to(DEVICE)(x.to(DEVICE)).device.type == "lazymlir"
    assert next(module.parameters()) is weight
    assert module.to("cpu")(x).device.type == "cpu"
    assert make().double()(x.double()).dtype == torch.float64


GEOMETRIES = {
    "channels last": lambda x: x.to(memory_format=torch.channels_last),
    "permuted": lambda x: x.permute(3, 0, 2, 1),
    "every second": lambda x: x[..., ::2],
    "expanded": lambda x: x[:1].expand(3, -1, -1, -1),
    "a window": lambda x: x[1:, :2],
    "as it was made": lambda x: x,
}


@pytest.mark.parametrize("name", GEOMETRIES)
@pytest.mark.parametrize("options", [{}, {"dtype": torch.float64}, {"memory_format": torch.contiguous_format}, {"copy": True}], ids=str)
def test_copies_to_the_host_have_the_strides_that_torch_gives_a_copy(name: str, options: dict[str, Any]) -> None:
    x = torch.randn(2, 3, 4, 5)
    view = GEOMETRIES[name](x)
    expected = view.to(**{"copy": True, **options})
    got = GEOMETRIES[name](x.to(DEVICE)).to("cpu", **options)
    assert got.stride() == expected.stride()
    assert torch.equal(got, expected)
