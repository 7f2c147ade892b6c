"""Files of arrays with names, as networks/network.h describes them."""
import numpy as np

FIRST_LINE = b"belay-arrays 1"


def write(path, arrays):
    with open(path, "wb") as file:
        file.write(FIRST_LINE + b"\n")
        for name, array in arrays.items():
            file.write(" ".join([name, *map(str, array.shape)]).encode() + b"\n")
        file.write(b"\n")
        for array in arrays.values():
            file.write(np.ascontiguousarray(array, "<f4").tobytes())


def read(path):
    with open(path, "rb") as file:
        assert file.readline().rstrip(b"\n") == FIRST_LINE, path
        shapes = {}
        while line := file.readline().rstrip(b"\n"):
            name, *extents = line.decode().split(" ")
            shapes[name] = tuple(map(int, extents))
        return {name: np.frombuffer(file.read(4 * int(np.prod(shape))), "<f4").reshape(shape)
                for name, shape in shapes.items()}
