"""Two Python threads record on their own tensors at once, one of them reading in between; afterwards a tensor made by one is
used by the other.
"""

import threading

import torch

SOURCE = "pytorch/xla#8407"
KIND = "concurrency/fork"
EXPECT = {}


def run(dev):
    results = {}

    def work(name, factor):
        x = torch.arange(5.0).to(dev)
        for i in range(20):
            x = x * factor + i
            if i % 7 == 0:
                x.sum().item()
        results[name] = x

    threads = [threading.Thread(target=work, args=(i, 0.5 + 0.1 * i)) for i in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [results[i] for i in range(3)] + [results[0] + results[2]]
