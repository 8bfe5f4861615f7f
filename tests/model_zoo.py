"""Tiny models of the architectures that people use, from HuggingFace's configurations, and a training step of each."""

from __future__ import annotations

import copy
import sys
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import torch
import transformers as hf
from opinfo_run import DEVICE, no_farther

import lazymlir
from lazymlir import metrics

__all__ = ["GENERATING", "MODELS", "compare_generation", "compare_step"]

BATCH, LENGTH, VOCABULARY, WIDTH = 2, 8, 60, 32
RATE = 1e-3

_encoder: dict[str, Any] = dict(
    vocab_size=VOCABULARY, hidden_size=WIDTH, num_hidden_layers=2, num_attention_heads=4, intermediate_size=48, max_position_embeddings=32
)
_decoder: dict[str, Any] = dict(_encoder, num_key_value_heads=2, pad_token_id=0, bos_token_id=1, eos_token_id=2)
_image: dict[str, Any] = dict(hidden_size=WIDTH, num_hidden_layers=2, num_attention_heads=4, intermediate_size=48, image_size=16, patch_size=8)

_two_sided: dict[str, Any] = dict(
    vocab_size=VOCABULARY, d_model=WIDTH, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=4,
    encoder_ffn_dim=48, decoder_ffn_dim=48, pad_token_id=0, bos_token_id=1, eos_token_id=2, decoder_start_token_id=1,
)  # fmt: skip
_t5: dict[str, Any] = dict(vocab_size=VOCABULARY, d_model=WIDTH, d_kv=8, d_ff=48, num_layers=2, num_heads=4, decoder_start_token_id=0)

Inputs = dict[str, torch.Tensor]


def _tokens(length: int = LENGTH) -> torch.Tensor:
    return torch.randint(3, VOCABULARY, (BATCH, length))


def _text() -> Inputs:
    tokens = _tokens()
    mask = torch.ones_like(tokens)
    mask[1, -2:] = 0
    return {"input_ids": tokens, "attention_mask": mask, "labels": tokens.clone()}


def _pixels(size: int = 16) -> Inputs:
    return {"pixel_values": torch.randn(BATCH, 3, size, size), "labels": torch.tensor([0, 1])}


def _sequences() -> Inputs:
    return {"input_ids": _tokens(), "labels": _tokens(5)}


def _speech() -> Inputs:
    return {"input_features": torch.randn(BATCH, 8, 20), "labels": _tokens(5)}


def _pairs() -> Inputs:
    return {"input_ids": _tokens(), "pixel_values": torch.randn(BATCH, 3, 16, 16), "return_loss": True}  # type: ignore[dict-item]


def _clip() -> Any:
    text = dict(_encoder, max_position_embeddings=16, eos_token_id=2, bos_token_id=1, pad_token_id=0)
    return hf.CLIPModel(hf.CLIPConfig(text_config=text, vision_config=dict(_image), projection_dim=16))


MODELS: dict[str, tuple[Callable[[], Any], Callable[[], Inputs]]] = {
    "bert": (lambda: hf.BertForMaskedLM(hf.BertConfig(**_encoder)), _text),
    "roberta": (lambda: hf.RobertaForMaskedLM(hf.RobertaConfig(**_encoder)), _text),
    "distilbert": (
        lambda: hf.DistilBertForMaskedLM(
            hf.DistilBertConfig(vocab_size=VOCABULARY, dim=WIDTH, n_layers=2, n_heads=4, hidden_dim=48, max_position_embeddings=32)
        ),
        _text,
    ),
    "albert": (lambda: hf.AlbertForMaskedLM(hf.AlbertConfig(**_encoder, embedding_size=16)), _text),
    "electra": (lambda: hf.ElectraForMaskedLM(hf.ElectraConfig(**_encoder, embedding_size=16)), _text),
    "gpt2": (
        lambda: hf.GPT2LMHeadModel(
            hf.GPT2Config(vocab_size=VOCABULARY, n_embd=WIDTH, n_layer=2, n_head=4, n_positions=32, bos_token_id=1, eos_token_id=2)
        ),
        _text,
    ),
    "gpt_neox": (lambda: hf.GPTNeoXForCausalLM(hf.GPTNeoXConfig(**_encoder)), _text),
    "opt": (
        lambda: hf.OPTForCausalLM(
            hf.OPTConfig(
                vocab_size=VOCABULARY,
                hidden_size=WIDTH,
                num_hidden_layers=2,
                num_attention_heads=4,
                ffn_dim=48,
                max_position_embeddings=32,
                word_embed_proj_dim=WIDTH,
            )
        ),
        _text,
    ),
    "bloom": (lambda: hf.BloomForCausalLM(hf.BloomConfig(vocab_size=VOCABULARY, hidden_size=WIDTH, n_layer=2, n_head=4)), _text),
    "llama": (lambda: hf.LlamaForCausalLM(hf.LlamaConfig(**_decoder)), _text),
    "mistral": (lambda: hf.MistralForCausalLM(hf.MistralConfig(**_decoder, sliding_window=4)), _text),
    "qwen2": (lambda: hf.Qwen2ForCausalLM(hf.Qwen2Config(**_decoder)), _text),
    "gemma": (lambda: hf.GemmaForCausalLM(hf.GemmaConfig(**_decoder, head_dim=8)), _text),
    "phi": (lambda: hf.PhiForCausalLM(hf.PhiConfig(**_decoder)), _text),
    "t5": (lambda: hf.T5ForConditionalGeneration(hf.T5Config(**_t5)), _sequences),
    "bart": (lambda: hf.BartForConditionalGeneration(hf.BartConfig(**_two_sided, max_position_embeddings=32)), _sequences),
    "vit": (lambda: hf.ViTForImageClassification(hf.ViTConfig(**_image)), _pixels),
    "deit": (lambda: hf.DeiTForImageClassification(hf.DeiTConfig(**_image)), _pixels),
    "resnet": (
        lambda: hf.ResNetForImageClassification(hf.ResNetConfig(embedding_size=8, hidden_sizes=[8, 16], depths=[1, 1], layer_type="basic")),
        lambda: _pixels(32),
    ),
    "convnext": (
        lambda: hf.ConvNextForImageClassification(hf.ConvNextConfig(num_stages=2, hidden_sizes=[8, 16], depths=[1, 1])),
        lambda: _pixels(32),
    ),
    "mamba": (lambda: hf.MambaForCausalLM(hf.MambaConfig(vocab_size=VOCABULARY, hidden_size=WIDTH, num_hidden_layers=2, state_size=4)), _text),
    "mixtral": (lambda: hf.MixtralForCausalLM(hf.MixtralConfig(**_decoder, num_local_experts=4, sliding_window=None)), _text),
    "whisper": (
        lambda: hf.WhisperForConditionalGeneration(
            hf.WhisperConfig(
                **_two_sided, num_mel_bins=8, max_source_positions=10, max_target_positions=16, suppress_tokens=None, begin_suppress_tokens=None
            )
        ),
        _speech,
    ),
    "clip": (_clip, _pairs),
}


