"""The test format of this suite: RUN lines made of `lazymlir-opt` and `filecheck` run inside lit's workers.

A process of its own for each of them costs 0.3 s a test; here the imports are paid once a worker. Each test runs in a
fork of the worker, so that a crash fails one test and leaves nothing behind, with MLIR contexts made before the fork. A
test with any other command in its RUN lines goes to lit's own shell, where the two tools are this interpreter's.
"""

from __future__ import annotations

import contextlib
import io
import os
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import lit.formats
import lit.ShCommands
import lit.ShUtil
import lit.Test
import lit.TestRunner

TOOLS = ("lazymlir-opt", "filecheck")


class InProcess(lit.formats.ShTest):
    """As lit's shell test, but faster where a test uses nothing but the two tools."""

    def __init__(self) -> None:
        outside = [
            (rf"(?<![\w/.-]){name}(?![\w/.-])", f'"{sys.executable}" -m {module}')
            for name, module in zip(TOOLS, ("lazymlir.tools.opt", "filecheck"), strict=True)
        ]
        super().__init__(execute_external=False, extra_substitutions=outside)

    def execute(self, test: Any, lit_config: Any) -> Any:
        if test.config.unsupported:
            return lit.Test.Result(lit.Test.UNSUPPORTED, "Test is unsupported")
        script = lit.TestRunner.parseIntegratedTestScript(test)
        if isinstance(script, lit.Test.Result):
            return script
        runs = _read_script(test, script)
        if runs is None or lit_config.noExecute:
            return super().execute(test, lit_config)
        return _in_fork(lambda: _run_all(runs))


# RUN lines.


@dataclass(frozen=True)
class _Call:
    """One tool's arguments; `negated`: must fail. `merged`: its stderr goes where its stdout goes."""

    tool: str
    arguments: list[str]
    negated: bool
    merged: bool
    stdin: str | None


Run = tuple[str, list[_Call]]


def _read_script(test: Any, script: list[Any]) -> list[Run] | None:
    """The RUN lines as calls of the tools; None where a line needs a shell."""
    folder, base = lit.TestRunner.getTempPaths(test)
    Path(folder).mkdir(parents=True, exist_ok=True)
    substitutions = lit.TestRunner.getDefaultSubstitutions(test, folder, base)
    conditions = dict.fromkeys(test.config.available_features, True)
    lines = lit.TestRunner.applySubstitutions(script, substitutions, conditions, recursion_limit=test.config.recursiveExpansionLimit)
    runs: list[Run] = []
    for line in lines:
        matched = lit.TestRunner.re.fullmatch(lit.TestRunner.kPdbgRegex, line)
        text = matched.group(2).strip() if matched else line
        calls = _read_line(text)
        if calls is None:
            return None
        runs.append((text, calls))
    return runs


def _read_line(text: str) -> list[_Call] | None:
    """`[not] lazymlir-opt ... [2>&1] | ... | [not] filecheck ...`; None for anything else."""
    try:
        pipeline = lit.ShUtil.ShParser(text, pipefail=True).parse()
    except ValueError:
        return None
    commands = pipeline.commands if isinstance(pipeline, lit.ShCommands.Pipeline) and not pipeline.negate else []
    calls = [_read_command(command) for command in commands]
    return [call for call in calls if call] if calls and all(calls) else None


def _read_command(command: Any) -> _Call | None:
    if not isinstance(command, lit.ShCommands.Command) or not all(isinstance(argument, str) for argument in command.args):
        return None
    arguments = list(command.args)
    negated = arguments[0] == "not"
    tool, *arguments = arguments[1:] if negated else arguments
    merged, stdin = False, None
    for redirect, target in command.redirects:
        if redirect == (">&", 2) and target == "1":
            merged = True
        elif redirect == ("<",) and isinstance(target, str):
            stdin = target
        else:
            return None
    return _Call(tool, arguments, negated, merged, stdin) if tool in TOOLS else None


