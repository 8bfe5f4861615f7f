"""Reading a value inside the loop (item(), float(), print, if loss < x, python math on it)
must give the right number, not re-execute earlier work twice, and not compile a new
graph each step.
"""

import math

import torch
from cases_support import barrier

SOURCE = "pytorch/xla#2120, #2296, #1777"
KIND = "sync/item"
EXPECT = {"max_compiles": 16, "rerun_compiles": 0}


def run(dev):
    w = torch.tensor([2.0, -1.0]).to(dev)
    log = []
    for _ in range(6):
        g = 2 * w
        loss = (w * w).sum()
        w = w - 0.1 * g
        log.append(loss.item())
        rms = math.sqrt(w.pow(2).mean())
        log.append(rms)
        s = f"{loss:.3f} {loss}"
        assert s.startswith(f"{log[-2]:.3f}")
        if loss < 2.0 and bool((w.abs() < 10).all()):
            w = w + 0.01
        barrier(dev)
    return {"w": w, "log": torch.tensor(log, dtype=torch.float64), "int": torch.tensor([int(w[0] * 100), len(w), list(range(5))[int(w.argmax())]])}
