"""Forms of kernels that divide their work into tiles, each with its reference."""
import numpy as np

from fuzzing.bounds import Bounds

from .body import Body, fold, number, parts, paste, stack
from .kernel import EXTENTS, TEMPLATE, Kernel, Number, View, edges
from .values import BYTES, FLOATS, INTS, TYPES, rounded

HEADER = '#include "belay/kernel.h"\nusing namespace belay;\n\n'
# Bytes of one tile, so that a dozen of them fit a unified buffer.
ROOM = 12 * 1024
# What compares or moves has no arithmetic that could overflow: values of all sizes.
LARGE = {"float": 2.0**40, "half": 60000, "bfloat16": 2.0**40, "i8": 127, "i16": 32767,
         "i32": 2**31 - 1, "i64": 2**53}


def draw_type(rng, types=TYPES):
    return rng.choice(types)


def tile_bounds(dtype, mag=4):
    return Bounds(mag, 0.0, 0 if dtype in INTS else 2)


def view(name, role, dtype, *dims, large=False, **more):
    if large:
        return View(name, role, dtype, dims, LARGE[dtype], 0, **more)
    return View(name, role, dtype, dims, more.pop("mag", 4), **more)


def kernel_text(name, params, expects, lines):
    head = f"[[belay::kernel]] void {name}({', '.join(p.declaration() for p in params)}) {{"
    checks = [f"  expects({' && '.join(expects)});"] if expects else []
    return HEADER + "\n".join([head, *checks, *("  " + line for line in lines), "}"]) + "\n"


def loop(header, lines):
    return [f"for ({header}) {{", *("  " + line for line in lines), "}"]


def first_core(lines):
    return ["if (first_core()) {", *("  " + line for line in lines), "}"]


def draw_tile(rng, dtype):
    """Capacities that leave room for a dozen tiles."""
    while True:
        rows = 1 if rng.random() < 0.15 else rng.choice(TEMPLATE)
        cols = 1 if rng.random() < 0.15 else rng.choice(TEMPLATE)
        if rows * cols * max(4, BYTES[dtype]) <= ROOM:
            return rows, cols


# --- vectors and whole rows ----------------------------------------------------


def line(rng, name):
    """Vectors, dealt out in tiles."""
    dtype, n = draw_type(rng), rng.choice(TEMPLATE)
    params = [view("x", "In", dtype, "n"), view("u", "In", dtype, "n"), view("y", "Out", dtype, "n")]
    body = Body(rng)
    x = body.load("a", dtype, 1, n, "load(x, w)", tile_bounds(dtype))
    body.load("b", dtype, 1, n, "load(u, w)", tile_bounds(dtype))
    y = body.walk(rng.randint(1, 4), x)
    lines = loop(f"auto w : my_tiles<{n}>(y)", [*body.lines, f"store(w, {y.name});"])

    def reference(arrays, sizes):
        out = np.empty((1, sizes["n"]), arrays["x"].dtype)
        for cols in parts(sizes["n"], n):
            env = {"a": stack(arrays["x"][None], (0, 1, 1), cols),
                   "b": stack(arrays["u"][None], (0, 1, 1), cols)}
            paste(out, (0, 1, 1), cols, body.run(env)[y.name])
        return {"y": out[0]}

    text = kernel_text(name, params, ["x.size() == y.size()", "u.size() == y.size()"], lines)
    return Kernel(name, text, name, params, reference, {"n": edges(n)}, tolerance={"y": y.bounds.err})


def rows_kernel(rng, name, dtype, r, c, body, y, out="y", extra=(), expects=()):
    """A kernel over whole rows whose body has loaded `a` from x, `g` from a row of c
    elements and `h` from a column, and ends in y."""
    params = [view("x", "In", dtype, "n", c), *extra]
    names = {p.name for p in extra}
    expects = ["x.rows() == y.rows()", *expects]
    if "h" in names:
        expects.append("h.size() == y.rows()")

    def reference(arrays, sizes):
        res = np.empty((sizes["n"], y.cols), np.float32 if y.dtype in FLOATS else np.int64)
        for rows in parts(sizes["n"], r):
            env = {"a": stack(arrays["x"], rows, (0, 1, c))}
            if "g" in names:
                env["b"] = arrays["g"].reshape(1, 1, c)
            if "h" in names:
                env["d"] = stack(arrays["h"][:, None], rows, (0, 1, 1))
            paste(res, rows, (0, 1, y.cols), body.run(env)[y.name])
        return {out: res}

    before = ["auto b = load(g);"] if "g" in names else []
    body.lines = [l for l in body.lines if not l.startswith("auto b = ")]
    lines = before + loop(f"auto w : my_rows<{r}>(y)", [*body.lines, f"store(w, {y.name});"])
    params.append(view("y", "Out", y.dtype, "n", y.cols))
    text = kernel_text(name, params, expects, lines)
    return Kernel(name, text, name, params, reference, {"n": edges(r)}, tolerance={out: y.bounds.err})


