"""The CPU staging buffer (numpy or torch) is overwritten right after .to(dev) /
torch.as_tensor; a zero-copy or deferred upload then shows the new contents in the
device tensor. Classic data loader buffer reuse.
"""

import numpy as np
import torch

SOURCE = "jax-ml/jax#37830, #899"
KIND = "aliasing/host"
EXPECT = {}


def run(dev):
    buf = np.arange(4096, dtype=np.float32)
    host = torch.from_numpy(buf)
    a = host.to(dev) if str(dev) != "cpu" else host.clone()
    b = a * 2
    buf[:] = -1.0
    c = a + 1
    small = torch.tensor([1.0, 2.0])
    s = small.to(dev) if str(dev) != "cpu" else small.clone()
    small.add_(100)
    batches = []
    for i in range(3):
        host.fill_(float(i))
        x = host.to(dev) if str(dev) != "cpu" else host.clone()
        batches.append(x.sum())
    return {"a": a[:5], "b": b[-3:], "c": c[:3], "s": s, "batches": torch.stack(batches)}
