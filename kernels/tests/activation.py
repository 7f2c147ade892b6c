"""Activation functions: each against PyTorch's in float64, or its formula."""
import math

import torch
from library import F, In, Out, f32, kernel, matrices, normal, special, unary, vary

# Bounds: `rel` counts roundings of the chain of operations, `near` is 1 where 1 is added
# to or subtracted from what is of that size.
unary("activation/elu", lambda x: F.elu(x, 1.5), f32(1.5), covers="activation/elu", near=2)
unary("activation/gelu", lambda x: x * 0.5 * (1 + torch.erf(x * 0.5**0.5)), covers="activation/gelu",
      rel=6, near=4)
unary("activation/hardsigmoid", F.hardsigmoid, covers="activation/hardsigmoid", near=1)
unary("activation/hardtanh", lambda x: F.hardtanh(x, -1.0, 2.0), f32(-1.0), f32(2.0),
      covers="activation/hardtanh", rel=0)
unary("activation/leaky_relu", lambda x: F.leaky_relu(x, 0.01), f32(0.01), covers="activation/leaky_relu")
unary("activation/min_gpt_new_gelu",
      lambda x: 0.5 * x * (1 + torch.tanh((2 / torch.pi) ** 0.5 * (x + 0.044715 * x**3))),
      covers="activation/min_gpt_new_gelu", rel=8, near=4)
unary("activation/relu", F.relu, covers="activation/relu", instance="relu_of<{T}>", rel=0)
unary("activation/selu", F.selu, covers="activation/selu", near=2)
unary("activation/sigmoid", torch.sigmoid, covers="activation/sigmoid")
unary("activation/softplus", lambda x: torch.logaddexp(x, torch.zeros_like(x)), covers="activation/softplus",
      near=1)
unary("activation/softsign", F.softsign, covers="activation/softsign")
unary("activation/swish", lambda x: x * torch.sigmoid(x), covers="activation/swish")
unary("activation/tanh", torch.tanh, covers="activation/tanh", instance="tanh_of<{T}>")
unary("activation/mish", F.mish, rel=10)
unary("activation/hardswish", F.hardswish, rel=6)
unary("activation/quick_gelu", lambda x: x * torch.sigmoid(1.702 * x), rel=150)
unary("activation/log_sigmoid", F.logsigmoid, near=1)
unary("activation/celu", lambda x: F.celu(x, 2.0), f32(2.0), near=4)
unary("activation/relu6", F.relu6, rel=0)
unary("activation/squared_relu", lambda x: torch.relu(x) ** 2)
unary("activation/softshrink", lambda x: torch.relu(x - 0.5) - torch.relu(-x - 0.5), f32(0.5))
unary("activation/hardshrink", lambda x: F.hardshrink(x, 0.5), f32(0.5), rel=0)
unary("activation/tanhshrink", F.tanhshrink, near=1)
unary("activation/threshold", lambda x: F.threshold(x, 0.25, -7.0), f32(0.25), f32(-7.0), rel=0)


@kernel("activation/prelu", "prelu<{T}>")
def prelu(T):
    for blocks, rows, cols in ((1, 0, 3), (8, 1, 1), (2, 9, 513), (3, 17, 64)):
        x, slope = normal(1, rows, cols, T=T, scale=2), normal(2, rows)
        if rows == 9:
            x[0, :21] = special(T)
        want = torch.where(x.double() > 0, x.double(), x.double() * slope.double()[:, None])
        yield blocks, [In(x), In(slope), Out(want, T)]


def rows_of(T, reference, shapes, scale=4.0):
    for blocks, x in matrices(T, scale, shapes):
        yield blocks, [In(x), Out(reference(x.double()), T)]
    # Rows with infinities, NaN, nothing but -inf, and values that differ by all of a type.
    x = normal(9, 7, shapes[3][2], T=T)
    x[0, 1], x[1, 2], x[2, 3] = math.inf, -math.inf, math.nan
    x[3], x[4, 1], x[5] = -math.inf, special(T, finite=True).max(), special(T, finite=True).min()
    yield 3, [In(x), Out(reference(x.double()), T)]


# The largest element of a row is subtracted: what is at most 16 here is rounded by float.
LONG = ((1, 0, 5), (8, 1, 1), (2, 3, 37), (3, 5, 4096), (2, 3, 4097), (3, 2, 70001))
kernel("activation/softmax", "softmax<{T}>", "activation/softmax", rel=40)(
    lambda T: rows_of(T, lambda x: torch.softmax(x, 1), vary(LONG)))
