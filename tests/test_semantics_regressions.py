"""What the fuzzer (test_fuzz.py) found: each small program once was not as on the CPU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from conftest import DEVICE

Run = Callable[[str], torch.Tensor]


def square(device: str) -> torch.Tensor:
    return torch.arange(16.0).reshape(4, 4).to(device)


def check(run: Run) -> None:
    """The same value on both, to the sign of zero."""
    expected, got = run("cpu").resolve_conj(), run(DEVICE).cpu().resolve_conj()
    torch.testing.assert_close(got, expected, rtol=0, atol=0, equal_nan=True)
    if expected.is_complex():
        expected, got = torch.view_as_real(expected), torch.view_as_real(got)
    if expected.is_floating_point():
        assert torch.where(expected == 0, expected, 1).signbit().tolist() == torch.where(got == 0, got, 1).signbit().tolist()


def check_refused(run: Run, message: str) -> None:
    for device in ("cpu", DEVICE):
        with pytest.raises(RuntimeError, match=message):
            run(device)


# Memory that is written overlaps with memory that is read.

REFUSED_IN_PART: dict[str, Run] = {
    "add_": lambda d: (x := square(d)).add_(x.t()),
    "copy_": lambda d: (x := square(d))[1:].copy_(x[:-1]),
    "row": lambda d: (x := square(d)).mul_(x[0]),
    "number": lambda d: (x := square(d)).sub_(x[1, 1]),
    "clamp_": lambda d: (x := square(d)).clamp_(max=x.t()),
    "comparison": lambda d: (x := square(d)).eq_(x.t()),
    "out": lambda d: torch.add(x := square(d), x.t(), out=x),
    "where": lambda d: torch.where((x := square(d)) > 0, x, x.t(), out=x),
    "index_put_": lambda d: (x := square(d)).index_put_((torch.arange(4, device=d),), x.t()),
    "scatter_": lambda d: (x := square(d)).scatter_(0, torch.zeros(4, 4, dtype=torch.int64, device=d), x.t()),
    "mask": lambda d: (x := square(d) > 3).masked_fill_(x.t(), True),
    "bernoulli_": lambda d: (x := square(d) / 16).bernoulli_(x.t()),
}


@pytest.mark.parametrize("name", REFUSED_IN_PART)
def test_partial_overlap_is_refused(name: str) -> None:
    check_refused(REFUSED_IN_PART[name], "some elements of the input tensor and the written-to tensor refer to a single memory location")


ACCEPTED_OVERLAP: dict[str, Run] = {
    "the same": lambda d: (x := square(d)).add_(x),
    "the same view": lambda d: (x := square(d)).mul_(x.view(4, 4)),
    "disjoint rows": lambda d: (x := square(d))[0].add_(x[1]),
    "disjoint columns": lambda d: (x := square(d))[:, 0].copy_(x[:, 1]),
    "other bytes": lambda d: (x := square(d)).copy_(x.view(torch.int32)),
    "own element": lambda d: (x := square(d))[1].fill_(x[1, 2]),
}


@pytest.mark.parametrize("name", ACCEPTED_OVERLAP)
def test_overlap_that_is_none_is_accepted(name: str) -> None:
    check(ACCEPTED_OVERLAP[name])


REFUSED_EXPANDED: dict[str, Run] = {
    "add_": lambda d: square(d)[:1].expand(4, 4).add_(1),
    "copy_": lambda d: square(d)[:1].expand(4, 4).copy_(square(d)),
    "out": lambda d: torch.add(square(d), 1, out=square(d)[:1].expand(4, 4)),
    "fill_": lambda d: square(d)[:1].expand(4, 4).fill_(torch.ones((), device=d)),
    "normal_": lambda d: square(d)[:1].expand(4, 4).normal_(),
    "scatter_": lambda d: square(d)[:1].expand(4, 4).scatter_(0, torch.zeros(4, 4, dtype=torch.int64, device=d), 1.0),
}


@pytest.mark.parametrize("name", REFUSED_EXPANDED)
def test_writing_an_expanded_tensor_is_refused(name: str) -> None:
    check_refused(REFUSED_EXPANDED[name], "more than one element of the written-to tensor refers to a single memory location")


@pytest.mark.parametrize("fill", [lambda x: x.fill_(2), lambda x: x.zero_()], ids=["fill_", "zero_"])
def test_filling_an_expanded_tensor(fill: Callable[[torch.Tensor], torch.Tensor]) -> None:
    def run(device: str) -> torch.Tensor:
        x = square(device)
        fill(x[1:2].expand(3, 4))
        return x

    check(run)


def test_an_out_that_is_an_operand_is_not_resized() -> None:
    check_refused(lambda d: torch.add(x := torch.ones((), device=d), torch.ones(4, 1, device=d), out=x), "doesn't match the broadcast shape")


# Storages.


@pytest.mark.parametrize("sizes", [(5,), (2, 3)])
def test_windows_beyond_the_storage_are_refused_at_once(sizes: tuple[int, ...]) -> None:
    strides = (3, 1)[-len(sizes) :]
    check_refused(lambda d: torch.ones(4, device=d).as_strided(sizes, strides), "out of bounds for storage of size 16")
    check_refused(lambda d: torch.ones(4, device=d).as_strided_(sizes, strides), "out of bounds for storage of size 16")
    check_refused(lambda d: torch.ones(0, device=d).as_strided((), ()), "out of bounds for storage of size 0")


def test_set_beyond_the_storage() -> None:
    """Grows it where the geometry changes, and only there."""

    def grown(device: str) -> torch.Tensor:
        x = torch.arange(4.0, device=device)
        x.set_(x.untyped_storage(), 2, (2, 2), (2, 1))
        x[1] = 7
        return x

    check(grown)
    check_refused(lambda d: (x := torch.ones(4, device=d)).set_(x.untyped_storage(), 2, (4,), (1,)), "out of bounds for storage of size 16")


@pytest.mark.parametrize("dtype", [torch.int16, torch.float64, torch.complex64, torch.uint8])
def test_a_storage_grows_through_a_tensor_of_another_dtype(dtype: torch.dtype) -> None:
    def run(device: str) -> torch.Tensor:
        x = torch.arange(6, dtype=torch.float32, device=device).view(dtype)
        count = x.numel()
        x.resize_(40)[count:].zero_()
        return x

    check(run)


def test_a_copy_of_the_wrong_shape_is_refused_at_once() -> None:
    check_refused(lambda d: torch.zeros(2, device=d).copy_(torch.zeros(0, device=d)), "must match the size of tensor b")
    check_refused(lambda d: torch.zeros(2, device=d).copy_(torch.zeros(3)), "must match the size of tensor b")


def test_a_dtype_that_the_device_has_not_is_named() -> None:
    pairs = torch.view_as_complex(torch.ones(2, 2, dtype=torch.float16, device=DEVICE))
    with pytest.raises(NotImplementedError, match="has no dtype torch.complex32"):
        pairs.clone()


# Bytes.


@pytest.mark.parametrize(
    ("old", "new"),
    [(torch.float64, torch.complex64), (torch.complex64, torch.int64), (torch.complex64, torch.float64), (torch.complex64, torch.int16)],
)
def test_bytes_of_complex_numbers(old: torch.dtype, new: torch.dtype) -> None:
    def write(device: str) -> torch.Tensor:
        x = torch.arange(6, dtype=torch.float64).to(old).to(device)
        x.view(new)[1] = 1
        return x

    check(lambda d: torch.arange(6, dtype=torch.float64).to(old).to(d).view(new))
    check(write)


def test_a_part_replaced_in_a_view_of_another_dtype() -> None:
    check(
        lambda d: (
            torch.arange(8, dtype=torch.float64, device=d).view(torch.int32).view(4, 4).diagonal_scatter(torch.ones(4, dtype=torch.int32, device=d))
        )
    )
    check(lambda d: torch.ones(4, 2, dtype=torch.int16, device=d).view(torch.int32).select_scatter(torch.zeros(4, dtype=torch.int32, device=d), 1, 0))


def test_a_part_replaced_in_an_expanded_tensor() -> None:
    check(lambda d: torch.arange(6.0, device=d).view(2, 3).expand(2, 2, 3).slice_scatter(torch.zeros(1, 2, 3, device=d), 0, 1, 2))


# Signs of zeros, and NaN.


def test_a_product_with_false_keeps_nan_and_the_sign_of_zero() -> None:
    numbers = torch.tensor([-2.0, torch.nan, 3.0, torch.inf])
    for dtype in (torch.float32, torch.float16, torch.float64):
        check(lambda d, dtype=dtype: numbers.to(d, dtype) * torch.tensor([False, True, False, False], device=d))
        check(lambda d, dtype=dtype: numbers.to(d, dtype).mul_(torch.tensor(False, device=d)))


def test_adding_what_xla_computes_to_be_zero() -> None:
    """It would leave -0.0 + 0.0 as -0.0."""
    negative = torch.tensor([-0.0, 1.0])
    check(lambda d: negative.to(d) + 0 * torch.zeros(2, device=d))
    check(lambda d: negative.to(d) + torch.zeros(1, 2, device=d).sum(0))
    check(lambda d: -0.0 + 0 * torch.zeros((), device=d))
    check(lambda d: negative.to(d) - -torch.zeros(2, device=d))


def test_copying_a_real_number_into_a_conjugate() -> None:
    def run(device: str) -> torch.Tensor:
        x = torch.ones(2, dtype=torch.complex64, device=device)
        x.conj().copy_(torch.tensor([True, False], device=device))
        return x

    check(run)


def test_adding_complex_zeros() -> None:
    zeros = torch.tensor([complex(-0.0, -0.0), complex(1, -0.0)])
    check(lambda d: zeros.to(d) + torch.zeros(2, device=d))
    check(lambda d: zeros.to(d) + torch.zeros(2, dtype=torch.complex64, device=d))
    check(lambda d: zeros.to(d) + 0)


# Assignments of one element.


def test_an_element_is_assigned_to_all_of_its_tensor() -> None:
    def run(device: str) -> torch.Tensor:
        x = square(device)
        x[...] = x[1, 1]
        return x

    check(run)


@pytest.mark.parametrize("dtype", [torch.float32, torch.int64, torch.bool, torch.complex64])
def test_an_element_of_another_dtype_is_assigned_where_a_mask_says(dtype: torch.dtype) -> None:
    def run(device: str, value: torch.Tensor) -> torch.Tensor:
        x = torch.zeros(2, 3, dtype=dtype, device=device)
        x[..., torch.tensor([True, False, True], device=device)] = value.to(device)
        return x

    for value in (torch.tensor(3), torch.tensor([[2.5]])):
        check(lambda d, value=value: run(d, value))


# Errors.


def test_a_refused_operation_keeps_no_reference() -> None:
    """torch.utils.swap_tensors counts them."""
    x, y = torch.ones(2, 3, 4, dtype=torch.uint8, device=DEVICE), torch.ones(4, 4, device=DEVICE)
    error: BaseException | None = None
    try:
        x @ y
    except RuntimeError as caught:
        error = caught.with_traceback(None)
    assert error is not None
    assert error.__context__ is None
    torch.utils.swap_tensors(x, y)
    assert x.shape == (4, 4)


def test_addresses_tell_what_shares_memory() -> None:
    x, y = torch.ones(4, device=DEVICE), torch.ones(4, device=DEVICE)
    assert x.data_ptr() == x.view(2, 2).data_ptr() == torch.nn.Parameter(x).data_ptr() != y.data_ptr()
    assert x[1:].data_ptr() == x.data_ptr() + 4


def test_a_sum_of_negative_zeros_is_zero() -> None:
    for shape in ((3, 2), (1, 2)):
        check(lambda d, shape=shape: (torch.zeros(shape, device=d) * -1).sum(0))
        check(lambda d, shape=shape: (-torch.zeros(shape, dtype=torch.float64, device=d)).sum(0, keepdim=True))


def test_an_expanded_tensor_copied_onto_itself() -> None:
    check(lambda d: (x := torch.arange(3.0, device=d).expand(2, 3)).copy_(x.detach()))


def test_a_scan_of_one_number_keeps_it() -> None:
    for dtype in (torch.float16, torch.float32):
        check(lambda d, dtype=dtype: torch.tensor(-0.0, dtype=dtype, device=d).cumsum(0))
        check(lambda d, dtype=dtype: torch.tensor([-0.0], dtype=dtype, device=d).cumsum(0))


# Windows that show an element twice.

SPARSE_WRITES: dict[str, Callable[[torch.Tensor], Any]] = {
    "index": lambda u: u.__setitem__(torch.tensor([0], device=u.device), 1.0),
    "add": lambda u: u.index_put_((torch.tensor([0], device=u.device),), torch.tensor(1.0, device=u.device), accumulate=True),
    "scatter": lambda u: u.scatter_(0, torch.tensor([[1, 1, 1]], device=u.device), torch.tensor([[7.0, 8, 9]], device=u.device)),
    "fill": lambda u: u.index_fill_(0, torch.tensor([2], device=u.device), 5.0),
    "mask": lambda u: u.masked_fill_(u > 8, -0.0),
    "tril": lambda u: u.tril_(),
}


@pytest.mark.parametrize("name", SPARSE_WRITES)
def test_a_sparse_write_into_a_window_that_repeats_elements(name: str) -> None:
    for window in (lambda x: x.unfold(0, 3, 1), lambda x: x.as_strided((8, 3), (1, 1))):

        def run(device: str, window: Any = window) -> torch.Tensor:
            x = torch.arange(10.0, device=device)
            SPARSE_WRITES[name](window(x))
            return x

        check(run)


def test_conjugating_in_place_what_is_conjugated_lazily() -> None:
    def run(device: str) -> torch.Tensor:
        x = torch.tensor([1 + 2j, 3 - 4j], device=device)
        x.conj()[1].conj_physical_()
        return x

    check(run)
    check(lambda d: torch.tensor([1 + 2j, 3 - 4j], device=d).conj_physical_())
    check(lambda d: torch.tensor([1, 3], device=d).conj_physical_())
