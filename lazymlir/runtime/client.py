"""The XLA client of this process: arrays in and out, compiling text, running executables."""

from __future__ import annotations

import os
from collections.abc import Sequence
from operator import itemgetter
from typing import Any

import jax
import numpy as np
from jax._src.core import ShapedArray
from jax._src.interpreters.pxla import global_aval_to_result_handler
from jax._src.lib import xla_client
from jax.extend.backend import get_backend

from lazymlir.config import config
from lazymlir.errors import ConfigError

from . import library

__all__ = ["Client", "client"]

OPTIONS: dict[str, tuple[tuple[str, Any], ...]] = {
    # jaxlib 0.10 would drop the optimization barriers that lowerings put in front of what must not be recomputed.
    "cpu": (("xla_disable_hlo_passes", "cse_barrier_expander"),),
    "cuda": (),
    "tpu": (),
}
"""XLA options of each program, by platform; part of every program's fingerprint."""

_PLATFORM_NAMES = {"cuda": "gpu"}

_ONLY_SHARD = itemgetter(0)


class Client:
    """One device of jax's backend, used directly: no tracing, no 64-bit flag, a few microseconds a call."""

    def __init__(self, platform: str) -> None:
        try:
            self._backend = get_backend(_PLATFORM_NAMES.get(platform, platform) if platform else None)
        except RuntimeError as error:
            raise ConfigError(f"LAZYMLIR_PLATFORM={platform}: jax has no such backend here ({error})") from error
        platform_name = str(self._backend.platform)
        self.platform = "cuda" if platform_name == "gpu" else platform_name
        self.device = self._backend.local_devices()[0]
        self._devices = xla_client.DeviceList((self.device,))
        self._sharding = jax.sharding.SingleDeviceSharding(self.device)
        self._semantics = xla_client.HostBufferSemantics.IMMUTABLE_ONLY_DURING_CALL
        self.options = OPTIONS.get(self.platform, ())
        self.version = f"jaxlib {jax.__version__} {self._backend.platform_version}"

    def put(self, array: np.ndarray, shaped: ShapedArray | None = None) -> Any:
        """A device array with a copy of `array`: XLA owns the memory, so it may be donated, and a later write to the
        source does not show. `shaped` says what `array` is, where that is known already."""
        shaped = shaped or ShapedArray(array.shape, array.dtype)
        return xla_client.batched_device_put(shaped, self._sharding, [array], [self.device], True, True, self._semantics, True)

    def get(self, array: Any) -> np.ndarray:
        """A read-only view of the array on the host; waits for it. On CPU it shares the device's memory."""
        return np.asarray(array)

    def compile(self, text: str) -> Any:
        """A loaded executable of a StableHLO module; XlaRuntimeError where XLA refuses it."""
        options = xla_client.CompileOptions()
        if self.options:
            options.env_option_overrides = list(self.options)
        self._prepare_custom_calls(text)
        return self._backend.compile_and_load(text, self._devices, options)

    @staticmethod
    def _prepare_custom_calls(text: str) -> None:
        """LAPACK's custom calls crash the process unless jaxlib has registered them; the kernel library's are registered here."""
        if "lapack_" in text:
            from jaxlib import lapack

            lapack._lapack.initialize()
        if "@lazymlir_" in text:
            library.is_ready()

    @property
    def memory(self) -> int:
        """Bytes that the device has."""
        stats = self.device.memory_stats() if self.platform != "cpu" else None
        if stats and "bytes_limit" in stats:
            return int(stats["bytes_limit"])
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")

    def execute(self, executable: Any, arguments: Sequence[Any], results: int, handlers: list[Any]) -> list[Any]:
        """Runs without waiting; one array for each of `results` results. `handlers`, empty before the first run of the
        executable, is filled with what makes arrays of these types without a call of Python for each."""
        made = executable.execute_sharded(arguments)
        if handlers:
            return made.consume_with_handlers(handlers)
        arrays = made.consume_with_handlers([_ONLY_SHARD] * results)
        handlers += [self._handler(array) for array in arrays]
        return arrays

    def _handler(self, array: Any) -> Any:
        return global_aval_to_result_handler(ShapedArray(array.shape, array.dtype), self._sharding, True)


_client: Client | None = None


def client() -> Client:
    """The client, made on first use from LAZYMLIR_PLATFORM."""
    global _client
    if _client is None:
        os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
        _client = Client(config.platform)
    return _client
