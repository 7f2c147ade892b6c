"""Kernels whose tiles are sums, differences and multiples of products and of other tiles, in any
order: which of them stay in the sums of the cube core, and which go through the vector core, is
for the compiler to find out."""
import numpy as np

from ..bounds import unit
from .families import COLS, ROWS, STEPS, element, empty, kernel_number, put
from .kernel import part, sizes, windows
from .numbers import Number, dot, grid_of

LEFT, RIGHT = ("a", "d"), ("b", "c")


class Tile:
    """A number, and what was added up for it: in any order, with a rounding each time."""

    def __init__(self, number, most, count):
        self.number, self.most, self.count = number, most, count

    def plus(self, other, sign=1):
        x, y = self.number, other.number
        most, count = self.most + other.most, self.count + other.count + 1
        values, errors = x.v + sign * y.v, x.e + y.e
        grids = [None if n.e.any() else grid_of(n.v) for n in (x, y)]
        exact = None not in grids and (not most.size or most.max() * 2.0 ** (2 * max(grids)) <= 2.0**24)
        if not exact:
            errors = errors + count * unit("float") * (most + errors)
        return Tile(Number(values, "float", errors), most, count)

    def times(self, by):
        return Tile(self.number * by, self.most * abs(by), self.count + 1)


def product(left, right):
    most = abs(left.v) @ abs(right.v)
    return Tile(dot(left, right), most, left.v.shape[1] + 1)


def plain(number):
    return Tile(number, abs(number.v), 0)


class Writer:
    """Random statements; each is text and a function of the tiles that there are."""

    def __init__(self, kernel, tile):
        self.kernel, self.rng, self.tile = kernel, kernel.rng, tile
        self.names, self.lines, self.steps = [], [], []

    def dot(self, k):
        left, right = self.rng.choice(LEFT), self.rng.choice(RIGHT)
        text = f"dot(load({left}, w.row(), {k}), load({right}, {k}, w.col()))"
        return text, lambda at: product(part(at[left], slice(None), at[k]), part(at[right], at[k], slice(None)))

    def operand(self):
        """A tile: one that there is, a product, zeros, or one that is loaded."""
        kind = self.rng.choice(["name"] * 3 + ["dot"] * 4 + ["zeros", "load"])
        if kind == "name" and self.names:
            name = self.rng.choice(self.names)
            return name, lambda at: at[name]
        if kind == "zeros":
            return "zeros<float>(w)", lambda at: plain(empty(at["x"].v.shape, "float"))
        if kind == "load":
            return "load(x, w)", lambda at: plain(at["x"])
        return self.dot("k")

    def expression(self, depth):
        if not depth:
            return self.operand()
        (left, x), (right, y) = self.expression(depth - 1), self.operand()
        kind = self.rng.choice("+++-*")
        if kind == "*":
            return f"({left}) * 0.5f", lambda at: x(at).times(0.5)
        if self.rng.random() < 0.5:
            left, x, right, y = right, y, left, x
        sign = 1 if kind == "+" else -1
        return f"({left} {kind} {right})", lambda at: x(at).plus(y(at), sign)

    def define(self):
        text, value = self.expression(self.rng.choice([0, 0, 1, 2]))
        name = self.kernel.unique("t")
        # A tile is copied where it gets another name.
        text = f"copy({text})" if text in self.names else text
        self.lines.append(f"auto {name} = {text};")
        self.steps.append(lambda at: at.update({name: value(at)}))
        self.names.append(name)

    def change(self):
        name, (text, value) = self.rng.choice(self.names), self.expression(self.rng.choice([0, 0, 1]))
        sign = self.rng.choice("+++-")
        forms = [f"{name} = {name} {sign} {text};"] + [f"{name} += {text};"] * (sign == "+")
        self.lines.append(self.rng.choice(forms))
        self.steps.append(lambda at: at.update({name: at[name].plus(value(at), 1 if sign == "+" else -1)}))

    def loop(self):
        name, count = self.rng.choice(self.names), self.rng.choice([1, 1, 2])
        terms = [self.dot("j") for _ in range(count)]
        more = [self.rng.choice(["{0} += {1};", "{0} = {0} + {1};", "{0} = {1} + {0};"]).format(name, text)
                for text, _ in terms]
        self.lines += [f"for (auto j : tiles<{self.tile[2]}>(a.cols())) {{", *more, "}"]

        def step(at):
            for j in at["steps"]:
                for _, value in terms:
                    at[name] = at[name].plus(value({**at, "j": j}))

        self.steps.append(step)

    def choice(self):
        """A change that happens in some launches only."""
        name, (text, value) = self.rng.choice(self.names), self.dot("k")
        self.lines += ["if (when > 0) {", f"{name} += {text};", "}"]
        self.steps.append(lambda at: at["when"] > 0 and at.update({name: at[name].plus(value(at))}))

    def write(self):
        self.define()
        for _ in range(self.rng.choice([1, 2, 2, 3, 4])):
            self.rng.choices([self.define, self.change, self.loop, self.choice], [3, 3, 2, 1])[0]()
        text, value = (self.names[-1], None) if self.rng.random() < 0.5 else self.expression(1)
        last = self.names[-1]
        return text, value or (lambda at: at[last])


def expressions(kernel):
    rng = kernel.rng
    dtype = element(kernel, ("half", "half", "float", "bfloat16"))
    rows, cols, steps = tile = rng.choice(ROWS), rng.choice(COLS), rng.choice(STEPS)
    out = rng.choice(["float", "half"])
    for name in (*LEFT, *RIGHT):
        kernel.view(name, "In", dtype, [None, None])
    kernel.view("x", "In", "float", [None, None])
    kernel.view("y", "Out", out, [None, None])
    kernel.params.append(kernel_number("when"))
    kernel.expects = ["a.rows() == y.rows() && d.rows() == y.rows() && d.cols() == a.cols()",
                      "b.cols() == y.cols() && c.cols() == y.cols()",
                      "b.rows() == a.cols() && c.rows() == a.cols()",
                      "x.rows() == y.rows() && x.cols() == y.cols()"]
    writer = Writer(kernel, tile)
    text, last = writer.write()
    value = text if out == "float" else f"cast<half>({text})"
    kernel.lines = [f"for (auto w : my_tiles<{rows}, {cols}>(y)) {{",
                    f"auto k = span<{steps}>(0, min(a.cols(), i64({steps})));",
                    *writer.lines, f"store(w, {value});", "}"]
    for _ in range(3):
        m, n, k = sizes(rng, rows), sizes(rng, cols), sizes(rng, steps, 130)
        kernel.launch({"a": (m, k), "d": (m, k), "b": (k, n), "c": (k, n), "x": (m, n), "y": (m, n)},
                      {"when": rng.choice([0, 1])})

    def reference(arrays, numbers):
        found = empty(arrays["y"].v.shape, out)
        inner = arrays["a"].v.shape[1]
        for r, n in windows(found.v.shape, (rows, cols)):
            at = {"k": slice(0, min(inner, steps)), "when": numbers["when"], "x": part(arrays["x"], r, n),
                  "steps": [slice(j, min(j + steps, inner)) for j in range(0, inner, steps)]}
            at.update({name: part(arrays[name], r) for name in LEFT})
            at.update({name: part(arrays[name], slice(None), n) for name in RIGHT})
            for step in writer.steps:
                step(at)
            put(found, (r, n), last(at).number.cast(out))
        return {"y": found}

    kernel.reference = reference
