"""copy_, add_ and index assignment where source and target overlap in one memory: the source is read before the target is
written, as the recorded order says.
"""

import torch
from cases_support import barrier

SOURCE = "tinygrad/tinygrad#17074"
KIND = "views+inplace"
EXPECT = {"exact": True}


def run(dev):
    x = torch.arange(8.0).to(dev)
    x[1:] = x[:-1].clone()
    y = torch.arange(9.0).to(dev).reshape(3, 3)
    y.copy_(y.t().clone())
    y[0] += y[:, 0]
    barrier(dev)
    z = torch.arange(6.0).to(dev)
    z[[0, 1, 2]] = z[[2, 0, 1]]
    z[::2], z[1::2] = z[1::2].clone(), z[::2].clone()
    w = torch.arange(4.0).to(dev)
    w[0], w[3] = w[3].clone(), w[0].clone()
    s = torch.arange(5.0).to(dev)
    s.add_(s.flip(0)).mul_(s)
    return [x, y, z, w, s]
