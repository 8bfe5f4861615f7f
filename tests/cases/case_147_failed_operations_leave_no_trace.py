"""Calls that raise for shapes, dtypes, devices or indices, in the middle of recorded work, in-place ones too: nothing of them
may stay in the trace.
"""

import torch
from cases_support import barrier

SOURCE = "pytorch/xla#9707"
KIND = "errors/state"
EXPECT = {}


def run(dev):
    x = torch.arange(6.0).to(dev)
    count = 0
    attempts = [
        lambda: x.view(4),
        lambda: x @ x.view(2, 3),
        lambda: torch.cat([x, x.view(2, 3)]),
        lambda: x.add_(torch.ones(5).to(dev)),
        lambda: x[7],
        lambda: x.index_select(1, torch.tensor([0]).to(dev)),
        lambda: x.mul_(torch.ones(6, dtype=torch.complex64).to(dev)),
        lambda: x.sum(3),
        lambda: torch.ones(2, dtype=torch.int64).to(dev).mean(),
        lambda: x.reshape(2, 3).transpose(0, 5),
        lambda: x.squeeze(2),
        lambda: torch.nn.functional.conv2d(x, x),
    ]
    for attempt in attempts:
        x.add_(1)
        try:
            attempt()
        except (RuntimeError, IndexError, ValueError, TypeError):
            count += 1
        x.mul_(0.5)
    barrier(dev)
    return [x, count, len(attempts)]
