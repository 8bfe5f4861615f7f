"""-0.0: neg must not be 0 - x, x + 0 not folded to x (for -0.0), x * 0 not folded to 0,
atan2, copysign, signbit, round(-0.4), sqrt(-0), 1/x, relu, where, min/max, sum.
"""

import torch

SOURCE = "pytorch/pytorch#189799, #53963; tinygrad/tinygrad#14380"
KIND = "numerics"
EXPECT = {"exact": True}


def run(dev):
    z = torch.tensor([0.0, -0.0, 1.0, -1.0, 5e-324 if False else 1e-45]).to(dev)
    res = {
        "neg": -z,
        "add0": z + 0,
        "addn0": z + (-0.0),
        "sub0": z - 0,
        "mul0": z * 0,
        "mul1": z * 1,
        "nmul": z * -1,
        "rsub": 0 - z,
        "round": (z * 0.4).round(),
        "ceil": (z * 0.4).ceil(),
        "trunc": (z * 0.4).trunc(),
        "sqrt": z.abs().neg().mul(0).sqrt(),
        "inv": 1 / z,
        "relu": torch.relu(z),
        "abs": z.abs(),
        "floor": (z * 0.4).floor(),
        "div": z / -3,
        "where": torch.where(z == 0, z, -z),
        "pow3": z**3,
    }
    out = []
    for v in res.values():
        out += [v, torch.signbit(v)]
    return [*out, torch.atan2(z, -z), torch.copysign(torch.ones(5).to(dev), z), z.sign(), torch.tensor([-0.0]).to(dev).sum().signbit(), z == -z]
