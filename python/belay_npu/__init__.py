"""Checks AscendC C++ and compiles it for a device by the user's own CANN.

    import belay_npu as belay

    kernel = belay.compile_kernel(pathlib.Path("add.cpp"), soc="Ascend910B3")
    library = kernel.load()

    for problem in belay.check(text, soc="Ascend310P3").problems:
        print(problem)

What was compiled once is found again by its content; see ``belay cache``.
"""
from belay_npu._compile import (
    BelayFailed,
    Check,
    CompileError,
    CompiledKernel,
    Note,
    Problem,
    check,
    compile_kernel,
    explain,
    plan,
    version,
)
from belay_npu._library import LibraryNotFound
from belay_npu._version import __version__

__all__ = [
    "BelayFailed",
    "Check",
    "CompileError",
    "CompiledKernel",
    "LibraryNotFound",
    "Note",
    "Problem",
    "__version__",
    "check",
    "compile_kernel",
    "explain",
    "plan",
    "version",
]
