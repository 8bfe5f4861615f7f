"""Printing, formatting, repr, str and numpy of pending tensors, of views and of non-contiguous ones in the middle of a step
show the values and change no later value; random numbers after a print are those without it.
"""

import torch

SOURCE = "pytorch/xla#2120, #1777"
KIND = "sync/item"
EXPECT = {"exact": True}


def run(dev):
    def numbers(look):
        torch.manual_seed(3)
        x = torch.arange(6.0).to(dev).reshape(2, 3)
        y = (x.t() * 2)[1:]
        look(y)
        noise = torch.rand(4, device=dev)
        look(noise)
        y.add_(1)
        look(x)
        return [x, y, noise - noise, torch.rand(4, device=dev), noise]

    quiet = numbers(lambda x: None)
    loud = numbers(lambda x: (repr(x), str(x), f"{x}", x.tolist(), x.cpu().numpy(), bool((x == x).all()), x.sum().item()))
    x = torch.tensor([[1.5, -2.0], [float("nan"), 1e10]]).to(dev)
    text = repr(x).replace(f", device='{x.device}'", "")
    return [quiet[:3], all(torch.equal(a, b) for a, b in zip(quiet, loud, strict=True)), text, f"{x[0, 0]:.3f}", f"{x.sum(0)[0]}"]
