"""pack_padded_sequence + GRU/LSTM + pad_packed_sequence: lengths live on CPU, data on the
device; batch_sizes loop; final hidden state picks the right step per sequence; gradient
through it.
"""

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

SOURCE = "pytorch/xla#1522"
KIND = "dynamic shape/rnn"
EXPECT = {}


def run(dev):
    torch.manual_seed(0)
    rnn = nn.GRU(3, 4, batch_first=True).to(dev)
    x = torch.randn(3, 5, 3).to(dev).requires_grad_()
    lens = torch.tensor([5, 2, 4])
    out, h = rnn(pack_padded_sequence(x, lens, batch_first=True, enforce_sorted=False))
    out, ol = pad_packed_sequence(out, batch_first=True, padding_value=-1.0)
    (out * (out > -0.9)).sum().backward()
    return [out.detach(), h.detach(), ol, x.grad, rnn.weight_ih_l0.grad]
