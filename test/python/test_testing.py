"""belay.testing, and the plugin of pytest."""
import os
import subprocess
import sys

import numpy as np
import pytest
import torch
from conftest import HERE, ROOT

import belay_npu as belay
from belay_npu.testing import assert_close, edge_shapes, parametrize_shapes, ulp_of


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_ulps(dtype):
    """A step to the next number is one unit, whatever the number is."""
    tiny = np.finfo(dtype).smallest_subnormal
    x = np.array([1.0, 1.5, -3.0, 1000.0, 0.0, tiny, np.finfo(dtype).tiny], dtype)
    step = np.nextafter(x, dtype(np.inf))
    for number, following in zip(x, step):
        assert_close(following[None], number[None].astype(np.float64), ulp=1)
        with pytest.raises(AssertionError, match="1 of 1 elements.*\n.*, 1 ulp"):
            assert_close(following[None], number[None].astype(np.float64), ulp=0.99)
    np.testing.assert_array_equal(ulp_of(x.astype(np.float64), np.dtype(dtype).name),
                                  np.spacing(np.abs(x)).astype(np.float64))


def test_bfloat16():
    x = torch.tensor([1.0, 1.0078125], dtype=torch.bfloat16)
    bits = x.view(torch.int16).numpy().view(np.uint16)
    for actual, options in ((x, {}), (bits, {"bfloat16": True})):
        assert_close(actual, np.array([1.0, 1.0078125]), ulp=0, **options)
        assert_close(actual, np.array([1.0, 1.015625]), ulp=1, **options)
        with pytest.raises(AssertionError, match="1 of 2 elements of bfloat16 are off"):
            assert_close(actual, np.array([1.0, 1.015625]), ulp=0.5, **options)


def test_tolerances():
    x = np.array([1.0, 2.0], np.float32)
    assert_close(x, x * (1 + 1e-6))
    assert_close(torch.from_numpy(x), torch.from_numpy(x))
    assert_close(x, x + 0.1, atol=0.2)
    assert_close(x, x + 0.1, rtol=0.2)
    assert_close(np.float32([1e-20]), np.array([0.0]), ulp=1, atol=1e-10)
    for options in ({}, {"rtol": 0.01}, {"atol": 0.05}, {"ulp": 10}, {"ulp": 1, "atol": 0.05}):
        with pytest.raises(AssertionError, match="2 of 2 elements of float32 are off"):
            assert_close(x, x.astype(np.float64) + 0.1, **options)
    with pytest.raises(AssertionError, match="shapes differ"):
        assert_close(x, x[:1])


def test_special_values():
    x = np.array([np.nan, np.inf, -np.inf, 1.0], np.float32)
    assert_close(x, x, ulp=0)
    for index, wrong in ((0, 1.0), (1, -np.inf), (2, 3e38), (3, np.nan), (3, np.inf)):
        other = x.copy()
        other[index] = wrong
        with pytest.raises(AssertionError, match=rf"1 of 4(.|\n)*at \[{index}\]"):
            assert_close(other, x, ulp=1e30)
        with pytest.raises(AssertionError):
            assert_close(x, other, rtol=1e30, atol=1e30)


def test_integers():
    x = np.arange(10)
    assert_close(x, x)
    with pytest.raises(AssertionError, match=r"at \[3\]: 4, expected 3"):
        assert_close(np.where(x == 3, 4, x), x)
    with pytest.raises(TypeError):
        assert_close(np.array(["a"]), np.array(["a"]))


def test_report():
    x = np.ones((3, 4), np.float32)
    y = x.copy()
    y[1, 2], y[2, 0] = 2, 1.5
    with pytest.raises(AssertionError) as caught:
        assert_close(y, x, ulp=2)
    lines = str(caught.value).splitlines()
    assert lines[0].startswith("2 of 12 elements of float32 are off; among finite ones the "
                               "largest distance is 8.38861e+06 ulp")
    assert lines[1].startswith("  at [1, 2]: 2.0") and lines[2].startswith("  at [2, 0]: 1.5")


def test_edge_shapes():
    assert edge_shapes() == [(0,), (1,), (7,), (32,), (33,), (1000,), (8193,)]
    shapes = edge_shapes(3, last=16, sizes=(0, 1))
    assert shapes == [(0, 3, 16), (1, 3, 16), (3, 0, 16), (3, 1, 16)]
    with pytest.raises(ValueError):
        edge_shapes(1, last=3)


SOFTMAX = belay.kernel(ROOT / "examples/kernels/softmax.cpp", "softmax")


@parametrize_shapes("shape", rank=2, last=256, sizes=(0, 1, 7, 33))
def test_a_kernel(shape):
    x = np.random.default_rng(1).standard_normal(shape, dtype=np.float32)
    wanted = torch.softmax(torch.from_numpy(x).double(), 1)
    # x - max is below 8, and rounded to 2^-22: 4 units of the result; exp, the sum and the
    # quotient add at most one each.
    assert_close(SOFTMAX(x, blocks=4), wanted, ulp=7)


def run_pytest(folder, *options):
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p",
         "belay_npu.pytest_plugin", *options, folder / "test_it.py"], capture_output=True,
        text=True, env=os.environ, cwd=folder)


def test_sanitizer_for_all(tmp_path):
    """A kernel with a race passes, and fails with --belay-check."""
    (tmp_path / "test_it.py").write_text(f"""
import numpy as np, belay_npu as belay

def test_unsafe():
    belay.ascendc({str(ROOT / "corpus/missing-sync/v6-1-load-then-add/unsafe.cpp")!r})(
        np.ones(512, "f"), belay.Out(np.empty(512, "f")))
""")
    assert "1 passed" in run_pytest(tmp_path).stdout
    assert "[missing-sync]" in run_pytest(tmp_path, "--belay-check").stdout


def test_plugin(tmp_path):
    """A failed test shows the lines, the notes and the help."""
    (tmp_path / "test_it.py").write_text(f"""
import numpy as np, belay_npu as belay

def test_unsafe():
    belay.ascendc({str(ROOT / "corpus/missing-sync/v6-1-load-then-add/unsafe.cpp")!r})(
        np.ones(512, "f"), belay.Out(np.empty(512, "f")), check=True)

def test_contract():
    belay.kernel({str(HERE / "kernels.cpp")!r}, "parts")(np.ones(8, "f"), 0.5, 7)

def test_other():
    assert False
""")
    ran = run_pytest(tmp_path)
    assert "3 failed" in ran.stdout, ran.stdout + ran.stderr
    assert ran.stdout.count("- Belay -") == 2
    section = ran.stdout.partition("- Belay -")[2]
    assert "[missing-sync]" in section and "Adds(t, t, 1.0f, N); // site" in section
    assert "note: " in section and "help: insert SetFlag" in section
    assert "belay explain missing-sync" in section
    assert "expects(x.size() <= most && s >= 0.5f);" in ran.stdout
