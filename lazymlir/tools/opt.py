"""`lazymlir-opt`: reads MLIR, runs passes on it, prints it.

    lazymlir-opt graph.mlir --lazy-invert-views --cse
    lazymlir-opt graph.mlir --pass-pipeline="builtin.module(lazy-donate{minimum-bytes=16},cse)" -o out.mlir
    lazymlir-opt --lower < graph.mlir

Exit status: 0, 1 for a fault in the input or a pass that fails, 2 for a fault in the command line. Messages go to stderr.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lazymlir.mlir import ir, new_context

from .arguments import PROGRAM, Arguments, UsageError, parse_arguments
from .diagnostics import Diagnostic, check, from_mlir, read_expectations, render
from .source import Chunk, SourceError, read_source, split

__all__ = ["main"]


def main(argv: Sequence[str] | None = None, context: ir.Context | None = None) -> int:
    """Runs the tool on the arguments `argv` (of the process, if None), in a new context if none is given; returns its exit status."""
    try:
        context = context or new_context()
        with context:
            arguments = parse_arguments(sys.argv[1:] if argv is None else argv)
            if arguments.help:
                return _put(arguments.help, None)
            context.allow_unregistered_dialects = arguments.allow_unregistered_dialect
            return _Run(arguments, context).run()
    except UsageError as error:
        return _complain(f"{error}\nTry {PROGRAM} --help.", 2)
    except SourceError as error:
        return _complain(str(error), 1)
    except KeyboardInterrupt:
        return 130


def _complain(message: str, status: int) -> int:
    print(f"{PROGRAM}: error: {message}", file=sys.stderr)
    return status


def _put(text: str, path: str | None) -> int:
    try:
        if path in (None, "-"):
            print(text, end="", flush=True)
        else:
            Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        if path in (None, "-"):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or the flush at exit fails once more
        if isinstance(error, BrokenPipeError):
            return 1
        raise SourceError(f"cannot write {path or 'to stdout'}: {error.strerror}") from None
    return 0


@dataclass
class _Run:
    """One run of the tool: `heard` gathers what was said about the chunk at hand."""

    arguments: Arguments
    context: ir.Context
    heard: list[Diagnostic] = field(default_factory=list)

    def run(self) -> int:
        text = read_source(self.arguments.input)
        chunks = split(text) if self.arguments.split_input_file else [Chunk(text, 1)]
        handler = self.context.attach_diagnostic_handler(self._hear)
        try:
            results = [self._process(chunk) for chunk in chunks]
        finally:
            handler.detach()
        failed = not all(good for good, _ in results)
        if failed and self.arguments.output:
            return 1  # a file is written whole or not at all
        status = _put("// -----\n".join(text for _, text in results if text), self.arguments.output)
        return 1 if failed else status

    def _hear(self, diagnostic: Any) -> bool:
        self.heard.extend(from_mlir(diagnostic))
        return True

    def _process(self, chunk: Chunk) -> tuple[bool, str | None]:
        """Whether all is well with a chunk, and the text that it becomes (None where an error, maybe expected, came between)."""
        self.heard.clear()
        text = self._transform(chunk)
        lines = chunk.padded.split("\n")
        if self.arguments.verify_diagnostics:
            expectations, errors = read_expectations(lines)
            problems = errors + check(self.heard, expectations)
            self._tell(problems, lines)
            return not problems, None if problems else text
        self._tell(self.heard, lines)
        return text is not None, text

    def _tell(self, diagnostics: Sequence[Diagnostic], lines: list[str]) -> None:
        path = "<stdin>" if self.arguments.input == "-" else self.arguments.input
        for diagnostic in diagnostics:
            print(render(diagnostic, path, lines), file=sys.stderr)

    def _transform(self, chunk: Chunk) -> str | None:
        try:
            module = ir.Module.parse(chunk.padded, self.context)
            self._run_passes(module)
            return self._print(module)
        except ir.MLIRError as error:
            self.heard.extend(_told_by(error))
        except Exception as error:  # a fault in a pass: the user of this tool gets a message, its author a traceback on request
            self.heard.append(Diagnostic("error", _internal_error(error)))
            if self.arguments.traceback:
                traceback.print_exc()
        return None

    def _run_passes(self, module: ir.Module) -> None:
        arguments = self.arguments
        if not arguments.pipeline.passes:
            return
        manager = arguments.pipeline.manager(verify=arguments.verify_each)
        if arguments.mlir_print_ir_before_all or arguments.mlir_print_ir_after_all:
            manager.enable_ir_printing(
                print_before_all=arguments.mlir_print_ir_before_all,
                print_after_all=arguments.mlir_print_ir_after_all,
                enable_debug_info=arguments.mlir_print_debuginfo,
                print_generic_op_form=arguments.mlir_print_op_generic,
            )
        if arguments.mlir_timing:
            manager.enable_timing()
        manager.run(module.operation)

    def _print(self, module: ir.Module) -> str:
        text = module.operation.get_asm(
            enable_debug_info=self.arguments.mlir_print_debuginfo, print_generic_op_form=self.arguments.mlir_print_op_generic
        )
        return f"{text.rstrip()}\n"


def _told_by(error: ir.MLIRError) -> Iterator[Diagnostic]:
    if not error.error_diagnostics:
        yield Diagnostic("error", str(error))
    for diagnostic in error.error_diagnostics:
        yield from from_mlir(diagnostic)


def _internal_error(error: Exception) -> str:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"internal error at {frame.filename}:{frame.lineno}: {type(error).__name__}: {error} (--traceback shows how it came there)"


if __name__ == "__main__":
    sys.exit(main())
