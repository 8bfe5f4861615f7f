"""Result types of tensor-tensor, tensor-0d, tensor-scalar, bool & uint8, in-place not
promoting (int += float raises), comparison/where/cat/stack promotion. dtype is part of
the result.
"""

import torch

SOURCE = "pytorch/xla#1151, #2009, #3234, #592"
KIND = "dtype"
EXPECT = {}


def run(dev):
    T = {
        d: torch.tensor([1, 0, 1]).to(d).to(dev)
        for d in (torch.bool, torch.uint8, torch.int8, torch.int32, torch.int64, torch.float16, torch.bfloat16, torch.float32, torch.float64)
    }
    Z = {d: torch.tensor(1).to(d).to(dev) for d in T}
    out = []
    for _d, t in T.items():
        for _e, u in T.items():
            out.append(t + u)
        for z in Z.values():
            out.append(t * z)
        for s in (True, 2, 1.5):
            out.append(t + s)
            out.append(s * t)
        out += [t / 2, t**2, torch.where(t > 0, t, 1.5), torch.maximum(t, T[torch.int32])]
    out += [
        T[torch.bool] & T[torch.uint8],
        T[torch.bool] | T[torch.bool],
        torch.cat([T[torch.int32], T[torch.float16]]),
        T[torch.uint8] == True,  # noqa: E712
        T[torch.int64].clamp(max=0.5),
        2 ** T[torch.int32],
        5 // (T[torch.int32] + 1),
    ]
    i = T[torch.int64].clone()
    try:
        i += 1.5
        bad = 0
    except RuntimeError:
        bad = 1
    i += True
    return [*out, torch.tensor(bad), i]
