"""Quantisation against NumPy."""
import numpy as np
from harness import Batch, covers, expect_failure, from_bf16, main, run, to_bf16

TYPES = {"half": np.float16, "float": np.float32}
TAGS = {"half": "f16", "float": "f32", "bfloat16_t": "bf16"}


def u32(*values):
    return [("u32", v) for v in values]


def to_int8(values, rounding=np.rint):
    return np.clip(rounding(values.astype(np.float64)), -128, 127).astype(np.int8)


@covers("AscendQuant", forms=("scalars", "tensor, scalar", "tensors", "tmp", "whole"),
        dtypes=("half", "float"), archs=(2201, 2002, 3510))
def test_quant():
    rng = np.random.default_rng(1)
    channels, rows = 32, 7
    batch, cases = Batch(), []
    for kind, dtype in TYPES.items():
        x = rng.normal(0, 40, (rows, channels)).astype(dtype)
        scale, offset = rng.uniform(0.5, 3, (2, channels)).astype(dtype)
        # Each step of the routine is done in half.
        h = np.float16
        for form in range(7):
            s = scale if form >= 2 else scale[0]
            o = offset if form >= 4 else offset[0]
            product = x.astype(h) * np.asarray(s).astype(h)
            want = to_int8(product + np.asarray(o).astype(h))
            launch = batch.add("quant.cpp", kernel=f"quant<{kind}>",
                               ins=[x, scale, offset], outs=[("i8", x.shape)],
                               scalars=u32(channels, x.size, form),
                               soc=(2201, 2002, 3510)[form % 3])
            cases.append((launch, want, (kind, form)))
    batch.run()
    for launch, want, what in cases:
        np.testing.assert_array_equal(launch.results()[0], want, str(what))


def bf16(values):
    return from_bf16(to_bf16(values))


@covers("AscendDequant",
        forms=("shape", "tmp", "count", "whole", "scalar", "single row", "multi row"),
        dtypes=("half", "float", "bfloat16_t"), archs=(2201, 3510), tail=True)
