"""Vector functions over registers against NumPy, with and without the sanitizer."""
import numpy as np
from harness import In, InOut, Scalar, covers, main, run

SOC = 3510
OPS = ("ADD SUB MUL DIV MAX MIN ADDS MULS MAXS ABS EXP RELU FILL SELECT COPY MULADD AXPY "
       "SHIFT").split()
# Types other than float, which has all but shifts.
SOME = {np.float16: ("ADD", "SELECT", "MULADD"), np.int16: ("MUL", "ABS"),
        np.int32: ("DIV", "MAX"), np.uint16: ("ADDS", "SHIFT")}
CTYPE = {"float16": "half", "float32": "float"}


def ctype(dtype):
    return CTYPE.get(np.dtype(dtype).name, f"{np.dtype(dtype).name}_t")


def numbers(dtype, n, seed):
    rng = np.random.default_rng(seed)
    if np.issubdtype(dtype, np.floating):
        return rng.uniform(-4, 4, n).astype(dtype)
    return rng.integers(-9 if np.issubdtype(dtype, np.signedinteger) else 1, 9, n).astype(dtype)


def launch(kernel, ins, z, scalars=()):
    """Sanitised, so that every launch is a safe one; and plain, with the same result."""
    args = [*map(In, ins), InOut(z), *(Scalar("u32", s) for s in scalars)]
    (checked,) = run("registers.cpp", kernel=kernel, args=args, soc=SOC, sanitize=True)
    (plain,) = run("registers.cpp", kernel=kernel, args=args, soc=SOC)
    np.testing.assert_array_equal(checked, plain)
    return plain


def expected(op, x, y):
    with np.errstate(all="ignore"):
        three = x.dtype.type(3)
        return {
            "ADD": lambda: x + y, "SUB": lambda: x - y, "MUL": lambda: x * y,
            "DIV": lambda: x / y if x.dtype.kind == "f" else np.trunc(x / y).astype(x.dtype),
            "MAX": lambda: np.maximum(x, y), "MIN": lambda: np.minimum(x, y),
            "ADDS": lambda: x + three, "MULS": lambda: x * three,
            "MAXS": lambda: np.maximum(x, x.dtype.type(1)), "ABS": lambda: np.abs(x),
            "EXP": lambda: np.exp(x.astype(np.float32)).astype(x.dtype),
            "RELU": lambda: np.maximum(x, x.dtype.type(0)),
            "FILL": lambda: np.full_like(x, 7), "SELECT": lambda: np.where(x > y, x, y),
            "COPY": lambda: x,
            "MULADD": lambda: x * y + x.dtype.type(2), "AXPY": lambda: x * three + x.dtype.type(2),
            "SHIFT": lambda: x << x.dtype.type(2),
        }[op]()


@covers("Add", "Sub", "Mul", "Div", "Max", "Min", "Adds", "Muls", "Abs", "Exp", "Relu",
        forms=("register",), dtypes=("half", "float", "int16_t", "int32_t"), archs=(3510,),
        tail=True)
def test_elements():
    for dtype in (np.float32, np.float16, np.int16, np.int32, np.uint16):
        for number, op in enumerate(OPS):
            if op not in (OPS[:-1] if dtype == np.float32 else SOME[dtype]):
                continue
            n = 300
            x, y = numbers(dtype, n, number), numbers(dtype, n, number + 100)
            y[y == 0] = 1
            z = launch(f"elementwise<{ctype(dtype)}, {number}>", [x, y], np.zeros(n, dtype), [n])
            want = expected(op, x, y)
            if op in ("EXP", "MULADD"):
                np.testing.assert_allclose(z, want, rtol=2e-3 if dtype == np.float16 else 1e-6,
                                           atol=1e-2 if dtype == np.float16 else 1e-6, err_msg=op)
            else:
                np.testing.assert_array_equal(z, want, err_msg=f"{op} {dtype}")


def test_masks_merge_or_clear():
    x, y = numbers(np.float32, 64, 1), numbers(np.float32, 64, 2)
    z = launch("merge", [x, y], np.full(192, 9, np.float32))
    third = np.arange(64) % 3 == 0
    np.testing.assert_array_equal(z[:64], np.where(third, np.maximum(x, y), 5))
    np.testing.assert_array_equal(z[64:128], np.where(third, np.maximum(x, y), 0))
    np.testing.assert_array_equal(z[128:], np.where(third, x, 9))


