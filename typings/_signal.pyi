"""The part of the C module behind `signal` that lazymlir uses."""

from collections.abc import Callable
from types import FrameType
from typing import Any

SIGINT: int

def getsignal(number: int, /) -> Any: ...
def signal(number: int, handler: Callable[[int, FrameType | None], Any] | Any, /) -> Any: ...
