"""Kernels with products: matrices with what follows them, reductions of columns, attention,
and layers one after the other. Convolutions are in convolutions.py."""
import numpy as np

from .kernel import At, Epilogue, part, sizes, windows
from .numbers import Number, Sums, dot
from .operands import Operand, Planes

ROWS, COLS, STEPS = (1, 7, 16, 17, 32, 48), (1, 8, 16, 20, 33, 48, 64), (1, 5, 16, 31, 32, 64, 100)
KINDS_OF = {
    "half": ["exp", "scaled", "sum", "cast", "shifted", "strided", "turned", "masked"],
    "float": ["exp", "scaled", "sum", "shifted", "strided", "turned", "masked"],
    "bfloat16": ["cast", "shifted", "strided"],
    "i8": ["shifted", "strided"],
}


def element(kernel, of=("half", "half", "half", "float", "float", "bfloat16", "i8")):
    """A type that the cube multiplies; that of the 310P takes no floats."""
    return kernel.rng.choice([dtype for dtype in of if kernel.arch != 2002 or dtype in ("half", "i8")])


def empty(shape, dtype):
    return Number(np.zeros(shape), dtype, np.zeros(shape))


def put(target, where, number):
    target.v[where], target.e[where] = number.v, number.e


def operands(kernel, dtype, planes):
    """Two matrices, of which one may be computed."""
    rng = kernel.rng
    kinds = ["plain", "plain"]
    if rng.random() < 0.4:
        kinds[rng.randrange(2)] = rng.choice(KINDS_OF[dtype])
    turned = [rng.random() < 0.4, rng.random() < 0.4]
    if dtype == "i8" and kernel.arch == 2201:  # refused, and said so
        turned[0] = False
    if dtype == "i8" and kernel.arch == 2002:
        turned = [False, True]
    return [Operand(kernel, name, dtype, kind, t, planes) for name, kind, t in zip("ab", kinds, turned)]


def relate(kernel, a, b, rows, cols):
    """Extents of a product; returns the text of what is added over."""
    inner = b.extent_text(0) if a.step_of == 1 else a.extent_text(1)
    for operand, first, second in ((a, rows, inner), (b, inner, cols)):
        operand.relate(0, first)
        operand.relate(1, second)
        if operand.kind == "masked":
            kernel.expects += [f"{first} <= 1 << 30", f"{second} <= 1 << 30"]
    return inner


class Product:
    """How a tile of a matrix product comes about: lines that leave it in `sum`, and the
    same in NumPy."""

    def __init__(self, kernel, a, b, inner, tile, where):
        self.kernel, self.a, self.b, self.inner = kernel, a, b, inner
        self.tile, (self.rows, self.cols, self.window) = tile, where
        self.total = "i32" if a.dtype == "i8" else "float"
        kinds = ["loop"] * 5 + ["parts", "fading", "minus", "again", "pairs", "first"]
        whole = ["loop", "loop", "parts", "pairs", "first"]
        self.kind = kernel.rng.choice(kinds if self.total == "float" else whole)
        self.bounds = None
        if self.kind == "parts":
            self.bounds = kernel.number("from", "i64"), kernel.number("to", "i64")
            kernel.expects += [f"{self.bounds[0]} >= 0", f"{self.bounds[1]} <= {inner}"]
        self.by = kernel.number("fade") if self.kind == "fading" else None

    def dot_text(self, k):
        m, n, step = self.tile
        return (f"dot({self.a.load_text(self.rows, k, (m, step))}, "
                f"{self.b.load_text(k, self.cols, (step, n))})")

    def lines(self):
        span = f"{self.bounds[0]}, {self.bounds[1]}" if self.bounds else self.inner
        if self.kind == "first":  # products of which none is added to zeros
            step = self.tile[2]
            return [f"i64 end = min({self.inner}, i64({step}));",
                    f"auto k = span<{step}>(0, end);",
                    f"auto l = span<{step}>(end, min({self.inner} - end, i64({step})));",
                    f"auto sum = {self.dot_text('k')} + {self.dot_text('l')};"]
        add = {"fading": f"sum = sum * {self.by} + {{0}};", "minus": "sum = sum - {0};",
               "pairs": "sum = sum + ({0} + {0});"}.get(self.kind, "sum += {0};")
        lines = [f"auto sum = zeros<{self.total}>({self.window});",
                 f"for (auto k : tiles<{self.tile[2]}>({span})) {{", add.format(self.dot_text("k")), "}"]
        if self.kind == "again":
            lines += [f"for (auto k : tiles<{self.tile[2]}>({span})) {{", add.format(self.dot_text("k")), "}"]
        return lines

    def value(self, left, right, at):
        first, last = 0, left.v.shape[1]
        if self.bounds:
            first, last = (int(at.numbers[n]) for n in self.bounds)
        chunks = [slice(k, min(k + self.tile[2], last)) for k in range(first, last, self.tile[2])]
        shape = left.v[at.rows].shape[0], right.v[:, at.cols].shape[1]
        if self.kind in ("fading", "minus"):
            t = empty(shape, "float")
            for k in chunks:
                product = dot(part(left, at.rows, k), part(right, k, at.cols))
                t = t * at.numbers[self.by] + product if self.kind == "fading" else t - product
            return t
        sums = Sums(shape, self.total)
        if self.kind == "first":
            chunks = chunks[:2]
        for k in chunks * (2 if self.kind in ("again", "pairs") else 1):
            sums.add(part(left, at.rows, k), part(right, k, at.cols))
        return sums.number()

    def numbers(self, inner):
        """What a launch passes for the part that is added over."""
        rng = self.kernel.rng
        return dict(zip(self.bounds, (rng.randrange(inner + 3), rng.randrange(inner + 1)))) if self.bounds else {}


