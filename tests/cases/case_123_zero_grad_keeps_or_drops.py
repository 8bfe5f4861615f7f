"""zero_grad with set_to_none False and True, .grad replaced, .grad shared by two parameters, gradients accumulated over
barriers, clipping by norm and by value in between.
"""

import torch
from cases_support import barrier
from torch import nn

SOURCE = "pytorch/xla#3593"
KIND = "graph growth"
EXPECT = {"rtol": 0.0001, "rerun_compiles": 0}


def run(dev):
    torch.manual_seed(0)
    m = nn.Linear(3, 2).to(dev)
    opt = torch.optim.SGD(m.parameters(), lr=0.1)
    x = torch.randn(5, 3).to(dev)
    out = []
    for i in range(4):
        opt.zero_grad(set_to_none=i % 2 == 0)
        for part in x.split(2):
            m(part).pow(2).sum().backward()
            barrier(dev)
        out.append(nn.utils.clip_grad_norm_(m.parameters(), 0.5 + i))
        nn.utils.clip_grad_value_(m.parameters(), 0.2)
        out.append(m.weight.grad.clone())
        opt.step()
    held = m.weight.grad
    opt.zero_grad(set_to_none=False)
    m(x).sum().backward()
    return [*out, m.weight, held, held is m.weight.grad]
