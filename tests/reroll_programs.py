"""Random programs with loops, for comparing what `lazy-reroll-loops` makes of them with what they are unrolled.

    python tests/reroll_programs.py 2000        as many programs, and how many loops were rolled

A program is data: vectors in variables, statements in loops that may stand in each other, and what is looked at afterwards.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import lazymlir
from lazymlir import metrics

UNHURRIED: dict[str, Any] = {"deadline": None, "database": None, "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large]}

WIDTH = 3
ROWS = 24
VARIABLES = 4
CONSTANTS = 2

Statement = tuple[Any, ...]
"""("set", variable, operation, operand, operand), ("write", place, operand), ("tap", variable), ("rotate", variables),
("only", iteration, statements) or ("loop", count, statements)."""


class Program(NamedTuple):
    whole: bool
    """Of 64-bit integers, or else of floats."""
    body: tuple[Statement, ...]
    looked_at: tuple[int, ...]
    """Which taps are results."""


Operation = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
WHOLE: dict[str, Operation] = {
    "add": torch.add,
    "sub": torch.sub,
    "mul": lambda x, y: x * y % 1009,
    "max": torch.maximum,
    "xor": torch.bitwise_xor,
    "where": lambda x, y: torch.where(x > y, x - 1, y),
    "sum": lambda x, y: x.sum() + y,
    "roll": lambda x, y: torch.cat([x[1:], y[:1]]),
}
FLOAT: dict[str, Operation] = {
    "add": lambda x, y: (x + y) * 0.5,
    "mul": lambda x, y: torch.tanh(x * y),
    "sin": lambda x, y: torch.sin(x - y),
    "max": torch.maximum,
    "matrix": lambda x, y: torch.tanh(torch.outer(x, y) @ y),
    "soft": lambda x, y: torch.softmax(x, 0) * y,
    "dropped": lambda x, y: torch.where(x > y, x, torch.zeros_like(y)),
}


def run(program: Program, device: str) -> list[torch.Tensor]:
    """What the program computes on a device, on the CPU."""
    return [x.cpu() for x in _Run(program, device).results()]


class _Run:
    def __init__(self, program: Program, device: str) -> None:
        generator = torch.Generator().manual_seed(7)

        def drawn(*shape: int) -> torch.Tensor:
            numbers = torch.randint(-9, 9, shape, generator=generator)
            return (numbers if program.whole else numbers / 7).to(device)

        self.program = program
        self.operations = WHOLE if program.whole else FLOAT
        self.variables = [drawn(WIDTH) for _ in range(VARIABLES)]
        self.constants = [drawn(WIDTH) for _ in range(CONSTANTS)]
        self.rows = drawn(ROWS, WIDTH)
        self.taps: list[torch.Tensor] = []

    def results(self) -> list[torch.Tensor]:
        self.do(self.program.body, (0,))
        taps = [self.taps[i % len(self.taps)] for i in self.program.looked_at] if self.taps else []
        return [*self.variables, self.rows, *taps]

    def do(self, statements: Sequence[Statement], iterations: tuple[int, ...]) -> None:
        t = iterations[-1]
        for kind, *rest in statements:
            if kind == "set":
                variable, operation, x, y = rest
                self.variables[variable] = self.operations[operation](self.operand(x, t), self.operand(y, t))
            elif kind == "write":
                place, x = rest
                self.rows[self.row(place, t)] = self.operand(x, t)
            elif kind == "tap":
                self.taps.append(self.variables[rest[0]])
            elif kind == "rotate":
                first, *others = rest[0]
                held = self.variables[first]
                for a, b in zip(rest[0], others, strict=False):
                    self.variables[a] = self.variables[b]
                self.variables[rest[0][-1]] = held
            elif kind == "only":
                if t == rest[0]:
                    self.do(rest[1], iterations)
            else:
                for i in range(rest[0]):
                    self.do(rest[1], (*iterations, i))

    def row(self, place: tuple[str, int], t: int) -> int:
        kind, offset = place
        return {"forward": t + offset, "backward": ROWS - 1 - t - offset, "fixed": offset, "steps": 2 * t + offset}[kind] % ROWS

    def operand(self, x: tuple[str, Any], t: int) -> torch.Tensor:
        kind, what = x
        if kind == "variable":
            return self.variables[what]
        if kind == "constant":
            return self.constants[what]
        if kind == "row":
            return self.rows[self.row(what, t)]
        if kind == "tap":
            return self.taps[-1 - (what + t) % len(self.taps)] if self.taps else self.constants[0]
        start, step = what
        number = start + step * t
        return self.constants[0] * (number if self.program.whole else number / 4)


VARIABLE = st.integers(0, VARIABLES - 1)
PLACE = st.tuples(st.sampled_from(["forward", "backward", "fixed", "steps"]), st.integers(0, 3))
OPERAND = st.one_of(
    st.tuples(st.just("variable"), VARIABLE),
    st.tuples(st.just("variable"), VARIABLE),
    st.tuples(st.just("constant"), st.integers(0, CONSTANTS - 1)),
    st.tuples(st.just("row"), PLACE),
    st.tuples(st.just("tap"), st.integers(0, 2)),
    st.tuples(st.just("number"), st.tuples(st.integers(-3, 3), st.integers(-1, 2))),
)


def statements(whole: bool, depth: int) -> st.SearchStrategy[tuple[Statement, ...]]:
    simple = st.one_of(
        st.tuples(st.just("set"), VARIABLE, st.sampled_from(sorted(WHOLE if whole else FLOAT)), OPERAND, OPERAND),
        st.tuples(st.just("set"), VARIABLE, st.sampled_from(sorted(WHOLE if whole else FLOAT)), OPERAND, OPERAND),
        st.tuples(st.just("write"), PLACE, OPERAND),
        st.tuples(st.just("tap"), VARIABLE),
        st.tuples(st.just("rotate"), st.lists(VARIABLE, min_size=2, max_size=3, unique=True)),
    )
    if depth == 0:
        return st.lists(simple, min_size=1, max_size=4).map(tuple)
    inner = statements(whole, depth - 1)
    loop = st.tuples(st.just("loop"), st.integers(2, 7), inner)
    odd = st.tuples(st.just("only"), st.integers(0, 6), st.lists(simple, min_size=1, max_size=2).map(tuple))
    return st.lists(st.one_of(simple, loop, loop, odd), min_size=1, max_size=3).map(tuple)


@st.composite
def programs(draw: st.DrawFn) -> Program:
    whole = draw(st.booleans())
    before, after = draw(statements(whole, 0)), draw(statements(whole, 2))
    loop = ("loop", draw(st.integers(2, 9)), draw(statements(whole, draw(st.integers(0, 1)))))
    return Program(whole, (*before, loop, *after), draw(st.lists(st.integers(0, 50), max_size=3).map(tuple)))


def check(program: Program) -> None:
    """Rolled wherever it can be, the program computes what it computes unrolled: the same bits, of integers."""
    with lazymlir.config(reroll="off"):
        expected = run(program, "lazymlir")
    with lazymlir.config(reroll="always"):
        got = run(program, "lazymlir")
    for a, b in zip(got, expected, strict=True):
        if program.whole:
            assert torch.equal(a, b), program
        else:
            torch.testing.assert_close(a, b, equal_nan=True)


def main(count: int) -> None:
    counts: Counter[str] = Counter()

    @settings(max_examples=count, phases=[Phase.generate, Phase.shrink], **UNHURRIED)
    @given(programs())
    def everything(program: Program) -> None:
        before = {name: metrics.counter_value(name) or 0 for name in ("LoopsRolled", "IterationsRolled")}
        check(program)
        rolled = {name: (metrics.counter_value(name) or 0) - value for name, value in before.items()}
        counts.update(rolled, programs=1, rolled=rolled["LoopsRolled"] > 0)

    everything()
    print(dict(counts))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
