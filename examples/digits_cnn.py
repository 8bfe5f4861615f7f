"""Trains a convolutional network on handwritten digits: unmodified PyTorch, on device `lazymlir`.

The data are scikit-learn's 1,797 real images, which ship in its package. Run with `--device cpu` to compare with eager.
"""

from __future__ import annotations

import argparse
import sys
import time

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

import lazymlir


def make_model(dropout: float = 0.25) -> nn.Module:
    return nn.Sequential(
        nn.Conv2d(1, 32, 3, padding=1),
        nn.BatchNorm2d(32),
        nn.ReLU(),
        nn.Conv2d(32, 32, 3, padding=1),
        nn.BatchNorm2d(32),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Dropout(dropout),
        nn.Flatten(),
        nn.Linear(32 * 4 * 4, 64),
        nn.ReLU(),
        nn.Dropout(dropout),
        nn.Linear(64, 10),
    )


def load_data(seed: int = 0) -> tuple[TensorDataset, TensorDataset]:
    """Four fifths to train on and a fifth to test on, shuffled by `seed`; images are [1, 8, 8] floats in 0..1."""
    images, labels = load_digits(return_X_y=True)
    x = torch.tensor(images, dtype=torch.float32).reshape(-1, 1, 8, 8) / 16
    y = torch.tensor(labels)
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(seed))
    held_out = len(x) // 5
    test, train = order[:held_out], order[held_out:]
    return TensorDataset(x[train], y[train]), TensorDataset(x[test], y[test])


def train_epoch(model: nn.Module, loader: DataLoader, optimizer: torch.optim.Optimizer, device: str) -> list[torch.Tensor]:
    """One epoch; the losses stay on the device, so that nothing waits for them."""
    model.train()
    losses = []
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.detach())
    return losses


@torch.no_grad()
def accuracy(model: nn.Module, data: TensorDataset, device: str) -> float:
    model.eval()
    x, y = data.tensors
    predicted = model(x.to(device)).argmax(1)
    return (predicted == y.to(device)).float().mean().item()


def progress(done: int, total: int, text: str) -> None:
    width = 30
    filled = width * done // total
    end = "\n" if done == total else ""
    if sys.stdout.isatty():
        print(f"\r[{'#' * filled}{'.' * (width - filled)}] epoch {done}/{total}  {text}", end=end, flush=True)
    else:
        print(f"epoch {done}/{total}  {text}", flush=True)


def report(total: float) -> None:
    """What the compiler did, from the metrics."""
    count = lambda name: lazymlir.metrics.counter_value(name) or 0  # noqa: E731
    seconds = lambda name: (lazymlir.metrics.metric_data(name) or (0, 0.0))[1]  # noqa: E731
    compiling, executing = seconds("CompileTime"), seconds("ExecuteTime") + seconds("TransferFromDeviceTime")
    fallbacks = sum(count(name) for name in lazymlir.metrics.executed_fallback_ops())
    rows = {
        "graphs compiled": count("UncachedCompile"),
        "cache hits": count("CachedCompile"),
        "fallbacks": fallbacks,
        "seconds compiling": f"{compiling:.2f}",
        "seconds executing": f"{executing:.2f}",
        "seconds recording and in Python": f"{total - compiling - executing:.2f}",
    }
    print()
    for name, value in rows.items():
        print(f"  {name:32}{value:>8}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="lazymlir")
    parser.add_argument("--epochs", type=int, default=15)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()

    torch.manual_seed(args.seed)
    train, test = load_data(args.seed)
    # A short last batch would be a second shape to compile for.
    loader = DataLoader(train, batch_size=64, shuffle=True, drop_last=True)
    model = make_model().to(args.device)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)

    started = time.perf_counter()
    for epoch in range(1, args.epochs + 1):
        losses = train_epoch(model, loader, optimizer, args.device)
        progress(epoch, args.epochs, f"loss {losses[-1].item():.4f}")
    result = accuracy(model, test, args.device)
    print(f"accuracy on the held-out fifth: {result:.2%}")
    if args.device == "lazymlir":
        report(time.perf_counter() - started)
    if result < 0.97:
        sys.exit("the network learned too little")


if __name__ == "__main__":
    main()
