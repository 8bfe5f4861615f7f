"""The lit format of lit_tests/ passes what should pass and, above all, fails what should fail."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

LIT_TESTS = Path(__file__).resolve().parent.parent / "lit_tests"

FUNCTION = """
func.func @f(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %0 = "lazy.permute"(%x) {dims = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}
"""
WRONG = FUNCTION.replace("1, 0", "1, 1")

# file name: its RUN lines and checks, then its input
PASSING = {
    "check": ("RUN: lazymlir-opt %s | filecheck %s\nCHECK: lazy.permute", FUNCTION),
    "several_runs": (
        "RUN: lazymlir-opt %s | filecheck %s\nRUN: lazymlir-opt %s --lower | filecheck %s --check-prefix=LOW\nCHECK: lazy.perm\nLOW: stablehlo.t",
        FUNCTION,
    ),
    "continued_line": ("RUN: lazymlir-opt %s \\\nRUN:   | filecheck %s\nCHECK: lazy.permute", FUNCTION),
    "expected_failure": ("RUN: not lazymlir-opt %s 2>&1 | filecheck %s\nCHECK: error: lazy.permute: dims [1, 1] is not", WRONG),
    "expected_mismatch": ("RUN: lazymlir-opt %s | not filecheck %s\nCHECK: lazy.add", FUNCTION),
    "stdin": ("RUN: lazymlir-opt < %s | filecheck %s\nCHECK: lazy.permute", FUNCTION),
    "printed_past_python": ("RUN: lazymlir-opt %s --cse --mlir-print-ir-after-all 2>&1 | filecheck %s\nCHECK: IR Dump After CSE", FUNCTION),
    "other_commands": ("RUN: cat %s | lazymlir-opt - > %t\nRUN: filecheck %s < %t\nCHECK: lazy.permute", FUNCTION),
    "output_file": ("RUN: lazymlir-opt %s -o %t\nRUN: cat %t | filecheck %s\nCHECK: lazy.permute", FUNCTION),
    "diagnostics": (
        "RUN: lazymlir-opt %s --verify-diagnostics",
        WRONG.replace("  %0 =", "  // expected-error@below {{dims [1, 1] is not a permutation of rank 2}}\n  %0 ="),
    ),
}
FAILING = {
    "wrong_check": ("RUN: lazymlir-opt %s | filecheck %s\nCHECK: lazy.add", FUNCTION),
    "wrong_check_in_second_run": (
        "RUN: lazymlir-opt %s | filecheck %s\nRUN: lazymlir-opt %s | filecheck %s --check-prefix=B\nCHECK: func\nB: lazy.add",
        FUNCTION,
    ),
    "no_checks": ("RUN: lazymlir-opt %s | filecheck %s", FUNCTION),
    "exit_status": ("RUN: lazymlir-opt %s", WRONG),
    "exit_status_before_a_pipe": ("RUN: lazymlir-opt %s 2>&1 | filecheck %s\nCHECK: error: lazy.permute", WRONG),
    "no_failure_where_one_is_wanted": ("RUN: not lazymlir-opt %s | filecheck %s\nCHECK: lazy.permute", FUNCTION),
    "unknown_pass": ("RUN: lazymlir-opt %s --lazy-nothing", FUNCTION),
    "unexpected_diagnostic": ("RUN: lazymlir-opt %s --verify-diagnostics", WRONG),
    "diagnostic_that_does_not_come": ("RUN: lazymlir-opt %s --verify-diagnostics", FUNCTION + "// expected-error@above {{something}}\n"),
    "diagnostic_with_another_text": (
        "RUN: lazymlir-opt %s --verify-diagnostics",
        WRONG.replace("  %0 =", "  // expected-error@below {{another text}}\n  %0 ="),
    ),
    "diagnostic_on_another_line": (
        "RUN: lazymlir-opt %s --verify-diagnostics",
        WRONG.replace("  %0 =", "  // expected-error {{dims [1, 1] is not a permutation of rank 2}}\n  %0 ="),
    ),
    "other_commands_fail": ("RUN: cat %s | lazymlir-opt - | filecheck %s\nCHECK: lazy.add", FUNCTION),
}


def _comment(lines: str) -> str:
    return "".join(f"// {line}\n" for line in lines.splitlines())


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What lit says of each file above, in one run."""
    folder = tmp_path_factory.mktemp("suite")
    for name, (script, text) in (PASSING | FAILING).items():
        (folder / f"{name}.mlir").write_text(_comment(script) + text)
    (folder / "no_run_line.mlir").write_text(FUNCTION)
    (folder / "lit.cfg.py").write_text(
        f"lit_config.load_config(config, {str(LIT_TESTS / 'lit.cfg.py')!r})\n"
        f"config.test_source_root = {str(folder)!r}\nconfig.test_exec_root = {str(folder / 'Output')!r}\n"
    )
    report = folder / "report.json"
    program = "from lit.main import main; main()"
    subprocess.run([sys.executable, "-c", program, str(folder), "-q", "-o", str(report)], check=False, capture_output=True, cwd=folder)
    tests = json.loads(report.read_text())["tests"]
    return {Path(test["name"].split(" :: ")[1]).stem: test["code"] for test in tests}


@pytest.mark.parametrize("name", PASSING)
def test_passes(outcomes: dict[str, str], name: str) -> None:
    assert outcomes[name] == "PASS"


@pytest.mark.parametrize("name", FAILING)
def test_fails(outcomes: dict[str, str], name: str) -> None:
    assert outcomes[name] == "FAIL"


def test_a_file_without_run_line_is_no_pass(outcomes: dict[str, str]) -> None:
    assert outcomes["no_run_line"] == "UNRESOLVED"


def test_a_crash_fails_the_test_and_leaves_the_worker_alive() -> None:
    program = (
        f"import os, sys; sys.path.insert(0, {str(LIT_TESTS)!r}); import in_process\n"
        "crashed = in_process._in_fork(lambda: os.abort())\n"
        "raised = in_process._in_fork(lambda: 1 / 0)\n"
        "print(crashed.code.name, 'SIGABRT' in crashed.output, raised.code.name, 'ZeroDivisionError' in raised.output)"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True, cwd=LIT_TESTS.parent)
    assert done.stdout.split() == ["FAIL", "True", "FAIL", "True"]
