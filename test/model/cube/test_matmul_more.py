"""Batches, local operands and the cube-only Matmul object, against NumPy. The
factors are small integers, so sums are exact."""
import numpy as np

from harness import Batch, In, InOut, Scalar, covers, main, run

rng = np.random.default_rng(13)


def integers(*shape):
    return rng.integers(-4, 5, shape).astype(np.float16)


def exact(a, b):
    return a.astype(np.float64) @ b.astype(np.float64)


@covers("Matmul", forms=("IterateBatch",), dtypes=("half",), tail=True)
def test_batches():
    batch, made = Batch(), []
    for count_a, count_b in ((3, 3), (4, 2), (1, 3)):
        m, n, k = 33, 40, 24
        count = max(count_a, count_b)
        a, b = integers(count_a, m, k), integers(count_b, n, k)
        want = np.stack(
            [
                exact(a[i // (count // count_a)], b[i // (count // count_b)].T)
                for i in range(count)
            ]
        )
        heads = lambda x: np.ascontiguousarray(x.transpose(1, 0, 2))
        for layout, out in (("NORMAL", "NORMAL"), ("BSNGD", "BNGS1S2"), ("SBNGD", "BSNGD")):
            normal = layout == "NORMAL"
            launch = batch.add(
                "matmul_more.cpp",
                kernel=f"batches<LayoutMode::{layout}, LayoutMode::{out}>",
                ins=[a, b] if normal else [heads(a), heads(b)],
                outs=[("f32", want.shape if out != "BSNGD" else heads(want).shape)],
                scalars=[("u32", x) for x in (m, n, k, count_a, count_b)],
            )
            made.append((launch, want if out != "BSNGD" else heads(want)))
    batch.run()
    for launch, want in made:
        np.testing.assert_array_equal(launch.results()[0], want)


@covers("Matmul", forms=("VECOUT", "TSCM"), dtypes=("half",), tail=True)
def test_local_operands():
    batch, made = Batch(), []
    for m, n, k in ((32, 32, 64), (33, 50, 41)):
        a, b = integers(m, k), integers(k, n)
        for kind in ("TPosition::VECOUT, CubeFormat::ND", "TPosition::TSCM, CubeFormat::NZ"):
            launch = batch.add(
                "matmul_more.cpp",
                kernel=f"local_operand<{kind}>",
                ins=[a, b],
                outs=[("f32", (m, n))],
                scalars=[("u32", x) for x in (m, n, k)],
            )
            made.append((launch, exact(a, b)))
    batch.run()
    for launch, want in made:
        np.testing.assert_array_equal(launch.results()[0], want)


@covers("Matmul", forms=("TrianUpperMatmulPolicy", "TrianLowerMatmulPolicy"), dtypes=("half",))
def test_triangles():
    m = n = 96  # blocks of 32 x 32
    a, b = integers(m, 64), integers(64, n)
    block = np.arange(m) // 32
    for policy, keeps in ("Upper", np.less_equal), ("Lower", np.greater_equal):
        kept = keeps.outer(block, block)
        before = np.full((m, n), 7, np.float32)
        for by_step in (0, 1):
            (c,) = run(
                "matmul_more.cpp",
                kernel=f"triangle<Impl::Detail::Trian{policy}MatmulPolicy>",
                args=[In(a), In(b), InOut(before)]
                + [Scalar("u32", x) for x in (m, n, 64, by_step)],
            )
            np.testing.assert_array_equal(c, np.where(kept, exact(a, b), before))


@covers("Matmul", forms=("SplitMMatmulPolicy",), dtypes=("half",), archs=(3510,), tail=True)
def test_halves_of_rows():
    a, b = integers(59, 64), integers(64, 32)  # 16 and 16 rows, 14 and 13
    (c,) = run(
        "matmul_more.cpp",
        kernel="halves",
        ins=[a, b],
        outs=[("f32", (59, 32))],
        scalars=[("u32", x) for x in (59, 32, 64)],
        soc=3510,
        task="mix12",
    )
    np.testing.assert_array_equal(c, exact(a, b))


@covers("Matmul", forms=("isPartialOutput",), dtypes=("half",), tail=True)
def test_parts_of_k():
    a, b = integers(32, 80), integers(80, 64)  # two blocks, three parts of 32, 32 and 16
    (c,) = run(
        "matmul_more.cpp",
        kernel="parts",
        ins=[a, b],
        outs=[("f32", (2, 3, 32, 32))],
        scalars=[("u32", x) for x in (32, 64, 80)],
    )
    want = [
        [exact(a[:, k : k + 32], b[k : k + 32, n : n + 32]) for k in (0, 32, 64)] for n in (0, 32)
    ]
    np.testing.assert_array_equal(c, want)


@covers("Matmul", "REGIST_MATMUL_OBJ", forms=("cube only", "CO1", "static tiling"), dtypes=("half",))
def test_cube_only():
    a, b = integers(32, 64), integers(64, 48)
    # Nothing says what cores it needs: the cube, from what it uses.
    (c,) = run(
        "matmul_more.cpp",
        kernel="in_l0c",
        ins=[a, b],
        outs=[("f32", (32, 48))],
        defines={"CUBE_ONLY": None},
    )
    np.testing.assert_array_equal(c, np.maximum(exact(a, b), 0))


@covers("Matmul", "REGIST_MATMUL_OBJ", forms=("cube only, mixed",), dtypes=("half",), archs=(2201, 3510))
def test_on_the_cube_core_of_a_mixed_kernel():
    a, b = integers(32, 64), integers(64, 48)
    for arch in (2201, 3510):
        (c,) = run(
            "matmul_more.cpp",
            kernel="beside_vector",
            ins=[a, b],
            outs=[("f32", (32, 48))],
            scalars=[("u32", x) for x in (32, 48, 64)],
            defines={"CUBE_ONLY": None},
            soc=arch,
        )
        np.testing.assert_array_equal(c, exact(a, b) + 1)


if __name__ == "__main__":
    main()
