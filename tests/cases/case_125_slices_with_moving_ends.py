"""A window whose start moves is one program; one whose size changes is one program per size; stores through moving windows
and a ring buffer index by a Python integer do not compile anew.
"""

import torch
from cases_support import barrier

SOURCE = "pytorch/xla#871, #1467"
KIND = "recompile/slice"
EXPECT = {"max_compiles": 8, "rerun_compiles": 0}


def run(dev):
    x = torch.arange(20.0).to(dev)
    ring = torch.zeros(4, 3).to(dev)
    out = []
    for i in range(10):
        ring[i % 4] = x[i : i + 3]
        ring[(i + 1) % 4, 1:] *= 0.5
        out.append(x.narrow(0, i, 4).sum() + x[-i - 1] + x.select(0, i))
        barrier(dev)
    for i in range(6):
        x[i : i + 2] = x[i + 2 : i + 4] + i
        barrier(dev)
    return [torch.stack(out), ring, x]
