"""Bodies are equal except one iteration (extra op, other constant, other operand order of
a non-commutative op, other dtype cast); merging all of them is a silent wrong result.
First/last iteration special, too.
"""

import torch

SOURCE = "design risk of re-rolling; pytorch/xla#5554 (step 0 differs)"
KIND = "loop re-roll"
EXPECT = {}


def run(dev):
    x = torch.linspace(-1, 1, 5).to(dev)
    y = x + 0.25
    for i in range(12):
        x = (x - y) if i != 7 else (y - x)
        x = x * 0.5 + (0.1 if i != 3 else -0.1)
    z = torch.ones(3).to(dev)
    for i in range(10):
        z = z * 1.25
        if i == 0:
            z = z - 1
        if i == 9:
            z = z.to(torch.float64).sqrt()
        if i == 5:
            z = z.round()
    w = torch.arange(6.0).reshape(2, 3).to(dev)
    for i in range(9):
        w = w.cumsum(i % 2) * 0.3
    return [x, z, w]
