"""Operations of the language that no example uses, kernels of Inputs: what each has to compute.
test_emitted.py runs them."""
import numpy as np
import torch

from emitted import PRODUCTS, ROWS, SIZES, View, factors, normal, operation, out, rounded, tensor


@operation(1e-5, 1e-6)
def products():
    for cores, rows in ROWS[1:4]:
        x = normal(30, rows, 50) * 0.1 + 1
        yield cores, [View(x), out(torch.prod(torch.from_numpy(x).double(), 1).float())]


@operation()
def integers():
    for cores, rows in ROWS[1:6]:
        x = np.random.default_rng(31).integers(-(2**24), 2**24, (rows, 50)).astype(np.int32)
        t = torch.from_numpy(x)
        yield cores, [View(x), out(t.sum(1).to(torch.int32)), out(t.max(1).values)]


@operation()
def places():
    """The first of several that are equal, row by row."""
    for seed in range(6):
        x = np.random.default_rng(seed).integers(-20, 21, (7, 50)).astype(np.float32)
        yield 2, [View(x, open=()), out(np.array([x.argmax(), x.argmin()], np.int32), open=())]


@operation()
def far_places():
    """In rows of many repeats, the first of several that are equal: in one repeat, and in others."""
    for cores, rows in ROWS[1:]:
        x = np.random.default_rng(32).integers(-300, 301, (rows, 1536)).astype(np.float32)
        x[0, [70, 129, 1535]] = 1000
        x[-1] = -np.inf
        yield cores, [View(x), out(x.argmax(1).astype(np.int32)), out(x.argmin(1).astype(np.int32))]


@operation(1e-5, 1e-6)
def powers():
    for cores, n in SIZES[1:4]:
        x = normal(32, n)
        t = tensor(x)
        yield cores, [View(x), out(torch.pow(t.abs(), 2.5) + torch.pow(t.abs() + 0.5, t))]


@operation()
def far_indices():
    table = normal(33, 11, 32, dtype=np.float16)
    ids = np.array([3, 2**32 + 3, -1, 10, 11, 0, 2**40, 7], np.int64)
    good = (ids >= 0) & (ids < 11)
    yield 2, [View(table), View(ids), out(np.where(good[:, None], table[np.where(good, ids, 0)], 0))]


@operation()
def turned():
    for cores, rows, cols in ((1, 1, 1), (3, 40, 20), (2, 65, 17)):
        x = normal(34, rows, cols)
        yield cores, [View(x, open=(0, 1)), out(np.ascontiguousarray(x.T), open=(0, 1))]


@operation()
def many_rows():
    x = normal(35, 4490, 16, dtype=np.float16)
    yield 1, [View(x), out(x)]


@operation(1e-5, 1e-6)
def scans():
    for cores, rows in ROWS[1:4]:
        x = normal(36, rows, 50)
        t = torch.from_numpy(x)
        yield cores, [View(x), out(torch.cummax(t, 1).values), out(torch.cumprod(t.double(), 1).float())]


@operation(file="bits", archs=(2201, 3510))  # the 310P has no shifts
def bits():
    for cores, n in SIZES[1:4]:
        x = np.random.default_rng(37).integers(-(2**24), 2**24, n).astype(np.int32)
        yield cores, [View(x), out(((x << 2) & (x >> 1)) | ~x)]


@operation()
def widened():
    for cores, rows in ROWS[1:4]:
        x = normal(38, rows, 50, dtype=np.float16)
        yield cores, [View(x), out(x.astype(np.float32) * 2)]


@operation()
def masks():
    # In whole words: the sanitizer sees what And does to 16 bits, not to each.
    for cores, n in ((2, 64), (3, 8192), (2, 2064)):
        x = normal(39, n)
        chosen = ((x > 0.5) | ~(x > -0.5)) & (x < 1.5)
        yield cores, [View(x), out(np.where(chosen, x, x * np.float32(10)))]


@operation()
def triangle():
    for cores, m, n in ((1, 0, 5), (2, 3, 0), (1, 1, 1), (2, 1, 90), (3, 50, 1), (3, 33, 81)):
        x = normal(40, m, n)
        yield cores, [View(x, open=(0, 1)), out(np.tril(np.minimum(x, np.float32(2))), open=(0, 1))]


