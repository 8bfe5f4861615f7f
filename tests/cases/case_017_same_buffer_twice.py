"""The same storage reaches a donating executable through two arguments (x and a
detach/alias/view of x, or x.mul_(x)). JAX hung / errored; a lazy tensor system must not
donate a buffer that is also read by alias.
"""

import torch
from cases_support import barrier

SOURCE = "jax-ml/jax#9635"
KIND = "donation"
EXPECT = {}


def run(dev):
    x = torch.tensor([1.0, 2.0, 3.0]).to(dev)
    d = x.detach()
    al = x.view(3)
    barrier(dev)
    x.add_(d)
    y = d * 2
    barrier(dev)
    x.mul_(x)
    z = al + x
    barrier(dev)
    keep = x
    x = x + 1
    del d
    keep.sub_(x)
    return {"x": x, "keep": keep, "al": al, "y": y, "z": z}
