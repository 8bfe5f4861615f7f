"""The input of `lazymlir-opt`: reading it, refusing what would crash the parser, splitting it."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

__all__ = ["DEEPEST", "Chunk", "SourceError", "read_source", "split"]

DEEPEST = 500
"""Brackets nested deeper than this, and longer rows of minus signs, are refused: MLIR's parser recurses without a limit."""

_SEPARATOR = re.compile(r"^// -----[ \t]*$\n?", re.MULTILINE)
# `%x#123456`: MLIR's parser makes room for as many values before it looks whether `%x` has them.
_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|->|-|[(\[{<]|[)\]}>]|#\d{6,}')


class SourceError(Exception):
    """The input cannot be read, or the output not written."""


@dataclass(frozen=True)
class Chunk:
    """A part of the input; `first_line` is where it begins in the file."""

    text: str
    first_line: int

    @property
    def padded(self) -> str:
        """The text after as many empty lines as stand before it in the file, so that places in it are places in the file."""
        return "\n" * (self.first_line - 1) + self.text


def read_source(path: str) -> str:
    """The text of a file, or of stdin for "-"; SourceError where there is none, or none that can be parsed."""
    name = "<stdin>" if path == "-" else path
    try:
        data = _stdin() if path == "-" else Path(path).read_bytes()
    except OSError as error:
        raise SourceError(f"cannot read {name}: {error.strerror}") from None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _no_text(data, error.start, name) from None
    if "\0" in text:
        raise _no_text(data, data.index(0), name)
    _require_parsable(text, name)
    return text


def _no_text(data: bytes, position: int, name: str) -> SourceError:
    line, column = data.count(b"\n", 0, position) + 1, position - data.rfind(b"\n", 0, position)
    return SourceError(f"{name}:{line}:{column}: the input is no UTF-8 text: there is a byte 0x{data[position]:02x}")


def _stdin() -> bytes:
    stream = getattr(sys.stdin, "buffer", None)
    return stream.read() if stream else sys.stdin.read().encode()


def _require_parsable(text: str, name: str) -> None:
    """Refuses what makes MLIR's parser overflow its stack or run out of memory."""
    depth = dashes = 0
    for token in _TOKEN.finditer(text):
        kind = token[0]
        dashes = dashes + 1 if kind == "-" else 0
        if kind in "([{<":
            depth += 1
        elif kind in ")]}>":
            depth = max(depth - 1, 0)
        if depth > DEEPEST:
            raise _refusal(f"brackets are nested more than {DEEPEST} deep", text, token.start(), name)
        if dashes > DEEPEST:
            raise _refusal(f"more than {DEEPEST} minus signs in a row", text, token.start(), name)
        if kind.startswith("#"):
            raise _refusal("no operation has that many results", text, token.start(), name)


def _refusal(what: str, text: str, position: int, name: str) -> SourceError:
    line, column = text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)
    return SourceError(f"{name}:{line}:{column}: {what}")


def split(text: str) -> list[Chunk]:
    """The parts between the lines `// -----`."""
    chunks: list[Chunk] = []
    start, line = 0, 1
    for separator in _SEPARATOR.finditer(text):
        chunks.append(Chunk(text[start : separator.start()], line))
        line += text.count("\n", start, separator.end())
        start = separator.end()
    return [*chunks, Chunk(text[start:], line)]
