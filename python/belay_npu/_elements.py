"""Element types: the rows of include/belay/elements.def that the kernel language has.

Python cannot expand that file; test/python/test_contract.py holds this table against it.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Optional


@dataclass(frozen=True)
class Element:
    """One type, by its name in contracts, in kernels, in NumPy and in PyTorch, its size
    and its format in ``struct``, "" where that has none. Floats have bits of an exponent
    and of a mantissa, and the relative tolerance of torch.testing."""

    code: str
    kernel: str
    numpy: str
    torch: str
    bytes: int
    packed: str = ""
    exponent: int = 0
    mantissa: int = 0
    rtol: float = 0.0


# NumPy has no bfloat16: it is the uint16 of its bits.
_ALL = (
    Element("f32", "float", "float32", "float32", 4, "<f", 8, 23, 1.3e-6),
    Element("f16", "half", "float16", "float16", 2, "<e", 5, 10, 1e-3),
    Element("bf16", "bfloat16", "uint16", "bfloat16", 2, "", 8, 7, 1.6e-2),
    Element("i8", "i8", "int8", "int8", 1, "<b"),
    Element("i16", "i16", "int16", "int16", 2, "<h"),
    Element("i32", "i32", "int32", "int32", 4, "<i"),
    Element("i64", "i64", "int64", "int64", 8, "<q"),
)
BY_CODE: Dict[str, Element] = {each.code: each for each in _ALL}
_BY_KERNEL = {each.kernel: each for each in _ALL}
_BY_NUMPY = {**{each.numpy: each for each in _ALL}, "bfloat16": BY_CODE["bf16"]}
_BY_TORCH = {each.torch: each for each in _ALL}


def of_numpy(dtype: Any) -> Optional[Element]:
    """Of a NumPy dtype in this machine's byte order; bfloat16 may be ml_dtypes'."""
    if not getattr(dtype, "isnative", False):
        return None
    return _BY_NUMPY.get(str(dtype.name))


def of_torch(dtype: Any) -> Optional[Element]:
    """Of a torch.dtype."""
    return _BY_TORCH.get(str(dtype).rpartition(".")[2])


def of_any(value: Any) -> Optional[Element]:
    """Of a dtype of NumPy or PyTorch, a scalar type of NumPy, or a name."""
    if isinstance(value, str):
        return _BY_KERNEL.get(value) or _BY_NUMPY.get(value) or BY_CODE.get(value)
    if str(type(value)) == "<class 'torch.dtype'>":
        return of_torch(value)
    if isinstance(value, type):  # numpy.float16
        return _BY_NUMPY.get(value.__name__)
    return of_numpy(value)


def plain(kind: str, size: int) -> Element:
    """A type that only AscendC kernels take, as u8 or f64."""
    code = f"{kind}{size * 8}"
    return BY_CODE.get(code) or Element(code, code, code, code, size)
