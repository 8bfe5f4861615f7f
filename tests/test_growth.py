"""Tensors that grow step by step: one program for all steps, and the same results as eager's."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
import torch

import lazymlir
from lazymlir import metrics

DEVICE = "lazymlir"
STEPS = 12


def grow(
    device: str, sizes: tuple[int, ...], dim: int, look: Callable[[torch.Tensor], torch.Tensor], dtype: torch.dtype = torch.int64
) -> list[torch.Tensor]:
    """A tensor that gains an element along `dim` in each step, computed from what `look` sees of it."""
    x = torch.arange(torch.Size(sizes).numel()).reshape(sizes).to(dtype).to(device)
    seen = []
    for step in range(STEPS):
        new = look(x) * 3 + step
        x = torch.cat([x, new], dim)
        assert x.shape[dim] == sizes[dim] + step + 1
        lazymlir.sync()
        seen.append(new)
    return [x.cpu(), *(new.cpu() for new in seen)]


def same(got: list[torch.Tensor], expected: list[torch.Tensor]) -> None:
    for one, other in zip(got, expected, strict=True):
        assert one.dtype == other.dtype
        assert torch.equal(one, other)


@pytest.mark.parametrize(
    ("sizes", "dim", "look"),
    [
        ((1, 5), -1, lambda x: x[:, -1:]),
        ((3, 5), 1, lambda x: x[:, -1:]),
        ((3, 5), 1, lambda x: x[:, -1].reshape(3, 1)),
        ((5,), 0, lambda x: x[-1:]),
        ((5,), 0, lambda x: x[-1].reshape(1)),
        ((4, 2, 3), 0, lambda x: x[-1:]),
        ((2, 4, 3), 1, lambda x: x[:, -1:, :]),
        ((2, 4, 3), -2, lambda x: x[:, -1:].flip(2)),
        ((2, 4, 3), 1, lambda x: x.transpose(0, 1)[-1:].transpose(0, 1)),
    ],
)
def test_growing_takes_one_program(counts, sizes, dim, look):
    got = grow(DEVICE, sizes, dim, look)
    assert counts.compiled <= 3
    before = counts.compiled
    again = grow(DEVICE, sizes, dim, look)
    assert counts.compiled <= before + 1
    expected = grow("cpu", sizes, dim, look)
    same(got, expected)
    same(again, expected)
    assert counts.fallbacks == 0


@pytest.mark.parametrize("dtype", [torch.float32, torch.bool, torch.int32, torch.bfloat16])
def test_other_dtypes_grow_from_the_second_step_on(counts, dtype):
    def program(device: str) -> list[torch.Tensor]:
        x, last = torch.ones(1, 3, dtype=dtype).to(device), []
        for _ in range(STEPS):
            last.append(~x[:, -1:] if dtype == torch.bool else x[:, -1:] * 2)
            x = torch.cat([x, last[-1]], 1)
            lazymlir.sync()
        return [x.cpu(), *(y.cpu() for y in last)]

    same(program(DEVICE), program("cpu"))
    assert counts.compiled <= 4


def test_whatever_else_is_done_joins_the_parts(counts):
    def program(device: str) -> list[torch.Tensor]:
        x, seen = torch.arange(6).reshape(2, 3).to(device), []
        for step in range(STEPS):
            x = torch.cat([x, x[:, -1:] + 1], 1)
            lazymlir.sync()
            seen.append((x * 2).sum(1))
            if step % 3 == 0:
                x[:, step] = -step  # what was in parts is written
            if step % 4 == 0:
                x = torch.cat([x, x.clone()], 1)
            if step % 5 == 0:
                x = x.t().contiguous().t()
            seen += [x[:, ::2].clone(), x[0], x.cumsum(1), x[:, 1:4].amax()]
        return [x.cpu(), *(y.cpu() for y in seen)]

    same(program(DEVICE), program("cpu"))
    assert counts.fallbacks == 0


def test_any_window_shows_what_eager_shows():
    chance = random.Random(0)
    line = compile("torch.cat([x, y], dim)", "a line of the program", "eval")
    for _ in range(60):
        rank = chance.randint(1, 3)
        dim = chance.randrange(rank)
        sizes = [chance.randint(1, 3) for _ in range(rank)]
        host = torch.arange(torch.Size(sizes).numel()).reshape(sizes)
        grown = host.to(DEVICE)
        for _ in range(4):
            sizes[dim] = chance.randint(1, 2)
            y = torch.randint(100, tuple(sizes))
            host, grown = (eval(line, {"torch": torch, "x": x, "y": y.to(x.device), "dim": dim}) for x in (host, grown))
            lazymlir.sync()
        for _ in range(12):
            shape = [chance.randint(1, 3) for _ in range(chance.randint(0, 3))]
            strides = [chance.choice([0, *host.stride(), 2 * host.stride()[-1], 2 * host.stride()[0]]) for _ in shape]
            reach = sum((n - 1) * stride for n, stride in zip(shape, strides, strict=True))
            if reach < host.numel():
                offset = chance.randrange(host.numel() - reach)
                got, expected = (x.as_strided(shape, strides, offset) for x in (grown, host))
                assert torch.equal(got.cpu(), expected)
                assert torch.equal((got + 1).cpu(), expected + 1)
        assert torch.equal(grown.cpu(), host)


def _grown(device: str) -> torch.Tensor:
    x = torch.arange(4)[None].to(device)
    for _ in range(3):
        x = torch.cat([x, x[:, -1:] + 1], 1)
        lazymlir.sync()
    return x


def test_control_flow_and_steady_functions_take_what_has_grown():
    grown, host = _grown(DEVICE), _grown("cpu")
    assert torch.equal(lazymlir.cond(grown[0, 0] == 0, lambda: grown * 2, lambda: grown).cpu(), host * 2)

    total = lazymlir.steady(lambda x: (x * 2).sum())
    for _ in range(5):
        assert int(total(_grown(DEVICE))) == int((host * 2).sum())
    assert torch.equal(torch.cond(grown[0, 0] == 1, lambda x: x[:, -1:] * 2, lambda x: x[:, :1] + 5, (grown,)).cpu(), host[:, :1] + 5)


def test_what_grows_at_its_front_is_joined_at_once():
    x = torch.zeros(1, dtype=torch.int64).to(DEVICE)
    for step in range(40):
        x = torch.cat([torch.tensor([step]).to(DEVICE), x])
        lazymlir.sync()
        assert x._typed_storage()._untyped_storage._lazymlir.value.in_parts is None or step == 0
    assert torch.equal(x.cpu(), torch.tensor([*range(39, -1, -1), 0]))


def test_many_parts_are_joined(counts):
    from lazymlir.frontend_torch import growth

    x = torch.zeros(1, 1, dtype=torch.int64).to(DEVICE)
    for _ in range(2 * growth.MOST):
        x = torch.cat([x, x[:, -1:] + 1], 1)
        lazymlir.sync()
    assert counts.compiled <= 6
    assert torch.equal(x.cpu(), torch.arange(2 * growth.MOST + 1)[None])


def test_an_error_in_a_part_is_an_error_of_the_whole():
    table = torch.arange(3).to(DEVICE)
    x = torch.zeros(1, dtype=torch.int64).to(DEVICE)
    for step in range(3):
        x = torch.cat([x, table[x[-1:] + (step == 2) * 9]])
        if step < 2:
            lazymlir.sync()
    with pytest.raises(IndexError):
        x.cpu()


def test_parts_do_not_keep_what_they_grew_from(counts):
    import gc

    from lazymlir.core.values import Value

    x = torch.zeros(1, 2, dtype=torch.int64).to(DEVICE)
    counted = []
    for _ in range(30):
        x = torch.cat([x, x[:, -1:] + 1], 1)
        x.sum().item()  # joins the parts
        gc.collect()
        counted.append(sum(type(value) is Value for value in gc.get_objects()))
    assert counted[-1] <= counted[5]


def test_generating_text_takes_two_programs_of_the_model():
    transformers = pytest.importorskip("transformers")
    settings = {"vocab_size": 50, "n_positions": 32, "n_embd": 16, "n_layer": 1, "n_head": 2}
    model = transformers.GPT2LMHeadModel(transformers.GPT2Config(**settings, bos_token_id=1, eos_token_id=2, pad_token_id=0)).eval()
    tokens = torch.randint(3, 50, (1, 4))

    def generate(device: str, count: int) -> torch.Tensor:
        given = tokens.to(device)
        return model.to(device).generate(
            given, attention_mask=torch.ones_like(given), max_new_tokens=count, min_new_tokens=count, do_sample=False, cache_implementation="static"
        )

    expected = generate("cpu", 16)
    assert torch.equal(generate(DEVICE, 16).cpu(), expected)
    before = metrics.counter_value("UncachedCompile")
    model.generation_config.cache_implementation = None
    assert torch.equal(generate(DEVICE, 16).cpu(), expected)
    assert metrics.counter_value("UncachedCompile") == before
