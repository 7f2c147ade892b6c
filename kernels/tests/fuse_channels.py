"""Convolutions with what follows them across outputs or pixels, against PyTorch in float64."""
import torch
from fuse_convolution import ONLY, TILES, Layer, instance, launches
from library import F, In, InOut, Out, f32, i64, kernel, normal
from products import SEPARATE

ALL_OUTPUTS = "32, 48, 16"  # tiles that have all outputs
SPREADS = ((1, 1, 1, 2, 2, 1), (3, 2, 5, 3, 35, 20), (2, 1, 21, 2, 5, 3))
SHAPES = ((1, 1, 1, 3, 3, 1), (3, 2, 5, 6, 61, 20), (2, 1, 21, 5, 9, 3))


def whole(name, dims, *more):
    return instance(name, dims, *more).replace(TILES, ALL_OUTPUTS)


def registered(name, instance_):
    return kernel(f"fuse/{name}", instance_, f"fuse/{name}", dtypes=ONLY, archs=SEPARATE)


def rows(layer, count=1):
    return [normal(4 + i, layer.o) for i in range(count)]


def worst(off):
    """Of what depends on all outputs."""
    return off.amax(1, keepdim=True)


def least(name, function, slope, *scalars):
    @registered(name, instance(name, 2))
    def cases(T):
        for blocks, layer in launches(2):
            want = function(layer.t)
            yield blocks, [*layer.inputs, Out(want, T, slope * worst(layer.off) + 8), *map(f32, scalars)]


least("conv2d_min_tanh_tanh", lambda t: torch.tanh(torch.tanh(t.amin(1, keepdim=True))), 1)
least("conv2d_scaling_min", lambda t: (t * 2).amin(1, keepdim=True), 2, 2.0)


def softmaxed(name, dims, function, slope, *scalars, add=False):
    @registered(name, whole(name, dims, 2))
    def cases(T):
        for blocks, layer in launches(dims, 2, 1, 1, SPREADS):
            given = rows(layer) if add else []
            want = function(torch.softmax(layer.t, 1), *map(layer.channel, given))
            yield blocks, [*layer.inputs, *map(In, given),
                           layer.out(want, slope * (2 * worst(layer.off) + 16).expand(want.shape)), i64(1),
                           *map(f32, scalars)]


softmaxed("convtranspose2d_softmax_biasadd_scaling_sigmoid", 2, lambda p, a: torch.sigmoid((p + a) * 2), 1, 2.0,
          add=True)
softmaxed("conv_transpose3d_softmax_sigmoid", 3, torch.sigmoid, 1)

DEEP = ((1, 1, 1, 5, 4, 1), (3, 2, 3, 7, 101, 20), (2, 1, 18, 5, 9, 3))


@registered("conv3d_softmax_max_pool_max_pool", whole("conv3d_softmax_max_pool_max_pool", 3, 2))
def conv3d_softmax_max_pool_max_pool(T):
    """One pooling of 2 here, two of 2 in the reference: one of 4, which has the same launches."""
    for blocks, layer in launches(3, shapes=DEEP):
        want = F.max_pool3d(torch.softmax(layer.t, 1), 2)
        off = F.max_pool3d(worst(layer.off), 2)
        yield blocks, [*layer.inputs, layer.out(want, (2 * off + 16).expand(want.shape))]


@registered("conv3d_softmax_max_pool_max_pool", "conv3d_softmax_max_pool_max_pool<{T}, 1, 2, 2, 4, 32, 16, 16>")
def conv3d_softmax_two_pools(T):
    for blocks, *shape in ((2, 1, 3, 9, 73, 20),):
        layer = Layer(3, shape, (1, 2, 2))
        want = F.max_pool3d(F.max_pool3d(torch.softmax(layer.t, 1), 2), 2)
        off = F.max_pool3d(worst(layer.off), 4)
        yield blocks, [*layer.inputs, layer.out(want, (2 * off + 16).expand(want.shape))]


@registered("conv3d_min_softmax", whole("conv3d_min_softmax", 3))
def conv3d_min_softmax(T):
    for blocks, layer in launches(3, shapes=SHAPES):
        want = torch.softmax(layer.t.amin(2), 1)
        off = layer.off.amax(2).amax(1, keepdim=True)
        yield blocks, [*layer.inputs, Out(want, T, (2 * off + 16).expand(want.shape))]


@registered("conv3d_max_log_sum_exp_relu", whole("conv3d_max_log_sum_exp_relu", 3, 2))
def conv3d_max_log_sum_exp_relu(T):
    for blocks, layer in launches(3, pad=1, shapes=DEEP):
        want = torch.relu(torch.logsumexp(F.max_pool3d(layer.t, 2), 1))
        off = F.max_pool3d(worst(layer.off), 2)[:, 0]
        yield blocks, [*layer.inputs, Out(want, T, off + 4 * want.abs() + 16), i64(1)]


