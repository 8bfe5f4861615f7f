"""A loader fills the same numpy buffer for each batch: torch.as_tensor, from_numpy and tensor views of it are moved and the
buffer is overwritten at once, also between two moves without a barrier; what was moved keeps what it was.
"""

import numpy as np
import torch

SOURCE = "jax-ml/jax#37830, #899"
KIND = "aliasing/host"
EXPECT = {}


def run(dev):
    buffer = np.zeros((3, 4), np.float32)
    batches = []
    for i in range(4):
        buffer[:] = i
        batches.append(torch.from_numpy(buffer).to(dev, copy=True))
        buffer[:, 0] = -1
        batches.append(torch.as_tensor(buffer, device=dev).clone())
        batches.append(torch.from_numpy(buffer.T).to(dev, non_blocking=True, copy=True))
        batches.append(torch.from_numpy(buffer[1]).to(dev, torch.float64))
        batches.append(torch.tensor(buffer, device=dev))
        buffer.fill(99)
    host = torch.zeros(3)
    there = host.to(dev, copy=True)
    host.add_(5)
    there.copy_(host)
    host.add_(5)
    back = there.to("cpu", copy=True)
    there.add_(1)
    back.mul_(10)
    n = there.to("cpu", copy=True).numpy()
    n[:] = 0
    return [*batches, there, back]
