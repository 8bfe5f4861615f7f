"""User code raises (or Ctrl-C arrives) half way in a step, after in-place updates were
recorded, and is caught; the recorded updates must be applied exactly once and training
continue. Also an exception inside backward hook.
"""

import contextlib

import torch
from cases_support import barrier
from torch import nn

SOURCE = "pytorch/xla#6751 (barrier must run / errors be raised in context), #9707"
KIND = "errors/state"
EXPECT = {}


def run(dev):
    torch.manual_seed(0)
    w = torch.zeros(3).to(dev)
    v = w.view(3)

    def step(i):
        w.add_(1)
        if i == 1:
            raise ValueError("user")
        if i == 2:
            raise KeyboardInterrupt
        v.mul_(2)

    for i in range(5):
        with contextlib.suppress(ValueError, KeyboardInterrupt):
            step(i)
        barrier(dev)
    m = nn.Linear(3, 2).to(dev)
    x = torch.ones(1, 3).to(dev)

    def boom(g):
        raise ZeroDivisionError

    h = m(x)
    hk = h.register_hook(boom)
    caught = False
    try:
        h.sum().backward()
    except ZeroDivisionError:
        caught = True
    hk.remove()
    m.zero_grad()
    m(x).sum().backward()
    return [w, v, torch.tensor(caught), m.weight.grad]
