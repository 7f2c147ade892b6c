"""examples/kernels, with every element type and static extent that they admit, against
PyTorch and NumPy.

Where sums, exponentials and quotients make the last bits depend on order and library,
`near` says how far a result may be from the exact one: so many roundings of so large a
value, counted from the kernel's text. u is half a unit in the last place of 1.
"""
import pathlib

import numpy as np
import torch

from .kernel import EXTENTS, TEMPLATE, Kernel, Number, View, edges
from .structures import place_of, taken
from .values import TYPES, rounded

FOLDER = pathlib.Path(__file__).resolve().parents[3] / "examples" / "kernels"
U = {"float": 2.0**-24, "half": 2.0**-11}
# A function of the library (exp, tanh, erf, log) and its argument's rounding.
ULPS = 8


def example(file, instance, params, reference, directions, **more):
    name = f"{file}:{instance}".replace(" ", "")
    return Kernel(name, str(FOLDER / f"{file}.cpp"), instance, params, reference, directions, **more)


def vector(name, role, dtype, *dims, **more):
    return View(name, role, dtype, dims or ("n",), **more)


def matrices(dtype, *dims):
    return [View("x", "In", dtype, dims), View("y", "Out", dtype, dims)]


def tensor(array):
    return torch.from_numpy(np.ascontiguousarray(array))


# --- elementwise -----------------------------------------------------------------


def vec_add(templates):
    for dtype in TYPES:
        for n in templates or (64,):
            yield example("vec_add", f"vec_add<{dtype}, {n}>",
                          [vector("x", "In", dtype), vector("y", "In", dtype), vector("z", "Out", dtype)],
                          lambda a, s, dtype=dtype: {"z": rounded(a["x"] + a["y"], dtype)}, {"n": edges(n)})


def relu(templates):
    for dtype in TYPES:
        yield example("relu", f"relu_of<{dtype}>", [vector("x", "In", dtype), vector("y", "Out", dtype)],
                      lambda a, s: {"y": np.maximum(a["x"], 0)}, {"n": edges(8192)})


def axpy(templates):
    params = [Number("a", "float", 1.5), vector("x", "In", "float"), vector("y", "InOut", "float")]
    yield example("axpy", "axpy", params,
                  lambda a, s: {"y": a["x"] * np.float32(1.5) + a["y"]}, {"n": EXTENTS})


def activations(templates):
    x, y = vector("x", "In", "float", grid=None), vector("y", "Out", "float")
    yield example("gelu", "gelu", [x, y],
                  lambda a, s: {"y": torch.nn.functional.gelu(tensor(a["x"])).numpy()},
                  {"n": EXTENTS}, tolerance={"y": 4 * (ULPS + 4) * U["float"] * 4})
    h, z = vector("x", "In", "half"), vector("y", "Out", "half")
    yield example("gelu", "gelu_tanh", [h, z],
                  lambda a, s: {"y": torch.nn.functional.gelu(tensor(a["x"]), approximate="tanh").numpy()},
                  {"n": EXTENTS}, tolerance={"y": 4 * U["half"] * 1.01})
    beta = np.float32(1.25)
    yield example("swish", "swish", [x, y, Number("beta", "float", 1.25)],
                  lambda a, s: {"y": (a["x"].astype(np.float64) / (1 + np.exp(-beta * a["x"].astype(np.float64))))},
                  {"n": EXTENTS}, tolerance={"y": 4 * (ULPS + 8) * U["float"]})


def adam(templates):
    rate, b1, b2, eps, c1, c2 = (np.float32(v) for v in (0.01, 0.75, 0.5, 0.001, 2.0, 1.5))
    params = [vector("p", "InOut", "float"), vector("g", "In", "float"), vector("m", "InOut", "float"),
              vector("v", "InOut", "float")]
    params += [Number(n, "float", float(v)) for n, v in
               zip(("rate", "b1", "b2", "eps", "c1", "c2"), (rate, b1, b2, eps, c1, c2))]

    def reference(a, s):
        g = a["g"]
        m = a["m"] * b1 + g * (np.float32(1) - b1)
        v = a["v"] * b2 + g * g * (np.float32(1) - b2)
        # A moment below 0, which no training has, gives NaN everywhere.
        return {"m": m, "v": v, "p": a["p"] - m * (rate * c1) / (np.sqrt(v * c2) + eps)}

    # The root may be off by ULPS of itself; m * rate is at most 0.08 and the divisor at
    # least eps: 80 in all. On the grid of data, 4 * 80 * u is far from what a mistake does.
    yield example("adam", "adam", params, reference, {"n": EXTENTS},
                  tolerance={"p": 84 * (ULPS + 4) * U["float"]})


