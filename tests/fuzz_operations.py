"""What the programs of the fuzzer are made of: one template a statement, by what it does to the exactness of numbers.

In a template `{x}` is a tensor, `{y}` another one that broadcasts to it, `{z}` any; the other parts are in fuzz_parts.py.
An expression gets a variable of its own, a statement stands by itself and writes `{x}` (or only re-describes it).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto

import torch

__all__ = ["OPERATIONS", "Kind", "Needs", "Operation"]


class Kind(Enum):
    """What is known of the numbers that come out."""

    MOVE = auto()  # some of those that go in, or their negative: every bit is the same
    SELECT = auto()  # the same, but a gradient's way would change with a rounding error
    EXTREME = auto()  # the same, of zeros of both signs
    DECIDE = auto()  # whole numbers or truths that a rounding error would change: exact operands only
    ADD = auto()  # as long as nothing is rounded, every bit is the same; else close
    MULTIPLY = auto()
    SUM = auto()
    CONTRACT = auto()
    ROUND = auto()  # close
    DESCRIBE = auto()  # nothing is computed, and nothing is written


Needs = Callable[[torch.Tensor], bool]


def _any(x: torch.Tensor) -> bool:
    return True


def _floating(x: torch.Tensor) -> bool:
    return x.is_floating_point()


def _number(x: torch.Tensor) -> bool:
    return x.dtype != torch.bool and not x.is_complex()


def _complex(x: torch.Tensor) -> bool:
    return x.is_complex()


def _real(x: torch.Tensor) -> bool:
    return not x.is_complex()


def _integral(x: torch.Tensor) -> bool:
    return not x.is_complex() and not x.is_floating_point()


def _matrix(x: torch.Tensor) -> bool:
    return x.dim() == 2 and x.dtype != torch.bool


def _dimensions(x: torch.Tensor) -> bool:
    return x.dim() > 0


def _plane(x: torch.Tensor) -> bool:
    return x.dim() > 1


def _wide_float(x: torch.Tensor) -> bool:
    return x.dtype in (torch.float32, torch.float64)


def _learns(x: torch.Tensor) -> bool:
    return x.requires_grad


@dataclass(frozen=True)
class Operation:
    template: str
    kind: Kind
    needs: Needs
    statement: bool
    often: int


def _table(kind: Kind, needs: Needs, *templates: str, statement: bool = False, often: int = 1) -> list[Operation]:
    return [Operation(template, kind, needs, statement, often) for template in templates]


def _statements(kind: Kind, needs: Needs, *templates: str, often: int = 1) -> list[Operation]:
    return _table(kind, needs, *templates, statement=True, often=often)


_VIEWS = [
    *_table(
        Kind.MOVE, _any,
        "{x}.permute({order})", "{x}.view({shape})", "{x}.reshape({shape})", "{x}.squeeze()", "{x}.unsqueeze({new_dim})", "{x}[{basic}]", "{x}[{basic}]",
        "{x}[{basic}]", "{x}.as_strided({window})", "{x}.as_strided({window})", "{x}.detach()", "{x}.data", "{x}.flatten()", "{x}.ravel()",
        "{x}.expand({wide})", "torch.ops.aten.alias({x})", "{x}.view_as({x})", "{x}.expand_as({z})", "{x}.T", "{x}.conj()", "{x}.view({shape}).squeeze()",
        "torch.broadcast_to({x}, {wide})", "torch.atleast_2d({x})",
    ),
    *_table(
        Kind.MOVE, _dimensions,
        "{x}.select({dim}, {place})", "{x}.narrow({dim}, {place}, {length})", "{x}.split({length}, {dim})[{few}]", "{x}.chunk(2, {dim})[{few}]",
        "{x}.unbind({dim})[{few}]", "{x}.unfold({dim}, {length}, {step})", "{x}.squeeze({dim})", "{x}.transpose({dim}, {dim})", "{x}.movedim({dim}, {dim})",
        "{x}.swapaxes({dim}, {dim})", "{x}.flatten({dim})", "{x}.tensor_split(3, {dim})[{few}]", "torch.unflatten({x}, {dim}, (-1, 2))", "{x}.squeeze(({dim},))",
    ),
    *_table(Kind.MOVE, _plane, "{x}.diagonal({offset}, {dim}, {dim})", "{x}.diagonal()", "{x}.mT", "{x}.t()", "{x}.transpose(0, 1)[{basic}]"),
    *_table(Kind.MOVE, _complex, "torch.view_as_real({x})", "{x}.real", "{x}.imag", "{x}.resolve_conj()", often=6),
    *_table(Kind.MOVE, _wide_float, "torch.view_as_complex({x})", "torch.view_as_complex({x}.reshape(-1, 2))"),
    *_table(Kind.MOVE, _real, "{x}.view({bits})", "{x}.contiguous().view({bits})", often=2),
    *_table(Kind.MOVE, _floating, "{x}._neg_view()"),
]  # fmt: skip

_COPIES = [
    *_table(
        Kind.MOVE, _any,
        "{x}.clone()", "{x}.contiguous()", "{x}.to({dtype})", "{x}.to({dtype})", "torch.cat([{x}, {x}])", "torch.stack([{x}, {x}], {new_dim})", "{x}[{advanced}]", "{x}[{advanced}]",
        "{x}.masked_fill({mask}, {scalar})", "torch.where({mask}, {x}, {y})", "torch.zeros_like({x})", "torch.full_like({x}, 2)", "torch.ones_like({x}, dtype={dtype})",
        "{x}.new_zeros({shape})", "{x}.repeat(2, *[1] * {x}.dim())", "{x}.clone(memory_format=torch.contiguous_format)", "{x}.type_as({z})", "torch.empty_like({x}).copy_({x})",
        "{x}.new_full({shape}, 3)",
    ),
    *_table(
        Kind.MOVE, _dimensions,
        "{x}.flip({dim})", "{x}.roll({small}, {dim})", "{x}.index_select({dim}, {places})", "{x}.gather({dim}, {gather})", "{x}.take_along_dim({gather}, {dim})",
        "{x}.select_scatter({x}.select({dim0}, 0), {dim0}, -1)", "{x}.slice_scatter({x}.narrow({dim0}, 0, 1), {dim0}, 0, 1)", "torch.cat([{x}, {x}], {dim})",
        "{x}.index_copy({dim0}, {place0}, {x}.narrow({dim0}, 0, 1))", "{x}.repeat_interleave(2, {dim})",
    ),
    *_table(Kind.MOVE, _plane, "{x}.tril({small})", "{x}.triu({small})", "{x}.diagonal_scatter({x}.diagonal())", "{x}.rot90()"),
    *_table(Kind.MOVE, _number, "-{x}"),
    *_table(Kind.SELECT, _number, "{x}.abs()", "{x}.clamp(-1, 2)", "{x}.relu()"),
    *_table(Kind.EXTREME, _number, "torch.maximum({x}, {y})", "torch.minimum({x}, {y})", "{x}.amax()"),
    *_table(Kind.MOVE, _real, "{x}.double()", "{x}.float()", "{x}.bool()", "{x}.long()"),
]  # fmt: skip

_DECISIONS = [
    *_table(
        Kind.DECIDE, _number,
        "{x} > {y}", "{x} <= {scalar}", "{x} == {y}", "{x}.sign()", "{x}.argmax()", "{x}.sort(stable=True)[0]", "{x} // 2", "{x} % 3", "{x}.signbit()",
    ),
    *_table(Kind.DECIDE, _floating, "{x}.floor()", "{x}.round()", "{x}.isnan()", "{x}.trunc()"),
    *_table(Kind.DECIDE, _any, "{x} != {y}", "{x}.any()", "{x}.all()", "{x}.logical_not()", "{x}.count_nonzero()", "{x}[{mask}]", "{x}.masked_select({mask})", "{x}.nonzero()"),
    *_table(Kind.DECIDE, _integral, "{x} & {y}", "{x} | {scalar}", "{x} ^ {y}", "~{x}", "{x}.cumsum(0)", "{x}.argsort(stable=True)"),
]  # fmt: skip

_ARITHMETIC = [
    *_table(Kind.ADD, _any, "{x} + {y}", "{x} - {y}", "{x} + {scalar}", "torch.rsub({x}, {y})", "torch.add({x}, {y}, alpha=2)", often=2),
    *_table(Kind.MULTIPLY, _any, "{x} * {y}", "{x} * {scalar}", "{scalar} * {x}", often=2),
    *_table(Kind.SUM, _any, "{x}.sum()", "{x}.sum({dim})", "{x}.sum({dim}, keepdim=True)", "{x}.sum(dtype=torch.float64)"),
    *_table(Kind.SUM, _number, "{x}.cumsum({dim})"),
    *_table(Kind.CONTRACT, _matrix, "{x} @ {x}.t()", "torch.mm({x}, {z})", "{x} @ {z}", "torch.einsum('ij,kj->ik', {x}, {x})", often=2),
    *_table(Kind.CONTRACT, _wide_float, "torch.outer({x}.flatten(), {x}.flatten())", "torch.matmul({x}, {z})"),
    *_table(Kind.ROUND, _floating, "{x}.tanh()", "{x}.sin()", "{x}.sigmoid()", "{x} / 3", "({x} * 0.25).exp()", "{x} / ({x}.abs() + 1)", "{x} * 0.3"),
    *_table(Kind.ROUND, _wide_float, "{x}.mean()", "{x}.softmax(-1)", "{x}.mean({dim})", "{x}.square().mean({dim})", "{x}.lerp({y}, 0.25)", "torch.addcmul({x}, {y}, {x})"),
]  # fmt: skip

_IN_PLACE = [
    *_statements(
        Kind.MOVE, _any,
        "{x}.copy_({y})", "{x}.copy_({y})", "{x}.copy_({near})", "{x}.fill_({scalar})", "{x}.zero_()", "{x}[{basic}] = {scalar}", "{x}[{basic}] = {fitting}", "{x}[{advanced}] = {scalar}",
        "{x}[{advanced}] = {fitting}", "{x}.masked_fill_({mask}, {scalar})", "{x}[{mask}] = {scalar}", "{x}.data.fill_({scalar})", "{x}.detach().zero_()", "{x}.data[{basic}] = {scalar}",
        "{x}.data.copy_({y})", "{x}.index_put_(({places0},), {x}.new_ones(()))", "{x}.masked_scatter_({mask}, {x}.clone())", "{x}.flatten()[:2].zero_()",
        "{x}[{basic}].fill_({scalar})", "{x}[{basic}].copy_({fitting})", "{x}[...] = {near}", "torch.zeros(2, device=device).copy_({x}.flatten()[:1])",
        "torch.where({mask}, {x}, {x}, out={x})", often=2,
    ),
    *_statements(
        Kind.MOVE, _dimensions,
        "{x}.index_fill_({dim0}, {places0_d}, {scalar})", "{x}.index_copy_({dim0}, {place0}, {x}.narrow({dim0}, 0, 1).clone())", "{x}.scatter_({dim0}, {gather}, {scalar})",
        "{x}.unbind({dim})[{few}].zero_()", "{x}.split(1, {dim0})[-1].fill_({scalar})", "{x}.chunk(2)[0].copy_({scalar} + 0 * {x}.new_zeros(()))",
    ),
    *_statements(Kind.MOVE, _plane, "{x}.tril_()", "{x}.triu_(1)", "{x}.diagonal().fill_({scalar})", "{x}.fill_diagonal_(2)", "{x}.transpose(0, 1)[{fits}] = {scalar}"),
    *_statements(Kind.MOVE, _number, "{x}.neg_()"),
    *_statements(Kind.SELECT, _number, "{x}.abs_()", "{x}.clamp_(-2, 1)", "{x}.relu_()"),
    *_statements(Kind.EXTREME, _number, "{x}.clamp_(max={y})"),
    *_statements(Kind.MOVE, _complex, "{x}.conj_physical_()", "{x}.real.zero_()", "{x}.imag.fill_(2)", "{x}.real = 1", "{x}.conj().copy_({y})", "torch.view_as_real({x})[..., 0].neg_()", often=3),
    *_statements(Kind.ADD, _any, "{x}.add_({y})", "{x}.sub_({y})", "{x} += {scalar}", "{x}.add_({near})", "{x}.add_({y}, alpha=2)", "{x}[{basic}] += {scalar}", "{x}[{basic}].add_({fitting})", "torch.add({x}, {y}, out={x})", often=2),
    *_statements(Kind.MULTIPLY, _any, "{x}.mul_({y})", "{x} *= {scalar}", "{x}.mul_({near})", "{x}[{basic}] *= {scalar}"),
    *_statements(Kind.ADD, _dimensions, "{x}.index_add_({dim0}, {place0}, {x}.narrow({dim0}, 0, 1).clone())", "{x}.index_put_(({places0},), {x}.new_ones(()), accumulate=True)"),
    *_statements(Kind.SUM, _dimensions, "{x}.scatter_add_({dim0}, {gather}, {x}.clone())"),
    *_statements(Kind.ROUND, _wide_float, "{x}.tanh_()", "{x}.div_(3)", "{x}.sin_()", "{x}[{basic}].sigmoid_()", "{x}.lerp_({y}, 0.5)", "torch.mul({x}, {y}, out={x})"),
    *_statements(Kind.DECIDE, _integral, "{x} &= {y}", "{x}.bitwise_not_()", "{x} ^= {scalar}", "{x}.bitwise_or_({near})"),
    *_statements(Kind.DECIDE, _number, "{x}.floor_()", "{x}.sign_()", "{x}.eq_({y})", "{x}.logical_not_()", "{x}.logical_and_({y})", "{x}.remainder_(3)", "{x}.cumsum_({dim})", "torch.gt({x}, {y}, out={x})"),
]  # fmt: skip

_DESCRIPTIONS = [
    *_statements(
        Kind.DESCRIBE, _any,
        "{x}.t_()", "{x}.transpose_({dim}, {dim})", "{x}.squeeze_()", "{x}.unsqueeze_({new_dim})", "{x}.detach_()", "{x}.as_strided_({window})", "{x}.swapaxes_({dim}, {dim})",
        "torch.utils.swap_tensors({x}, {z})", "{x}.data = {z}.data", "{x}.data = {x}.data.clone()", "{x}.set_({z})", "{x}.set_({x}.untyped_storage(), {storage_window})",
        "{x}.requires_grad_()", "{x}.requires_grad = False", "{x}.set_()", "{x}.data = {z}",
    ),
    *_statements(Kind.MOVE, _any, "{x}.resize_({sizes})", "{x}.resize_({larger}).flatten()[{stored}:].zero_()", "{x}.set_({x}.storage())"),
]  # fmt: skip

_EVENTS = [
    *_statements(
        Kind.DESCRIBE, _any,
        "lazymlir.sync()", "lazymlir.sync()", "lazymlir.sync(wait=True)", "repr({x})", "{x}.tolist()", "{x}.flatten()[:1].tolist()", "gc.collect(0)", "del {x}", "del {x}",
        "{x}.sum().item()", "{x}.cpu()", "str({x}.shape)", "bool({x}.any())",
    ),
    *_statements(Kind.DESCRIBE, _learns, "{x}.sum().backward(retain_graph=True)", "({x} * {x}).sum().backward(retain_graph=True)", "{x}.grad = None", "{x}.backward({x}.detach().clone(), retain_graph=True)", "{x}.retain_grad()", often=8),
]  # fmt: skip

OPERATIONS: dict[str, list[Operation]] = {
    "view": _VIEWS,
    "copy": _COPIES,
    "arithmetic": _ARITHMETIC,
    "decide": _DECISIONS,
    "in-place": _IN_PLACE,
    "describe": _DESCRIPTIONS,
    "event": _EVENTS,
}
"""By family: a family is chosen first, so that many views do not make few copies."""
