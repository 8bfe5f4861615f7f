"""Configuration of the lit tests: `lit lit_tests` from a checkout, installed or not.

(`python -m lit.main` runs nothing and says nothing.)"""

import sys
from pathlib import Path

_tests = Path(__file__).resolve().parent
_checkout = _tests.parent
sys.path[:0] = [str(_checkout), str(_tests)]

from in_process import InProcess  # noqa: E402

config.name = "lazymlir"
config.suffixes = [".mlir"]
config.test_source_root = str(_tests)
config.test_exec_root = str(_tests / "Output")
config.environment["PYTHONPATH"] = str(_checkout)
config.test_format = InProcess()