def rows(rng, name):
    """Whole rows of a matrix; rows and columns that meet them; reductions that do."""
    dtype = draw_type(rng)
    r, c = draw_tile(rng, dtype)
    body, extra = Body(rng), []
    x = body.load("a", dtype, r, c, "load(x, w)", tile_bounds(dtype))
    if rng.random() < 0.5:
        extra.append(view("g", "In", dtype, c))
        body.load("b", dtype, 1, c, "", tile_bounds(dtype))
    if rng.random() < 0.5:
        extra.append(view("h", "In", dtype, "n"))
        body.load("d", dtype, r, 1, "load(h, w)", tile_bounds(dtype))
    y = body.walk(rng.randint(1, 4), x)
    return rows_kernel(rng, name, dtype, r, c, body, y, extra=extra)


def many_rows(rng, name):
    """Columns of more rows than one instruction repeats."""
    dtype = draw_type(rng, ("half", "bfloat16", "i16", "half", "i32", "float"))
    r, c = rng.choice([(249, 8), (255, 16), (256, 17), (257, 7), (300, 16), (500, 8), (257, 1), (248, 8)])
    body = Body(rng)
    x = body.load("a", dtype, r, c, "load(x, w)", tile_bounds(dtype))
    d = body.load("d", dtype, r, 1, "load(h, w)", tile_bounds(dtype))
    y = body.pointwise(x, d)
    if y and rng.random() < 0.4:
        less = body.reduce(y, rng.choice(["max", "min"]), "row")
        y = (less and body.pointwise(y, less)) or y
    if not y or not y.like(x):
        return None
    kernel = rows_kernel(rng, name, dtype, r, c, body, y, extra=[view("h", "In", dtype, "n")])
    kernel.directions = {"n": tuple(range(0, 41, 4)) + (247, 248, 249, 250, r - 1, r, r + 1, 2 * r + 3)}
    return kernel


def reduced_rows(rng, name):
    """One value for each row: reductions and positions."""
    dtype = rng.in_turn(TYPES)
    kind = rng.in_turn(["max", "argmax", "sum", "min", "mean", "argmin", "prod", "max", "min", "sum"])
    return reduced_rows_of(rng, name, dtype, kind, *draw_tile(rng, dtype))


def one_column(rng, name):
    """The same of rows of one element."""
    dtype, kind = rng.in_turn(TYPES), rng.in_turn(["sum", "argmax", "max", "argmin", "min"])
    return reduced_rows_of(rng, name, dtype, kind, rng.choice([2, 8, 16, 17, 255]), 1)


def reduced_rows_of(rng, name, dtype, kind, r, c):
    moves = kind in ("max", "min", "argmax", "argmin")
    mag = 1 if kind == "prod" else 4
    body = Body(rng)
    bounds = Bounds(LARGE[dtype], 0, 0) if moves else Bounds(mag, 0, 0 if kind == "prod" else 2)
    x = body.load("a", dtype, r, c, "load(x, w)", bounds)
    y = body.position(x, kind, "row") if kind.startswith("arg") else body.reduce(x, kind, "row")
    if not y:
        return None
    source = View("x", "In", dtype, ("n", c), LARGE[dtype] if moves else mag,
                  0 if moves or kind == "prod" else 2)
    params = [source, view("y", "Out", y.dtype, "n")]
    if rng.random() < 0.5:
        lines = loop(f"auto w : my_rows<{r}>(x)", [*body.lines, f"store(y, w.row(), {y.name});"])
    else:
        load = f"auto a = load(x, w, span<{c}>(0, {c}));"
        lines = loop(f"auto w : my_spans<{r}>(x.rows())", [load, *body.lines[1:], f"store(y, w, {y.name});"])

    def reference(arrays, sizes):
        res = np.empty((sizes["n"], 1), np.float32 if y.dtype in FLOATS else np.int64)
        for part in parts(sizes["n"], r):
            paste(res, part, (0, 1, 1), body.run({"a": stack(arrays["x"], part, (0, 1, c))})[y.name])
        return {"y": res[:, 0]}

    text = kernel_text(name, params, ["x.rows() == y.size()"], lines)
    return Kernel(name, text, name, params, reference, {"n": edges(r)},
                  tolerance={"y": y.bounds.err}, tags=(f"row_{kind}",))