def matmul(kernel):
    rng = kernel.rng
    dtype = element(kernel)
    tile = rng.choice(ROWS), rng.choice(COLS), rng.choice(STEPS)
    planes = Planes(rng.choice(Planes.KINDS), rng.choice([2, 3]), rng.choice("ab"))
    a, b = operands(kernel, dtype, planes)
    count = rng.choice([0, 0, 1, 2, 3, 5])
    adds = rng.random() < 0.15
    out = "float" if adds else rng.choice(["float", "half", "half" if kernel.arch == 2002 else "bfloat16"])
    if dtype == "i8" and not count:
        out = "i32" if rng.random() < 0.8 else "float"
    leading = {"one": 0, "heads": 2}.get(planes.kind, 1)
    kernel.view("c", "InOut" if adds else "Out", out, planes.arrange([None] * leading, [None, None]))
    turned = planes.kind == "one" and rng.random() < 0.1
    spans = planes.kind == "one" and not turned and rng.random() < 0.25
    places = (1, 3) if leading == 2 else (leading, leading + 1)
    rows, cols = (f"c.extent({d})" for d in (places[::-1] if turned else places))
    kernel.plane_extents = ["c.extent(0)", "c.extent(2)"][:leading]
    for operand in (a, b):
        for name in filter(None, (operand.name, operand.more)):
            planes.relate(kernel, name, "c")
    inner = relate(kernel, a, b, rows, cols)
    where = ("r", "n", "r, n") if spans else ("w.row()", "w.col()", "w")
    product = Product(kernel, a, b, inner, tile, where)
    plane_text = {0: "", 1: "[w.plane()]", 2: "[w.plane(0)][w.plane(1)]"}[leading]
    after = Epilogue(kernel, where[0], where[1], (rows, cols), [None] * leading, plane_text)
    after.begin("sum", product.total if count or out != "i32" else "float")
    sides = after.grow(count)
    header = [f"for (auto w : my_tiles<{tile[0]}, {tile[1]}>({'c.transposed()' if turned else 'c.permuted<0, 2, 1, 3>()' if leading == 2 else 'c'})) {{"]
    if spans:
        header = [f"for (auto r : my_spans<{tile[0]}>({rows})) {{", f"for (auto n : tiles<{tile[1]}>({cols})) {{"]
    value = after.last if out in ("float", "i32") else f"cast<{out}>({after.last})"
    target = "c, r, n" if spans else "w"
    kernel.lines = [*header, *product.lines(), *after.lines,
                    f"{'store_add' if adds else 'store'}({target}, {value});", *["}"] * len(header)]

    for _ in range(3):
        m, n, k = sizes(rng, tile[0]), sizes(rng, tile[1]), sizes(rng, tile[2], 130)
        counts = planes.counts(rng)
        matrix = (n, m) if turned else (m, n)
        extents = {"c": tuple(planes.arrange(list(counts), list(matrix)))}
        for operand, shape in ((a, (m, k)), (b, (k, n))):
            for name in filter(None, (operand.name, operand.more)):
                extents[name] = operand.shape(*shape, planes.leading(name, counts))
        for name, what in sides.items():
            extents[name] = (*counts, m, n) if what[0] == "planes" else ((m, n)[what[0]],)
        kernel.launch(extents, product.numbers(k))

    def reference(arrays, numbers):
        result = Number(arrays["c"].v.copy() if adds else np.zeros(arrays["c"].v.shape), out,
                        np.zeros(arrays["c"].v.shape))
        counts = tuple(np.shape(result.v)[d] for d in ((0, 2)[:leading] if leading == 2 else range(leading)))
        for plane in planes.indices(counts):
            left, right = a.values(arrays, plane), b.values(arrays, plane)
            index = {0: (), 1: plane, 2: (plane[0], slice(None), plane[-1])}[leading] if leading else ()
            found = Number(result.v[index], out, result.e[index])
            for r, n in windows((left.v.shape[0], right.v.shape[1]), tile):
                at = At(arrays, numbers, plane, r, n)
                t = after.apply(product.value(left, right, at), at).cast(out)
                here = (n, r) if turned else (r, n)
                t = t.transposed() if turned else t
                put(found, here, part(found, *here) + t if adds else t)
        return {"c": result}

    kernel.reference = reference


