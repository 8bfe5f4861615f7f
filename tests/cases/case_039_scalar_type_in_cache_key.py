"""In Python 1 == 1.0 == True and hash equal, so a dict-keyed graph/CSE cache confuses x*2
with x*2.0 and x+True with x+1 -> wrong dtype. Same for dim=0 vs dim=False, -0.0 vs 0.0,
nan keys never hit.
"""

import torch
from cases_support import barrier

SOURCE = "pytorch/pytorch#119567"
KIND = "cache key"
EXPECT = {"rerun_compiles": 0}


def run(dev):
    i = torch.tensor([1, 2, 3]).to(dev)
    b = torch.tensor([True, False]).to(dev)
    f = torch.tensor([1.0, -1.0]).to(dev)
    out = []
    for s in (1, 1.0, True, 2, 2.0, 0, 0.0, -0.0, False):
        out += [i * s, i + s, b + s if s is not False else b | s]
        barrier(dev)
    for s in (0.0, -0.0):
        out.append(torch.signbit(torch.full((2,), s, device=dev)))
        out.append(torch.copysign(f, s))
    for s in (float("nan"), float("nan"), float("inf"), -float("inf")):
        out.append(f * 0 + s)
        barrier(dev)
    out += [torch.full((2,), 1, device=dev), torch.full((2,), 1.0, device=dev), torch.full((2,), True, device=dev)]
    return out
