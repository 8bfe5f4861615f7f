"""torch.manual_seed makes device random ops repeat exactly, also after cached executions
and other ops in between, for
rand/randn/randint/bernoulli/normal_/uniform_/multinomial/randperm; in-place random on a
slice changes only it; seed saved values differ for different seeds; .to of CPU random
is the CPU stream.
"""

import torch
from cases_support import barrier

SOURCE = "pytorch/xla#7340, #8861; flagos-ai/FlagGems#6217"
KIND = "rng"
EXPECT = {}


def _draw(dev):
    t = torch.zeros(8).to(dev)
    t[2:5].uniform_(1, 2)
    n = torch.empty(64, device=dev).normal_(3, 0.5)
    return [
        torch.rand(50, device=dev),
        torch.randn(3, 3, device=dev),
        torch.randint(0, 10, (20,), device=dev),
        torch.bernoulli(torch.full((30,), 0.5, device=dev)),
        torch.randperm(16, device=dev),
        torch.multinomial(torch.ones(5, device=dev), 8, replacement=True),
        t,
        n,
    ]


def run(dev):
    torch.manual_seed(7)
    a = [v.cpu() for v in _draw(dev)]
    torch.manual_seed(7)
    b = []
    for v in _draw(dev):
        b.append(v.cpu())
        barrier(dev)
    torch.manual_seed(8)
    c = [v.cpu() for v in _draw(dev)]
    d = [v.cpu() for v in _draw(dev)]
    ok = [bool(torch.equal(x, y)) for x, y in zip(a, b, strict=False)] + [
        not torch.equal(a[0], c[0]),
        not torch.equal(c[0], d[0]),
        sorted(a[4].tolist()) == list(range(16)),
        bool((a[0] >= 0).all() and (a[0] < 1).all()),
        bool(((a[2] >= 0) & (a[2] < 10)).all()),
        bool((a[6][:2] == 0).all() and (a[6][5:] == 0).all() and (a[6][2:5] >= 1).all()),
        abs(a[7].mean().item() - 3) < 0.4,
    ]
    torch.manual_seed(3)
    return [torch.tensor(ok), torch.randn(4).to(dev)]
