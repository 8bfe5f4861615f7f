"""Buffers that are overwritten in each step while older values of them are still held: by a list, by a saved activation, by a
NumPy copy, by a view; nothing held may change.
"""

import torch
from cases_support import barrier

SOURCE = "pytorch/xla#8464; jax-ml/jax#9635"
KIND = "donation"
EXPECT = {"rerun_compiles": 0}


def run(dev):
    w = torch.ones(256, 256).to(dev)
    history, copies, views = [], [], []
    for i in range(4):
        w = w * 0.5 + i
        history.append(w)
        views.append(w[i])
        copies.append(w.sum().clone())
        barrier(dev)
        w = w.clone()
        w.add_(1)
        barrier(dev)
    p = torch.ones(300, 300).to(dev).requires_grad_()
    loss = (p.sin() * p).sum()
    barrier(dev)
    before = p.detach().clone()
    with torch.no_grad():
        p.data = p.data * 2
    barrier(dev)
    loss.backward()
    return [[h.mean() for h in history], [v.sum() for v in views], copies, p.grad.mean(), before.mean(), p.mean()]
