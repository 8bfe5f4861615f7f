"""DataLoader with forked workers while the lazy runtime has live threads/locks and pending
work: children must not hang, must not run exit handlers of the runtime, and the parent
continues normally.
"""

import torch
from cases_support import barrier
from torch.utils.data import DataLoader, TensorDataset

SOURCE = "pytorch/xla#2221, #8407"
KIND = "concurrency/fork"
EXPECT = {"max_compiles": 8}


def run(dev):
    w = torch.ones(3).to(dev) * 2  # pending while forking
    ds = TensorDataset(torch.arange(36.0).reshape(12, 3), torch.arange(12))
    s = []
    for _ in range(2):
        for xb, yb in DataLoader(ds, batch_size=5, num_workers=2, timeout=60, multiprocessing_context="fork"):
            xb = xb.to(dev)
            w = w * 0.5 + xb.mean(0)
            s.append(yb.to(dev).sum())
            barrier(dev)
    return [w, torch.stack(s)]
