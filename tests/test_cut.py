"""Where endless traces are cut."""

from __future__ import annotations

from lazymlir.core.cut import WINDOW, Cutter, smallest_period


def run(program: list[int], limit: int, held=lambda end: False) -> list[tuple[int, ...]]:
    """The parts that a program of these records falls into."""
    cutter, trace, parts = Cutter(), [], []
    for record in program:
        if cutter.due(len(trace), limit):
            cut = cutter.choose(trace, limit, held)
            while 0 < cut <= len(trace) - WINDOW:
                parts.append(tuple(trace[:cut]))
                trace = trace[cut:]
                if not cutter.repeats:
                    break
        trace.append(record)
    return parts


def test_the_smallest_period_is_found():
    assert smallest_period(list(range(30)) * 4) == 30
    assert smallest_period([1, 2, 3] * 40) == 3
    assert smallest_period(list(range(100))) is None


def test_a_loop_falls_into_equal_parts():
    body = list(range(50))
    parts = run(body * 100, limit=200)
    assert len(set(parts)) == 1
    assert len(parts[0]) % 50 == 0


def test_a_loop_after_a_preamble_settles():
    parts = run([*range(1000, 1077), *list(range(60)) * 100], limit=200)
    assert parts[0] == tuple(range(1000, 1077))
    assert len(set(parts[1:])) == 1


def test_a_body_longer_than_the_limit_is_cut_at_known_places():
    parts = run(list(range(330)) * 30, limit=200)
    assert len(set(parts)) <= 6


def test_a_program_that_never_repeats_is_cut_at_the_limit():
    parts = run(list(range(1000)), limit=200)
    assert [len(part) for part in parts] == [200] * len(parts)


def test_no_record_is_lost():
    program = [*range(70), *list(range(40)) * 30, *range(500)]
    parts = run(program, limit=150)
    joined = [record for part in parts for record in part]
    assert joined == program[: len(joined)]
    assert len(program) - len(joined) <= 150 + WINDOW
