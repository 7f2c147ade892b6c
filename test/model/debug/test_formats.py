"""Printing, dumping, asserting, trapping; and counting bits."""
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from harness import covers, expect_failure, main, run  # noqa: E402

X = (np.arange(16) / 4).astype(np.float16)


def said(kernel):
    launch = run("formats.cpp", check=False, kernel=kernel, ins=[X])
    assert not launch.failure, launch.failure
    return launch.printed


@covers("printf", "PRINTF", dtypes=("half", "bfloat16_t", "float", "int32_t", "int64_t"))
def test_printf():
    text = said("print")
    for line in (
        "plain",
        "int -5 -3 7 ff 1099511627776",
        "real 1.500000 2.25 0.250000 3.000000",
        "text abc, share 50%",
        "wide [   42] [7   ] [0003.142]",
        "missing %d",
    ):
        assert line + "\n" in text, f"{line!r} is not in\n{text}"


@covers("DumpTensor", "DumpAccChkPoint", "asc_dump_gm", "asc_dump_ubuf", forms=("local", "global", "shape"), dtypes=("half",))
def test_dump():
    text = said("dump")
    for part in (
        "DumpTensor: desc=5, addr=0x0, data_type=float16, position=UB, dump_size=4\n"
        "[0.000000, 0.250000, 0.500000, 0.750000]\n",
        "desc=6, addr=0x0, data_type=float16, position=GM, dump_size=3\n"
        "[0.000000, 0.250000, 0.500000]\n",
        "dump_size=6\n[[0.000000,0.250000,0.500000],\n[0.750000,1.000000,1.250000]]\n",
        "shape is [2, 3], dumpSize is 4, data is not enough.\n"
        "[[0.000000,0.250000,0.500000],\n[0.750000,-,-]]\n",
        "shape is [2, 3], dumpSize is 8, dumpSize is greater than shapeSize.\n",
        "desc=10, addr=0x0, data_type=float16, position=GM, dump_size=2\n[1.000000, 1.250000]\n",
        "data_type=int16, position=UB, dump_size=2\n[0, 13312]\n",
        "desc=12, addr=0x0, data_type=float16, position=GM, dump_size=2\n[0.000000, 0.250000]\n",
        "desc=13, addr=0x0, data_type=float16, position=UB, dump_size=2\n[0.000000, 0.250000]\n",
        "desc=14, addr=0x0, data_type=float16, position=UB, dump_size=2\n[0.000000, 0.250000]\n",
    ):
        assert part in text, f"{part!r} is not in\n{text}"


@covers("assert", "ascendc_assert", "ASSERT", "Trap", forms=("fires", "holds"))
def test_stops():
    run("formats.cpp", kernel="stop", ins=[X], scalars=[("i32", 0)])

    def fails(how, ident, line, contains=()):
        expect_failure(ident, "formats.cpp", kernel="stop", ins=[X], scalars=[("i32", how)],
                       line=line, contains=contains)  # fmt: skip

    fails(1, "kernel-assert", "the plain one", "n == 11")
    fails(2, "kernel-assert", "the one with text", "n is 10.")
    fails(3, "kernel-assert", "the old one", "n == 12")
    fails(4, "kernel-trap", "the end")
    fails(5, "kernel-assert", None, "[KERNEL_ERROR] logged 10")


@covers("ScalarGetCountOfValue", "ScalarCountLeadingZero", "CountBitsCntSameAsSignBit",
        "ScalarGetSFFValue", "GetUintDivMagicAndShift")  # fmt: skip
def test_bits():
    (got,) = run("formats.cpp", kernel="bits", outs=[("i64", 16)])
    np.testing.assert_array_equal(got, [16, 48, 7, 64, 6, -1, 8, 8, -1, 0, 16, 48, 7, 6, 8, 8])


if __name__ == "__main__":
    main()