def reduced_columns(rng, name):
    """The columns of each tile, of one row among them; what is left meets the tile."""
    dtype = rng.in_turn(TYPES)
    r, c = draw_tile(rng, dtype)
    r = 1 if rng.random() < 0.5 else r
    kind = rng.choice(["sum", "max", "min", "mean", "prod"])
    mag = 1 if kind == "prod" else 4
    body = Body(rng)
    x = body.load("a", dtype, r, c, "load(x, w)", Bounds(mag, 0, 0 if kind == "prod" or dtype in INTS else 2))
    y = body.reduce(x, kind, "col")
    if y and not y.like(x):
        y = body.pointwise(x, y)
    if not y:
        return None
    kernel = rows_kernel(rng, name, dtype, r, c, body, y)
    kernel.params[0].mag, kernel.params[0].grid = mag, 0 if kind == "prod" else 2
    return kernel


def scans(rng, name):
    """Prefix sums, products, maxima and minima, along rows and down columns."""
    dtype = draw_type(rng)
    r, c = draw_tile(rng, dtype)
    kind, axis = rng.choice(["sum", "prod", "max", "min"]), rng.choice(["row", "col"])
    mag = 1 if kind == "prod" else 4
    body = Body(rng)
    x = body.load("a", dtype, r, c, "load(x, w)", Bounds(mag, 0, 0 if kind == "prod" or dtype in INTS else 2))
    y = body.scan(x, kind, axis)
    if not y:
        return None
    kernel = rows_kernel(rng, name, dtype, r, c, body, y)
    kernel.params[0].mag, kernel.params[0].grid = mag, 0 if kind == "prod" else 2
    return kernel


def casts(rng, name):
    """Conversions, with every rounding."""
    dtype, target = draw_type(rng), draw_type(rng)
    modes = [None] if dtype in INTS or target in FLOATS else [None, "nearest", "floor", "ceil", "away", "zero"]
    if dtype == target:
        return None
    r, c = draw_tile(rng, "i64")
    body = Body(rng)
    x = body.load("a", dtype, r, c, "load(x, w)", tile_bounds(dtype, 100))
    y = body.cast(x, target, rng.choice(modes))
    if y and rng.random() < 0.3:
        back = body.cast(y, dtype, None)
        y = back or y
    if not y:
        return None
    kernel = rows_kernel(rng, name, dtype, r, c, body, y)
    kernel.params[0].mag = 100
    return kernel


def column_positions(rng, name):
    """col_argmax and col_argmin of each tile, kept as numbers of the tile's type."""
    dtype = draw_type(rng, ("float", "half", "i32", "i16", "bfloat16"))
    r, c = draw_tile(rng, dtype)
    body = Body(rng)
    x = body.load("a", dtype, r, c, "load(x, w)", tile_bounds(dtype))
    place = body.position(x, rng.choice(["argmax", "argmin"]), "col")
    if r > 1:
        ones = body.cast(x, "i32", "floor") if dtype != "i32" else x
        y = ones and body.let("i32", r, c, "{0} + {1}", Bounds(400, 0, 0), lambda u, v: u + v, ones, place)
    else:
        y = place
    return y and rows_kernel(rng, name, dtype, r, c, body, y)


# --- windows of two directions ---------------------------------------------------


