"""Forms of kernels with loops, branches, indices and views that are read and written."""
import numpy as np

from .body import fold, number
from .forms import draw_type, first_core, kernel_text, loop, view
from .kernel import EXTENTS, TEMPLATE, Kernel, Number, View, edges
from .values import BYTES, rounded, widen

POLICIES = ("trap", "clamp", "zero", "wrap")
ADDED = ("float", "half", "i16", "i32", "bfloat16")
SHORT = tuple(range(0, 21))


def place_of(policy, index, extent):
    """Where an index leads, -1 for nowhere."""
    if policy == "clamp":
        return np.clip(index, 0, max(extent - 1, 0)) if extent else np.full_like(index, -1)
    if policy == "wrap":
        return index % extent if extent else np.full_like(index, -1)
    return np.where((index >= 0) & (index < extent), index, -1)


def taken(table, places):
    """Rows or elements of a table; zeros for nowhere."""
    if not len(table):
        return np.zeros(places.shape + table.shape[1:], table.dtype)
    found = table[places]
    found[places < 0] = 0
    return found


# --- by index --------------------------------------------------------------------


def gathered_rows(rng, name):
    dtype, index, policy = draw_type(rng), rng.choice(["i32", "i32", "i64"]), rng.choice(POLICIES)
    r, c = rng.choice([1, 2, 8, 16, 17]), rng.choice([1, 1, 2, 7, 8, 16, 17, 33, 64, 65])
    params = [view("x", "In", dtype, "k", c, large=True),
              View("ids", "In", index, ("n",), indices="k", bad=policy != "trap"),
              view("y", "Out", dtype, "n", c)]
    lines = loop(f"auto w : my_rows<{r}>(y)", [f"store(w, gather<Oob::{policy}>(x, load(ids, w)));"])
    expects = ["ids.size() == y.rows()"] + ["x.rows() >= 1"] * (policy in ("clamp", "wrap"))
    return Kernel(name, kernel_text(name, params, expects, lines), name, params,
                  lambda a, sizes: {"y": taken(a["x"], place_of(policy, a["ids"], sizes["k"]))},
                  {"n": EXTENTS, "k": EXTENTS},
                  admits=lambda s: s["k"] > 0 or (policy == "zero") or s["n"] == 0 and policy == "trap")


def gathered_elements(rng, name):
    dtype, index, policy = draw_type(rng), rng.choice(["i32", "i64"]), rng.choice(POLICIES)
    n = rng.choice(TEMPLATE)
    params = [view("x", "In", dtype, "k", large=True),
              View("ids", "In", index, ("n",), indices="k", bad=policy != "trap"),
              view("y", "Out", dtype, "n")]
    lines = loop(f"auto w : my_tiles<{n}>(y)", [f"store(w, gather<Oob::{policy}>(x, load(ids, w)));"])
    expects = ["ids.size() == y.size()"] + ["x.size() >= 1"] * (policy in ("clamp", "wrap"))
    return Kernel(name, kernel_text(name, params, expects, lines), name, params,
                  lambda a, sizes: {"y": taken(a["x"], place_of(policy, a["ids"], sizes["k"]))},
                  {"n": edges(n), "k": EXTENTS},
                  admits=lambda s: s["k"] > 0 or (policy == "zero") or s["n"] == 0 and policy == "trap")


def scattered(rng, name):
    """Rows that are added to rows of a table, several to one."""
    dtype, policy = draw_type(rng, ADDED), rng.choice(POLICIES)
    r, c = rng.choice([1, 2, 8, 16]), rng.choice([1, 1, 2, 7, 8, 16, 17, 33])
    params = [view("x", "In", dtype, "n", c), View("ids", "In", "i32", ("n",), indices="k", bad=policy != "trap"),
              view("y", "InOut", dtype, "k", c)]
    lines = loop(f"auto w : my_rows<{r}>(x)", [f"scatter_add<Oob::{policy}>(y, load(ids, w), load(x, w));"])
    expects = ["ids.size() == x.rows()"] + ["y.rows() >= 1"] * (policy in ("clamp", "wrap"))

    def reference(arrays, sizes):
        y = arrays["y"].copy()
        places = place_of(policy, arrays["ids"], sizes["k"])
        kept = places >= 0
        np.add.at(y, places[kept], arrays["x"][kept])
        return {"y": rounded(y, dtype)}

    # At most 41 numbers of at most 4, and what was there: below 2**8 quarters only for few.
    err = 2 * 42 * 2.0**-8 * 168 if dtype == "bfloat16" else 0
    return Kernel(name, kernel_text(name, params, expects, lines), name, params, reference,
                  {"n": EXTENTS, "k": EXTENTS}, tolerance={"y": err},
                  admits=lambda s: s["k"] > 0 or (policy == "zero") or s["n"] == 0 and policy == "trap")


