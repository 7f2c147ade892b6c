"""How the kernels of examples/kernels are launched with so many tiles on one core."""
import dataclasses
from typing import Callable

ALL = (2002, 2201, 3510)
LATER = (2201, 3510)
SOC_OF_ARCH = {2002: "Ascend310P3", 2201: "Ascend910B3", 3510: "Ascend950PR_9599"}


@dataclasses.dataclass
class Example:
    """`launch` turns a number of tiles and what the last of them lacks into blocks and
    arguments; 0 if the kernel has no short tiles. Where there is none, `of_contract` makes
    all launches from what `belay build` says of the launch. `empty` is a launch with sums of
    nothing, which have code of their own."""

    file: str
    instance: str
    symbol: str
    launch: Callable
    archs: tuple = ALL
    of_contract: Callable = None
    empty: Callable = None

    def launches(self, tiles):
        return [self.launch(tiles, 1), *([self.empty(tiles, 1)] if self.empty else [])]


def sizes(*values):
    return [{"scalar": f"i64={v}"} for v in values]


def floats(*values):
    return [{"scalar": f"f32={v}"} for v in values]


def vectors(tile, views, *numbers, kind="f32"):
    """Vectors in tiles; i, o or b (both ways) for each."""

    def launch(tiles, missing):
        n = tiles * tile - min(missing, 1) * (tile // 3 + 1)
        specs = []
        for seed, view in enumerate(views):
            text = f"{kind}:{n}=uniform:{seed}:0.1:2"
            specs.append({"i": {"in": text}, "b": {"inout": text},
                          "o": {"out": f"{kind}:{n}"}}[view])
        return 1, [*specs, *sizes(*[n] * len(views)), *floats(*numbers)]

    return launch


def matrix(role, rows, cols, kind="f32"):
    if role == "out":
        return {"out": f"{kind}:{rows}x{cols}"}
    return {role: f"{kind}:{rows}x{cols}=normal:{rows + cols}"}


def rows_of(tile, arguments):
    """Rows in tiles; `arguments` makes them for so many rows."""
    return lambda tiles, missing: (1, arguments(tiles * tile - min(missing, 1) * (tile // 2)))


def layernorm(n):
    return [matrix("in", n, 128, "f16"), {"in": "f32:128=normal:1"}, {"in": "f32:128=normal:2"},
            matrix("out", n, 128, "f16"), *sizes(n, n), *floats(1e-5)]


def reduce_all(tiles, missing):
    n = 2 * tiles * 8192 - min(missing, 1) * 3000
    return 2, [{"in": f"f32:{n}=normal:1"}, {"out": "f32:2"}, {"out": "f32:1"}, *sizes(n, 2)]


def long_rows(tile):
    def launch(tiles, missing):
        n = tiles * tile - min(missing, 1) * (tile // 3)
        return 1, [matrix("in", 3, n), matrix("out", 3, n), *sizes(3, n, 3, n)]

    return launch


def transposed(tiles, missing):
    rows, cols = 64, tiles * 64 - min(missing, 1) * 20
    return 1, [matrix("in", rows, cols, "f16"), matrix("out", cols, rows, "f16"),
               *sizes(rows, cols, cols, rows)]


def planes(inputs, outputs):
    """Shapes of one row of each plane; tiles are rows."""

    def launch(tiles, missing):
        (h, w), (oh, ow) = inputs, outputs
        return 1, [{"in": f"f32:2x{tiles * h}x{w}=normal:1"}, {"out": f"f32:2x{tiles * oh}x{ow}"},
                   *sizes(2, tiles * h, 2, tiles * oh)]

    return launch


def batches(rows, cols, k, transposed, kind="f16"):
    """The same of planes, or of one, whose operands may be transposed."""

    def launch(tiles, missing):
        m, n = tiles * rows - min(missing, 1) * 5, 2 * cols
        left, right = (k, m) if transposed[0] else (m, k), (n, k) if transposed[1] else (k, n)
        shapes = [(1, *left), (1, *right), (1, m, n)]
        return 1, [{"in": f"{kind}:1x{left[0]}x{left[1]}=normal:1"},
                   {"in": f"{kind}:1x{right[0]}x{right[1]}=normal:2"},
                   {"out": f"{kind}:1x{m}x{n}"}, *sizes(*(e for s in shapes for e in s))]

    return launch


def products(rows, cols, k, kind="f16"):
    """Matrices in tiles of so many rows, each with two columns of tiles, the last of which is
    short: the 310P has code of its own for that."""

    def launch(tiles, missing):
        m, n = tiles * rows - min(missing, 1) * 5, 2 * cols - min(missing, 1) * 7
        return 1, [matrix("in", m, k, kind), matrix("in", k, n, kind), matrix("out", m, n, kind),
                   *sizes(m, k, k, n, m, n)]

    return launch


def matmul_gelu(tiles, missing):
    m, n, k = tiles * 32 - min(missing, 1) * 5, 2 * 48, 3 * 64 - 7
    return 1, [matrix("in", m, k, "f16"), matrix("in", k, n, "f16"), {"in": f"f32:{n}=normal:1"},
               matrix("out", m, n, "f16"), {"inout": "f32:1x32x48=zeros"}, *sizes(m, k, k, n, n, m, n, 1)]


def attention(tiles, missing):
    m, n = tiles * 32 - min(missing, 1) * 5, tiles * 64 - min(missing, 1) * 9
    return 1, [matrix("in", m, 48, "f16"), matrix("in", 48, n, "f16"), matrix("in", n, 48, "f16"),
               matrix("out", m, 48, "f16"), {"inout": "f16:1x32x64=zeros"}, {"inout": "f32:1x32x64=zeros"},
               {"inout": "f32:1x32x48=zeros"}, *sizes(m, n, n, m, 1, 1, 1), *floats(0.125)]


def bytes_by_bytes(rows, cols, k):
    """Of 8-bit integers, the second one transposed."""

    def launch(tiles, missing):
        m, n = tiles * rows - min(missing, 1) * 5, 2 * cols
        return 1, [{"in": f"i8:{m}x{k}=randint:1:-9:9"}, {"in": f"i8:{n}x{k}=randint:2:-9:9"},
                   {"out": f"i32:{m}x{n}"}, *sizes(m, k, n, k, m, n)]

    return launch


EXAMPLES = {
    "vec_add": Example("vec_add", "vec_add<float, 256>", "vec_add_float_256",
                       vectors(256, "iio")),
    "axpy": Example("axpy", "", "axpy", vectors(8192, "ib", 2.5)),
    "relu": Example("relu", "relu_of<half>", "relu_of_half", vectors(8192, "io", kind="f16")),
    "gelu": Example("gelu", "", "gelu", vectors(4096, "io")),
    "gelu_tanh": Example("gelu", "", "gelu_tanh", vectors(4096, "io", kind="f16")),
    "swish": Example("swish", "", "swish", vectors(4096, "io", 1.5)),
    "softmax": Example("softmax", "softmax<128>", "softmax_128", rows_of(8, lambda n: [
        matrix("in", n, 128), matrix("out", n, 128), *sizes(n, n)])),
    "softmax_long": Example("softmax", "", "softmax_long", long_rows(8192)),
    "layernorm": Example("layernorm", "layernorm<128>", "layernorm_128", rows_of(4, layernorm)),
    "rmsnorm": Example("rmsnorm", "rmsnorm<128>", "rmsnorm_128", rows_of(4, lambda n: [
        matrix("in", n, 128), {"in": "f32:128=normal:1"}, matrix("out", n, 128), *sizes(n, n),
        *floats(1e-5)])),
    "reduce_one": Example("reduce", "", "reduce_one", lambda tiles, missing: (1, [
        {"in": f"f32:{tiles * 8192 - missing}=normal:1"}, {"out": "f32:1"},
        *sizes(tiles * 8192 - missing)])),
    "reduce_all": Example("reduce", "", "reduce_all", reduce_all, LATER),
    "cumsum": Example("cumsum", "cumsum<64>", "cumsum_64", long_rows(64)),
    "embedding": Example("embedding", "embedding<32>", "embedding_32", rows_of(16, lambda n: [
        matrix("in", 10, 32, "f16"), {"in": f"i32:{n}=randint:1:0:12"},
        matrix("out", n, 32, "f16"), *sizes(10, n, n)])),
    "scatter_rows": Example(
        "scatter_add", "scatter_rows<32>", "scatter_rows_32", rows_of(16, lambda n: [
            matrix("in", n, 32), {"in": f"i32:{n}=randint:1:0:9"}, matrix("inout", 10, 32),
            *sizes(n, n, 10)]), LATER),
    "transpose": Example("transpose", "", "transpose_of", transposed),
    "adam": Example("adam", "", "adam", vectors(2048, "bibb", 0.01, 0.9, 0.99, 1e-6, 2, 3)),
    "cross_entropy": Example(
        "cross_entropy", "cross_entropy<50>", "cross_entropy_50", rows_of(8, lambda n: [
            matrix("in", n, 50), {"in": f"i32:{n}=randint:1:0:49"}, {"out": f"f32:{n}"},
            *sizes(n, n, n)])),
    "argmax": Example("argmax", "argmax<50>", "argmax_50", rows_of(8, lambda n: [
        matrix("in", n, 50), {"out": f"i32:{n}"}, *sizes(n, n)])),
    "search_sorted": Example("search", "", "search_sorted", rows_of(3, lambda n: [
        {"in": "f32:37=normal:1"}, {"in": f"f32:{n}=normal:2"}, {"out": f"i32:{n}"},
        *sizes(37, n, n)])),
    "square_root": Example("newton", "", "square_root", vectors(2048, "io")),
    "matmul": Example("matmul", "matmul<half, 32, 48, 64>", "matmul_half_32_48_64",
                      products(32, 48, 185), empty=products(32, 48, 0)),
    # Steps of k that L0A and L0B take in two halves.
    "matmul_halves": Example("matmul", "matmul<half, 32, 48, 512>", "matmul_half_32_48_512",
                             products(32, 48, 1529), empty=products(32, 48, 0)),
    "matmul_gelu": Example("matmul_gelu", "matmul_gelu<32, 48, 64>", "matmul_gelu_32_48_64",
                           matmul_gelu, LATER),
    "attention": Example("attention", "attention<48, 32, 64>", "attention_48_32_64", attention, LATER),
    "matmul_i8": Example("matmul_i8", "matmul_i8<32, 48, 64>", "matmul_i8_32_48_64",
                         bytes_by_bytes(32, 48, 185), empty=bytes_by_bytes(32, 48, 0)),
    **{f"batched_{'nt'[a]}{'nt'[b]}": Example(
        "matmul_batched", f"matmul_batched<half, {str(a).lower()}, {str(b).lower()}, 32, 48, 64>",
        f"matmul_batched_half_{str(a).lower()}_{str(b).lower()}_32_48_64",
        batches(32, 48, 185, (a, b)), empty=batches(32, 48, 0, (a, b)))
        for a in (False, True) for b in (False, True)},
    "resize": Example("resize", "resize<16, 2>", "resize_16_2", planes((1, 16), (2, 32))),
    "avg_pool": Example("pool", "avg_pool<16>", "avg_pool_16", planes((2, 16), (1, 8))),
    "max_pool": Example("pool", "max_pool<16>", "max_pool_16", planes((2, 16), (1, 8))),
}
