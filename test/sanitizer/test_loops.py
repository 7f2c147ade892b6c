"""All iterations of a copy in loops count, not only the first."""
import numpy as np

from harness import expect_failure, main, run

X = np.arange(128, dtype=np.float32)
CALL = dict(ins=[X], outs=[("f32", 8)], soc=3510, sanitize=True)


def test_last_iteration():
    (y,) = run("loops.cpp", scalars=[("bool", 1)], **CALL)
    np.testing.assert_array_equal(y, X[120:] + 1)
    expect_failure(
        "missing-sync", "loops.cpp", line="// read", scalars=[("bool", 0)], **CALL
    )


if __name__ == "__main__":
    main()
