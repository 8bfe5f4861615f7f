"""Thousands of dependent ops without a barrier, then one read. Recursive traversal (hash,
lowering, even the destructor of a linked IR) hits the recursion limit / stack overflow.
Needs iterative walks and auto-cut.
"""

import torch

SOURCE = "ml-explore/mlx#114, #1711; tinygrad/tinygrad#8167, #8457; OP2/PyOP2#440"
KIND = "graph growth"
EXPECT = {"note": "must not raise RecursionError / crash; wall time < ~20 s"}


def run(dev):
    x = torch.zeros(3).to(dev)
    y = torch.ones(3).to(dev)
    for i in range(3000):
        x = x + y
        if i % 500 == 0:
            y = y * 1.5
    dead = torch.ones(2).to(dev)
    for _ in range(3000):
        dead = dead * 2 - 1  # never read: only the destructor walks it
    del dead
    z = torch.zeros(2).to(dev)
    for i in range(1500):
        z.add_(i)
    return [x, z]
