"""Diagnostics as plain data: taken from MLIR, printed with their source line, compared with `expected-error` comments."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

__all__ = ["OWN_FILE", "Diagnostic", "Expectation", "check", "from_mlir", "read_expectations", "render"]

OWN_FILE = "-"
"""The file name that MLIR gives to text parsed from memory."""

_PLACE = re.compile(r'"((?:[^"\\]|\\.)*)":(\d+):(\d+)')
_CURRENT_OPERATION = "see current operation"


@dataclass(frozen=True)
class Diagnostic:
    """What was said about which place; `line` is None where the place is unknown. Lines and columns count from 1."""

    severity: str
    message: str
    file: str = OWN_FILE
    line: int | None = None
    column: int = 1

    @property
    def of_operation(self) -> bool:
        """Whether MLIR added this note by itself, to show the operation concerned."""
        return self.severity == "note" and self.message.startswith(_CURRENT_OPERATION)


def from_mlir(diagnostic: Any) -> Iterator[Diagnostic]:
    """An MLIR diagnostic and its notes, in order. Of a fused or inlined location the first file position counts."""
    severity = str(diagnostic.severity).rsplit(".", 1)[-1].lower()
    place = _PLACE.search(str(diagnostic.location))
    if place:
        yield Diagnostic(severity, diagnostic.message, place[1], int(place[2]), int(place[3]))
    else:
        yield Diagnostic(severity, diagnostic.message)
    for note in diagnostic.notes:
        yield from from_mlir(note)


def render(diagnostic: Diagnostic, path: str, lines: list[str]) -> str:
    """`path:3:8: error: ...`, with the line of the text and a caret below where the place is in it."""
    if diagnostic.line is None:
        return f"{path}: {diagnostic.severity}: {diagnostic.message}"
    own = diagnostic.file == OWN_FILE
    head = f"{path if own else diagnostic.file}:{diagnostic.line}:{diagnostic.column}: {diagnostic.severity}: {diagnostic.message}"
    if not own or diagnostic.of_operation or not 1 <= diagnostic.line <= len(lines):
        return head
    shown = lines[diagnostic.line - 1]
    if len(shown) > 300:
        return head
    indent = re.sub(r"[^\t]", " ", shown[: diagnostic.column - 1])
    return f"{head}\n{shown}\n{indent}^"


# Expectations: `// expected-error@+1 {{part of the message}}`, as in MLIR's own tools.


@dataclass(frozen=True)
class Expectation:
    """`line` is None for `@unknown`, which also meets what is said of another file. `pattern` is searched in the message.

    `missed` is what to report where nothing meets it.
    """

    severity: str
    line: int | None
    pattern: re.Pattern[str]
    missed: Diagnostic

    def meets(self, diagnostic: Diagnostic) -> bool:
        line = diagnostic.line if diagnostic.file == OWN_FILE else None
        return self.severity == diagnostic.severity and self.line == line and bool(self.pattern.search(diagnostic.message))


_MARK = re.compile(r"expected-(?:error|warning|remark|note)\b")
_EXPECTATION = re.compile(
    r"expected-(?P<severity>error|warning|remark|note)(?P<regex>-re)?\s*(?:@(?P<at>[+-]\d+|above|below|unknown)\s*)?\{\{(?P<text>.*)\}\}\s*$"
)


def read_expectations(lines: list[str]) -> tuple[list[Expectation], list[Diagnostic]]:
    """The expectations in a text, and an error for each comment that looks like one but is not."""
    marks = {number: mark.start() + 1 for number, line in enumerate(lines, 1) if (mark := _MARK.search(line))}
    found: list[Expectation] = []
    errors: list[Diagnostic] = []
    for number, column in marks.items():
        line = lines[number - 1]
        matched = _EXPECTATION.search(line)
        try:
            if matched is None:
                raise ValueError("no expectation: write expected-error@+1 {{message}}, at the end of its line")
            pattern = re.compile(_regex(matched["text"]) if matched["regex"] else re.escape(matched["text"]))
        except (ValueError, re.error) as error:
            errors.append(Diagnostic("error", f"{line[column - 1 :]!r} is wrong: {error}", line=number, column=column))
            continue
        missed = Diagnostic("error", f'expected {matched["severity"]} "{matched["text"]}" was not produced', line=number, column=column)
        found.append(Expectation(matched["severity"], _target(matched["at"], number, marks), pattern, missed))
    return found, errors


def _target(at: str | None, number: int, marked: Container[int]) -> int | None:
    """The line that an expectation speaks of; `above` and `below` pass over lines that hold expectations themselves."""
    if at == "unknown":
        return None
    if at in ("above", "below"):
        step = 1 if at == "below" else -1
        number += step
        while number in marked:
            number += step
        return number
    return number + int(at or 0)


def _regex(text: str) -> str:
    """`expected-error-re {{size {{[0-9]+}} is odd}}`: only what stands in inner braces is a regular expression."""
    parts = re.split(r"\{\{(.*?)\}\}", text)
    return "".join(part if index % 2 else re.escape(part) for index, part in enumerate(parts))


def check(diagnostics: Iterable[Diagnostic], expectations: Iterable[Expectation]) -> list[Diagnostic]:
    """An error for each diagnostic that nothing expects and for each expectation that nothing meets; each counts once."""
    open_ = list(expectations)
    problems: list[Diagnostic] = []
    for diagnostic in diagnostics:
        met = next((expectation for expectation in open_ if expectation.meets(diagnostic)), None)
        if met:
            open_.remove(met)
        elif not diagnostic.of_operation:
            problems.append(
                Diagnostic("error", f"unexpected {diagnostic.severity}: {diagnostic.message}", diagnostic.file, diagnostic.line, diagnostic.column)
            )
    return [*problems, *(expectation.missed for expectation in open_)]
