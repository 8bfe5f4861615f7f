"""Mutating x through x.data must be seen by an existing view of x; re-binding x.data to a
new tensor must NOT be seen by it. pytorch/xla treated the re-bind as an in-place write
and changed the view.
"""

import torch
from cases_support import barrier

SOURCE = "pytorch/xla#3392"
KIND = "views+inplace"
EXPECT = {}


def run(dev):
    x0 = torch.zeros(10).to(dev)
    v0 = x0.view(2, 5)
    x0.data.add_(1.0)
    x1 = torch.zeros(10).to(dev)
    v1 = x1.view(2, 5)
    x1.data *= 3.0
    x1.data += 2.0
    x2 = torch.zeros(10).to(dev)
    v2 = x2.view(2, 5)
    x2.data = x2.data + 7.0
    v2.add_(0.5)  # writes only the old memory
    barrier(dev)
    return {"v0": v0, "v1": v1, "v2": v2, "x2": x2}
