"""Checks AscendC C++ and compiles it for a device by the user's own CANN.

    kernel = belay.compile_kernel(pathlib.Path("add.cpp"), soc="Ascend910B3")
    library = kernel.load()

    for problem in belay.check(text, soc="Ascend310P3").problems:
        print(problem)

What was compiled once is found again by its content; see ``belay cache``.
"""
from belay._compile import (
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
from belay._library import LibraryNotFound

__all__ = [
    "BelayFailed",
    "Check",
    "CompileError",
    "CompiledKernel",
    "LibraryNotFound",
    "Note",
    "Problem",
    "check",
    "compile_kernel",
    "explain",
    "plan",
    "version",
]
