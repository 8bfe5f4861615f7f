"""The paper's figures, node by node.

Where the text differs from PyTorch/XLA's of the paper's time: names are ATen's base names without `aten::`; Python numbers
are `scalar` nodes of the host's type with an explicit `cast` and `expand` (the paper's IR folds these into a constant of
the tensor's shape); a slice or select is `slice` and `reshape` with its start as a scalar, so that another start is the
same graph; and the multiplication by alpha = 1, which the paper's Figure 1 shows, is not recorded.
"""

from __future__ import annotations

import shutil

import pytest
import torch

import lazymlir
from examples import paper_figures

FIGURE_1 = """\
IR {
  %0 = f32[2,4] device_data()
  %1 = f32[2,4] device_data()
  %2 = f32[2,4] add(%0, %1)
  %3 = f32[2,4] mul(%2, %0), ROOT=0
}"""

FIGURE_2 = """\
IR {
  %0 = f32[3,2,4] device_data()
  %1 = f32[2,4] constant(), value=0.0
  %2 = i64[] scalar(), kind=index, value=0
  %3 = f32[1,2,4] slice(%0, %2), starts=[-1,0,0], sizes=[1,2,4], steps=[1,1,1]
  %4 = f32[2,4] reshape(%3), shape=[2,4]
  %5 = f32[2,4] add(%1, %4)
  %6 = i64[] scalar(), kind=index, value=1
  %7 = f32[1,2,4] slice(%0, %6), starts=[-1,0,0], sizes=[1,2,4], steps=[1,1,1]
  %8 = f32[2,4] reshape(%7), shape=[2,4]
  %9 = f32[2,4] add(%5, %8)
  %10 = i64[] scalar(), kind=index, value=2
  %11 = f32[1,2,4] slice(%0, %10), starts=[-1,0,0], sizes=[1,2,4], steps=[1,1,1]
  %12 = f32[2,4] reshape(%11), shape=[2,4]
  %13 = f32[2,4] add(%9, %12), ROOT=0
}"""

FIGURE_3 = """\
IR {
  %0 = f32[2,3,4] device_data()
  %1 = f32[3,4,2] permute(%0), dims=[1,2,0]
  %2 = f64[] scalar(), kind=float, value=42.0
  %3 = f32[] cast(%2), dtype=f32
  %4 = f32[3,4,2] expand(%3), shape=[3,4,2]
  %5 = f32[3,4,2] add(%1, %4)
  %6 = f32[2,3,4] write_view(%0, %5), chain=[[permute,[1,2,0]]], ROOT=0
}"""

FIGURE_3_INVERTED = FIGURE_3.replace("write_view(%0, %5), chain=[[permute,[1,2,0]]]", "permute(%5), dims=[2,0,1]")


def test_figure_1_is_the_expression():
    assert paper_figures.figure_1() == FIGURE_1


def test_figure_2_is_the_loop_unrolled():
    assert paper_figures.figure_2() == FIGURE_2


def test_figure_3_is_the_view_the_operation_and_the_write():
    assert paper_figures.figure_3() == FIGURE_3
    assert paper_figures.figure_3("lazy-invert-views") == FIGURE_3_INVERTED


def test_looking_at_a_graph_changes_nothing(counts):
    x = torch.randn(3).to("lazymlir")

    def step(look: bool) -> torch.Tensor:
        y = x.reshape(3, 1)[1:].t() * 2.5
        if look:
            for form in ("short", "mlir", "stablehlo"):
                assert lazymlir.ir_text([y, y.t()], form=form)
            assert lazymlir.ir_graph(y).startswith("digraph")
        return (y + 1.5).cpu()

    torch.testing.assert_close(step(False), step(True))
    assert counts.compiled == 1


def test_a_tensor_with_a_value_is_device_data():
    x = torch.randn(3).to("lazymlir")
    assert lazymlir.ir_text(x) == "IR {\n  %0 = f32[3] device_data(), ROOT=0\n}"


def test_locations_are_the_user_s_lines():
    x = torch.randn(3).to("lazymlir")
    y = x * 2.5
    assert f'"{__file__}":' in lazymlir.ir_text(y, form="mlir", locations=True)


def test_mistakes_are_named():
    with pytest.raises(ValueError, match="form is one of short, mlir, stablehlo"):
        lazymlir.ir_text(torch.ones(2).to("lazymlir"), form="hlo")
    with pytest.raises(TypeError, match="takes tensors of device lazymlir, got cpu"):
        lazymlir.ir_text(torch.ones(2))


def test_a_picture_without_dot_says_so(monkeypatch, tmp_path):
    picture = lazymlir.ir_graph(torch.ones(2).to("lazymlir") * 2.5)
    picture.save(str(tmp_path / "graph.dot"))
    assert (tmp_path / "graph.dot").read_text() == picture
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(lazymlir.errors.LazymlirError, match="not installed"):
        picture.save(str(tmp_path / "graph.svg"))
    with pytest.raises(lazymlir.errors.LazymlirError, match="could not be written"):
        picture.save(str(tmp_path / "missing" / "graph.dot"))
