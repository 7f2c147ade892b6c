"""What the host tells a kernel: tiling data, workspace, tiling key, task type."""
import numpy as np

from harness import InOut, Scalar, covers, expect_failure, main, run

TILING = {
    "rows": 37,
    "columns": 1 << 33,
    "scale": 0.25,
    "sign": -3,
    "dims": [2, 3, 4, 5],
    "inner": {"small": [-1, 0, 1], "real": 1.5},
}
VALUES = [37, 2.0**33, 0.25, -3, 2, 3, 4, 5, -1, 0, 1, 1.5]


@covers("GET_TILING_DATA", forms=("default", "with struct", "member", "by value"))
def test_tiling():
    for kernel, scale in (("by_default", 1), ("by_name", 2), ("by_value", 1)):
        (y,) = run(
            "task.cpp",
            kernel=kernel,
            outs=[("f32", 16)],
            tiling=TILING,
            tiling_struct="Tiling",
        )
        expected = list(VALUES)
        expected[2] *= scale
        np.testing.assert_array_equal(y[:12], np.float32(expected), err_msg=kernel)


def test_unnamed_fields_are_zero():
    (y,) = run(
        "task.cpp",
        kernel="by_default",
        outs=[("f32", 16)],
        tiling={"sign": 5},
        tiling_struct="Tiling",
    )
    assert y[:12].tolist() == [0, 0, 0, 5] + [0] * 8


def test_unknown_field():
    expect_failure(
        "tiling-mismatch",
        "task.cpp",
        kernel="by_default",
        outs=[("f32", 16)],
        tiling={"columns": 1, "colums": 1},
        tiling_struct="Tiling",
        contains="colums",
    )


def test_workspace():
    (y,) = run(
        "task.cpp",
        kernel="through_workspace",
        outs=[("f32", 16)],
        workspace=4096,
        tiling={"rows": 1024, "scale": 0.5},
        tiling_struct="Tiling",
    )
    np.testing.assert_array_equal(y, (1023 - np.arange(16)) * 0.5)


def test_workspace_too_small():
    expect_failure(
        "gm-out-of-bounds",
        "task.cpp",
        kernel="through_workspace",
        outs=[("f32", 16)],
        workspace=4000,
        tiling={"rows": 1024, "scale": 0.5},
        tiling_struct="Tiling",
        line="work.SetValue(",
    )


def test_template_arguments():
    for name, want in (("constant<float, -3, true>", -6), ("constant<int16_t,7,0>", 7)):
        kind = "f32" if "float" in name else "i16"
        (y,) = run("task.cpp", kernel=name, outs=[(kind, 1)])
        assert y[0] == want, name


@covers("TILING_KEY_IS", "KERNEL_TASK_TYPE_DEFAULT")
def test_tiling_key():
    """Which branch is taken, and on which cores: key 2 is for cube and vector."""
    vector_only, both = [0, 1], [1, 1]
    for key, row, cores in (
        (0, 0, vector_only),
        (1, 1, vector_only),
        (2, 2, both),
        (10000000000000000100, 3, vector_only),
    ):
        (seen,) = run(
            "task.cpp",
            kernel="keyed",
            args=[InOut(np.zeros((4, 2), np.int32))],
            tiling_key=key,
        )
        expected = np.zeros((4, 2), np.int32)
        expected[row] = cores
        np.testing.assert_array_equal(seen, expected, err_msg=str(key))


def test_marked_mix():
    for kernel, vectors in (
        ("marked_1_2", [1, 2, 1, 2]),
        ("marked_1_1", [1, 1, 0, 0]),
        ("marked_template<3>", [1, 2, 1, 2]),
        ("marked_cube", [0, 0, 0, 0]),
        ("not_marked", [1, 1, 0, 0]),
    ):
        words = InOut(np.zeros((4, 8), np.int32))
        (seen,) = run("task.cpp", kernel=kernel, blocks=2, args=[words])
        assert seen[:, 0].tolist() == vectors, kernel


def test_compiled_for_each_core():
    """Macros and g_coreType, asked in a header, are true on the core that runs."""
    words = InOut(np.zeros((3, 8), np.int32))
    (seen,) = run("cores.cpp", args=[words, Scalar("bool", False)])
    expected = [[10, 1, 1], [20, 2, 2], [20, 2, 2]]
    np.testing.assert_array_equal(seen[:, :3], expected)
    expect_failure(
        "gm-out-of-bounds",
        "cores.cpp",
        args=[words, Scalar("bool", True)],
        line="// a cube core failed here",
        contains="on the cube core of block 0",
    )


if __name__ == "__main__":
    main()
