"""Casts that cut a number: found where it becomes a length, a count or an offset."""
import numpy as np
from harness import expect_failure, main, run

X = np.zeros(1024, np.float32)


def arguments(kernel, number):
    return dict(kernel=kernel, inouts=[X], scalars=[("u64", number)], sanitize=True)


def finds(kernel, number, line=None):
    return expect_failure("field-truncated", "casts.cpp", line=f"// {line or kernel.replace('_', ' ')}",
                          **arguments(kernel, number))


def silent(kernel, number):
    run("casts.cpp", **arguments(kernel, number))


def test_fields():
    for kernel in ("braces", "functional", "variable", "structure"):
        silent(kernel, 256)
        finds(kernel, (65536 + 8) * 8)


def test_wide_fields():
    silent("c_style", 256)
    finds("c_style", 2**30 + 8)


def test_functions():
    silent("result", 256)
    finds("result", (65536 + 8) * 8, "returned")
    silent("member", 256)
    finds("member", (65536 + 8) * 8, "in a member")


def test_numbers():
    silent("count", 256)
    finds("count", 2**32 + 64)
    silent("repeats", 256)
    finds("repeats", 257 * 64)
    silent("offset", 8)
    finds("offset", 2**32 + 8)
    silent("sum", 1)
    finds("sum", 2**32 + 1)


def test_on_purpose():
    for kernel in ("element", "hash", "low_bits"):
        for number in (1, 0x12345678, 0x1234567890ABCDEF):
            silent(kernel, number)
    silent("packed", 0x00010004)
    silent("packed", 0x1234567800010004)


if __name__ == "__main__":
    main()
