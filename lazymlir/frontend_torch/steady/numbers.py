"""Numbers that are followed through Python, so that a learning rate may change without running the program again.

While a body is recorded, the numbers that may change (arguments, an optimizer's rates) are `Followed` floats: arithmetic
gives further ones, each with its expression. The device's kernels only see a plain float, so each one's float value is a
tag that no other has: the true value moved by a millionth. A slot of the trace that holds a tag is that expression; before
the trace runs, the true values take the tags' places.

What cannot be followed must not go wrong unseen. A comparison, a conversion to an integer and whatever else asks for the
true value becomes a condition on the number. What escapes as a plain float (`math.sqrt(rate)`) holds a moved value, other
than in the recording before, so it is found to vary. 0, 1 and what is not finite are never followed: code treats them
specially, so a number that becomes one of them, or ceases to be one, breaks the promise. Integers are not followed: they
count, choose and measure, where nothing sees it, so each is a part of the program and a condition.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from operator import is_
from typing import Any

__all__ = ["Followed", "Table", "active", "compile_all", "exactly", "is_plain", "is_special", "same_plain"]

Compute = Callable[[Sequence[Any]], Any]

_MOVED = 2.0**-20
_NAMES = {"inf": math.inf, "nan": math.nan, "float": float, "__builtins__": {}}
_CONVERSIONS = {"int": int, "round": round, "floor": math.floor, "ceil": math.ceil, "bool": bool}
_PLAIN = (float, int, bool, complex, str, bytes, type(None))


def is_plain(x: Any) -> bool:
    """Whether `x` is compared by value."""
    return type(x) in _PLAIN or (type(x) is tuple and all(map(is_plain, x)))


def same_plain(x: Any, y: Any) -> bool:
    """Whether two plain values are the same: of one type, and not 0.0 and -0.0."""
    if type(x) is not type(y):
        return False
    if type(x) is tuple:
        return len(x) == len(y) and all(map(same_plain, x, y))
    return x == y and (type(x) is not float or x != 0.0 or math.copysign(1.0, x) == math.copysign(1.0, y))


def is_special(x: float) -> bool:
    """Whether code may treat the number specially."""
    return x == 0.0 or x == 1.0 or not math.isfinite(x)


class Table:
    """The followed numbers of one recording: expressions over `n`, the list of numbers that may change, by tag; and the
    conditions that were asked of them."""

    def __init__(self) -> None:
        self.expressions: dict[float, str] = {}
        self.values: dict[float, float] = {}
        self.conditions: dict[str, None] = {}
        self.open = True

    def follow(self, true: float, expression: str) -> float:
        """The number under a tag of its own, or itself where it is not to be followed."""
        if is_special(true) or abs(true) < 1e-290:
            self.require(expression, true)
            return true
        while True:
            tag = true * (1.0 - _MOVED * (1.0 + random.random()))
            if tag not in self.expressions:
                break
        self.expressions[tag], self.values[tag] = expression, true
        return Followed(tag, true, expression, self)

    def derive(self, result: Any, expression: str) -> Any:
        """The result of an operation on followed numbers."""
        if not self.open:
            return result
        if type(result) is float:
            return self.follow(result, expression)
        self.require(expression, result)
        return result

    def require(self, expression: str, value: Any) -> None:
        """Conditions the recording on what an expression gives."""
        if self.open:
            self.conditions[f"same({expression}, {value!r})"] = None

    def holds(self) -> Compute:
        """Whether the conditions hold, of the numbers."""
        return _compile(" and ".join(self.conditions) or "True")


class _Active:
    """The table of the recording that is going on."""

    table: Table | None = None


@contextmanager
def active(table: Table) -> Iterator[None]:
    _Active.table = table
    try:
        yield
    finally:
        _Active.table = None
        table.open = False


def exactly(x: Any) -> Any:
    """What a followed number truly is, where it is used as a part of the program: then it may not change. Anything else
    is as it is."""
    table = _Active.table
    if table is None:
        return x
    if type(x) is float and x in table.expressions:
        table.require(table.expressions[x], table.values[x])
        return table.values[x]
    if type(x) is Followed:
        return x.exactly()
    kind: Any = type(x)
    if kind is not list and kind is not tuple:
        return x
    items: Any = x
    exact = [exactly(item) for item in items]
    return x if all(map(is_, exact, items)) else kind(exact)


def compile_all(expressions: Sequence[str]) -> Compute:
    """What the expressions give, of the numbers."""
    return _compile("[" + ", ".join(expressions) + "]")


def _compile(expression: str) -> Compute:
    return eval(f"lambda n: {expression}", {**_NAMES, **_CONVERSIONS, "same": same_plain})


def _operand(x: Any) -> tuple[float | int, str] | None:
    """A number's true value and expression; None for what is no Python number."""
    if type(x) is Followed:
        return x.true, x.expression
    return (x, repr(x)) if type(x) in (float, int, bool) else None