# --- loops that carry --------------------------------------------------------------


def carried(rng, name):
    """A tile carried through a loop, begun in one of several ways; what it began as may be
    wanted again afterwards."""
    dtype, c = draw_type(rng), rng.choice([1, 7, 8, 16, 17, 33, 64, 256])
    kind = rng.choice(["max", "min", "add"])
    if kind == "add" and dtype == "i8":
        return None
    start = rng.choice(["load", "copy", "zeros", "full"])
    combine = {"max": "max({0}, {1})", "min": "min({0}, {1})", "add": "{0} + {1}"}[kind]
    # Extents that the compiler knows, or is only told.
    told = rng.random() < 0.5
    params = [view("x", "In", dtype, str(c) if told else c), view("v", "In", dtype, "n", str(c) if told else c),
              view("y", "Out", dtype, c), view("z", "Out", dtype, c)]
    expects = [f"x.size() == {c}", f"v.cols() == {c}"] if told else []
    whole = f"span<{c}>(0, {c})"
    own = f"load(x, {whole})"
    begin = {"load": f"auto t = {own}; auto acc = {own};",
             "copy": f"auto t = {own} + {number(dtype, 1)}; auto acc = copy(t);",
             "zeros": f"auto t = {own}; auto acc = zeros<1, {c}, {dtype}>();",
             "full": f"auto t = {own}; auto acc = full<1, {c}, {dtype}>({number(dtype, 2)});"}[start]
    step = combine.format("acc", f"load(v[r], span<{c}>(0, v.cols()))" if told else f"load(v[r], {whole})")
    lines = first_core([begin, *loop("i64 r = 0; r < v.rows(); ++r", [f"acc = {step};"]),
                        f"store(z, {whole}, acc);", f"store(y, {whole}, t + {number(dtype, 2)});"])

    def reference(arrays, sizes):
        t = rounded(arrays["x"] + (start == "copy"), dtype)
        acc = {"load": t, "copy": t, "zeros": t * 0, "full": np.full_like(t, 2)}[start]
        for row in arrays["v"]:
            acc = rounded({"max": np.maximum, "min": np.minimum, "add": np.add}[kind](acc, row), dtype)
        return {"y": rounded(t + 2, dtype), "z": acc}

    return Kernel(name, kernel_text(name, params, expects, lines), name, params, reference, {"n": EXTENTS})


def carried_tiles(rng, name):
    """Rows in tiles, added up or compared by columns, then the tile's own again."""
    dtype = draw_type(rng, ("float", "half", "i32", "i16", "bfloat16"))
    r, c, kind = rng.choice([1, 2, 8, 16]), rng.choice([1, 7, 8, 17, 33, 64]), rng.choice(["sum", "max", "min"])
    params = [view("x", "In", dtype, "n", c), view("y", "Out", dtype, c)]
    start = {"sum": 0, "max": -5, "min": 5}[kind]
    combine = {"sum": "acc + {0}", "max": "max(acc, {0})", "min": "min(acc, {0})"}[kind]
    step = combine.format(f"col_{kind}(load(x, r, span<{c}>(0, {c})))")
    lines = first_core([f"auto acc = full<1, {c}, {dtype}>({number(dtype, start)});",
                        *loop(f"auto r : tiles<{r}>(x.rows())", [f"acc = {step};"]),
                        f"store(y, span<{c}>(0, {c}), acc);"])

    def reference(arrays, sizes):
        x = arrays["x"]
        if kind == "sum":
            return {"y": fold("sum", dtype, x, 0)[0]}
        return {"y": (np.max if kind == "max" else np.min)(x, axis=0, initial=start)}

    err = 2 * 41 * 2.0**-8 * 164 if dtype == "bfloat16" and kind == "sum" else 0
    return Kernel(name, kernel_text(name, params, [], lines), name, params, reference, {"n": EXTENTS},
                  tolerance={"y": err})


