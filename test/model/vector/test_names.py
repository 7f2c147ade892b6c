"""Names below the API that public kernels use."""
import numpy as np

from harness import covers, main, run


@covers("DuplicateImpl", "DataCopyGM2UBImpl", "DataCopyUB2GMImpl", dtypes=("int16_t",))
def test_inside_the_library():
    x = np.random.default_rng(31).integers(-(2**15), 2**15, (16, 16)).astype(np.int16)
    local = np.full((16, 16), -1, np.int16)
    local[0:3], local[5:8] = x[0:3], x[4:7]
    local.ravel()[:40] = 7
    want = np.full((16, 16), -5, np.int16)
    want[0:2], want[3:5] = local[0:2], local[5:7]
    before = np.full((16, 16), -5, np.int16)
    (y,) = run("names.cpp", kernel="vadd", ins=[x], inouts=[before])
    np.testing.assert_array_equal(y, want)


@covers("sqrt", "sin", "cos", "exp", "log", "min", "max", dtypes=("float",))
def test_scalar_functions():
    a, b = np.float32(1.75), np.float32(-2.5)
    (y,) = run("names.cpp", kernel="sqrt", ins=[np.array([a, b])], outs=[("f32", 8)])
    want = [np.sqrt(a), np.sin(a), np.cos(a), np.exp(a), np.log(a), b, a, a + 2]
    np.testing.assert_allclose(y, want, rtol=3e-7)


if __name__ == "__main__":
    main()
