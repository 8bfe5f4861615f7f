"""An exception in a backward hook, a post-accumulate hook, a forward hook, a step hook: it arrives where the user calls, the
gradients accumulated before it are there once, later steps go on.
"""

import torch
from torch import nn

SOURCE = "pytorch/xla#6751"
KIND = "errors/state"
EXPECT = {}


class Stop(Exception):
    pass


def run(dev):
    def stop(*_):
        raise Stop

    def caught(f):
        try:
            f()
        except Stop:
            return True
        return False

    torch.manual_seed(0)
    m = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1)).to(dev)
    opt = torch.optim.SGD(m.parameters(), lr=0.1)
    x = torch.ones(2, 3).to(dev)
    out = []
    for register in (
        m[0].register_forward_hook,
        m[2].register_full_backward_hook,
        m[2].weight.register_post_accumulate_grad_hook,
        opt.register_step_pre_hook,
    ):
        handle = register(stop)
        out.append(caught(lambda: (m(x).sum().backward(), opt.step())))
        handle.remove()
        m.zero_grad()
    m(x).sum().backward()
    opt.step()
    return [*out, *m.parameters()]