def columns(kernel):
    """Reductions of the columns of a product that is never stored."""
    rng = kernel.rng
    dtype = element(kernel, ("half", "float"))
    tile = rng.choice(ROWS), rng.choice(COLS), rng.choice(STEPS)
    planes = Planes("one", 2, "a")
    a, b = operands(kernel, dtype, planes)
    kernel.view("y", "Out", "float", [None])
    rows, cols = "a.extent(0)", "y.size()"
    if a.step_of == 0 or a.turned:
        rows = "n"
        kernel.params.append(kernel_number("n"))
        kernel.expects += ["n >= 0", "n <= 1 << 30"]
    inner = relate(kernel, a, b, rows, cols)
    kernel.plane_extents = []
    product = Product(kernel, a, b, inner, tile, ("r", "w.col()", "r, w.col()"))
    after = Epilogue(kernel, "r", "w.col()", (rows, cols))
    after.begin("sum", "float")
    sides = after.grow(rng.choice([0, 0, 1, 2]))
    adds = rng.random() < 0.5
    change = f"total + col_sum({after.last})" if adds else f"max(total, col_max({after.last}))"
    kernel.lines = [f"for (auto w : my_tiles<{tile[1]}>(y)) {{",
                    f"auto total = full<float>(w, {'0.0f' if adds else '-3e38f'});",
                    f"for (auto r : tiles<{tile[0]}>({rows})) {{", *product.lines(), *after.lines,
                    f"total = {change};", "}", "store(w, total);", "}"]
    for _ in range(3):
        m, n, k = sizes(rng, tile[0]), sizes(rng, tile[1]), sizes(rng, tile[2], 130)
        extents = {"y": (n,)}
        for operand, shape in ((a, (m, k)), (b, (k, n))):
            for name in filter(None, (operand.name, operand.more)):
                extents[name] = operand.shape(*shape, ())
        for name, what in sides.items():
            extents[name] = (m, n) if what[0] == "planes" else ((m, n)[what[0]],)
        kernel.launch(extents, {**product.numbers(k), **({"n": m} if rows == "n" else {})})

    def reference(arrays, numbers):
        left, right = a.values(arrays, ()), b.values(arrays, ())
        result = empty((right.v.shape[1],), "float")
        for first in range(0, right.v.shape[1], tile[1]):
            n = slice(first, min(first + tile[1], right.v.shape[1]))
            start = 0.0 if adds else np.float64(np.float32(-3e38))
            total = Number(np.full((1, n.stop - n.start), start), "float")
            for m in range(0, left.v.shape[0], tile[0]):
                at = At(arrays, numbers, (), slice(m, min(m + tile[0], left.v.shape[0])), n)
                t = after.apply(product.value(left, right, at), at)
                total = total + t.sum(0) if adds else total.maximum(t.largest(0))
            put(result, n, part(total, 0))
        return {"y": result}

    kernel.reference = reference


def kernel_number(name):
    from ..program import Number as Parameter

    return Parameter(name, "i64", 2)