def windows(rng, name):
    """Windows of a matrix of any extents."""
    dtype = draw_type(rng)
    r, c = rng.choice([1, 2, 7, 8, 16, 17, 33]), rng.choice([1, 2, 7, 8, 15, 16, 17, 31, 33, 64])
    if rng.random() < 0.35:
        r, c = c, r
    body = Body(rng)
    x = body.load("a", dtype, r, c, "load(x, w)", tile_bounds(dtype))
    body.load("b", dtype, r, c, "load(u, w)", tile_bounds(dtype))
    y = x
    for _ in range(rng.randint(1, 3)):
        if r > 1 and c > 1 and rng.random() < 0.5:
            less = body.reduce(y, rng.choice(["sum", "max", "min"]), rng.choice(["row", "col"]))
            y = (less and body.pointwise(y, less)) or y
        else:
            same = [v for v in body.vars if v.like(y)]
            y = body.pointwise(*([y, rng.choice(same)] if rng.random() < 0.5 else [y])) or y
    params = [view("x", "In", dtype, "n", "m"), view("u", "In", dtype, "n", "m"), view("y", "Out", dtype, "n", "m")]
    lines = loop(f"auto w : my_tiles<{r}, {c}>(y)", [*body.lines, f"store(w, {y.name});"])

    def reference(arrays, sizes):
        res = np.empty((sizes["n"], sizes["m"]), arrays["x"].dtype)
        for rs in parts(sizes["n"], r):
            for cs in parts(sizes["m"], c):
                env = {"a": stack(arrays["x"], rs, cs), "b": stack(arrays["u"], rs, cs)}
                paste(res, rs, cs, body.run(env)[y.name])
        return {"y": res}

    expects = [f"{v}.{d}() == y.{d}()" for v in "xu" for d in ("rows", "cols")]
    return Kernel(name, kernel_text(name, params, expects, lines), name, params, reference,
                  {"n": EXTENTS, "m": EXTENTS}, tolerance={"y": y.bounds.err})


def turned(rng, name):
    """Transposed tiles, and transposed views that are read or written."""
    dtype = draw_type(rng)
    r, c = rng.choice([1, 2, 7, 8, 16, 17, 32]), rng.choice([1, 2, 7, 8, 16, 17, 33])
    params = [view("x", "In", dtype, "m", "n", large=True), view("y", "Out", dtype, "n", "m")]
    how = rng.choice(["tile", "read", "written"])
    lines = {
        "tile": loop(f"auto w : my_tiles<{r}, {c}>(y)", ["store(w, transpose(load(x, w.col(), w.row())));"]),
        "read": loop(f"auto w : my_tiles<{r}, {c}>(y)", ["store(w, load(x.transposed(), w));"]),
        "written": first_core(loop(f"auto p : tiles<{r}>(x.rows())", loop(
            f"auto q : tiles<{c}>(x.cols())", ["store(y.transposed(), p, q, load(x, p, q));"]))),
    }[how]
    expects = ["x.rows() == y.cols()", "x.cols() == y.rows()"]
    return Kernel(name, kernel_text(name, params, expects, lines), name, params,
                  lambda arrays, sizes: {"y": arrays["x"].T}, {"n": EXTENTS, "m": EXTENTS})


def corner(rng, name):
    """One core takes a window of any extents up to its capacities, empty ones among them,
    and reduces it each way."""
    dtype = draw_type(rng)
    kind = rng.choice(["sum", "max", "min"])
    r, c = draw_tile(rng, dtype)
    if rng.random() < 0.4:
        r, c = (r, 1) if rng.random() < 0.5 else (1, c)
    large = kind != "sum"
    params = [view("x", "In", dtype, "n", "m", large=large), view("y", "Out", dtype, "n"),
              view("z", "Out", dtype, "m"), view("s", "Out", dtype, 1)]
    whole = {"sum": "sum", "max": "maximum", "min": "minimum"}[kind]
    lines = first_core([f"auto t = load(x, span<{r}>(0, x.rows()), span<{c}>(0, x.cols()));",
                        f"store(y, span<{r}>(0, x.rows()), row_{kind}(t));",
                        f"store(z, span<{c}>(0, x.cols()), col_{kind}(t));",
                        f"store(s, 0, {whole}(t));"])
    expects = [f"x.rows() <= {r}", f"x.cols() <= {c}", "y.size() == x.rows()", "z.size() == x.cols()"]
    limit = {"i8": 31, "half": 512}.get(dtype, 10**9)
    if not large and r * c > limit and dtype == "i8":
        return None

    def reference(arrays, sizes):
        x = arrays["x"]
        return {"y": fold(kind, dtype, x, 1)[:, 0], "z": fold(kind, dtype, x, 0)[0],
                "s": fold(kind, dtype, x.reshape(1, -1), 1)[0]}

    unit = {"half": 2.0**-11, "bfloat16": 2.0**-8}.get(dtype, 0)
    # Sums of multiples of 1/4: exact below 2**11 or 2**8 quarters, else as many roundings
    # as terms, on either side.
    err = 2 * r * c * unit * 4 * r * c if not large and 16 * r * c > 1 / (unit or 1) else 0
    # A tile of one element has rows and columns to store; what a window of none of them
    # leaves of it is inner's and part_of's.
    least = [int(r == 1), int(c == 1)]
    expects += ["x.rows() == 1"] * least[0] + ["x.cols() == 1"] * least[1]
    sizes = {"n": tuple(n for n in edges(r) if least[0] <= n <= r),
             "m": tuple(m for m in edges(c) if least[1] <= m <= c)}
    return Kernel(name, kernel_text(name, params, expects, lines), name, params, reference, sizes,
                  tolerance=dict.fromkeys("yzs", err), tags=(f"corner_{kind}",))


