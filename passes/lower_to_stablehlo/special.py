"""Special functions: templates of jax (lazymlir/runtime/templates_special.py)."""

from __future__ import annotations

from lazymlir.dialect import Node, TensorType

from .registry import Emitter, Lowering, lowering


def _template(name: str) -> Lowering:
    def lower(e: Emitter, result: TensorType, *operands: Node) -> Node:
        return e.template(name, [result], operands)[0]

    return lower


for _name in ("zeta", "igamma", "igammac", "gcd"):
    lowering(_name)(_template(_name))


@lowering("orthogonal_polynomial")
def orthogonal_polynomial(e: Emitter, result: TensorType, x: Node, n: Node, family: str) -> Node:
    return e.template("orthogonal_polynomial", [result], [x, n], family=family)[0]
