"""out= into a slice, into an alias of an input and with dtype conversion; out= of the
wrong size must resize (with warning) or raise as in eager, never silently write
elsewhere.
"""

import warnings

import torch

SOURCE = "pytorch/pytorch#155661, #114087"
KIND = "views+inplace"
EXPECT = {}


def run(dev):
    y = torch.zeros(3, 4).to(dev)
    x = torch.arange(4.0).to(dev)
    torch.add(x, 1, out=y[1])
    torch.mul(y[1], 2, out=y[2])
    z = torch.arange(5.0).to(dev)
    torch.cumsum(z, 0, out=z)
    f = torch.empty(4, dtype=torch.float64).to(dev)
    torch.sub(x, 0.5, out=f)
    e = torch.empty(0).to(dev)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.exp(x, out=e)
    v, i = torch.empty(2).to(dev), torch.empty(2, dtype=torch.int64).to(dev)
    torch.topk(x, 2, out=(v, i))
    return [y, z, f, e, v, i]
