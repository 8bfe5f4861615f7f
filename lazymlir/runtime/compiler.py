"""From a graph to a program: passes, fingerprint, and XLA where no program with that fingerprint is there yet."""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from lazymlir import metrics
from lazymlir.config import config
from lazymlir.core.graph import Graph
from lazymlir.errors import CompileError, ConfigError
from lazymlir.logs import log
from lazymlir.mlir import ir, shared_context
from lazymlir.passes import ONLY_ON, STANDARD, Pipeline, PipelineError, functions
from lazymlir.passes.lazy_specialize_scalars import conditions
from lazymlir.passes.lower_to_stablehlo.scalars import NUMBERS, VECTORS, slots_attribute

from . import library, mappings
from .client import client
from .interpreter import Interpreted, is_tiny
from .program import Executable, Program
from .templates import link

__all__ = ["Compiled", "Compiler", "run_passes", "standard"]


COUNTERS = {
    "loops rolled": "LoopsRolled",
    "iterations rolled": "IterationsRolled",
    "contractions merged": "ContractionsMerged",
    "library calls": "LibraryCalls",
    "operations in channels-last order": "ChannelsLast",
    "updates ordered": "UpdatesOrdered",
    "barriers placed": "BarriersPlaced",
}
"""What passes count that is a metric too."""

CHECK_EVERY = 16
"""So many compilations between two looks at the memory mappings."""


@dataclass(frozen=True)
class Compiled:
    """A program, the scalars that it took as constants, and the leaves that it donates."""

    program: Program
    conditions: tuple[tuple[int, Any], ...]
    donated: frozenset[int]


@lru_cache(maxsize=16)
def _pipeline(text: str) -> tuple[Pipeline, Pipeline]:
    """The passes up to the specialisation of scalars, and those after it."""
    try:
        with shared_context():
            passes = Pipeline.parse(text).passes
    except PipelineError as error:
        raise ConfigError(f"LAZYMLIR_PASSES={text}: {error}") from error
    names = [element if isinstance(element, str) else element.name for element in passes]
    first = names.index("lazy-specialize-scalars") + 1 if "lazy-specialize-scalars" in names else 0
    return Pipeline(passes[:first]), Pipeline(passes[first:])


def standard(reroll: str, platform: str) -> str:
    """The text of the standard pipeline with this re-rolling of loops, without passes that are for another platform."""
    options = f"{{mode={reroll} remember=true}}"
    names = [name for name in STANDARD if ONLY_ON.get(name, platform) == platform]
    if platform == "cpu" and not (config.cpu_library and library.is_ready()):
        names.remove("lazy-call-library")
    return ",".join(f"{name}{options}" if name == "lazy-reroll-loops" else name for name in names)


def run_passes(graph: Graph, counts: Counter[str] | None = None) -> tuple[tuple[int, Any], ...]:
    """Runs the pipeline on the graph's module; returns the conditions of the variant that it became."""
    specialize, rest = _pipeline(config.passes or standard(config.reroll, client().platform))
    specialize.run(graph.module, counts, config.verify)
    (function,) = functions(graph.module)
    found = conditions(function)
    rest.run(graph.module, counts, config.verify)
    return found


class _Bindings(NamedTuple):
    """What binds a program to one trace: the slots of its packed vectors, the graph's own numbers, the leaves it donates."""

    vectors: list[tuple[str, list[int]]]
    numbers: list[int]
    donated: frozenset[int]


def _take_bindings(graph: Graph) -> tuple[str, _Bindings]:
    """The canonical text of a lowered module, without its bindings."""
    (function,) = functions(graph.module)

    def take(name: str) -> list[int]:
        if name not in function.attributes:
            return []
        numbers = list(ir.DenseI64ArrayAttr(function.attributes[name]))
        del function.attributes[name]
        return numbers

    vectors = [(dtype, slots) for dtype in VECTORS if (slots := take(slots_attribute(dtype)))]
    numbers = take(NUMBERS)
    donated = set()
    if "arg_attrs" in function.attributes:
        for leaf, attributes in zip(graph.leaves, ir.ArrayAttr(function.attributes["arg_attrs"]), strict=False):
            if "tf.aliasing_output" in ir.DictAttr(attributes):
                donated.add(leaf)
    text = graph.module.operation.get_asm(assume_verified=True)
    return text, _Bindings(vectors, numbers, frozenset(donated))


