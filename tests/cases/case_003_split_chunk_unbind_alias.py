"""torch.split/chunk/unbind pieces are views. Writing the base after the split must show in
the pieces and writing a piece must show in the base; pytorch/xla returned copies.
"""

import torch

SOURCE = "pytorch/xla#3072"
KIND = "views+inplace"
EXPECT = {}


def run(dev):
    a = torch.arange(12, dtype=torch.float32).to(dev)
    p, q, r = torch.split(a, [3, 4, 5])
    a[0] = -1
    a[5] = -2
    q.add_(100)
    c1, c2 = a.chunk(2)
    c2.zero_()
    m = torch.arange(6.0).reshape(2, 3).to(dev)
    u0, u1 = m.unbind(0)
    u1.mul_(-1)
    m[0] = 9
    t = torch.arange(8.0).to(dev).tensor_split(3)
    t[1].fill_(0)
    return [a, p, q, r, c1, c2, m, u0, u1, t[0], t[1], t[2]]
