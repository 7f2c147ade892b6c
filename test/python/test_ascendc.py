"""AscendC files, whose arguments are given one by one."""
import pathlib
import struct

import numpy as np
import pytest
import torch
from conftest import ROOT

import belay_npu as belay

ADD = ROOT / "examples/ascendc/add/add.cpp"
UNSAFE = ROOT / "corpus/missing-sync/v6-1-load-then-add/unsafe.cpp"
SAFE = UNSAFE.with_name("safe.cpp")


@pytest.fixture(scope="module")
def add():
    return belay.ascendc(ADD)


def halves(n, seed=1):
    return np.random.default_rng(seed).standard_normal(n).astype(np.float16)


def test_runs(add):
    x, y, z = halves(4096), halves(4096, 2), np.empty(4096, np.float16)
    for kernel in (add, belay.ascendc(ADD, "add_custom"), belay.ascendc(ADD.read_text())):
        z[:] = 0
        assert kernel(x, y, belay.Out(z), 4096, blocks=4, check=True) is z
        np.testing.assert_array_equal(z, x + y)
    tensors = [torch.from_numpy(each) for each in (x, y)]
    out = torch.empty(4096, dtype=torch.float16)
    add(*tensors, belay.Out(out), 4096, blocks=2)
    assert torch.equal(out, tensors[0] + tensors[1])
    z = add(x[::2], y[::2], belay.Out(np.empty(2048, np.float16)), 2048)
    np.testing.assert_array_equal(z, x[::2] + y[::2])


def test_findings():
    """What a wrong kernel does is named with both lines and the flag to insert."""
    x = np.random.default_rng(1).standard_normal(512, dtype=np.float32)
    out = np.empty(512, np.float32)
    with pytest.raises(belay.Violation) as caught:
        belay.ascendc(UNSAFE)(x, belay.Out(out), check=True)
    finding = caught.value.findings[0]
    lines = UNSAFE.read_text().splitlines()
    assert finding.id == "missing-sync" and finding.severity == "error"
    assert pathlib.Path(finding.file).resolve() == UNSAFE.resolve()
    assert "Adds" in lines[finding.line - 1]
    assert finding.notes and "DataCopy" in lines[finding.notes[0].line - 1]
    assert "SetFlag" in finding.help
    assert "## Rule" in belay.explain(finding.id)
    np.testing.assert_allclose(belay.ascendc(SAFE)(x, belay.Out(out), check=True), x + 1)


def test_out_of_bounds(add):
    """Memory of the process is out of reach: what is passed on is a copy with guards."""
    x, z = halves(64), np.empty(64, np.float16)
    with pytest.raises(belay.Violation) as caught:
        add(x, x.copy(), belay.Out(z), 65536)
    assert caught.value.findings[0].id == "gm-out-of-bounds"
    np.testing.assert_array_equal(add(x, x, belay.Out(z), 64), x + x)


def test_wrong_arguments(add):
    x, z = halves(64), np.empty(64, np.float16)
    with pytest.raises(TypeError, match="takes 4 arguments; 3 are given"):
        add(x, x, belay.Out(z))
    for last in (1.5, "64", 1 << 32, -(1 << 31) - 1, b"123", None, x):
        with pytest.raises(belay.ContractError, match="argument 3 is integer of 4 bytes"):
            add(x, x, belay.Out(z), last)
    assert add(x, x, belay.Out(z), struct.pack("<I", 64)) is z
    with pytest.raises(TypeError, match="not int"):
        add(x, 5, belay.Out(z), 64)
    with pytest.raises(belay.ContractError, match="elements"):
        add(x, np.array([None] * 64), belay.Out(z), 64)
    with pytest.raises(belay.ContractError, match="share 128 bytes"):
        add(x, z, belay.Out(z), 64)
    z.flags.writeable = False
    with pytest.raises(belay.ContractError, match="read-only"):
        add(x, x, belay.Out(z), 64)
    for blocks in (0, 65536):
        with pytest.raises(belay.ContractError, match="bad-block-count"):
            add(x, x, belay.Out(np.empty_like(x)), 64, blocks=blocks)


def test_other_sources(root):
    with pytest.raises(belay.ContractError, match="use belay.kernel"):
        belay.ascendc(root / "examples/kernels/softmax.cpp", "softmax_long")(1)
    with pytest.raises(belay.ContractError, match="use belay.ascendc"):
        belay.kernel(ADD, "add_custom")(halves(64))
    with pytest.raises(belay.CompileError, match="undeclared"):
        belay.ascendc(ADD.read_text().replace("CopyIn(at", "CopyIm(at"))(1, 2, 3, 4)


def test_time(add):
    x = halves(8192)
    few, many = (add.time(x[:n], x[:n].copy(), belay.Out(np.empty(n, np.float16)), n)
                 for n in (1024, 8192))
    assert 0 < few.cycles < many.cycles


def test_conditions():
    """A launch that does not meet what belay check asks of it is not started."""
    source = ROOT / "test/check/Inputs/conditions.cpp"
    y = np.zeros(64, np.float32)
    guarded = belay.ascendc(source, "guarded", conditions=True)
    guarded(belay.Out(y), 256, 3)
    guarded(belay.Out(y), 257, 4)
    with pytest.raises(belay.ContractError, match=r"conditions.cpp:26: .*4\*n <= 1024, .* n = 257") as caught:
        guarded(belay.Out(y), 257, 3)
    assert caught.value.id == "expects-not-met"
    assert (pathlib.Path(caught.value.file), caught.value.line) == (source, 26)
    guarded(belay.Out(y), 257, 3, conditions=False)

    tiled = belay.ascendc(source, "by_tiling")
    tiled(belay.Out(y), np.array([64, 64], np.uint32), conditions=True)
    with pytest.raises(belay.ContractError) as caught:
        tiled(belay.Out(y), np.array([64], np.uint32), conditions=True)
    assert [each.line for each in caught.value.problems] == [44, 39, 48]
