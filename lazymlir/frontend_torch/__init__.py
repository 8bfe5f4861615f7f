"""The PyTorch frontend: registers device `lazymlir` when imported."""

from .device import install

install()
