"""What kernels compute: every operation with its text, the types it takes, and what
it does to bounds. The names are those of supported.json, which says what becomes
AscendC on which architecture."""
import dataclasses
from typing import Callable

from . import bounds as b
from .bounds import FLOATS, INTS, Bounds
from .program import Tile

BOTH = FLOATS + INTS


def literal(dtype, value):
    """A number as the source writes it."""
    if dtype == "float":
        return f"{float(value)!r}f"
    return f"{dtype}({float(value)!r}f)" if dtype in FLOATS else f"{dtype}({int(value)})"


def exactly(rule):
    """For what is not continuous."""
    return lambda dtype, *args: None if any(a.err for a in args) else rule(dtype, *args)


@dataclasses.dataclass(frozen=True)
class Operation:
    """`text` has places for `arity` tiles of the same type; {dtype} is theirs."""

    name: str
    types: tuple
    arity: int
    text: str
    rule: Callable

    def write(self, dtype):
        # Numbers in texts are small and whole, so that every type has them.
        text = self.text.replace("{dtype}", dtype)
        for value in (0, 1, 2, 3, 5, 7):
            text = text.replace(f"#{value}", literal(dtype, value))
        return text


def constant(value):
    return Bounds(abs(value), 0.0, 0)


def plus_one(dtype, a):
    """abs(a) + 1"""
    return b.add(dtype, a, constant(1))


ELEMENTWISE = [
    Operation("add", BOTH, 2, "{0} + {1}", b.add),
    Operation("sub", BOTH, 2, "{0} - {1}", b.add),
    Operation("mul", BOTH, 2, "{0} * {1}", b.mul),
    Operation("max", BOTH, 2, "max({0}, {1})", b.choose),
    Operation("min", BOTH, 2, "min({0}, {1})", b.choose),
    Operation("div", FLOATS, 2, "{0} / (abs({1}) + #1)",
              lambda t, x, y: b.div(t, x, plus_one(t, y))),
    Operation("add_scalar", BOTH, 1, "{0} + #3", lambda t, x: b.add(t, x, constant(3))),
    Operation("sub_scalar", BOTH, 1, "{0} - #2", lambda t, x: b.add(t, x, constant(2))),
    Operation("scalar_sub", BOTH, 1, "#5 - {0}", lambda t, x: b.add(t, x, constant(5))),
    Operation("mul_scalar", BOTH, 1, "{0} * #2", lambda t, x: b.mul(t, x, constant(2))),
    Operation("max_scalar", BOTH, 1, "max({0}, #1)", lambda t, x: x.join(constant(1))),
    Operation("scalar_min", BOTH, 1, "min(#1, {0})", lambda t, x: x.join(constant(1))),
    Operation("div_scalar", FLOATS, 1, "{0} / #3",
              lambda t, x: b.div(t, x, constant(1))),
    Operation("scalar_div", FLOATS, 1, "#7 / (abs({0}) + #1)",
              lambda t, x: b.div(t, constant(7), plus_one(t, x))),
    Operation("neg", BOTH, 1, "-{0}", b.same),
    Operation("abs", BOTH, 1, "abs({0})", b.same),
    Operation("relu", BOTH, 1, "relu({0})", b.same),
    Operation("clamp", BOTH, 1, "clamp({0}, #0, #3)", lambda t, x: Bounds(3, x.err, x.grid)),
    Operation("copy", BOTH, 1, "copy({0})", b.same),
    Operation("full_like", BOTH, 1, "full_like({0}, #5)", lambda t, x: constant(5)),
    Operation("exp", FLOATS, 1, "exp({0})", b.exp),
    Operation("log", FLOATS, 1, "log(abs({0}) + #1)", lambda t, x: b.log(t, plus_one(t, x))),
    Operation("sqrt", FLOATS, 1, "sqrt(abs({0}))", b.sqrt),
    Operation("rsqrt", FLOATS, 1, "rsqrt(abs({0}) + #1)",
              lambda t, x: b.inverse(t, plus_one(t, x))),
    Operation("reciprocal", FLOATS, 1, "reciprocal(abs({0}) + #1)",
              lambda t, x: b.inverse(t, plus_one(t, x))),
    Operation("sigmoid", FLOATS, 1, "sigmoid({0})",
              lambda t, x: b.inverse(t, plus_one(t, b.exp(t, x)))),
    Operation("tanh", FLOATS, 1, "tanh({0})", b.smooth),
    Operation("erf", FLOATS, 1, "erf({0})", b.smooth),
    Operation("sin", FLOATS, 1, "sin({0})", b.smooth),
    Operation("cos", FLOATS, 1, "cos({0})", b.smooth),
    Operation("floor", FLOATS, 1, "floor({0})", exactly(b.whole)),
    Operation("ceil", FLOATS, 1, "ceil({0})", exactly(b.whole)),
    Operation("round", FLOATS, 1, "round({0})", exactly(b.whole)),
    Operation("trunc", FLOATS, 1, "trunc({0})", exactly(b.whole)),
    Operation("and", INTS, 2, "{0} & {1}", lambda t, x, y: b.whole(t, x.join(y))),
    Operation("or", INTS, 2, "{0} | {1}", lambda t, x, y: Bounds(2 * max(x.mag, y.mag) + 1, 0, 0)),
    Operation("not", INTS, 1, "~{0}", b.whole),
    Operation("shl", INTS, 1, "{0} << 2", lambda t, x: b.mul(t, x, constant(4))),
    Operation("shr", INTS, 1, "{0} >> 1", b.whole),
    Operation("cumsum", BOTH, 1, "row_cumsum({0})", None),  # depends on the columns
    Operation("cummax", BOTH, 1, "row_cummax({0})", b.same),
    Operation("cummin", BOTH, 1, "row_cummin({0})", b.same),
    Operation("transpose", BOTH, 1, "transpose(transpose({0}))", b.same),
    Operation("taken", ("i32",), 1, "gather<Oob::zero>({0}, {0})", b.same),
]
COMPARISONS = ["<", "<=", ">", ">=", "==", "!="]
REDUCTIONS = ["sum", "max", "min", "mean"]
ROUNDINGS = ["nearest", "floor", "ceil", "away", "zero"]


def reduce_rule(kind, dtype, count):
    if kind in ("max", "min"):
        return lambda x: x
    if kind == "sum":
        return lambda x: b.total(dtype, x, count)
    # The reciprocal of the count is rounded, then the product.
    return lambda x: b.mul(dtype, b.total(dtype, x, count), Bounds(1.0, 0.0, None))


def scan_rule(dtype, tile):
    return lambda x: b.total(dtype, x, tile.cols)


def row_of(tile):
    return dataclasses.replace(tile, rows=1, row_name="1")


def column_of(tile):
    return dataclasses.replace(tile, cols=1, col_name="1")


def is_column(tile):
    return tile.cols == 1 and tile.rows > 1


def meets(tile, other):
    """Whether `other` can be broadcast to tile."""
    if not isinstance(other, Tile) or other.dtype != tile.dtype:
        return False
    rows = (other.rows, other.row_name) in ((tile.rows, tile.row_name), (1, "1"))
    cols = (other.cols, other.col_name) in ((tile.cols, tile.col_name), (1, "1"))
    return rows and cols
