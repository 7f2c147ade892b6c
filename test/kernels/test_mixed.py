"""Kernels of a cube core and a vector core against PyTorch, in the simulator with its
sanitizer, without the compiler's own synchronisation, in several random schedules.

By hand: test/kernels/test_mixed.py [NAME...]
"""
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import torch

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent / "model"))
from harness import SOC_OF_ARCH, belay  # noqa: E402

EXAMPLES, INPUTS = ROOT / "examples" / "kernels", HERE / "Inputs"
ARCHS = tuple(int(a) for a in os.environ.get("BELAY_ARCHS", "2002,2201,3510").split(","))
# One core of the 310P has both units. Its cube takes no floats.
ALL, OF_FLOATS = (2002, 2201, 3510), (2201, 3510)
SCHEDULES = os.environ.get("BELAY_SCHEDULES", "3")
NAMES = {np.dtype(np.float16): "f16", np.dtype(np.float32): "f32", np.dtype(np.int8): "i8"}

# Cores, rows, columns, k: nothing in each direction, one, odd, whole fractals, more than
# one tile in every direction, more cores than tiles. Tiles are 32 x 48, steps of k 64.
SIZES = ((1, 0, 5, 7), (2, 3, 5, 0), (1, 1, 1, 1), (3, 17, 31, 63), (2, 64, 96, 128), (8, 70, 101, 150))
KERNELS = {}


def kernel(path, name, rtol, atol, archs=ALL):
    """Registers launches of a kernel: (cores, inputs, scalars, what is right)."""

    def register(launches):
        KERNELS[launches.__name__] = (path, name, rtol, atol, launches, archs)
        return launches

    return register


def normal(seed, *shape, scale=1.0, dtype=np.float16):
    return (np.random.default_rng(seed).standard_normal(shape) * scale).astype(dtype)


def double(x):
    return torch.from_numpy(x).double()


@kernel(EXAMPLES / "matmul_gelu.cpp", "matmul_gelu<32, 48, 64>", 2e-3, 1e-3)
def matmul_gelu():
    for cores, m, n, k in SIZES:
        a, b, bias = normal(1, m, k), normal(2, k, n, scale=0.2), normal(3, n, dtype=np.float32)
        yield cores, [a, b, bias], [], [(torch.nn.functional.gelu(double(a) @ double(b) + double(bias)), np.float16)]


@kernel(EXAMPLES / "attention.cpp", "attention<48, 32, 64>", 4e-3, 2e-3)
def attention():
    for cores, m, n, _ in SIZES:
        q, k, v = normal(1, m, 48), normal(2, 48, n), normal(3, n, 48)
        weights = torch.softmax(double(q) @ double(k) * 0.125, 1)
        yield cores, [q, k, v], ["f32=0.125"], [(weights @ double(v), np.float16)]


@kernel(INPUTS / "mixed.cpp", "positive", 2e-3, 1e-3)
def positive():
    for cores, m, n, k in SIZES:
        a, b = normal(1, m, k), normal(2, k, n)
        yield cores, [a, b], [], [(torch.relu(double(a) @ double(b)), np.float16)]


def added(times, plus, dtype):
    for cores, m, n, k in SIZES:
        a, b, c = normal(1, m, k), normal(2, k, n), normal(3, k, n)
        left = double(a[:, :64])
        both = left @ double(b[:64]) + times * (left @ double(c[:64])) + plus
        yield cores, [a, b, c], [], [(both, dtype)]


@kernel(INPUTS / "mixed.cpp", "two_sums", 1e-5, 5e-5)
def two_sums():
    return added(1, 0, np.float32)


@kernel(INPUTS / "mixed.cpp", "three_sums", 2e-3, 2e-3)
def three_sums():
    return added(2, 1, np.float16)


@kernel(INPUTS / "mixed.cpp", "running", 1e-5, 2e-4)
def running():
    for cores, n in ((1, 1), (1, 17), (1, 50), (3, 64)):
        a, b = normal(1, 16, 16), normal(2, 16, n)
        yield cores, [a, b], [], [((double(a) @ double(b)).cumsum(0), np.float32)]


