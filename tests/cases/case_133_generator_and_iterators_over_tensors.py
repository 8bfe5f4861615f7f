"""Iteration, unpacking, zip, reversed, min and max of Python over device tensors; rows are views that can be written."""

import torch

SOURCE = "ml-explore/mlx#1050"
KIND = "indexing"
EXPECT = {}


def run(dev):
    x = torch.arange(6.0).to(dev).reshape(3, 2)
    for i, row in enumerate(x):
        row += i * 10
    a, b, c = x
    b[:] = -1
    y = torch.zeros(3).to(dev)
    for i, v in enumerate(x[:, 0]):
        y[i] = v * 2
    best = max(y)
    total = sum(v for v in y)
    return [x, a, b, c, y, best, total, min(y).item(), [v.item() for v in reversed(y)], [p.sum() for p in zip(*x.unbind(1), strict=True) for p in p]]
