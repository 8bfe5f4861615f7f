"""Programs at the edge of what torch accepts: operands that share memory, empty dimensions, numbers and element types that an
operation does not take. Each once was not as on the CPU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from conftest import DEVICE

Run = Callable[[str], Any]

foreach_add_: Any = torch._foreach_add_
foreach_mul_: Any = torch._foreach_mul_
functional = torch.nn.functional


def check(run: Run) -> None:
    """The same values and dtypes on both."""
    wanted, got = run("cpu"), run(DEVICE)
    for expected, result in zip(*((x if isinstance(x, (tuple, list)) else (x,)) for x in (wanted, got)), strict=True):
        assert result.device.type == DEVICE
        torch.testing.assert_close(result.cpu(), expected, equal_nan=True)


def check_refused(run: Run, words: str | None = None) -> None:
    """The same kind of error on both, at the call."""
    with pytest.raises(Exception, match=words) as expected:
        run("cpu")
    with pytest.raises(expected.type, match=words):
        run(DEVICE)


def floats(device: str, count: int = 4) -> torch.Tensor:
    return torch.arange(float(count), device=device)


def ones(device: str, *sizes: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    return torch.ones(sizes, dtype=dtype, device=device)


def index(device: str, *places: int) -> torch.Tensor:
    return torch.tensor(places, dtype=torch.int64, device=device)


# Lists whose tensors share memory with tensors of other lists: one after another, each sees the one before.


def both(run: Callable[[torch.Tensor, torch.Tensor], Any]) -> Run:
    """The two tensors that `run` writes."""

    def written(device: str) -> list[torch.Tensor]:
        x, y = floats(device), ones(device, 4)
        run(x, y)
        return [x, y]

    return written


SHARED_LISTS: dict[str, Run] = {
    "add": both(lambda x, y: foreach_add_([x, y], [y, x])),
    "copy": both(lambda x, y: torch._foreach_copy_([x, y], [y, x])),
    "lerp": both(lambda x, y: torch._foreach_lerp_([x, y], [y, x], 0.5)),
    "addcdiv": both(lambda x, y: torch._foreach_addcdiv_([x, y], [y, x], [y, x + 1])),
    "numbers": both(lambda x, y: foreach_add_([x, x, y], [1.0, 2.0, 3.0])),
    "views": both(lambda x, y: torch._foreach_mul_([x[:2], y], [y[:2], x])),
    "its own place": both(lambda x, y: foreach_add_([x, y], [x, y])),
    "one tensor for all": both(lambda x, y: torch._foreach_mul_([x, y[1:]], y[0])),
}


@pytest.mark.parametrize("name", SHARED_LISTS)
def test_lists_that_share_memory(name: str) -> None:
    check(SHARED_LISTS[name])


SHARED_LISTS_REFUSED: dict[str, Run] = {
    "an element": lambda d: torch._foreach_mul_([x := floats(d), ones(d, 4)], x[1]),
    "overlapping views": lambda d: foreach_mul_([(x := floats(d))[:2], x[1:3]], [x[2:], x[2:]]),
    "in part at its own place": lambda d: foreach_add_([(x := floats(d))[1:]], [x[:-1]]),
}


@pytest.mark.parametrize("name", SHARED_LISTS_REFUSED)
def test_lists_that_overlap_in_part(name: str) -> None:
    check_refused(SHARED_LISTS_REFUSED[name], "refer to a single memory location")


def test_what_a_list_wrote_before_an_error_stays() -> None:
    def run(device: str) -> torch.Tensor:
        x, y = floats(device), ones(device, 4)
        with pytest.raises(RuntimeError, match="size"):
            foreach_add_([x, y[:2]], [y, x])
        return x

    check(run)


# An operand written into itself.

ITSELF_REFUSED: dict[str, Run] = {
    "scatter_": lambda d: (x := floats(d)).scatter_(0, index(d, 1), x),
    "scatter_ of a view": lambda d: (x := floats(d)).scatter_(0, index(d, 1), x.view(4)),
    "scatter_add_": lambda d: (x := floats(d)).scatter_add_(0, index(d, 1, 0), x),
    "index_add_": lambda d: (x := floats(d, 2)).index_add_(0, index(d, 1, 0), x),
    "put_": lambda d: (x := floats(d, 2)).put_(index(d, 1, 0), x),
    "gather": lambda d: torch.gather(x := floats(d, 2), 0, index(d, 1, 0), out=x),
    "take": lambda d: torch.take(x := floats(d, 2), index(d, 1, 0), out=x),
    "index_select": lambda d: torch.index_select(x := floats(d, 2), 0, index(d, 1, 0), out=x),
}


@pytest.mark.parametrize("name", ITSELF_REFUSED)
def test_writing_an_operand_into_itself_is_refused(name: str) -> None:
    for _ in range(2):  # what the CPU said is remembered
        check_refused(ITSELF_REFUSED[name], "single memory location")


@pytest.mark.parametrize("run", [lambda x: x.add_(x), lambda x: x.lerp_(x, 0.5), lambda x: x.addcmul_(x, x)], ids=["add_", "lerp_", "addcmul_"])
def test_elementwise_operations_write_into_themselves(run: Callable[[torch.Tensor], torch.Tensor]) -> None:
    for _ in range(2):
        check(lambda d: run(floats(d)))


# Empty dimensions: what shapes decide is refused at the call.


def empty(device: str) -> torch.Tensor:
    return torch.ones(0, 3, device=device)


EMPTY_REFUSED: dict[str, Run] = {
    "gather": lambda d: empty(d).gather(0, index(d, 0).view(1, 1)),
    "scatter": lambda d: empty(d).scatter(0, index(d, 0).view(1, 1), 1.0),
    "scatter_add": lambda d: empty(d).scatter_add(0, index(d, 0).view(1, 1), ones(d, 1, 3)),
    "index_select": lambda d: empty(d).index_select(0, index(d, 0)),
    "index": lambda d: empty(d)[index(d, 0)],
    "index_put": lambda d: empty(d).index_put((index(d, 0),), ones(d, 3)),
    "setitem": lambda d: empty(d).__setitem__(index(d, 0), 1.0),
    "index_add": lambda d: empty(d).flatten().index_add(0, index(d, 0), ones(d, 1)),
    "index_copy": lambda d: empty(d).index_copy(0, index(d, 0), ones(d, 1, 3)),
    "index_fill": lambda d: empty(d).index_fill(0, index(d, 0), 1.0),
    "put": lambda d: empty(d).put(index(d, 0), ones(d, 1)),
    "embedding": lambda d: functional.embedding(index(d, 0), empty(d)),
    "embedding of a vector": lambda d: functional.embedding(index(d, 0), ones(d, 3)),
    "one_hot": lambda d: functional.one_hot(index(d, -1)),
    "median": lambda d: torch.empty(2, 0, 3, device=d).median(1),
    "nanmedian": lambda d: torch.empty(2, 0, 3, device=d).nanmedian(1),
    "mode": lambda d: torch.empty(2, 0, 3, device=d).mode(1),
}


@pytest.mark.parametrize("name", EMPTY_REFUSED)
def test_an_empty_dimension_is_refused_at_the_call(name: str) -> None:
    check_refused(EMPTY_REFUSED[name])


def test_filling_what_is_empty_anyway() -> None:
    check(lambda d: ones(d, 3, 0).index_fill(0, index(d, 5), 1.0))


@pytest.mark.parametrize(
    "run",
    [
        lambda d: torch.searchsorted(floats(d), floats(d), sorter=index(d, 5, 5, 5, 5)),
        lambda d: ones(d, 3, 0).index_select(0, index(d, 5)),
    ],
    ids=["searchsorted", "index_select"],
)
def test_indices_that_are_out_of_range(run: Run) -> None:
    with pytest.raises(RuntimeError):
        run("cpu")
    made = run(DEVICE)
    with pytest.raises(RuntimeError, match="out of range"):
        made.cpu()


# Numbers.


@pytest.mark.parametrize("number", [2**63, 2**64 - 1])
def test_integers_of_64_bits_beside_complex_numbers(number: int) -> None:
    for run in (lambda x: x + number, lambda x: number - x, lambda x: x * number, lambda x: x.clone().fill_(number)):
        check(lambda d, run=run: run(ones(d, 2, dtype=torch.complex64)))


@pytest.mark.parametrize("run", [lambda x: x + 2**63, lambda x: x * 2**63, lambda x: x > 2**63, lambda x: x % 2**63], ids=["+", "*", ">", "%"])
def test_integers_of_64_bits_beside_booleans_are_refused(run: Callable[[torch.Tensor], torch.Tensor]) -> None:
    check_refused(lambda d: run(ones(d, 2, dtype=torch.bool)), "attempted to promote Bool and UInt64")


def test_a_number_before_its_tensor() -> None:
    check(lambda d: torch.pow(2**63, floats(d)))
    check(lambda d: torch.remainder(2**64 - 1, floats(d) + 2))


def small(device: str, dtype: torch.dtype = torch.uint8) -> torch.Tensor:
    return ones(device, 2, dtype=dtype)


OVERFLOWS: dict[str, Run] = {
    "add": lambda d: torch.add(small(d), small(d), alpha=300),
    "add of int8": lambda d: torch.add(small(d, torch.int8), small(d, torch.int8), alpha=300),
    "sub of a number": lambda d: torch.sub(small(d), 1, alpha=-300),
    "foreach_add": lambda d: torch._foreach_add([small(d)], [small(d)], alpha=300),
    "addcmul": lambda d: torch.addcmul(floats(d), floats(d), floats(d), value=1e60),
    "lerp": lambda d: torch.lerp(floats(d), floats(d), 1e60),
    "pow": lambda d: small(d, torch.int8) ** 300,
    "pad": lambda d: functional.pad(small(d), (1, 0), value=300),
    "pad below": lambda d: functional.pad(small(d), (1, 0), value=-1.5),
    "full": lambda d: torch.full((2,), 1e60, dtype=torch.complex64, device=d),
    "setitem": lambda d: small(d, torch.complex64).__setitem__(0, 1e60),
    "masked_fill": lambda d: small(d, torch.int64).masked_fill(small(d) > 0, 1e60),
    "an imaginary part": lambda d: torch.addcmul(floats(d), floats(d), floats(d), value=2j),
    "addmm": lambda d: torch.addmm(ones(d, 1, 1, dtype=torch.int8), small(d, torch.int8)[None], small(d, torch.int8)[:, None], beta=300),
}


@pytest.mark.parametrize("name", OVERFLOWS)
def test_numbers_that_a_type_cannot_hold_are_refused(name: str) -> None:
    check_refused(OVERFLOWS[name], "without overflow")


def test_a_divisor_that_wraps_around_to_zero() -> None:
    check_refused(lambda d: small(d, torch.int8) // 2**40, "ZeroDivisionError")


def test_such_a_number_is_refused_after_one_that_is_accepted() -> None:
    check(lambda d: torch.add(small(d), small(d), alpha=200))
    check_refused(lambda d: torch.add(small(d), small(d), alpha=300), "without overflow")
    check_refused(lambda d: torch.add(small(d), small(d), alpha=400), "without overflow")


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_one_float_of_16_bits_becomes_infinite(dtype: torch.dtype) -> None:
    check(lambda d: ones(d, 1, dtype=dtype).new_full((1,), 1e39))
    check_refused(lambda d: torch.full((2,), 1e39, dtype=dtype, device=d), "without overflow")


@pytest.mark.parametrize("number", [float("inf"), float("-inf"), float("nan")])
def test_infinities_fit_floats(number: float) -> None:
    check(lambda d: floats(d).masked_fill(floats(d) > 1, number))


# Element types. Those that eager refuses, at shapes that the CPU could not run through quickly too.


def complexes(device: str) -> torch.Tensor:
    return torch.tensor([1 + 2j, -1j], device=device)


def booleans(device: str) -> torch.Tensor:
    return torch.tensor([True, False], device=device)


def integers(device: str) -> torch.Tensor:
    return index(device, 3, 4)


TYPES_REFUSED: dict[str, Run] = {
    **{
        f"{name} of complex": lambda d, name=name: getattr(complexes(d), name)()
        for name in ("sign", "floor", "ceil", "round", "trunc", "signbit", "nansum", "logit")
    },
    **{f"{name} of bool": lambda d, name=name: getattr(booleans(d), name)() for name in ("floor", "round", "ceil", "trunc", "median")},
    "copysign": lambda d: torch.copysign(complexes(d), -1),
    "xlogy": lambda d: torch.xlogy(complexes(d), complexes(d)),
    "isin": lambda d: torch.isin(complexes(d), complexes(d)),
    "glu": lambda d: functional.glu(complexes(d)),
    "mse_loss": lambda d: functional.mse_loss(complexes(d), complexes(d)),
    "div": lambda d: torch.div(complexes(d), 2, rounding_mode="trunc"),
    "clamp": lambda d: booleans(d).clamp(booleans(d), booleans(d)),
    "addcmul": lambda d: torch.addcmul(booleans(d), booleans(d), booleans(d)),
    "threshold": lambda d: functional.threshold(booleans(d), 0, 1),
    "bucketize": lambda d: torch.bucketize(booleans(d), booleans(d)),
    "pow": lambda d: booleans(d) ** booleans(d),
    "sub": lambda d: floats(d) - True,
    "rsub": lambda d: True - floats(d),
    "sub_": lambda d: floats(d).sub_(True),
    "alpha": lambda d: torch.add(booleans(d), booleans(d), alpha=1.5),
    "round": lambda d: integers(d).round(decimals=-1),
    "hypot": lambda d: torch.hypot(integers(d), integers(d)),
    "heaviside": lambda d: torch.heaviside(floats(d), index(d, 0, 1, 2, 3)),
    "lerp": lambda d: torch.lerp(integers(d), integers(d), 0.5),
    "interpolate": lambda d: functional.interpolate(integers(d)[None, None], scale_factor=2),
    "large": lambda d: torch.hypot(index(d, 0).expand(300, 300), index(d, 0).expand(300, 300)),
    "foreach": lambda d: torch._foreach_addcmul([booleans(d)], [booleans(d)], [booleans(d)]),
}


@pytest.mark.parametrize("name", TYPES_REFUSED)
def test_element_types_are_refused(name: str) -> None:
    check_refused(TYPES_REFUSED[name])


@pytest.mark.parametrize("exponent", [True, False])
def test_powers_of_booleans(exponent: bool) -> None:
    check(lambda d: booleans(d).pow(exponent))
    check(lambda d: booleans(d).pow_(exponent))
    check(lambda d: torch._foreach_pow([booleans(d)], exponent))


def test_renorm_of_complex_numbers() -> None:
    check(lambda d: complexes(d)[None].renorm(2, 0, 1.0))
    check(lambda d: torch.tensor([[1.0, -2.5, 65504]], dtype=torch.float16, device=d).renorm(2, 0, 1.0))
    check_refused(lambda d: floats(d)[None].renorm(2, 0, -1.0), "expected maxnorm to be >= 0")


# Values.


@pytest.mark.parametrize("exponent", [0, 1, 2, -1, 2.5, -0.5, 1j, 1 + 2j, -1 + 1j])
def test_powers_of_complex_zero(exponent: complex) -> None:
    zeros = torch.tensor([0j, complex(-0.0, 0.0), 1 + 2j])
    check(lambda d: zeros.to(d) ** exponent)
    check(lambda d: zeros.to(d) ** torch.full((3,), exponent, dtype=torch.complex64, device=d))
    check(lambda d: 0 ** torch.full((3,), exponent, dtype=torch.complex64, device=d))


@pytest.mark.parametrize("size", [1e30, 1e-30])
def test_deviations_whose_square_a_float_cannot_hold(size: float) -> None:
    check(lambda d: torch.tensor([1.0, -2.0, 4.0], device=d).mul(size).std())
    check(lambda d: torch.std_mean(torch.tensor([1.0, -2.0, 4.0], device=d).mul(size)))


def test_products_of_16_bit_floats_in_a_cross_product() -> None:
    check(lambda d: torch.cross(x := torch.tensor([1.0, -2.5, 65504], dtype=torch.float16, device=d), x, dim=0))
    rows = torch.linspace(-3, 7, 30).half().view(10, 3)
    check(lambda d: torch.cross(rows.to(d) * 1.3, rows.flip(0).to(d), dim=1))


def test_a_mask_without_dimensions() -> None:
    check_refused(lambda d: torch.tensor(3.0, device=d).index_put((torch.tensor(True, device=d),), ones(d)), "too many indices")

    def assigned(device: str) -> torch.Tensor:
        x = torch.tensor(3.0, device=device)
        x[x < 100] = 7.0
        return x

    check(assigned)