def attention(kernel):
    rng = kernel.rng
    dtype = element(kernel, ("half", "half", "half", "bfloat16", "float"))
    d, q, c = rng.choice([8, 16, 24, 33, 48]), rng.choice([7, 16, 32, 48]), rng.choice([16, 33, 48, 64])
    group, causal = rng.choice([1, 1, 2, 3]), rng.random() < 0.4
    heads = group > 1 or rng.random() < 0.5
    is_turned = rng.random() < 0.6
    out = rng.choice([dtype, "float"])
    lead = [None] if heads else []
    kernel.view("q", "In", dtype, [*lead, None, d])
    kernel.view("k", "In", dtype, [*lead, *((None, d) if is_turned else (d, None))])
    kernel.view("v", "In", dtype, [*lead, None, d])
    kernel.view("o", "Out", out, [*lead, None, d])
    kernel.params.append(kernel_number("scale"))
    kernel.params[-1].dtype = "float"
    first = len(lead)
    keys = f"k.extent({first if is_turned else first + 1})"
    kernel.expects = [f"q.extent({first}) == o.extent({first})", f"{keys} == v.extent({first})"]
    if heads:
        kernel.expects += ["q.extent(0) == o.extent(0)", f"o.extent(0) == k.extent(0) * {group}",
                           "v.extent(0) == k.extent(0)"]
    kernel.expects.append(f"{keys} == o.extent({first})" if causal else f"{keys} >= 1")
    if causal:
        kernel.expects.append(f"o.extent({first}) <= 1 << 30")
    at_plane = f"[w.plane() / {group}]" if heads and group > 1 else "[w.plane()]" if heads else ""
    own = "[w.plane()]" if heads else ""
    round_p = "p" if dtype == "float" else f"cast<{dtype}>(p)"
    result = "out / total" if out == "float" else f"cast<{out}>(out / total)"
    loop = "w.row().begin + w.row().size" if causal else keys
    key_text = f"k{at_plane}.transposed()" if is_turned else f"k{at_plane}"
    kernel.lines = [
        f"for (auto w : my_tiles<{q}, {d}>(o)) {{" if heads or rng.random() < 0.5 else f"for (auto w : my_rows<{q}>(o)) {{",
        f"auto queries = load(q{own}, w.row(), w.col());",
        "auto most = column<float>(w, -3e38f), total = column<float>(w, 0.0f);",
        "auto out = zeros<float>(w);",
        f"for (auto c : tiles<{c}>({loop})) {{",
        f"auto s = dot(queries, load({key_text}, w.col(), c)) * scale;",
        *(["s = select(row_index<i32>(w) >= col_index<i32>(c), s, -3e38f);"] if causal else []),
        "auto now = max(most, row_max(s));", "auto fade = exp(most - now);", "auto p = exp(s - now);",
        "total = total * fade + row_sum(p);",
        f"out = out * fade + dot({round_p}, load(v{at_plane}, c, w.col()));",
        "most = std::move(now);", "}", f"store(w, {result});", "}"]
    for _ in range(3):
        m = sizes(rng, q)
        n = m if causal else max(1, sizes(rng, c, 130))
        few = rng.choice([0, 1, 2])
        lead_q, lead_k = ((few * group,), (few,)) if heads else ((), ())
        kernel.launch({"q": (*lead_q, m, d), "o": (*lead_q, m, d), "v": (*lead_k, n, d),
                       "k": (*lead_k, *((n, d) if is_turned else (d, n)))}, {"scale": rng.choice([0.125, 0.3, 1])})

    def reference(arrays, numbers):
        found = empty(arrays["o"].v.shape, out)
        for plane in [()] if not heads else [(n,) for n in range(found.v.shape[0])]:
            shared = tuple(n // group for n in plane)
            queries, values = part(arrays["q"], *plane), part(arrays["v"], *shared)
            k = part(arrays["k"], *shared)
            k = k.transposed() if is_turned else k
            for r in range(0, queries.v.shape[0], q):
                rows = slice(r, min(r + q, queries.v.shape[0]))
                t = attend(part(queries, rows), k, values, rows)
                put(found, (*plane, rows), t.cast(out))
        return {"o": found}

    def attend(queries, k, values, rows):
        count = queries.v.shape[0]
        most = Number(np.full((count, 1), np.float64(np.float32(-3e38))), "float")
        total, result = empty((count, 1), "float"), empty((count, d), "float")
        last = rows.stop if causal else k.v.shape[1]
        for n in range(0, last, c):
            at = slice(n, min(n + c, last))
            s = dot(queries, part(k, slice(None), at)) * scale_of
            if causal:
                seen = np.arange(rows.start, rows.stop)[:, None] >= np.arange(at.start, at.stop)[None]
                s = s.select(seen, -3e38)
            now = most.maximum(s.largest(1))
            fade, p = (most - now).exp(), (s - now).exp()
            total = total * fade + p.sum(1)
            result = result * fade + dot(p.cast(dtype), part(values, at))
            most = now
        return result / total

    scale_of = None

    def with_scale(arrays, numbers):
        nonlocal scale_of
        scale_of = numbers["scale"]
        return reference(arrays, numbers)

    kernel.reference = with_scale


def layers(kernel):
    """A product of what was computed from a product."""
    rng = kernel.rng
    dtype = element(kernel, ("half", "half", "bfloat16", "float"))
    d, m = rng.choice([8, 16, 24, 33, 48]), rng.choice(ROWS)
    h, step = rng.choice([8, 16, 32, 48]), rng.choice(STEPS)
    kernel.view("x", "In", dtype, [None, None])
    turned = [rng.random() < 0.3 for _ in range(2)]
    kernel.view("f", "In", dtype, [None, None])
    kernel.view("g", "In", dtype, [None, d] if not turned[1] else [d, None])
    out = rng.choice([dtype, "float"])
    kernel.view("y", "Out", out, [None, d])
    inner, hidden = ("f.cols()", "f.rows()") if turned[0] else ("f.rows()", "f.cols()")
    kernel.expects = ["x.rows() == y.rows()", f"x.cols() == {inner}",
                      f"g.{'cols' if turned[1] else 'rows'}() == {hidden}"]
    kernel.plane_extents = []
    f_text, g_text = "f.transposed()" if turned[0] else "f", "g.transposed()" if turned[1] else "g"
    after = Epilogue(kernel, "w.row()", "h", ("y.rows()", hidden))
    after.begin("sum", "float")
    sides = after.grow(rng.choice([0, 1, 2, 3]))
    rounded = after.last if dtype == "float" else f"cast<{dtype}>({after.last})"
    kernel.lines = [
        f"for (auto w : my_rows<{m}>(y)) {{", "auto out = zeros<float>(w);",
        f"for (auto h : tiles<{h}>({hidden})) {{", "auto sum = zeros<float>(w.row(), h);",
        f"for (auto k : tiles<{step}>(x.cols())) {{",
        f"sum += dot(load(x, w.row(), k), load({f_text}, k, h));", "}", *after.lines,
        f"out += dot({rounded}, load({g_text}, h, w.col()));", "}",
        "store(w, out);" if out == "float" else f"store(w, cast<{out}>(out));", "}"]
    for _ in range(3):
        rows, wide, k = sizes(rng, m), sizes(rng, h), sizes(rng, step, 130)
        extents = {"x": (rows, k), "f": (wide, k) if turned[0] else (k, wide),
                   "g": (d, wide) if turned[1] else (wide, d), "y": (rows, d)}
        for name, what in sides.items():
            extents[name] = (rows, wide) if what[0] == "planes" else ((rows, wide)[what[0]],)
        kernel.launch(extents)

    def reference(arrays, numbers):
        x, f, g = (arrays[n] for n in "xfg")
        f, g = f.transposed() if turned[0] else f, g.transposed() if turned[1] else g
        result = empty(arrays["y"].v.shape, out)
        for first in range(0, x.v.shape[0], m):
            rows = slice(first, min(first + m, x.v.shape[0]))
            sums = Sums((rows.stop - rows.start, d), "float")
            for begin in range(0, f.v.shape[1], h):
                cols = slice(begin, min(begin + h, f.v.shape[1]))
                at = At(arrays, numbers, (), rows, cols)
                inside = Sums((rows.stop - rows.start, cols.stop - cols.start), "float")
                for k in range(0, x.v.shape[1], step):
                    ks = slice(k, min(k + step, x.v.shape[1]))
                    inside.add(part(x, rows, ks), part(f, ks, cols))
                t = after.apply(inside.number(), at)
                sums.add(t.cast(dtype), part(g, cols))
            put(result, rows, sums.number().cast(out))
        return {"y": result}

    kernel.reference = reference
