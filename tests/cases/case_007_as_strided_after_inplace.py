"""x is a strided (non-contiguous) view, mutated in place, then read by a stride-sensitive
op. The functional replacement was contiguous, so as_strided read other elements.
"""

import torch

SOURCE = "pytorch/pytorch#133512"
KIND = "views+inplace"
EXPECT = {}


def run(dev):
    base = torch.arange(10).to(dev)
    x = base[::2]
    x.add_(1)
    a = torch.as_strided(x, (3,), (2,)).clone()
    b = torch.as_strided_copy(x, (3,), (3,), 1)
    w = torch.arange(12.0).reshape(3, 4).to(dev).t()
    w.mul_(2)
    c = w.as_strided((2, 3), (1, 4)).clone()
    return {"a": a, "b": b, "c": c, "x": x, "base": base, "strides": torch.tensor([x.stride(0), *w.stride()])}
