"""Whole training loops: equal to the CPU, few compilations, no fallbacks."""

from __future__ import annotations

import copy

import pytest
import torch
from torch import nn

import lazymlir
from examples import digits_cnn, text_mlm

DEVICE = "lazymlir"


def digits_losses(device: str, steps: int) -> list[float]:
    torch.manual_seed(0)
    train, _ = digits_cnn.load_data()
    model = digits_cnn.make_model(dropout=0.0).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    losses = []
    for step in range(steps):
        x, y = (t[64 * step : 64 * step + 64].to(device) for t in train.tensors)
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.detach())
    return [loss.item() for loss in losses]


def test_digits_cnn_has_the_losses_of_the_cpu(counts):
    assert digits_losses(DEVICE, 20) == pytest.approx(digits_losses("cpu", 20), abs=1e-4)
    assert counts.compiled <= 2
    assert counts.fallbacks == 0


def test_roberta_has_the_losses_of_the_cpu(counts):
    assert text_mlm.train(DEVICE, 20) == pytest.approx(text_mlm.train("cpu", 20), abs=1e-3)
    assert counts.compiled <= 3
    assert counts.fallbacks == 0


def test_a_learning_rate_that_changes_each_step_compiles_nothing_more(counts):
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
    twin = copy.deepcopy(model).to(DEVICE)
    rates = [0.0, 1.0, 0.1, *(0.5 / (i + 2) for i in range(44)), 1.0, 0.0, 0.3]
    optimizers = [torch.optim.SGD(m.parameters(), lr=0.1, momentum=0.9) for m in (model, twin)]
    compiled = []
    for rate in rates:
        x, y = torch.randn(6, 4), torch.randint(0, 2, (6,))
        for m, optimizer, device in zip((model, twin), optimizers, ("cpu", DEVICE), strict=True):
            optimizer.param_groups[0]["lr"] = rate
            nn.functional.cross_entropy(m(x.to(device)), y.to(device)).backward()
            optimizer.step()
            optimizer.zero_grad()
        compiled.append(counts.compiled)
    for p, q in zip(model.parameters(), twin.parameters(), strict=True):
        torch.testing.assert_close(q.detach().cpu(), p.detach(), rtol=1e-4, atol=1e-5)
    # The first step (no momentum yet), the steady step, and its general variants; nothing from then on.
    assert compiled[-1] == compiled[4]
    assert compiled[-1] <= 4
    assert counts.fallbacks == 0


def test_training_an_lstm_on_the_device(counts):
    def train(device: str) -> list[float]:
        torch.manual_seed(1)
        embed, lstm, head = nn.Embedding(20, 8), nn.LSTM(8, 8, 2, batch_first=True), nn.Linear(8, 4)
        modules = nn.ModuleList([embed, lstm, head]).to(device)
        optimizer = torch.optim.Adam(modules.parameters(), lr=1e-2)
        losses = []
        for _ in range(4):
            x, y = torch.randint(0, 20, (4, 6)).to(device), torch.randint(0, 4, (4,)).to(device)
            loss = nn.functional.cross_entropy(head(lstm(embed(x))[0][:, -1]), y)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            losses.append(loss.item())
        return losses

    assert train(DEVICE) == pytest.approx(train("cpu"), abs=1e-4)
    assert counts.fallbacks == 0


def test_a_transformer_encoder_on_the_device(counts):
    def train(device: str) -> list[float]:
        torch.manual_seed(2)
        layer = nn.TransformerEncoderLayer(16, 4, 32, dropout=0.0, batch_first=True)
        model = nn.Sequential(nn.Embedding(20, 16), nn.TransformerEncoder(layer, 2, enable_nested_tensor=False), nn.Linear(16, 4)).to(device)
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
        losses = []
        for _ in range(3):
            x, y = torch.randint(0, 20, (4, 6)).to(device), torch.randint(0, 4, (4, 6)).to(device)
            loss = nn.functional.cross_entropy(model(x).flatten(0, 1), y.flatten())
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            losses.append(loss.item())
        model.eval()
        with torch.no_grad():
            losses.append(model(x).sum().item())
        return losses

    assert train(DEVICE) == pytest.approx(train("cpu"), rel=1e-3, abs=1e-4)
    assert counts.fallbacks == 0


@pytest.mark.parametrize("zero_first", [False, True])
def test_the_step_s_program_returns_no_gradient(zero_first, counts):
    inputs = 4 if zero_first else 3  # shapes of its own, so that no compiled program is shared
    model = nn.Linear(inputs, 2).to(DEVICE)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(4):
        if zero_first:
            optimizer.zero_grad()
        model(torch.randn(5, inputs).to(DEVICE)).square().mean().backward()
        optimizer.step()
        if not zero_first:
            optimizer.zero_grad()
    optimizer.zero_grad()
    lazymlir.sync()
    assert counts.compiled == 1
    assert counts["InputOutputAliasCount"] == 2
