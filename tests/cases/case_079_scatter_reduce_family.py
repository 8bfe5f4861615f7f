"""scatter (index smaller than src), scatter with scalar, scatter_reduce
sum/prod/mean/amax/amin with include_self True/False and untouched slots,
index_copy/fill/reduce, gather gradient with duplicates, take_along_dim, put_.
"""

import torch

SOURCE = "pytorch/pytorch#131321; jax-ml/jax#2895"
KIND = "indexing"
EXPECT = {}


def run(dev):
    base = torch.tensor([1.0, 2.0, 3.0, 4.0]).to(dev)
    idx = torch.tensor([0, 1, 0, 1, 2, 0]).to(dev)
    src = torch.tensor([1.0, -2.0, 3.0, 4.0, 5.0, 6.0]).to(dev).requires_grad_()
    out = [base.scatter_reduce(0, idx, src, r, include_self=s) for r in ("sum", "prod", "mean", "amax", "amin") for s in (True, False)]
    (out[0] * base + out[8]).sum().backward()
    m = torch.zeros(3, 5).to(dev)
    ii = torch.tensor([[0, 1, 2], [2, 0, 0]]).to(dev)
    out += [
        src.grad,
        m.scatter(0, ii, torch.arange(10.0).reshape(2, 5).to(dev)),
        m.scatter(1, ii, 7.0),
        m.scatter(1, ii[:, :2], 3.0, reduce="add"),
        m.index_copy(1, torch.tensor([4, 0]).to(dev), torch.ones(3, 2).to(dev)),
        m.index_fill(0, torch.tensor([-1]).to(dev), 5.0),
        m.index_reduce(0, torch.tensor([0, 0, 2]).to(dev), torch.arange(15.0).reshape(3, 5).to(dev) + 1, "prod", include_self=False),
        m.clone().put_(torch.tensor([1, -1]).to(dev), torch.tensor([8.0, 9.0]).to(dev)),
    ]
    g = torch.arange(6.0).reshape(2, 3).to(dev).requires_grad_()
    t = g.gather(1, torch.tensor([[0, 0], [2, 1]]).to(dev))
    (t * t).sum().backward()
    return [o.detach() for o in out] + [t.detach(), g.grad, torch.take_along_dim(g.detach(), torch.tensor([[1], [0]]).to(dev), 1)]
