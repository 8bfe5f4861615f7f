"""What a compiler usually takes away, and this device keeps: prints, branches on values, exceptions, a debugger.

Newton's method with a line search, written as anybody would write it in eager PyTorch.
"""

from __future__ import annotations

import torch

import lazymlir


class Diverged(Exception):
    """The iteration left the region where it makes sense."""


def step_towards_root(x: torch.Tensor, scale: float) -> torch.Tensor:
    """One damped Newton step for x**3 = 2."""
    # A breakpoint() here stops like in any Python program; looking at x runs what is recorded so far.
    return x - scale * (x**3 - 2) / (3 * x**2)


def find_root(x: torch.Tensor) -> torch.Tensor:
    for iteration in range(50):
        error = (x**3 - 2).abs().max()
        print(f"iteration {iteration}: x = {x.tolist()}, error = {error.item():.2e}")
        if error < 1e-6:  # a branch on a tensor's value
            return x
        if not torch.isfinite(x).all():
            raise Diverged(f"after {iteration} iterations")
        scale = 0.5 if error > 10 else 1.0
        x = step_towards_root(x, scale)
    raise Diverged("no convergence")


def main() -> None:
    history: dict[str, torch.Tensor] = {}  # tensors live in any data structure
    start = torch.tensor([1.0, 5.0, 0.1], device="lazymlir")
    history["root"] = find_root(start)
    try:
        find_root(torch.zeros(1, device="lazymlir"))
    except Diverged as error:
        print("caught:", error)
    try:
        torch.ones(2, 3, device="lazymlir") @ torch.ones(2, 3, device="lazymlir")
    except RuntimeError as error:  # raised here, at the line that made the mistake
        print("caught:", error)
    # The exceptions cost nothing that was recorded before.
    print("root:", history["root"])
    torch.testing.assert_close(history["root"].cpu(), torch.full((3,), 2.0 ** (1 / 3)))
    print("programs compiled:", lazymlir.metrics.counter_value("UncachedCompile"))


if __name__ == "__main__":
    main()
