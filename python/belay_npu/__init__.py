"""Kernels for Ascend NPUs: run, checked, timed and compiled from Python.

    import belay_npu as belay

    softmax = belay.kernel("softmax.cpp", "softmax")
    y = softmax(x)                      # NumPy or PyTorch, on the simulated device
    softmax(x, check=True)              # under the sanitizer
    print(softmax.time(x).cycles)       # what the timing model says

    for problem in belay.check(text, soc="Ascend310P3").problems:
        print(problem)

What was compiled once is found again by its content; see ``belay cache``.
docs/python.md is the manual. ``belay.ops``, ``belay.testing`` and ``belay.torch`` are
imported when they are first used.
"""
import importlib
from typing import TYPE_CHECKING, Any

from belay_npu._ascendc import AscendCKernel, InOut, Out, ascendc
from belay_npu._compile import (
    Check,
    CompiledKernel,
    check,
    compile_kernel,
    explain,
    plan,
    version,
)
from belay_npu._errors import (
    BelayError,
    BelayFailed,
    CompileError,
    ContractError,
    Note,
    Problem,
    ProofError,
    Violation,
)
from belay_npu._home import NotInstalled
from belay_npu._kernel import Kernel, Timing, kernel
from belay_npu._library import LibraryNotFound
from belay_npu._version import __version__

if TYPE_CHECKING:
    from belay_npu import bench, ops, testing, torch
else:
    def __getattr__(name: str) -> Any:
        if name in ("bench", "ops", "testing", "torch"):
            return importlib.import_module(f"belay_npu.{name}")
        raise AttributeError(f"module 'belay_npu' has no attribute '{name}'")

__all__ = [
    "AscendCKernel",
    "BelayError",
    "BelayFailed",
    "Check",
    "CompileError",
    "CompiledKernel",
    "ContractError",
    "InOut",
    "Kernel",
    "LibraryNotFound",
    "NotInstalled",
    "Note",
    "Out",
    "Problem",
    "ProofError",
    "Timing",
    "Violation",
    "__version__",
    "ascendc",
    "check",
    "compile_kernel",
    "explain",
    "kernel",
    "ops",
    "plan",
    "testing",
    "torch",
    "version",
]
