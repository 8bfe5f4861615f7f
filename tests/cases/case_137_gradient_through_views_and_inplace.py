"""Autograd through in-place writes to views (CopySlices), through index assignment, through views made before the write,
over a barrier between forward and backward.
"""

import torch
from cases_support import barrier

SOURCE = "pytorch/pytorch#151198"
KIND = "autograd"
EXPECT = {}


def run(dev):
    x = torch.arange(1.0, 7.0).to(dev).requires_grad_()
    y = x * 2
    v = y.view(2, 3)
    v[0].mul_(3)
    v[:, 1] = x[:2] ** 2
    barrier(dev)
    d = v.t()
    w = d * 1
    w[0] += 1
    (w * torch.arange(6.0).to(dev).reshape(3, 2)).sum().backward()
    z = torch.zeros(4).to(dev)
    p = torch.tensor([2.0, 3.0]).to(dev).requires_grad_()
    z[1:3] = p
    z[0] = p.sum()
    barrier(dev)
    (z**2).sum().backward()
    u = torch.ones(2, 2).to(dev).requires_grad_()
    t = u.clone()
    t.diagonal().mul_(5)
    t.masked_fill_(torch.eye(2).to(dev) == 0, 2.0)
    t.prod().backward()
    return [y, v, x.grad, z, p.grad, t, u.grad]
