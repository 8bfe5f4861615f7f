"""sum/prod/cumsum/cumprod of uint8/int8/int32/bool accumulate in int64; with dtype=
argument; mean of ints raises; half sum accumulates in float; bool any/all of uint8 keep
uint8.
"""

import torch

SOURCE = "apache/tvm#20374, jax-ml/jax#37920, tenstorrent/tt-forge-models#619"
KIND = "dtype/reduction"
EXPECT = {}


def _raises(fn):
    try:
        fn()
    except RuntimeError:
        return True
    return False


def run(dev):
    out = []
    for d in (torch.uint8, torch.int8, torch.int32, torch.bool):
        t = torch.tensor([200 if d is torch.uint8 else 100, 100, 50]).to(d).to(dev)
        out += [
            t.sum(),
            t.prod(),
            t.cumsum(0),
            t.cumprod(0),
            t.sum(dtype=torch.float32),
            t.cumsum(0, dtype=torch.int32),
            t.count_nonzero(),
            t.any(),
            t.all(),
        ]
    m = torch.tensor([True, False, True, True]).to(dev)
    out += [m.cumsum(0) - 1, m.float().mean(), torch.tensor([2**30, 2**30, 5], dtype=torch.int32).to(dev).cumsum(0)]
    h = torch.full((4096,), 0.25, dtype=torch.float16).to(dev)
    out += [h.sum(), h.sum(dtype=torch.float64), h.mean(), torch.full((70000,), 1.0, dtype=torch.float16).to(dev).mean()]
    out.append(torch.tensor([_raises(lambda: torch.arange(3).to(dev).mean()), _raises(lambda: m - m)]))
    return out
