"""Optimizers built before model.to(device), with state made on the CPU: parameters keep their identity, state follows on
load_state_dict, and foreach and single-tensor updates agree.
"""

import torch
from torch import nn

SOURCE = "pytorch/pytorch#196975"
KIND = "params"
EXPECT = {"rtol": 0.001, "atol": 1e-05}


def run(dev):
    out = []
    for make in (torch.optim.SGD, torch.optim.Adam, torch.optim.RMSprop, torch.optim.Adagrad):
        torch.manual_seed(0)
        m = nn.Linear(3, 2)
        opt = make(m.parameters(), lr=0.05)
        x = torch.randn(4, 3)
        if make is not torch.optim.Adagrad:  # its state is made at once, on the CPU
            m(x).pow(2).sum().backward()
            opt.step()
        held = [id(p) for p in m.parameters()]
        m.to(dev)
        saved = opt.state_dict()
        opt.load_state_dict(saved)  # moves the state to the parameters' device
        x = x.to(dev)
        for _ in range(2):
            opt.zero_grad()
            m(x).pow(2).sum().backward()
            opt.step()
        out += [m.weight, m.bias, held == [id(p) for p in m.parameters()], opt.param_groups[0]["params"][0] is m.weight]
    return out
