"""Registers the device: torch's PrivateUse1 backend under the name `lazymlir`, from Python (torch >= 2.10)."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import Any

import torch
import torch.utils.backend_registration as registration

import lazymlir
from lazymlir.core.engine import engine
from lazymlir.core.locations import add_internal_folder
from lazymlir.runtime import library

from . import (
    backward,
    copies,
    counted,
    factories,
    gradients,
    importers,  # noqa: F401  (fills the table)
    out_forms,
)
from .fallback import fallback
from .inventory import KEYED_KERNELS
from .kernels import make_kernel
from .outs import make_out_kernel
from .overlap import guarded
from .registry import IMPORTERS, name_of, out_overload
from .storage import install as install_storage

__all__ = ["install"]

_libraries: list[torch.library.Library] = []
"""Kernels vanish when their Library dies."""


class DeviceModule:
    """`torch.lazymlir`: what torch expects of a device's module."""

    _initialized = True
    """Without it torch.utils.checkpoint would not save the random state."""

    def is_initialized(self) -> bool:
        return True

    def is_available(self) -> bool:
        return True

    def _lazy_init(self) -> None:
        pass

    def device_count(self) -> int:
        return 1

    def current_device(self) -> int:
        return 0

    def set_device(self, device: Any) -> None:
        pass

    def _is_in_bad_fork(self) -> bool:
        return engine.left

    @contextlib.contextmanager
    def device(self, device: Any) -> Iterator[None]:
        yield

    def get_device_properties(self, device: Any = 0) -> None:
        return None

    def current_stream(self, device: Any = None) -> None:
        return None

    def synchronize(self, device: Any = None) -> None:
        """Runs what is recorded and waits for it."""
        engine.sync(wait=True)

    def empty_cache(self) -> None:
        pass

    def get_amp_supported_dtype(self) -> list[torch.dtype]:
        return [torch.bfloat16, torch.float16]

    def is_bf16_supported(self, *_: Any) -> bool:
        return True

    # The device's own random stream.

    def manual_seed(self, seed: int) -> None:
        engine.random.reseed(seed)

    manual_seed_all = manual_seed

    def seed(self) -> int:
        seed = int.from_bytes(os.urandom(8), "little") >> 1
        engine.random.reseed(seed)
        return seed

    def initial_seed(self) -> int:
        return engine.random.seed

    def get_rng_state(self, device: Any = None) -> torch.Tensor:
        """Seed and count as 16 bytes."""
        raw = engine.random.seed.to_bytes(8, "little") + engine.random.count.to_bytes(8, "little")
        return torch.frombuffer(bytearray(raw), dtype=torch.uint8)

    def set_rng_state(self, state: torch.Tensor, device: Any = None) -> None:
        raw = bytes(state.cpu().tolist())
        if len(raw) != 16:
            raise RuntimeError(f"a random state of device lazymlir has 16 bytes, not {len(raw)}")
        engine.random.reseed(int.from_bytes(raw[:8], "little"))
        engine.random.count = int.from_bytes(raw[8:], "little")

    def get_rng_state_all(self) -> list[torch.Tensor]:
        return [self.get_rng_state()]

    def set_rng_state_all(self, states: list[torch.Tensor]) -> None:
        self.set_rng_state(states[0])


def install() -> None:
    """Registers the device once: module, kernels, fallback, serialization, optimizer hook."""
    if _libraries:
        return
    add_internal_folder(os.path.dirname(torch.__file__))
    package = os.path.dirname(lazymlir.__file__)
    for folder in (package, os.path.join(os.path.dirname(package), "dialect"), os.path.join(os.path.dirname(package), "passes")):
        add_internal_folder(folder + os.sep)
    registration._setup_privateuseone_for_python_backend("lazymlir", backend_module=DeviceModule(), device_guard=backward.DeviceGuard())
    _register_kernels()
    install_storage()
    from . import autocast, modules, optimizers, printing, threads
    from .control import operators as control_operators
    from .steady import optimizers as steady_optimizers

    modules.install()
    autocast.install(_libraries)
    optimizers.install()
    printing.install()
    backward.install()
    gradients.install()
    threads.install()
    steady_optimizers.install()
    control_operators.install()
    library.offer(torch._C.__file__)


def _register_kernels() -> None:
    everything = torch.library.Library("_", "IMPL")
    everything.fallback(fallback, "PrivateUse1")
    library = torch.library.Library("aten", "IMPL")
    _libraries.extend((everything, library))
    own = copies.KERNELS | factories.KERNELS | out_forms.KERNELS | counted.KERNELS
    for name, kernel in own.items():
        library.impl(name, kernel, "PrivateUse1")
    for overload, importer in IMPORTERS.items():
        if name_of(overload) in own:
            continue
        kernel = make_kernel(importer)
        library.impl(name_of(overload), kernel, "PrivateUse1")
        if importer.differentiable is not None:
            library.impl(name_of(overload), gradients.or_differentiable(kernel, importer.differentiable), "AutogradPrivateUse1")
        out = out_overload(overload) if not importer.mutates else None
        if out is not None and out not in IMPORTERS and name_of(out) not in own:
            library.impl(name_of(out), guarded(out, make_out_kernel(kernel, out)), "PrivateUse1")
    for name, key, function in KEYED_KERNELS:
        library.impl(name, function, key)
    # Without these, resolving a conjugate or negative bit would copy, and copying would resolve it: endless recursion.
    for key in ("Conjugate", "Negative"):
        library.impl("_copy_from", torch.library.fallthrough_kernel, key)
    library.impl("_pin_memory", lambda x, device=None: x, "CPU")
