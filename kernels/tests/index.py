"""Indices of and by."""
import math

from library import In, Out, kernel, normal
from reduce import SHAPES


def arg(name, reference):
    for index, archs in (("i32", (2201, 3510, 2002)), ("i64", (2201, 3510))):
        @kernel(f"index/{name}_middle", f"{name}_middle<{{T}}, {index}>", f"index/{name}_over_a_dimension",
                dtypes=("float", "half"), archs=archs)
        def cases(T, index=index):
            for blocks, b, m, n in SHAPES:
                x = normal(1, b, m, n, T=T)
                if m == 33:
                    x[0, :, 2], x[1, 3:6, 4], x[2, :, 5] = math.inf, -math.inf, 1.0
                yield blocks, [In(x), Out(reference(x.double()), index)]


arg("argmax", lambda x: x.argmax(1))
arg("argmin", lambda x: x.argmin(1))
