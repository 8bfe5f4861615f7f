"""The storage of the device's tensors: torch's own storage object, under a class that knows the buffer behind it."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import torch

from lazymlir.dialect.types import itemsize

if TYPE_CHECKING:
    from lazymlir.core.values import Buffer

__all__ = ["LazyStorage", "install"]


class LazyStorage(torch.UntypedStorage):
    """torch keeps one Python object per storage; assigning this class to its `__class__` gives it these methods."""

    _lazymlir: Buffer

    def nbytes(self) -> int:
        home = self._lazymlir.home
        return home.type.size * itemsize(home.dtype)

    size = nbytes
    __len__ = nbytes

    def data_ptr(self) -> int:
        """A number that no other live storage has: what finds tied tensors. It is no address."""
        return self._cdata

    def untyped(self) -> LazyStorage:
        return self

    def cpu(self) -> torch.UntypedStorage:
        from .bytes import storage_bytes

        return storage_bytes(self)

    def clone(self) -> LazyStorage:
        from .bytes import storage_from_bytes

        return storage_from_bytes(self.cpu())

    def to(self, *, device: Any, non_blocking: bool = False) -> Any:
        return self if torch.device(device).type == "lazymlir" else self.cpu().to(device=device)

    def resize_(self, nbytes: int) -> LazyStorage:
        """Keeps the bytes that are there before the new end."""
        from .bytes import resize

        resize(self, int(nbytes))
        return self

    def copy_(self, source: Any, non_blocking: bool | None = None) -> LazyStorage:
        from .bytes import write_bytes

        write_bytes(self, source.cpu())
        return self

    def __deepcopy__(self, memo: dict[Any, Any]) -> LazyStorage:
        memo = memo.setdefault("torch", {})
        if self._cdata not in memo:
            memo[self._cdata] = self.clone()
        return memo[self._cdata]

    def __getitem__(self, index: Any) -> Any:
        return self.cpu()[index]

    def tolist(self) -> list[int]:
        return self.cpu().tolist()

    def _write_file(self, file: Any, is_real_file: bool, save_size: bool, element_size: int) -> None:
        self.cpu()._write_file(file, is_real_file, save_size, element_size)

    def _set_from_file(self, file: Any, offset: Any, is_real_file: bool, element_size: int) -> LazyStorage:
        read = torch.UntypedStorage(self.nbytes())._set_from_file(file, offset, is_real_file, element_size)
        return self.copy_(read)

    def is_pinned(self, device: Any = None) -> bool:
        return False

    def is_shared(self) -> bool:
        """As CUDA answers: `share_memory_()` is then a no-op."""
        return True

    def share_memory_(self, *_: Any) -> LazyStorage:
        return self

    @classmethod
    def _new_shared(cls, *_: Any, **__: Any) -> Any:
        raise RuntimeError("tensors of device lazymlir cannot be shared between processes; return CPU tensors from DataLoader workers")

    def _share_fd_cpu_(self, *_: Any, **__: Any) -> Any:
        return self._new_shared()

    _share_filename_cpu_ = _share_fd_cpu_


def install() -> None:
    """Registers the device with torch.save and torch.load, and lets typed storages over ours be deep-copied."""
    torch.serialization.register_package(5, _tag, _deserialize)
    original = torch.TypedStorage._deepcopy

    def deepcopy(self: Any, memo: dict[Any, Any]) -> Any:
        if isinstance(self._untyped_storage, LazyStorage):
            return torch.TypedStorage(wrap_storage=copy.deepcopy(self._untyped_storage, memo), dtype=self.dtype, _internal=True)
        return original(self, memo)

    torch.TypedStorage._deepcopy = deepcopy
    address = torch.Tensor.data_ptr

    def data_ptr(self: torch.Tensor) -> int:
        """The same for tensors that begin at the same place, as programs that look for shared memory ask. It is no address."""
        if self.device.type != "lazymlir":
            return address(self)
        return self.untyped_storage().data_ptr() + int(self.storage_offset()) * self.element_size() if self.numel() else 0

    torch.Tensor.data_ptr = data_ptr


def _tag(storage: Any) -> str | None:
    return "lazymlir:0" if storage.device.type == "lazymlir" else None


def _deserialize(storage: Any, location: str) -> Any:
    if location.split(":")[0] != "lazymlir":
        return None
    if isinstance(storage, LazyStorage):
        return storage
    from .bytes import storage_from_bytes

    return storage_from_bytes(storage)
