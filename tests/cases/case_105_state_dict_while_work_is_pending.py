"""state_dict holds the memory of the parameters, not copies: what is recorded after taking it shows in it, what was saved
before does not, and load_state_dict writes into the same parameters the optimizer holds.
"""

import io

import torch
from torch import nn

SOURCE = "pytorch/xla#719; huggingface/transformers#7976"
KIND = "copy/pickle"
EXPECT = {"rtol": 0.0001}


def run(dev):
    torch.manual_seed(0)
    m = nn.Linear(3, 2).to(dev)
    opt = torch.optim.SGD(m.parameters(), lr=0.1, momentum=0.9)
    x = torch.randn(4, 3).to(dev)

    def step():
        opt.zero_grad()
        m(x).pow(2).mean().backward()
        opt.step()

    step()
    shared = m.state_dict()
    kept = {name: value.clone() for name, value in shared.items()}
    file = io.BytesIO()
    torch.save({"m": shared, "o": opt.state_dict()}, file)
    step()
    step()
    after = {name: value.clone() for name, value in shared.items()}
    file.seek(0)
    loaded = torch.load(file, weights_only=True)
    m.load_state_dict(loaded["m"])
    opt.load_state_dict(loaded["o"])
    step()
    return [
        kept,
        after,
        m.state_dict(),
        shared["weight"].untyped_storage().data_ptr() == m.weight.untyped_storage().data_ptr(),
        loaded["m"]["weight"].device.type == torch.device(dev).type,
    ]
