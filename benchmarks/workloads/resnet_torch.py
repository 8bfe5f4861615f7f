"""ResNet of basic blocks for small images, in PyTorch."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import nn

__all__ = ["ResNet"]


class _Block(nn.Module):
    def __init__(self, before: int, width: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(before, width, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(width)
        self.shortcut = nn.Sequential()
        if stride != 1 or before != width:
            self.shortcut = nn.Sequential(nn.Conv2d(before, width, 1, stride, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out = torch.relu(self.bn1(self.conv1(x)))
        return torch.relu(self.bn2(self.conv2(out)) + self.shortcut(x))


class ResNet(nn.Module):
    """`blocks` blocks of each width; the first of all widths but the first halves the image."""

    def __init__(self, widths: Sequence[int], blocks: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(3, widths[0], 3, 1, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(widths[0])
        layers, before = [], widths[0]
        for place, width in enumerate(widths):
            stage = []
            for block in range(blocks):
                stage.append(_Block(before, width, 2 if place and not block else 1))
                before = width
            layers.append(nn.Sequential(*stage))
        self.layers = nn.Sequential(*layers)
        self.fc = nn.Linear(before, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.layers(torch.relu(self.bn1(self.conv1(x))))
        return self.fc(x.mean((2, 3)))
