"""Allocation that cannot fit (here 256 TiB) must raise a catchable error with the size in
the message at the latest when executed (pytorch/xla hung), and the session must stay
usable; unrelated pending work survives.
"""

import torch
from cases_support import barrier

SOURCE = "pytorch/xla#9502, #9414, #6948"
KIND = "errors/memory"
EXPECT = {"note": "run in a child process with a time limit; after the raise a further barrier must not retry the failed node forever"}


def run(dev):
    keep = torch.arange(4.0).to(dev) * 3
    raised = False
    try:
        b = torch.ones(1 << 46, device=dev)
        b = b * 2 + 1
        b.cpu()
    except (RuntimeError, MemoryError):
        raised = True
        b = None
    keep.add_(1)
    barrier(dev)
    return [torch.tensor(raised), keep, keep.sum()]
