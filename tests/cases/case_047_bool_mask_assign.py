"""x[mask] = scalar / values / other[mask]; masked_fill_, masked_scatter_, where with
scalar branches and 0-d condition; mask with fewer dims than x; all-false mask;
augmented assignment on a mask.
"""

import torch

SOURCE = "pytorch/xla#6413, #1401"
KIND = "indexing"
EXPECT = {}


def run(dev):
    x = torch.arange(12.0).reshape(3, 4).to(dev)
    m = x % 3 == 0
    x[m] = -1
    x[~m & (x > 6)] = torch.tensor([70.0, 80.0, 100.0, 110.0]).to(dev)
    x[x < -100] = 5  # all false
    x[torch.tensor([True, False, True]).to(dev)] += 0.5
    y = torch.zeros(5).to(dev)
    mm = torch.tensor([0, 1, 1, 0, 1]).bool().to(dev)
    y[mm] = torch.arange(3.0).to(dev) + 1
    y.masked_scatter_(~mm, torch.tensor([9.0, 8.0]).to(dev))
    w = torch.where(torch.tensor(True).to(dev), 1, 2.5)
    v = torch.where(x > 0, x, 0)
    y2 = torch.zeros(5).to(dev)
    y2[mm] *= 3
    y2[mm] -= y[mm]
    return [x, y, w, v, y2, x.masked_fill(m, float("-inf"))]
