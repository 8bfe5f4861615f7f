"""Attention as one operation: scores, softmax and their product with the values never leave the record.

torch would take `scaled_dot_product_attention` apart into a dozen operations on this device; the kernels in EXTRA_KERNELS
catch it before, and hand it to the fused operation that has a gradient.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf, sqrt
from typing import Any

import torch
import torch.nn.functional as F
from torch.autograd import forward_ad

from lazymlir.dialect import Builder, Node, TensorType
from lazymlir.dialect.types import BOOL

from ..registry import aten
from .common import math_dtype, to
from .formula import Term
from .matmul import contract, matrix_product
from .random import unit

__all__ = ["EXTRA_KERNELS"]

_aten = torch.ops.aten


# The graph.


class _Attention:
    """One call: query [..., heads, L, E], key [..., groups, S, E], value [..., groups, S, V]. Several heads may share a
    group of key and value; then their queries stand one below the other."""

    def __init__(
        self, b: Builder, query: Node, key: Node, value: Node, bias: Node | None, dropout_p: Node | None, is_causal: bool, scale: Node | None
    ) -> None:
        self.b = b
        self.dtype = math_dtype(query.dtype)
        self.lead = key.shape[:-2]
        self.shape = (*query.shape[:-1], key.shape[-2])
        self.heads = query.shape[-3] // key.shape[-3] if query.rank > 2 and key.shape[-3] else 1
        self.query, self.key, self.value = self.stacked(query), key, value
        self.bias, self.is_causal, self.dropout_p = bias, is_causal, dropout_p
        self.factor = b.constant(1 / sqrt(query.shape[-1]) if query.shape[-1] else inf, TensorType((), self.dtype)) if scale is None else scale

    def stacked(self, x: Node) -> Node:
        """[..., heads, L, n] with the heads of each group below one another."""
        return self.b.reshape(x, (*self.lead, self.heads * x.shape[-2], x.shape[-1]))

    def _masked(self, scores: Node) -> Node:
        b, lowest = self.b, self.b.constant(-inf, scores.type)
        if self.bias is not None:
            bias = b.expand(self.bias, self.shape)
            scores = b.where(bias, scores, lowest) if bias.dtype == BOOL else b.add(scores, b.cast(bias, self.dtype))
        if self.is_causal:
            place = TensorType(self.shape, "i32")
            row, column = (b.iota(dim=len(self.shape) - 2 + i, result=place) for i in range(2))
            scores = b.where(b.le(column, row), scores, lowest)
        return scores

    def scores(self) -> Node:
        """[..., heads, L, S]: scaled and masked."""
        b = self.b
        batch = len(self.lead)
        products = contract(b, self.query, self.key, (batch + 1,), (batch + 1,), batch)
        scaled = b.mul(products, to(b, self.factor, self.dtype, products.shape))
        return self._masked(b.reshape(scaled, self.shape))

    def over_rows(self, x: Node) -> Node:
        """A number for each query, for each of its scores."""
        return self.b.expand(self.b.reshape(x, (*x.shape, 1)), self.shape)

    def row_sum(self, x: Node) -> Node:
        return self.b.sum(x, dims=(x.rank - 1,))

    def kept(self, key: Node) -> tuple[Node, Node]:
        """Which scores dropout keeps, and what those grow by."""
        assert self.dropout_p is not None
        keep = 1 - Term(self.b, self.b.cast(self.dropout_p, "f64"))
        drawn = unit(self.b, key, TensorType(self.shape, "f32"))
        mask = self.b.lt(drawn, to(self.b, keep.node, "f32", self.shape))
        return mask, to(self.b, (1 / keep).node, self.dtype, self.shape)

    def dropped(self, x: Node, key: Node | None) -> Node:
        if key is None:
            return x
        mask, growth = self.kept(key)
        return self.b.where(mask, self.b.mul(x, growth), self.b.constant(0, x.type))

    def times(self, weights: Node, other: Node) -> Node:
        """weights @ other, for [..., heads, L, S] and [..., groups, S, n]."""
        return matrix_product(self.b, self.stacked(self.b.cast(weights, other.dtype)), other)

    def transposed_times(self, weights: Node, other: Node) -> Node:
        """weights^T @ other, summed over the heads of each group."""
        batch = len(self.lead)
        stacked = self.stacked(self.b.cast(weights, other.dtype))
        return contract(self.b, stacked, self.stacked(other), (batch,), (batch,), batch)


def _meta_forward(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    bias: torch.Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    return_debug_mask: bool = False,
    *,
    scale: float | None = None,
) -> tuple[Any, ...]:
    """As on the CPU, the result is stored as the query is."""
    out = F.scaled_dot_product_attention(query, key, value, bias, dropout_p, is_causal and bias is None, scale=scale, enable_gqa=_shares(query, key))
    if out.shape == query.shape and dropout_p == 0:
        out = torch.empty_like(query)
    logsumexp = out.new_empty(out.shape[:-1], dtype=torch.float64 if out.dtype == torch.float64 else torch.float32)
    seed = torch.empty((), dtype=torch.int64, device=out.device) if dropout_p else None
    return out, logsumexp, None, None, query.shape[-2], key.shape[-2], seed, None, None


@aten("_scaled_dot_product_fused_attention_overrideable", random="dropout_p", meta=_meta_forward)
def attention(
    b: Builder,
    out: Sequence[TensorType],
    query: Node,
    key_: Node,
    value: Node,
    bias: Node | None = None,
    dropout_p: Node | None = None,
    is_causal: bool = False,
    return_debug_mask: bool = False,
    *,
    scale: Node | None = None,
    key: Node | None = None,
) -> tuple[Node, Node, Node | None]:
    """The result, the logarithm of each row's sum of exponentials, and the key of the dropout. A row that is masked
    altogether has result 0 and logarithm -infinity."""
    a = _Attention(b, query, key_, value, bias, dropout_p, is_causal, scale)
    scores = a.scores()
    top = b.amax(scores, dims=(scores.rank - 1,))
    zero = b.constant(0, top.type)
    top = b.where(b.eq(top, b.constant(-inf, top.type)), zero, top)
    weights = b.exp(b.sub(scores, a.over_rows(top)))
    total = a.row_sum(weights)
    divisor = b.where(b.eq(total, zero), b.constant(1, total.type), total)
    product = b.reshape(a.times(a.dropped(weights, key), value), out[0].shape)
    result = b.div(product, b.expand(b.reshape(divisor, (*divisor.shape, 1)), product.shape))
    return b.cast(result, out[0].dtype), b.cast(b.add(top, b.log(total)), out[1].dtype), key


def _meta_backward(
    grad: torch.Tensor,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    bias: torch.Tensor | None,
    mask: Sequence[bool],
    *_: Any,
    **__: Any,
) -> tuple[torch.Tensor | None, ...]:
    return tuple(torch.empty_like(x) if wanted and x is not None else None for x, wanted in zip((query, key, value, bias), mask, strict=True))


@aten("_scaled_dot_product_fused_attention_overrideable_backward", meta=_meta_backward)
def attention_backward(
    b: Builder,
    out: Sequence[TensorType | None],
    grad: Node,
    query: Node,
    key: Node,
    value: Node,
    bias: Node | None,
    grad_input_mask: Sequence[bool],
    result: Node,
    logsumexp: Node,
    cum_seq_q: Node | None,
    cum_seq_k: Node | None,
    max_q: int,
    max_k: int,
    dropout_p: Node,
    is_causal: bool,
    philox_seed: Node | None,
    philox_offset: Node | None,
    *,
    scale: Node | None = None,
) -> tuple[Node | None, ...]:
    a = _Attention(b, query, key, value, bias, dropout_p, is_causal, scale)
    empty = b.eq(logsumexp, b.constant(-inf, logsumexp.type))
    level = b.where(empty, b.constant(inf, logsumexp.type), logsumexp)
    weights = b.exp(b.sub(a.scores(), a.over_rows(b.cast(level, a.dtype))))
    grad_value = a.transposed_times(a.dropped(weights, philox_seed), grad)
    batch = len(a.lead)
    grad_weights = contract(b, a.stacked(grad), value, (batch + 1,), (batch + 1,), batch)
    grad_weights = a.dropped(b.reshape(grad_weights, a.shape), philox_seed)
    shared = a.row_sum(b.mul(b.cast(grad, a.dtype), b.cast(result, a.dtype)))
    grad_scores = b.mul(weights, b.sub(grad_weights, a.over_rows(shared)))
    scaled = b.mul(grad_scores, to(b, a.factor, a.dtype, a.shape))
    made: list[Callable[[], Node]] = [
        lambda: a.times(scaled, key),
        lambda: a.transposed_times(scaled, query),
        lambda: grad_value,
        lambda: _sum_to(b, grad_scores, bias.shape if bias is not None else ()),
    ]
    return tuple(None if type_ is None else b.cast(b.reshape(make(), type_.shape), type_.dtype) for type_, make in zip(out, made, strict=True))


def _sum_to(b: Builder, x: Node, shape: Sequence[int]) -> Node:
    """The gradient of something of this shape that was expanded."""
    missing = x.rank - len(shape)
    repeated = [dim for dim in range(x.rank) if dim < missing or (shape[dim - missing] == 1 and x.shape[dim] != 1)]
    return b.reshape(b.sum(x, dims=tuple(repeated)), tuple(shape)) if repeated else x


# What torch calls.


def _shares(query: torch.Tensor, key: torch.Tensor) -> bool:
    """Whether several heads of the query share a head of the key."""
    return query.dim() > 2 and query.shape[-3] != key.shape[-3]


def _fits(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, mask: torch.Tensor | None, enable_gqa: bool) -> bool:
    """Whether the fused operation takes these operands; for all others, and for errors, there is torch's composition."""
    if mask is not None and mask.is_nested:
        return False
    tensors = (query, key, value)
    if any(x.is_nested or x.dtype != query.dtype or x.dim() != query.dim() or not x.is_floating_point() for x in tensors):
        return False
    if query.dim() < 2 or query.shape[-1] != key.shape[-1] or key.shape[:-1] != value.shape[:-1]:
        return False
    if query.shape[:-2] == key.shape[:-2]:
        return True
    grouped = enable_gqa and query.dim() > 3 and query.shape[:-3] == key.shape[:-3]
    return grouped and key.shape[-3] > 0 and query.shape[-3] % key.shape[-3] == 0


