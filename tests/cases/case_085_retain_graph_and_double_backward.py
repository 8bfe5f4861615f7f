"""backward twice with retain_graph around a barrier (saved tensors must outlive donation),
create_graph gradient penalty, grad of grad, autograd.grad with allow_unused, checkpoint
recompute, hooks that edit grads, in-place grad.
"""

import torch
from cases_support import barrier
from torch import nn
from torch.utils.checkpoint import checkpoint

SOURCE = "pytorch/xla#3361, #3203"
KIND = "autograd"
EXPECT = {"rtol": 0.0001}


def run(dev):
    torch.manual_seed(0)
    m = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1)).to(dev)
    x = torch.randn(5, 3).to(dev).requires_grad_()
    un = torch.ones(1).to(dev).requires_grad_()
    loss = m(x).pow(2).sum()
    loss.backward(retain_graph=True)
    barrier(dev)
    with torch.no_grad():
        x.grad.mul_(0.5)
    loss.backward()
    g1 = x.grad.clone()
    wg = m[0].weight.grad.clone()
    m.zero_grad()
    barrier(dev)
    g, u = torch.autograd.grad(m(x).sum(), (x, un), create_graph=True, allow_unused=True)
    ((g.norm(2, 1) - 1) ** 2).mean().backward()
    h = x.detach().clone().requires_grad_()
    h.register_hook(lambda t: t * 3)
    checkpoint(m, h, use_reentrant=False).sum().backward()
    y = torch.tensor([0.3, -0.7]).to(dev).requires_grad_()
    (a,) = torch.autograd.grad((y**3).sum(), y, create_graph=True)
    (b,) = torch.autograd.grad(a.sum(), y, create_graph=True)
    (c,) = torch.autograd.grad(b.sum(), y)
    return [g1, wg, m[0].weight.grad, m[2].weight.grad, h.grad, a.detach(), b.detach(), c, torch.tensor(u is None)]