def test_conversions():
    n = 128
    x, y = numbers(np.float16, n, 3), numbers(np.float32, n, 4) * 20000
    z = launch("converts", [x, y], np.zeros(2 * n, np.float32), [n])
    np.testing.assert_array_equal(z[:n], x.astype(np.float32))
    np.testing.assert_array_equal(z[n : n + n // 2].view(np.float16),
                                  np.clip(y, -65504, 65504).astype(np.float16))
    np.testing.assert_array_equal(z[n + n // 2 :].view(np.int16),
                                  np.clip(np.rint(y), -32768, 32767).astype(np.int16))


def test_distributions():
    x = np.arange(256, dtype=np.int16)
    z = launch("spreads", [x, x[:16]], np.full(13 * 128, -1, np.int16)).reshape(13, 128)
    np.testing.assert_array_equal(z[0], 3)
    np.testing.assert_array_equal(z[1], np.repeat(x[:64], 2))
    np.testing.assert_array_equal(z[2], x[::2])
    np.testing.assert_array_equal(z[3], np.stack([x[:64], 0 * x[:64]], 1).ravel())
    np.testing.assert_array_equal(z[4], np.tile(x[16:32], 8))
    np.testing.assert_array_equal(z[5], np.repeat(x[:8], 16))
    np.testing.assert_array_equal(z[6], x[::2])
    np.testing.assert_array_equal(z[7], x[1::2])
    np.testing.assert_array_equal(z[8:10].ravel(), np.stack([x[1::2], x[::2]], 1).ravel())
    np.testing.assert_array_equal(z[10, :3], [-1, 0, -1])
    blocks = z[11:].reshape(16, 16)
    np.testing.assert_array_equal(blocks[::2], x.reshape(16, 16)[::2])
    np.testing.assert_array_equal(blocks[1::2], -1)


def test_places():
    rng = np.random.default_rng(5)
    x = rng.integers(-50, 50, 128).astype(np.int32)
    index = rng.permutation(64).astype(np.uint32)
    z = launch("moves", [x, index], np.zeros(13 * 64, np.int32)).reshape(13, 64)
    a, b = x[:64], x[64:]
    np.testing.assert_array_equal(z[0:2].ravel(), np.stack([a, b], 1).ravel())
    np.testing.assert_array_equal(z[2:4].ravel(), np.concatenate([x[::2], x[1::2]]))
    np.testing.assert_array_equal(z[4], x[index])
    np.testing.assert_array_equal(z[5], a[index])
    np.testing.assert_array_equal(z[6], 10 + np.arange(64))
    np.testing.assert_array_equal(z[7], 10 + np.arange(64)[::-1])
    kept = a[a > 0]
    np.testing.assert_array_equal(z[8], np.concatenate([kept, np.zeros(64 - len(kept), np.int32)]))
    np.testing.assert_array_equal(z[9], np.where(a > 0, b, a))
    np.testing.assert_array_equal(z[10], np.concatenate([[0], np.cumsum(a > 0)[:-1]]))
    np.testing.assert_array_equal(z[11], a[0])
    np.testing.assert_array_equal(z[12][index], a)


def tree(values):
    """Neighbours first, in the type of the elements."""
    values = np.concatenate([values, np.zeros(-len(values) % 64, values.dtype)])
    while len(values) > 1:
        values = values[::2] + values[1::2]
    return values[0]


def test_reductions():
    x = numbers(np.float32, 50, 6)
    z = launch("reduces<float, float>", [x, x[:16]], np.zeros(256, np.float32), [50])
    z = z.reshape(4, 64)
    assert z[0, 0] == tree(x) and not z[0, 1:].any()
    padded = np.concatenate([x, np.zeros(14, np.float32)]).reshape(8, 8)
    np.testing.assert_array_equal(z[1, :8], [tree(np.append(b, np.zeros(56, np.float32)))
                                             for b in padded])
    assert z[2, 0] == x.max() and z[2].view(np.uint32)[1] == x.argmax()
    assert z[3, 0] == x.min() and z[3].view(np.uint32)[1] == x.argmin()
    y = np.arange(-40, 60, dtype=np.int16) * 300
    z = launch("reduces<int32_t, int16_t>", [y, y[:16]], np.zeros(256, np.int32), [100])
    assert z[0] == y.astype(np.int32).sum()


def test_unaligned():
    x = np.arange(256, dtype=np.float32)
    for start, to in ((0, 0), (3, 0), (0, 5), (7, 9), (8, 16)):
        z = launch("anywhere", [x, x[:16]], np.full(256, -1, np.float32), [start, to])
        want = np.full(256, -1, np.float32)
        want[to : to + 192] = x[start : start + 192]
        np.testing.assert_array_equal(z, want)


def test_squeezed_stores():
    x = numbers(np.float32, 256, 7)
    z = launch("squeezes", [x, x[:16]], np.full(256, -1, np.float32))
    kept = x[x > 0]
    np.testing.assert_array_equal(z[: len(kept)], kept)
    assert (z[len(kept) :] == -1).all()


def test_order_inside_a_function():
    x = numbers(np.float32, 64, 8)
    z = launch("chain", [x, x[:16]], x.copy())
    np.testing.assert_array_equal(z, x + 5)


if __name__ == "__main__":
    main()
