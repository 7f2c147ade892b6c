"""What the cube orders by itself: large products, and unit flags on both sides."""
import numpy as np
from harness import In, Out, Scalar, expect_failure, main, run

rng = np.random.default_rng(5)


def arguments(rows, cols, barriers, mmad_flag, fix_flag, wait):
    # Two steps of 16 columns; each step's fractals lie one below the other.
    a = rng.standard_normal((2, rows, 16)).astype(np.float16)
    b = rng.standard_normal((2, cols, 16)).astype(np.float16)
    numbers = [rows, cols, barriers, mmad_flag, fix_flag, wait]
    args = [In(a), In(b), Out("f32", (2, rows, cols)), *(Scalar("u32", n) for n in numbers)]
    expected = sum(x.astype(np.float32) @ y.astype(np.float32).T for x, y in zip(a, b))
    return dict(kernel="product", args=args, sanitize=True), expected


def silent(*how):
    launch, expected = arguments(*how)
    (c,) = run("cube.cpp", **launch)
    for part in c:
        np.testing.assert_allclose(part, expected, rtol=1e-3, atol=1e-3)


def finds(ident, line, *how):
    launch, _ = arguments(*how)
    return expect_failure(ident, "cube.cpp", line=line, **launch)


def test_small_products_need_a_barrier():
    silent(16, 16, 1, 0, 0, 1)
    finds("missing-barrier", "// multiplies", 16, 16, 0, 0, 0, 1)
    finds("missing-barrier", "// multiplies", 48, 48, 0, 0, 0, 1)


def test_large_products_do_not():
    silent(32, 80, 0, 0, 0, 1)
    silent(64, 64, 0, 0, 0, 1)


def test_unit_flags():
    silent(64, 64, 0, 1, 1, 0)
    silent(16, 16, 1, 1, 1, 0)
    finds("missing-sync", "// hands over", 64, 64, 1, 0, 0, 0)
    finds("missing-sync", "// hands over", 64, 64, 1, 1, 0, 0)
    finds("missing-sync", "// hands over", 64, 64, 1, 0, 1, 0)
    finds("missing-barrier", "// multiplies", 16, 16, 0, 1, 1, 0)


if __name__ == "__main__":
    main()
