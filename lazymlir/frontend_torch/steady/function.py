"""`lazymlir.steady`: a function whose Python is not run again."""

from __future__ import annotations

import copy
import functools
import inspect
import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import torch

import lazymlir.frontend_torch  # noqa: F401  (registers the device)
from lazymlir import metrics
from lazymlir.config import config
from lazymlir.core.engine import engine
from lazymlir.core.replay import capturing
from lazymlir.errors import SteadyError
from lazymlir.logs import log

from .arguments import Arguments
from .compare import Escaped, Unlike
from .promise import BROKEN, Promise
from .recording import FOLLOW_ALL, Recording, record

__all__ = ["Steady", "steady"]

RECORDINGS = 3
"""So many times a body runs at least."""

PATIENCE = 8
"""So many times it runs at most without two recordings alike."""

KEPT = 8
"""Promises kept for one kind of arguments: training and evaluation, for example."""

CASES = 64
"""Kinds of arguments that are remembered; the one used longest ago goes."""

_lock = threading.RLock()
"""A recording looks at everything that the program holds: one at a time."""


class _Case:
    """What is known of calls with one kind of arguments."""

    def __init__(self) -> None:
        self.promises: list[Promise] = []
        self.recordings: list[Recording] = []
        self.count = 0
        self.follow = FOLLOW_ALL


class Steady:
    """A function under `steady`; as a context manager it forgets at the end what it recorded, and what that keeps alive."""

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function, updated=())
        self._function = function
        if inspect.isgeneratorfunction(function) or inspect.iscoroutinefunction(function):
            raise SteadyError("a generator or coroutine cannot be steady: its Python runs between calls")
        self._cases: OrderedDict[Any, _Case] = OrderedDict()
        self._methods: dict[int, tuple[weakref.ref[Any], Steady]] = {}
        """Of each instance, where the function is a method."""
        self._name = getattr(function, "__qualname__", type(function).__name__)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if capturing() is not None or engine.left or torch._C._functorch.maybe_current_level() is not None:
            return self._function(*args, **kwargs)
        with _lock:
            arguments = Arguments(args, kwargs)
            case = self._case((*arguments.key, *_modes()))
            for promise in case.promises:
                why = promise.broken(arguments)
                if why is None:
                    result = promise.run(arguments)
                    if result is not BROKEN:
                        metrics.count("SteadyCall")
                        return result
                    why = "tensors hold one array that did not"
                log("steady", 2, "%s: a promise does not hold: %s", self._name, why)
            return self._record(case, arguments)

    def _case(self, key: Any) -> _Case:
        case = self._cases.get(key)
        if case is None:
            case = self._cases[key] = _Case()
            if len(self._cases) > CASES:
                self._cases.popitem(last=False)
        else:
            self._cases.move_to_end(key)
        return case

    def __reduce__(self) -> Any:
        return Steady, (self._function,)

    def __deepcopy__(self, memo: dict[int, Any]) -> Steady:
        return Steady(copy.deepcopy(self._function, memo))

    def __enter__(self) -> Steady:
        return self

    def __exit__(self, *_: Any) -> None:
        self.forget()

    def forget(self) -> None:
        """Drops what was recorded: the next call runs the function again."""
        with _lock:
            self._cases.clear()

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        """A method is steady by itself for each instance."""
        if instance is None:
            return self
        known = self._methods.get(id(instance))
        if known is None or known[0]() is not instance:
            made = Steady(self._function.__get__(instance, owner))
            methods, identity = self._methods, id(instance)
            known = methods[identity] = weakref.ref(instance, lambda _: methods.pop(identity, None)), made
        return known[1]

    def _record(self, case: _Case, arguments: Arguments) -> Any:
        if case.promises and not case.recordings:
            metrics.count("SteadyBroken")
        metrics.count("SteadyRecord")
        case.count += 1
        try:
            roots = {self._name: self._function} | {f"argument {i}": arguments.leaves[i] for i in arguments.objects}
            result, recording = record(self._function, arguments, roots, case.follow)
        except BaseException:
            case.recordings.clear()
            case.count = 0
            raise
        if case.count >= RECORDINGS:
            try:
                promise, why = self._promise(case, recording)
            except SteadyError:
                case.recordings.clear()
                case.count = 0
                raise
            if promise is not None:
                case.promises.insert(0, promise)
                del case.promises[KEPT:]
                log("steady", 1, "%s is steady: %d operations", self._name, len(recording.trace.records))
            else:
                log("steady", 1, "%s is not steady yet: %s", self._name, why)
            if promise is not None or case.count >= PATIENCE:
                case.recordings.clear()
                case.count = 0
                if promise is None:
                    raise SteadyError(f"{self._name} is not steady: of {PATIENCE} calls no two recorded the same; {why}")
                return result
        case.recordings.append(recording)
        del case.recordings[:-3]
        return result

    @staticmethod
    def _promise(case: _Case, recording: Recording) -> tuple[Promise | None, str]:
        """A promise of the newest recording and an earlier one; None and the reason where there is none."""
        reasons = ["nothing was recorded before"]
        for i in reversed(range(len(case.recordings))):
            try:
                return Promise(case.recordings[i], recording, case.recordings[i + 1 :]), ""
            except Unlike as why:
                reasons.append(str(why))
            except Escaped as why:
                case.follow -= 1
                case.recordings.clear()
                return None, str(why)
        return None, reasons[min(1, len(reasons) - 1)]


