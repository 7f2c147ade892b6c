"""The kernel library as functions."""
import json

import numpy as np
import pytest
import torch
from conftest import ROOT

import belay_npu as belay
from belay_npu.testing import assert_close

RANDOM = np.random.default_rng(1)


def test_all_of_the_catalogue():
    """Each kernel is a function; some need template arguments."""
    entries = json.loads((ROOT / "kernels/catalogue.json").read_text())["kernels"]
    offered = dir(belay.ops)
    everything = belay.ops._all()
    assert len(everything) == len(entries)
    assert len(offered) > len(entries) // 2
    for name in ("softmax", "relu", "layer_norm", "maximum", "sum_rows", "sum_all", "adam"):
        assert name in offered
    # Window sizes are template arguments that stand in no view.
    assert "avg_pool_1d" in everything and "avg_pool_1d" not in offered
    with pytest.raises(belay.ContractError, match="'K' of avg_pool_1d does not follow"):
        belay.ops.avg_pool_1d(np.zeros((2, 64), np.float32))
    with pytest.raises(AttributeError, match="has no 'nothing'"):
        belay.ops.nothing
    assert "Softmax" in belay.ops.softmax.__doc__ or "softmax" in belay.ops.softmax.__doc__
    assert "In<T, dyn, dyn> x" in belay.ops.softmax.__doc__


def test_shapes():
    """Leading dimensions are merged, and come back."""
    x = RANDOM.standard_normal((2, 3, 40), dtype=np.float32)
    y = belay.ops.softmax(x, blocks=4)
    assert_close(y, torch.softmax(torch.from_numpy(x).double(), 2), rtol=1e-6, atol=1e-7)
    assert_close(belay.ops.relu(x, blocks=2), np.maximum(x, 0), ulp=0)
    rows = belay.ops.sum_rows(x, blocks=4)
    assert rows.shape == (2, 3)
    assert_close(rows, x.astype(np.float64).sum(2), rtol=1e-5, atol=1e-5)
    t = torch.from_numpy(x)
    assert_close(belay.ops.maximum(t, -t, blocks=2), t.abs(), ulp=0)
    with pytest.raises(belay.ContractError, match="the dimensions"):
        belay.ops.maximum(x, x.reshape(6, 40), blocks=2)


def test_coincidences():
    """A result that is as long as a merged dimension by chance keeps its shape."""
    x = RANDOM.standard_normal((2, 2, 8, 4), dtype=np.float32).reshape(4, 8, 4)
    total = belay.ops.sum_middle(x, blocks=2)  # rank 3: nothing is merged
    assert total.shape == (4, 4)
    y = belay.ops.sum_all(np.ones((1, 1), np.float32), blocks=2)
    assert y.shape == (1,) and y[0] == 1


def test_in_place():
    p = RANDOM.standard_normal((4, 8), dtype=np.float32)
    g, v = np.ones_like(p), np.zeros_like(p)
    before = p.copy()
    assert belay.ops.sgd(p, g, v, 0.5, 0.0, blocks=2) is None
    assert_close(p, before - 0.5, ulp=1)
    with pytest.raises(belay.ContractError, match="row by row"):
        belay.ops.sgd(p[:, ::2], g[:, ::2], v[:, ::2], 0.5, 0.0)


def test_template_arguments():
    x = RANDOM.standard_normal((2, 5, 8), dtype=np.float32)
    y = belay.ops.argmax_middle[np.float32, np.int32](x, blocks=2)
    assert_close(y, x.argmax(1).astype(np.int32))
    with pytest.raises(belay.ContractError, match="'I' of argmax_middle does not follow"):
        belay.ops.argmax_middle(x)


def test_options():
    x = RANDOM.standard_normal((3, 33)).astype(np.float16)
    for soc in ("Ascend310P3", "Ascend950PR_9599"):
        y = belay.ops.sigmoid(x, soc=soc, blocks=2, check=True)
        assert_close(y, 1 / (1 + np.exp(-x.astype(np.float64))), ulp=1)
    out = np.empty(99, np.float16)
    assert belay.ops.sigmoid(x, out=out, blocks=2) is out
    with pytest.raises(TypeError):
        belay.ops.sigmoid(x, 1, 2)
