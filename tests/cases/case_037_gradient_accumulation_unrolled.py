"""k micro-batches are accumulated without a barrier in between: graph has k copies of
fwd+bwd. Should re-roll or at least stay correct; grads accumulate in place into .grad,
division by k as scalar.
"""

import torch
from cases_support import barrier
from torch import nn

SOURCE = "pytorch/xla#3593"
KIND = "graph growth"
EXPECT = {"max_compiles": 4, "rerun_compiles": 0}


def run(dev):
    torch.manual_seed(0)
    m = nn.Sequential(nn.Linear(6, 8), nn.Tanh(), nn.Linear(8, 3)).to(dev)
    o = torch.optim.SGD(m.parameters(), lr=0.05)
    data = torch.randn(2, 8, 4, 6).to(dev)
    tgt = (torch.arange(64).reshape(2, 8, 4) % 3).to(dev)
    for s in range(2):
        o.zero_grad()
        for k in range(8):
            loss = nn.functional.cross_entropy(m(data[s, k]), tgt[s, k]) / 8
            loss.backward()
        o.step()
        barrier(dev)
    return [p.detach() for p in m.parameters()] + [loss.detach()]
