"""Pipelines: passes of this project and upstream ones in one sequence, with a textual form that parses back.

builtin.module(lazy-canonicalize,cse,lazy-donate{minimum-bytes=1024})
"""

from __future__ import annotations

import dataclasses
import difflib
import re
from collections import Counter
from typing import Any, cast

from lazymlir.mlir import PassManager, ir

from .base import PASSES, Pass, PassError

__all__ = ["ONLY_ON", "STANDARD", "Pipeline", "PipelineError"]

STANDARD = (
    "lazy-specialize-scalars",
    "lazy-canonicalize",
    "cse",
    "lazy-invert-views{simplify=true}",
    "cse",
    "lazy-reroll-loops",
    "lazy-merge-sums",
    "lazy-donate",
    "lazy-call-library",
    "lazy-choose-layouts",
    "lazy-order-updates",
    "lazy-place-barriers",
    "lazy-lower-to-stablehlo",
)
"""The passes between a recorded graph and XLA, in order."""

ONLY_ON = {"lazy-call-library": "cpu", "lazy-choose-layouts": "cpu", "lazy-order-updates": "cpu", "lazy-place-barriers": "cpu"}
"""Passes that are about XLA's compiler for one platform."""

_ELEMENT = re.compile(r"([\w.-]+)\s*(?:\{(.*)\})?", re.DOTALL)


class PipelineError(ValueError):
    """A pipeline's text names no pass, or an option that the pass does not have."""


@dataclasses.dataclass(frozen=True)
class Pipeline:
    """A sequence of passes; an upstream pass is its text."""

    passes: tuple[Pass | str, ...]

    @classmethod
    def parse(cls, text: str) -> Pipeline:
        """From `builtin.module(a,b{x=1})` or the bare list `a,b{x=1}`; PipelineError where it is wrong."""
        text = text.strip()
        anchored = re.fullmatch(r"(?:builtin\.module|any)\s*\((.*)\)", text, re.DOTALL)
        return cls(tuple(_parse_element(element) for element in _split(anchored.group(1) if anchored else text)))

    def __str__(self) -> str:
        return f"builtin.module({','.join(element if isinstance(element, str) else pass_text(element) for element in self.passes)})"

    def manager(self, counts: Counter[str] | None = None, verify: bool = True) -> PassManager:
        """An MLIR pass manager for the current context; what the passes count is added to `counts`."""
        manager = PassManager("builtin.module")
        manager.enable_verifier(verify)
        for element in self.passes:
            if isinstance(element, str):
                manager.add(element)
            else:
                manager.add(_runner(element, counts), name=type(element).__name__, argument=element.name)
        return manager

    def run(self, module: ir.Module, counts: Counter[str] | None = None, verify: bool = True) -> None:
        """Runs the passes on `module`, in place. Raises what a pass raises, and MLIRError for diagnostics."""
        with module.context:
            self.manager(counts, verify).run(module.operation)


def _runner(pass_: Pass, counts: Counter[str] | None) -> Any:
    def run(op: Any, handle: Any) -> None:
        try:
            with op.location:
                counted = pass_.run(cast(ir.Module, _ModuleHandle(op.operation)))
        except PassError:
            handle.signal_pass_failure()
            return
        if counts is not None:
            counts.update(counted)

    return run


class _ModuleHandle:
    """The module operation that a pass manager hands out, with the few members of `ir.Module` that passes use."""

    def __init__(self, operation: ir.Operation) -> None:
        self.operation = operation
        self.body = operation.regions[0].blocks[0]
        self.context = operation.context


def pass_text(pass_: Pass) -> str:
    """The pass as a pipeline's text writes it: options that differ from their default, in braces."""
    options = [f for f in dataclasses.fields(pass_) if getattr(pass_, f.name) != f.default]
    if not options:
        return pass_.name
    return f"{pass_.name}{{{' '.join(f'{_flag(f.name)}={_option_text(getattr(pass_, f.name))}' for f in options)}}}"


def make_pass(name: str, options: str = "") -> Pass:
    """The registered pass `name` with options written `a=1 b=true`."""
    cls = PASSES[name]
    fields = {_flag(f.name): f for f in dataclasses.fields(cls)}
    values: dict[str, Any] = {}
    for item in options.split():
        key, _, text = item.partition("=")
        if key not in fields:
            known = f"it has {', '.join(fields)}" if fields else "it has none"
            raise PipelineError(f"pass {name} has no option {key!r}: {known}")
        values[fields[key].name] = _parse_option(f"{name}: {key}", fields[key].default, text)
    return cls(**values)


def _parse_option(what: str, default: Any, text: str) -> Any:
    if isinstance(default, bool):
        if text.lower() not in ("", "0", "1", "true", "false"):
            raise PipelineError(f"{what} takes true or false, got {text!r}")
        return text.lower() in ("", "1", "true")
    if isinstance(default, int):
        try:
            return int(text)
        except ValueError:
            raise PipelineError(f"{what} takes an integer, got {text!r}") from None
    return text


def _option_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _flag(field: str) -> str:
    return field.replace("_", "-")


def _parse_element(text: str) -> Pass | str:
    matched = _ELEMENT.fullmatch(text)
    if matched and matched.group(1) in PASSES:
        return make_pass(matched.group(1), matched.group(2) or "")
    try:
        PassManager.parse(f"builtin.module({text})")
    except ValueError as error:
        raise PipelineError(_fault(text, str(error))) from None
    return text


def _fault(text: str, message: str) -> str:
    """What is wrong with an element, from what the upstream parser said of it."""
    for name in PASSES:
        if re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w.-])", text):
            return f"{name} runs on whole modules: write it outside of {text!r}"
    if _parses(f"func.func({text})"):
        return f"{text} runs on functions: write func.func({text})"
    said = re.search(r"error: (.*)", message)
    if said is None:
        return message.strip().splitlines()[-1]
    near = difflib.get_close_matches(text, PASSES, 1)
    return f"{said[1]}; did you mean {near[0]}?" if near else said[1]


def _parses(text: str) -> bool:
    try:
        PassManager.parse(f"builtin.module({text})")
    except ValueError:
        return False
    return True


def _split(text: str) -> list[str]:
    """Splits at the commas that stand in no bracket."""
    parts: list[str] = []
    depth, current = 0, ""
    for char in text:
        depth += (char in "({[<") - (char in ")}]>")
        if char == "," and depth == 0:
            parts.append(current.strip())
            current = ""
        else:
            current += char
    if depth:
        raise PipelineError(f"unbalanced brackets in {text!r}")
    return [part for part in (*parts, current.strip()) if part]
