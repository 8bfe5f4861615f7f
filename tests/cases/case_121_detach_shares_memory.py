"""x.detach(), x.data and x.view_as(x) share memory with x, clone does not; requires_grad_ and no_grad in-place updates
through any of them show in all, before and after a barrier.
"""

import torch
from cases_support import barrier

SOURCE = "pytorch/xla#3392"
KIND = "views+inplace"
EXPECT = {}


def run(dev):
    x = torch.zeros(4).to(dev).requires_grad_()
    d, raw, c = x.detach(), x.data, x.clone()
    d[0] = 1
    raw[1:3] += 2
    barrier(dev)
    with torch.no_grad():
        x.mul_(3)
        x[3] = 5
    barrier(dev)
    raw.sub_(1)
    n = x.detach().to("cpu", copy=True)
    d.zero_()
    memory = [t.untyped_storage().data_ptr() for t in (x, d, raw, c)]
    return [x, d, raw, c, n, memory[0] == memory[1] == memory[2], memory[0] == memory[3]]
