"""Kernels of the language as functions on arrays."""
import subprocess
import sys
import threading

import numpy as np
import pytest
import torch
from conftest import HERE, ROOT, SOCS

import belay_npu as belay

KERNELS = HERE / "kernels.cpp"
SOFTMAX = ROOT / "examples/kernels/softmax.cpp"
RANDOM = np.random.default_rng(1)


def line_of(text, path=KERNELS):
    return next(number for number, line in enumerate(path.read_text().splitlines(), 1)
                if text in line)


def softmax_of(x):
    e = np.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


@pytest.fixture(scope="module")
def softmax():
    return belay.kernel(SOFTMAX, "softmax")


@pytest.fixture(scope="module")
def copy_of():
    return belay.kernel(KERNELS, "copy_of")


@pytest.fixture(scope="module")
def parts():
    return belay.kernel(KERNELS, "parts")


@pytest.mark.parametrize("rows", [0, 1, 7, 100])
def test_rows(softmax, rows):
    x = RANDOM.standard_normal((rows, 1024), dtype=np.float32)
    y = softmax(x)
    assert y.shape == x.shape and y.dtype == x.dtype
    if rows:
        np.testing.assert_allclose(y, softmax_of(x), rtol=1e-5, atol=1e-8)


def test_names_and_texts(softmax):
    x = RANDOM.standard_normal((3, 1024), dtype=np.float32)
    for same in (belay.kernel(str(SOFTMAX), "softmax<1024>"),
                 belay.kernel(SOFTMAX.read_text(), "softmax"), softmax[1024]):
        np.testing.assert_array_equal(same(x), softmax(x))
    np.testing.assert_array_equal(softmax(x=x), softmax(x))
    with pytest.raises(belay.ContractError, match="2 kernels: softmax, softmax_long"):
        belay.kernel(SOFTMAX)
    with pytest.raises(FileNotFoundError):
        belay.kernel("nowhere.cpp")
    for name in ("softmax; rm", "a\0b", "softmax<" + "1" * 2000 + ">", "--help"):
        with pytest.raises(belay.ContractError):
            belay.kernel(SOFTMAX, name)


DTYPES = {np.float32: SOCS, np.float16: SOCS, np.int8: SOCS, np.int16: SOCS,
          np.int32: SOCS, np.int64: SOCS, np.uint16: (SOCS[0], SOCS[2])}


@pytest.mark.parametrize("dtype", DTYPES)
def test_dtypes(copy_of, dtype):
    """Every element type that an architecture has; uint16 are the bits of bfloat16."""
    x = RANDOM.integers(0, 120, 1000).astype(dtype)
    for soc in DTYPES[dtype]:
        y = copy_of(x, soc=soc, blocks=2)
        assert y.dtype == x.dtype
        np.testing.assert_array_equal(y, x)


def test_no_bfloat_on_310p(copy_of):
    with pytest.raises(belay.CompileError, match="bf"):
        copy_of(np.zeros(8, np.uint16), soc="Ascend310P3")


def test_tensors(copy_of):
    x = torch.randn(1001).to(torch.bfloat16)
    y = copy_of(x)
    assert y.dtype == torch.bfloat16 and torch.equal(y, x)
    out = torch.empty(1001, dtype=torch.bfloat16)
    assert copy_of(x, out=out) is out and torch.equal(out, x)
    assert torch.equal(copy_of(x[::2]), x[::2])
    wrong = {"requires gradients": torch.ones(4, requires_grad=True),
             "elements that": torch.ones(4, dtype=torch.float64),
             "no plain tensor": torch.ones(4).to_sparse(),
             "is on meta": torch.ones(4, device="meta")}
    for message, tensor in wrong.items():
        with pytest.raises(belay.ContractError, match=message):
            copy_of(tensor)
    with torch.no_grad():
        copy_of(torch.ones(4, requires_grad=True))


def test_zero_copy(copy_of):
    """Results are written to the memory that was given, whatever looks at it."""
    x = np.arange(64, dtype=np.float32)
    memory = np.zeros(64, np.float32)
    copy_of(x, out=torch.from_numpy(memory))
    np.testing.assert_array_equal(memory, x)
    bits = torch.zeros(64, dtype=torch.bfloat16)
    halves = torch.arange(64).to(torch.bfloat16)
    copy_of(halves.view(torch.int16).numpy().view(np.uint16),
            out=bits.view(torch.int16).numpy().view(np.uint16))
    assert torch.equal(bits, halves)


