"""Updates of slices that are computed from what they overwrite.

XLA:CPU computes an update in the kernel that writes it, in place, element by element: `q[1:] = q[1:] + q[:-1]` may then read
what it has just written, on both supported jaxlibs and in plain jax too. So where an update reads its base in any other way
than through the same window, or through one that lies apart, it is computed before.
"""

from __future__ import annotations

from collections.abc import Sequence

from lazymlir.dialect import Node, tensor_type
from lazymlir.dialect.types import BOOL
from lazymlir.mlir import ir

from .registry import Emitter

__all__ = ["overwrite"]

MOST = 256
"""So many operations are looked at; if that does not do, an update may read its base."""

_SAME_BUFFER = frozenset({"stablehlo.reshape", "stablehlo.optimization_barrier"})

_KERNELS = frozenset(
    f"stablehlo.{name}"
    for name in (
        "case", "cholesky", "convolution", "custom_call", "dot_general", "fft", "if", "optimization_barrier", "reduce_window",
        "rng_bit_generator", "scatter", "sort", "triangular_solve", "while",
    )
) | {"func.call"}  # fmt: skip
"""Operations that XLA fuses into no reader."""


def overwrite(e: Emitter, x: Node, update: Node, starts: Sequence[Node]) -> Node:
    """`x` with the slice that begins at `starts` replaced."""
    if not _reads_elsewhere(update, x):
        return e.op("dynamic_update_slice", x.type, x, update, *starts)
    if e.in_region:  # where there are no barriers: into memory of its own, and chosen from there
        placed = e.op("dynamic_update_slice", x.type, e.splat(0, x.type), update, *starts)
        mask = x.type.with_dtype(BOOL)
        written = e.op("dynamic_update_slice", mask, e.splat(False, mask), e.splat(True, update.type.with_dtype(BOOL)), *starts)
        return e.select(written, placed, x)
    return e.op("dynamic_update_slice", x.type, x, e.kept(update)[0], *starts)


def _reads_elsewhere(update: Node, x: Node) -> bool:
    """Whether an element of the update may be computed from another element of `x` that the update overwrites."""
    base = _buffer(x.value)
    apart = all(size in (1, whole) for size, whole in zip(update.shape, x.shape, strict=True))  # from any other window of the size
    seen: set[tuple[ir.Value, bool]] = set()
    waiting = [(update.value, True)]
    while waiting:
        value, aligned = waiting.pop()
        if (value, aligned) in seen:
            continue
        if len(seen) >= MOST:
            return True
        seen.add((value, aligned))
        if _buffer(value) == base:
            return True
        owner = value.owner
        if isinstance(owner, ir.Block) or owner.name in _KERNELS:
            continue
        shape = tensor_type(value.type).shape
        if owner.name in ("stablehlo.slice", "stablehlo.dynamic_slice") and _buffer(owner.operands[0]) == base:
            if not (apart and aligned and shape == update.shape):
                return True
            continue
        pointwise = all(tensor_type(operand.type).shape == shape for operand in owner.operands)
        elsewhere = owner.name in ("stablehlo.reverse", "stablehlo.transpose")
        waiting += [(operand, aligned and pointwise and not elsewhere) for operand in owner.operands]
    return False


def _buffer(value: ir.Value) -> ir.Value:
    """What a value shares its memory with."""
    owner = value.owner
    while not isinstance(owner, ir.Block) and owner.name in _SAME_BUFFER:
        value = next(operand for operand, result in zip(owner.operands, owner.results, strict=True) if result == value)
        owner = value.owner
    return value
