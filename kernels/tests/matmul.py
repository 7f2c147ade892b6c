"""Products of matrices, against those in float64."""
import math

import torch
from library import ALL, In, InOut, Out, kernel, normal, vary
from products import SEPARATE, SIZES, TILES, layer, product

FLOATS = ("float", "half", "bfloat16")
DENSE = tuple(f"matmul/{name}" for name in (
    "standard_matrix_multiplication", "square_matrix_multiplication", "matmul_with_irregular_shapes",
    "matmul_with_small_k_dimension", "tall_skinny_matrix_multiplication", "matmul_for_symmetric_matrices"))


@kernel("matmul/matmul", f"matmul<{{T}}, {TILES}>", DENSE, dtypes=FLOATS, archs=SEPARATE, rel=1,
        quick=True)
def matmul(T):
    for blocks, m, n, k in vary(SIZES):
        a, b = normal(1, m, k, T=T), normal(2, k, n, T=T)
        want, near = product(a, b)
        yield blocks, [In(a), In(b), Out(want, T, near)]


@kernel("matmul/matmul", "matmul<{T}>",
        ("matmul/three_dim_tensor_matrix_multiplication", "matmul/four_dim_tensor_matrix_multiplication"),
        dtypes=("float", "half"), archs=SEPARATE, rel=1)
def matmul_of_tensors(T):
    """Tiles as users get them; tensors of rank 3 and 4, with their first dimensions merged."""
    for blocks, *shape, n, k in ((2, 3, 50, 300, 130), (3, 2, 3, 45, 260, 300)):
        a, b = normal(1, *shape, k, T=T), normal(2, k, n, T=T)
        want, near = product(a, b)
        rows = math.prod(shape)
        yield blocks, [In(a.reshape(rows, k)), In(b), Out(want.reshape(rows, n), T, near.reshape(rows, n))]


def transposed(name, covers, left, right):
    @kernel(f"matmul/matmul_transposed:{name}", f"{name}<{{T}}, {TILES}>", covers, dtypes=FLOATS, archs=SEPARATE,
            rel=1)
    def cases(T):
        for blocks, m, n, k in vary(SIZES):
            a, b = normal(1, m, k, T=T), normal(2, k, n, T=T)
            want, near = product(a, b)
            yield blocks, [In(a.t() if left else a), In(b.t() if right else b), Out(want, T, near)]


transposed("transposed_a", "matmul/matmul_with_transposed_a", True, False)
transposed("transposed_b", "matmul/matmul_with_transposed_b", False, True)
transposed("transposed_both", "matmul/matmul_with_transposed_both", True, True)


@kernel("matmul/matmul_batched", f"matmul_batched<{{T}}, {TILES}>", "matmul/batched_matrix_multiplication",
        dtypes=FLOATS, archs=SEPARATE, rel=1, quick=True)
def matmul_batched(T):
    for planes, (blocks, m, n, k) in zip((2, 3, 0, 5, 2, 3), vary(SIZES)):
        a, b = normal(1, planes, m, k, T=T), normal(2, planes, k, n, T=T)
        want, near = product(a, b)
        yield blocks, [In(a), In(b), Out(want, T, near)]


@kernel("matmul/matmul_split", "matmul_split<{T}, 3, 32, 48, 64>", "matmul/matmul_with_large_k_dimension",
        dtypes=FLOATS, archs=SEPARATE, rel=4, unordered=True)
def matmul_split(T):
    for blocks, m, n, k in (*vary(SIZES), (6, 20, 30, 2000)):
        a, b, c = normal(1, m, k, T=T), normal(2, k, n, T=T), normal(3, m, n)
        want, near = product(a, b)
        yield blocks, [In(a), In(b), InOut(c, want + c.double(), near + 4 * c.abs().double())]


def triangular(name, covers, part):
    @kernel(f"matmul/matmul_triangular:{name}", f"{name}<{{T}}, {TILES}>", covers, dtypes=("float", "half"),
            archs=SEPARATE, rel=1)
    def cases(T):
        for blocks, n in vary(((1, 0), (2, 1), (3, 31), (2, 96), (8, 150))):
            a, b = part(normal(1, n, n, T=T)), part(normal(2, n, n, T=T))
            want, near = product(a, b)
            yield blocks, [In(a), In(b), Out(part(want), T, near)]


triangular("lower_triangular", "matmul/matmul_for_lower_triangular_matrices", torch.tril)
triangular("upper_triangular", "matmul/matmul_for_upper_triangular_matrices", torch.triu)


@kernel("matmul/matmul_diagonal", "matmul_diagonal<{T}>", "matmul/matmul_with_diagonal_matrices", dtypes=FLOATS,
        archs=ALL, rel=1)
def matmul_diagonal(T):
    for blocks, n, m in vary(((1, 0, 5), (2, 1, 1), (3, 17, 63), (2, 8, 512), (3, 21, 1100))):
        a, b = normal(1, n, T=T), normal(2, n, m, T=T)
        yield blocks, [In(a), In(b), Out(a.double()[:, None] * b.double(), T)]


@kernel("matmul/matrix_vector", "matrix_vector<{T}>", "matmul/matrix_vector_multiplication", dtypes=FLOATS, archs=ALL,
        rel=1)
def matrix_vector(T):
    for blocks, m, k in vary(((1, 0, 5), (2, 3, 0), (1, 1, 1), (3, 17, 63), (2, 8, 2048), (3, 9, 9001))):
        a, x = normal(1, m, k, T=T), normal(2, k, T=T)
        want, near = product(a, x[:, None])
        yield blocks, [In(a), In(x), Out(want[:, 0], T, near[:, 0])]


@kernel("matmul/linear", f"linear<{{T}}, {TILES}>", dtypes=FLOATS, archs=SEPARATE, rel=1)
def linear(T):
    for blocks, m, n, k in vary(SIZES):
        x, w, b, want, near = layer(T, m, n, k)
        yield blocks, [In(x), In(w), In(b), Out(want, T, near)]
