"""The host twins of kernels, compiled into one library."""
import ctypes
import os
import pathlib
import subprocess

from .kernel import View

ROOT = pathlib.Path(__file__).resolve().parents[3]
ENTRY = """
extern "C" __attribute__((visibility("default"))) const char *twin_{number}(
    belay::i64 cores, const belay::twin::Argument *arguments) {{
  static thread_local std::string what;
  try {{
    belay::twin::launch_with(cores, {instance}, arguments);
    return nullptr;
  }} catch (const belay::violation &wrong) {{
    what = wrong.what();
    return what.c_str();
  }}
}}
"""


class Argument(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("extents", ctypes.c_int64 * 5), ("number", ctypes.c_double)]


class Twins:
    def __init__(self, kernels, folder, name):
        self.numbers = {kernel.name: n for n, kernel in enumerate(kernels)}
        source, library = folder / f"{name}.twin.cpp", folder / f"{name}.so"
        text = '#include "belay/twin.h"\n#include <string>\n'
        for path in dict.fromkeys(kernel.text for kernel in kernels):
            text += f'#include "{path}"\n'
        for kernel in kernels:
            text += ENTRY.format(number=self.numbers[kernel.name], instance=kernel.instance)
        source.write_text(text)
        compiler = os.environ.get("BELAY_TWIN_CXX", "clang++-22")
        # Nothing may be computed more precisely than the device would.
        subprocess.run([compiler, "-std=c++20", "-O1", "-ffp-contract=off", "-w", "-shared", "-fPIC",
                        "-pthread", f"-I{ROOT / 'include'}", source, "-o", library], check=True)
        self.library = ctypes.CDLL(str(library))
        self.functions = {}
        for kernel in kernels:
            function = getattr(self.library, f"twin_{self.numbers[kernel.name]}")
            function.restype = ctypes.c_char_p
            self.functions[kernel.name] = function

    def run(self, kernel, sizes, cores, arrays):
        """What the twin found wrong, or None; arrays are written in place."""
        arguments = (Argument * len(kernel.params))()
        for argument, param in zip(arguments, kernel.params):
            if isinstance(param, View):
                array = arrays[param.name]
                argument.data = array.ctypes.data
                argument.extents[:array.ndim] = array.shape
            else:
                argument.number = param.of(sizes)
        wrong = self.functions[kernel.name](ctypes.c_int64(cores), arguments)
        return wrong.decode() if wrong else None