# --- rows ------------------------------------------------------------------------


def softmax(templates):
    for c in templates or (64,):
        yield example("softmax", f"softmax<{c}>", matrices("float", "n", c),
                      lambda a, s: {"y": torch.softmax(tensor(a["x"]).double(), 1).numpy()}, {"n": EXTENTS},
                      # exp of each, a sum of c, a quotient; all at most 1.
                      tolerance={"y": (2 * ULPS + 2 * c + 4) * U["float"]})
    yield example("softmax", "softmax_long", matrices("float", "n", "m"),
                  lambda a, s: {"y": torch.softmax(tensor(a["x"]).double(), 1).numpy()},
                  {"n": EXTENTS, "m": EXTENTS}, tolerance={"y": (2 * ULPS + 2 * 40 + 4) * U["float"]})


def layernorm(templates):
    for c in templates or (96,):
        x, y = matrices("half", "n", c)
        params = [x, View("gamma", "In", "float", (c,)), View("beta", "In", "float", (c,)), y,
                  Number("eps", "float", 1.0)]

        def reference(a, s, c=c):
            x, g, b = (a[k].astype(np.float64) for k in ("x", "gamma", "beta"))
            d = x - x.mean(1, keepdims=True)
            return {"y": d / np.sqrt((d * d).mean(1, keepdims=True) + 1) * g + b}

        # |d * s| is at most sqrt(c) and 8, gamma and beta at most 4: 36. The mean is exact to
        # c roundings of 4; then a rounding to half.
        most = min(np.sqrt(c), 8) * 4 + 4
        yield example("layernorm", f"layernorm<{c}>", params, reference, {"n": EXTENTS},
                      tolerance={"y": most * U["half"] * 1.01 + (4 * c + 4 * ULPS) * 36 * U["float"]})


def rmsnorm(templates):
    for c in templates or (96,):
        x, y = matrices("float", "n", c)
        params = [x, View("gamma", "In", "float", (c,)), y, Number("eps", "float", 1.0)]

        def reference(a, s):
            x, g = a["x"].astype(np.float64), a["gamma"].astype(np.float64)
            return {"y": x / np.sqrt((x * x).mean(1, keepdims=True) + 1) * g}

        yield example("rmsnorm", f"rmsnorm<{c}>", params, reference, {"n": EXTENTS},
                      tolerance={"y": 16 * (c + 2 * ULPS + 8) * U["float"]})


def argmax(templates):
    for c in templates or (50,):
        params = [View("x", "In", "float", ("n", c)), View("where", "Out", "i32", ("n",))]
        yield example("argmax", f"argmax<{c}>", params,
                      lambda a, s: {"where": a["x"].argmax(1)}, {"n": EXTENTS})


def cross_entropy(templates):
    for c in templates or (50,):
        params = [View("x", "In", "float", ("n", c)), View("target", "In", "i32", ("n",), indices=str(c)),
                  View("loss", "Out", "float", ("n",))]

        def reference(a, s):
            x, target = tensor(a["x"]).double(), tensor(a["target"]).long()
            return {"loss": torch.nn.functional.cross_entropy(x, target, reduction="none").numpy()}

        yield example("cross_entropy", f"cross_entropy<{c}>", params, reference, {"n": EXTENTS},
                      tolerance={"loss": (2 * c + 2 * ULPS + 16) * 2 * U["float"] * 8})


def cumsum(templates):
    for n in templates or (64,):
        yield example("cumsum", f"cumsum<{n}>", matrices("float", "n", "m"),
                      lambda a, s: {"y": torch.cumsum(tensor(a["x"]), 1).numpy()},
                      {"n": EXTENTS, "m": edges(n)})


def transpose(templates):
    params = [View("x", "In", "half", ("m", "n")), View("y", "Out", "half", ("n", "m"))]
    yield example("transpose", "transpose_of", params,
                  lambda a, s: {"y": a["x"].T}, {"n": edges(64), "m": edges(64)})