@registered("conv_transpose3d_max_pool_softmax_subtract_swish_max",
            whole("conv_transpose3d_max_pool_softmax_subtract_swish_max", 3, 2))
def conv_transpose3d_max_pool_softmax_subtract_swish_max(T):
    for blocks, layer in launches(3, 2, 1, 1, ((1, 1, 1, 2, 2, 1), (3, 2, 5, 3, 55, 20), (2, 1, 21, 2, 5, 3))):
        less, = rows(layer)
        p = torch.softmax(F.max_pool3d(layer.t, 2), 1) - layer.channel(less)
        want = F.silu(p).amax(1)
        off = F.max_pool3d(worst(layer.off), 2)[:, 0]
        yield blocks, [*layer.inputs, In(less), Out(want, T, 3 * off + 24), i64(1)]


@registered("conv_transpose3d_log_sum_exp_hard_swish_subtract_clamp_max",
            whole("conv_transpose3d_log_sum_exp_hard_swish_subtract_clamp_max", 3, 2))
def conv_transpose3d_log_sum_exp_hard_swish_subtract_clamp_max(T):
    for blocks, layer in launches(3, 2, 1, 0, SPREADS[1:]):
        s = torch.logsumexp(layer.t, 1)
        want = (s * torch.sigmoid(s + 3) / 6 - 0.25).clamp(-1, 1)
        yield blocks, [*layer.inputs, Out(want, T, worst(layer.off)[:, 0] + 4 * s.abs() + 16), i64(1), f32(0.25)]


@registered("convtranspose3d_mean_add_softmax_tanh_scaling", whole("convtranspose3d_mean_add_softmax_tanh_scaling", 3))
def convtranspose3d_mean_add_softmax_tanh_scaling(T):
    for blocks, layer in launches(3, 1, 1, 0, ((1, 1, 1, 2, 3, 1), (3, 2, 5, 3, 61, 20), (2, 1, 21, 2, 5, 3))):
        add, = rows(layer)
        want = torch.tanh(torch.softmax(layer.t.mean(2) + layer.channel(add)[:, 0], 1)) * 2
        off = (layer.off + 4 * layer.t.abs()).amax(2).amax(1, keepdim=True)
        yield blocks, [*layer.inputs, In(add), Out(want, T, 2 * (2 * off + 24).expand(want.shape)), i64(1),
                       i64(layer.t.shape[2]), f32(2.0)]


@registered("conv_transpose2d_min_sum_gelu_add", instance("conv_transpose2d_min_sum_gelu_add", 2, 2))
def conv_transpose2d_min_sum_gelu_add(T):
    for blocks, layer in launches(2, 2, 1, 1, SPREADS):
        s = layer.t.amin(1).sum(1)
        near = worst(layer.off)[:, 0].sum(1) + 4 * layer.t.abs().amax(1).sum(1)
        yield blocks, [*layer.inputs, Out(F.gelu(s) + 0.75, T, 1.2 * near + 8), i64(1), i64(layer.t.shape[2]),
                       f32(0.75)]


@registered("conv_transpose3d_add_hard_swish", instance("conv_transpose3d_add_hard_swish", 3, 2))
def conv_transpose3d_add_hard_swish(T):
    for blocks, layer in launches(3, 2, 1, 1, SPREADS):
        z = normal(4, *layer.t.shape)
        t = layer.t + z.double()
        near = (3 * t.abs() + 3) * (layer.off + 8 * t.abs() + 8)
        yield blocks, [*layer.inputs, In(z), InOut(torch.zeros(t.shape), t * F.hardswish(t), near), i64(1)]


# --- over all pixels -------------------------------------------------------------


def mean_off(layer, slope=1.0):
    """Of a mean over all places; partial sums are of the size of the sum of magnitudes."""
    return slope * layer.off.flatten(2).mean(2) + 16 * (layer.t.abs().flatten(2).mean(2) + 1)


@registered("conv2d_gelu_global_avg_pool", instance("conv2d_gelu_global_avg_pool", 2))
def conv2d_gelu_global_avg_pool(T):
    for blocks, layer in launches(2, shapes=SHAPES):
        yield blocks, [*layer.inputs, Out(F.gelu(layer.t).mean((2, 3)), torch.float32, mean_off(layer, 1.2))]


