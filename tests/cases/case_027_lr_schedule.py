"""Learning rate (and weight decay, per-layer lr scale) changes every step. Host scalars
must be parameters of the executable: one compile for the steady state. xla#4994:
param.mul_(1 - lr*wd) became 1.0 in float and gave a second graph.
"""

import torch
from cases_support import barrier
from torch import nn

SOURCE = "pytorch/xla#990, #4994, #4015"
KIND = "recompile/scalar"
EXPECT = {"max_compiles": 3, "rerun_compiles": 0}


def run(dev):
    torch.manual_seed(0)
    m = nn.Linear(5, 2).to(dev)
    x, y = torch.randn(8, 5).to(dev), torch.randn(8, 2).to(dev)
    opt = torch.optim.AdamW([{"params": [m.weight], "lr": 0.1}, {"params": [m.bias], "lr": 0.02}], weight_decay=0.01, foreach=False)
    sch = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: 0.5**s)
    for _ in range(8):
        opt.zero_grad(set_to_none=True)
        ((m(x) - y) ** 2).mean().backward()
        opt.step()
        sch.step()
        barrier(dev)
    return [m.weight, m.bias]
