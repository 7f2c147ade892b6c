"""Operands of products: where their tiles come from, in the kernel and in NumPy."""
import numpy as np

from .numbers import Number

KINDS = ["exp", "scaled", "sum", "cast", "shifted", "strided", "turned", "masked"]


class Operand:
    """A matrix of so many rows and columns (texts), for each plane that `planes` has.
    `turned`: rows are what lies side by side."""

    def __init__(self, kernel, name, dtype, kind, turned, planes):
        self.kernel, self.name, self.dtype = kernel, name, dtype
        self.kind, self.turned, self.planes = kind, turned, planes
        stored = "float" if kind == "cast" else dtype
        self.leading = planes.dims_of(name)
        dims = planes.arrange([*self.leading], [None, None])
        kernel.view(name, "In", stored, dims)
        self.more = None
        if kind == "sum":
            self.more = name + "_too"
            kernel.view(self.more, "In", dtype, dims)
        # Which extent is twice as large.
        self.step_of = kernel.rng.choice([0, 1]) if kind == "strided" else None
        self.phase = kernel.rng.choice([0, 1])
        self.by = kernel.rng.choice([-3, -1, 1, 4])

    def place_of(self, extent):
        """The dimension of the view that has rows (0) or columns (1)."""
        first, second = self.planes.places(self.name)
        return (second if extent == 0 else first) if self.turned else (first if extent == 0 else second)

    def extent_text(self, extent):
        """Not of an extent that a stride divides."""
        return f"{self.name}.extent({self.place_of(extent)})"

    def relate(self, extent, text):
        """Rows or columns are as many as a text says."""
        factor = "2 * " if self.step_of == extent else ""
        for name in filter(None, (self.name, self.more)):
            own = f"{name}.extent({self.place_of(extent)})"
            if own != text:
                self.kernel.expects.append(f"{own} == {factor}{text}")

    def shape(self, rows, cols, leading):
        """Of the view, for so many rows and columns."""
        extents = [rows, cols]
        if self.step_of is not None:
            extents[self.step_of] *= 2
        if self.turned:
            extents.reverse()
        return tuple(self.planes.arrange(list(leading), extents))

    def matrix_text(self, name):
        text = self.planes.plane_text(name)
        return text + ".transposed()" if self.turned else text

    def load_text(self, rows, cols, capacities):
        """The tile at two spans, whose capacities are given for those that are made."""
        matrix = self.matrix_text(self.name)
        plain = f"load({matrix}, {rows}, {cols})"
        zero = f"{self.dtype}(0)" if self.dtype == "i8" else f"{self.dtype}(0.0f)"
        if self.kind == "exp":
            return f"exp({plain})"
        if self.kind == "scaled":
            return f"{plain} * {self.dtype}(0.5f)"
        if self.kind == "sum":
            return f"{plain} + load({self.matrix_text(self.more)}, {rows}, {cols})"
        if self.kind == "cast":
            return f"cast<{self.dtype}>({plain})"
        if self.kind == "shifted":
            return (f"load_or({matrix}, span<{capacities[0]}>({rows}.begin + {self.by}, {rows}.size), "
                    f"{cols}, {zero})")
        if self.kind == "strided":
            return f"load(strided<{self.step_of}>({matrix}, {self.phase}, 2), {rows}, {cols})"
        if self.kind == "turned":
            return f"transpose(load({matrix}.transposed(), {cols}, {rows}))"
        if self.kind == "masked":
            return f"select(row_index<i32>({rows}) >= col_index<i32>({cols}), {plain}, {zero})"
        return plain

    def values(self, arrays, plane):
        """The whole matrix of a plane, as the tiles above see it."""
        found = self.matrix(arrays[self.name], plane)
        if self.kind == "exp":
            return found.exp()
        if self.kind == "scaled":
            return found * 0.5
        if self.kind == "sum":
            return found + self.matrix(arrays[self.more], plane)
        if self.kind == "cast":
            return found.cast(self.dtype)
        if self.kind == "shifted":
            moved = np.zeros_like(found.v)
            for row in range(found.v.shape[0]):
                if 0 <= row + self.by < found.v.shape[0]:
                    moved[row] = found.v[row + self.by]
            return Number(moved, found.dtype)
        if self.kind == "strided":
            where = (slice(self.phase, None, 2), slice(None))
            return Number(found.v[where if self.step_of == 0 else where[::-1]], found.dtype)
        if self.kind == "masked":
            rows, cols = found.v.shape
            return found.select(np.arange(rows)[:, None] >= np.arange(cols)[None], 0.0)
        return found

    def matrix(self, number, plane):
        values = self.planes.plane_of(number.v, self.name, plane)
        return Number(values.T if self.turned else values, number.dtype)


class Planes:
    """How a kernel's matrices lie in views: one each; all of a batch; one for all planes;
    one for some; heads between rows and columns."""

    KINDS = ["one", "one", "one", "batch", "shared", "grouped", "heads"]

    def __init__(self, kind, group, shared):
        self.kind, self.group, self.shared = kind, group, shared

    def is_shared(self, name):
        return name.split("_")[0] == self.shared

    def dims_of(self, name):
        if self.kind == "one" or self.kind == "shared" and self.is_shared(name):
            return ()
        return (None, None) if self.kind == "heads" else (None,)

    def arrange(self, leading, matrix):
        if len(leading) == 2:  # [batch, row, head, column]
            return [leading[0], matrix[0], leading[1], matrix[1]]
        return [*leading, *matrix]

    def places(self, name):
        """Dimensions of rows and columns."""
        rank = len(self.dims_of(name))
        return (1, 3) if rank == 2 else (rank, rank + 1)

    def plane_text(self, name):
        rank = len(self.dims_of(name))
        if rank == 0:
            return name
        if rank == 2:
            return f"{name}.permuted<0, 2, 1, 3>()[w.plane(0)][w.plane(1)]"
        if self.kind == "grouped" and self.is_shared(name):
            return f"{name}[w.plane() / {self.group}]"
        return f"{name}[w.plane()]"

    def plane_of(self, values, name, plane):
        rank = len(self.dims_of(name))
        if rank == 0:
            return values
        if rank == 2:
            return values[plane[0], :, plane[1], :]
        if self.kind == "grouped" and self.is_shared(name):
            return values[plane[0] // self.group]
        return values[plane[0]]

    def relate(self, kernel, name, output):
        rank = len(self.dims_of(name))
        if rank == 2:
            kernel.expects += [f"{name}.extent({d}) == {output}.extent({d})" for d in (0, 2)]
        elif rank and self.kind == "grouped" and self.is_shared(name):
            kernel.expects.append(f"{output}.extent(0) == {name}.extent(0) * {self.group}")
        elif rank:
            kernel.expects.append(f"{name}.extent(0) == {output}.extent(0)")

    def leading(self, name, count):
        """Extents of a view for a plane count (or batches and heads)."""
        rank = len(self.dims_of(name))
        if rank == 1 and self.kind == "grouped" and self.is_shared(name):
            return (count[0] // self.group,)
        return tuple(count[:rank])

    def counts(self, rng):
        if self.kind == "heads":
            return (rng.choice([0, 1, 2]), rng.choice([1, 2, 3]))
        if self.kind == "grouped":
            return (self.group * rng.choice([0, 1, 2]),)
        return (rng.choice([0, 1, 2, 3]),) if self.kind != "one" else ()

    def indices(self, count):
        return list(np.ndindex(*count)) if count else [()]
