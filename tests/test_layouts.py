"""Convolution networks in channels-last order inside of the graph: nothing shows of it outside."""

from __future__ import annotations

import copy
from collections.abc import Callable

import pytest
import torch
from torch import nn
from torch.nn import functional as F

DEVICE = "lazymlir"


class Shuffled(nn.Module):
    """Channels are joined, split, shuffled and sliced between convolutions."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Conv2d(3, 8, 3, padding=1), nn.Conv2d(5, 4, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = F.hardswish(self.first(x))
        x = F.pixel_shuffle(x, 2)
        return self.second(torch.cat([x, x.flip(3), x[:, :1].roll(1, 2)], 1)).softmax(1)


class Attended(nn.Module):
    """A squeeze-and-excitation block, a mask over space, and a residual of other strides."""

    def __init__(self) -> None:
        super().__init__()
        self.stem, self.squeeze, self.skip = nn.Conv2d(3, 6, 3, 2, 1), nn.Conv2d(6, 6, 1), nn.Conv2d(3, 6, 1, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = F.relu(self.stem(x))
        h = h * torch.sigmoid(self.squeeze(h.mean((2, 3), keepdim=True))) + self.skip(x)
        return torch.where(h.amax(1, keepdim=True) > 0.2, h, h * 0.5).transpose(1, 3).cumsum(2)


MODELS: dict[str, tuple[Callable[[], nn.Module], tuple[int, ...]]] = {
    "one dimension": (lambda: nn.Sequential(nn.Conv1d(3, 6, 3), nn.BatchNorm1d(6), nn.ReLU(), nn.MaxPool1d(2), nn.Conv1d(6, 2, 2)), (2, 3, 12)),
    "three": (lambda: nn.Sequential(nn.Conv3d(2, 4, 2), nn.GELU(), nn.AvgPool3d(2), nn.Conv3d(4, 3, 1)), (2, 2, 5, 5, 4)),
    "groups": (
        lambda: nn.Sequential(nn.Conv2d(4, 8, 3, padding=1, groups=2), nn.GroupNorm(2, 8), nn.SiLU(), nn.Conv2d(8, 8, 3, groups=8)),
        (2, 4, 6, 5),
    ),
    "transposed": (
        lambda: nn.Sequential(nn.ConvTranspose2d(3, 4, 3, 2), nn.InstanceNorm2d(4), nn.PReLU(4), nn.ConvTranspose2d(4, 2, 2, bias=False)),
        (2, 3, 4, 5),
    ),
    "pools": (
        lambda: nn.Sequential(
            nn.Conv2d(3, 4, 3, padding=1), nn.MaxPool2d(3, 2, 1), nn.Tanh(), nn.ZeroPad2d((1, 0, 2, -1)), nn.AdaptiveAvgPool2d(2), nn.Conv2d(4, 2, 1)
        ),
        (2, 3, 9, 8),
    ),
    "upsampled": (
        lambda: nn.Sequential(
            nn.Conv2d(3, 4, 1), nn.Upsample(scale_factor=2, mode="bilinear"), nn.ELU(), nn.Conv2d(4, 3, 3), nn.Flatten(), nn.LazyLinear(3)
        ),
        (2, 3, 4, 4),
    ),
    "shuffled": (Shuffled, (2, 3, 4, 6)),
    "attended": (Attended, (2, 3, 7, 6)),
}


def trained(model: nn.Module, x: torch.Tensor) -> list[torch.Tensor]:
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    found = []
    x = x.clone().requires_grad_()
    for _ in range(2):
        optimizer.zero_grad()
        out = model(x)
        out.square().mean().backward()
        optimizer.step()
        found += [out, x.grad]
    assert x.grad is not None
    return [y.detach().cpu() for y in (*found, *model.state_dict().values())]


@pytest.mark.parametrize("name", MODELS)
def test_nothing_shows_of_the_order(counts, name):
    make, shape = MODELS[name]
    x = torch.randn(shape)
    model = make()
    model(x)  # makes the lazy layers
    expected = trained(copy.deepcopy(model), x)
    for got, reference in zip(trained(model.to(DEVICE), x.to(DEVICE)), expected, strict=True):
        assert got.stride() == reference.stride()
        torch.testing.assert_close(got, reference, rtol=1e-4, atol=1e-5)  # two steps, and sums of convolutions in another order
    assert counts["ChannelsLast"] > 0
    assert counts.fallbacks == 0
