"""Kernels as operators of PyTorch, with gradients."""
import itertools

import numpy as np
import pytest
import torch
from conftest import HERE, ROOT

import belay_npu as belay

KERNELS = HERE / "kernels.cpp"
SOFTMAX = ROOT / "examples/kernels/softmax.cpp"
_names = itertools.count()


def name():
    return f"belay_test::op{next(_names)}"


def gradient(gradients, inputs, outputs):
    g, y = gradients[0], outputs[0]
    return y * (g - (g * y).sum(-1, keepdim=True))


@pytest.fixture(scope="module")
def softmax():
    return belay.torch.operator("belay_test::softmax", belay.kernel(SOFTMAX, "softmax"),
                                backward=gradient, blocks=2)


def through_float(op):
    """Kernels have no double; differences of float32 carry errors of 1e-7 / eps."""
    return lambda x: op(x.float()).double()


def test_values(softmax):
    x = torch.randn(5, 64)
    torch.testing.assert_close(softmax(x), torch.softmax(x, 1))
    torch.testing.assert_close(torch.ops.belay_test.softmax(x), torch.softmax(x, 1))
    assert not softmax(x).requires_grad


def test_gradients(softmax):
    x = torch.randn(4, 64, requires_grad=True)
    y = softmax(x)
    assert y.requires_grad
    weights = torch.randn(4, 64)
    (y * weights).sum().backward()
    other = x.detach().clone().requires_grad_()
    (torch.softmax(other, 1) * weights).sum().backward()
    torch.testing.assert_close(x.grad, other.grad)
    with torch.no_grad():
        assert not softmax(x).requires_grad


def test_gradcheck(softmax):
    x = torch.randn(2, 8, dtype=torch.float64, requires_grad=True)
    # float32 has errors of 6e-8, twice, over 2 * eps: 6e-5; the third derivative adds eps^2.
    limits = dict(eps=1e-3, atol=5e-4, rtol=1e-3, nondet_tol=0.0)
    assert torch.autograd.gradcheck(through_float(softmax), (x,), **limits)
    wrong = belay.torch.operator(
        name(), belay.kernel(SOFTMAX, "softmax"), blocks=2,
        backward=lambda g, inputs, outputs: outputs[0] * g[0])
    with pytest.raises(RuntimeError, match="Jacobian mismatch"):
        torch.autograd.gradcheck(through_float(wrong), (x,), **limits)


def test_scalars_and_outputs():
    parts = belay.kernel(KERNELS, "parts")
    assert belay.torch.schema_of(parts, "parts") == (
        "parts(Tensor x, float s, int most) -> (Tensor, Tensor)")
    op = belay.torch.operator(
        name(), parts, backward=lambda g, inputs, outputs: (
            g[0] * inputs[1] + torch.cat([g[1], torch.zeros_like(g[1])]), None, None))
    x = torch.arange(8.0, requires_grad=True)
    y, z = op(x, 0.5, 100)
    torch.testing.assert_close(y, x.detach() * 0.5)
    torch.testing.assert_close(z, x.detach()[:4] + 0.5)
    (y.sum() + 3 * z.sum()).backward()
    torch.testing.assert_close(x.grad, torch.tensor([3.5] * 4 + [0.5] * 4))
    with pytest.raises(belay.ContractError, match="expects-not-met"):
        op(x, 0.5, 7)


def test_in_place():
    add_to = belay.kernel(KERNELS, "add_to")
    assert "Tensor(y!) y, Tensor x) -> ()" in belay.torch.schema_of(add_to, "add_to")
    op = belay.torch.operator(name(), add_to)
    y = torch.ones(4)
    assert op(y, torch.arange(4.0)) in (None, ())
    torch.testing.assert_close(y, torch.arange(4.0) + 1)
    with pytest.raises(ValueError, match="changes its arguments"):
        belay.torch.operator(name(), add_to, backward=gradient)


def test_refused(softmax):
    plain = belay.torch.operator(name(), belay.kernel(SOFTMAX, "softmax"))
    with pytest.raises(belay.ContractError, match="no formula of a gradient"):
        plain(torch.randn(2, 8, requires_grad=True))
    with pytest.raises(belay.ContractError, match="f64|float64"):
        softmax(torch.randn(2, 8, dtype=torch.float64))
    for bad in ("softmax", "a::b::c", "a::b; c", "::x"):
        with pytest.raises(ValueError, match="namespace"):
            belay.torch.operator(bad, belay.kernel(SOFTMAX, "softmax"))
    short = belay.torch.operator(name(), belay.kernel(KERNELS, "parts"),
                                 backward=lambda g, inputs, outputs: (g[0],))
    y, _ = short(torch.ones(4, requires_grad=True), 0.5, 4)
    with pytest.raises(ValueError, match="gives 1 gradients for 3 arguments"):
        y.sum().backward()


def test_bfloat16():
    op = belay.torch.operator(name(), belay.kernel(KERNELS, "copy_of"))
    x = torch.randn(9).to(torch.bfloat16)
    assert torch.equal(op(x), x)
    assert np.array_equal(op(x.float()).numpy(), x.float().numpy())
