"""Functions that jax writes: factorizations and special functions, whose lowering differs by platform.

A lowering declares such a function by the name of its template, its types and its static arguments (`Emitter.template`);
`link` puts its definition into the text that goes to XLA. jax's own lowering is taken, at the platform of the client.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

import jax

from lazymlir.dialect import TensorType, tensor_type
from lazymlir.mlir import ir

from . import templates_linalg, templates_special
from .client import client
from .program import numpy_dtype

__all__ = ["TEMPLATES", "link"]

Static = tuple[tuple[str, bool | int | str], ...]

TEMPLATES: dict[str, Callable[..., Any]] = {
    **templates_linalg.TEMPLATES,
    **templates_special.TEMPLATES,
}


def link(module: ir.Module, text: str) -> str:
    """`text` of the module, with each declared template defined."""
    for op in module.body.operations:
        function = op.operation
        if "lazy.template" not in function.attributes:
            continue
        symbol = ir.StringAttr(function.attributes["sym_name"]).value
        type_ = ir.FunctionType(ir.TypeAttr(function.attributes["function_type"]).value)
        static = tuple((named.name, _number(named.attr)) for named in ir.DictAttr(function.attributes["lazy.static"]))
        name = ir.StringAttr(function.attributes["lazy.template"]).value
        definition = _definition(name, tuple(map(tensor_type, type_.inputs)), static, client().platform)
        defined = re.sub(r"@self(?=\b|_)", f"@{symbol}", definition)
        text = re.sub(rf"^ *func\.func private @{symbol}\(.*$", lambda _, defined=defined: defined, text, count=1, flags=re.MULTILINE)
    return text


def _number(attribute: ir.Attribute) -> bool | int | str:
    if isinstance(attribute, ir.StringAttr):
        return attribute.value
    return attribute.value if isinstance(attribute, ir.BoolAttr) else ir.IntegerAttr(attribute).value


_UNREAD = re.compile(
    r", sdy\.sharding_rule = #sdy\.op_sharding_rule<.*?custom>|, mhlo\.frontend_attributes = \{[^}]*\}| \{jax\.result_info = \"[^\"]*\"\}"
)
"""Attributes that say nothing to a program of one device."""


@lru_cache(maxsize=256)
def _definition(name: str, operands: tuple[TensorType, ...], static: Static, platform: str) -> str:
    """The text of a template's functions: the first is called `self`, the names of the others begin with `self_`."""
    function = jax.jit(partial(TEMPLATES[name], **dict(static)), keep_unused=True)
    shapes = [jax.ShapeDtypeStruct(type_.shape, numpy_dtype(type_.dtype)) for type_ in operands]
    with jax.enable_x64(True):
        text = function.trace(*shapes).lower(lowering_platforms=(platform,)).as_text()
    body = text[text.index("\n") + 1 : text.rindex("}")]
    for symbol in re.findall(r"func\.func \w+ @(\w+)", body):
        renamed = "self" if symbol == "main" else f"self_{symbol}"
        body = re.sub(rf"(func\.func \w+|call) @{symbol}\b", rf"\1 @{renamed}", body)
    return _UNREAD.sub("", body.replace("func.func public", "func.func private"))
