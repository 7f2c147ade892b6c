"""Vector functions over registers: what they touch, and what is in their registers."""
import numpy as np
from harness import In, InOut, Scalar, expect_failure, main, run

X = np.random.default_rng(11).standard_normal(256).astype(np.float32)


def launch(kernel, *scalars, wrong=False):
    args = [In(X), InOut(np.zeros(256, np.float32)), *(Scalar("u32", s) for s in scalars)]
    return dict(kernel=kernel, args=args, soc=3510, sanitize=True,
                defines={"WRONG": "1"} if wrong else {})


def safe(kernel, *scalars):
    return run("registers.cpp", **launch(kernel, *scalars))[0]


def unsafe(ident, line, kernel, *scalars, contains=()):
    expect_failure(ident, "registers.cpp", line=line, contains=contains,
                   **launch(kernel, *scalars, wrong=True))


def test_lanes_past_the_data_do_not_count():
    for n in (256, 200, 65, 1):
        np.testing.assert_array_equal(safe("tail", n, n)[:n], X[:n])


def test_stores_past_the_buffer():
    # The buffer has 256 elements, and another one follows it.
    unsafe("tensor-out-of-bounds", "// stores", "tail", 256, 300)


def test_bytes_without_a_value():
    unsafe("uninitialised-read", "// lets out", "unloaded", contains=["registers.cpp:31: read first"])


def test_registers_and_masks_without_a_value():
    safe("unwritten")
    unsafe("uninitialised-read", "// adds", "unwritten")
    safe("unmasked")
    unsafe("uninitialised-read", "// reads mask", "unmasked")


def test_order_inside_a_function():
    np.testing.assert_array_equal(safe("unordered")[:64], X[:64] + 1 + 1)
    unsafe("missing-barrier", "// reads back", "unordered", contains=["LocalMemBar"])
    safe("ordered")


def test_unaligned_registers():
    np.testing.assert_array_equal(safe("unfinished")[:50], X[:50])
    unsafe("register-state", "// keeps some back", "unfinished")
    np.testing.assert_array_equal(safe("unprepared")[:64], X[3:67])
    unsafe("register-state", "// nothing held", "unprepared")


def test_flags_around_a_function():
    np.testing.assert_array_equal(safe("flags", 1, 1), X)
    unsafe("missing-sync", "// loads", "flags", 0, 1, contains=["PIPE_MTE2"])
    unsafe("missing-sync", "// copies out", "flags", 1, 0, contains=["PIPE_V"])


if __name__ == "__main__":
    main()