def test_layouts(copy_of, softmax):
    x = RANDOM.standard_normal((6, 2048), dtype=np.float32)
    for view in (x[:, ::2], x[::-1, :1024], np.asfortranarray(x[:, :1024])):
        np.testing.assert_array_equal(softmax(view), softmax(view.copy()))
    unaligned = np.frombuffer(b"\0" + x.tobytes(), np.uint8)[1:].view(np.float32)
    np.testing.assert_array_equal(copy_of(unaligned), x.ravel())


def test_outputs_are_refused(softmax):
    x = np.zeros((4, 1024), np.float32)
    read_only = np.empty_like(x)
    read_only.flags.writeable = False
    with pytest.raises(belay.ContractError, match="read-only"):
        softmax(x, out=read_only)
    for out in (np.empty((4, 2048), np.float32)[:, ::2], np.empty_like(x, order="F")):
        with pytest.raises(belay.ContractError, match="row by row"):
            softmax(x, out=out)
    with pytest.raises(belay.ContractError, match="takes 'y' as f32 of"):
        softmax(x, out=np.empty((4, 1024), np.float16))
    with pytest.raises(TypeError, match="has 1 outputs; out has 2"):
        softmax(x, out=(x, x))
    with pytest.raises(TypeError, match="array of NumPy"):
        softmax(x, out=[[1.0]])


def test_overlap(softmax):
    memory = np.zeros((8, 1024), np.float32)
    with pytest.raises(belay.ContractError, match=r"share 4096 bytes; 'y' is written") as e:
        softmax(memory[:4], out=memory[3:7])
    assert e.value.id == "argument-overlap"
    softmax(memory[:4], out=memory[4:])
    with pytest.raises(belay.ContractError):
        softmax(memory[:4], out=memory[:4])
    tensor = torch.from_numpy(memory)
    with pytest.raises(belay.ContractError):
        softmax(memory[:4], out=tensor[1:5])


def test_expects(softmax, parts):
    x = np.zeros((9, 1024), np.float32)
    with pytest.raises(belay.ContractError) as caught:
        softmax(x, out=np.empty((8, 1024), np.float32))
    error = caught.value
    assert (error.id, error.line) == ("expects-not-met", line_of("expects", SOFTMAX))
    assert error.file == str(SOFTMAX)
    assert "but x.rows() is 9, y.rows() is 8" in str(error)
    assert isinstance(error, ValueError)
    x = np.zeros(8, np.float32)
    with pytest.raises(belay.ContractError, match="x.size.. is 8, most is 7") as caught:
        parts(x, 0.5, 7)
    assert caught.value.line == line_of("s >= 0.5f")
    with pytest.raises(belay.ContractError, match="s is 0.25"):
        parts(x, 0.25, 8)


def test_extents_that_do_not_follow(parts):
    with pytest.raises(belay.ContractError, match=r"z.size\(\) does not follow"):
        parts(np.zeros(7, np.float32), 1.0, 100)  # no half of 7
    free = belay.kernel(KERNELS, "free_of")
    with pytest.raises(belay.ContractError, match="give out=y"):
        free(np.zeros(7, np.float32))
    x = np.arange(7, dtype=np.float32)
    np.testing.assert_array_equal(free(x, out=np.empty(5, np.float32)), x[:5])


def test_outputs_and_scalars(parts):
    x = RANDOM.standard_normal(2050, dtype=np.float32)
    y, z = parts(x, 0.5, most=5000)
    np.testing.assert_array_equal(y, x * np.float32(0.5))
    np.testing.assert_array_equal(z, x[:1025] + np.float32(0.5))
    given = np.empty(1025, np.float32)
    assert parts(x, np.float32(0.5), np.int64(5000), out={"z": given})[1] is given
    assert parts(x, 0.5, 5000, z=given)[1] is given
    for scalars in ((1e39, 1), (0.5, 1 << 63), (0.5, 1.5), (True, 1), ("1", 1), (1.0, None)):
        with pytest.raises(belay.ContractError, match="'(s|most)' is (f32|i64), not"):
            parts(x, *scalars)
    for arguments, named in (((x, 0.5), {}), ((x, 0.5, 1, 2), {}), ((x, 0.5, 1), {"q": 1}),
                             ((x, 0.5, 1), {"s": 1.0})):
        with pytest.raises(TypeError):
            parts(*arguments, **named)


