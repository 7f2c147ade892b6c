"""Cube and vector cores together, and what a kernel without guards does."""
import numpy as np

from harness import Batch, covers, expect_failure, main, run

rng = np.random.default_rng(2)


@covers(
    "CrossCoreSetFlag",
    "CrossCoreWaitFlag",
    "Mmad",
    "Fixpipe",
    forms=("mode 2",),
    dtypes=("half",),
    archs=(2201, 3510),
)
def test_fused():
    batch, made = Batch(), []
    for kernel in ("fused_said", "fused_inferred"):
        for soc in (2201, 3510):
            # 45 blocks are more than the 20 or 36 cube cores there are.
            for blocks in (1, 3, 45):
                rows, n, k = 32, 48, 64
                a = rng.integers(-4, 5, (rows * blocks, k)).astype(np.float16)
                b = rng.integers(-4, 5, (n, k)).astype(np.float16)
                launch = batch.add(
                    "mixed.cpp",
                    kernel=kernel,
                    ins=[a, b],
                    inouts=[np.zeros_like(a)],
                    outs=[("f32", (rows * blocks, n))],
                    scalars=[("u32", x) for x in (rows, n, k)],
                    blocks=blocks,
                    soc=soc,
                )
                exact = 2 * a.astype(np.float64) @ b.T.astype(np.float64) + 1
                made.append((launch, np.maximum(exact, 0)))
    batch.run()
    for launch, want in made:
        np.testing.assert_array_equal(launch.results()[-1], want)


@covers("DataCopy", "LocalTensor", forms=("UB to L1", "at GetPhyAddr"), dtypes=("half",), archs=(3510,))
def test_from_the_ub_of_vector_cores():
    a, b = rng.integers(-4, 5, (2, 32, 32)).astype(np.float16)
    fractals = a.reshape(32, 2, 16).transpose(1, 0, 2)
    for sanitize in (None, True):
        (c,) = run("mixed.cpp", kernel="from_ub", ins=[np.ascontiguousarray(fractals), b],
                   outs=[("f32", (32, 32))], soc=3510, sanitize=sanitize)  # fmt: skip
        np.testing.assert_array_equal(c, a.astype(np.float64) @ b.T.astype(np.float64))


CUBE = {"CUBE_KERNEL": None}


def cores(defines=None, check=True, **more):
    """Runs cores.cpp; with check, on a product that NumPy knows."""
    a, b = rng.integers(-4, 5, (2, 16, 16)).astype(np.float16)
    named = {"ins": [a, b], "outs": [("f32", (16, 16))], "defines": defines, **more}
    if not check:
        return named
    (c,) = run("cores.cpp", **named)
    want = a.astype(np.float64) @ b.T.astype(np.float64) if defines else 2.0
    np.testing.assert_array_equal(c, want)


def test_cores_inferred():
    cores(CUBE)
    cores()


def test_mixed_launch_drops_what_is_not_theirs():
    for task in ("mix11", "mix12"):
        cores(CUBE, task=task)
        cores(task=task)


def test_wrong_core():
    wrong = cores(CUBE, check=False, task="vector", contains="vector cores only")
    expect_failure("wrong-core", "cores.cpp", **wrong)
    wrong = cores(check=False, task="cube", contains="cube cores only")
    expect_failure("wrong-core", "cores.cpp", **wrong)


def test_code_for_vector_cores_only_declared():
    """It may be missing where the device gets none: in kernels for cube cores."""
    a, b = rng.integers(-4, 5, (2, 16, 16)).astype(np.float16)
    named = {"ins": [a, b], "outs": [("f32", (16, 16))]}
    for kernel, task in (("inferred", None), ("said", None), ("uses_both", "cube")):
        (c,) = run("declared.cpp", kernel=kernel, task=task, **named)
        want = a.astype(np.float64) @ b.T.astype(np.float64)
        np.testing.assert_array_equal(c, want, err_msg=kernel)
    for kernel, task in (
        ("says_mixed", None),
        ("uses_both", None),
        ("inferred", "mix12"),
        ("inferred", "vector"),
    ):
        expect_failure(
            "compile-error",
            "declared.cpp",
            kernel=kernel,
            task=task,
            contains="declared but not defined",
            **named,
        )


def fault(ident, which, line, **more):
    expect_failure(
        ident,
        "faults.cpp",
        kernel="fault",
        ins=[np.zeros((32, 32), np.float16)],
        outs=[("f32", (32, 32))],
        scalars=[("u32", which)],
        task="cube",
        line=line,
        **more,
    )


def test_faults():
    fault("local-capacity", 1, "too much for L0A", contains="L0A")
    fault("local-out-of-bounds", 2, "beyond L0A")
    fault("misaligned-address", 3, "not at a fractal", contains="512 bytes")
    fault("wrong-memory", 4, "backwards")
    fault("wrong-memory", 5, "from L1", contains="left matrix")
    fault("misaligned-address", 6, "between fractals", contains="1024 bytes")
    fault("bad-repeat", 7, "too high")
    fault("unsupported-dtype", 8, "two types")
    fault("unsupported-api", 9, "950's")
    fault("unsupported-dtype", 10, "transposes 16 bits only")
    fault("gm-out-of-bounds", 11, "past the end")


def test_no_fault():
    run(
        "faults.cpp",
        kernel="fault",
        ins=[rng.integers(-4, 5, (32, 32)).astype(np.float16)],
        outs=[("f32", (32, 32))],
        scalars=[("u32", 0)],
        task="cube",
    )


if __name__ == "__main__":
    main()
