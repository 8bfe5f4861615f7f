"""optimizer built before model.to(dev) (params are moved by .data / swap and identity is
kept), load_state_dict after steps, adding a param group later, p.data = new in the
middle, grads cast, param deletion; state on the right device.
"""

import torch
from cases_support import barrier
from torch import nn

SOURCE = "pytorch/pytorch#196975; huggingface/transformers#7976"
KIND = "params"
EXPECT = {"note": "'same' depends on torch.__future__.get_overwrite_module_params_on_conversion: expected True."}


def run(dev):
    torch.manual_seed(0)
    m = nn.Linear(3, 2)
    opt = torch.optim.Adam(m.parameters(), lr=0.1)
    ids = [id(p) for p in m.parameters()]
    m.to(dev)
    same = [id(p) for p in m.parameters()] == ids
    x = torch.randn(4, 3).to(dev)

    def step():
        opt.zero_grad()
        m(x).pow(2).mean().backward()
        opt.step()
        barrier(dev)

    step()
    step()
    sd = dict(opt.state_dict().items())
    extra = nn.Parameter(torch.ones(2).to(dev))
    opt.add_param_group({"params": [extra], "lr": 0.01})
    extra.grad = torch.full_like(extra, 0.5)
    opt.step()
    m.weight.data = m.weight.data * 0 + 0.3
    step()
    st = opt.state[m.weight]
    return [
        m.weight.detach(),
        m.bias.detach(),
        extra.detach(),
        st["exp_avg"],
        st["exp_avg_sq"],
        torch.tensor([same, st["exp_avg"].device.type == torch.device(dev).type, len(sd["state"]) == 2]),
    ]
