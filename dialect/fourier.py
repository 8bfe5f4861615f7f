"""Discrete Fourier transforms."""

from __future__ import annotations

from .attributes import INTS, STRING
from .declare import declare, require
from .types import COMPLEX_OF, TensorType, is_complex, real_dtype

FFT_KINDS = ("fft", "ifft", "rfft", "irfft")


@declare("fft", "x", kind=STRING, dims=INTS, lengths=INTS)
def fft(x: TensorType, kind: str, dims: tuple[int, ...], lengths: tuple[int, ...]) -> TensorType:
    """The discrete Fourier transform along `dims`, of signals that are `lengths` long there. The inverse kinds, ifft and
    irfft, divide by the product of `lengths`. Half of a real signal's transform says all: rfft gives length / 2 + 1
    elements along the last of `dims`, from which irfft makes the real signal; it reads no imaginary part of what a real
    signal leaves real there."""
    require(kind in FFT_KINDS, f"kind {kind!r} is none of {', '.join(FFT_KINDS)}")
    require(len(dims) > 0 and len(set(dims)) == len(dims) and all(0 <= dim < x.rank for dim in dims), f"dims {list(dims)} do not fit {x}")
    require(len(lengths) == len(dims) and all(length > 0 for length in lengths), f"lengths {list(lengths)} do not fit dims {list(dims)}")
    require(is_complex(x.dtype) if kind != "rfft" else x.dtype in COMPLEX_OF, f"{kind} is not defined on {x.dtype}")
    full, half = list(x.shape), list(x.shape)
    for dim, length in zip(dims, lengths, strict=True):
        full[dim] = half[dim] = length
    last = tuple(dims)[-1]
    half[last] = half[last] // 2 + 1
    require(x.shape == tuple(half if kind == "irfft" else full), f"{x} holds no {kind} of lengths {list(lengths)} along dims {list(dims)}")
    if kind == "rfft":
        return TensorType(tuple(half), COMPLEX_OF[x.dtype])
    return TensorType(tuple(full), real_dtype(x.dtype)) if kind == "irfft" else x
