"""Products of matrices: shapes, values, and how far a sum in float may be off.

A sum of k products, in any order, is off by at most k / 2 * eps * sum(|a| |b|); rounding
errors have both signs, so that a sum of k of them stays below 4 * sqrt(k) / 2 of that,
except with a probability below 1e-4 for each element (Higham and Mary, 2019).
"""
import math

from library import dtype_of, normal

SEPARATE = (2201, 3510)  # the 310P has no cube core beside a vector core
# Cores, rows, columns, k: nothing in each direction, one, odd, whole fractals, more than one
# tile in every direction, more cores than tiles. Tiles of the tests are 32 x 48, steps of k 64.
SIZES = ((1, 0, 5, 7), (2, 3, 5, 0), (1, 1, 1, 1), (3, 17, 31, 63), (2, 64, 96, 128), (8, 70, 101, 150))
TILES = "32, 48, 64"


def product(a, b):
    """In float64, and how far it may be off, in eps of float."""
    a, b = a.double(), b.double()
    return a @ b, 2 * math.sqrt(max(a.shape[-1], 1)) * (a.abs() @ b.abs()) + 1e-9


def layer(T, m, n, k, scale=None):
    """Input, weights, bias, and what the layer is, with how far it may be off."""
    scale = scale or 1 / math.sqrt(max(k, 1))
    x, w, b = normal(1, m, k, T=T), normal(2, n, k, T=T, scale=scale), normal(3, n)
    want, near = product(x, w.t())
    want = want + b.double()
    return x, w, b, want, near + want.abs()


def rounded(x, T):
    return x.to(dtype_of(T))