def test_in_place():
    add_to = belay.kernel(KERNELS, "add_to")
    y = np.ones(10, np.float32)
    assert add_to(y, np.arange(10, dtype=np.float32)) is None
    np.testing.assert_array_equal(y, np.arange(10) + 1)
    y.flags.writeable = False
    with pytest.raises(belay.ContractError, match="read-only"):
        add_to(y, np.zeros(10, np.float32))
    with pytest.raises(belay.ContractError, match="argument-overlap"):
        z = np.ones(10, np.float32)
        add_to(z, z)


def test_wrong_arrays(softmax, copy_of):
    for x in (np.zeros((2, 1024)), np.zeros((2, 1024), np.complex64),
              np.zeros((2, 1024), ">f4"), np.zeros((2, 1024), object)):
        with pytest.raises(belay.ContractError, match="argument-mismatch"):
            softmax(x)
    with pytest.raises(belay.ContractError, match="takes 'x' as f32 of .x1024, not f16"):
        softmax[1024](np.zeros((2, 1024), np.float16))
    with pytest.raises(belay.ContractError, match="not f32 of 2x3x4"):
        copy_of[np.float32](np.zeros((2, 3, 4), np.float32))
    with pytest.raises(belay.ContractError, match="is masked"):
        copy_of(np.ma.masked_less(np.zeros(4, np.float32), 1))
    with pytest.raises(belay.ContractError, match="no dimension"):
        copy_of[np.float32](np.array(1.0, np.float32))
    with pytest.raises(TypeError, match="not list"):
        copy_of([1.0])
    with pytest.raises(belay.ContractError, match="'C' is 1024 by the template arguments and 512"):
        softmax[1024](np.zeros((2, 512), np.float32))


def test_template_arguments(softmax, copy_of):
    x = np.arange(8, dtype=np.float32)
    times = belay.kernel(KERNELS, "times")
    with pytest.raises(belay.ContractError, match="'K' of times does not follow"):
        times(x)
    np.testing.assert_array_equal(times[3](x), x * 3)
    np.testing.assert_array_equal(belay.kernel(KERNELS, "times<5>")(x), x * 5)
    add_row = belay.kernel(KERNELS, "add_row")
    rows = RANDOM.standard_normal((5, 33), dtype=np.float32)
    np.testing.assert_array_equal(add_row(rows, rows[0]), rows + rows[0])
    with pytest.raises(belay.ContractError, match="'C' is 33 by 'x' and 8 by 'b'"):
        add_row(rows, x)
    with pytest.raises(belay.ContractError, match="'T' is float by 'x' and half by 'b'"):
        add_row(rows, rows[0].astype(np.float16))
    for bad in ("x; y", "a<b>", 1.5, None, object()):
        with pytest.raises(belay.ContractError, match="no template argument"):
            times[bad]
    with pytest.raises(belay.ContractError, match="1 template parameters, not 2"):
        times[1, 2](x)
    with pytest.raises(belay.ContractError, match="'T' is nothing by the template arg"):
        copy_of["nothing"](x)
    with pytest.raises(belay.CompileError, match="nothing"):
        copy_of["nothing"].source()


def test_blocks(softmax):
    x = RANDOM.standard_normal((9, 1024), dtype=np.float32)
    for blocks in (1, 3, 40):
        np.testing.assert_array_equal(softmax(x, blocks=blocks), softmax(x))
    for blocks in (0, -1, 65536):
        with pytest.raises(belay.ContractError, match="bad-block-count"):
            softmax(x, blocks=blocks)
    for blocks in (True, 1.0):
        with pytest.raises(TypeError):
            softmax(x, blocks=blocks)
    with pytest.raises(belay.CompileError, match="no SoC"):
        softmax(x, soc="Ascend1")


