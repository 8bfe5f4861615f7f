"""A process that runs one column: reads requests as lines of JSON, answers each with one.

{"prepare": "mlp", "column": "jax", "tiny": false}      {"losses": [...], "facts": {...}}
{"sample": "mlp"}                                       {"seconds": 0.0012}
{"finish": true}                                        {"peak_mb": 512.0, "imported_mb": 301.2}
"""

from __future__ import annotations

import gc
import json
import os
import sys
import warnings
from typing import Any

from .workload import Prepared

__all__ = ["main", "resident"]


def resident(field: str = "VmRSS") -> float:
    """Megabytes of this process in memory; `VmHWM` is the most there have been."""
    with open("/proc/self/status") as status:
        line = next(line for line in status if line.startswith(field + ":"))
    return int(line.split()[1]) / 1024


class _Worker:
    def __init__(self) -> None:
        self.ready: dict[str, Prepared] = {}
        self.imported = 0.0

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        if "prepare" in request:
            return self.prepare(request["prepare"], request["column"], request["tiny"])
        if "sample" in request:
            gc.collect()
            found = self.ready[request["sample"]].sample()
            return found if isinstance(found, dict) else {"seconds": found}
        return {"peak_mb": resident("VmHWM"), "imported_mb": self.imported}

    def prepare(self, name: str, column: str, tiny: bool) -> dict[str, Any]:
        from .columns import TORCH, backend
        from .workloads import WORKLOADS

        if column in TORCH:
            backend(column)
        else:
            import jax  # noqa: F401
            import torch  # noqa: F401  (initial values are the same in all columns)
        self.imported = self.imported or resident()
        prepared = self.ready[name] = WORKLOADS[name].prepare(column, tiny)
        return {"losses": prepared.losses, "facts": prepared.facts}


def main() -> None:
    # What libraries print goes to stderr; only answers go to the pipe.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    warnings.simplefilter("ignore")
    worker = _Worker()
    for line in sys.stdin:
        try:
            answer = worker.answer(json.loads(line))
        except Exception as error:  # told to the one who asked
            answer = {"failed": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
