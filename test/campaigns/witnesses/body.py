"""What a kernel computes with a tile: the text of it in the language, and the same with
NumPy. Bounds (test/campaigns/fuzzing/bounds.py) say which results have to agree to the last
bit, and how far the others may differ.

Arrays have three dimensions: tiles of the same extents, rows, columns; so that one
evaluation serves all full tiles of a launch, and one more each kind of short ones.
"""
import dataclasses

import numpy as np

from fuzzing import bounds as b
from fuzzing.bounds import Bounds
from fuzzing.operations import COMPARISONS, ELEMENTWISE, ROUNDINGS, exactly, literal

from .values import BYTES, FLOATS, HIGHEST, INTS, LOWEST, rounded, wide_type

# name -> what it computes; `r` rounds to the tile's type.
NUMPY = {
    "add": lambda r, x, y: x + y,
    "sub": lambda r, x, y: x - y,
    "mul": lambda r, x, y: x * y,
    "max": lambda r, x, y: np.where(x < y, y, x),
    "min": lambda r, x, y: np.where(x < y, x, y),
    "div": lambda r, x, y: x / r(abs(y) + 1),
    "add_scalar": lambda r, x: x + 3,
    "sub_scalar": lambda r, x: x - 2,
    "scalar_sub": lambda r, x: 5 - x,
    "mul_scalar": lambda r, x: x * 2,
    "max_scalar": lambda r, x: np.maximum(x, 1),
    "scalar_min": lambda r, x: np.minimum(1, x),
    "div_scalar": lambda r, x: x / np.float32(3),
    "scalar_div": lambda r, x: np.float32(7) / r(abs(x) + 1),
    "neg": lambda r, x: -x,
    "abs": lambda r, x: abs(x),
    "relu": lambda r, x: np.maximum(x, 0),
    "clamp": lambda r, x: np.minimum(np.maximum(x, 0), 3),
    "copy": lambda r, x: x,
    "full_like": lambda r, x: np.full_like(x, 5),
    "exp": lambda r, x: np.exp(x),
    "log": lambda r, x: np.log(r(abs(x) + 1)),
    "sqrt": lambda r, x: np.sqrt(abs(x)),
    "rsqrt": lambda r, x: 1 / np.sqrt(r(abs(x) + 1)),
    "reciprocal": lambda r, x: 1 / r(abs(x) + 1),
    "sigmoid": lambda r, x: 1 / r(r(np.exp(-x)) + 1),
    "tanh": lambda r, x: np.tanh(x),
    "sin": lambda r, x: np.sin(x),
    "cos": lambda r, x: np.cos(x),
    "floor": lambda r, x: np.floor(x),
    "ceil": lambda r, x: np.ceil(x),
    "round": lambda r, x: np.rint(x),
    "trunc": lambda r, x: np.trunc(x),
    "and": lambda r, x, y: x & y,
    "or": lambda r, x, y: x | y,
    "not": lambda r, x: ~x,
    "shl": lambda r, x: x << 2,
    "shr": lambda r, x: x >> 1,
    "cummax": lambda r, x: np.maximum.accumulate(x, axis=-1),
    "cummin": lambda r, x: np.minimum.accumulate(x, axis=-1),
    "transpose": lambda r, x: x,
}
POINTWISE = [o for o in ELEMENTWISE if o.name in NUMPY]
COMPARE = {"<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal,
           "==": np.equal, "!=": np.not_equal}


@dataclasses.dataclass(frozen=True)
class Var:
    """A tile with its capacities; equal names mean equal extents at run time."""

    name: str
    dtype: str
    rows: int
    cols: int
    bounds: Bounds

    def like(self, other):
        return (self.dtype, self.rows, self.cols) == (other.dtype, other.rows, other.cols)


def fold(kind, dtype, x, axis):
    """A reduction of wide values, rounded at its end."""
    count = x.shape[axis]
    if kind == "max":
        return np.max(x, axis=axis, keepdims=True, initial=LOWEST[dtype])
    if kind == "min":
        return np.min(x, axis=axis, keepdims=True, initial=HIGHEST[dtype])
    if kind == "prod":
        return rounded(np.prod(x, axis=axis, keepdims=True, dtype=wide_type(dtype)), dtype)
    total = rounded(np.sum(x, axis=axis, keepdims=True, dtype=wide_type(dtype)), dtype)
    if kind == "sum":
        return total
    inverse = rounded(np.array(np.float32(1) / np.float32(count)), dtype)
    return rounded(total * inverse, dtype)


