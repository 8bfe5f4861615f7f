"""module.half(), .double(), .to(dtype) and .float() while updates are pending: values are converted after the updates,
buffers of integers stay integers, the optimizer's parameters stay the module's.
"""

import torch
from torch import nn

SOURCE = "pytorch/xla#1929"
KIND = "params"
EXPECT = {}


def run(dev):
    torch.manual_seed(0)
    m = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3)).to(dev)
    x = torch.randn(4, 2).to(dev)
    m(x)
    with torch.no_grad():
        m[0].weight.mul_(1.5)
    kinds = []
    out = []
    for convert in (lambda: m.double(), lambda: m.half(), lambda: m.to(torch.bfloat16), lambda: m.float(), lambda: m.to(dev, torch.float64)):
        before = m[0].weight
        convert()
        kinds.append([str(v.dtype) for v in m.state_dict().values()])
        kinds.append(before is m[0].weight)
        out.append([v.clone() for v in m.state_dict().values()])
        with torch.no_grad():
            m[0].weight.add_(0.5)
    return [kinds, out]
