"""Python numbers that are awkward in a cache key: nan (never equal to itself), -0.0 (equal to 0.0), True (equal to 1),
integers beyond 2**53, infinities; the same code again compiles nothing.
"""

import torch
from cases_support import barrier

SOURCE = "pytorch/pytorch#119567"
KIND = "cache key"
EXPECT = {"exact": True, "rerun_compiles": 0}


def run(dev):
    x = torch.tensor([1.0, -0.0, float("inf")]).to(dev)
    i = torch.tensor([3, -1, 2**60]).to(dev)
    out = []
    for k in (float("nan"), float("nan"), 0.0, -0.0, 0, True, 1, float("inf"), -float("inf"), 2**53 + 1, 1e-300):
        y = x + k
        out += [y, torch.signbit(x * k) if k == k else y.isnan(), torch.full((2,), k).to(dev), torch.where(x > 0, x, k)]
        barrier(dev)
    for k in (2**53 + 1, 2**62, -1, True):
        out += [i + k, i * k, i == k, i.clamp(max=k)]
        barrier(dev)
    return out
