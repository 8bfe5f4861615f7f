"""A value computed lazily BEFORE a slice of its input is overwritten must use the old
contents. In tinygrad the pending reader saw the post-write buffer: write-after-read
hazard of lazy execution.
"""

import torch
from cases_support import barrier

SOURCE = "tinygrad/tinygrad#17074"
KIND = "views+inplace"
EXPECT = {}


def run(dev):
    x = torch.tensor([1, 2, 3, 4], dtype=torch.int32).to(dev)
    barrier(dev)
    reader = x + 10
    x[:1] = 9
    reader2 = x * 2
    x[1:3].copy_(x[2:4].clone())
    reader3 = x.sum()
    x.zero_()
    return {"reader": reader, "reader2": reader2, "reader3": reader3, "x": x}
