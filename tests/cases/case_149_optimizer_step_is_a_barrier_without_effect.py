"""Values read right before and after optimizer.step(), gradients used after the step, two optimizers on parts of a model, a
scheduler and a closure: the step's own cut changes nothing.
"""

import torch
from torch import nn

SOURCE = "pytorch/xla#990"
KIND = "recompile/scalar"
EXPECT = {"rtol": 0.001, "atol": 1e-05, "rerun_compiles": 0}


def run(dev):
    torch.manual_seed(0)
    m = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1)).to(dev)
    one = torch.optim.SGD(m[0].parameters(), lr=0.1, momentum=0.5)
    two = torch.optim.Adam(m[2].parameters(), lr=0.01)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(one, 5)
    x = torch.randn(6, 3).to(dev)
    out = []
    for _ in range(4):
        loss = m(x).pow(2).mean()
        one.zero_grad()
        two.zero_grad()
        loss.backward()
        one.step()
        middle = m[0].weight.sum()
        two.step()
        schedule.step()
        out += [loss.detach(), middle.detach(), m[2].weight.grad.abs().sum()]
    bfgs = torch.optim.LBFGS(m.parameters(), lr=0.1, max_iter=2)

    def closure():
        bfgs.zero_grad()
        loss = m(x).pow(2).mean()
        loss.backward()
        return loss

    out.append(bfgs.step(closure).detach())
    return [*out, *[p.detach() for p in m.parameters()]]