def test_unproven():
    x = np.zeros(4, np.float32)
    with pytest.raises(belay.ProofError) as caught:
        belay.kernel(KERNELS, "careless")(x, out=np.empty(4, np.float32))
    (problem,) = caught.value.problems
    assert problem.id == "gm-out-of-bounds" and "cannot prove" in problem.message
    assert problem.line == line_of("load(x, w)", KERNELS) or problem.line > 50
    assert any("it fails for" in note.message for note in problem.notes)
    guarded = belay.kernel(KERNELS, "careless", deny=False)
    np.testing.assert_array_equal(guarded(x, out=np.ones(4, np.float32)), x)
    with pytest.raises(belay.Violation) as caught:
        guarded(x, out=np.ones(5, np.float32))
    assert [each.id for each in caught.value.findings] == ["guard-failed"]
    assert caught.value.findings[0].line == problem.line
    # The device goes on.
    np.testing.assert_array_equal(guarded(x, out=np.ones(4, np.float32)), x)


def test_compile_errors():
    text = KERNELS.read_text().replace("load(x, w) * s", "load(x, q) * s")
    with pytest.raises(belay.CompileError, match="undeclared identifier 'q'") as caught:
        belay.kernel(text, "parts")(np.zeros(4, np.float32), 1.0, 4)
    assert not isinstance(caught.value, (belay.ProofError, belay.BelayFailed))
    assert caught.value.problems[0].id == "compile-error"
    assert caught.value.problems[0].line == line_of("load(x, w) * s")


def test_changed_source(tmp_path):
    path = tmp_path / "k.cpp"
    path.write_text(KERNELS.read_text())
    kernel = belay.kernel(path, "times")
    x = np.ones(4, np.float32)
    kernel[2](x)
    path.write_text(KERNELS.read_text() + "\n")
    kernel[2](x)  # is compiled
    with pytest.raises(belay.CompileError, match="has changed since"):
        kernel[7](x)


def test_workspace():
    """A mixed kernel, whose cores hand tiles to each other through memory."""
    gelu = belay.kernel(ROOT / "examples/kernels/matmul_gelu.cpp", "matmul_gelu")
    a, b = (RANDOM.standard_normal(s).astype(np.float16) for s in ((70, 40), (40, 130)))
    bias = RANDOM.standard_normal(130, dtype=np.float32)
    t = torch.from_numpy(a).double() @ torch.from_numpy(b).double() + torch.from_numpy(bias)
    wanted = torch.nn.functional.gelu(t)
    got = torch.from_numpy(gelu(a, b, bias, blocks=2, check=True)).double()
    torch.testing.assert_close(got, wanted, rtol=2e-3, atol=2e-3)
    with pytest.raises(belay.ContractError, match="bias.size"):
        gelu(a, b, bias[:-1])
    with pytest.raises(belay.ContractError, match="its cores wait for each other"):
        gelu(a, b, bias, blocks=21)


def test_values_of_each_core():
    total = belay.kernel(ROOT / "kernels/reduce/sum_all.cpp", "sum_all")
    x = RANDOM.standard_normal(10001, dtype=np.float32)
    for soc in SOCS:
        np.testing.assert_allclose(total(x, soc=soc, check=True), [x.sum()], rtol=1e-4,
                                   atol=1e-3)


def test_time_and_forms(softmax, parts):
    x = RANDOM.standard_normal((128, 1024), dtype=np.float32)
    fast, slow = softmax.time(x, blocks=8), softmax.time(x, blocks=1)
    assert 0 < fast.low <= fast.cycles <= fast.high and fast.cycles < slow.cycles
    assert fast.details["cores"] == 8
    assert fast.bound_by in fast.details["bounds"]
    assert parts.time(np.zeros(64, np.float32), 0.5, 100).cycles > 0
    with pytest.raises(belay.ContractError):
        parts.time(np.zeros(64, np.float32), 0.5, 1)
    assert "extern \"C\" __global__" in softmax[1024].source("ascendc")
    assert "extern \"C\" __global__" in softmax.source("ascendc", x)
    assert softmax[1024].explain().startswith("softmax_1024 for Ascend910B3")
    with pytest.raises(ValueError):
        softmax.source("pdf")