kernel("activation/log_softmax", "log_softmax<{T}>", "activation/log_softmax", near=40)(
    lambda T: rows_of(T, lambda x: torch.log_softmax(x, 1), vary(LONG)))
for columns in (1, 37, 1024):
    kernel("activation/softmax:softmax_rows", f"softmax_rows<{{T}}, {columns}>", "activation/softmax", rel=40)(
        lambda T, C=columns: rows_of(T, lambda x: torch.softmax(x, 1), ((1, 0, C), (8, 1, C), (2, 9, C), (3, 33, C)))
        if C > 3 else ((b, [In(x), Out(torch.softmax(x.double(), 1), T)])
                       for b, x in matrices(T, 4.0, ((1, 0, C), (8, 1, C), (2, 9, C), (3, 33, C)))))


def middle(name, reference, **bounds):
    @kernel(f"activation/{name}", f"{name}<{{T}}>", **bounds)
    def cases(T):
        for blocks, b, m, n in ((1, 0, 3, 5), (8, 1, 1, 1), (2, 2, 9, 1025), (3, 3, 33, 64)):
            x = normal(1, b, m, n, T=T, scale=4)
            if m == 33:
                x[0, 1, 2], x[1, 3, 4], x[2, :, 6] = math.inf, -math.inf, -math.inf
            yield blocks, [In(x), Out(reference(x.double()), T)]


middle("softmax_middle", lambda x: torch.softmax(x, 1), rel=60)
middle("log_softmax_middle", lambda x: torch.log_softmax(x, 1), rel=4, near=60)

unary("activation/snake", lambda x: x + torch.sin(x * 0.5) ** 2 / 0.5, f32(0.5), finite=True, near=40)
unary("activation/squareplus", lambda x: (x + torch.sqrt(x * x + 4)) / 2, f32(4.0), rel=6, finite=True)
unary("activation/star_relu", lambda x: 0.75 * torch.relu(x) ** 2 - 0.25, f32(0.75), f32(-0.25), near=1)
unary("activation/isru", lambda x: torch.where(x.isinf(), x.sign() * 2**0.5, x / torch.sqrt(1 + 0.5 * x * x)), f32(0.5),
      rel=6)
unary("activation/tanh_exp", lambda x: x * torch.tanh(torch.exp(x)), rel=40)
unary("activation/smelu", lambda x: torch.where(x > 1.5, x, (x.clamp(-1.5, 1.5) + 1.5) ** 2 / 6), f32(1.5), rel=6,
      near=2)
unary("activation/lisht", lambda x: x * torch.tanh(x))
unary("activation/serf", lambda x: x * torch.erf(F.softplus(x)), rel=40, near=8)
unary("activation/hard_mish", lambda x: x / 2 * (x + 2).clamp(0, 2), rel=4, near=2)
unary("activation/shifted_softplus", lambda x: torch.logaddexp(x, torch.zeros_like(x)) - math.log(2), near=2)
unary("activation/elish", lambda x: torch.where(x > 0, x, torch.expm1(x)) * torch.sigmoid(x), rel=6, near=2)
unary("activation/swish_beta", lambda x: x * torch.sigmoid(1.5 * x), f32(1.5), rel=150)


def halves(name, reference, columns, rel=0):
    """Rows whose halves are made or taken apart."""
    @kernel(f"activation/{name}", f"{name}<{{T}}>", rel=rel)
    def cases(T):
        for blocks, rows, cols in vary(((1, 0, 3), (8, 1, 1), (2, 9, 513), (3, 5, 4097))):
            x = normal(1, rows, cols * columns, T=T)
            if rows == 9:
                x[0, :21] = special(T)
            yield blocks, [In(x), Out(reference(x.double()), T)]


halves("crelu", lambda x: torch.cat([torch.relu(x), torch.relu(-x)], 1), 1)
halves("maxout", lambda x: torch.maximum(*x.chunk(2, 1)), 2)
kernel("activation/softmin", "softmin<{T}>", rel=40)(
    lambda T: ((b, [In(x), Out(torch.softmax(-x.double(), 1), T)]) for b, x in matrices(T, 4.0, vary(LONG))))
