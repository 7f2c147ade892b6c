"""The kernel with products of a seed and an index, for an architecture of its own."""
import random

from .convolutions import convolution
from .expressions import expressions
from .families import attention, columns, layers, matmul
from .kernel import ProductKernel

ARCHS = (2002, 2201, 3510)
FAMILIES = [(matmul, 50), (columns, 8), (attention, 15), (layers, 10), (convolution, 17), (expressions, 20)]


def generate(index, seed, archs=ARCHS):
    rng = random.Random(f"products/{seed}/{index}")
    kernel = ProductKernel(index, rng.choice(archs), rng)
    makes, weights = zip(*FAMILIES)
    make = rng.choices(makes, weights)[0]
    kernel.family = make.__name__
    make(kernel)
    return kernel
