from typing import Any

_mlir: Any
_stablehlo: Any
_torchMlir: Any
