"""real, imag, view_as_real and view_as_complex share memory; conj and neg bits are lazy in torch and must be resolved on
writes, in products and on transfers.
"""

import torch
from cases_support import barrier

SOURCE = "pytorch/pytorch#77126"
KIND = "views+inplace"
EXPECT = {}


def run(dev):
    z = torch.tensor([1 + 2j, -3j, 4.0], dtype=torch.complex64).to(dev)
    z.real.add_(1)
    z.imag[1:] *= 2
    pairs = torch.view_as_real(z)
    pairs[0] = torch.tensor([9.0, -9.0]).to(dev)
    barrier(dev)
    c = z.conj()
    c.mul_(1j)
    made = torch.view_as_complex(torch.arange(6.0).to(dev).reshape(3, 2))
    i = c.imag
    i.neg_()
    return [z, c, pairs, made, i, (z * c).sum(), torch.vdot(z, made), c.clone(), z.abs(), z.angle(), c.is_conj(), c.resolve_conj()]