def long_rows(rng, name):
    """Rows of any length: a number carried along each, used on it again."""
    n, kind = rng.choice(TEMPLATE), rng.choice(["sum", "max", "min"])
    whole = {"sum": "s + sum({0})", "max": "max(s, maximum({0}))", "min": "min(s, minimum({0}))"}[kind]
    start = {"sum": 0.0, "max": -9.0, "min": 9.0}[kind]
    params = [view("x", "In", "float", "n", "m"), view("y", "Out", "float", "n", "m")]
    lines = loop("auto r : my_spans<1>(x.rows())", [
        f"float s = {start}f;",
        *loop(f"auto c : tiles<{n}>(x.cols())", [f"s = {whole.format('load(x, r, c)')};"]),
        *loop(f"auto c : tiles<{n}>(x.cols())", ["store(y, r, c, load(x, r, c) - s);"])])

    def reference(arrays, sizes):
        x = arrays["x"]
        s = (np.sum(x, 1, keepdims=True) if kind == "sum"
             else (np.max if kind == "max" else np.min)(x, axis=1, keepdims=True, initial=start))
        return {"y": x - s}

    expects = ["x.rows() == y.rows()", "x.cols() == y.cols()"]
    return Kernel(name, kernel_text(name, params, expects, lines), name, params, reference,
                  {"n": EXTENTS, "m": EXTENTS})


# --- several stores, branches --------------------------------------------------------


def halves(rng, name):
    """Two stores into parts of one row, of what both parts hold."""
    dtype, h = draw_type(rng, ("float", "half", "i32", "i16")), rng.choice([1, 7, 8, 16, 17, 32])
    params = [view("x", "In", dtype, "n", 2 * h), view("y", "Out", dtype, "n", 2 * h)]
    first, second = f"span<{h}>(0, {h})", f"span<{h}>({h}, {h})"
    if rng.random() < 0.5:
        lines = loop("i64 r = core_index(); r < x.rows(); r += core_count()", [
            f"auto a = load(x[r], {first}); auto b = load(x[r], {second});",
            f"store(y[r], {first}, a - b);", f"store(y[r], {second}, a + b);"])
    else:
        t = rng.choice([2, 7, 8])
        lines = loop(f"auto r : my_spans<{t}>(x.rows())", [
            f"auto a = load(x, r, {first}); auto b = load(x, r, {second});",
            f"store(y, r, {first}, a - b);", f"store(y, r, {second}, a + b);"])

    def reference(arrays, sizes):
        a, b = arrays["x"][:, :h], arrays["x"][:, h:]
        return {"y": rounded(np.concatenate([a - b, a + b], 1), dtype)}

    return Kernel(name, kernel_text(name, params, ["x.rows() == y.rows()"], lines), name, params,
                  reference, {"n": EXTENTS})


def branches(rng, name):
    """A branch with a loop in it, inside a loop that carries a tile."""
    dtype, c = draw_type(rng, ("float", "half", "i32", "i16")), rng.choice([1, 7, 8, 17, 33, 64])
    params = [view("x", "In", dtype, "n", c), view("g", "In", dtype, "k", c), view("y", "Out", dtype, "n", c)]
    whole, deep = f"span<{c}>(0, {c})", rng.random() < 0.5
    inner = loop("i64 j = 0; j < g.rows(); ++j",
                 ["if (j % 2 == 0)", f"  acc = max(acc, load(g[j], {whole}));"] if deep
                 else [f"acc = max(acc, load(g[j], {whole}));"])
    lines = loop("i64 r = core_index(); r < x.rows(); r += core_count()", [
        f"auto acc = load(x[r], {whole});", "if (r % 3 != 0) {", *("  " + l for l in inner),
        "} else {", f"  acc = acc * {number(dtype, 2)};", "}", f"store(y[r], {whole}, acc);"])

    def reference(arrays, sizes):
        x, g = arrays["x"], arrays["g"][::2] if deep else arrays["g"]
        y = np.maximum(x, g.max(0)) if len(g) else x.copy()
        y[::3] = rounded(x[::3] * 2, dtype)
        return {"y": y}

    return Kernel(name, kernel_text(name, params, ["x.rows() == y.rows()"], lines), name, params,
                  reference, {"n": EXTENTS, "k": EXTENTS})


