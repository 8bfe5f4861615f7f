"""Attention/softmax rows with all -inf: softmax gives NaN, logsumexp gives -inf,
scaled_dot_product_attention gives 0 row (torch >= 2.5) with a bool mask; log_softmax
large values; causal flag; masked rows gradient.
"""

import torch

SOURCE = "ml-explore/mlx#2395, iree-org/iree#24178"
KIND = "numerics"
EXPECT = {}


def run(dev):
    torch.manual_seed(0)
    F = torch.nn.functional
    i = float("inf")
    x = torch.tensor([[0.0, -i, 1.0], [-i, -i, -i], [1e4, -1e4, 88.0]]).to(dev)
    q, k, v = (torch.randn(1, 2, 4, 3).to(dev).requires_grad_() for _ in range(3))
    m = torch.ones(4, 4).bool().tril().to(dev)
    m[1] = False
    o = F.scaled_dot_product_attention(q, k, v, attn_mask=m)
    c = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    c.sum().backward()
    return [
        x.softmax(1),
        x.log_softmax(1),
        x.logsumexp(1),
        x.exp().sum(1),
        o.detach(),
        c.detach(),
        q.grad,
        torch.logcumsumexp(x, 1),
        F.cross_entropy(x[[0, 2]], torch.tensor([2, 0]).to(dev)),
        torch.logaddexp(x[1], x[1]),
    ]