@kernel(INPUTS / "mixed.cpp", "stored_transposed", 1e-5, 5e-5)
def stored_transposed():
    for cores, m, n, k in SIZES:
        a, b = normal(1, m, k), normal(2, k, n)
        yield cores, [a, b], [], [((double(a) @ double(b)).T, np.float32)]


def narrow(tile):
    """Tiles of which no side fills a fractal."""

    def launches():
        for cores, m, n, k in ((1, 0, 5, 7), (2, 3, 5, 0), (1, 1, 1, 1), (3, 17, 31, 19), (2, 14, 16, 10)):
            a, b = normal(1, m, k), normal(2, k, n)
            yield cores, [a, b], [], [(double(a) @ double(b), np.float32)]

    launches.__name__ = "narrow_" + tile.replace(", ", "x")
    kernel(INPUTS / "mixed.cpp", f"narrow<{tile}>", 1e-5, 5e-5)(launches)


# A block of sums is wider than a block of halves; single rows, columns and steps lie as lines.
for TILE in ("7, 8, 5", "5, 3, 9", "1, 20, 3", "9, 1, 7", "9, 1, 1", "1, 1, 1", "6, 4, 1"):
    narrow(TILE)


@kernel(INPUTS / "mixed.cpp", "strided_operands", 1e-5, 5e-5)
def strided_operands():
    for cores, m, _, k in SIZES:
        a, b = normal(1, m, k), normal(2, 2 * k)
        yield cores, [a, b], [], [((double(a) @ double(b[::2].copy()))[:, None], np.float32)]


@kernel(EXAMPLES / "attention_causal.cpp", "attention_causal<48, 2, 32, 64>", 4e-3, 2e-3)
def attention_causal():
    """Cores, heads of keys, places: none, one, odd, more than one tile of queries and keys."""
    for cores, heads, n in ((1, 0, 5), (2, 3, 0), (1, 1, 1), (3, 1, 33), (2, 2, 64), (8, 3, 150)):
        q, k, v = normal(1, 2 * heads, n, 48), normal(2, heads, n, 48), normal(3, heads, n, 48)
        keys, values = (double(x).repeat_interleave(2, 0) for x in (k, v))
        mask = torch.full((n, n), -torch.inf).double().triu(1)
        weights = torch.softmax(double(q) @ keys.transpose(1, 2) * 0.125 + mask, 2)
        yield cores, [q, k, v], ["f32=0.125"], [(weights @ values, np.float16)]


@kernel(EXAMPLES / "matmul_scaled.cpp", "matmul_scaled<32, 48, 64>", 1e-3, 1e-3)
def matmul_scaled():
    for cores, m, n, k in SIZES:
        a, b = (np.random.default_rng(s).integers(-128, 128, shape, np.int8) for s, shape in ((1, (m, k)), (2, (n, k))))
        rows, cols = (abs(normal(s, *shape, scale=0.01, dtype=np.float32)) for s, shape in ((3, (m, 1)), (4, (n,))))
        yield cores, [a, b, rows, cols], [], [((double(a) @ double(b).T) * double(cols) * double(rows), np.float16)]


@kernel(EXAMPLES / "matmul_column_max.cpp", "matmul_column_max<32, 48, 64>", 1e-5, 5e-5)
def matmul_column_max():
    for cores, m, n, k in SIZES:
        a, b = normal(1, m, k), normal(2, k, n)
        least = torch.full((1, n), -3e38, dtype=torch.float64)
        yield cores, [a, b], [], [(torch.cat([double(a) @ double(b), least]).amax(0), np.float32)]


@kernel(EXAMPLES / "attention_wide.cpp", "attention_wide<32, 64, 64>", 4e-3, 2e-3)
def attention_wide():
    for cores, m, n, d in SIZES:
        q, k, v = normal(1, m, d), normal(2, n, d), normal(3, n, d)
        scores = double(q) @ double(k).T * 0.125
        weights = torch.softmax(scores, 1)
        yield cores, [q, k, v], ["f32=0.125"], [(scores, np.float32, "scratch"), (weights, np.float16, "scratch"),
                                                (weights @ double(v), np.float16)]


