"""The `lazy` dialect: small, framework-neutral, value semantics, static shapes (LazyTensor paper, section on the IR).

Operations are declared by family in the modules named below; `declare.py` says how. `lazymlir.dialect.load()` puts them
into an MLIR context, `Builder` makes them, `views.py` describes views and their inverses.
"""

if __name__ != "lazymlir.dialect":
    raise ImportError(f"import this package as lazymlir.dialect, not as {__name__}: a second copy breaks class identity")

from . import check, contract, elementwise, fourier, index, leaf, linalg, path, random, reduce, shape, special, view  # noqa: F401  (each adds its declarations)
from .builder import Builder, Node, TypeBuilder, clone
from .declare import OPS, OpDef, TypeRuleError
from .register import load, operand_types, read_attributes, tensor_type
from .types import TensorType

__all__ = [
    "OPS",
    "Builder",
    "Node",
    "OpDef",
    "TensorType",
    "TypeBuilder",
    "TypeRuleError",
    "clone",
    "load",
    "operand_types",
    "read_attributes",
    "tensor_type",
]
