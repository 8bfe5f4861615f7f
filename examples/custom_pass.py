"""A pass of your own in the pipeline: computes 1 / sqrt(x) in one operation."""

from dataclasses import dataclass

import torch

import lazymlir
from lazymlir.passes import STANDARD, Pass, functions, register
from lazymlir.passes.rewrite import body, builder_before, nodes, replace


@register
@dataclass(frozen=True)
class FuseRsqrt(Pass):
    """Turn reciprocal(sqrt(x)), recorded as div(1, sqrt(x)), into rsqrt(x)."""

    name = "my-fuse-rsqrt"

    def run(self, module) -> dict[str, int]:
        fused = 0
        for function in functions(module):
            for op in body(function):
                root = op.operands[1].owner if op.name == "lazy.div" else None
                one = op.operands[0].owner if root is not None else None
                if getattr(root, "name", "") == "lazy.sqrt" and "value = 1.0" in str(one):
                    replace(op, [builder_before(op).rsqrt(nodes(root.operation)[0]).value])
                    fused += 1
        return {"rsqrt fused": fused}


x = torch.rand(4, device="lazymlir") + 1
y = x.sqrt().reciprocal()
text = lazymlir.ir_text(y, form="mlir", passes="lazy-specialize-scalars,lazy-canonicalize,my-fuse-rsqrt,cse,lazy-canonicalize")
print(text)
with lazymlir.config(passes=",".join([*STANDARD[:5], "my-fuse-rsqrt", *STANDARD[5:]])):
    torch.testing.assert_close(y.cpu(), x.cpu().rsqrt())
assert "lazy.rsqrt" in text