# --- products ---------------------------------------------------------------------


def of_bytes(transposed):
    for cores, m, n, k in PRODUCTS:
        (a, left), (b, right) = factors(np.int8, 60, *((k, m) if transposed else (m, k))), factors(np.int8, 61, k, n)
        want = ((left.T if transposed else left) @ right).astype(np.int32)
        yield cores, [View(a, open=(0, 1)), View(b, open=(0, 1)), out(want, open=(0, 1))]


@operation(file="bytes_right", archs=(2201, 3510))
def bytes_right():
    yield from of_bytes(False)


@operation(file="bytes_left", archs=(3510,))  # 2201 transposes bytes for the right operand only
def bytes_left():
    yield from of_bytes(True)


@operation(1e-5, 5e-5, file="products")
def added():
    for cores, m, n, k in PRODUCTS:
        (a, left), (b, right) = factors(np.float16, 56, m, k), factors(np.float16, 57, k, n)
        c = normal(58, m, n)
        yield cores, [View(a, open=(0, 1)), View(b, open=(0, 1)),
                      View(c, c + (left @ right).astype(np.float32), open=(0, 1))]


def of_halves(seed):
    for cores, m, n, k in PRODUCTS:
        (a, left), (b, right) = factors(np.float16, seed, m, k), factors(np.float16, seed + 1, k, n)
        want = (left @ right).astype(np.float32)
        yield cores, [View(a, open=(0, 1)), View(b, open=(0, 1)), out(want, open=(0, 1))]


@operation(1e-5, 5e-5, file="products")
def one_row():
    yield from of_halves(64)


@operation(2e-3, 2e-3, file="products")
def large():
    for cores, m, n, k in ((1, 128, 256, 512), (2, 130, 270, 300)):
        (a, left), (b, right) = factors(np.float16, 62, m, k), factors(np.float16, 63, n, k)
        want = rounded(left @ right.T, np.float16)
        yield cores, [View(a, open=(0, 1)), View(b, open=(0, 1)), out(want, open=(0, 1))]


# --- running them ----------------------------------------------------------------


# --- loops whose end depends on data ----------------------------------------------


def searched(first):
    for (cores, count), size in zip(ROWS, (5, 0, 1, 2, 31, 90, 64)):
        x, keys = normal(40, size), normal(41, count)
        want = np.array([next((i for i in (range(size) if first else range(size - 1, -1, -1))
                               if x[i] > key), size if first else -1) for key in keys], np.int32)
        yield cores, [View(x), View(keys), out(want)]


@operation(file="loops")
def first_above():
    yield from searched(True)


@operation(file="loops")
def last_above():
    yield from searched(False)


@operation(file="loops")
def halvings():
    for cores, count, scale in ((1, 12, 1000), (2, 0, 50), (3, 3, 1e6), (1, 5, 0.1)):
        x = np.abs(normal(42, 300) * np.float32(scale))
        t, largest = x.copy(), np.zeros(count, np.float32)
        for k in range(count):
            if t.max() > 1:
                largest[k], t = t.max(), t * np.float32(0.5)
        yield cores, [View(x, open=()), out(t, open=()), out(largest)]


@operation(file="loops")
def exchanged():
    for cores, n in ((1, 0), (2, 1), (3, 2), (1, 100), (1, 2**40)):
        x, y = normal(43, 96), normal(44, 96)
        pair = (y, x) if n.bit_length() % 2 else (x, y)
        yield cores, [View(x, pair[0], open=()), View(y, pair[1], open=()), np.int64(n)]


@operation(file="loops")
def doublings():
    for cores, n in ((1, 0), (3, 1), (2, 2), (2, 300), (3, 1025)):
        x = np.round(normal(45, n) * 8) / 8
        steps = max(n - 1, 0).bit_length()
        yield cores, [View(x), out((x + 2 * steps) * steps)]


@operation(file="loops")
def in_turn():
    for cores, n in ((1, 0), (3, 1), (2, 5), (3, 40)):
        x = normal(46, n)
        yield cores, [View(x, x + np.float32(1))]
