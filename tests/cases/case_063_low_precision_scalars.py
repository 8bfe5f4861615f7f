"""bf16/fp16 tensors with Python scalars keep their dtype and round as torch does (op math
in float32 then one rounding); pow with float exponent; in-place *= 0.5; relu keeps
half; sum/softmax/layer_norm in half on CPU.
"""

import torch

SOURCE = "pytorch/xla#1929, #6745, #6403"
KIND = "dtype/half"
EXPECT = {"rtol": 0.02, "atol": 0.02, "note": "dtype must match exactly; elementwise single ops should be bit exact"}


def run(dev):
    out = []
    for d in (torch.bfloat16, torch.float16):
        a = torch.arange(10).to(d).to(dev)
        x = torch.linspace(-3, 3, 12).to(d).to(dev)
        y = x.clone()
        y *= 0.5
        y += 0.1
        out += [
            torch.pow(a, 3.0),
            a**2,
            y,
            torch.relu(x),
            x + 1e-3,
            x * 3,
            x / 3,
            1 / (x + 10),
            x.sigmoid(),
            x.reshape(3, 4).softmax(1),
            x.sum(),
            x.exp(),
            torch.add(x, x, alpha=0.3),
            torch.nn.functional.layer_norm(x.reshape(3, 4), (4,)),
            x.reshape(3, 4) @ x.reshape(4, 3),
            x.float(),
            x.max(),
            x > 0.3,
            torch.where(x > 0, x, 0.1),
        ]
    return out
