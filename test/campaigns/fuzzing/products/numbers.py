"""Float64 arrays, each with a bound on how far a right computation of its elements in
the kernel's own types may be from it: a running error analysis, element by element.

What has no error yet is rounded as the device rounds it, and compared exactly; what has
one gets the rounding of every later operation added to it. Sums may be taken in any order
unless all of them are exact, and functions without an agreed last bit may differ by some
units in the last place. Nothing is tuned.
"""
import numpy as np

from harness import from_bf16, to_bf16

from ..bounds import FLOATS, ULPS, unit

# Half of the smallest number that a type has.
TINY = {"float": 2.0**-150, "half": 2.0**-25, "bfloat16": 2.0**-134}
# Sums are exact if they are multiples of 2**-GRID, up to what a float holds.
GRIDS = range(0, 13)


def round_to(values, dtype):
    if dtype == "float":
        return values.astype(np.float32).astype(np.float64)
    if dtype == "half":
        return values.astype(np.float16).astype(np.float64)
    if dtype == "bfloat16":
        return from_bf16(to_bf16(values)).astype(np.float64)
    return values


def grid_of(values):
    """The least g so that all are multiples of 2**-g, or None."""
    return next((g for g in GRIDS if np.array_equal(values * 2.0**g, np.rint(values * 2.0**g))), None)


class Number:
    """An array of a type: values and errors."""

    def __init__(self, values, dtype, errors=None):
        self.v = np.asarray(values, np.float64)
        errors = np.zeros(self.v.shape) if errors is None else np.asarray(errors, np.float64)
        same = errors.shape == self.v.shape  # parts of an array stay parts of it
        self.e = errors if same else np.array(np.broadcast_to(errors, self.v.shape))
        self.dtype = dtype

    def rounded(self, values, errors):
        return rounded(values, errors, self.dtype)

    def __add__(self, other):
        other = self.like(other)
        return self.rounded(self.v + other.v, self.e + other.e)

    def __sub__(self, other):
        other = self.like(other)
        return self.rounded(self.v - other.v, self.e + other.e)

    def __mul__(self, other):
        other = self.like(other)
        errors = self.e * abs(other.v) + other.e * abs(self.v) + self.e * other.e
        return self.rounded(self.v * other.v, errors)

    def __truediv__(self, other):
        """By what is not near 0."""
        other = self.like(other)
        with np.errstate(divide="ignore", invalid="ignore"):
            values = self.v / other.v
            least = np.maximum(abs(other.v) - other.e, 0)
            errors = (self.e + abs(values) * other.e) / least
        return self.rounded(values, np.where(other.e + self.e == 0, 0, errors))

    def __neg__(self):
        return Number(-self.v, self.dtype, self.e)

    def like(self, other):
        if isinstance(other, Number):
            assert other.dtype == self.dtype, (self.dtype, other.dtype)
            return other
        return Number(round_to(np.float64(other), self.dtype), self.dtype)

    def maximum(self, other):
        other = self.like(other)
        return Number(np.maximum(self.v, other.v), self.dtype, np.maximum(self.e, other.e))

    def function(self, values, errors):
        """Of a function without an agreed last bit, with the error that it passes on."""
        ulps = ULPS * unit(self.dtype) * (abs(values) + errors) + TINY[self.dtype]
        return Number(values, self.dtype, errors + ulps)

    def exp(self):
        values = np.exp(self.v)
        return self.function(values, values * np.expm1(np.minimum(self.e, 50)))

    def bounded(self, function, slope):
        """Within [-1, 1]: the units in the last place are those of 1."""
        values = function(self.v)
        return Number(values, self.dtype, slope * self.e + ULPS * unit(self.dtype))

    def sqrt(self):
        """Of what is at least 1."""
        return self.function(np.sqrt(self.v), self.e)

    def abs(self):
        return Number(abs(self.v), self.dtype, self.e)

    def cast(self, dtype):
        if dtype == self.dtype:
            return self
        return rounded(self.v, self.e, dtype)

    def select(self, where, value):
        """Where it is not so, a number."""
        other = round_to(np.float64(value), self.dtype)
        return Number(np.where(where, self.v, other), self.dtype, np.where(where, self.e, 0))

    def sum(self, axis):
        count = self.v.shape[axis]
        values, errors = (x.sum(axis, keepdims=True) for x in (self.v, self.e))
        most = abs(self.v).sum(axis, keepdims=True)
        if is_exact(self, most):
            return Number(values, self.dtype, errors)
        return Number(values, self.dtype, errors + count * unit(self.dtype) * (most + errors))

    def largest(self, axis):
        """Of at least one; of none, nothing that a kernel could see."""
        if not self.v.shape[axis]:
            shape = [1 if n == axis else s for n, s in enumerate(self.v.shape)]
            return Number(np.full(shape, -3.4e38), self.dtype)
        return Number(self.v.max(axis, keepdims=True), self.dtype, self.e.max(axis, keepdims=True))

    def transposed(self):
        return Number(self.v.T, self.dtype, self.e.T)


def rounded(values, errors, dtype):
    """After one operation that rounds to the nearest value of its type."""
    if dtype not in FLOATS:
        return Number(values, dtype, errors)
    is_known = errors == 0
    with np.errstate(over="ignore", invalid="ignore"):
        values = np.where(is_known, round_to(values, dtype), values)
        more = unit(dtype) * (abs(values) + errors) + TINY[dtype]
    return Number(values, dtype, np.where(is_known, 0, errors + more))


def is_exact(numbers, most):
    """Whether no sum of these numbers, whose absolute values add up to so much, rounds."""
    grid = None if numbers.e.any() else grid_of(numbers.v)
    return grid is not None and (not most.size or most.max() * 2.0**grid <= 2.0**24)


class Sums:
    """What products are added up in, one after the other in any order."""

    def __init__(self, shape, dtype):
        self.dtype = dtype
        self.v, self.e, self.most = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        self.count, self.grid = 0, 0

    def add(self, left, right):
        a, b = abs(left.v), abs(right.v)
        self.v = self.v + left.v @ right.v
        self.e = self.e + left.e @ b + a @ right.e + left.e @ right.e
        self.most = self.most + a @ b
        self.count += a.shape[1] + 1
        grids = [None if x.e.any() else grid_of(x.v) for x in (left, right)]
        self.grid = None if None in (*grids, self.grid) else max(self.grid, sum(grids))

    def number(self):
        if self.dtype == "i32":
            return Number(self.v, "i32", self.e)
        if self.grid is not None and (not self.most.size or self.most.max() * 2.0**self.grid <= 2.0**24):
            return Number(self.v, self.dtype, self.e)
        more = self.count * unit(self.dtype) * (self.most + self.e)
        return Number(self.v, self.dtype, self.e + more)


def dot(left, right):
    sums = Sums((left.v.shape[0], right.v.shape[1]), "i32" if left.dtype == "i8" else "float")
    sums.add(left, right)
    return sums.number()
