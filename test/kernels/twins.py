"""The host twins of examples/kernels, from the library that the command line names."""
import ctypes
import sys

import numpy as np

LIBRARY = ctypes.CDLL(sys.argv[1])


class Argument(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("extents", ctypes.c_int64 * 5), ("number", ctypes.c_double)]


def launch(name, cores, *values):
    """Launches a twin; arrays are views, numbers are scalars. False: a violation."""
    arguments = (Argument * len(values))()
    for argument, value in zip(arguments, values):
        if isinstance(value, np.ndarray):
            argument.data = value.ctypes.data
            argument.extents[: value.ndim] = value.shape
        else:
            argument.number = value
    function = getattr(LIBRARY, f"twin_{name}")
    return function(ctypes.c_int64(cores), arguments) == 0
