"""ceil_mode with windows starting in the padding must not add -inf rows; avg_pool divisor
with ceil_mode / padding / count_include_pad / divisor_override; max_pool of negatives
with padding (pad -inf not 0), dilation, indices + unpool; adaptive pools with non-
divisible sizes.
"""

import torch

SOURCE = "pytorch/xla#2583; pytorch/pytorch#100987; llvm/torch-mlir#3610"
KIND = "nn ops"
EXPECT = {}


def run(dev):
    torch.manual_seed(0)
    F = torch.nn.functional
    t1 = torch.randn(1, 1, 8, 10).to(dev)
    t2 = (torch.randn(1, 2, 5, 6) - 5).to(dev).requires_grad_()
    v, i = F.max_pool2d(t2, 2, 2, 1, return_indices=True)
    outs = [
        F.max_pool2d(t1, 3, 4, ceil_mode=True),
        F.max_pool2d(t2, 1, 2, ceil_mode=True),
        F.max_pool2d(t2, 3, 2, 1, dilation=2),
        v,
        i,
        F.avg_pool2d(t2, 3, 2, 1, ceil_mode=True),
        F.avg_pool2d(t2, 3, 2, 1, ceil_mode=True, count_include_pad=False),
        F.avg_pool2d(t2, 2, divisor_override=3),
        F.adaptive_avg_pool2d(t2, (3, 4)),
        F.adaptive_max_pool2d(t2, (2, 5)),
        F.avg_pool1d(t2[0], 4, 3, 2, ceil_mode=True),
        F.max_unpool2d(F.max_pool2d(t1, 2), F.max_pool2d(t1, 2, return_indices=True)[1], 2),
        F.lp_pool2d(t1, 2, 2),
    ]
    (outs[1].sum() + outs[5].pow(2).sum() + outs[8].pow(2).sum() + v.pow(2).sum()).backward()
    return [o.detach() for o in outs] + [t2.grad]