def test_dequant():
    rng = np.random.default_rng(2)
    batch, cases = Batch(), []
    for kind, scales in (("float", "float"), ("half", "uint64_t"),
                         ("bfloat16_t", "float"), ("bfloat16_t", "bfloat16_t")):
        for form in range(7):
            if form == 6 and scales == "uint64_t":
                continue
            m, n, count = (1, 64, 16) if form in (2, 3) else (5, 24, 13)
            if form in (4, 5):
                count = n
            x = rng.integers(-500, 500, (m, n)).astype(np.int32)
            scale = rng.uniform(0.001, 0.1, n).astype(np.float32)
            sent = scale
            if scales == "bfloat16_t":
                sent, scale = to_bf16(scale), bf16(scale)
            elif scales == "uint64_t":  # the upper half is for the cube unit
                sent = scale.view(np.uint32).astype(np.uint64) | np.uint64(0xAB << 32)
            rows, width, used = (n // count, count, count) if form == 3 else (m, n, count)
            size = {"float": 4}.get(kind, 2)
            stride = -(-width * size // 32) * 32 // size
            want = np.zeros((rows, stride), np.float32)
            factor = scale[0] if form == 6 else scale[:used]
            product = x.reshape(rows, width)[:, :used].astype(np.float32) * factor
            want[:, :used] = {"half": lambda v: v.astype(np.float16),
                              "bfloat16_t": bf16}.get(kind, lambda v: v)(product)
            launch = batch.add("quant.cpp", kernel=f"dequant<{kind}, {scales}>",
                               ins=[x, sent], outs=[(TAGS[kind], want.shape)],
                               scalars=u32(m, n, count, form),
                               soc=(2201, 3510)[form % 2])
            cases.append((launch, want, kind, form))
    batch.run()
    for launch, want, kind, form in cases:
        got, = launch.results()
        got = from_bf16(got) if kind == "bfloat16_t" else got.astype(np.float32)
        np.testing.assert_array_equal(got, want, f"{kind}, form {form}")


@covers("AscendAntiQuant",
        forms=("channel", "tensor", "no offset", "transposed", "groups", "tmp"),
        dtypes=("half", "bfloat16_t"), archs=(2201, 3510))
def test_antiquant():
    rng = np.random.default_rng(3)
    k, n, groups = 64, 32, 2
    batch, cases = Batch(), []
    for kind in ("half", "bfloat16_t"):
        for transpose in (False, True):
            for form in range(5):
                x = rng.integers(-128, 128, (n, k) if transpose else (k, n))
                x = x.astype(np.int8)
                shape = (n, groups) if transpose else (groups, n)
                scale, offset = rng.uniform(0.1, 2, (2, *shape)).astype(np.float32)
                convert = to_bf16 if kind == "bfloat16_t" else np.float16
                sent = [convert(scale), convert(offset)]
                s, o = (from_bf16(v) if kind == "bfloat16_t" else v for v in sent)
                if form >= 3:
                    s, o = s[0, 0], o[0, 0]
                else:
                    s, o = (np.repeat(v, k // groups, axis=int(transpose))
                            for v in (s, o))
                if form in (2, 4):
                    o = np.zeros_like(o)
                if kind == "half":  # every step in half
                    want = (x.astype(np.float16) + o) * s
                else:
                    want = bf16((x.astype(np.float32) + o) * s)
                launch = batch.add(
                    "quant.cpp", kernel=f"antiquant<{kind}, {str(transpose).lower()}>",
                    ins=[x, *sent], outs=[(TAGS[kind], x.shape)],
                    scalars=u32(k, n, groups, form), soc=(2201, 3510)[form % 2])
                cases.append((launch, want, (kind, transpose, form)))
    batch.run()
    for launch, want, what in cases:
        got, = launch.results()
        got = from_bf16(got) if what[0] == "bfloat16_t" else got
        np.testing.assert_array_equal(got, want, str(what))


def away(values):
    return np.sign(values) * np.floor(np.abs(values) + 0.5)


@covers("Quantize", "AscendQuant", forms=("tensor", "channel", "token", "group"),
        dtypes=("half", "float"), archs=(3510,))
def test_quantize():
    rng = np.random.default_rng(4)
    m, n = 64, 64
    batch, cases = Batch(), []
    shapes = {0: ((1, 1), np.rint), 1: ((1, n), np.floor), 2: ((m, 1), np.ceil),
              3: ((m // 32, n), away), 4: ((m, n // 32), np.trunc),
              5: ((m, 1), np.rint)}
    for kind, dtype in TYPES.items():
        for policy, (shape, rounding) in shapes.items():
            x = rng.integers(-40, 40, (m, n)).astype(dtype)
            # Halves and whole numbers: products are exact, and ties occur.
            scale = (rng.integers(1, 6, shape) / 4).astype(np.float32)
            offset = rng.integers(-9, 9, shape).astype(np.float32)
            s, o = (np.repeat(np.repeat(v, m // v.shape[0], 0), n // v.shape[1], 1)
                    for v in (scale, offset))
            if policy == 2:
                o = np.zeros_like(o)
            want = to_int8(x.astype(np.float64) * s + o, rounding)
            launch = batch.add("quant.cpp", kernel=f"quantize<{kind}>", soc=3510,
                               ins=[x, scale, offset], outs=[("i8", (m, n))],
                               scalars=u32(m, n, scale.size, policy))
            cases.append((launch, want, (kind, policy)))
    batch.run()
    for launch, want, what in cases:
        np.testing.assert_array_equal(launch.results()[0], want, str(what))


@covers("Dequantize", "AntiQuantize", forms=("token", "channel"), dtypes=("float",),
        archs=(3510,))
def test_back():
    rng = np.random.default_rng(5)
    m, n = 16, 32
    x = rng.integers(-500, 500, (m, n)).astype(np.int32)
    x8 = rng.integers(-128, 128, (m, n)).astype(np.int8)
    scale, offset = rng.uniform(0.1, 2, (2, n)).astype(np.float32)
    y, y8 = run("quant.cpp", kernel="back", soc=3510, ins=[x, x8, scale, offset],
                outs=[("f32", (m, n))] * 2, scalars=u32(m, n))
    np.testing.assert_array_equal(y, x.astype(np.float32) * scale[:m, None])
    np.testing.assert_array_equal(y8, (x8.astype(np.float32) + offset) * scale)


@covers("Quantize", forms=("refused",))
def test_refused():
    x, one = np.zeros((2, 32), np.float16), np.ones(1, np.float32)
    expect_failure("unsupported-dtype", "quant.cpp", kernel="quant<bfloat16_t>",
                   contains="bfloat16_t on arch 2201",
                   ins=[to_bf16(x), to_bf16(np.ones(32)), to_bf16(np.ones(32))],
                   outs=[("i8", x.shape)], scalars=u32(32, 64, 0))
    expect_failure("unsupported-api", "quant.cpp", kernel="quantize<half>",
                   line="Quantize<QUANT_TENSOR>", contains="arch 2201",
                   ins=[x, one, one], outs=[("i8", x.shape)],
                   scalars=u32(2, 32, 1, 0))


if __name__ == "__main__":
    main()
