"""A compiled kernel as a Python function, for backends of PyTorch.

    add = belay_npu.integrations.launch.Kernel(
        text, "launch_add", soc="Ascend910B3")
    add(x, y, z, 1024, stream=stream)

The source has a function ``extern "C" void launch_add(void *x, ..., int64_t n, void
*stream)`` that launches the kernel with ``<<<>>>``.
"""
from __future__ import annotations

import ctypes
from typing import Any, List, Optional

import belay_npu as belay
from belay_npu._compile import Source


class Kernel:
    """Compiles a source and calls one of its host functions."""

    def __init__(self, source: Source, symbol: str,
                 **arguments: Any) -> None:
        """Takes the arguments of ``belay.compile_kernel``."""
        self.compiled = belay.compile_kernel(source, shared=True, **arguments)
        self._library = self.compiled.load()
        self._function = getattr(self._library, symbol)
        self._function.restype = None

    def __call__(self, *values: Any, stream: Optional[int] = None) -> None:
        """Launches. Tensors go as addresses, bools and ints as int64_t, floats as
        double; the stream is the last argument.

        Raises:
          ValueError: A tensor is not contiguous: its address would be one of
            elements that lie elsewhere.
          TypeError: A value is none of these.
        """
        words: List[Any] = [_word(value) for value in values]
        words.append(ctypes.c_void_p(stream))
        self._function(*words)


def _word(value: Any) -> Any:
    if hasattr(value, "data_ptr"):
        if not value.is_contiguous():
            raise ValueError("a tensor is not contiguous; pass x.contiguous()")
        return ctypes.c_void_p(value.data_ptr())
    if isinstance(value, (bool, int)):
        return ctypes.c_int64(value)
    if isinstance(value, float):
        return ctypes.c_double(value)
    raise TypeError(f"cannot pass a {type(value).__name__} to a kernel")