for P in (2, 3):
    @registered("conv2d_avg_pool_sigmoid_sum", instance("conv2d_avg_pool_sigmoid_sum", 2, P))
    def conv2d_avg_pool_sigmoid_sum(T, P=P):
        for blocks, layer in launches(2, shapes=((1, 1, 1, 5, 4, 1), (3, 5, 5, 9, 130, 20))):
            s = torch.sigmoid(F.avg_pool2d(layer.t, P)) if layer.t.shape[3] >= P else layer.t[..., :0]
            # Sums of positive numbers: an error for each of some hundred additions.
            near = 0.25 * layer.off.flatten(1).sum(1) / P**2 + 40 * s.flatten(1).sum(1)
            yield blocks, [*layer.inputs, Out(s.flatten(1).sum(1), torch.float32, near)]


@registered("conv_transpose2d_max_pool_hardtanh_mean_tanh",
            "conv_transpose2d_max_pool_hardtanh_mean_tanh<{T}, 3, 3, 2, 16, 48, 16>")
def conv_transpose2d_max_pool_hardtanh_mean_tanh(T):
    """Taps in reverse order: a transposed convolution with pad 1 of 3 by 3 taps has a border of 1."""
    for blocks, *shape in ((1, 1, 1, 2, 3, 1), (3, 2, 5, 6, 101, 20), (2, 1, 21, 5, 9, 3)):
        layer = Layer(2, shape, (3, 3), 1, 1)
        layer.inputs[1] = In(layer.inputs[1].data.flip(0))
        pooled = F.max_pool2d(layer.t, 2)
        want = torch.tanh(F.hardtanh(pooled, -0.5, 0.75).mean((2, 3)))
        yield blocks, [*layer.inputs, Out(want, torch.float32, 4 * mean_off(layer) + 4), i64(1), i64(pooled.shape[2]),
                       i64(pooled.shape[3]), f32(-0.5), f32(0.75)]


@registered("conv_transpose2d_multiply_global_avg_pool_global_avg_pool_mean",
            instance("conv_transpose2d_multiply_global_avg_pool_global_avg_pool_mean", 2, 2))
def conv_transpose2d_multiply_global_avg_pool_global_avg_pool_mean(T):
    for blocks, layer in launches(2, 2, 1, 1, SPREADS):
        yield blocks, [*layer.inputs, Out((layer.t * 0.5).mean((2, 3)), torch.float32, mean_off(layer)), i64(1),
                       *map(i64, layer.t.shape[2:]), f32(0.5)]


@registered("convtranspose2d_globalavgpool_biasadd_logsumexp_sum_multiply",
            whole("convtranspose2d_globalavgpool_biasadd_logsumexp_sum_multiply", 2))
def convtranspose2d_globalavgpool_biasadd_logsumexp_sum_multiply(T):
    for blocks, layer in launches(2, 1, 0, 0, ((1, 1, 1, 2, 3, 1), (3, 5, 5, 6, 101, 20), (2, 1, 21, 5, 9, 3))):
        add, = rows(layer)
        want = torch.logsumexp(layer.t.mean((2, 3)) + add.double(), 1) * 10
        near = 10 * mean_off(layer).amax(1) + 4 * want.abs() + 80
        yield blocks, [*layer.inputs, In(add), Out(want, torch.float32, near), i64(0), *map(i64, layer.t.shape[2:])]


@registered("conv_transpose3d_multiply_max_global_avg_pool_clamp",
            instance("conv_transpose3d_multiply_max_global_avg_pool_clamp", 3, 2))
def conv_transpose3d_multiply_max_global_avg_pool_clamp(T):
    for blocks, layer in launches(3, 2, 1, 0, SPREADS[1:]):
        pooled = F.max_pool3d(layer.t * 0.5, 2)
        want = pooled.mean((2, 3, 4)).clamp(0, 1)
        yield blocks, [*layer.inputs, Out(want, torch.float32, 4 * mean_off(layer)), i64(1),
                       *map(i64, pooled.shape[2:]), f32(0.5)]


@registered("conv3d_divide_max_global_avg_pool_bias_add_sum",
            whole("conv3d_divide_max_global_avg_pool_bias_add_sum", 3, 2))
def conv3d_divide_max_global_avg_pool_bias_add_sum(T):
    for blocks, layer in launches(3, shapes=((1, 1, 1, 5, 4, 1), (3, 5, 3, 7, 101, 20), (2, 1, 18, 5, 9, 3))):
        add, = rows(layer)
        want = (F.max_pool3d(layer.t / 3, 2).mean((2, 3, 4)) + add.double()).sum(1)
        near = (4 * mean_off(layer) + add.abs().double()).sum(1)
        yield blocks, [*layer.inputs, In(add), Out(want, torch.float32, near), f32(3.0)]
