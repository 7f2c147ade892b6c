"""Products of matrices that were not loaded whole: what lies inside m, n and k counts."""
import numpy as np
from harness import In, Out, Scalar, expect_failure, main, run

rng = np.random.default_rng(3)
A = rng.standard_normal((32, 32)).astype(np.float16)
B = rng.standard_normal((32, 32)).astype(np.float16)


def launch(loaded, product, out, zero=1):
    numbers = [*loaded, *product, zero, *out]
    args = [In(A), In(B), Out("f32", (32, 32)), *(Scalar("u32", n) for n in numbers)]
    return dict(kernel="product", args=args, sanitize=True, allow_unwritten=["all"])


def silent(*how):
    (c,) = run("products.cpp", **launch(*how))
    k, (rows, cols) = how[1][2], how[2]
    expected = A[:rows, :k].astype(np.float32) @ B[:cols, :k].astype(np.float32).T
    np.testing.assert_allclose(c[:rows, :cols], expected, rtol=1e-3, atol=1e-3)


def finds(*how):
    return expect_failure("uninitialised-read", "products.cpp", line="// carries out",
                          **launch(*how))


def test_padding_does_not_matter():
    silent((32, 32, 32), (32, 32, 32), (32, 32))
    # Rows and columns of fractals outside the matrix, and k that ends in one.
    silent((20, 32, 32), (20, 32, 32), (20, 32))
    silent((32, 20, 32), (32, 20, 32), (32, 20))
    silent((20, 20, 20), (20, 20, 20), (20, 20))


def test_computed_and_not_stored_does_not_matter():
    silent((20, 32, 32), (32, 32, 32), (20, 32))
    silent((32, 20, 32), (32, 32, 32), (32, 20))


def test_a_row_or_column_that_is_stored():
    finds((20, 32, 32), (32, 32, 32), (21, 32))
    finds((32, 20, 32), (32, 32, 32), (32, 21))


def test_inside_k():
    silent((32, 32, 17), (32, 32, 17), (32, 32))
    silent((32, 32, 24), (32, 32, 24), (32, 32))
    # The copy fills blocks of 16 columns with zeros; the next one has no value.
    finds((32, 32, 16), (32, 32, 17), (32, 32))


def test_what_it_adds_to():
    finds((32, 32, 32), (32, 32, 32), (32, 32), 0)
    finds((20, 32, 32), (20, 32, 32), (20, 32), 0)


if __name__ == "__main__":
    main()
