"""to_empty of a module made on the meta device, then filled; empty tensors through views, saves and optimizers; 0-dim
parameters; a parameter without elements.
"""

import io

import torch
from torch import nn

SOURCE = "pytorch/xla#887"
KIND = "empty tensors"
EXPECT = {}


def run(dev):
    with torch.device("meta"):
        m = nn.Linear(2, 2)
        m.tied = m.weight
    m.to_empty(device=dev)
    with torch.no_grad():
        m.weight.fill_(0.5)
        m.bias.zero_()
    empty = nn.Parameter(torch.zeros(0, 3).to(dev))
    scalar = nn.Parameter(torch.tensor(2.0).to(dev))
    opt = torch.optim.AdamW([empty, scalar, *m.parameters()], lr=0.1)
    for _ in range(2):
        opt.zero_grad()
        (m(torch.ones(1, 2).to(dev)).sum() * scalar + empty.sum()).backward()
        opt.step()
    file = io.BytesIO()
    torch.save([empty, scalar, empty[:, 1:]], file)
    file.seek(0)
    loaded = torch.load(file, map_location="cpu", weights_only=True)
    return [m.weight, m.tied is m.weight, empty, empty.grad, scalar, loaded, empty.t().reshape(-1), torch.cat([empty, m.weight.new_ones(1, 3)])]
