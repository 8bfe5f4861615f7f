"""torch.utils.checkpoint runs the forward again with the same dropout mask; fork_rng restores the stream; the same seed gives
the same numbers with and without checkpointing.
"""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

SOURCE = "pytorch/xla#3203, #7340"
KIND = "rng"
EXPECT = {"exact": True}


def run(dev):
    m = nn.Sequential(nn.Linear(8, 8), nn.Dropout(0.5), nn.ReLU()).to(dev)
    x = torch.ones(16, 8).to(dev)

    def gradients(call):
        torch.manual_seed(5)
        m.zero_grad()
        loss = call(m, x.clone().requires_grad_()).sum()
        loss.backward()
        return [loss.detach(), m[0].weight.grad.clone(), torch.rand(3, device=dev)]

    plain = gradients(lambda f, v: f(v))
    again = gradients(lambda f, v: checkpoint(f, v, use_reentrant=False))
    reentrant = gradients(lambda f, v: checkpoint(f, v, use_reentrant=True))
    torch.manual_seed(7)
    first = torch.rand(2, device=dev)
    kind = torch.device(dev).type
    with torch.random.fork_rng([] if kind == "cpu" else [0], device_type="lazymlir" if kind == "lazymlir" else "cuda"):
        torch.manual_seed(99)
        torch.rand(2, device=dev)
    second = torch.rand(2, device=dev)
    torch.manual_seed(7)
    same = [torch.equal(first, torch.rand(2, device=dev)), torch.equal(second, torch.rand(2, device=dev))]
    equal = [torch.equal(a, b) for other in (again, reentrant) for a, b in zip(plain, other, strict=True)]
    return [equal, same]
