"""Views of views made before a barrier, written after it, read through each other: base, view and view of view share one
memory however often the pending work is cut in between.
"""

import torch
from cases_support import barrier

SOURCE = "pytorch/xla#3392, #3072"
KIND = "views+inplace"
EXPECT = {"max_compiles": 10, "rerun_compiles": 0}


def run(dev):
    x = torch.arange(24.0).to(dev)
    m = x.view(4, 6)
    t = m.t()
    w = t[1:5, ::2]
    d = m[:, :4].diagonal()
    barrier(dev)
    w.add_(100)
    barrier(dev)
    d.mul_(-1)
    m[2].fill_(7)
    barrier(dev)
    f = w.flatten()  # a copy: w cannot be flattened in place
    f.zero_()
    w[0, 0] = 5
    x[6:8] += w[1, :2]
    return [x, m, t, w, d, f, x.view(2, 12)[1]]
