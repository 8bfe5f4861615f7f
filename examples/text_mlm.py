"""Trains a small RobertaForMaskedLM (2 layers, width 64) on byte-level text: the Python standard library's own sources."""

from __future__ import annotations

import argparse
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import torch
from transformers import RobertaConfig, RobertaForMaskedLM

import lazymlir

SPECIAL = 5
"""Ids below this are special tokens; byte b is id b + SPECIAL."""
PAD, MASK = 1, 4


def make_model(length: int, dropout: float = 0.0) -> RobertaForMaskedLM:
    return RobertaForMaskedLM(
        RobertaConfig(
            vocab_size=256 + SPECIAL,
            hidden_size=64,
            num_hidden_layers=2,
            num_attention_heads=4,
            intermediate_size=128,
            max_position_embeddings=length + 2,
            hidden_dropout_prob=dropout,
            attention_probs_dropout_prob=dropout,
            pad_token_id=PAD,
        )
    )


def corpus(limit: int = 1 << 20) -> torch.Tensor:
    """The first bytes of the standard library's sources, as ids."""
    folder = Path(sysconfig.get_paths()["stdlib"])
    text = b"".join(path.read_bytes() for path in sorted(folder.glob("*.py")))[:limit]
    return torch.frombuffer(bytearray(text), dtype=torch.uint8).long() + SPECIAL


def batches(ids: torch.Tensor, count: int, batch: int, length: int, seed: int = 0) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    """Random windows with 15 % of the bytes masked: inputs, and labels that are -100 where nothing is to be predicted."""
    generator = torch.Generator().manual_seed(seed)
    for _ in range(count):
        starts = torch.randint(len(ids) - length, (batch,), generator=generator)
        window = torch.stack([ids[start : start + length] for start in starts])
        masked = torch.rand(window.shape, generator=generator) < 0.15
        yield window.masked_fill(masked, MASK), window.masked_fill(~masked, -100)


def train(device: str, steps: int, batch: int = 8, length: int = 64, learning_rate: float = 1e-3) -> list[float]:
    """The loss of each step."""
    torch.manual_seed(0)
    model = make_model(length).to(device).train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=learning_rate)
    losses = []
    for inputs, labels in batches(corpus(), steps, batch, length):
        loss = model(input_ids=inputs.to(device), labels=labels.to(device)).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.detach())
    return [loss.item() for loss in losses]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="lazymlir")
    parser.add_argument("--steps", type=int, default=60)
    args = parser.parse_args()
    losses = train(args.device, args.steps)
    for step in range(0, len(losses), 10):
        print(f"step {step:4}  loss {losses[step]:.4f}")
    print(f"last loss {losses[-1]:.4f}")
    if args.device == "lazymlir":
        print(lazymlir.metrics.short_metrics_report())


if __name__ == "__main__":
    main()
