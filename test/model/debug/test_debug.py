"""printf, DumpTensor, assertions, trap."""
import numpy as np

from harness import covers, expect_failure, main, run

X = np.arange(16, dtype=np.float32) / 4


@covers("printf", "DumpTensor", dtypes=("float", "int32_t"), archs=(2002, 2201, 3510))
def test_say():
    for soc in (2002, 2201, 3510):
        launch = run("debug.cpp", "say", ins=[X], soc=soc, check=False)
        assert not launch.failure, launch.failure
        lines = [line.strip() for line in launch.printed.splitlines() if line.strip()]
        assert lines[:3] == [
            "block 0 of 1",
            "7 ff  1.50 text 100%",
            "0.500000 -3 -5000000000 18446744073709551615",
        ]
        bits = ", ".join(map(str, X[:2].view(np.int32)))
        dumps = [
            ("desc=5", "float32", "UB", "[0.000000, 0.250000, 0.500000, 0.750000]"),
            ("desc=6", "int32", "UB", f"[{bits}]"),
            ("desc=7", "float32", "GM", "[2.000000, 2.250000, 2.500000]"),
        ]
        for n, (desc, dtype, where, values) in enumerate(dumps):
            head, body = lines[3 + 2 * n : 5 + 2 * n]
            assert desc in head and f"data_type={dtype}" in head, head
            assert f"position={where}" in head, head
            assert body == values
        assert "desc=8" in lines[9]
        assert lines[10:] == [
            "[[0.000000,0.250000,0.500000],",
            "[0.750000,1.000000,1.250000]]",
        ]


def test_every_block_speaks():
    launch = run("debug.cpp", "say", ins=[X], blocks=3, check=False)
    for block in range(3):
        assert f"block {block} of 3\n" in launch.printed


def stop(how, bad):
    return dict(kernel="stop", ins=[X], scalars=[("u32", how), ("bool", bad)])


@covers("Trap")
def test_stop():
    cases = [
        ("kernel-assert", 0, "plain", "three == 3"),
        ("kernel-assert", 1, "with text", "three is 2"),
        ("kernel-assert", 2, "handler", "three == 3"),
        ("kernel-assert", 5, "old", "three == 3"),
        ("kernel-trap", 3, "trap", ""),
        ("kernel-trap", 4, "Trap", ""),
        ("kernel-trap", 6, "asm", ""),
    ]
    for ident, how, line, text in cases:
        run("debug.cpp", **stop(how, False))
        said = expect_failure(
            ident, "debug.cpp", line=f"; // {line}", contains=text, **stop(how, True)
        )
        assert ("logged 2" in said) == (how == 2), said


if __name__ == "__main__":
    main()