def _arithmetic(symbol: str, function: Callable[[Any, Any], Any], reflected: bool) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        operand = _operand(other)
        if operand is None:
            return NotImplemented
        (x, first), (y, second) = (operand, (self.true, self.expression)) if reflected else ((self.true, self.expression), operand)
        return self.table.derive(function(x, y), f"({first} {symbol} {second})")

    return method


def _comparison(symbol: str, function: Callable[[Any, Any], bool]) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        operand = _operand(other)
        if operand is None:
            return NotImplemented
        result = function(self.true, operand[0])
        self.table.require(f"({self.expression} {symbol} {operand[1]})", result)
        return result

    return method


def _unary(prefix: str, function: Callable[[Any], Any]) -> Any:
    def method(self: Any) -> Any:
        return self.table.derive(function(self.true), f"({prefix}{self.expression})")

    return method


def _conversion(name: str) -> Any:
    function: Any = _CONVERSIONS[name]

    def method(self: Any) -> Any:
        result = function(self.true)
        self.table.require(f"{name}({self.expression})", result)
        return result

    return method


class Followed(float):
    """A float that knows its expression. Its value, as the kernels see it, is its tag; all of Python sees the true one, and
    whatever asks for that makes it a condition."""

    __slots__ = ("expression", "table", "true")
    expression: str
    table: Table
    true: float

    def __new__(cls, tag: float, true: float, expression: str, table: Table) -> Followed:
        self = super().__new__(cls, tag)
        self.true, self.expression, self.table = true, expression, table
        return self

    __neg__ = _unary("-", lambda x: -x)
    __pos__ = _unary("+", lambda x: x)
    __lt__ = _comparison("<", lambda x, y: x < y)
    __le__ = _comparison("<=", lambda x, y: x <= y)
    __gt__ = _comparison(">", lambda x, y: x > y)
    __ge__ = _comparison(">=", lambda x, y: x >= y)
    __eq__ = _comparison("==", lambda x, y: x == y)
    __ne__ = _comparison("!=", lambda x, y: x != y)
    __bool__ = _conversion("bool")
    __int__ = __trunc__ = _conversion("int")
    __floor__ = _conversion("floor")
    __ceil__ = _conversion("ceil")

    def exactly(self) -> Any:
        """The true value, which then may not change."""
        self.table.require(self.expression, self.true)
        return self.true

    def __abs__(self) -> Any:
        return -self if self < 0 else self

    def __round__(self, digits: int | None = None) -> Any:
        return self.exactly().__round__(digits)

    def __hash__(self) -> int:
        return hash(self.exactly())

    def __float__(self) -> float:
        return float(self.exactly())

    def __divmod__(self, other: Any) -> Any:
        return divmod(self.exactly(), other)

    def __rdivmod__(self, other: Any) -> Any:
        return divmod(other, self.exactly())

    def __repr__(self) -> str:
        return repr(self.exactly())

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return format(self.exactly(), spec)

    def __reduce__(self) -> Any:
        return type(self.true), (self.true,)

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: Any) -> Any:
        return self

    def as_integer_ratio(self) -> tuple[int, int]:
        return self.exactly().as_integer_ratio()

    def is_integer(self) -> bool:
        return self.exactly().is_integer()

    def hex(self) -> str:
        return self.exactly().hex()


for _name, _symbol, _function in (
    ("add", "+", lambda x, y: x + y),
    ("sub", "-", lambda x, y: x - y),
    ("mul", "*", lambda x, y: x * y),
    ("truediv", "/", lambda x, y: x / y),
    ("pow", "**", lambda x, y: x**y),
    ("mod", "%", lambda x, y: x % y),
    ("floordiv", "//", lambda x, y: x // y),
):
    setattr(Followed, f"__{_name}__", _arithmetic(_symbol, _function, False))
    setattr(Followed, f"__r{_name}__", _arithmetic(_symbol, _function, True))