@kernel(EXAMPLES / "mlp.cpp", "mlp<48, 32, 32, 64>", 4e-3, 4e-3)
def mlp():
    for cores, m, n, k in SIZES:
        x, w1, b1 = normal(1, m, k), normal(2, k, n, scale=0.1), normal(3, n, dtype=np.float32)
        w2 = normal(4, n, 48, scale=0.2)
        hidden = torch.nn.functional.gelu(double(x) @ double(w1) + double(b1)).to(torch.float16).double()
        yield cores, [x, w1, b1, w2], [], [(hidden @ double(w2), np.float16)]


@kernel(EXAMPLES / "matmul_softmax.cpp", "matmul_softmax<32, 48, 64>", 1e-4, 1e-6)
def matmul_softmax():
    """The output is scratch space between the passes: an InOut."""
    for cores, m, n, k in SIZES:
        a, b = normal(1, m, k), normal(2, k, n, scale=0.2)
        yield cores, [a, b], [], [(torch.softmax(double(a) @ double(b), 1), np.float32, "scratch")]


@kernel(EXAMPLES / "matmul_layernorm.cpp", "matmul_layernorm<48, 32, 64>", 4e-3, 4e-3)
def matmul_layernorm():
    for cores, m, _, k in SIZES:
        a, b = normal(1, m, k), normal(2, k, 48, scale=0.2)
        gamma, beta = normal(3, 48, dtype=np.float32), normal(4, 48, dtype=np.float32)
        want = torch.nn.functional.layer_norm(double(a) @ double(b), (48,), double(gamma), double(beta), 1e-5)
        yield cores, [a, b, gamma, beta], ["f32=1e-5"], [(want, np.float16)]


@kernel(INPUTS / "mixed.cpp", "gated", 3e-3, 2e-3)
def gated():
    for cores, m, n, k in SIZES:
        x, a, b = normal(1, m, k), normal(2, k, n, scale=0.2), normal(3, k, n, scale=0.2)
        gate = torch.nn.functional.silu(double(x) @ double(b))
        yield cores, [x, a, b], [], [(double(x) @ double(a) * gate, np.float16)]


@kernel(INPUTS / "mixed.cpp", "softmaxed", 1e-4, 1e-5)
def softmaxed():
    for cores, m, _, k in SIZES:
        a, b = normal(1, m, k), normal(2, k, 48, scale=0.2)
        yield cores, [a, b], [], [(torch.softmax(double(a) @ double(b), 1), np.float32)]


@kernel(INPUTS / "mixed.cpp", "of_exponentials", 4e-3, 2e-2)
def of_exponentials():
    """Exponentials in half may be a unit in the last place apart."""
    for cores, m, n, k in SIZES:
        a, b = normal(1, m, k, scale=0.3), normal(2, k, n, scale=0.3)
        half = torch.exp(double(a)).to(torch.float16).double()
        yield cores, [a, b], [], [(half @ double(b), np.float32)]


@kernel(INPUTS / "mixed.cpp", "chained", 2e-3, 2e-2)
def chained():
    for cores, m, n, _ in SIZES:
        a, b, c = normal(1, m, 64, scale=0.2), normal(2, 64, 48, scale=0.2), normal(3, 48, n)
        half = (double(a) @ double(b)).to(torch.float16).double()
        yield cores, [a, b, c], [], [(half @ double(c), np.float32)]


@kernel(INPUTS / "mixed.cpp", "fading", 1e-4, 1e-3)
def fading():
    for cores, m, n, k in SIZES:
        a, b = normal(1, m, k), normal(2, k, n)
        total = torch.zeros(m, n, dtype=torch.float64)
        for first in range(0, k, 64):
            total = total * 0.5 + double(a)[:, first:first + 64] @ double(b)[first:first + 64]
        yield cores, [a, b], ["f32=0.5"], [(total, np.float32)]


@kernel(INPUTS / "mixed.cpp", "residual", 1e-5, 1e-4, OF_FLOATS)
def residual():
    for cores, m, _, _ in SIZES:
        a, b = normal(1, m, 48, dtype=np.float32), normal(2, 48, 48, dtype=np.float32)
        yield cores, [a, b], [], [(double(a) + double(a) @ double(b), np.float32)]


