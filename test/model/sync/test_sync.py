"""Flags and barriers: enough of them is silent, and each one that is left out is
found between the two instructions that it ordered."""
import numpy as np

from harness import In, InOut, Out, Scalar, covers, expect_failure, main, run

X = np.arange(2048, dtype=np.float32)
NOTHING, LOADED, COMPUTED_ONCE, COMPUTED, STORED, READ = range(6)


def chain(skip, soc):
    return dict(
        kernel="chain",
        ins=[X],
        outs=[("f32", 2049)],
        scalars=[("u32", 2048), ("u32", skip)],
        soc=soc,
        sanitize=True,
        auto_sync=False,
    )


@covers("SetFlag", "WaitFlag", "PipeBarrier", archs=(2002, 2201, 3510))
def test_enough():
    for soc in (2002, 2201, 3510):
        (y,) = run("sync.cpp", **chain(NOTHING, soc))
        np.testing.assert_array_equal(y[:-1], (X + 1) * 2)
        assert y[-1] == ((X[511::512] + 1) * 2).sum()


@covers("SetFlag", "WaitFlag", "PipeBarrier", archs=(2002, 2201, 3510))
def test_each_is_needed():
    for soc in (2002, 2201, 3510):
        expect_failure("missing-sync", "sync.cpp", line="// first", **chain(LOADED, soc))
        expect_failure("missing-sync", "sync.cpp", line="// store", **chain(COMPUTED, soc))
        expect_failure("missing-sync", "sync.cpp", line="// load", **chain(STORED, soc))
        expect_failure("missing-sync", "sync.cpp", line="// look", **chain(READ, soc))
        if soc == 3510:  # orders its vector instructions itself
            run("sync.cpp", **chain(COMPUTED_ONCE, soc))
        else:
            expect_failure(
                "missing-barrier", "sync.cpp", line="// second", **chain(COMPUTED_ONCE, soc)
            )


def locked(fault, soc=3510):
    args = [In(X), Out("f32", 2050), Scalar("u32", 2048), Scalar("u32", fault)]
    return dict(kernel="locked", args=args, soc=soc)


@covers("AllocMutexID", "ReleaseMutexID", archs=(3510,))
def test_mutex():
    (y,) = run("sync.cpp", sanitize=True, **locked(0))
    np.testing.assert_array_equal(y[:-2], X + 1)
    assert y[-2:].tolist() == [1, 1]
    expect_failure("event-id-range", "sync.cpp", line="// not held", **locked(1))
    expect_failure("event-id-range", "sync.cpp", line="// none left", **locked(2))


def test_mutex_is_of_3510_only():
    expect_failure("unsupported-api", "sync.cpp", **locked(0, soc=2201))


@covers("DataCacheCleanAndInvalid", dtypes=("int32_t",), archs=(2201, 3510))
def test_through_cache():
    for soc in (2201, 3510):
        args = [InOut(np.zeros(16 * 9, np.int32)), Out("i32", 9)]
        _, y = run("sync.cpp", "through_cache", args=args, blocks=9, soc=soc)
        assert y.tolist() == [100 + (i + 1) % 9 for i in range(9)]


if __name__ == "__main__":
    main()
