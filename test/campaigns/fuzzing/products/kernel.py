"""Kernels with products as data: text, launches, and what is right by NumPy."""
import math

import numpy as np

from ..bounds import Bounds
from ..program import Case, Number as NumberParameter, View
from .numbers import Number

erf = np.vectorize(math.erf, otypes=[np.float64])


class ProductKernel:
    """What Oracle needs of a kernel; `reference` takes what views hold and the numbers,
    and makes what outputs hold."""

    instance, template = None, {}

    def __init__(self, index, arch, rng):
        self.index, self.arch, self.rng = index, arch, rng
        self.name = self.symbol = f"k{index}"
        self.family = ""
        self.params, self.expects, self.lines, self.cases = [], [], [], []
        self.reference = None
        self.fresh = 0

    # --- what it is made of ---

    def unique(self, prefix):
        self.fresh += 1
        return f"{prefix}{self.fresh}"

    def view(self, name, role, dtype, dims, bounds=None):
        view = View(name, role, dtype, tuple(dims), bounds or self.data(dtype))
        self.params.append(view)
        return view

    def data(self, dtype):
        """Often on a grid, so that sums are exact."""
        if dtype.startswith("i"):
            return Bounds(self.rng.choice([3, 10, 127]), 0.0, 0)
        if self.rng.random() < 0.6:
            return Bounds(self.rng.choice([1, 2]), 0.0, self.rng.choice([0, 1, 2]))
        return Bounds(1.01, 0.0, None)

    def number(self, prefix, dtype="float"):
        number = NumberParameter(self.unique(prefix), dtype, 2)
        self.params.append(number)
        return number.name

    def views(self):
        return [p for p in self.params if isinstance(p, View)]

    def numbers(self):
        return [p for p in self.params if isinstance(p, NumberParameter)]

    def launch(self, extents, numbers=None):
        """One more launch."""
        blocks = self.rng.choice([1, 1, 2, 3, 5])
        values = {n.name: self.rng.choice([-0.5, 0.25, 1, 2]) for n in self.numbers()}
        values.update(numbers or {})
        self.cases.append(Case(blocks, extents, values, self.rng.randrange(2**31)))

    # --- what is asked of it ---

    def text(self):
        params = ", ".join(p.declaration() for p in self.params)
        lines = [f"[[belay::kernel]] void {self.name}({params}) {{",
                 *(f"  expects({e});" for e in self.expects)]
        depth = 1
        for line in self.lines:
            depth -= line.startswith("}")
            lines.append("  " * depth + line)
            depth += line.endswith("{")
        return "\n".join([*lines, "}"]) + "\n"

    def size(self):
        return len(self.lines)


def sizes(rng, step, most=70):
    """Nothing, one, around the ends of tiles, and more."""
    some = [0, 1, step - 1, step, step + 1, 2 * step + rng.randrange(step), rng.randrange(1, most)]
    return max(0, min(rng.choice(some), most))


def windows(extents, steps):
    """Slices of all tiles of a matrix."""
    for r in range(0, extents[0], steps[0]):
        for c in range(0, extents[1], steps[1]):
            yield slice(r, min(r + steps[0], extents[0])), slice(c, min(c + steps[1], extents[1]))


def part(number, *where):
    return Number(number.v[where], number.dtype, number.e[where])


# --- what follows a product --------------------------------------------------


