"""x[[0,0]] += v reads once and writes once (no accumulation); index_put_(accumulate=True)
and index_add_ must accumulate duplicates, also with a broadcast 0-d value; scatter_add
too.
"""

import torch

SOURCE = "pytorch/pytorch#174074, #61034, #39227; ml-explore/mlx#3477"
KIND = "indexing"
EXPECT = {}


def run(dev):
    x = torch.tensor([[-0.5, 0.25], [1.0, 2.0]], dtype=torch.float64).to(dev)
    x[[0, 0]] += x[[0, 0]]
    a = torch.zeros(3).to(dev)
    a.index_put_((torch.tensor([0, 0, 2]).to(dev),), torch.tensor(1.5).to(dev), accumulate=True)
    A = torch.ones(5, 3).to(dev)
    A = A.index_put((torch.tensor([0, 4, -3, 2, 4]).to(dev),), torch.arange(15.0).reshape(5, 3).to(dev), accumulate=True)
    B = torch.zeros(4, dtype=torch.int64).to(dev)
    B.index_add_(0, torch.tensor([1, 1, 3]).to(dev), torch.tensor([5, 6, 7]).to(dev), alpha=2)
    C = torch.zeros(2, 3).to(dev).scatter_add(1, torch.tensor([[0, 0, 2, 0]]).to(dev), torch.arange(4.0).reshape(1, 4).to(dev))
    return [x, a, A, B, C]
