"""Arrays of NumPy and tensors of PyTorch, as memory with an address and a shape."""
from __future__ import annotations

import ctypes
import sys
from dataclasses import dataclass
from typing import Any, Optional, Sequence, Tuple

from belay_npu import _elements
from belay_npu._contract import Buffer
from belay_npu._elements import Element
from belay_npu._errors import ContractError


@dataclass(frozen=True)
class HostArray:
    """Memory of the process. ``owner`` keeps it alive; ``like`` is what the user gave."""

    owner: Any
    like: Any
    family: str
    element: Element
    shape: Tuple[int, ...]
    address: int
    bytes: int
    dense: bool
    writable: bool
    bounds: Buffer


def is_array(value: Any) -> bool:
    """Whether it is an array of NumPy or a tensor of PyTorch."""
    return _family(value) != ""


def _family(value: Any) -> str:
    for name, kind in (("numpy", "ndarray"), ("torch", "Tensor")):
        module = sys.modules.get(name)
        if module is not None and isinstance(value, getattr(module, kind, ())):
            return name
    return ""


def _refuse(name: str, why: str) -> ContractError:
    return ContractError("argument-mismatch", f"'{name}' {why}")


def _bounds(address: int, shape: Sequence[int], strides: Sequence[int], size: int) -> Buffer:
    """The bytes from the first to the last element, whatever the strides are."""
    if 0 in shape:
        return Buffer(address, address, address)
    reach = [(extent - 1) * stride for extent, stride in zip(shape, strides)]
    low = address + sum(each for each in reach if each < 0)
    return Buffer(address, low, address + sum(each for each in reach if each > 0) + size)


def adopt(value: Any, name: str) -> HostArray:
    """What the user gave, without a copy.

    Raises:
      TypeError: It is no array.
      ContractError: Kernels cannot take such an array.
    """
    family = _family(value)
    if hasattr(value, "mask"):
        raise _refuse(name, "is masked, which a kernel would not see; pass x.filled(...)")
    if family == "numpy":
        return _adopt_numpy(value, name)
    if family == "torch":
        return _adopt_torch(value, name)
    raise TypeError(f"'{name}' is an array of NumPy or a tensor of PyTorch, not "
                    f"{type(value).__name__}")


def _adopt_numpy(value: Any, name: str) -> HostArray:
    element = _elements.of_numpy(value.dtype)
    if element is None or element.bytes != value.itemsize:
        raise _refuse(name, f"has elements that kernels do not take: {value.dtype}")
    return _numpy(value, element)


def _numpy(value: Any, element: Element) -> HostArray:
    address = int(value.__array_interface__["data"][0])
    return HostArray(
        value, value, "numpy", element, tuple(value.shape), address, int(value.nbytes),
        bool(value.flags.c_contiguous), bool(value.flags.writeable),
        _bounds(address, value.shape, value.strides, element.bytes))


def _adopt_torch(value: Any, name: str) -> HostArray:
    element = _elements.of_torch(value.dtype)
    if element is None:
        raise _refuse(name, f"has elements that kernels do not take: {value.dtype}")
    return _torch(value, name, element)


def _torch(value: Any, name: str, element: Element) -> HostArray:
    torch = sys.modules["torch"]
    if value.device.type != "cpu":
        raise _refuse(name, f"is on {value.device}; the simulated device takes tensors of "
                      "the CPU")
    if value.layout != torch.strided or value.is_conj() or value.is_neg():
        raise _refuse(name, "is no plain tensor; pass x.to_dense().resolve_conj()")
    if value.requires_grad and torch.is_grad_enabled():
        raise _refuse(name, "requires gradients, which a kernel does not have; pass "
                      "x.detach(), or make an operator with belay_npu.torch")
    address, size = int(value.data_ptr()), element.bytes
    shape = tuple(int(extent) for extent in value.shape)
    strides = [int(each) * size for each in value.stride()]
    return HostArray(
        value, value, "torch", element, shape, address, int(value.numel()) * size,
        bool(value.is_contiguous()), True, _bounds(address, shape, strides, size))


def adopt_bytes(value: Any, name: str, written: bool) -> HostArray:
    """An array of any plain numbers, or ``bytes``, for kernels that take addresses; dense.

    Raises:
      TypeError: It is no array.
      ContractError: It holds something else, or cannot be written.
    """
    if isinstance(value, (bytes, bytearray)) and not written:
        kept = (ctypes.c_char * len(value)).from_buffer_copy(value)
        address = ctypes.addressof(kept) if value else 0
        return HostArray(kept, value, "bytes", _elements.plain("u", 1), (len(value),),
                         address, len(value), True, False,
                         Buffer(address, address, address + len(value)))
    family = _family(value)
    if family == "numpy":
        if value.dtype.kind not in "biuf" or not value.dtype.isnative:
            raise _refuse(name, f"has elements that kernels do not take: {value.dtype}")
        kind = "u" if value.dtype.kind == "b" else value.dtype.kind
        array = _numpy(value, _elements.plain(kind, value.itemsize))
    elif family == "torch":
        array = _torch(value, name, _elements.of_torch(value.dtype) or _elements.plain(
            "f" if value.dtype.is_floating_point else "u", value.element_size()))
    else:
        raise TypeError(f"{name} is an array of NumPy, a tensor of PyTorch or bytes, not "
                        f"{type(value).__name__}")
    if not written:
        return dense(array, name)
    if not array.writable or not array.dense:
        raise _refuse(name, "is written by the kernel; it is read-only, or its elements do "
                      "not lie row by row")
    return array


def dense(array: HostArray, name: str) -> HostArray:
    """The array itself if its elements lie row by row, else a copy that does."""
    if array.dense:
        return array
    if array.family == "numpy":
        numpy = sys.modules["numpy"]
        copy = _numpy(numpy.ascontiguousarray(array.owner), array.element)
    else:
        copy = _torch(array.owner.contiguous(), name, array.element)
    return HostArray(copy.owner, array.like, copy.family, copy.element, copy.shape,
                     copy.address, copy.bytes, True, True, array.bounds)


def output(value: Any, name: str) -> HostArray:
    """An array that a kernel may write.

    Raises:
      ContractError: It is read-only, or its elements do not lie row by row.
    """
    array = adopt(value, name)
    if not array.writable:
        raise _refuse(name, "is written by the kernel, and read-only")
    if not array.dense:
        raise _refuse(name, "is written by the kernel; its elements have to lie row by row "
                      "(C order, without gaps)")
    return array


def allocate(shape: Sequence[int], element: Element, name: str,
             like: Optional[HostArray]) -> HostArray:
    """A new array of the same kind as ``like``; of NumPy if there is none."""
    extents = tuple(shape)
    if like is not None and like.family == "torch":
        torch = sys.modules["torch"]
        return _adopt_torch(torch.empty(extents, dtype=getattr(torch, element.torch)), name)
    try:
        import numpy
    except ImportError:
        raise TypeError(f"there is no NumPy to allocate '{name}' with; give "
                        f"out={name}") from None
    dtype: Any = element.numpy
    if like is not None and like.element == element:
        dtype = like.owner.dtype  # ml_dtypes.bfloat16 stays what it is
    return _adopt_numpy(numpy.empty(extents, dtype=dtype), name)