# --- sums --------------------------------------------------------------------------


def reduce(templates):
    out = View("out", "Out", "float", (1,))
    yield example("reduce", "reduce_one", [vector("x", "In", "float"), out],
                  lambda a, s: {"out": a["x"].sum(keepdims=True)}, {"n": EXTENTS})
    part = View("part", "PerCore", "float", ("cores",))
    yield example("reduce", "reduce_all", [vector("x", "In", "float"), part, out],
                  lambda a, s: {"out": a["x"].sum(keepdims=True)}, {"n": EXTENTS})


# --- by index ------------------------------------------------------------------------


def embedding(templates):
    for c in templates or (32,):
        params = [View("table", "In", "half", ("k", c)), View("ids", "In", "i32", ("n",), indices="k", bad=True),
                  View("out", "Out", "half", ("n", c))]
        yield example("embedding", f"embedding<{c}>", params,
                      lambda a, s: {"out": taken(a["table"], place_of("zero", a["ids"], s["k"]))},
                      {"n": EXTENTS, "k": EXTENTS})


def scatter_rows(templates):
    for c in templates or (32,):
        params = [View("x", "In", "float", ("n", c)), View("ids", "In", "i32", ("n",), indices="k"),
                  View("table", "InOut", "float", ("k", c))]

        def reference(a, s):
            return {"table": tensor(a["table"]).index_add(0, tensor(a["ids"]), tensor(a["x"])).numpy()}

        yield example("scatter_add", f"scatter_rows<{c}>", params, reference, {"n": EXTENTS, "k": EXTENTS[1:]})


def search(templates):
    params = [View("table", "In", "float", ("k",)), View("keys", "In", "float", ("n",)),
              View("places", "Out", "i32", ("n",))]

    def reference(a, s):
        # Also of a table that is not sorted, which no launch excludes.
        places = np.zeros(s["n"], np.int32)
        for i, key in enumerate(a["keys"]):
            low, high = 0, s["k"]
            while low < high:
                middle = (low + high) // 2
                low, high = (middle + 1, high) if a["table"][middle] < key else (low, middle)
            places[i] = low
        return {"places": places}

    yield example("search", "search_sorted", params, reference, {"n": EXTENTS, "k": EXTENTS})


# --- planes --------------------------------------------------------------------------


def pool(templates):
    for w in templates or (14,):
        if w < 2 or w % 2:  # half of an odd width leaves the last column out
            w += 1
        half = w // 2
        params = [View("x", "In", "float", ("p", "2 * n", w)), View("y", "Out", "float", ("p", "n", half))]

        def quads(a, s, w=w):
            return a["x"].reshape(s["p"], s["n"], 2, w // 2, 2)

        def average(a, s, quads=quads):
            q = quads(a, s)
            return {"y": (q[:, :, 0, :, 0] + q[:, :, 0, :, 1] + q[:, :, 1, :, 0] + q[:, :, 1, :, 1]) * np.float32(0.25)}

        sizes = {"p": EXTENTS, "n": EXTENTS}
        yield example("pool", f"avg_pool<{w}>", params, average, sizes, cap=60)
        yield example("pool", f"max_pool<{w}>", params,
                      lambda a, s, quads=quads: {"y": quads(a, s).max(axis=(2, 4)) if s["p"] * s["n"]
                                                 else quads(a, s)[:, :, 0, :, 0]}, sizes, cap=60)


def resize(templates):
    for place, w in enumerate(templates or (10,)):
        f = (1, 2, 3)[place % 3]
        params = [View("x", "In", "float", ("p", "n", w)), View("y", "Out", "float", ("p", f"n * {f}", w * f))]
        yield example("resize", f"resize<{w}, {f}>", params,
                      lambda a, s, f=f: {"y": a["x"].repeat(f, 1).repeat(f, 2)},
                      {"p": EXTENTS, "n": EXTENTS}, cap=60)


EXAMPLES = (vec_add, relu, axpy, activations, adam, softmax, layernorm, rmsnorm, argmax, cross_entropy,
            cumsum, transpose, reduce, embedding, scatter_rows, search, pool, resize)


def examples(no_templates=False):
    """Every kernel of every example; without templates, one static extent each."""
    kernels = [k for make in EXAMPLES for k in make(() if no_templates else TEMPLATE)]
    return list({k.name: k for k in kernels}.values())
