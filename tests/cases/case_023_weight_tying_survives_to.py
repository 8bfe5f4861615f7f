"""Tied weights (embedding <-> output layer) must still be ONE parameter after
module.to(dev); pytorch/xla duplicated them silently so they diverged. Grad must be the
sum of both uses.
"""

import torch
from cases_support import barrier
from torch import nn

SOURCE = "pytorch/xla#2719, #7042; Lightning-AI/pytorch-lightning#2705"
KIND = "params"
EXPECT = {}


def run(dev):
    torch.manual_seed(0)

    class Tied(nn.Module):
        def __init__(self):
            super().__init__()
            self.emb = nn.Embedding(7, 5)
            self.out = nn.Linear(5, 7, bias=False)
            self.out.weight = self.emb.weight

        def forward(self, i):
            return self.out(torch.tanh(self.emb(i)))

    m = Tied().to(dev)
    n = len(list(m.parameters()))
    opt = torch.optim.SGD(m.parameters(), lr=0.1)
    idx = torch.tensor([1, 3, 3, 6]).to(dev)
    for _ in range(3):
        opt.zero_grad()
        m(idx).logsumexp(1).sum().backward()
        opt.step()
        barrier(dev)
    return {"n": torch.tensor([n, m.out.weight is m.emb.weight]), "w": m.emb.weight, "w2": m.out.weight, "g": m.emb.weight.grad}
