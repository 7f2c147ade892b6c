"""The host twins of examples/kernels against PyTorch: none, one, tails, idle cores."""
import pathlib
import sys

import numpy as np
import torch
from torch.nn import functional as F

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from twins import launch  # noqa: E402

CORES = (1, 3, 8)
SIZES = (0, 1, 63, 64, 1000, 20001)
ROWS = (0, 1, 3, 8, 17, 33)


def normal(*shape, dtype=np.float32, seed=1):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def close(got, want, rtol=1e-5, atol=1e-6):
    np.testing.assert_allclose(got, np.asarray(want), rtol=rtol, atol=atol)


def elementwise(name, reference, *scalars, dtype=np.float32, rtol=1e-5, atol=1e-6):
    for size in SIZES:
        for cores in CORES:
            x = normal(size, dtype=dtype)
            y = np.full_like(x, 7)
            assert launch(name, cores, x, y, *scalars)
            close(y, reference(torch.from_numpy(x.astype(np.float32)), *scalars), rtol, atol)


def test_vec_add():
    for name, dtype in (("f16", np.float16), ("f32", np.float32), ("i32", np.int32)):
        for size in SIZES:
            for cores in CORES:
                x, y = normal(size, seed=2) * 100, normal(size, seed=3) * 100
                x, y = x.astype(dtype), y.astype(dtype)
                z = np.zeros_like(x)
                assert launch(f"vec_add_{name}", cores, x, y, z)
                np.testing.assert_array_equal(z, x + y)
    assert not launch("vec_add_f32", 1, normal(5), normal(4), normal(5))


def test_elementwise():
    elementwise("relu", torch.relu)
    elementwise("gelu", F.gelu)
    elementwise("gelu_tanh", lambda t: 0.5 * t * (1 + torch.tanh(0.79788456 * (t + 0.044715 * t**3))),
                dtype=np.float16, rtol=2e-3, atol=1e-3)
    elementwise("swish", lambda t, b: t * torch.sigmoid(b * t), 1.5)


def test_axpy():
    for size in SIZES:
        x, y = normal(size), normal(size, seed=2)
        want = 2.5 * x + y
        assert launch("axpy", 3, 2.5, x, y)
        close(y, want)


def test_rows():
    for rows in ROWS:
        for cores in CORES:
            x = normal(rows, 100) * 10
            y = np.zeros_like(x)
            assert launch("softmax", cores, x, y)
            close(y, torch.softmax(torch.from_numpy(x), 1))
            x, g, b = normal(rows, 96, dtype=np.float16), normal(96), normal(96, seed=5)
            y = np.zeros_like(x)
            assert launch("layernorm", cores, x, g, b, y, 1e-5)
            t = torch.from_numpy(x.astype(np.float32))
            close(y, F.layer_norm(t, (96,), torch.from_numpy(g), torch.from_numpy(b), 1e-5), 2e-3, 2e-3)
            x = normal(rows, 96)
            y = np.zeros_like(x)
            assert launch("rmsnorm", cores, x, g, y, 1e-5)
            t = torch.from_numpy(x)
            close(y, t * torch.rsqrt((t * t).mean(1, keepdim=True) + 1e-5) * torch.from_numpy(g), 1e-4)
            x = normal(rows, 50)
            where = np.zeros(rows, np.int32)
            assert launch("argmax", cores, x, where)
            np.testing.assert_array_equal(where, x.argmax(1) if rows else where)
            target = np.random.default_rng(4).integers(0, 50, rows).astype(np.int32)
            loss = np.zeros(rows, np.float32)
            assert launch("cross_entropy", cores, x, target, loss)
            close(loss, F.cross_entropy(torch.from_numpy(x), torch.from_numpy(target).long(), reduction="none"))


def test_long_rows():
    for rows, cols in ((0, 5), (1, 1), (2, 8192), (3, 20001), (5, 63)):
        x = normal(rows, cols)
        y = np.zeros_like(x)
        assert launch("softmax_long", 2, x, y)
        close(y, torch.softmax(torch.from_numpy(x), 1))
        assert launch("cumsum", 2, x, y)
        close(y, np.cumsum(x.astype(np.float64), 1), 1e-3, 1e-3)