def skipped(rng, name):
    """A store only where a condition on the tile's place holds."""
    dtype, n = draw_type(rng), rng.choice([1, 7, 8, 16, 33])
    params = [view("x", "In", dtype, "n"), view("y", "InOut", dtype, "n"), Number("k", "i64", "k")]
    lines = loop(f"auto w : my_tiles<{n}>(y)", [
        "auto t = load(x, w);", "if (w.col().begin >= k)", f"  store(w, t + {number(dtype, 1)});"])

    def reference(arrays, sizes):
        starts = np.arange(sizes["n"]) // n * n
        return {"y": np.where(starts >= sizes["k"], rounded(arrays["x"] + 1, dtype), arrays["y"])}

    return Kernel(name, kernel_text(name, params, ["x.size() == y.size()"], lines), name, params,
                  reference, {"n": EXTENTS, "k": EXTENTS})


# --- views that are written and read ---------------------------------------------------


def read_back(rng, name):
    """What a core has written, it reads again: as rows, by index, or with a step."""
    dtype, c = draw_type(rng, ("float", "half", "i32", "i16")), rng.choice([1, 7, 8, 16, 17, 33, 61])
    params = [view("x", "InOut", dtype, "n", c)]
    whole, how = f"span<{c}>(0, {c})", rng.choice(["rows", "strided", "rows"])
    again = {"rows": f"load(x[r], {whole})", "strided": f"load(x[r].strided(0, 1), {whole})"}[how]
    lines = loop("i64 r = core_index(); r < x.rows(); r += core_count()", [
        f"store(x[r], {whole}, load(x[r], {whole}) + {number(dtype, 1)});",
        f"store(x[r], {whole}, {again} * {number(dtype, 2)});"])
    return Kernel(name, kernel_text(name, params, [], lines), name, params,
                  lambda a, sizes: {"x": rounded((a["x"] + 1) * 2, dtype)}, {"n": EXTENTS})


def written_then_gathered(rng, name):
    """A vector that one core writes and then reads by index."""
    dtype, n = draw_type(rng, ("float", "half", "i32")), rng.choice([8, 16, 33, 64])
    params = [view("x", "In", dtype, "n"), View("ids", "In", "i32", ("n",), indices="n"),
              view("t", "InOut", dtype, "n"), view("y", "Out", dtype, "n")]
    lines = first_core([
        *loop(f"auto s : tiles<{n}>(x.size())", [f"store(t, s, load(x, s) + {number(dtype, 1)});"]),
        *loop(f"auto s : tiles<{n}>(x.size())", ["store(y, s, gather<Oob::zero>(t, load(ids, s)));"])])

    def reference(arrays, sizes):
        t = rounded(arrays["x"] + 1, dtype)
        return {"t": t, "y": taken(t, arrays["ids"])}

    expects = [f"{v}.size() == x.size()" for v in ("ids", "t", "y")]
    return Kernel(name, kernel_text(name, params, expects, lines), name, params, reference, {"n": EXTENTS})


# --- steps and planes ------------------------------------------------------------------


def steps(rng, name):
    """Every k-th element, read or written."""
    dtype, k, n = draw_type(rng), rng.choice([1, 2, 3, 5]), rng.choice([1, 7, 8, 16, 33])
    read = rng.random() < 0.5
    dims = ("n", f"n * {k}") if not read else (f"n * {k}", "n")
    params = [view("x", "In", dtype, dims[0], large=True), view("y", "InOut", dtype, dims[1], large=True)]
    at = rng.randrange(k)
    if read:
        lines = loop(f"auto w : my_tiles<{n}>(y)", [f"store(w, load(x.strided({at}, {k}), w));"])
        expects = [f"x.size() == y.size() * {k}"]
    else:
        lines = first_core(loop(f"auto s : tiles<{n}>(x.size())", [
            f"store(y.strided({at}, {k}), s, load(x, s));"]))
        expects = [f"y.size() == x.size() * {k}"]

    def reference(arrays, sizes):
        if read:
            return {"y": arrays["x"][at::k]}
        y = arrays["y"].copy()
        y[at::k] = arrays["x"]
        return {"y": y}

    return Kernel(name, kernel_text(name, params, expects, lines), name, params, reference, {"n": EXTENTS})


