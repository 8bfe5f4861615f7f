"""torch.save of device tensors with pending work (state_dict, optimizer state, a tensor
and its view) and loading with map_location cpu / back to the device; pickled lazily-
shared storage must stay shared.
"""

import io

import torch
from torch import nn

SOURCE = "pytorch/xla#719, #1018; aws-neuron/aws-neuron-sdk#1315"
KIND = "copy/pickle"
EXPECT = {"note": "weights_only load of a tensor saved on the custom device must work, too"}


def _roundtrip(o, loc):
    f = io.BytesIO()
    torch.save(o, f)
    f.seek(0)
    return torch.load(f, map_location=loc, weights_only=True)


def run(dev):
    torch.manual_seed(0)
    m = nn.Sequential(nn.Linear(4, 3), nn.BatchNorm1d(3)).to(dev)
    opt = torch.optim.Adam(m.parameters(), lr=0.05)
    x = torch.randn(6, 4).to(dev)
    for _ in range(2):
        opt.zero_grad()
        m(x).pow(2).sum().backward()
        opt.step()
    ck = _roundtrip({"m": m.state_dict(), "o": opt.state_dict()}, "cpu")
    m2 = nn.Sequential(nn.Linear(4, 3), nn.BatchNorm1d(3)).to(dev)
    m2.load_state_dict(ck["m"])
    o2 = torch.optim.Adam(m2.parameters(), lr=0.05)
    o2.load_state_dict(ck["o"])
    for mm, oo in ((m, opt), (m2, o2)):
        oo.zero_grad()
        mm(x).pow(2).sum().backward()
        oo.step()
    b = torch.arange(6.0).to(dev) + 1
    sh = _roundtrip([b, b[1:3]], "cpu")
    sh[1].fill_(0)
    return {"w": m[0].weight, "w2": m2[0].weight, "rm": m2[1].running_mean, "shared": sh[0], "b": b}
