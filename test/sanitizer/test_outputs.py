"""Every element of an output is written, unless the case says otherwise."""
import numpy as np
from harness import In, InOut, Out, Scalar, expect_failure, main, run

X = np.arange(256, dtype=np.int16)


def launch(first, count, out=None, **kwargs):
    args = [In(X), out or Out("i16", 256), Scalar("u32", first), Scalar("u32", count)]
    return dict(kernel="part", args=args, sanitize=True, **kwargs)


def test_whole():
    z, = run("outputs.cpp", **launch(0, 256))
    np.testing.assert_array_equal(z, X)


def test_parts():
    text = expect_failure("unwritten-output", "outputs.cpp", line="// stores a part",
                          **launch(0, 200))
    assert "56 of the 256 elements of output 'z'" in text and "z[200]" in text, text
    # Nothing is stored in front of the first; nothing at all.
    for first, count in ((13, 243), (0, 0)):
        text = expect_failure("unwritten-output", "outputs.cpp", **launch(first, count))
        assert f"{256 - count} of the 256" in text and "z[0]" in text, text


def test_allowed():
    for names in (["z"], ["all"]):
        z, = run("outputs.cpp", **launch(0, 200, allow_unwritten=names))
        np.testing.assert_array_equal(z[:200], X[:200])
    expect_failure("argument-mismatch", "outputs.cpp",
                   **launch(0, 200, allow_unwritten=["y"]))


def test_changed_in_parts():
    run("outputs.cpp", **launch(0, 200, InOut(np.zeros(256, np.int16))))


def test_only_with_check():
    run("outputs.cpp", **{**launch(0, 200), "sanitize": False})


if __name__ == "__main__":
    main()