def test_threads(softmax, copy_of):
    x = [RANDOM.standard_normal((n % 5 + 1, 1024), dtype=np.float32) for n in range(24)]
    results, errors = {}, []

    def work(first):
        try:
            for n in range(first, len(x), 6):
                results[n] = softmax(x[n]), copy_of(x[n].ravel(), check=n % 2 == 1)
        except Exception as error:  # shown by the assertion
            errors.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    for n, (y, copy) in results.items():
        np.testing.assert_array_equal(copy, x[n].ravel())
        np.testing.assert_allclose(y, softmax_of(x[n]), rtol=1e-5, atol=1e-8)
    assert len(results) == len(x)


def run_python(text, **env):
    import os

    return subprocess.run([sys.executable, "-c", text], capture_output=True, text=True,
                          env={**os.environ, **env})


def test_without_numpy():
    """NumPy is not needed to import, nor for tensors."""
    ran = run_python(
        "import sys; sys.modules['numpy'] = None\n"
        "import belay_npu as belay\n"
        f"k = belay.kernel({str(KERNELS)!r}, 'copy_of')\n"
        "try: k([1])\n"
        "except TypeError as e: print(e)\n")
    assert "array of NumPy or a tensor" in ran.stdout, ran.stderr


def test_not_installed():
    ran = run_python(
        "import belay_npu as belay, numpy\n"
        f"belay.kernel({str(KERNELS)!r}, 'add_to')(numpy.zeros(1, 'f'), numpy.zeros(1, 'f'))",
        BELAY_HOME="/nowhere", PATH="/nowhere", BELAY_LIBRARY="")
    assert "NotInstalled: bin/belay of Belay was not found" in ran.stderr


def test_quiet_process():
    """A kernel that fails is an exception: nothing is printed, the process ends well."""
    ran = run_python(
        "import belay_npu as belay, numpy\n"
        f"k = belay.kernel({str(KERNELS)!r}, 'careless', deny=False)\n"
        "try: k(numpy.zeros(4, 'f'), out=numpy.ones(5, 'f'))\n"
        "except belay.Violation as e: print(e.findings[0].id)\n")
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "guard-failed\n", "")


def test_forked(softmax):
    """The threads of the device stay in the parent, which the child is told."""
    import os

    softmax(np.zeros((1, 1024), np.float32))
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            softmax(np.zeros((1, 1024), np.float32))
            os.write(write, b"it ran")
        except belay.BelayFailed as error:
            os.write(write, str(error).encode()[:4000])
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as file:
        assert b"was forked from one that uses the device" in file.read()
    os.waitpid(child, 0)


def test_objects_go_with_their_kernels():
    import gc
    import os

    x = np.arange(4, dtype=np.float32)

    def once(factor):
        y = belay.kernel(KERNELS, f"times<{factor}>")(x)
        # Not what was loaded under the same descriptor before.
        np.testing.assert_array_equal(y, x * factor)
        gc.collect()
        return len(os.listdir("/proc/self/fd"))

    before = [once(factor) for factor in (2, 3, 5)][-1]
    assert [once(factor) for factor in (2, 3, 5) * 3][-1] <= before


def test_overhead(softmax):
    """A warm call costs at most 3 ms over the simulator's own time."""
    import time

    from belay_npu import _device

    device, own = _device.device("Ascend910B3", False), []
    call = device._call

    def timed(name, *arguments):
        start = time.perf_counter()
        call(name, *arguments)
        if name in ("aclrtLaunchKernelWithHostArgs", "aclrtSynchronizeStream"):
            own[-1] += time.perf_counter() - start

    x = RANDOM.standard_normal((100, 1024), dtype=np.float32)
    softmax(x, blocks=8)
    device._call, over = timed, []
    try:
        for _ in range(30):
            own.append(0.0)
            start = time.perf_counter()
            softmax(x, blocks=8)
            over.append(time.perf_counter() - start - own[-1])
    finally:
        del device._call
    # The least of them: others wait for whatever else this machine does.
    assert min(over) < 0.003, sorted(over)
    print(f"overhead: least {min(over) * 1e3:.2f} ms, median {sorted(over)[15] * 1e3:.2f} ms")
