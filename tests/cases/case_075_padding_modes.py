"""F.pad constant with negative pads (crop), mixed, on ints/bools, reflect, replicate,
circular in 1d/2d/3d, conv with padding_mode, gradients of reflect/circular (as_strided-
heavy backward was wrong under functionalization).
"""

import torch
from torch import nn

SOURCE = "iree-org/iree#19935; pytorch/pytorch#87575, #151198"
KIND = "nn ops"
EXPECT = {}


def run(dev):
    torch.manual_seed(0)
    F = nn.functional
    x = torch.randn(1, 2, 4, 5).to(dev).requires_grad_()
    outs = [
        F.pad(x, (1, -2, -1, 3), value=7.0),
        F.pad(x, (2, 3, 1, 2), "reflect"),
        F.pad(x, (1, 2, 3, 0), "replicate"),
        F.pad(x, (2, 1, 3, 4), "circular"),
        F.pad(x[0, 0], (0, 1)),
        F.pad(x, (-1, -1), value=float("-inf")),
        F.pad(x[None].float(), (1, 1, 2, 2, 1, 0), "replicate"),
        nn.Conv2d(2, 1, 3, padding=1, padding_mode="circular").to(dev)(x),
    ]
    sum((o * torch.linspace(0, 1, o.numel()).reshape(o.shape).to(dev)).sum() for o in (outs[0], outs[1], outs[2], outs[3])).backward()
    return [o.detach() for o in outs] + [
        x.grad,
        F.pad(torch.tensor([1, 2]).to(dev), (1, 1), value=9),
        F.pad(torch.tensor([True]).to(dev), (1, 0), value=True),
        F.pad(x.detach(), (-2, -3)),
    ]
