"""Gradients: PyTorch's own, in float64."""
import torch
from library import F, In, InOut, Out, f32, integers, kernel, matrices, normal, uniform, vary, vectors

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


# --- more functions of one number ----------------------------------------------
pointwise("hardsigmoid", F.hardsigmoid, rel=2)
pointwise("hardswish", F.hardswish, rel=4, near=4)
pointwise("hardtanh", lambda x: F.hardtanh(x, -1.0, 2.0), f32(-1.0), f32(2.0), rel=0)
pointwise("softsign", F.softsign, rel=4)
pointwise("mish", F.mish, rel=20, near=60)
pointwise("selu", F.selu, rel=4)
pointwise("celu", lambda x: F.celu(x, 2.0), f32(2.0), rel=6)
pointwise("shrink", lambda x: F.hardshrink(x, 0.5), f32(0.5), rel=0)
pointwise("log_sigmoid", F.logsigmoid, rel=40)
pointwise("squared_relu", lambda x: torch.relu(x) ** 2, rel=2)
pointwise("gelu_tanh", lambda x: F.gelu(x, approximate="tanh"), rel=20, near=200)
pointwise("quick_gelu", lambda x: x * torch.sigmoid(1.702 * x), rel=20, near=80)
pointwise("threshold", lambda x: F.threshold(x, 0.25, -7.0), f32(0.25), rel=0)
pointwise("tanhshrink", F.tanhshrink, rel=20, near=4)
pointwise("abs", torch.abs, rel=0)
pointwise("erf", torch.erf, rel=60)
pointwise("sin", torch.sin, rel=4, near=20)


def of_pair(name, low, high, want, *scalars, rel=4, near=0):
    """`want` of a tensor between two bounds, and of another operand."""
    @kernel(f"backward/{name}_backward", f"{name}_backward<{{T}}>", rel=rel, near=near)
    def cases(T):
        for seed, (blocks, n) in enumerate(vary(((1, 0), (8, 1), (2, 63), (3, 8193)))):
            x, g = uniform(seed, low, high, n, T=T), normal(9, n, T=T)
            yield blocks, [In(x), In(g), Out(want(x.double(), g.double()), T), *scalars]


of_pair("exp", 0.0, 9.0, lambda y, g: g * y)
of_pair("log", 0.1, 9.0, lambda x, g: g / x)
of_pair("sqrt", 0.1, 9.0, lambda y, g: g / y / 2)
of_pair("reciprocal", -9.0, 9.0, lambda y, g: -g * y * y)
of_pair("pow", 0.1, 4.0, lambda x, g: 3 * g * x * x, f32(3.0), rel=60)
of_pair("l1", -2.0, 2.0, lambda x, t: torch.sign(x - t) * 0.125, f32(0.125), rel=0)
of_pair("huber", -2.0, 2.0, lambda x, t: (x - t).clamp(-0.5, 0.5) * 0.125, f32(0.5), f32(0.125), near=1)
of_pair("bce_with_logits", -9.0, 9.0, lambda x, t: (torch.sigmoid(x) - t) * 0.125, f32(0.125), near=1)
of_pair("dropout", -9.0, 9.0, lambda g, m: g * m * 1.25, f32(1.25))


@kernel("backward/hinge_backward", "hinge_backward<{T}>", rel=0)
def hinge_backward(T):
    for blocks, x in vectors(T, edges=False):
        t = (integers(2, 0, 2, *x.shape) * 2 - 1).to(x.dtype)
        want = torch.where(x.double() * t.double() < 1, t.double() * -0.125, 0.0)
        yield blocks, [In(x), In(t), Out(want, T), f32(0.125)]


def gated(name, function, rel=10, near=40):
    """Of both halves of each row."""
    @kernel(f"backward/{name}_backward", f"{name}_backward<{{T}}>", rel=rel, near=near)
    def cases(T):
        for blocks, rows, cols in vary(((1, 0, 3), (8, 1, 1), (2, 9, 513), (3, 5, 2049))):
            x, g = normal(1, rows, 2 * cols, T=T), normal(2, rows, cols, T=T)
            want = gradient(lambda t: function(*t.chunk(2, 1)), x, g)
            yield blocks, [In(x), In(g), Out(want, T)]


