"""BatchNorm: running_var unbiased, num_batches_tracked, momentum None (cumulative), eval
backward, track off, train/eval switch inside one graph, buffers updated exactly once
per forward even when output unused or read twice.
"""

import torch
from cases_support import barrier
from torch import nn

SOURCE = "pytorch/xla#913, #3361, #806; pytorch/pytorch#19902"
KIND = "nn ops/state"
EXPECT = {"rtol": 0.0001, "atol": 1e-05}


def run(dev):
    torch.manual_seed(0)
    out = []
    x = (torch.randn(6, 3, 4) * 2 + 1).to(dev)
    for kw in (dict(), dict(momentum=None), dict(track_running_stats=False), dict(affine=False, eps=1e-2)):
        bn = nn.BatchNorm1d(3, **kw).to(dev)
        bn(x)
        y = bn(x * 2)
        y.sum().item()
        bn(x + 1)  # output unused, stats still move
        bn.eval()
        z = x.clone().requires_grad_()
        w = bn(z)
        (w * x).sum().backward()
        bn.train()
        out += [y.detach(), w.detach(), z.grad]
        if bn.running_mean is not None:
            out += [bn.running_mean.clone(), bn.running_var.clone(), bn.num_batches_tracked.clone()]
        barrier(dev)
    inorm = nn.InstanceNorm1d(3, track_running_stats=True).to(dev)
    inorm(x)
    gn = nn.GroupNorm(3, 3).to(dev)
    return [*out, inorm.running_var, gn(x).detach()]