class Compiler:
    """The second cache level: executables by the fingerprint of the module that XLA gets."""

    def __init__(self, forget: Callable[[], None]) -> None:
        """`forget` is called to let go of the programs used longest ago."""
        self._executables: OrderedDict[bytes, Executable | Interpreted] = OrderedDict()
        self._compiled = 0
        self.forget = forget

    def compile(self, graph: Graph, why: str) -> Compiled:
        """A program for the graph; CompileError where XLA refuses it."""
        started = time.perf_counter()
        counts: Counter[str] = Counter()
        with_locations = graph.module.operation.get_asm(enable_debug_info=True) if config.dump else ""
        found = run_passes(graph, counts)
        located = graph.module.operation.get_asm(enable_debug_info=True, assume_verified=True)
        text, bindings = _take_bindings(graph)
        log("passes", 2, "%s", dict(counts))
        for name, counter in COUNTERS.items():
            if counts[name]:
                metrics.count(counter, counts[name])
        xla = client()
        fingerprint = hashlib.blake2b(f"{xla.version}\n{xla.options}\n{text}".encode()).digest()
        executable = self._executables.get(fingerprint)
        if executable is None:
            _dump(with_locations, located)
            spent = time.perf_counter() - started

            def make() -> Executable:
                started = time.perf_counter() - spent
                loaded = _compile(link(graph.module, text), located)
                metrics.count("UncachedCompile")
                metrics.record_time("CompileTime", time.perf_counter() - started)
                log("recompiles", 1, "compiled a program in %.0f ms: %s", (time.perf_counter() - started) * 1e3, why)
                return Executable(xla, loaded, len(graph.results) + graph.checked)

            if config.interpret and is_tiny(graph.module):
                executable = Interpreted(xla, graph.module, make)
                log("recompiles", 1, "a tiny program is interpreted: %s", why)
            else:
                executable = make()
            self._executables[fingerprint] = executable
            self._make_room()
        else:
            self._executables.move_to_end(fingerprint)
            metrics.count("CachedCompile")
            log("cache", 1, "a new trace shares a compiled program: %s", why)
        if bindings.donated:
            metrics.count("InputOutputAliasCount", len(bindings.donated))
        return Compiled(Program(executable, graph.leaves, bindings.vectors, bindings.numbers), found, bindings.donated)

    def _make_room(self) -> None:
        """Drops the programs that were used longest ago."""
        limit = max(config.cache_size, 1)
        self._compiled += 1
        if self._compiled % CHECK_EVERY == 0 and mappings.are_scarce():
            limit = min(limit, len(self._executables) // 2)
            log("cache", 1, "half of the %d programs are dropped: the process runs out of memory mappings", len(self._executables))
            self.forget()
        while len(self._executables) > limit:
            self._executables.popitem(last=False)


def _compile(text: str, located: str) -> Any:
    try:
        return client().compile(text)
    except Exception as error:
        with tempfile.NamedTemporaryFile("w", prefix="lazymlir-", suffix=".mlir", delete=False) as file:
            file.write(located)
        lines = sorted(set(_user_lines(located)))
        where = f"; the program was recorded at {', '.join(lines[:5])}{' and elsewhere' if len(lines) > 5 else ''}" if lines else ""
        raise CompileError(f"XLA could not compile a program{where}. Its module was written to {file.name}. XLA says: {error}") from error


def _user_lines(located: str) -> list[str]:
    return [f"{file}:{line}" for file, line in re.findall(r'loc\("([^"]+)":(\d+):\d+\)', located)]


_dumped = 0


def _dump(recorded: str, lowered: str) -> None:
    """Writes the module before and after the passes to the folder LAZYMLIR_DUMP."""
    global _dumped
    if not config.dump:
        return
    folder = Path(config.dump)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for stage, text in (("lazy", recorded), ("stablehlo", lowered)):
            (folder / f"{os.getpid()}-{_dumped:04}.{stage}.mlir").write_text(text)
    except OSError as error:
        log("cache", 0, "LAZYMLIR_DUMP=%s cannot be written, going on without: %s", config.dump, error)
    _dumped += 1