GENERATING = ("gpt2", "llama", "t5")
"""Those whose greedy generation is compared."""


def _moved(inputs: Inputs, device: str) -> Inputs:
    return {name: x.to(device) if isinstance(x, torch.Tensor) else x for name, x in inputs.items()}


class _Step(NamedTuple):
    """A forward and backward pass and a step of AdamW."""

    loss: torch.Tensor
    gradients: list[torch.Tensor]
    parameters: list[torch.Tensor]


def _step(model: Any, inputs: Inputs) -> _Step:
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE)
    loss = model(**inputs).loss
    loss.backward()
    used = [parameter for parameter in model.parameters() if parameter.grad is not None]
    gradients = [parameter.grad.clone() for parameter in used]
    optimizer.step()
    return _Step(loss.detach(), gradients, [parameter.detach() for parameter in used])


def _in_double(model: Any, inputs: Inputs) -> _Step | None:
    """None where an operation of the model takes no double precision."""
    try:
        return _step(model, {name: x.double() if isinstance(x, torch.Tensor) and x.is_floating_point() else x for name, x in inputs.items()})
    except RuntimeError:
        return None


def compare_step(name: str) -> None:
    """Loss, gradients and parameters after a step, as on the CPU; nothing may fall back or be read on the host."""
    torch.manual_seed(0)
    make, inputs = MODELS[name][0], MODELS[name][1]()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        reference = make().eval()  # dropout's masks are the device's own
        model, precise = copy.deepcopy(reference).to(DEVICE), copy.deepcopy(reference).double()
        lazymlir.sync(wait=True)
        expected = _step(reference, inputs)
        metrics.clear_all()
        got = _step(model, _moved(inputs, DEVICE))
        fallbacks, reads = metrics.executed_fallback_ops(), metrics.counter_value("HostRead") or 0
        exact = _in_double(precise, inputs) or expected
    assert fallbacks == []
    asks = "attention_mask" in inputs or name == "bart"  # transformers itself asks whether a mask is all ones
    assert reads <= 2 * asks
    require_close(got.loss.cpu(), expected.loss, exact.loss)
    for one, other, true in zip(got.gradients, expected.gradients, exact.gradients, strict=True):
        require_close(one.cpu(), other, true)
    for one, other, gradient in zip(got.parameters, expected.parameters, exact.gradients, strict=True):
        # AdamW divides a gradient by its own size: of one that is only rounding errors the sign is chance.
        certain = gradient.abs() > 1e-4 * gradient.abs().max() + 1e-6
        torch.testing.assert_close(one.cpu()[certain], other[certain])
        torch.testing.assert_close(one.cpu(), other, rtol=0, atol=2.1 * RATE)


def require_close(got: torch.Tensor, expected: torch.Tensor, exact: torch.Tensor) -> None:
    """At torch's tolerances, or no farther from the result in double precision than twice what eager is: two orders of
    summation differ by more where much cancels."""
    try:
        torch.testing.assert_close(got, expected)
    except AssertionError:
        if not no_farther(expected, got, exact.double(), times=2):
            raise


def compare_generation(name: str, tokens: int = 16) -> None:
    """Greedy generation gives the same tokens as on the CPU."""
    torch.manual_seed(0)
    make, inputs = MODELS[name][0], MODELS[name][1]()
    given = {key: inputs[key] for key in ("input_ids",)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        reference = make().eval()
        model = copy.deepcopy(reference).to(DEVICE)
        expected = reference.generate(**given, max_new_tokens=tokens, min_new_tokens=tokens, do_sample=False)
        metrics.clear_all()
        got = model.generate(**_moved(given, DEVICE), max_new_tokens=tokens, min_new_tokens=tokens, do_sample=False)
    assert got.tolist() == expected.tolist()
    assert metrics.executed_fallback_ops() == []


def main() -> int:
    """Every model; the exit status says whether all are as on the CPU."""
    hf.logging.set_verbosity_error()
    failed = 0
    for name in MODELS:
        for compare in (compare_step, compare_generation) if name in GENERATING else (compare_step,):
            try:
                compare(name)
                print(f"{name}: {compare.__name__} as on the CPU", flush=True)
            except Exception as error:
                failed += 1
                print(f"{name}: {compare.__name__} differs: {type(error).__name__}: {error}", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
