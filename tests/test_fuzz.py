"""Random programs run on the device as on the CPU: a few of them here, with the same seeds each time; `make fuzz N=5000` runs more."""

from __future__ import annotations

from fuzz_generate import programs
from fuzz_program import Program, difference
from hypothesis import HealthCheck, Phase, given, settings

PROGRAMS = 60


@settings(
    max_examples=PROGRAMS,
    database=None,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much, HealthCheck.large_base_example],  # type: ignore[arg-type]
    phases=[Phase.generate],
)
@given(programs())
def test_random_programs(program: Program) -> None:
    found = difference(program)
    assert not found, f"{found}\n{program!r}"
