"""ResNet-18 for CIFAR (stem of 3x3, no pooling after it), batch 16, SGD with momentum."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from benchmarks.workload import Prepared, Workload, at

from .training import prepare

__all__ = ["WORKLOADS"]


@dataclass(frozen=True)
class _ResNet:
    """`layout` is that of the images in jax, where one chooses it; a jax programmer takes NHWC."""

    widths: tuple[int, ...] = (64, 128, 256, 512)
    blocks: int = 2
    batch: int = 16
    size: int = 32
    layout: str = "NHWC"
    rate: float = 0.01
    decay: float = 5e-4

    def torch_model(self) -> Any:
        from .resnet_torch import ResNet

        return ResNet(self.widths, self.blocks)

    def torch_optimizer(self, parameters: Any) -> Any:
        import torch

        return torch.optim.SGD(parameters, lr=self.rate, momentum=0.9, weight_decay=self.decay)

    def torch_loss(self, model: Any, x: Any, y: Any) -> Any:
        import torch

        return torch.nn.functional.cross_entropy(model(x), y)

    def data(self) -> tuple[Any, Any]:
        import torch

        return torch.randn(self.batch, 3, self.size, self.size), torch.randint(0, 10, (self.batch,))

    def jax_step(self, model: Any, x: Any, y: Any) -> Callable[[], Any]:
        from .in_jax import as_jax, sgd, trained
        from .resnet_jax import loss_of, parameters_of

        parameters, buffers = parameters_of(model, self.layout)
        images = as_jax(x.permute(0, 2, 3, 1).contiguous() if self.layout == "NHWC" else x)
        loss = loss_of(self.layout, len(self.widths), self.blocks)
        return trained(loss, sgd(self.rate, 0.9, self.decay), parameters, images, as_jax(y), buffers)


def _prepare(column: str, tiny: bool, layout: str) -> Prepared:
    task = _ResNet(widths=(4, 8), blocks=1, batch=2, size=8, layout=layout) if tiny else _ResNet(layout=layout)
    return prepare(column, task, tiny, group=2, warm_steps=8)


_COLUMNS = ("lazymlir", "steady", "jax", "eager", "compile", "xla")

WORKLOADS = (
    Workload("resnet18", "ResNet-18 (CIFAR), batch 16, SGD", "step", _COLUMNS, at(_prepare, "NHWC")),
    Workload("resnet18-nchw", "ResNet-18, the jax version in NCHW as torch has it", "step", ("lazymlir", "jax"), at(_prepare, "NCHW")),
)
