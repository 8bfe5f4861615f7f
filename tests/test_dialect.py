"""Every operation round-trips, every rule of every verifier refuses something, and the reference page is up to date."""

from __future__ import annotations

import ast
import io
import re
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import lazymlir.dialect
from lazymlir.dialect import OPS, Builder, Node, TensorType, TypeRuleError
from lazymlir.frontend_torch.inventory import release
from lazymlir.mlir import ir, new_context
from lazymlir.tools.coverage import coverage_page
from lazymlir.tools.ops import DOCS, dialect_page
from lazymlir.tools.opt import main as opt

CHECKOUT = Path(__file__).resolve().parent.parent
LIT_TESTS = CHECKOUT / "lit_tests" / "dialect"
RULES = [sys.modules[f"lazymlir.dialect.{name}"] for name in ("declare", *sorted({op.family for op in OPS.values()}), "views")]


@pytest.fixture
def context() -> Iterator[ir.Context]:
    with new_context() as made, ir.Location.unknown(made):
        yield made


def _in_lit_tests(pattern: str) -> set[str]:
    return {name for file in LIT_TESTS.glob(pattern) for name in re.findall(r'= "lazy\.(\w+)"', file.read_text())}


def test_every_operation_round_trips_in_a_lit_test() -> None:
    assert _in_lit_tests("*_round_trip.mlir") == set(OPS)


def test_every_operation_is_declared_with_a_summary_and_a_family_of_the_page() -> None:
    assert all(definition.summary.strip() for definition in OPS.values())
    assert all(f"`lazy.{name}`" in dialect_page() for name in OPS)


def test_the_reference_page_is_up_to_date() -> None:
    assert (DOCS / "dialect.md").read_text() == dialect_page(), "run: make docs"
    page, made = (DOCS / "ops.md").read_text(), coverage_page()
    if f"of torch {release()}" not in page:  # another torch composes other operations
        page, made = (text[: text.index("## Composed")] for text in (page, made))
    assert page == made, "run: make docs"


# Every condition that a type rule requires must be broken by some case of lit_tests/dialect/*_refused.mlir.


def _conditions(module: ModuleType) -> dict[int, str]:
    """The calls of `require` in a module: line to source."""
    source = Path(str(module.__file__)).read_text()
    calls = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name))
    return {call.lineno: str(ast.get_source_segment(source, call)) for call in calls if isinstance(call.func, ast.Name) and call.func.id == "require"}


def test_every_condition_of_the_type_rules_is_refused_in_a_lit_test(monkeypatch: pytest.MonkeyPatch) -> None:
    broken: set[tuple[str, int]] = set()

    def require(condition: bool, message: str) -> None:
        if not condition:
            frame = sys._getframe(1)
            broken.add((str(frame.f_globals["__name__"]), frame.f_lineno))
            raise TypeRuleError(message)

    for module in RULES:
        monkeypatch.setattr(module, "require", require)
    for file in LIT_TESTS.glob("*_refused.mlir"):
        with redirect_stderr(io.StringIO()) as errors, redirect_stdout(io.StringIO()):
            status = opt([str(file), "--split-input-file", "--verify-diagnostics"])
        assert status == 0, errors.getvalue()
    never = [
        f"{module.__name__}:{line}: {text}" for module in RULES for line, text in _conditions(module).items() if (module.__name__, line) not in broken
    ]
    assert never == []


# The builder and the attributes.


@pytest.mark.parametrize(
    ("name", "attributes", "result"),
    [
        ("constant", {"value": True}, TensorType((2,), "i1")),
        ("constant", {"value": -3}, TensorType((2,), "i64")),
        ("constant", {"value": 2**64 - 1}, TensorType((), "ui64")),
        ("constant", {"value": float("-inf")}, TensorType((2, 2), "f16")),
        ("constant", {"value": 1 - 2j}, TensorType((), "complex<f64>")),
        ("scalar", {"slot": 3, "kind": "index"}, None),
    ],
)
def test_attributes_read_back_as_they_were_written(context: ir.Context, name: str, attributes: dict[str, Any], result: TensorType | None) -> None:
    module = ir.Module.parse("module {}", context)
    builder = Builder(ir.InsertionPoint(module.body), ir.Location.unknown(context))
    node = builder.emit(name, (), attributes, result)
    parsed = ir.Module.parse(str(module), context)  # an operation does not keep its module alive
    op = parsed.body.operations[0].operation
    written = lazymlir.dialect.read_attributes(OPS[name], op)
    signed = {key: value - 2**64 if value == 2**64 - 1 else value for key, value in attributes.items()}
    assert written == signed
    assert lazymlir.dialect.tensor_type(op.results[0].type) == node.type


def test_the_builder_refuses_what_the_verifier_refuses(context: ir.Context) -> None:
    module = ir.Module.parse("func.func @f(%x: tensor<2x3xf32>) { return }", context)
    block = module.body.operations[0].operation.regions[0].blocks[0]
    x = Node(block.arguments[0], TensorType((2, 3), "f32"))
    builder = Builder(ir.InsertionPoint.at_block_begin(block), ir.Location.unknown(context))
    with pytest.raises(TypeRuleError, match=r"dims \[1, 1\] is not a permutation of rank 2"):
        builder.permute(x, dims=(1, 1))
    with pytest.raises(AttributeError, match="no operation 'permut'"):
        builder.permut(x)
    assert builder.permute(x, dims=(1, 0)).shape == (3, 2)
    assert module.operation.verify()


def test_a_fault_in_a_type_rule_is_a_diagnostic(context: ir.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    def rule(x: TensorType) -> TensorType:
        raise KeyError("oops")

    changed = OPS["exp"]
    monkeypatch.setattr(type(changed), "infer", lambda *_: rule(TensorType((), "f32")))
    with pytest.raises(ir.MLIRError, match="lazy.exp: the type rule failed: KeyError: 'oops'"):
        ir.Module.parse('func.func @f(%x: tensor<f32>) { "lazy.exp"(%x) : (tensor<f32>) -> tensor<f32> return }', context)


def test_contexts_follow_one_another() -> None:
    for _ in range(3):
        with new_context() as context:
            assert ir.Module.parse('%0 = "lazy.constant"() {value = true} : () -> tensor<i1>', context).operation.verify()


def test_a_second_copy_under_another_name_is_refused() -> None:
    import runpy

    with pytest.raises(ImportError, match=r"import this package as lazymlir\.dialect"):
        runpy.run_path(str(CHECKOUT / "dialect" / "__init__.py"), run_name="dialect")