def scaled_dot_product_attention(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attn_mask: torch.Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    *,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> torch.Tensor:
    if forward_ad._current_level < 0 and _fits(query, key, value, attn_mask, enable_gqa):
        fused = _aten._scaled_dot_product_fused_attention_overrideable
        return fused(query, key, value, attn_mask, dropout_p, is_causal, scale=scale)[0]
    return _composed(query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa)


def _composed(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    mask: torch.Tensor | None,
    dropout_p: float,
    is_causal: bool,
    scale: float | None,
    enable_gqa: bool,
) -> torch.Tensor:
    """torch's own composition of other operations; it has derivatives of every kind."""
    if mask is not None and mask.dtype == torch.bool:
        mask = torch.zeros_like(mask, dtype=query.dtype).masked_fill(~mask, -inf)
    if query.dtype != key.dtype or query.dtype != value.dtype:
        query, key, value = (torch.empty_like(x, device="meta") for x in (query, key, value))  # for torch's message
        F.scaled_dot_product_attention(query, key, value)
    return _aten._scaled_dot_product_attention_math(query, key, value, mask, dropout_p, is_causal, None, scale=scale, enable_gqa=enable_gqa)[0]


def attention_gradient(
    grad: torch.Tensor,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    bias: torch.Tensor | None,
    grad_input_mask: Sequence[bool],
    out: torch.Tensor,
    logsumexp: torch.Tensor,
    cum_seq_q: Any,
    cum_seq_k: Any,
    max_q: int,
    max_k: int,
    dropout_p: float,
    is_causal: bool,
    philox_seed: torch.Tensor | None,
    philox_offset: torch.Tensor | None,
    *,
    scale: float | None = None,
) -> Sequence[torch.Tensor | None]:
    """The fused gradient, except where it must be differentiable itself: then that of torch's composition."""
    if not torch.is_grad_enabled():
        with torch._C._AutoDispatchBelowAutograd():
            return _aten._scaled_dot_product_fused_attention_overrideable_backward(
                grad, query, key, value, bias, grad_input_mask, out, logsumexp, cum_seq_q, cum_seq_k, max_q, max_k, dropout_p, is_causal,
                philox_seed, philox_offset, scale=scale,
            )  # fmt: skip
    if philox_seed is not None:
        raise NotImplementedError("scaled_dot_product_attention with dropout has no second derivative on device lazymlir")
    inputs = [x for x, wanted in zip((query, key, value, bias), grad_input_mask, strict=True) if wanted and x is not None]
    composed = _composed(query, key, value, bias, 0.0, is_causal, scale, _shares(query, key))
    gradients = iter(torch.autograd.grad(composed, inputs, grad, create_graph=True))
    return [next(gradients) if wanted else None for wanted in grad_input_mask]


# The fast paths of nn.MultiheadAttention and nn.TransformerEncoder, composed of other operations. Their masks are true
# where something is masked; `mask_type` tells over what they run: 0 scores [L, L], 1 padding [B, L], 2 both [B, heads, L, L].


def _allowed(mask: torch.Tensor | None, mask_type: int | None) -> torch.Tensor | None:
    if mask is None:
        return None
    allowed = mask.to(torch.bool).logical_not()
    return allowed[:, None, None, :] if mask_type == 1 else allowed


def native_multi_head_attention(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    embed_dim: int,
    num_head: int,
    qkv_weight: torch.Tensor,
    qkv_bias: torch.Tensor,
    proj_weight: torch.Tensor,
    proj_bias: torch.Tensor,
    mask: torch.Tensor | None = None,
    need_weights: bool = True,
    average_attn_weights: bool = True,
    mask_type: int | None = None,
) -> tuple[torch.Tensor, torch.Tensor | None]:
    def heads(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
        return F.linear(x, weight, bias).unflatten(-1, (num_head, -1)).transpose(1, 2)

    parts = zip((query, key, value), qkv_weight.split(embed_dim), qkv_bias.split(embed_dim), strict=True)
    q, k, v = (heads(x, weight, bias) for x, weight, bias in parts)
    allowed = _allowed(mask, mask_type)
    weights = None
    if need_weights:
        scores = q @ k.transpose(-2, -1) / sqrt(q.shape[-1])
        scores = scores if allowed is None else scores.masked_fill(~allowed, -inf)
        weights = scores.softmax(-1)
        mixed = weights @ v
        weights = weights.mean(1) if average_attn_weights else weights
    else:
        mixed = F.scaled_dot_product_attention(q, k, v, allowed)
    return F.linear(mixed.transpose(1, 2).flatten(2), proj_weight, proj_bias), weights


def transformer_encoder_layer(
    src: torch.Tensor,
    embed_dim: int,
    num_heads: int,
    qkv_weight: torch.Tensor,
    qkv_bias: torch.Tensor,
    proj_weight: torch.Tensor,
    proj_bias: torch.Tensor,
    use_gelu: bool,
    norm_first: bool,
    eps: float,
    norm_weight_1: torch.Tensor,
    norm_bias_1: torch.Tensor,
    norm_weight_2: torch.Tensor,
    norm_bias_2: torch.Tensor,
    ffn_weight_1: torch.Tensor,
    ffn_bias_1: torch.Tensor,
    ffn_weight_2: torch.Tensor,
    ffn_bias_2: torch.Tensor,
    mask: torch.Tensor | None = None,
    mask_type: int | None = None,
) -> torch.Tensor:
    def first_norm(x: torch.Tensor) -> torch.Tensor:
        return F.layer_norm(x, (embed_dim,), norm_weight_1, norm_bias_1, eps)

    def second_norm(x: torch.Tensor) -> torch.Tensor:
        return F.layer_norm(x, (embed_dim,), norm_weight_2, norm_bias_2, eps)

    def attend(x: torch.Tensor) -> torch.Tensor:
        return native_multi_head_attention(
            x, x, x, embed_dim, num_heads, qkv_weight, qkv_bias, proj_weight, proj_bias, mask, False, mask_type=mask_type
        )[0]

    def feed_forward(x: torch.Tensor) -> torch.Tensor:
        inner = F.linear(x, ffn_weight_1, ffn_bias_1)
        return F.linear(F.gelu(inner) if use_gelu else F.relu(inner), ffn_weight_2, ffn_bias_2)

    if norm_first:
        src = src + attend(first_norm(src))
        return src + feed_forward(second_norm(src))
    src = first_norm(src + attend(src))
    return second_norm(src + feed_forward(src))


def no_nested_tensor(x: torch.Tensor, mask: torch.Tensor) -> bool:
    """nn.TransformerEncoder asks this before it packs its input into a nested tensor, which this device does not have."""
    return False


EXTRA_KERNELS: tuple[tuple[str, str, Callable[..., Any]], ...] = (
    ("scaled_dot_product_attention", "AutogradPrivateUse1", scaled_dot_product_attention),
    ("scaled_dot_product_attention", "PrivateUse1", scaled_dot_product_attention),
    ("_scaled_dot_product_fused_attention_overrideable_backward", "AutogradPrivateUse1", attention_gradient),
    ("_nested_tensor_from_mask_left_aligned", "PrivateUse1", no_nested_tensor),
    ("_native_multi_head_attention", "PrivateUse1", native_multi_head_attention),
    ("_transformer_encoder_layer_fwd", "PrivateUse1", transformer_encoder_layer),
)
"""Kernels that are no record of their own: name, dispatch key, function."""
