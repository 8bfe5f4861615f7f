"""Zero-size dims: slices 1:1, reductions with identity (sum/prod/any/all/mean nan),
reductions without (max raises), max over a non-empty dim gives empty, cat/stack/matmul
with empties, cummax, sort, gather, randint_like of empty.
"""

import torch

SOURCE = "pytorch/xla#887, #880, #607, #8610, #890"
KIND = "empty tensors"
EXPECT = {}


def _raises(fn):
    try:
        fn()
    except (RuntimeError, IndexError):
        return True
    return False


def run(dev):
    e = torch.zeros(2, 0, 4).to(dev)
    v = torch.arange(24.0).reshape(2, 3, 4).to(dev)
    f0 = torch.zeros(0).to(dev)
    out = [
        e.sum(),
        e.prod(),
        e.mean(),
        e.any(),
        e.all(),
        e.sum(1),
        e.amax(0),
        e.max(2).values,
        v[:, :, 1][:, 1:1],
        v[5:],
        f0.cummax(0).values,
        f0.sort().values,
        torch.cat([v, v[:, :0]], 1),
        v[:, :0] @ torch.zeros(2, 4, 5).to(dev),
        torch.zeros(3, 0).to(dev) @ torch.zeros(0, 2).to(dev),
        f0.argsort(),
        torch.stack([f0, f0]),
        e.transpose(0, 1).reshape(0, 8),
        f0.std(),
        f0.norm(),
        torch.gather(e, 0, torch.empty(2, 0, 4, dtype=torch.int64).to(dev)),
        f0.nonzero(),
        torch.nn.functional.relu(e),
        v.index_select(0, torch.tensor([], dtype=torch.int64).to(dev)),
        torch.tensor(3.0).to(dev).sum(0),
        torch.tensor(3.0).to(dev).max(0).indices,
        torch.tensor(7).to(dev).view(1),
        torch.tensor(2.0).to(dev).cumsum(0),
        torch.einsum("ij,jk->ik", torch.zeros(2, 0).to(dev), torch.zeros(0, 3).to(dev)),
    ]
    rs = [
        _raises(lambda: f0.max()),
        _raises(lambda: e.amax(1)),
        _raises(lambda: f0.argmax()),
        _raises(lambda: f0.view(-1, 0)),
        _raises(lambda: f0.median(0)),
    ]
    sh = [tuple(torch.randint_like(e, 6).shape), tuple(torch.randn_like(e).shape), tuple(torch.rand(0, 3, device=dev).shape)]
    return [*out, torch.tensor(rs), torch.tensor([len(s) for s in sh])]
