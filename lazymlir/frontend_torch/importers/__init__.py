"""Importers by family: each module adds its overloads to the table in registry.py."""

from . import (  # noqa: F401
    activations,
    adaptive,
    assertion,
    attention,
    convolution,
    foreach,
    fused,
    index,
    linalg,
    loss,
    matmul,
    norm,
    pointwise,
    pool,
    random,
    reduce,
    rnn,
    shape,
    upsample,
)
