"""A loop reads x[i:i+k] (window/minibatch) with a different start each step. With the
start baked into the graph each step compiles; the start should be a parameter (dynamic
slice), end of range not clamped wrongly.
"""

import torch
from cases_support import barrier

SOURCE = "pytorch/xla#871, #1467; pytorch/pytorch#114293"
KIND = "recompile/slice"
EXPECT = {"max_compiles": 4, "note": "17 steps; baseline implementation gives 17", "rerun_compiles": 0}


def run(dev):
    x = torch.arange(40.0).reshape(20, 2).to(dev)
    acc = torch.zeros(4, 2).to(dev)
    outs = []
    for i in range(17):
        w = x[i : i + 4]
        acc = acc * 0.5 + w
        outs.append(x[-1 - i].sum() + x.narrow(0, i, 2)[1, 0])
        barrier(dev)
    return {"acc": acc, "outs": torch.stack(outs), "last": x[16:40]}