# Running them.


def _run_all(runs: list[Run]) -> tuple[bool, str]:
    for text, calls in runs:
        data = b""
        for call in calls:
            status, data, errors = _run(call, data)
            if (status == 0) == call.negated:
                wanted = "another exit status" if call.negated else "0"
                return False, f"RUN: {text}\n{call.tool} ended with exit status {status}, wanted {wanted}\n{errors}{data.decode(errors='replace')}"
    return True, ""


def _run(call: _Call, data: bytes) -> tuple[int, bytes, str]:
    """Exit status, stdout and stderr of a tool that gets `data` as its stdin."""
    from filecheck.main import main as filecheck

    from lazymlir.tools.opt import main as opt

    mains: dict[str, Callable[[list[str]], Any]] = {
        "lazymlir-opt": lambda arguments: opt(arguments, _contexts.pop() if _contexts else None),
        "filecheck": lambda arguments: filecheck(["filecheck", *arguments]),
    }
    given = Path(call.stdin).read_bytes() if call.stdin else data
    with _file(given) as stdin, _file() as stdout, _file() as stderr:
        with _streams(stdin, stdout, stdout if call.merged else stderr):
            try:
                status = mains[call.tool](call.arguments) or 0
            except SystemExit as error:
                status = error.code if isinstance(error.code, int) else int(bool(error.code))
            except Exception:
                traceback.print_exc()
                status = 1
        return status, _content(stdout), _content(stderr).decode(errors="replace")


def _file(data: bytes = b"") -> Any:
    file = tempfile.TemporaryFile()  # noqa: SIM115  (the caller closes it)
    file.write(data)
    file.seek(0)
    return file


def _content(file: BinaryIO) -> bytes:
    file.seek(0)
    return file.read()


@contextlib.contextmanager
def _streams(stdin: BinaryIO, stdout: BinaryIO, stderr: BinaryIO) -> Iterator[None]:
    """Python's streams and the process's file descriptors: MLIR prints timings and IR dumps past Python."""
    saved = [os.dup(number) for number in (0, 1, 2)]
    python = sys.stdin, sys.stdout, sys.stderr
    for number, file in enumerate((stdin, stdout, stderr)):
        os.dup2(file.fileno(), number)
    sys.stdin = io.TextIOWrapper(io.FileIO(0, closefd=False), encoding="utf-8")
    sys.stdout, sys.stderr = (io.TextIOWrapper(io.FileIO(number, "w", closefd=False), encoding="utf-8", write_through=True) for number in (1, 2))
    try:
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = python
        for number, descriptor in enumerate(saved):
            os.dup2(descriptor, number)
            os.close(descriptor)


_contexts: list[Any] = []
"""Fresh MLIR contexts, made once a worker: each child uses up its own copy of the list."""


def _prepare() -> None:
    """What is costly and the same for all tests."""
    import filecheck.main  # noqa: F401

    import lazymlir.tools.opt  # noqa: F401
    from lazymlir.mlir import new_context

    while len(_contexts) < 6:
        _contexts.append(new_context())


def _in_fork(run: Callable[[], tuple[bool, str]]) -> Any:
    """The result of `run` in a child process."""
    _prepare()
    with _file() as report:
        child = os.fork()
        if child == 0:
            _report(run, report)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        output = _content(report).decode(errors="replace")
    if status < 0:
        return lit.Test.Result(lit.Test.FAIL, f"a tool crashed with {signal.Signals(-status).name}\n{output}")
    return lit.Test.Result(lit.Test.PASS if status == 0 else lit.Test.FAIL, output)


def _report(run: Callable[[], tuple[bool, str]], report: BinaryIO) -> None:
    """In the child: writes what `run` says and ends the process."""
    passed = False
    try:
        passed, output = run()
        report.write(output.encode())
    except BaseException:
        report.write(traceback.format_exc().encode())
    report.flush()
    os._exit(0 if passed else 1)
