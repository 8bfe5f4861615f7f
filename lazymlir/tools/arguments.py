"""The command line of `lazymlir-opt`. Passes are flags too, in the order in which they run."""

from __future__ import annotations

import difflib
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import MISSING, dataclass, fields

from lazymlir.mlir import PassManager
from lazymlir.passes import PASSES, STANDARD, Pass, Pipeline, PipelineError

__all__ = ["PROGRAM", "Arguments", "UsageError", "parse_arguments"]

PROGRAM = "lazymlir-opt"

SWITCHES = {
    "split-input-file": "treat the parts between lines `// -----` as separate inputs",
    "verify-diagnostics": "compare diagnostics with comments `expected-error@+1 {{part of the message}}`",
    "allow-unregistered-dialect": "accept operations of unknown dialects",
    "verify-each": "verify after each pass (on; switch off with --verify-each=false)",
    "mlir-print-ir-before-all": "print the IR to stderr before each pass",
    "mlir-print-ir-after-all": "print the IR to stderr after each pass",
    "mlir-print-debuginfo": "print locations",
    "mlir-print-op-generic": "print operations in the generic form",
    "mlir-timing": "print the time of each pass to stderr",
    "traceback": "after an internal error, print the Python traceback",
}
"""Switches and what they do; each also takes =true or =false."""

UPSTREAM = ("canonicalize", "cse", "inline", "sccp", "symbol-dce", "symbol-privatize", "strip-debuginfo")
"""Upstream passes named in the help; all others that the bindings carry work as well."""


_NO_PASSES = Pipeline(())


class UsageError(Exception):
    """The command line is wrong."""


@dataclass
class Arguments:
    """What was asked for. `help` is the text to show instead of doing anything."""

    input: str = "-"
    output: str | None = None
    pipeline: Pipeline = _NO_PASSES
    help: str = ""
    split_input_file: bool = False
    verify_diagnostics: bool = False
    allow_unregistered_dialect: bool = False
    verify_each: bool = True
    mlir_print_ir_before_all: bool = False
    mlir_print_ir_after_all: bool = False
    mlir_print_debuginfo: bool = False
    mlir_print_op_generic: bool = False
    mlir_timing: bool = False
    traceback: bool = False


_FLAG = re.compile(r"--?(?P<name>[\w.-]+)(?:=(?P<value>.*)|(?P<braced>\{.*\}))?", re.DOTALL)


def parse_arguments(argv: Sequence[str]) -> Arguments:
    """Reads the command line, in a context; UsageError where it is wrong. One dash and two are the same, as in MLIR's tools."""
    arguments = Arguments()
    inputs: list[str] = []
    elements: list[str] = []
    pipelines: list[str] = []
    rest = iter(argv)
    for argument in rest:
        if argument == "-" or not argument.startswith("-"):
            inputs.append(argument)
            continue
        flag = _FLAG.fullmatch(argument)
        if flag is None:
            raise UsageError(f"cannot read the option {argument!r}")
        name, value = flag["name"], flag["value"]
        if name in ("h", "help"):
            arguments.help = help_text()
        elif name in SWITCHES:
            setattr(arguments, name.replace("-", "_"), _switch(name, "true" if value is None else value))
        elif name == "o":
            arguments.output = _value(argument, value, rest)
        elif name == "pass-pipeline":
            pipelines.append(_value(argument, value, rest))
        elif name == "lower":
            if value is not None or flag["braced"]:
                raise UsageError("option --lower takes no value; give its passes one by one to change one's options")
            elements.extend(STANDARD)
        else:
            elements.append(_element(name, value or flag["braced"] or ""))
    if len(inputs) > 1:
        raise UsageError(f"takes one input file, got {', '.join(inputs)}")
    arguments.input = inputs[0] if inputs else "-"
    arguments.pipeline = _pipeline(pipelines, elements)
    return arguments


def _value(argument: str, value: str | None, rest: Iterator[str]) -> str:
    """The value after `=`, or the next argument."""
    value = next(rest, None) if value is None else value
    if not value:
        raise UsageError(f"option {argument} needs a value")
    return value


def _switch(name: str, value: str) -> bool:
    if value.lower() not in ("true", "false", "1", "0"):
        raise UsageError(f"option --{name} takes true or false, got {value!r}")
    return value.lower() in ("true", "1")


def _element(name: str, options: str) -> str:
    """The flag of a pass as a pipeline's text writes it; UsageError where no pass has this name."""
    options = options[1:-1] if options.startswith("{") and options.endswith("}") else options
    text = f"{name}{{{options}}}" if options else name
    if name in PASSES or _parses(name):
        return text
    if _parses(f"func.func({name})"):
        return f"func.func({text})"
    near = difflib.get_close_matches(name, [*SWITCHES, *PASSES, *UPSTREAM, "pass-pipeline", "lower", "help"], 1)
    raise UsageError(f"unknown option or pass --{name}" + (f"; did you mean --{near[0]}?" if near else ""))


def _parses(element: str) -> bool:
    try:
        PassManager.parse(f"builtin.module({element})")
    except ValueError:
        return False
    return True


def _pipeline(texts: list[str], elements: list[str]) -> Pipeline:
    if len(texts) > 1 or (texts and elements):
        raise UsageError("--pass-pipeline stands alone: give all passes in it, or all as flags")
    try:
        return Pipeline.parse(texts[0] if texts else ",".join(elements))
    except PipelineError as error:
        raise UsageError(f"{'--pass-pipeline: ' if texts else ''}{error}") from None


# The help.


def help_text() -> str:
    """What `--help` prints."""
    options = {
        "-o <file>": "write there instead of to stdout",
        '--pass-pipeline="builtin.module(...)"': "run these passes, upstream ones among them",
        "--lower": "run the standard pipeline, which ends in StableHLO",
        **{f"--{name}": text for name, text in SWITCHES.items()},
    }
    return "\n".join(
        [
            f"usage: {PROGRAM} [file] [options] [passes]",
            "",
            "Reads MLIR from the file (from stdin if there is none, or for -), runs the passes in the order of their flags,",
            "prints the result.",
            "",
            "options:",
            *(_entry(name, text) for name, text in options.items()),
            "",
            "passes of the lazy dialect:",
            *(line for cls in PASSES.values() for line in _pass_entry(cls)),
            "",
            "upstream passes, among others:",
            f"  {' '.join(f'--{name}' for name in UPSTREAM)}",
            "",
            "options of a pass: --lazy-donate=minimum-bytes=16 or --pass-pipeline='builtin.module(lazy-donate{minimum-bytes=16})'",
            "",
            "--lower stands for:",
            *textwrap.wrap(",".join(STANDARD), 118, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False, break_long_words=False),
            "",
        ]
    )


def _entry(name: str, text: str) -> str:
    return f"  {name:<29} {text}" if len(name) < 30 else f"  {name}\n  {'':<29} {text}"


def _pass_entry(cls: type[Pass]) -> list[str]:
    """The pass with its summary, then a line for each option: its default, and what its field's metadata say under "help"."""
    options = [
        _entry(
            f"    {option.name.replace('_', '-')}=<{type(option.default).__name__}>",
            f"{option.metadata.get('help', '')} (default {option.default})".strip(),
        )
        for option in fields(cls)
        if option.default is not MISSING
    ]
    return [_entry(f"--{cls.name}", cls.summary()), *options]
