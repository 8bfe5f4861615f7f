"""torch.autocast on the device type: linear/matmul give bf16, parameters and grads stay
float32, leaving the region restores, nested disabled region, cache of casts not stale
after an optimizer step.
"""

import torch
from cases_support import barrier
from torch import nn

SOURCE = "pytorch/xla#5497; pytorch/pytorch#115900"
KIND = "dtype/autocast"
EXPECT = {"rtol": 0.03, "atol": 0.03}


def run(dev):
    torch.manual_seed(0)
    kind = torch.device(dev).type
    m = nn.Linear(4, 4).to(dev)
    x = torch.randn(3, 4).to(dev)
    opt = torch.optim.SGD(m.parameters(), lr=0.5)
    dts, ys = [], []
    for _ in range(2):
        with torch.autocast(kind, dtype=torch.bfloat16):
            y = m(x)
            z = y @ y.t()
            with torch.autocast(kind, enabled=False):
                f = x @ x.t()
        dts += [y.dtype == torch.bfloat16, z.dtype == torch.bfloat16, f.dtype == torch.float32]
        opt.zero_grad()
        y.float().pow(2).sum().backward()
        opt.step()
        dts += [m.weight.grad.dtype == torch.float32, (x @ x.t()).dtype == torch.float32]
        ys.append(y.detach())
        barrier(dev)
    return [torch.tensor(dts), *ys, m.weight.detach()]
