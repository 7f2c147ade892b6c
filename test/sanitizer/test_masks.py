"""Values flow through masks: lanes past the tail may be compared and selected, but
not stored."""
import numpy as np
from harness import InOut, In, Scalar, expect_failure, main, run

X = np.random.default_rng(3).standard_normal(256).astype(np.float32)


def arguments(loaded, stored):
    args = [In(X), InOut(np.zeros(256, np.float32))]
    args += [Scalar("u32", loaded), Scalar("u32", stored)]
    return dict(kernel="choose", args=args, sanitize=True)


def test_tail_is_no_fault():
    for count in (256, 203, 200, 3):
        (y,) = run("masks.cpp", **arguments(count, count))
        np.testing.assert_array_equal(y[:count], np.maximum(X, 0)[:count])


def test_lanes_without_value_are_found():
    # The copy fills up the last block, so the first lane without value is 208.
    expect_failure(
        "uninitialised-read", "masks.cpp", line="// leaves", **arguments(203, 209)
    )


if __name__ == "__main__":
    main()
