"""Batches of different lengths (and a short last batch) arrive in a repeating pattern;
each distinct shape may compile once, then must hit the cache, results per shape right
(no executable reuse across shapes).
"""

import torch
from cases_support import barrier
from torch import nn

SOURCE = "pytorch/xla#1509, #1059"
KIND = "recompile/shape"
EXPECT = {"max_compiles": 8, "rerun_compiles": 0}


def run(dev):
    torch.manual_seed(0)
    m = nn.Sequential(nn.Embedding(11, 4), nn.Linear(4, 3)).to(dev)
    outs = []
    for n, L in [(4, 5), (4, 7), (4, 5), (3, 7), (4, 7), (4, 5), (3, 7), (1, 1), (4, 5)]:
        ids = (torch.arange(n * L).reshape(n, L) * 7 % 11).to(dev)
        outs.append(m(ids).max(1).values.sum(0))
        barrier(dev)
    return outs
