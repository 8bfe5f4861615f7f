"""Elementwise operations: operands of equal shape; broadcasting and promotion are `expand` and `cast` before them."""

from __future__ import annotations

from collections.abc import Callable

from .attributes import DTYPE
from .declare import declare, require
from .types import BOOL, COMPLEX_OF, DTYPES, TensorType, is_complex, is_float, is_integer, itemsize, real_dtype

SHORT_POWERS: tuple[float, ...] = (0, 1, 2, 3)
SHORT_POWERS_OF_FLOATS: tuple[float, ...] = (0.5, -0.5, -1, -2)
"""Exponents for which `pow_scalar` is another formula than a power; the second not for integers, nor for f16."""

# name: (accepted element types, what it computes)
FLOATING_UNARY = {
    "ceil": "The smallest integral value not below `x`.",
    "floor": "The largest integral value not above `x`.",
    "round": "The nearest integral value, halves to even.",
    "trunc": "`x` without its fraction.",
    "erf": "The error function.",
    "erf_inv": "The inverse of the error function.",
    "lgamma": "The logarithm of the absolute value of the gamma function.",
    "digamma": "The logarithmic derivative of the gamma function.",
    "cbrt": "The real cube root.",
}
ANALYTIC_UNARY = {
    "exp": "e to the power `x`.",
    "expm1": "exp(x) - 1, exact near 0.",
    "log": "The natural logarithm.",
    "log1p": "log(1 + x), exact near 0.",
    "sqrt": "The square root.",
    "rsqrt": "1 / sqrt(x).",
    "sin": "The sine of `x` radians.",
    "cos": "The cosine of `x` radians.",
    "tan": "The tangent of `x` radians.",
    "tanh": "The hyperbolic tangent.",
    "sigmoid": "1 / (1 + exp(-x)).",
    "asin": "The inverse sine.",
    "acos": "The inverse cosine.",
    "atan": "The inverse tangent.",
    "sinh": "The hyperbolic sine.",
    "cosh": "The hyperbolic cosine.",
    "asinh": "The inverse hyperbolic sine.",
    "acosh": "The inverse hyperbolic cosine.",
    "atanh": "The inverse hyperbolic tangent.",
}
NUMERIC_BINARY = {
    "add": "x + y.",
    "sub": "x - y.",
    "mul": "x * y.",
    "div": "x / y; integers truncate toward zero.",
    "pow": "`x` to the power `y`.",
}
ORDERED_BINARY = {
    "maximum": "The larger one, of equal ones `x`; NaN if either is.",
    "minimum": "The smaller one, of equal ones `x`; NaN if either is.",
}
REAL_BINARY = {
    "fmod": "The remainder of x / y, with the sign of `x` (as C's fmod).",
}
FLOATING_BINARY = {
    "atan2": "The angle of the point (y, x), where `x` is the first operand.",
}
BIT_BINARY = {
    "bitwise_and": "Bitwise and; logical on booleans.",
    "bitwise_or": "Bitwise or; logical on booleans.",
    "bitwise_xor": "Bitwise exclusive or; logical on booleans.",
}
SHIFT_BINARY = {
    "shift_left": "x << y.",
    "shift_right_arithmetic": "x >> y, filled with the sign.",
    "shift_right_logical": "x >> y, filled with zeros.",
}
COMPARISONS = {
    "eq": "x == y.",
    "ne": "x != y (true if either is NaN).",
    "lt": "x < y.",
    "le": "x <= y.",
    "gt": "x > y.",
    "ge": "x >= y.",
}


def _number(dtype: str) -> bool:
    return dtype != BOOL


def _ordered(dtype: str) -> bool:
    return not is_complex(dtype)


def _real(dtype: str) -> bool:
    return _number(dtype) and _ordered(dtype)


def _bits(dtype: str) -> bool:
    return dtype == BOOL or is_integer(dtype)


def _analytic(dtype: str) -> bool:
    return is_float(dtype) or is_complex(dtype)


def _unary(name: str, accepts: Callable[[str], bool], summary: str) -> None:
    def rule(x: TensorType) -> TensorType:
        require(accepts(x.dtype), f"not defined on {x.dtype}")
        return x

    rule.__doc__ = summary
    declare(name, "x", groups=("pointwise",))(rule)


def _binary(name: str, accepts: Callable[[str], bool], summary: str, compares: bool = False) -> None:
    def rule(x: TensorType, y: TensorType) -> TensorType:
        require(x == y, f"operands differ: {x} and {y}")
        require(accepts(x.dtype), f"not defined on {x.dtype}")
        return x.with_dtype(BOOL) if compares else x

    rule.__doc__ = summary
    declare(name, "x", "y", groups=("pointwise",))(rule)


