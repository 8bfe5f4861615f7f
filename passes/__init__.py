"""The passes on the `lazy` dialect, one a file, named as on the command line of `lazymlir-opt`."""

if __name__ != "lazymlir.passes":
    raise ImportError(f"import this package as lazymlir.passes, not as {__name__}: a second copy breaks class identity")

from . import (  # noqa: F401  (each adds its pass to the table)
    lazy_call_library,
    lazy_canonicalize,
    lazy_choose_layouts,
    lazy_donate,
    lazy_invert_views,
    lazy_lower_to_stablehlo,
    lazy_merge_sums,
    lazy_order_updates,
    lazy_place_barriers,
    lazy_reroll_loops,
    lazy_specialize_scalars,
)
from .base import PASSES, Pass, PassError, functions, register
from .pipeline import ONLY_ON, STANDARD, Pipeline, PipelineError

__all__ = ["ONLY_ON", "PASSES", "STANDARD", "Pass", "PassError", "Pipeline", "PipelineError", "functions", "register"]
