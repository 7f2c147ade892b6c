"""What all routines of the library have in common."""
import numpy as np
from harness import covers, expect_failure, main, run, to_bf16

X = np.linspace(-2, 2, 1024, dtype=np.float32)
IN_PLACE = dict(ins=[X[:64]], outs=[("f32", 64)])


def overlap(n, dst, tmp_at, tmp_size):
    return {"kernel": "overlap", "ins": [X], "outs": [("f32", 1024)],
            "scalars": [("u32", v) for v in (n, dst, tmp_at, tmp_size)]}


@covers("Tanh", forms=("overlap",))
def test_overlap():
    # The scratch memory over the source, over the result; the result over a part of
    # the source.
    for arguments, line in (((64, 512, 56, 64), "// with scratch"),
                            ((64, 512, 568, 64), "// with scratch"),
                            ((64, 8, 0, 0), "// without scratch")):
        expect_failure("operand-overlap", "contract.cpp", line=line,
                       **overlap(*arguments))


@covers("Tanh", forms=("in place", "scratch"), dtypes=("float",))
def test_no_overlap():
    # Side by side, and in place.
    for n, dst, tmp_at, tmp_size in ((64, 64, 128, 64), (64, 0, 64, 64)):
        got, = run("contract.cpp", **overlap(n, dst, tmp_at, tmp_size))
        want = X.copy()
        want[dst:dst + n] = np.tanh(X[:n])
        # What scratch memory held is gone: nobody may rely on it.
        spoiled = slice(tmp_at, tmp_at + tmp_size)
        assert np.all(np.isnan(got[spoiled]))
        want[spoiled] = np.nan
        np.testing.assert_allclose(got, want, rtol=1e-6)


def test_in_place():
    """The pages of most routines forbid it; that of Trunc allows it."""
    for kernel in ("in_place_tanh", "in_place_power"):
        expect_failure("operand-overlap", "contract.cpp", kernel=kernel,
                       line=f"// {kernel}", sanitize=True, **IN_PLACE)
    run("contract.cpp", kernel="in_place_trunc", sanitize=True, **IN_PLACE)


@covers("Sin", forms=("refused type",))
def test_types():
    x = np.zeros(64, np.int32)
    for kind, array, tag in (("int32_t", x, "i32"), ("bfloat16_t", to_bf16(x), "bf16")):
        expect_failure("unsupported-dtype", "contract.cpp", kernel=f"typed<{kind}>",
                       line="Sin(y, x, n)", contains=f"{kind} on arch 2201",
                       ins=[array], outs=[(tag, 64)], scalars=[("u32", 64)])


@covers("Sigmoid", forms=("mixed kernel",))
def test_mixed():
    y, = run("contract.cpp", kernel="mixed", ins=[X[:100]], outs=[("f32", 100)],
             scalars=[("u32", 100)])
    np.testing.assert_allclose(y, 1 / (1 + np.exp(-X[:100])), rtol=1e-6)


@covers("NumericLimits", "DivCeil", "AlignUp", "CeilDivision", "make_tuple")
def test_helpers():
    floats, integers = run("contract.cpp", kernel="limits",
                           outs=[("f32", 8), ("i64", 8)])
    single = np.finfo(np.float32)
    np.testing.assert_array_equal(
        floats, np.array([single.max, single.min, single.tiny, np.inf, -np.inf, np.nan,
                          single.smallest_subnormal, 65504], np.float32))
    assert list(integers) == [127, -128, 65535, -2**31, 11, 3, 9, 13]


if __name__ == "__main__":
    main()
