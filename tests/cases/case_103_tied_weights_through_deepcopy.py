"""Tied weights stay one parameter through deepcopy, half() and back, and .cpu(); their gradient is the sum of both uses,
while work is pending on them.
"""

import copy

import torch
from torch import nn

SOURCE = "pytorch/xla#2719, #7042"
KIND = "params"
EXPECT = {}


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(5, 3)
        self.head = nn.Linear(3, 5, bias=False)
        self.head.weight = self.embed.weight

    def forward(self, i):
        return self.head(self.embed(i))


def run(dev):
    torch.manual_seed(0)
    m = Tied().to(dev)
    i = torch.tensor([0, 3, 3]).to(dev)
    with torch.no_grad():
        m.embed.weight.mul_(2)  # pending while copied
    c = copy.deepcopy(m)
    with torch.no_grad():
        m.embed.weight.add_(1)
    out = []
    for net in (m, c, c.double().float(), copy.deepcopy(c).cpu().to(dev)):
        net.zero_grad()
        net(i).pow(2).sum().backward()
        out += [net.head.weight, net.embed.weight.grad, net.head.weight is net.embed.weight, len(list(net.parameters()))]
    return out
