"""How large values can be, and how far two right computations of them may differ.

The twin and the simulator do the same operations in the same precision, so most
results agree to the last bit. They may differ where sums are taken in another order,
and where functions (exp, tanh, ...) have no agreed last bit. Each rule below says what
an operation does to a difference that is already there, and what it adds: the usual
forward analysis of rounding errors, worst case. What has an error of 0 is compared
exactly; everything else within its error. Nothing is tuned.
"""
import dataclasses
import math
from typing import Optional

FLOATS = ("float", "half", "bfloat16")
INTS = ("i8", "i16", "i32", "i64")
PRECISION = {"float": 24, "half": 11, "bfloat16": 8}
# What values are kept below: nothing overflows, on any way of computing it.
LARGEST = {
    "float": 1e9, "half": 3e4, "bfloat16": 1e9,
    "i8": 127, "i16": 32767, "i32": 2**31 - 1, "i64": 2**40,
}
# Functions without an agreed last bit may differ by so many units in the last place.
ULPS = 4


@dataclasses.dataclass(frozen=True)
class Bounds:
    """All values are within [-mag, mag], two computations of them within err, and if
    grid is a number, all are multiples of 2**-grid."""

    mag: float
    err: float = 0.0
    grid: Optional[int] = None

    def join(self, other):
        grids = (self.grid, other.grid)
        return Bounds(max(self.mag, other.mag), max(self.err, other.err),
                      None if None in grids else max(grids))


def unit(dtype):
    """Half a unit in the last place of 1."""
    return 2.0 ** -PRECISION[dtype] if dtype in FLOATS else 0.0


def fits(bounds, dtype):
    return bounds.mag + bounds.err <= LARGEST[dtype]


def on_grid(bounds, dtype):
    """Whether every such value is a value of the type."""
    if dtype in INTS:
        return True
    return bounds.grid is not None and bounds.mag * 2.0**bounds.grid <= 2.0 ** PRECISION[dtype]


def rounded(dtype, mag, err, grid):
    """After one operation that rounds to the nearest value of its type."""
    exact = Bounds(mag, err, grid)
    if on_grid(exact, dtype):
        return exact
    # Both sides round the same number, unless they have differed before.
    return Bounds(mag * (1 + unit(dtype)), err + (2 * unit(dtype) * mag if err else 0.0), None)


def approximate(dtype, mag, err):
    """After a function that nobody rounds correctly."""
    return Bounds(mag, err + ULPS * unit(dtype) * mag, None)


def _grids(a, b, combine):
    return None if a.grid is None or b.grid is None else combine(a.grid, b.grid)


def add(dtype, a, b):
    return rounded(dtype, a.mag + b.mag, a.err + b.err, _grids(a, b, max))


def mul(dtype, a, b):
    err = a.err * b.mag + b.err * a.mag + a.err * b.err
    return rounded(dtype, a.mag * b.mag, err, _grids(a, b, lambda x, y: x + y))


def div(dtype, a, b):
    """b is at least 1."""
    return rounded(dtype, a.mag, a.err + a.mag * b.err, None)


def choose(dtype, a, b):
    return a.join(b)


def same(dtype, a):
    return a


def exp(dtype, a):
    mag = math.exp(a.mag) if a.mag < 30 else math.inf
    return approximate(dtype, mag, mag * math.expm1(min(a.err, 1)))


def log(dtype, a):
    """a is at least 1."""
    return approximate(dtype, math.log(a.mag + 1) + 1, a.err)


def smooth(dtype, a):
    """Within [-1, 1], with a slope of at most 1.13."""
    return approximate(dtype, 1.0, 1.13 * a.err)


def sqrt(dtype, a):
    return approximate(dtype, math.sqrt(a.mag) + 1, math.sqrt(a.err))


def inverse(dtype, a):
    """1 / a or 1 / sqrt(a); a is at least 1."""
    return approximate(dtype, 1.0, a.err)


def whole(dtype, a):
    """To a whole number: only of what both sides agree about."""
    return Bounds(a.mag + 1, 0.0, 0)


def total(dtype, a, count):
    """A sum of so many, in any order, with any number of roundings on the way."""
    mag = a.mag * max(count, 1)
    exact = Bounds(mag, count * a.err, a.grid)
    if on_grid(exact, dtype):
        return exact
    return Bounds(mag * (1 + count * unit(dtype)),
                  count * a.err + 2 * count * unit(dtype) * mag, None)


def cast(source, target, a):
    if target in INTS and source in FLOATS:
        return whole(target, a)
    return rounded(target, a.mag, a.err, a.grid)