for _table, _accepts in ((FLOATING_UNARY, is_float), (ANALYTIC_UNARY, _analytic)):
    for _name, _summary in _table.items():
        _unary(_name, _accepts, _summary)
_unary("neg", _number, "-x; 0.0 becomes -0.0.")
_unary("sign", _number, "-1, 0 or 1 (0 for NaN; a complex number is divided by its absolute value).")
_unary("bitwise_not", _bits, "Bitwise complement; logical on booleans.")
_unary("popcount", is_integer, "The number of bits that are 1.")
for _table, _accepts in (
    (NUMERIC_BINARY, _number),
    (ORDERED_BINARY, _ordered),
    (REAL_BINARY, _real),
    (FLOATING_BINARY, is_float),
    (BIT_BINARY, _bits),
    (SHIFT_BINARY, is_integer),
):
    for _name, _summary in _table.items():
        _binary(_name, _accepts, _summary)
for _name, _summary in COMPARISONS.items():
    _binary(_name, (lambda dtype: True) if _name in ("eq", "ne") else _ordered, _summary, compares=True)


@declare("abs", "x", groups=("pointwise",))
def abs_(x: TensorType) -> TensorType:
    """The absolute value; of a complex number a real one."""
    require(_number(x.dtype), f"not defined on {x.dtype}")
    return x.with_dtype(real_dtype(x.dtype))


@declare("is_finite", "x", groups=("pointwise",))
def is_finite(x: TensorType) -> TensorType:
    """Neither infinite nor NaN."""
    require(is_float(x.dtype), f"not defined on {x.dtype}")
    return x.with_dtype(BOOL)


@declare("where", "condition", "x", "y", groups=("pointwise",))
def where(condition: TensorType, x: TensorType, y: TensorType) -> TensorType:
    """`x` where the condition holds, elsewhere `y`."""
    require(condition.dtype == BOOL, f"the condition must be {BOOL}, got {condition.dtype}")
    require(x == y, f"operands differ: {x} and {y}")
    require(condition.shape == x.shape, f"the condition has shape {condition.shape}, the operands {x.shape}")
    return x


def short_powers(dtype: str) -> tuple[float, ...]:
    return SHORT_POWERS + (SHORT_POWERS_OF_FLOATS if is_complex(dtype) or (is_float(dtype) and dtype != "f16") else ())


@declare("pow_scalar", "x", "exponent", groups=("pointwise",))
def pow_scalar(x: TensorType, exponent: TensorType) -> TensorType:
    """`x` to the power of one number: by products, a root or a reciprocal where that is 0, 1, 2, 3, 0.5, -0.5, -1 or -2,
    whether it is a constant or found so when it runs."""
    require(_number(x.dtype), f"not defined on {x.dtype}")
    wanted = x.with_shape(())
    require(exponent == wanted, f"the exponent must be {wanted}, got {exponent}")
    return x


@declare("cast", "x", dtype=DTYPE, groups=("pointwise",))
def cast(x: TensorType, dtype: str) -> TensorType:
    """Converts each element: floats truncate to integers, anything but 0 is true, a complex number loses its imaginary part."""
    require(dtype in DTYPES, f"{dtype} is no element type of the dialect")
    return x.with_dtype(dtype)


@declare("bitcast", "x", dtype=DTYPE, groups=("view",))
def bitcast(x: TensorType, dtype: str) -> TensorType:
    """Reads the same bytes as another type; where the sizes differ, the last dimension shrinks or grows."""
    require(dtype in DTYPES, f"{dtype} is no element type of the dialect")
    old, new = itemsize(x.dtype), itemsize(dtype)
    if old == new:
        return x.with_dtype(dtype)
    require(x.rank > 0, f"a 0-dim tensor of {x.dtype} cannot be read as {dtype}: their sizes differ")
    nbytes = x.shape[-1] * old
    require(nbytes % new == 0, f"rows of {nbytes} bytes do not divide into {dtype}")
    return TensorType((*x.shape[:-1], nbytes // new), dtype)


@declare("complex", "real", "imag", groups=("pointwise",))
def complex_(real: TensorType, imag: TensorType) -> TensorType:
    """A complex number from its parts."""
    require(real == imag, f"operands differ: {real} and {imag}")
    require(real.dtype in COMPLEX_OF, f"no complex type has parts of {real.dtype}")
    return real.with_dtype(COMPLEX_OF[real.dtype])


def _part(name: str, summary: str) -> None:
    def rule(x: TensorType) -> TensorType:
        require(is_complex(x.dtype), f"not defined on {x.dtype}")
        return x.with_dtype(real_dtype(x.dtype))

    rule.__doc__ = summary
    declare(name, "x", groups=("pointwise",))(rule)


_part("real", "The real part.")
_part("imag", "The imaginary part.")
