"""Gradients: PyTorch's own, in float64."""
import torch
from library import F, In, Out, f32, integers, kernel, matrices, normal, vary, vectors

ROWS = ((1, 0), (8, 1), (2, 9), (3, 33))


def gradient(function, x, g):
    leaf = x.double().requires_grad_()
    function(leaf).backward(g.double())
    return leaf.grad


def pointwise(name, function, *scalars, of_result=False, rel=6, near=0):
    """`of_result`: the kernel reads what the function returned."""
    @kernel(f"backward/{name}_backward", f"{name}_backward<{{T}}>", rel=rel, near=near)
    def cases(T):
        for blocks, x in vectors(T, edges=False):
            g = normal(9, *x.shape, T=T)
            if of_result:
                y = function(x.double()).to(x.dtype)
                yield blocks, [In(y), In(g), Out(of_result(y.double(), g.double()), T), *scalars]
            else:
                yield blocks, [In(x), In(g), Out(gradient(function, x, g), T), *scalars]


pointwise("relu", torch.relu, rel=0)
pointwise("sigmoid", torch.sigmoid, of_result=lambda y, g: g * y * (1 - y), near=4)
pointwise("tanh", torch.tanh, of_result=lambda y, g: g * (1 - y * y), near=8)
pointwise("swish", F.silu, rel=10, near=60)
pointwise("gelu", F.gelu, rel=10, near=20)
pointwise("elu", lambda x: F.elu(x, 1.5), f32(1.5))
pointwise("leaky_relu", lambda x: F.leaky_relu(x, 0.25), f32(0.25), rel=1)
pointwise("softplus", lambda x: torch.logaddexp(x, torch.zeros_like(x)))


@kernel("backward/mse_backward", "mse_backward<{T}>", rel=2)
def mse_backward(T):
    for blocks, x in vectors(T, edges=False):
        y = normal(9, *x.shape, T=T)
        yield blocks, [In(x), In(y), Out((x.double() - y.double()) * 0.125, T), f32(0.125)]


@kernel("backward/softmax_backward", "softmax_backward<{T}>", rel=4)
def softmax_backward(T):
    for blocks, x in matrices(T, 2.0):
        y, g = torch.softmax(x.double(), 1).to(x.dtype), normal(9, *x.shape, T=T)
        wide, total = y.double() * g.double(), (y.double() * g.double()).sum(1, keepdim=True)
        near = y.double() * (wide.abs().sum(1, keepdim=True) * 70 + 10)
        yield blocks, [In(y), In(g), Out(wide - y.double() * total, T, near)]


@kernel("backward/log_softmax_backward", "log_softmax_backward<{T}>", rel=4)
def log_softmax_backward(T):
    for blocks, x in matrices(T, 2.0):
        y, g = torch.log_softmax(x.double(), 1).to(x.dtype), normal(9, *x.shape, T=T)
        p = y.double().exp()
        near = p * (g.double().abs().sum(1, keepdim=True) * 20 + 20)
        want = g.double() - p * g.double().sum(1, keepdim=True)
        yield blocks, [In(y), In(g), Out(want, T, near)]


for C in (1, 96, 1024):
    @kernel("backward/cross_entropy_backward", f"cross_entropy_backward<{{T}}, {C}>", rel=40, near=4)
    def cross_entropy_backward(T, C=C):
        for blocks, n in vary(ROWS):
            x, t = normal(1, n, C, T=T, scale=3), integers(2, 0, C, n)
            want = (torch.softmax(x.double(), 1) - F.one_hot(t.long(), C)) * 0.25
            yield blocks, [In(x), In(t), Out(want, T), f32(0.25)]

    @kernel("backward/layer_norm_backward", f"layer_norm_backward<{{T}}, {C}>", rel=40, near=200)
    def layer_norm_backward(T, C=C):
        for blocks, n in vary(ROWS):
            x, w, g = normal(1, n, C, T=T), normal(2, C), normal(3, n, C, T=T)
            if C == 1:  # the deviation is sqrt(eps): nothing is left of g
                want = torch.zeros(n, C).double()
            else:
                want = gradient(lambda t: F.layer_norm(t, (C,), w.double(), None, 1e-5), x, g)
            yield blocks, [In(x), In(w), In(g), Out(want, T), f32(1e-5)]

    @kernel("backward/rms_norm_backward", f"rms_norm_backward<{{T}}, {C}>", rel=40, near=200)
    def rms_norm_backward(T, C=C):
        for blocks, n in vary(ROWS):
            x, w, g = normal(1, n, C, T=T) + 1, normal(2, C), normal(3, n, C, T=T)
            want = gradient(lambda t: t / torch.sqrt((t * t).mean(1, keepdim=True) + 1e-5) * w.double(), x, g)
            yield blocks, [In(x), In(w), In(g), Out(want, T), f32(1e-5)]
