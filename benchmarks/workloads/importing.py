"""What `import lazymlir` costs beyond torch and jax."""

from __future__ import annotations

import os
import subprocess
import sys

from benchmarks.workload import Prepared, Workload

__all__ = ["WORKLOADS"]

PROGRAM = """
import time, torch, jax
jax.devices()
started = time.perf_counter()
import lazymlir
imported = time.perf_counter()
torch.ones(2).to("lazymlir")
print(imported - started, time.perf_counter() - started)
"""


def _prepare(column: str, tiny: bool) -> Prepared:
    def sample() -> dict[str, float]:
        # torch would import the device by itself.
        environment = os.environ | {"TORCH_DEVICE_BACKEND_AUTOLOAD": "0"}
        done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, env=environment)
        imported, first = map(float, done.stdout.split())
        return {"seconds": imported, "first tensor": first}

    if not tiny:
        sample()
    return Prepared(sample)


WORKLOADS = (Workload("import", "import lazymlir, beyond torch and jax", "import", ("lazymlir",), _prepare, unit="s"),)