def _modes() -> tuple[Any, ...]:
    return (
        torch.is_grad_enabled(),
        torch.is_inference_mode_enabled(),
        torch.is_autocast_enabled("lazymlir") and torch.get_autocast_dtype("lazymlir"),
        torch.get_default_dtype(),
        torch._C._len_torch_function_stack(),
        config.cache_key,
        threading.get_ident(),
    )


def steady(function: Callable[..., Any] | None = None) -> Any:
    """A function whose Python runs at its first three calls only; after that each call is one program.

    >>> import lazymlir, torch
    >>> weight = torch.ones(3, device="lazymlir")
    >>> @lazymlir.steady
    ... def step(x, rate):
    ...     weight.sub_(x * rate)
    ...     return weight.sum()
    >>> [step(torch.ones(3, device="lazymlir"), 0.25).item() for _ in range(5)]
    [2.25, 1.5, 0.75, 0.0, -0.75]

    It is a promise that the function does the same each time. A call takes its arguments anew, tensors, CPU tensors and
    floats (an integer is part of the program), and whatever tensors the function can reach: parameters, buffers, gradients,
    optimizers' state. It draws the device's next random numbers and reads an optimizer's rates. What the promise needs is
    looked at in each call: that
    the same tensors lie in the same places, shapes, dtypes, who shares memory with whom, `training`, attributes and
    globals that the function names, the modes of torch. Where it does not hold, the function is recorded again, three
    times, counted as `SteadyBroken`; `LAZYMLIR_LOGS=steady` says why. Each kind of arguments has a promise of its own, so
    has training beside evaluation, and each thread.

    Refused with SteadyError, which names the line: reading a value inside, an operation that runs on the CPU, a number or
    a CPU tensor that varies and is no argument, a tensor that cannot be found, stepping a scheduler inside, a generator.

    Not repeated, because they are Python's: prints, counters, appended lists, and branches on what nothing above sees, such
    as the time. The result has no autograd graph: backward belongs inside. A gradient left alive, or a tensor that the
    body puts into an attribute, is a new tensor after each call.

    Optimizers count their steps on the device while they run in a steady function, where they can: fused or capturable.
    As a context, `with lazymlir.steady(step) as run:`, it forgets at the end what it recorded.
    """
    return steady if function is None else Steady(function)
