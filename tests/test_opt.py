"""`lazymlir-opt` in a process of its own and in this one: start-up, exit statuses, and that no input crashes it.

What it does with good input is tested in lit_tests/opt.
"""

from __future__ import annotations

import io
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from lazymlir.mlir import ir
from lazymlir.passes import PASSES, Pass, functions
from lazymlir.tools.diagnostics import Diagnostic, check, read_expectations, render
from lazymlir.tools.opt import main
from lazymlir.tools.source import split

CHECKOUT = Path(__file__).resolve().parent.parent
OPT = [sys.executable, "-m", "lazymlir.tools.opt"]
FUNCTION = """func.func @f(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = "lazy.permute"(%x) {dims = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}
"""


def run(*arguments: str, stdin: str | bytes = "") -> subprocess.CompletedProcess[str]:
    data = stdin.encode() if isinstance(stdin, str) else stdin
    done = subprocess.run([*OPT, *arguments], input=data, capture_output=True, cwd=CHECKOUT, check=False, timeout=60)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def test_starts_without_torch_jax_and_numpy() -> None:
    heavy = "torch", "jax", "jaxlib", "numpy"
    program = f"import sys; from lazymlir.tools.opt import main; main(['--help']); print([m for m in {heavy} if m in sys.modules], file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=CHECKOUT)
    assert done.stderr.strip() == "[]"


def test_starts_fast() -> None:
    """About 0.2 s on an idle machine; the bound leaves room for a busy one."""
    times = []
    for _ in range(3):
        started = time.perf_counter()
        assert run("--lower", stdin=FUNCTION).returncode == 0
        times.append(time.perf_counter() - started)
    assert min(times) < 1.0


@pytest.mark.parametrize(
    ("stdin", "status", "message"),
    [
        ("", 0, ""),
        ("// nothing but a comment\n", 0, ""),
        (b"\xef\xbb\xbf", 1, "<stdin>:1:1: error:"),
        (b"\x00", 1, "<stdin>:1:1: the input is no UTF-8 text: there is a byte 0x00"),
        (b"ML\xefR\x01\x02", 1, "<stdin>:1:3: the input is no UTF-8 text: there is a byte 0xef"),
        (b"func.func @f() {\n  \xff", 1, "<stdin>:2:3: the input is no UTF-8 text: there is a byte 0xff"),
        (FUNCTION[:-3], 1, "<stdin>:3:"),
        ("func.func @f(", 1, "<stdin>:1:13: error: expected non-function type"),
        ("#a = affine_map<(d0) -> (" + "(" * 100_000, 1, "<stdin>:1:524: brackets are nested more than 500 deep"),
        ("#a = affine_map<(d0)->(" + "-" * 100_000 + "d0)>", 1, "<stdin>:1:524: more than 500 minus signs in a row"),
        ("%0 = arith.negf %1#2147483648 : f32", 1, "<stdin>:1:19: no operation has that many results"),
    ],
)
def test_odd_input_gets_a_located_message(stdin: str | bytes, status: int, message: str) -> None:
    done = run(stdin=stdin)
    assert (done.returncode, "Traceback" in done.stderr) == (status, False)
    assert message in done.stderr
    assert bool(done.stdout) == (status == 0)


def test_exit_statuses(tmp_path: Path) -> None:
    file = tmp_path / "f.mlir"
    file.write_text(FUNCTION)
    assert run(str(file), "--lower").returncode == 0
    assert run(str(tmp_path / "missing.mlir")).returncode == 1
    assert run(str(file), "-o", str(tmp_path / "missing" / "out.mlir")).returncode == 1
    assert run(str(file), "--no-such-pass").returncode == 2
    assert run(str(file), "--pass-pipeline=no-such-pass").returncode == 2


