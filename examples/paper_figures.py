"""The LazyTensor paper's figures as programs: what is recorded, printed in the short form of its Figure 1a.

Inputs are given values first, so that they appear as `device_data`, as in the paper.
"""

from __future__ import annotations

import torch

import lazymlir


def inputs(*shapes: tuple[int, ...]) -> list[torch.Tensor]:
    tensors = [torch.randn(shape, device="lazymlir") for shape in shapes]
    lazymlir.sync()
    return tensors


def figure_1() -> str:
    """An expression of two tensors: nothing runs, the text shows what would."""
    x, y = inputs((2, 4), (2, 4))
    z = (x + y) * x
    return lazymlir.ir_text(z)


def figure_2() -> str:
    """A Python loop is gone from the recorded graph: three iterations are three times the body."""
    (x,) = inputs((3, 2, 4))
    s = torch.zeros(2, 4, device="lazymlir")
    for i in range(3):
        s = s + x[i]
    return lazymlir.ir_text(s)


def figure_3(passes: str = "") -> str:
    """An in-place operation through a view: the forward view, the operation, and the write back through the view.

    `lazy-invert-views` turns the write into the inverse of the view: here, the inverse permutation.
    """
    (x,) = inputs((2, 3, 4))
    x.permute(1, 2, 0).add_(42)
    return lazymlir.ir_text(x, passes=passes)


def main() -> None:
    print("Figure 1: an expression\n" + figure_1())
    print("\nFigure 2: a loop\n" + figure_2())
    print("\nFigure 3: an in-place operation through a view, as recorded\n" + figure_3())
    print("\nFigure 3: after lazy-invert-views\n" + figure_3("lazy-invert-views"))
    (x,) = inputs((2, 4))
    print("\nThe graph of tanh(x) + x for Graphviz\n" + lazymlir.ir_graph(x.tanh() + x))


if __name__ == "__main__":
    main()
