"""Python branches and while loops on tensor values, any() and all() in conditions, sorting a list of 0-dim tensors, tensors
as indices of lists and as sizes.
"""

import torch

SOURCE = "pytorch/xla#2296"
KIND = "sync/item"
EXPECT = {}


def run(dev):
    x = torch.tensor([5.0, 3.0, -2.0]).to(dev)
    steps = 0
    while (x > 0).any():
        x = x - 1 if x.sum() > 0 else x * 0.5 - 1
        steps += 1
    scores = torch.tensor([0.3, -1.0, 2.0]).to(dev)
    order = sorted(range(3), key=lambda i: scores[i])
    names = ["a", "b", "c"][scores.argmax()]
    n = torch.tensor(3).to(dev)
    grid = torch.zeros(n, int(n) + 1, device=dev)
    inside = 2.0 in scores
    listed = [float(v) for v in scores] + [round(scores[0].item(), 3)]
    return [x, steps, order, names, list(grid.shape), inside, len(scores), listed, list(range(n)), 10 // n, n.__index__()]