def test_a_reader_that_leaves_is_no_traceback(tmp_path: Path) -> None:
    file = tmp_path / "large.mlir"
    file.write_text("".join(f"func.func private @f{number}()\n" for number in range(50_000)))
    with subprocess.Popen([*OPT, str(file)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=CHECKOUT) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""


@dataclass(frozen=True)
class _Faulty(Pass):
    """Raise an exception."""

    name = "test-faulty"

    def run(self, module: ir.Module) -> dict[str, int]:
        raise KeyError("gone")


@dataclass(frozen=True)
class _Breaking(Pass):
    """Leave a function without its terminator."""

    name = "test-breaking"

    def run(self, module: ir.Module) -> dict[str, int]:
        for function in functions(module):
            operations = function.regions[0].blocks[0].operations
            operations[len(operations) - 1].operation.erase()
        return {}


def run_here(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    for cls in (_Faulty, _Breaking):
        monkeypatch.setitem(PASSES, cls.name, cls)
    monkeypatch.setattr(sys, "stdin", io.StringIO(FUNCTION))
    status = main(arguments)
    out, errors = capsys.readouterr()
    return status, out, errors


def test_a_fault_in_a_pass_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, errors = run_here(monkeypatch, capsys, "--test-faulty")
    assert (status, out) == (1, "")
    assert "<stdin>: error: internal error at" in errors
    assert "test_opt.py" in errors
    assert "KeyError: 'gone'" in errors
    assert "Traceback" not in errors
    assert "Traceback" in run_here(monkeypatch, capsys, "--test-faulty", "--traceback")[2]


def test_broken_ir_is_found_after_the_pass_unless_told_not_to(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, errors = run_here(monkeypatch, capsys, "--test-breaking")
    assert (status, out) == (1, "")
    assert "block with no terminator" in errors or "empty block" in errors
    status, out, errors = run_here(monkeypatch, capsys, "--test-breaking", "--verify-each=false")
    assert (status, errors) == (0, "")
    assert "lazy.permute" in out


def test_the_same_text_comes_out_each_time(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    texts = {run_here(monkeypatch, capsys, "--lower")[1] for _ in range(3)}
    assert len(texts) == 1


# Pieces.


def test_split_keeps_the_lines_of_the_file() -> None:
    chunks = split("a\n// -----\nb\nc\n// -----  \n\nd")
    assert [(chunk.text, chunk.first_line) for chunk in chunks] == [("a\n", 1), ("b\nc\n", 3), ("\nd", 6)]
    assert [chunk.padded.splitlines().index(text) + 1 for chunk, text in zip(chunks, "abd", strict=True)] == [1, 3, 7]


def test_a_caret_stands_under_the_column_behind_tabs_too() -> None:
    assert render(Diagnostic("error", "no", line=2, column=3), "f.mlir", ["", "\t\tx"]) == "f.mlir:2:3: error: no\n\t\tx\n\t\t^"
    assert render(Diagnostic("error", "no"), "f.mlir", []) == "f.mlir: error: no"
    assert render(Diagnostic("note", "no", "train.py", 9, 9), "f.mlir", [""]) == "train.py:9:9: note: no"


@pytest.mark.parametrize(
    ("text", "diagnostic"),
    [
        ("// expected-error@+1 {{b c}}", Diagnostic("error", "a b c d", line=2)),
        ("// expected-warning {{}}", Diagnostic("warning", "anything", line=1)),
        ("// expected-remark@below {{a.c}}", Diagnostic("remark", "a.c", line=2)),
        ("// expected-note-re@above {{x{{[0-9]+}}(y}}", Diagnostic("note", "x12(y", line=0)),
        ("// expected-error@unknown {{a}}", Diagnostic("error", "a")),
        ("// expected-error@unknown {{a}}", Diagnostic("error", "a", "train.py", 1)),
        ('%0 = "a"() // expected-error {{{a}} }}', Diagnostic("error", "{a}} ", line=1)),
    ],
)
def test_an_expectation_is_met(text: str, diagnostic: Diagnostic) -> None:
    expectations, errors = read_expectations([text])
    assert errors == []
    assert check([diagnostic], expectations) == []


@pytest.mark.parametrize(
    "diagnostic",
    [
        Diagnostic("warning", "abc", line=2),
        Diagnostic("error", "abd", line=2),
        Diagnostic("error", "abc", line=1),
        Diagnostic("error", "abc"),
        Diagnostic("error", "abc", "train.py", 2),
    ],
)
def test_an_expectation_is_not_met(diagnostic: Diagnostic) -> None:
    expectations, _ = read_expectations(["// expected-error@below {{a.*|abc}}", "// expected-error@above-typo {{abc}}"])
    assert len(expectations) == 1
    expectations, _ = read_expectations(["// expected-error@+1 {{abc}}"])
    assert len(check([diagnostic], expectations)) == 2


@pytest.mark.parametrize(
    "text", ["// expected-error {a}", "// expected-error@1 {{a}}", "// expected-error {{a}} and more", "// expected-error-re {{{{(}}}}"]
)
def test_what_only_looks_like_an_expectation_is_an_error(text: str) -> None:
    expectations, errors = read_expectations(["", text])
    assert (expectations, [error.line for error in errors]) == ([], [2])


# Mutated input, in one process of its own: a crash of it would be a failure here.

_MUTATE = r"""
import contextlib, io, random, sys
from lazymlir.tools.opt import main

TOKENS = ['{', '}', '(', ')', '<', '>', '"', '->', ':', '%0', 'tensor<*xf32>', 'tensor<?xf32>', 'array<i64>', '-1', '99999999999999999999',
          '#lazy.view<"slice", []>', '!lazy.x', 'dense<1.0>', '@f', 'loc(unknown)', '\0', '\n', '"lazy.index"', '"lazy.write_view"', '// -----\n']
FLAGS = [[], ['--lower'], ['--cse'], ['--split-input-file', '--verify-diagnostics'], ['--mlir-print-op-generic'], ['--allow-unregistered-dialect']]
chance = random.Random(int(sys.argv[1]))
corpus = [open(name).read() for name in sys.argv[3:]]


def mutate(text):
    for _ in range(chance.choice([1, 1, 2, 4])):
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + chance.randrange(30))
        inserted = chance.choice(['', chance.choice(TOKENS), text[start:end] * 2, chr(chance.randrange(1, 300))])
        text = text[:start] + inserted + text[end:]
    return text if chance.random() < 0.9 else text[: chance.randrange(len(text) + 1)]


for _ in range(int(sys.argv[2])):
    text, flags = mutate(chance.choice(corpus)), chance.choice(FLAGS)
    sys.stdin, errors = io.StringIO(text), io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(errors):
        status = main(flags)
    said = errors.getvalue()
    if status not in (0, 1) or (status == 1 and not said.strip()) or 'Traceback' in said or 'internal error' in said:
        print(f'{status} {flags} {text!r}\n{said}')
print('done')
"""


def test_mutated_input_never_crashes() -> None:
    corpus = sorted(str(file) for file in (CHECKOUT / "lit_tests" / "dialect").glob("*.mlir"))
    small = [file for file in corpus if Path(file).stat().st_size < 8_000]
    done = subprocess.run([sys.executable, "-c", _MUTATE, "1", "150", *small], capture_output=True, text=True, cwd=CHECKOUT, timeout=300, check=False)
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stdout + done.stderr


def test_pipelines_in_any_shape_never_crash(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    texts: list[Any] = [
        "",
        "(",
        ")",
        "cse(",
        "cse)",
        "cse{",
        "cse}{",
        ",",
        "cse,,cse",
        "{}",
        "builtin.module()",
        "builtin.module(builtin.module(cse))",
    ]
    texts += [
        "any(func.func(cse))",
        "foo.bar(cse)",
        "lazy-donate{minimum-bytes}",
        "lazy-donate{=}",
        "lazy-donate{minimum-bytes=1 minimum-bytes=2}",
        "é",
        "\0",
    ]
    for text in texts:
        status, _, errors = run_here(monkeypatch, capsys, f"--pass-pipeline={text}")
        assert status in (0, 2), text
        assert bool(errors) == (status == 2), text
