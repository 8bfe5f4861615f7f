"""Errors that eager raises at once: an in-place write of a leaf that needs a gradient, of a tensor saved for backward (its
version has moved on), of an expanded tensor; the values stay what they were.
"""

import torch

SOURCE = "pytorch/pytorch#77126"
KIND = "errors/state"
EXPECT = {}


def run(dev):
    def refused(f):
        try:
            f()
        except RuntimeError as error:
            return type(error).__name__
        return None

    leaf = torch.ones(3).to(dev).requires_grad_()
    kinds = [refused(lambda: leaf.add_(1))]
    y = leaf * 2
    z = y * y
    y.mul_(3)
    kinds.append(refused(lambda: z.sum().backward()))
    wide = torch.ones(1).to(dev).expand(4)
    kinds.append(refused(lambda: wide.add_(1)))
    view = leaf.detach().clone().requires_grad_()
    kinds.append(refused(lambda: view[0].fill_(2)))
    a, b = torch.ones(4).to(dev), torch.ones(3).to(dev)
    kinds.append(refused(lambda: a.add_(b)))
    kinds.append(refused(lambda: a.view(3)))
    s = torch.exp(leaf)
    s.sum().backward()
    kinds.append(refused(lambda: s.sum().backward()))
    return [kinds, leaf, leaf.grad, y, wide, view, a]