@kernel(INPUTS / "mixed.cpp", "column_sums", 1e-4, 1e-2)
def column_sums():
    for cores, m, _, _ in SIZES:
        a, b = normal(1, m, 64), normal(2, 64, 48)
        yield cores, [a, b], [], [((double(a) @ double(b)).sum(0), np.float32)]


@kernel(INPUTS / "mixed.cpp", "both_outputs", 1e-4, 1e-3)
def both_outputs():
    for cores, m, n, k in SIZES:
        a, b = normal(1, m, k), normal(2, k, n)
        yield cores, [a, b], [], [(double(a) @ double(b), np.float32), (torch.relu(double(a)), np.float16)]


# Cores, images, groups, channels, height, width, outputs, pad, dilation: no image, no output,
# one, odd, more than one tile of outputs, pixels and channels, padding wider than the image.
CONVOLUTIONS = ((1, 0, 1, 3, 5, 7, 2, 1, 1), (2, 2, 1, 3, 8, 9, 0, 1, 1), (1, 1, 1, 1, 1, 1, 1, 2, 1),
                (3, 2, 2, 5, 6, 61, 40, 1, 1), (2, 1, 1, 37, 7, 120, 33, 2, 2), (2, 1, 1, 4, 5, 5, 4, 7, 1))


def convolved(dims, images, groups, channels, height, width, outputs, size, stride, pad, dilation, dtype):
    """Inputs as the kernels take them, and what is right."""
    extents = (3, height, width)[3 - dims:]
    x = normal(1, images * groups, channels, *extents, dtype=dtype)
    f = normal(2, groups, outputs, channels, *size, dtype=dtype)
    bias = normal(3, groups, outputs, dtype=np.float32)
    convolve = getattr(torch.nn.functional, f"conv{dims}d")
    planes = [convolve(double(x[p:p + 1]), double(f[p % groups]), double(bias[p % groups]), stride, pad, dilation)
              for p in range(images * groups if outputs else 0)]
    out = [(e + 2 * pad - dilation * (k - 1) - 1) // stride + 1 for e, k in zip(extents, size)]
    want = torch.cat(planes) if planes else torch.zeros(images * groups, outputs, *out).double()
    taps = f.reshape(groups, outputs, channels, int(np.prod(size))).transpose(0, 3, 1, 2).copy()
    return [x, taps, bias], want


def convolutions(dims, dtype, size, stride):
    for cores, *shape, pad, dilation in CONVOLUTIONS:
        inputs, want = convolved(dims, *shape, size, stride, pad, dilation, dtype)
        if min(want.shape[2:]) > 0:
            yield cores, inputs, [f"i64={pad}", f"i64={dilation}"], [(want, np.float32)]


@kernel(EXAMPLES / "conv1d.cpp", "conv1d<half, 1, 32, 48, 32>", 1e-4, 1e-4)
def conv1d():
    yield from convolutions(1, np.float16, (3,), 1)


@kernel(EXAMPLES / "conv1d.cpp", "conv1d<float, 2, 32, 48, 32>", 1e-5, 1e-4, OF_FLOATS)
def conv1d_strided():
    yield from convolutions(1, np.float32, (4,), 2)


@kernel(EXAMPLES / "conv2d.cpp", "conv2d<half, 3, 3, 1, 32, 48, 32>", 1e-4, 1e-4)
def conv2d():
    yield from convolutions(2, np.float16, (3, 3), 1)


@kernel(EXAMPLES / "conv2d.cpp", "conv2d<half, 3, 3, 2, 32, 48, 32>", 1e-4, 1e-4)
def conv2d_halved():
    yield from convolutions(2, np.float16, (3, 3), 2)


@kernel(EXAMPLES / "conv2d.cpp", "conv2d<float, 2, 3, 4, 32, 48, 32>", 1e-5, 1e-4, OF_FLOATS)
def conv2d_quartered():
    yield from convolutions(2, np.float32, (2, 3), 4)


@kernel(EXAMPLES / "conv2d.cpp", "conv2d<float, 3, 2, 3, 32, 48, 32>", 1e-5, 1e-4, OF_FLOATS)
def conv2d_strided():
    yield from convolutions(2, np.float32, (3, 2), 3)


@kernel(EXAMPLES / "conv3d.cpp", "conv3d<half, 2, 3, 3, 1, 32, 48, 32>", 1e-4, 1e-4)
def conv3d():
    yield from convolutions(3, np.float16, (2, 3, 3), 1)


@kernel(EXAMPLES / "conv_depthwise.cpp", "conv_depthwise<3, 3, 1, 16, 48>", 1e-5, 1e-5)
def conv_depthwise():
    yield from depthwise(1)


@kernel(EXAMPLES / "conv_depthwise.cpp", "conv_depthwise<3, 3, 2, 16, 48>", 1e-5, 1e-5)
def conv_depthwise_strided():
    yield from depthwise(2)


def depthwise(stride):
    """Cores, images, channels, height, width, pad, dilation."""
    for cores, n, c, h, w, pad, dilation in ((1, 0, 3, 5, 5, 1, 1), (1, 1, 1, 1, 1, 1, 1), (3, 2, 17, 6, 61, 1, 1),
                                             (2, 1, 5, 9, 20, 1, 1), (2, 1, 33, 7, 50, 4, 2), (4, 1, 3, 5, 9, 2, 1)):
        x, f = normal(1, n, c, h, w, dtype=np.float32), normal(2, c, 1, 3, 3, dtype=np.float32)
        want = torch.nn.functional.conv2d(double(x), double(f), None, stride, pad, dilation, c)
        yield cores, [x, f.reshape(c, 9).T.copy()], [f"i64={pad}", f"i64={dilation}"], [(want, np.float32)]


def spread(dims, dtype, size, stride):
    """Transposed convolutions: cores, images, groups, channels, height, width, outputs, pad, dilation,
    and whether there are rows and columns that no input reaches."""
    for cores, n, g, c, h, w, o, pad, dilation, more in (
            (1, 0, 1, 3, 4, 5, 2, 0, 1, 0), (2, 1, 1, 1, 1, 1, 1, 0, 1, 0), (2, 1, 2, 5, 3, 30, 40, 1, 1, 1),
            (3, 2, 1, 37, 4, 21, 3, 2, 1, 1), (2, 1, 1, 3, 3, 60, 5, 1, 2, 0), (4, 1, 1, 2, 5, 7, 2, 1, 3, 1)):
        more = more if stride > 1 else 0
        extents = (2, h, w)[3 - dims:]
        x, f = normal(1, n * g, c, *extents, dtype=dtype), normal(2, g, c, o, *size, dtype=dtype)
        bias = normal(3, g, o, dtype=np.float32)
        convolve = getattr(torch.nn.functional, f"conv_transpose{dims}d")
        planes = [convolve(double(x[p:p + 1]), double(f[p % g]), double(bias[p % g]), stride, pad, more, 1, dilation)
                  for p in range(n * g)]
        out = [(e - 1) * stride - 2 * pad + dilation * (k - 1) + more + 1 for e, k in zip(extents, size)]
        want = torch.cat(planes) if planes else torch.zeros(0, o, *out).double()
        taps = f.reshape(g, c, o, int(np.prod(size))).transpose(0, 3, 2, 1).copy()
        if min(want.shape[2:]) < 1:
            continue
        yield cores, [x, taps, bias], [f"i64={pad}", f"i64={dilation}"], [(want, np.float32)]


@kernel(EXAMPLES / "conv_transpose2d.cpp", "conv_transpose2d<half, 3, 3, 2, 32, 48, 32>", 1e-4, 1e-4)
def conv_transpose2d():
    yield from spread(2, np.float16, (3, 3), 2)


@kernel(EXAMPLES / "conv_transpose2d.cpp", "conv_transpose2d<float, 3, 4, 1, 32, 48, 32>", 1e-5, 1e-4, OF_FLOATS)
def conv_transpose2d_dense():
    yield from spread(2, np.float32, (3, 4), 1)


@kernel(EXAMPLES / "conv_transpose3d.cpp", "conv_transpose3d<half, 2, 3, 3, 2, 32, 48, 32>", 1e-4, 1e-4)
def conv_transpose3d():
    yield from spread(3, np.float16, (2, 3, 3), 2)


@kernel(EXAMPLES / "matmul_split.cpp", "matmul_split<half, 3, 32, 48, 64>", 1e-4, 1e-4)
def matmul_split():
    for cores, m, n, k in SIZES + ((6, 20, 30, 500),):
        a, b = normal(1, m, k), normal(2, k, n)
        yield cores, [a, b], [], [(double(a) @ double(b), np.float32, "zeros")]


@kernel(EXAMPLES / "matmul_swiglu.cpp", "matmul_swiglu<32, 48, 64>", 2e-3, 2e-3)
def matmul_swiglu():
    for cores, m, n, k in SIZES:
        x, gate, up = normal(1, m, k, scale=0.5), normal(2, k, n, scale=0.3), normal(3, k, n, scale=0.3)
        gated = torch.nn.functional.silu(double(x) @ double(gate)) * (double(x) @ double(up))
        yield cores, [x, gate, up], [], [(gated, np.float16)]


@kernel(EXAMPLES / "matmul_lora.cpp", "matmul_lora<16, 32, 48, 64>", 4e-3, 2e-3)
def matmul_lora():
    for cores, m, n, k in SIZES:
        x, w = normal(1, m, k, scale=0.5), normal(2, k, n, scale=0.3)
        a, b = normal(3, k, 16, scale=0.1), normal(4, 16, n, scale=0.3)
        want = double(x) @ double(w) + double(x) @ double(a) @ double(b) * 0.5
        yield cores, [x, w, a, b], ["f32=0.5"], [(want, np.float16)]


@kernel(EXAMPLES / "lstm_cell.cpp", "lstm_cell<half, 32, 48, 64>", 2e-3, 1e-3)
def lstm_cell():
    for cores, batch, hidden, size in SIZES:
        x, h = normal(1, batch, size), normal(2, batch, hidden)
        c = normal(3, batch, hidden, dtype=np.float32)
        wx, wh = normal(4, 4, size, hidden, scale=0.2), normal(5, 4, hidden, hidden, scale=0.2)
        bias = normal(6, 4, hidden, dtype=np.float32)
        i, f, g, o = (double(x) @ double(wx[n]) + double(h) @ double(wh[n]) + double(bias[n]) for n in range(4))
        state = torch.sigmoid(f) * double(c) + torch.sigmoid(i) * torch.tanh(g)
        yield cores, [x, h, c, wx, wh, bias], [], [(torch.sigmoid(o) * torch.tanh(state), np.float16),
                                                   (state, np.float32)]


def typed(array):
    return f"{NAMES[array.dtype]}:{'x'.join(map(str, array.shape))}"


def launch(folder, path, name, soc, cores, inputs, scalars, wanted, rtol, atol):
    command = [belay(), "run", str(path), "--kernel", name, "--deny", "--soc", soc, "--blocks", str(cores),
               "--check", "--auto-sync", "off", "--schedules", SCHEDULES]
    for i, array in enumerate(inputs):
        np.save(folder / f"in{i}.npy", array)
        command += ["--in", f"{typed(array)}={folder}/in{i}.npy"]
    for i, (want, dtype, *scratch) in enumerate(wanted):
        shape = f"{NAMES[np.dtype(dtype)]}:{'x'.join(map(str, want.shape))}"
        command += (["--inout", f"{shape}=zeros@{folder}/out{i}.npy"] if scratch
                    else ["--out", f"{shape}={folder}/out{i}.npy"])
    for scalar in scalars:
        command += ["--scalar", scalar]
    done = subprocess.run(command, text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, done.stdout
    for i, (want, *_) in enumerate(wanted):
        got = np.load(folder / f"out{i}.npy").reshape(want.shape).astype(np.float64)
        np.testing.assert_allclose(got, want.numpy(), rtol=rtol, atol=atol)


def main():
    for which in sys.argv[1:] or KERNELS:
        path, name, rtol, atol, launches, archs = KERNELS[which]
        for arch in (arch for arch in ARCHS if arch in archs):
            for cores, inputs, scalars, wanted in launches():
                if which == "attention" and inputs[1].shape[1] == 0:
                    continue  # it expects a key
                with tempfile.TemporaryDirectory() as folder:
                    launch(pathlib.Path(folder), path, name, SOC_OF_ARCH[arch], cores, inputs, scalars, wanted,
                           rtol, atol)
            print(f"{which} on {arch}: right", flush=True)


if __name__ == "__main__":
    main()
