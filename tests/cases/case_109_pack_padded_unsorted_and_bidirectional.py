"""Unsorted lengths (the sort permutation is on the device, the lengths on the host), batch_first, two directions, and
padding of the result to a given length; gradients reach the padded input as zeros.
"""

import torch
from torch import nn
from torch.nn.utils import rnn

SOURCE = "pytorch/xla#1522"
KIND = "dynamic shape/rnn"
EXPECT = {"rtol": 0.0001, "atol": 1e-05}


def run(dev):
    torch.manual_seed(0)
    net = nn.GRU(3, 4, batch_first=True, bidirectional=True).to(dev)
    x = torch.randn(3, 3, 3).to(dev).requires_grad_()
    out = []
    for lengths in ([2, 3, 1], [1, 1, 2]):
        packed = rnn.pack_padded_sequence(x, torch.tensor(lengths), batch_first=True, enforce_sorted=False)
        y, h = net(packed)
        padded, back = rnn.pad_packed_sequence(y, batch_first=True, padding_value=-2.0, total_length=4)
        (grad,) = torch.autograd.grad(padded.sum() + h.pow(2).sum(), x)
        out += [padded, back, h, grad]
    sequences = [torch.arange(float(n)).to(dev) for n in (3, 1, 2)]
    out += [rnn.pad_sequence(sequences, batch_first=True, padding_value=9.0), rnn.pack_sequence(sequences, enforce_sorted=False).data]
    return out
