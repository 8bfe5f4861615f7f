"""var/std correction 0/1/2, of a single element (nan), over several dims with keepdim;
var_mean; quantile interpolation modes; normalize/cosine with zero vectors;
cov/corrcoef; large-offset variance (no E[x^2]-E[x]^2).
"""

import torch

SOURCE = "pytorch/pytorch#19902, #151198 (partly); else design risk"
KIND = "numerics"
EXPECT = {"rtol": 0.001, "atol": 0.0001}


def run(dev):
    torch.manual_seed(0)
    x = torch.randn(4, 5).to(dev)
    big = x + 1e4
    F = torch.nn.functional
    import warnings

    warnings.simplefilter("ignore")
    return [
        x.std(),
        x.var(1),
        x.var(0, correction=0),
        x.std((0, 1), correction=2, keepdim=True),
        x[:1].std(0),
        x[:1].var(0, unbiased=False),
        *torch.var_mean(x, 1),
        big.var(),
        big.std(1),
        *[x.quantile(0.3, 1, interpolation=m) for m in ("linear", "lower", "higher", "midpoint", "nearest")],
        x.quantile(torch.tensor([0.0, 0.5, 1.0]).to(dev), 0),
        F.normalize(torch.zeros(2, 3).to(dev)),
        F.cosine_similarity(x, x * 0, 1),
        x.cov(),
        x.corrcoef(),
        x.norm(1, 1),
        x.norm(float("inf")),
        torch.linalg.vector_norm(x, 3, 0),
        F.layer_norm(big, (5,)),
        x.softmax(0).std(1),
        F.pairwise_distance(x, x.flip(0)),
        torch.cdist(x, x[:2]),
    ]