def planes(rng, name):
    """Views of rank 3 and 4."""
    dtype, c, r = draw_type(rng), rng.choice([1, 7, 8, 16, 33]), rng.choice([1, 2, 4, 8])
    rank = rng.choice([3, 4])
    dims = ("p", "q", "n", c)[4 - rank:] if rank == 4 else ("p", "n", c)
    params = [view("x", "In", dtype, *dims), view("y", "Out", dtype, *dims)]
    place = "[p][q]" if rank == 4 else "[p]"
    body = loop(f"auto r : tiles<{r}>(y.extent({rank - 2}))", [
        f"auto t = load(x{place}, r, span<{c}>(0, {c}));",
        f"store(y{place}, r, span<{c}>(0, {c}), t + t);"])
    if rank == 4:
        body = loop("i64 q = 0; q < y.extent(1); ++q", body)
    lines = loop("i64 p = core_index(); p < y.extent(0); p += core_count()", body)
    expects = [f"x.extent({d}) == y.extent({d})" for d in range(rank - 1)]
    sizes = {"p": SHORT, "q": (0, 1, 2, 3), "n": EXTENTS} if rank == 4 else {"p": SHORT, "n": EXTENTS}
    return Kernel(name, kernel_text(name, params, expects, lines), name, params,
                  lambda a, s: {"y": rounded(a["x"] * 2, dtype)}, sizes, cap=250)


def far_rows(rng, name):
    """Rows that are more than 4 GiB apart."""
    dtype, c = rng.choice(["i8", "half", "float", "i16"]), rng.choice([8, 64, 7])
    pitch = 2**32 // BYTES[dtype] + rng.choice([0, 64, c])
    r = rng.choice([2, 4])
    source = View("x", "In", dtype, ("n", str(pitch)), sparse=True)
    params = [source, view("y", "Out", dtype, "n", c)]
    lines = loop(f"auto w : my_rows<{r}>(y)", [f"store(w, load(x, w.row(), span<{c}>(0, {c})));"])
    expects = ["x.rows() == y.rows()", f"x.cols() >= {c}"]
    return Kernel(name, kernel_text(name, params, expects, lines), name, params,
                  lambda a, s: {"y": widen(np.array(a["x"][:, :c]), dtype)}, {"n": (1, 2, 3)}, cap=9)


# --- cores that meet, single elements, numbers of their own -----------------------------


def barrier(rng, name):
    """Every core leaves a number; the first combines them after all have arrived."""
    n, kind = rng.choice([1, 8, 33, 64, 256]), rng.choice(["sum", "max"])
    whole = {"sum": ("0.0f", "s + sum(load(x, w))", "sum"),
             "max": ("-9.0f", "max(s, maximum(load(x, w)))", "maximum")}[kind]
    params = [view("x", "In", "float", "n"), View("part", "PerCore", "float", ("cores",)),
              view("y", "Out", "float", 1)]
    lines = [f"float s = {whole[0]};", *loop(f"auto w : my_tiles<{n}>(x)", [f"s = {whole[1]};"]),
             "store_mine(part, s);", "sync_cores();", *first_core([f"store(y, 0, {whole[2]}(load_all(part)));"])]

    def reference(arrays, sizes):
        x = arrays["x"]
        return {"y": np.array([x.sum() if kind == "sum" else np.max(x, initial=-9)], np.float32)}

    return Kernel(name, kernel_text(name, params, ["core_count() <= max_cores"], lines), name, params,
                  reference, {"n": edges(n)})


def added(rng, name):
    """Rows that all cores add to one."""
    dtype, c = draw_type(rng, ("float", "half", "i16", "i32")), rng.choice([1, 7, 8, 16, 17, 33, 64])
    params = [view("x", "In", dtype, "n", c), view("y", "InOut", dtype, c)]
    lines = loop("i64 r = core_index(); r < x.rows(); r += core_count()", [
        f"store_add(y, span<{c}>(0, {c}), load(x[r], span<{c}>(0, {c})));"])
    return Kernel(name, kernel_text(name, params, [], lines), name, params,
                  lambda a, s: {"y": rounded(a["y"] + a["x"].sum(0), dtype)}, {"n": EXTENTS})


