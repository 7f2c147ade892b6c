"""What an instruction may do with a tensor, and what the bytes of it hold."""
import numpy as np
from harness import expect_failure, main, run

X = np.random.default_rng(2).standard_normal(512).astype(np.float32)


def arguments(kernel, defect, x=X):
    scalars = [] if defect is None else [("u32", defect)]
    return dict(kernel=kernel, ins=[x], outs=[("f32", 512)], scalars=scalars,
                sanitize=True, allow_unwritten=["all"])


def finds(ident, kernel, defect, line, x=X):
    return expect_failure(ident, "tensors.cpp", line=line,
                          **arguments(kernel, defect, x))


def silent(kernel, defect=0, x=X):
    return run("tensors.cpp", **arguments(kernel, defect, x))


def test_lifetime():
    z, = silent("lifetime")
    np.testing.assert_allclose(z, X + 1, rtol=1e-6)
    finds("use-after-free", "lifetime", 1, "// used late")
    finds("use-after-free", "lifetime", 1, "// freed early")
    finds("use-after-free", "lifetime", 2, "// the buffer has a new owner")


def test_leak():
    silent("leak")
    finds("tensor-leak", "leak", 1, "// leaked")


def test_extent():
    silent("extent")
    finds("tensor-out-of-bounds", "extent", 1, "// past the tensor")


def test_slices():
    for offset in (0, 4 * 512):
        silent("slices", offset)
    for offset in (4 * 512 + 32, 8 * 512):
        finds("tensor-out-of-bounds", "slices", offset, "// past the buffer")
        finds("tensor-out-of-bounds", "slices", offset, "// taken")
    silent("crossing", 0)
    finds("slice-overlap", "crossing", 1, "// what late has overwritten")
    silent("long_slice", 512)
    finds("tensor-out-of-bounds", "long_slice", 513, "// more than the buffer")


def test_values():
    silent("values")
    silent("values", 2)
    finds("uninitialised-read", "values", 1, "// stores what nobody wrote")


def test_scalar_value():
    silent("scalar_value")
    finds("uninitialised-read", "scalar_value", 1, "// branches on what")


def test_types():
    silent("types")
    finds("type-confusion", "types", 1, "// floats as halves")
    silent("host_type", None)
    finds("type-confusion", "host_type", None, "// the argument's type",
          x=X.astype(np.float16))


def test_overlap():
    silent("overlap", 0)
    silent("overlap", 256)
    finds("partial-overlap", "overlap", 8, "// onto itself")


if __name__ == "__main__":
    main()