gated("glu", lambda a, b: a * torch.sigmoid(b))
gated("swiglu", lambda a, b: F.silu(a) * b)
gated("geglu", lambda a, b: F.gelu(a) * b)
gated("reglu", lambda a, b: torch.relu(a) * b, rel=2, near=0)


@kernel("backward/prelu_backward", "prelu_backward<{T}>", rel=2)
def prelu_backward(T):
    for blocks, rows, cols in ((1, 0, 3), (8, 1, 1), (2, 9, 513), (3, 17, 64)):
        x, slope, g = normal(1, rows, cols, T=T), normal(2, rows), normal(3, rows, cols, T=T)
        want = torch.where(x.double() > 0, g.double(), g.double() * slope.double()[:, None])
        yield blocks, [In(x), In(slope), In(g), Out(want, T)]


def cosines(a, b):
    return F.cosine_similarity(a, b, dim=1)


for C in (1, 96, 1000):
    @kernel("backward/l2_normalize_backward", f"l2_normalize_backward<{{T}}, {C}>", rel=40, near=60)
    def l2_normalize_backward(T, C=C):
        for blocks, n in vary(ROWS):
            x, g = normal(1, n, C, T=T) + (2 if C == 1 else 0), normal(2, n, C, T=T)
            want = gradient(lambda t: F.normalize(t, dim=1), x, g)
            # Of one column nothing is left but rounding.
            near = (g.double() / x.double()).abs() * 8 if C == 1 else None
            yield blocks, [In(x), In(g), Out(want, T, near), f32(1e-12)]

    @kernel("backward/log_sum_exp_backward", f"log_sum_exp_backward<{{T}}, {C}>", rel=60)
    def log_sum_exp_backward(T, C=C):
        for blocks, n in vary(ROWS):
            x, g = normal(1, n, C, T=T, scale=3), normal(2, n)
            yield blocks, [In(x), In(g), Out(gradient(lambda t: torch.logsumexp(t, 1), x, g), T)]

    @kernel("backward/softmax_cross_entropy_smoothed_backward",
            f"softmax_cross_entropy_smoothed_backward<{{T}}, {C}>", rel=40, near=4)
    def smoothed_backward(T, C=C):
        for blocks, n in vary(ROWS):
            x, t = normal(1, n, C, T=T, scale=3), integers(2, 0, C, n)
            hit = F.one_hot(t.long(), C) * 0.875 + 0.125 / C
            want = (torch.softmax(x.double(), 1) - hit) * 0.25
            yield blocks, [In(x), In(t), Out(want, T), f32(0.125), f32(0.25)]

for C in (96, 1000):
    @kernel("backward/instance_norm_backward", f"instance_norm_backward<{{T}}, {C}>", rel=40, near=200)
    def instance_norm_backward(T, C=C):
        for blocks, n in vary(ROWS):
            x, g = normal(1, n, C, T=T), normal(2, n, C, T=T)
            want = gradient(lambda t: F.layer_norm(t, (C,), None, None, 1e-5), x, g)
            yield blocks, [In(x), In(g), Out(want, T), f32(1e-5)]

    @kernel("backward/cosine_similarity_backward", f"cosine_similarity_backward<{{T}}, {C}>", rel=60, near=20)
    def cosine_similarity_backward(T, C=C):
        for blocks, n in vary(ROWS):
            a, b, g = normal(1, n, C, T=T), normal(2, n, C, T=T), normal(3, n)
            yield blocks, [In(a), In(b), In(g), Out(gradient(lambda t: cosines(t, b.double()), a, g), T)]

    # Cores add in any order.
    @kernel("backward/norm_weights_backward", f"norm_weights_backward<{{T}}, {C}>", rel=40, unordered=True)
    def norm_weights_backward(T, C=C):
        for blocks, n in vary(ROWS):
            x, g, start = normal(1, n, C, T=T), normal(2, n, C, T=T), normal(3, C)
            wide, h = x.double(), g.double()
            norm = (wide - wide.mean(1, keepdim=True)) / torch.sqrt(wide.var(1, unbiased=False, keepdim=True) + 1e-5)
            near = 40 + 40 * (h * norm).abs().sum(0)
            yield blocks, [In(x), In(g), InOut(start, start.double() + (h * norm).sum(0), near),
                           InOut(start, start.double() + h.sum(0), 40 + 40 * h.abs().sum(0)), f32(1e-5)]