def elements(rng, name):
    """Single elements: one number each, or one for each row."""
    dtype, c = draw_type(rng), rng.choice([1, 7, 8, 33])
    if rng.random() < 0.4:
        params = [view("y", "Out", dtype, "n")]
        lines = loop("i64 i = core_index(); i < y.size(); i += core_count()", [
            f"store(y, i, {number(dtype, 7)});"])
        return Kernel(name, kernel_text(name, params, [], lines), name, params,
                      lambda a, s: {"y": np.full(s["n"], 7)}, {"n": EXTENTS})
    params = [view("x", "In", dtype, "n", c, large=True), view("y", "Out", dtype, "n")]
    lines = loop("i64 i = core_index(); i < x.rows(); i += core_count()", [
        f"store(y, i, maximum(load(x[i], span<{c}>(0, {c}))));"])
    return Kernel(name, kernel_text(name, params, ["x.rows() == y.size()"], lines), name, params,
                  lambda a, s: {"y": a["x"].max(1) if s["n"] else a["x"][:, 0]}, {"n": EXTENTS})


def element_meets(rng, name):
    """A tile of one element that meets rows and columns."""
    dtype, r, c = draw_type(rng), rng.choice([1, 2, 8, 16]), rng.choice([1, 2, 7, 8, 16, 33])
    params = [view("x", "In", dtype, "n", c), view("e", "In", dtype, 1), view("y", "Out", dtype, "n", c)]
    lines = ["auto one = load(e);", *loop(f"auto w : my_rows<{r}>(y)", ["store(w, max(load(x, w), one) + one);"])]
    return Kernel(name, kernel_text(name, params, ["x.rows() == y.rows()"], lines), name, params,
                  lambda a, s: {"y": rounded(np.maximum(a["x"], a["e"]) + a["e"], dtype)}, {"n": edges(r)})


def counted(rng, name):
    """Numbers that a kernel makes itself."""
    dtype, n = draw_type(rng, ("i32", "i16", "i8", "i64", "i32")), rng.choice([1, 7, 8, 16, 33, 64])
    if rng.random() < 0.5 and dtype in ("i8", "i16"):
        return None
    params = [view("x", "In", dtype, "n", n), view("y", "Out", dtype, "n", n)]
    made = f"iota<{n}, {dtype}>(3)" if rng.random() < 0.5 else f"full<1, {n}, {dtype}>({number(dtype, 3)})"
    lines = loop("i64 r = core_index(); r < x.rows(); r += core_count()", [
        f"store(y[r], span<{n}>(0, {n}), load(x[r], span<{n}>(0, {n})) + {made});"])
    own = 3 + (np.arange(n) if "iota" in made else np.zeros(n, int))
    if dtype == "i8" and n > 100:
        return None
    return Kernel(name, kernel_text(name, params, ["x.rows() == y.rows()"], lines), name, params,
                  lambda a, s: {"y": rounded(a["x"] + own, dtype)}, {"n": EXTENTS})


def whole_position(rng, name):
    """Where the largest or smallest of a whole tile is, counted row by row."""
    dtype, kind = rng.in_turn(("float", "half", "i32", "i16")), rng.choice(["argmax", "argmin"])
    r, c = rng.choice([(1, 33), (8, 8), (16, 7), (2, 65), (17, 1)])
    params = [view("x", "In", dtype, "n", "m", large=True), view("y", "Out", "i32", 1)]
    lines = first_core([f"auto t = load(x, span<{r}>(0, x.rows()), span<{c}>(0, x.cols()));",
                        f"store(y, 0, i32({kind}(t)));"])

    def reference(arrays, sizes):
        x = arrays["x"].ravel()
        return {"y": np.array([0 if not x.size else x.argmax() if kind == "argmax" else x.argmin()])}

    return Kernel(name, kernel_text(name, params, [f"x.rows() <= {r}", f"x.cols() <= {c}"], lines), name, params,
                  reference, {"n": tuple(range(r + 1)), "m": tuple(m for m in edges(c) if m <= c)})


STRUCTURES = [(gathered_rows, 4), (gathered_elements, 3), (scattered, 3), (carried, 5), (carried_tiles, 3),
              (long_rows, 2), (halves, 3), (branches, 3), (skipped, 1), (read_back, 3),
              (written_then_gathered, 1), (steps, 3), (planes, 3), (barrier, 1), (added, 2), (elements, 3),
              (element_meets, 3), (counted, 2), (far_rows, 1), (whole_position, 1)]
