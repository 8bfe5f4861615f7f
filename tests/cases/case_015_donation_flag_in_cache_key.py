"""t1.add_(t0) and t2 = t1 + t0 have the same op graph; the first may donate t1's buffer,
the second may not. pytorch/xla reused the donating executable and overwrote t1 (printed
4, 4 instead of 3, 4).
"""

import torch
from cases_support import barrier

SOURCE = "pytorch/xla#8464"
KIND = "donation"
EXPECT = {"rerun_compiles": 0}


def run(dev):
    outs = []
    for k in range(3):
        t0 = torch.tensor([1.0 + k, 2.0]).to(dev)
        t1 = torch.tensor([2.0, 5.0]).to(dev)
        barrier(dev)
        t1.add_(t0)
        barrier(dev)
        t2 = t1 + t0
        barrier(dev)
        t3 = t1 + t0  # old handle kept, mutated later
        old = t1.clone()
        t1.add_(t0)
        barrier(dev)
        outs += [t1, t2, t3, old]
    return outs
