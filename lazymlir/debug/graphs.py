"""`ir_text` and `ir_graph`: the graph behind tensors, without running it and without changing what is recorded."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

from lazymlir.core.engine import engine
from lazymlir.core.graph import Graph, build
from lazymlir.dialect.short_form import graphviz, short_form
from lazymlir.errors import LazymlirError
from lazymlir.mlir import ir
from lazymlir.passes import Pipeline, functions

__all__ = ["Picture", "ir_graph", "ir_text"]

FORMS = ("short", "mlir", "stablehlo")


def _graph(tensors: Any, passes: str) -> Graph:
    """The graph whose results are the given tensors; a tensor that has its value already is an argument returned."""
    from lazymlir.frontend_torch.tensors import is_lazy, read

    listed = list(tensors) if isinstance(tensors, (list, tuple)) else [tensors]
    for tensor in listed:
        if not is_lazy(tensor):
            raise TypeError(f"takes tensors of device lazymlir, got {getattr(tensor, 'device', type(tensor).__name__)}")
    with engine.inspection() as trace:
        numbers = [trace.number(read(tensor)[0]) for tensor in listed]
        graph = build(trace, numbers)
    if passes:
        with graph.module.context:
            Pipeline.parse(passes).run(graph.module)
    return graph


def _function(graph: Graph) -> ir.Operation:
    (function,) = functions(graph.module)
    return function


def ir_text(tensors: Any, form: str = "short", passes: str = "", locations: bool = False) -> str:
    """The recorded graph behind a tensor or a list of tensors, as text. Runs nothing.

    `form` is "short" (one line a node, as the LazyTensor paper's Figure 1a), "mlir" (the `lazy` dialect) or "stablehlo"
    (what XLA would get). `passes` is a pipeline to run first, such as "lazy-invert-views"; `locations` adds the lines of
    the user's program to the MLIR forms. Raises TypeError for anything but tensors of device lazymlir, ValueError for an
    unknown form, PipelineError for an unknown pass.
    """
    if form not in FORMS:
        raise ValueError(f"form is one of {', '.join(FORMS)}, not {form!r}")
    graph = _graph(tensors, passes)
    if form == "short":
        return short_form(_function(graph))
    if form == "stablehlo":
        from lazymlir.runtime.compiler import run_passes

        run_passes(graph)
    return graph.module.operation.get_asm(enable_debug_info=locations)


class Picture(str):
    """Graphviz source; `save("graph.svg")` draws it where the program `dot` is installed."""

    __slots__ = ()

    def svg(self) -> str:
        """The drawing as SVG text; LazymlirError where Graphviz's `dot` is missing."""
        dot = shutil.which("dot")
        if dot is None:
            raise LazymlirError("drawing a graph needs Graphviz's program `dot`, which is not installed; the source itself is this string")
        return subprocess.run([dot, "-Tsvg"], input=self, capture_output=True, text=True, check=True).stdout

    def save(self, path: str) -> None:
        """Writes the source to a `.dot` file, or the drawing to an `.svg` file."""
        text = self.svg() if str(path).endswith(".svg") else self
        try:
            Path(path).write_text(text)
        except OSError as error:
            raise LazymlirError(f"the picture could not be written to {path}: {error}") from error

    def _repr_svg_(self) -> str | None:
        return self.svg() if shutil.which("dot") else None


def ir_graph(tensors: Any, passes: str = "") -> Picture:
    """The recorded graph behind a tensor or a list of tensors, as Graphviz source (the paper's Figure 1b). Runs nothing."""
    graph = _graph(tensors, passes)
    return Picture(graphviz(_function(graph)))
