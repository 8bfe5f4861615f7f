"""A hand-written LSTM cell unrolled 10 steps with gradients and optimizer step: user
reports of very slow traces and long compile. Check values over 3 steps and no
recompilation.
"""

import torch
from cases_support import barrier
from torch import nn

SOURCE = "tensorflow/swift-apis#948; pytorch/xla#1155"
KIND = "loop re-roll/rnn"
EXPECT = {"max_compiles": 4, "rerun_compiles": 0, "rtol": 0.0001}


def run(dev):
    torch.manual_seed(0)
    cell = nn.LSTMCell(3, 5).to(dev)
    head = nn.Linear(5, 1).to(dev)
    opt = torch.optim.SGD([*cell.parameters(), *head.parameters()], lr=0.05)
    x = torch.randn(10, 2, 3).to(dev)
    ls = []
    for _ in range(3):
        h = torch.zeros(2, 5).to(dev)
        c = torch.zeros(2, 5).to(dev)
        loss = 0
        for t in range(10):
            h, c = cell(x[t], (h, c))
            loss = loss + (head(h) - x[t, :, :1]).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        ls.append(loss.detach())
        barrier(dev)
    return [torch.stack(ls), cell.weight_hh.detach(), head.bias.detach()]
