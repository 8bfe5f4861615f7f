"""Each lowering computes what eager torch computes on the CPU, through XLA alone: the pass, jaxlib's client, a comparison.

Neighbouring cases are one module, compiled once; a case is a row of data and a test of its own.
"""

from __future__ import annotations

import functools
import itertools

import numpy as np
import pytest
import torch
from lowering_pointwise_cases import pointwise_cases
from lowering_structured_cases import structured_cases
from lowering_support import Array, Case, execute, lowered, numpy, tensor

from lazymlir.dialect import OPS, TensorType
from lazymlir.passes.lower_to_stablehlo import LOWERINGS

NOT_LOWERED = {**dict.fromkeys(("scalar", "count", "table"), "packed by the pass itself"), "write_view": "expanded by lazy-invert-views"}
SIGNED_ZERO = {"neg", "abs", "ceil", "floor", "round", "trunc", "fmod", "sign", "cast", "mul"}
PER_PROGRAM = 60  # XLA's compile time grows faster than a module
CASES = [*pointwise_cases(), *structured_cases()]


@functools.cache
def outcomes(program: int) -> list[list[Array]]:
    """Results of the cases that share the program."""
    cases = CASES[program * PER_PROGRAM : (program + 1) * PER_PROGRAM]
    results = iter(execute(lowered(cases), [a for case in cases for a in case.inputs]))
    return [list(itertools.islice(results, len(OPS[case.op].results) - len(case.unused))) for case in cases]


@pytest.mark.parametrize("number", range(len(CASES)), ids=[f"{number}-{case}" for number, case in enumerate(CASES)])
def test_lowering_computes_what_torch_computes(number: int) -> None:
    case = CASES[number]
    expected = case.expected(*[tensor(a) for a in case.inputs])
    wanted = list(expected) if isinstance(expected, list | tuple) else [expected]
    got = outcomes(number // PER_PROGRAM)[number % PER_PROGRAM]
    assert len(got) == len(wanted)
    for actual, reference in zip(got, map(numpy, wanted), strict=True):
        assert (actual.shape, actual.dtype) == (reference.shape, reference.dtype)
        torch.testing.assert_close(tensor(actual), tensor(reference), equal_nan=True)
        if case.op in SIGNED_ZERO and actual.dtype.kind != "c":
            np.testing.assert_array_equal(np.signbit(actual) & (actual == 0), np.signbit(reference) & (reference == 0))


def test_every_declared_operation_has_a_lowering_and_a_case() -> None:
    assert set(LOWERINGS) == set(OPS) - set(NOT_LOWERED)
    assert {case.op for case in CASES} == set(LOWERINGS)


def test_streams_of_different_keys_are_unrelated() -> None:
    wanted = TensorType((4096,), "ui32")
    keys = [np.array(key, "i8") for key in (0, 1, 2, 2**32, -1)]
    streams = execute(lowered([Case("random_bits", (key,), lambda: None, result=wanted) for key in keys]), keys)
    for left, right in itertools.combinations(streams, 2):
        assert not np.intersect1d(left[:64], right).size
        same = np.unpackbits((~(left ^ right)).view("u1")).mean()
        assert abs(same - 0.5) < 0.01
    for stream in streams:
        assert abs(np.unpackbits(stream.view("u1")).mean() - 0.5) < 0.01
