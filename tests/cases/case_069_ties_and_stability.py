"""argmax/argmin/max(dim) on ties give the first index; sort(stable=True) and
argsort(stable) keep order, descending stable too; unique order; median of even count is
the lower; mode; kthvalue; searchsorted left/right; bincount/histc.
"""

import torch

SOURCE = "pytorch/xla#2415, #2419"
KIND = "numerics"
EXPECT = {}


def run(dev):
    x = torch.tensor([[2, 5, 5, 1, 5], [3, 3, 0, 0, 3]]).to(dev)
    f = x.float()
    s = x.sort(dim=1, stable=True)
    d = f.sort(dim=1, descending=True, stable=True)
    sq = torch.tensor([1.0, 3.0, 3.0, 5.0]).to(dev)
    return [
        f.argmax(1),
        f.argmin(1),
        x.max(1).indices,
        x.min(1).indices,
        f.argmax(),
        s.values,
        s.indices,
        d.values,
        d.indices,
        x.argsort(dim=1, stable=True),
        f.topk(3, 1).values,
        f[:, :4].median(1).values,
        x.mode(1).values,
        f.kthvalue(2, 1).values,
        torch.searchsorted(sq, torch.tensor([3.0, 0.0, 6.0]).to(dev)),
        torch.searchsorted(sq, torch.tensor([3.0, 5.0]).to(dev), right=True),
        torch.bucketize(f[0], sq),
        x[0].bincount(minlength=8),
        f.histc(4, 0, 5),
        f.amax(1),
        f.aminmax(dim=1).min,
    ]
