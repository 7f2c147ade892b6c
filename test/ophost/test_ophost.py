"""The launch that an operator's own host code decides."""
import numpy as np

from harness import Absent, In, InOut, List, Out, covers, expect_failure, main, run

rng = np.random.default_rng(1)


def scale(x, bias, **kwargs):
    kind = "f16" if x.dtype == np.float16 else "f32"
    args = [In(x), Absent() if bias is None else In(bias), Out(kind, x.shape)]
    return run("scale.cpp", op_host=["scale_host.cpp"], args=args, **kwargs)


@covers("GET_TILING_DATA", "TILING_KEY_IS", "GetUserWorkspace", dtypes=("half", "float"))
def test_values_and_types():
    for dtype, shape in ((np.float32, (5, 7)), (np.float16, (3, 4, 1000))):
        x = rng.standard_normal(shape).astype(dtype)
        bias = rng.standard_normal(shape).astype(dtype)
        (y,) = scale(x, None)
        np.testing.assert_array_equal(y, (2 * x.astype(np.float32)).astype(dtype))
        (y,) = scale(x, bias, attrs={"alpha": -0.5})
        expected = (np.float32(-0.5) * x + bias.astype(np.float32)).astype(dtype)
        np.testing.assert_allclose(y, expected, rtol=1e-3, atol=1e-3)


def test_core_count_follows_the_target():
    # 4097 elements are 65 blocks' worth: 40 or 48 cores take part.
    x = rng.standard_normal(4097).astype(np.float32)
    for soc, cores in (("Ascend910B3", 40), ("Ascend910B1", 48)):
        (y,) = scale(x, None, soc=soc, defines={"BLOCKS": cores})
        np.testing.assert_array_equal(y, 2 * x)


@covers("ListTensorDesc", "TensorDesc", dtypes=("float",))
def test_lists():
    tensors = [rng.standard_normal(s).astype(np.float32) for s in ((3, 2), (5,), (1, 1, 4))]
    (y,) = run(
        "lists.cpp",
        kernel="sum_list",
        op="SumList",
        op_host=["lists_host.cpp"],
        args=[List([In(t) for t in tensors]), Out("f32", 3)],
    )
    np.testing.assert_allclose(y, [t.sum() + t.ndim for t in tensors], rtol=1e-5)


def test_list_past_its_end():
    expect_failure(
        "gm-out-of-bounds",
        "lists.cpp",
        line="// past",
        kernel="sum_list",
        op="SumList",
        op_host=["lists_host.cpp"],
        args=[List([In(np.ones(3, np.float32))]), Out("f32", 1)],
        defines={"PAST_THE_END": 1},
    )


def test_in_place_and_values_that_the_host_reads():
    tensors = [np.arange(n, dtype=np.float32) for n in (4, 1, 9)]
    (results,) = run(
        "lists.cpp",
        kernel="add_in_place",
        op="AddInPlace",
        op_host=["lists_host.cpp"],
        args=[List([InOut(t) for t in tensors]), In(np.float32([2.5]))],
    )
    for got, t in zip(results, tensors):
        np.testing.assert_array_equal(got, t + 2.5)


def test_outputs_that_are_inputs_or_hold_values():
    x, state, history = rng.standard_normal((3, 11)).astype(np.float32)
    results = run(
        "lists.cpp",
        kernel="accumulate",
        op="Accumulate",
        op_host=["lists_host.cpp"],
        args=[In(x), InOut(state), InOut(history)],
    )
    np.testing.assert_array_equal(results[0], state + x)
    np.testing.assert_array_equal(results[1], history + (state + x))


def test_output_whose_shape_the_kernel_computes():
    x = rng.standard_normal(20).astype(np.float32)
    (y,) = run(
        "lists.cpp",
        kernel="positive",
        op="Positive",
        op_host=["lists_host.cpp"],
        args=[In(x), Out("f32", 20)],
    )
    kept = x[x > 0]
    np.testing.assert_array_equal(y[: len(kept)], kept)


def refused(message, x=np.ones(4, np.float32), ident="op-host-failed", **kwargs):
    args = {"source": "scale.cpp", "op_host": ["scale_host.cpp"], **kwargs}
    args.setdefault("args", [In(x), Absent(), Out("f32", x.shape)])
    expect_failure(ident, contains=message, **args)


def test_refusals():
    refused("scale knows at most 3 dimensions", np.ones((1, 1, 1, 1), np.float32))
    refused("has no attribute 'beta'", attrs={"beta": 1})
    refused("'x' is not a number", attrs={"alpha": "x"})
    refused("is missing", args=[Absent(), Absent(), Out("f32", 4)])
    refused(
        "no kernel for these element types",
        np.ones(4, np.int32),
        "argument-mismatch",
    )
    one = [In(np.ones(4, np.float32))]
    lists = {"source": "lists.cpp", "kernel": "sum_list", "op_host": ["lists_host.cpp"]}
    refused("choose one of the operators", args=one, **lists)
    refused("signal 11", op="Crash", args=one, **lists)
    refused("sets no number of blocks", op="Forget", args=one, **lists)
    refused("there is no operator 'Nothing'", op="Nothing", args=one, **lists)


def test_host_code_that_does_not_compile():
    refused("host code", ident="compile-error", defines={"REQUIRED": "=;"})


if __name__ == "__main__":
    main()
