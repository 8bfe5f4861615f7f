"""p = p*.5 + p*.5 repeated: a tree walk without memoization is 2**n; also autograd through
it. 60 levels must be instant.
"""

import torch

SOURCE = "tinygrad/tinygrad#2259"
KIND = "graph growth"
EXPECT = {"note": "time bound: < 5 s"}


def run(dev):
    x = torch.tensor([1.0, 2.0]).to(dev).requires_grad_()
    p = x
    for _ in range(60):
        p = p * 0.5 + p * 0.5
    p.sum().backward()
    q = torch.ones(3).to(dev)
    for _ in range(60):
        q = q + q.flip(0)
        q = q / 2
    return [p.detach(), x.grad, q]
