"""GPT-2 of a tiny configuration generates 50 tokens, greedily, as transformers does it."""

from __future__ import annotations

import time
from typing import Any

from benchmarks.columns import backend
from benchmarks.workload import Prepared, Workload

__all__ = ["WORKLOADS"]


def _prepare(column: str, tiny: bool) -> Prepared:
    import torch
    import transformers

    transformers.logging.set_verbosity_error()
    torch.manual_seed(0)
    tokens = 2 if tiny else 50
    width, layers = (8, 1) if tiny else (128, 4)
    config = transformers.GPT2Config(vocab_size=1000, n_embd=width, n_layer=layers, n_head=4, n_positions=128, bos_token_id=1, eos_token_id=2)
    on = backend(column)
    model: Any = transformers.GPT2LMHeadModel(config).eval()
    model = model.to(on.device)
    start = torch.randint(3, 1000, (2, 8)).to(on.device)

    def generate() -> torch.Tensor:
        made = model.generate(start, max_new_tokens=tokens, min_new_tokens=tokens, do_sample=False)
        return made.cpu()

    started = time.perf_counter()
    first = generate()
    facts = {"first_step": time.perf_counter() - started}
    if not tiny:
        generate()
    facts["until_steady"] = time.perf_counter() - started

    def sample() -> float:
        started = time.perf_counter()
        generate()
        return time.perf_counter() - started

    return Prepared(sample, [float(token) for token in first.flatten().tolist()], facts)


WORKLOADS = (Workload("generate", "GPT-2 (128 wide, 4 layers) generates 50 tokens", "step", ("lazymlir", "eager"), _prepare, tolerance=0.0),)