class Epilogue:
    """Steps on a tile of float at a window (rows, columns) of a plane: lines of the kernel,
    and the same of a Number. `whole` tells that tiles have whole rows."""

    def __init__(self, kernel, rows, cols, shape, plane_dims=(), plane_text=""):
        self.kernel, self.rows, self.cols = kernel, rows, cols
        self.shape, self.plane_dims, self.plane_text = shape, plane_dims, plane_text
        self.steps, self.lines = [], []
        self.last = None

    def assign(self, expression, step):
        name = self.kernel.unique("t")
        self.lines.append(f"auto {name} = {expression};")
        self.steps.append(step)
        self.last = name

    def begin(self, name, dtype):
        self.last = name
        if dtype == "i32":
            self.assign(f"cast<float>({name})", lambda t, at: t.cast("float"))

    def bias(self):
        name = self.kernel.unique("bias")
        dtype = self.kernel.rng.choice(["float", "float", "half"])
        self.kernel.view(name, "In", dtype, [None])
        loaded = f"load({name}, {self.cols})"
        loaded = loaded if dtype == "float" else f"cast<float>({loaded})"
        self.kernel.expects.append(f"{name}.size() == {self.shape[1]}")
        self.assign(f"{self.last} + {loaded}", lambda t, at: t + part(at.of(name).cast("float"), None, at.cols))
        return name, (1,)

    def bias_column(self):
        name = self.kernel.unique("side")
        self.kernel.view(name, "In", "float", [None])
        self.kernel.expects.append(f"{name}.size() == {self.shape[0]}")
        self.assign(f"{self.last} * load_column({name}, {self.rows})",
                    lambda t, at: t * part(at.of(name), at.rows, None))
        return name, (0,)

    def residual(self):
        name = self.kernel.unique("other")
        self.kernel.view(name, "In", "float", [*self.plane_dims, None, None])
        rank = len(self.plane_dims) + 2
        for d in range(len(self.plane_dims)):
            self.kernel.expects.append(f"{name}.extent({d}) == {self.kernel.plane_extents[d]}")
        self.kernel.expects.append(f"{name}.extent({rank - 2}) == {self.shape[0]}")
        self.kernel.expects.append(f"{name}.extent({rank - 1}) == {self.shape[1]}")
        operator = self.kernel.rng.choice(["+", "*", "-"])
        self.assign(f"{self.last} {operator} load({name}{self.plane_text}, {self.rows}, {self.cols})",
                    lambda t, at: {"+": t.__add__, "*": t.__mul__, "-": t.__sub__}[operator](
                        part(at.of(name), *at.plane, at.rows, at.cols)))
        return name, ("planes", 0, 1)

    def scale(self):
        name = self.kernel.number("by")
        self.assign(f"{self.last} * {name}", lambda t, at: t * at.numbers[name])

    def elementwise(self):
        one = lambda t, at, f: f(t)  # noqa: E731
        text, step = self.kernel.rng.choice([
            ("relu({0})", lambda t: t.maximum(0)),
            ("max({0}, 0.5f)", lambda t: t.maximum(0.5)),
            ("tanh({0})", lambda t: t.bounded(np.tanh, 1.0)),
            ("erf({0})", lambda t: t.bounded(erf, 1.13)),
            ("{0} * 0.5f", lambda t: t * 0.5),
            ("exp(-abs({0}))", lambda t: (-t.abs()).exp()),
            ("{0} / (abs({0}) + 1.0f)", lambda t: t / (t.abs() + 1)),
            ("sqrt(abs({0}) + 1.0f)", lambda t: (t.abs() + 1).sqrt()),
            ("cast<float>(cast<half>({0}))", lambda t: t.cast("half").cast("float")),
            ("-{0}", lambda t: -t), ("abs({0})", lambda t: t.abs()),
            ("{0} * {0}", lambda t: t * t), ("copy({0})", lambda t: t)])
        self.assign(text.format(self.last), lambda t, at: one(t, at, step))

    def gelu(self):
        self.assign(f"{self.last} * 0.5f * (erf({self.last} * 0.70710678f) + 1.0f)",
                    lambda t, at: t * 0.5 * ((t * 0.70710678).bounded(erf, 1.13) + 1))

    def row_reduction(self):
        kind = self.kernel.rng.choice(["softmax", "centred", "largest"])
        t = self.last
        if kind == "softmax":
            self.assign(f"exp({t} - row_max({t}))", lambda t, at: (t - t.largest(1)).exp())
            e = self.last
            self.assign(f"{e} / row_sum({e})", lambda t, at: t / t.sum(1))
        elif kind == "centred":
            self.assign(f"{t} - row_sum({t}) * 0.125f", lambda t, at: t - t.sum(1) * 0.125)
        else:
            self.assign(f"{t} - row_max({t})", lambda t, at: t - t.largest(1))

    def column_reduction(self):
        t = self.last
        if self.kernel.rng.random() < 0.5:
            self.assign(f"{t} - col_max({t})", lambda t, at: t - t.largest(0))
        else:
            self.assign(f"{t} + col_sum({t}) * 0.25f", lambda t, at: t + t.sum(0) * 0.25)

    def mask(self):
        """Of positions, as causal attention has it."""
        for extent in self.shape:
            self.kernel.expects.append(f"{extent} <= 1 << 30")
        self.assign(f"select(row_index<i32>({self.rows}) >= col_index<i32>({self.cols}), {self.last}, -2.0f)",
                    lambda t, at: t.select(np.arange(at.rows.start, at.rows.stop)[:, None]
                                           >= np.arange(at.cols.start, at.cols.stop)[None], -2.0))

    def grow(self, count):
        """So many random steps; returns views that have to get extents: name -> which."""
        found = {}
        for _ in range(count):
            step = self.kernel.rng.choices(
                [self.bias, self.bias_column, self.residual, self.scale, self.elementwise, self.gelu,
                 self.row_reduction, self.column_reduction, self.mask], [3, 2, 2, 2, 6, 1, 2, 2, 1])[0]()
            if step:
                found[step[0]] = step[1]
        return found

    def apply(self, t, at):
        for step in self.steps:
            t = step(t, at)
        return t


class At:
    """Where a tile is, and what views hold."""

    def __init__(self, arrays, numbers, plane, rows, cols):
        self.arrays, self.numbers = arrays, numbers
        self.plane, self.rows, self.cols = plane, rows, cols

    def of(self, name):
        return self.arrays[name]