def fold_rule(kind, dtype, x, count):
    if kind in ("max", "min"):
        return x
    if kind == "prod":
        return x if x.mag <= 1 and x.grid == 0 else None
    total = b.total(dtype, x, count)
    return total if kind == "sum" else b.mul(dtype, total, Bounds(1.0, 0.0, None))


def first_best(kind, x, axis):
    """Positions; of nothing, 0."""
    if x.shape[axis] == 0:
        shape = list(x.shape)
        shape[axis] = 1
        return np.zeros(shape, np.int64)
    best = np.argmax(x, axis) if kind == "argmax" else np.argmin(x, axis)
    return np.expand_dims(best, axis).astype(np.int64)


class Body:
    """Statements of a loop over tiles."""

    def __init__(self, rng, prefix="t"):
        self.rng, self.prefix = rng, prefix
        self.lines, self.steps, self.vars = [], [], []

    def load(self, name, dtype, rows, cols, text, bounds):
        """A tile that the form provides under this name."""
        var = Var(name, dtype, rows, cols, bounds)
        self.lines.append(f"auto {name} = {text};")
        self.vars.append(var)
        return var

    def let(self, dtype, rows, cols, text, bounds, compute, *args):
        """None if the values could overflow, or both sides need not agree."""
        if bounds is None or (dtype and not b.fits(bounds, dtype)):
            return None
        var = Var(f"{self.prefix}{len(self.lines)}", dtype, rows, cols, bounds)
        self.lines.append(f"auto {var.name} = {text.format(*(a.name for a in args))};")
        self.steps.append((var, compute, args))
        self.vars.append(var)
        return var

    def run(self, env):
        """env: variable name -> array; returned with all variables."""
        for var, compute, args in self.steps:
            values = compute(*(env[a.name] for a in args))
            env[var.name] = rounded(values, var.dtype) if var.dtype else values
        return env

    # --- operations ---

    def apply(self, op, *args):
        """One of fuzzing.operations."""
        dtype = args[0].dtype
        rows, cols = max(a.rows for a in args), max(a.cols for a in args)
        if dtype not in op.types:
            return None
        bounds = op.rule(dtype, *(a.bounds for a in args))
        return self.let(dtype, rows, cols, op.write(dtype), bounds,
                        lambda *x: NUMPY[op.name](lambda v: rounded(v, dtype), *x), *args)

    def pointwise(self, *args):
        """A random operation that these tiles admit; two of them meet."""
        ops = [o for o in POINTWISE if o.arity == len(args)]
        for op in self.rng.sample(ops, len(ops)):
            if BYTES[args[0].dtype] and (var := self.apply(op, *args)):
                return var
        return None

    def reduce(self, x, kind, axis):
        count = x.cols if axis == "row" else x.rows
        if kind == "mean" and x.dtype in INTS:
            return None
        rows, cols = (x.rows, 1) if axis == "row" else (1, x.cols)
        return self.let(x.dtype, rows, cols, f"{axis}_{kind}({{0}})",
                        fold_rule(kind, x.dtype, x.bounds, count),
                        lambda v: fold(kind, x.dtype, v, -1 if axis == "row" else -2), x)

    def position(self, x, kind, axis):
        rows, cols = (x.rows, 1) if axis == "row" else (1, x.cols)
        return None if x.bounds.err else self.let(
            "i32", rows, cols, f"{axis}_{kind}({{0}})", Bounds(max(x.rows, x.cols), 0.0, 0),
            lambda v: first_best(kind, v, -1 if axis == "row" else -2), x)

    def scan(self, x, kind, axis):
        count = x.cols if axis == "row" else x.rows
        if kind in ("max", "min"):
            bounds = x.bounds
        else:
            bounds = fold_rule(kind, x.dtype, x.bounds, count)
        function = {"sum": np.cumsum, "prod": np.cumprod, "max": np.maximum.accumulate,
                    "min": np.minimum.accumulate}[kind]
        # Every partial result is rounded: exact, or the bounds allow for it.
        return self.let(x.dtype, x.rows, x.cols, f"{axis}_cum{kind}({{0}})", bounds,
                        lambda v: function(v, axis=-1 if axis == "row" else -2), x)

    def cast(self, x, dtype, mode):
        text = f"cast<{dtype}>({{0}})" if mode is None else f"cast<{dtype}, Round::{mode}>({{0}})"
        to_whole = dtype in INTS and x.dtype in FLOATS
        if to_whole and x.bounds.err:
            return None
        mode = mode or "nearest"

        def compute(v):
            if to_whole:
                v = {"nearest": np.rint, "floor": np.floor, "ceil": np.ceil, "zero": np.trunc,
                     "away": lambda u: np.where(u < 0, -np.floor(-u + 0.5), np.floor(u + 0.5))}[mode](v)
                return np.clip(v.astype(np.float64), LOWEST[dtype], HIGHEST[dtype]).astype(np.int64)
            if dtype in INTS:
                return np.clip(v, LOWEST[dtype], HIGHEST[dtype])
            return v.astype(np.float32) if dtype in FLOATS else v

        return self.let(dtype, x.rows, x.cols, text, b.cast(x.dtype, dtype, x.bounds), compute, x)

    def select(self, x, y, z):
        """One of y and z by how x compares with y."""
        if x.bounds.err or y.bounds.err:
            return None
        sign = self.rng.choice(COMPARISONS)
        return self.let(y.dtype, y.rows, y.cols, f"select({{0}} {sign} {{1}}, {{1}}, {{2}})",
                        y.bounds.join(z.bounds), lambda u, v, w: np.where(COMPARE[sign](u, v), v, w),
                        x, y, z)

    def transpose(self, x):
        return self.let(x.dtype, x.cols, x.rows, "transpose({0})", x.bounds,
                        lambda v: np.swapaxes(v, -1, -2), x)

    def walk(self, steps, x):
        """So many random operations from x on, which end in a tile of its kind."""
        for _ in range(steps):
            choice = self.rng.random()
            same = [v for v in self.vars if v.like(x)]
            meets = [v for v in self.vars if v.dtype == x.dtype and (v.rows in (1, x.rows))
                     and (v.cols in (1, x.cols)) and not (v.rows == 1 and v.cols == 1 and x.rows * x.cols > 1)]
            if choice < 0.35:
                new = self.pointwise(x)
            elif choice < 0.7 and meets:
                new = self.pointwise(x, self.rng.choice(meets))
            elif choice < 0.8 and len(same) > 1:
                new = self.select(x, self.rng.choice(same), self.rng.choice(same))
            else:
                kind, axis = self.rng.choice(["sum", "max", "min", "mean"]), self.rng.choice(["row", "col"])
                less = self.reduce(x, kind, axis)
                new = less and self.pointwise(x, less)
            x = new if new and new.like(x) else x
        return x


def number(dtype, value):
    return literal(dtype, value)


# --- cutting arrays into tiles -------------------------------------------------


def parts(extent, tile):
    """(start, tiles, size): the full tiles and the short one."""
    full, rest = divmod(extent, tile)
    return [(0, full, tile)] * bool(full) + [(full * tile, 1, rest)] * bool(rest)


def stack(array, rows, cols):
    """The tiles of a part of an array of rank 2."""
    (r0, rn, r), (c0, cn, c) = rows, cols
    part = array[r0:r0 + rn * r, c0:c0 + cn * c]
    return part.reshape(rn, r, cn, c).transpose(0, 2, 1, 3).reshape(rn * cn, r, c)


def paste(array, rows, cols, tiles):
    (r0, rn, r), (c0, cn, c) = rows, cols
    tiles = np.broadcast_to(tiles, (rn * cn, r, c))
    array[r0:r0 + rn * r, c0:c0 + cn * c] = (
        tiles.reshape(rn, cn, r, c).transpose(0, 2, 1, 3).reshape(rn * r, cn * c))
