"""t_/transpose_/squeeze_/unsqueeze_/swapaxes_ mutate only metadata (same Python object
gets a new shape). Wrapper back-ends updated strides before/without the shape, or lost
later writes to the base.
"""

import torch

SOURCE = "pytorch/pytorch#77126, pytorch/xla#9193"
KIND = "views+inplace"
EXPECT = {}


def run(dev):
    x = torch.arange(6.0).reshape(2, 3).to(dev)
    alias = x.view(-1)
    x.t_()
    x.add_(1)
    x.unsqueeze_(0)
    x.mul_(2)
    s1 = tuple(x.shape)
    x.squeeze_()
    x.transpose_(0, 1)
    x[0] = -5
    y = torch.zeros(1, 4, 1).to(dev)
    z = y.squeeze_()
    z.add_(3)
    same = z is y
    return {"x": x, "alias": alias, "y": y, "shape": torch.tensor(s1), "contig": torch.tensor([x.is_contiguous(), same])}
