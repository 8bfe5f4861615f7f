"""0 and 1 are inlined as constants, other numbers are parameters. A warm-up factor running
0, .25, .5, .75, 1, 1, .5, 0 therefore flips the graph form; values must be right, the
number of forms bounded, and simplifying x*0 must keep NaN/inf and -0.0.
"""

import torch
from cases_support import barrier

SOURCE = "pytorch/xla#8414, #558, #1398"
KIND = "recompile/scalar"
EXPECT = {"max_compiles": 9, "rerun_compiles": 0}


def run(dev):
    x = torch.tensor([1.5, -2.0, float("nan"), float("inf"), -0.0]).to(dev)
    outs = []
    for k in (0, 0.25, 0.5, 0.75, 1, 1, 0.5, 0, 0.0, 1.0, -1, True, 2):
        y = x * k + k
        z = x**k
        barrier(dev)
        outs += [y, z, torch.signbit(x * k)]
    return outs
