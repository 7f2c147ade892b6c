"""Functions of many threads: indices, barriers, warps, atomics, other units."""
import pathlib
import subprocess

import numpy as np
from harness import In, InOut, Out, Scalar, belay, expect_failure, main, run

SOC = 3510


def launch(kernel, *args, **more):
    return run("threads.cpp", kernel=kernel, args=list(args), soc=SOC, **more)


def test_indices_have_three_dimensions():
    for x, y, z in ((2048, 1, 1), (7, 1, 1), (8, 16, 4), (3, 5, 7)):
        n = x * y * z
        got, = launch("numbers", Out("i32", n), *(Scalar("u32", d) for d in (x, y, z)),
                      Scalar("i32", n))
        i = np.arange(n)
        np.testing.assert_array_equal(got, i % x + 100 * (i // x % y) + 10000 * (i // x // y))


def test_threads_that_return_early():
    got, = launch("numbers", InOut(np.full(64, -1, np.int32)), Scalar("u32", 64),
                  Scalar("u32", 1), Scalar("u32", 1), Scalar("i32", 40))
    np.testing.assert_array_equal(got, [*range(40), *[-1] * 24])


def test_too_many_threads():
    for x, y, z in ((2049, 1, 1), (64, 64, 1), (0, 1, 1), (65536, 65536, 1)):
        expect_failure("thread-count", "threads.cpp", kernel="numbers", soc=SOC,
                       args=[Out("i32", 8), *(Scalar("u32", d) for d in (x, y, z)),
                             Scalar("i32", 0)])


def test_loops_as_long_as_the_data_says():
    x = np.arange(1, 301, dtype=np.int32)

    def steps(v):
        n = 0
        while v != 1:
            v, n = (3 * v + 1 if v % 2 else v // 2), n + 1
        return n
    for blocks in (1, 2):
        got, = launch("steps", In(x), Out("i32", 300), Scalar("i32", 300), blocks=blocks)
        np.testing.assert_array_equal(got, [steps(int(v)) for v in x])


def test_barriers():
    for threads in (2, 32, 256, 2048):
        x = np.arange(threads, dtype=np.float32)
        got, = launch("total", In(x), Out("f32", 1), Scalar("u32", threads))
        assert got[0] == x.sum(), (threads, got)


def test_exchanges():
    for width in (32, 16, 8, 2):
        got, = launch("warps", Out("i32", 960), Scalar("i32", width))
        got = got.reshape(10, 96)
        t = np.arange(96)
        begin = t // width * width
        np.testing.assert_array_equal(got[0], begin + 5 % width)
        np.testing.assert_array_equal(got[1], np.where(t - 3 >= begin, t - 3, t))
        np.testing.assert_array_equal(got[2], np.where(t + 3 < begin + width, t + 3, t))
        lane = t % 32
        other = lane ^ 6
        ok = other < lane // width * width + width
        np.testing.assert_array_equal(got[3], np.where(ok, t - lane + other, t))
        warp = t // 32
        np.testing.assert_array_equal(got[4], warp * 1024 + 496)
        np.testing.assert_array_equal(got[5], -32 * warp)
        np.testing.assert_array_equal(got[6], -32 * warp - 31)
        votes = [sum(1 << l for l in range(32) if (32 * w + l) % 3 == 0) for w in range(3)]
        np.testing.assert_array_equal(got[7].view(np.uint32), np.repeat(votes, 32))
        np.testing.assert_array_equal(got[8], np.repeat([1, 1, 2], 32))
        np.testing.assert_array_equal(got[9], lane)


def test_exchanges_in_branches_and_loops():
    got, = launch("branches", InOut(np.full(256, -1, np.int32)))
    got = got.reshape(4, 64)
    t = np.arange(64)
    even = [sum(range(0, 32, 2)), sum(range(32, 64, 2))]
    np.testing.assert_array_equal(got[0], np.where(t % 2, 16, -np.array(even)[t // 32]))
    for i in t:
        warp = range(i // 32 * 32, i // 32 * 32 + 32)
        assert got[1][i] == sum(sum(o % 5 > r for o in warp) for r in range(i % 5)), i
    np.testing.assert_array_equal(got[2], 32)
    np.testing.assert_array_equal(got[3], np.where(t % 32 < 20, (1 << 20) - 1, -1))


def test_exchanges_of_half():
    x = np.random.default_rng(1).integers(-8, 8, 32).astype(np.float16)
    f = np.arange(32, dtype=np.float32)
    z, moved = launch("halves", In(x), Out("f16", 32), InOut(f))
    np.testing.assert_array_equal(z, x.sum())
    np.testing.assert_array_equal(moved, [*range(1, 32), 31])


def test_atomics_on_both_memories():
    x = np.random.default_rng(2).integers(0, 16, 8000).astype(np.int32)
    got, = launch("histogram", In(x), InOut(np.zeros(16, np.uint32)), Scalar("i32", 2000),
                  blocks=4)
    np.testing.assert_array_equal(got, np.bincount(x, minlength=16))


def test_each_atomic():
    u = np.array([5, 100000, 3, 50, 0, 0, 0xffffffff, 0, 0, 0, 0], np.uint32)
    got, f = launch("atomics", InOut(u), InOut(np.zeros(2, np.float32)))
    dec = 0
    for _ in range(100):
        dec = 9 if dec == 0 else dec - 1
    xor = 0
    for t in range(100):
        xor ^= t
    np.testing.assert_array_equal(
        got, [5 + 4950, 100000 - 4950, 99, 0, 0, dec, 0xffff0000, 0xffffffff, xor, 7, 8])
    np.testing.assert_array_equal(f, [50, 99])


def test_locks():
    lock, total = launch("locks", InOut(np.zeros(1, np.uint32)), InOut(np.zeros(1, np.int32)))
    assert lock[0] == 0 and total[0] == 64 * 63 // 2


def test_with_other_units():
    rng = np.random.default_rng(3)
    x = rng.standard_normal(5000).astype(np.float32)
    index = rng.integers(0, 5000, 1000).astype(np.int32)
    got, = launch("gathered", In(x), In(index), Out("f32", 1000), Scalar("i32", 1000))
    np.testing.assert_array_equal(got, x[index] * 2)


def test_time_is_unknown():
    source = pathlib.Path(__file__).parent / "threads.cpp"
    done = subprocess.run(
        [belay(), "run", str(source), "--soc", "Ascend950PR_9599", "--kernel", "total", "--in",
         "f32:64=ones", "--out", "f32:1", "--scalar", "u32=64", "--time"],
        capture_output=True, text=True, check=False)
    assert done.returncode != 0 and "[time-unknown]" in done.stdout + done.stderr, done


if __name__ == "__main__":
    main()
