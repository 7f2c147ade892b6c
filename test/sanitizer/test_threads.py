"""Functions of threads: who touches what, and what orders it."""
import numpy as np
from harness import In, InOut, expect_failure, main, run

X = np.random.default_rng(12).standard_normal(256).astype(np.float32)


def launch(kernel, wrong=False, check=True):
    return dict(kernel=kernel, args=[In(X), InOut(np.zeros(256, np.float32))], soc=3510,
                sanitize=check, defines={"WRONG": "1"} if wrong else {})


def safe(kernel):
    return run("threads.cpp", **launch(kernel))[0]


def unsafe(ident, line, kernel, *contains, check=True):
    safe(kernel)
    return expect_failure(ident, "threads.cpp", line=line, contains=contains,
                          **launch(kernel, wrong=True, check=check))


def test_bytes_of_one_word():
    unsafe("thread-race", "// another's byte", "words", "thread 40", "thread 41")


def test_one_of_many_readers():
    text = unsafe("thread-race", "// writes", "readers", "thread 200 writes", "read here")
    assert "threads.cpp:" in text


def test_an_exchange_orders_a_warp():
    text = unsafe("thread-race", "// takes", "warp")
    assert "uninitialised-read" not in text, text


def test_a_fence_and_an_atomic_order():
    np.testing.assert_array_equal(safe("handover")[0], X[0])
    unsafe("thread-race", "// receives", "handover", "thread 33 writes", "thread 0 reads")


def test_threads_have_three_numbers():
    unsafe("thread-race", "// overlaps", "grids", "thread (0, 1, 0)", "thread (8, 0, 0)")


def test_bounds():
    unsafe("tensor-out-of-bounds", "// leaves the buffer", "bounds", "thread 255", "1024 bytes")
    unsafe("gm-out-of-bounds", "// leaves global", "global_bounds")


def test_values():
    unsafe("uninitialised-read", "// has no value", "values", "thread 77")


def test_loads_and_stores_of_one_line():
    np.testing.assert_array_equal(safe("additions"), X)
    unsafe("thread-race", "// adds", "additions")


def test_barriers_at_two_places():
    # Also without --check: the device would wait for ever.
    for check in (True, False):
        unsafe("divergent-barrier", "// one", "places", "another one", check=check)


def test_barriers_in_helpers():
    np.testing.assert_array_equal(safe("helper"), np.where(np.arange(256) < 103, X, 2 * X))


if __name__ == "__main__":
    main()
