"""Hundreds of distinct shapes/graphs: compile cache must be bounded (LRU) and evicted
entries recompile right; memory of evicted executables freed.
"""

import torch
from cases_support import barrier

SOURCE = "pytorch/xla#2713"
KIND = "cache size"
EXPECT = {"note": "run with a tiny cache limit as well as the default"}


def run(dev):
    out = []
    for n in [*list(range(1, 60)), 1, 5, 59]:
        x = torch.arange(float(n)).to(dev)
        out.append((x * 2 + 1).sum())
        barrier(dev)
    return torch.stack(out)