def inner(rng, name):
    """A window inside a larger view that keeps the rest of what it holds; of no rows or no
    columns, too."""
    dtype = draw_type(rng)
    r, c = rng.choice([(16, 1), (1, 16), (8, 8), (7, 17), (16, 33), (2, 1), (33, 1), (1, 1), (17, 2)])
    params = [view("x", "In", dtype, "n", "m"), view("y", "InOut", dtype, "n + 2", "m + 3")]
    lines = first_core([
        f"auto t = load(x, span<{r}>(0, x.rows()), span<{c}>(0, x.cols()));",
        f"store(y, span<{r}>(1, x.rows()), span<{c}>(2, x.cols()), t + {number(dtype, 1)});"])
    expects = [f"x.rows() <= {r}", f"x.cols() <= {c}", "y.rows() == x.rows() + 2", "y.cols() == x.cols() + 3"]

    def reference(arrays, sizes):
        y = arrays["y"].copy()
        y[1:-1, 2:-1] = rounded(arrays["x"] + 1, dtype)
        return {"y": y}

    return Kernel(name, kernel_text(name, params, expects, lines), name, params, reference,
                  {"n": tuple(range(min(r, 40) + 1)), "m": tuple(range(min(c, 40) + 1))})


def part_of(rng, name):
    """A window whose number of columns is an argument, in a view of static columns."""
    dtype = draw_type(rng)
    r, c = rng.choice([(16, 1), (8, 7), (16, 8), (4, 33), (31, 2)])
    wide = c + rng.choice([0, 2])
    params = [view("x", "In", dtype, "n", c), view("y", "InOut", dtype, "n", wide),
              view("s", "Out", dtype, 1), Number("k", "i64", "k")]
    lines = first_core([
        f"auto t = load(x, span<{r}>(0, x.rows()), span<{c}>(0, k));",
        f"store(y, span<{r}>(0, x.rows()), span<{c}>({wide - c}, k), t + {number(dtype, 1)});",
        "store(s, 0, maximum(t));"])
    expects = [f"x.rows() <= {r}", "y.rows() == x.rows()", f"k >= 0 && k <= {c}"]

    def reference(arrays, sizes):
        y, k = arrays["y"].copy(), sizes["k"]
        y[:, wide - c:wide - c + k] = rounded(arrays["x"][:, :k] + 1, dtype)
        return {"y": y, "s": fold("max", dtype, arrays["x"][:, :k].reshape(1, -1), 1)[0]}

    return Kernel(name, kernel_text(name, params, expects, lines), name, params, reference,
                  {"n": tuple(range(r + 1)), "k": tuple(range(c + 1))})


def padded(rng, name):
    """Loads that fill what a window lacks."""
    dtype = draw_type(rng)
    r, c = rng.choice([1, 2, 8, 17]), rng.choice([1, 7, 8, 16, 33])
    params = [view("x", "In", dtype, "n", "m"), view("y", "Out", dtype, r, c)]
    lines = first_core([f"auto t = load(x, span<{r}>(0, min(x.rows(), {r})), "
                        f"span<{c}>(0, min(x.cols(), {c})), {number(dtype, 3)});",
                        f"store(y, span<{r}>(0, {r}), span<{c}>(0, {c}), t);"])

    def reference(arrays, sizes):
        y = np.full((r, c), 3, arrays["x"].dtype)
        part = arrays["x"][:r, :c]
        y[:part.shape[0], :part.shape[1]] = part
        return {"y": y}

    return Kernel(name, kernel_text(name, params, [], lines), name, params, reference,
                  {"n": EXTENTS, "m": EXTENTS})


FORMS = [(line, 6), (rows, 12), (many_rows, 3), (reduced_rows, 8), (one_column, 3), (reduced_columns, 5), (scans, 4),
         (casts, 5), (column_positions, 2), (windows, 5), (turned, 4), (corner, 6), (inner, 2),
         (part_of, 2), (padded, 2)]