def test_reductions():
    for size in SIZES:
        for cores in CORES:
            x = normal(size)
            out = np.full(1, 9, np.float32)
            assert launch("reduce_one", cores, x, out)
            close(out, [x.astype(np.float64).sum()], 1e-4, 1e-3)
            out[:] = 9
            assert launch("reduce_all", cores, x, np.zeros(cores, np.float32), out)
            close(out, [x.astype(np.float64).sum()], 1e-4, 1e-3)


def test_indices():
    for count in ROWS:
        table = normal(11, 32, dtype=np.float16)
        ids = np.random.default_rng(6).integers(-2, 13, count).astype(np.int32)
        out = np.ones((count, 32), np.float16)
        assert launch("embedding", 3, table, ids, out)
        good = (ids >= 0) & (ids < 11)
        want = np.where(good[:, None], table[np.clip(ids, 0, 10)], 0)
        np.testing.assert_array_equal(out, want)
        x, sums = normal(count, 32), normal(11, 32, seed=7)
        want = torch.from_numpy(sums.copy()).index_add(
            0, torch.from_numpy(np.clip(ids, 0, 10)).long(), torch.from_numpy(x))
        assert launch("scatter_rows", 3, x, np.clip(ids, 0, 10), sums)
        close(sums, want, 1e-4, 1e-5)
        if not good.all():
            assert not launch("scatter_rows", 3, x, ids, sums)


def test_search():
    for count, size in ((0, 3), (5, 0), (40, 1), (17, 100)):
        table, keys = np.sort(normal(size)), normal(count, seed=8)
        places = np.full(count, 9, np.int32)
        assert launch("search_sorted", 3, table, keys, places)
        np.testing.assert_array_equal(places, np.searchsorted(table, keys))
    for size in SIZES:
        x = np.exp(normal(size) * 5)
        y = np.zeros_like(x)
        assert launch("square_root", 2, x, y)
        close(y, np.sqrt(x.astype(np.float64)), 2e-6, 0)


def test_planes():
    for rows, cols in ((0, 4), (1, 1), (64, 64), (65, 130), (200, 3)):
        x = normal(rows, cols, dtype=np.float16)
        y = np.zeros((cols, rows), np.float16)
        assert launch("transpose", 3, x, y)
        np.testing.assert_array_equal(y, x.T)
    for planes, rows in ((0, 3), (1, 1), (2, 5), (7, 4)):
        x = normal(planes, rows, 10)
        y = np.zeros((planes, rows * 3, 30), np.float32)
        assert launch("resize", 3, x, y)
        np.testing.assert_array_equal(y, x.repeat(3, 1).repeat(3, 2))
        x = normal(planes, rows * 2, 14)
        windows = x.reshape(planes, rows, 2, 7, 2)
        y = np.zeros((planes, rows, 7), np.float32)
        assert launch("avg_pool", 3, x, y)
        close(y, windows.mean((2, 4)))
        assert launch("max_pool", 3, x, y)
        np.testing.assert_array_equal(y, windows.max((2, 4)) if planes else y)


def test_adam():
    for size in SIZES:
        p, g, m, v = (normal(size, seed=s) for s in range(4))
        v = np.abs(v)
        rate, b1, b2, eps, step = 1e-2, 0.9, 0.99, 1e-6, 3
        m1, v1 = b1 * m + (1 - b1) * g, b2 * v + (1 - b2) * g * g
        c1, c2 = 1 / (1 - b1**step), 1 / (1 - b2**step)
        want = p - rate * c1 * m1 / (np.sqrt(v1 * c2) + eps)
        assert launch("adam", 3, p, g, m, v, rate, b1, b2, eps, c1, c2)
        for got, expected in ((p, want), (m, m1), (v, v1)):
            close(got, expected, 1e-4, 1e-5)


if __name__ == "__main__":
    tests = [(n, f) for n, f in sorted(globals().items()) if n.startswith("test_")]
    for name, function in tests:
        function()
        print("ok", name)
    print(len(tests), "passed")
