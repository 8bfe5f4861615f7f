"""Slice assignment: a right-hand side of lower rank with an int index between slices,
ellipsis with an index list plus stepped slice, negative slice ends, None axes,
assigning dtype-mismatched values.
"""

import torch

SOURCE = "ml-explore/mlx#1050, #937, #176"
KIND = "indexing"
EXPECT = {}


def run(dev):
    a = torch.arange(2 * 6 * 6 * 6, dtype=torch.float32).reshape(2, 6, 6, 6).to(dev)
    b = torch.zeros(3, 4, 4, 4).to(dev)
    b[0, 0:4, 3, 0:4] = a[0, 1:5, 5, 1:5]
    c = torch.arange(540.0).reshape(3, 3, 4, 5, 3).to(dev)
    i = torch.tensor([2, 1]).to(dev)
    c[i, ..., ::2, :] = 1
    d = torch.zeros(6, 6).to(dev)
    d[1:-1, 1:-1] = torch.arange(16).reshape(4, 4).to(dev)  # int64 into float
    d[-1] = True
    d[None, 0, :, None][..., -2:] = 4
    e = torch.zeros(5, dtype=torch.int32).to(dev)
    e[[0, -1]] = 3
    e[1:3] = torch.tensor([2.9, -2.9]).to(dev)  # truncation
    g = torch.zeros(2, 3, 4).to(dev)
    g[:, torch.tensor([0, 2]).to(dev), torch.tensor([1, 3]).to(dev)] = torch.tensor([5.0, 6.0]).to(dev)
    h = g[torch.tensor([1, 0]).to(dev), :, torch.tensor([1, 3]).to(dev)]
    return [b, c, d, e, g, h]
