"""How kernels divide their work: what they are called with, their loops, and the
sizes that they are tried with."""
from .bounds import Bounds
from . import bounds as b
from .program import Case, For, If, Let, Plain, Scalar, Store, Tile, Var

LENGTHS = (64, 96, 100, 256, 1000)
COLUMNS = (1, 5, 8, 16, 24, 32, 33, 64, 100)
TYPES = ("float", "float", "float", "half", "half", "i32", "i32", "i16", "bfloat16", "i8", "i64")


def dtype_for(builder):
    return builder.rng.choice([t for t in TYPES if builder.has("load", t)])


def sizes(builder, step, most):
    """Nothing, one, around the edges of tiles, and more."""
    rng = builder.rng
    some = [0, 1, step - 1, step, step + 1, 2 * step + rng.randrange(step),
            rng.randrange(1, most), most]
    return [max(0, min(n, most)) for n in some]


def cores(builder):
    return builder.rng.choice([1, 1, 2, 3, 5, 8])


def cases(builder, extents, count=3):
    """`extents` makes the extents of all views; called once for each case."""
    rng = builder.rng
    for _ in range(count):
        blocks = cores(builder)
        numbers = {n.name: rng.choice([-2, -0.5, 0.25, 1, 2]) if n.dtype == "float"
                   else rng.choice([-2, 0, 1, 2]) for n in builder.kernel.numbers()}
        builder.kernel.cases.append(Case(blocks, extents(blocks), numbers, rng.randrange(2**31)))


def maybe_number(builder):
    if builder.rng.random() < 0.5:
        builder.number()


def lines(builder):
    """Vectors, dealt out in tiles."""
    rng = builder.rng
    dtype, n = dtype_for(builder), rng.choice(LENGTHS)
    inputs = [builder.view(f"x{i}", "In", rng.choice([dtype, dtype, dtype_for(builder)]), [None])
              for i in range(rng.randint(1, 3))]
    output = builder.view("y", rng.choice(["Out", "Out", "InOut"]), dtype, [None])
    second = builder.view("z", "Out", dtype_for(builder), [None]) if rng.random() < 0.3 else None
    maybe_number(builder)
    others = [v for v in builder.kernel.views() if v is not output]
    builder.kernel.expects = [f"{v.name}.size() == y.size()" for v in others]
    if rng.random() < 0.4:
        builder.kernel.template["N"] = n
    text = "N" if builder.kernel.template else str(n)
    loop = For(f"auto w : my_tiles<{text}>(y)", [], 1)
    leave = builder.inside(loop.body)
    for view in inputs + ([output] if output.role == "InOut" else []):
        tile = Tile(1, n, view.dtype, "1", "w")
        if rng.random() < 0.2:
            full = Tile(1, n, view.dtype, "1", str(n))
            builder.load(view, full, f"load({view.name}, w, {pad(view)})",
                         ["load_padded"])
        builder.load(view, tile, f"load({view.name}, w)")
    builder.walk(rng.randint(1, 9))
    if second:
        value = builder.result(Tile(1, n, second.dtype, "1", "w"))
        if value:
            builder.add(Store("store(z, w.col(), {0})", [value], "z"))
        else:
            second.partly = True
    value = builder.result(Tile(1, n, dtype, "1", "w"))
    if not value:
        return False
    builder.add(Store("store(w, {0})", [value], "y"))
    leave()
    builder.kernel.body.append(loop)
    names = [v.name for v in builder.kernel.views()]
    choice = sizes(builder, n, min(5 * n, 3000))
    cases(builder, lambda _: dict.fromkeys(names, (rng.choice(choice),)))
    return True


def pad(view):
    return "0.0f" if view.dtype == "float" else "1"


def rows(builder):
    """Whole rows of a matrix, with rows and columns that meet them."""
    rng = builder.rng
    dtype, c = dtype_for(builder), rng.choice(COLUMNS)
    r = rng.choice([1, 2, 4, 8])
    inputs = [builder.view(f"x{i}", "In", rng.choice([dtype, dtype, dtype_for(builder)]), [None, c])
              for i in range(rng.randint(1, 2))]
    row = builder.view("g", "In", dtype, [c]) if rng.random() < 0.5 else None
    column = builder.view("h", "In", dtype, [None]) if rng.random() < 0.4 and r > 1 else None
    output = builder.view("y", rng.choice(["Out", "Out", "InOut"]), dtype, [None, c])
    each = builder.view("z", "Out", rng.choice([dtype, "i32", "float"]), [None])
    maybe_number(builder)
    expects = [f"{v.name}.rows() == y.rows()" for v in inputs]
    expects += [f"{v.name}.size() == y.rows()" for v in (column, each) if v]
    builder.kernel.expects = expects
    if row:
        builder.load(row, Tile(1, c, dtype, "1", str(c)), "load(g)")
    if rng.random() < 0.4:
        builder.kernel.template = {"R": r}
    loop = For(f"auto w : my_rows<{'R' if builder.kernel.template else r}>(y)", [], 1)
    leave = builder.inside(loop.body)
    name = "w" if r > 1 else "1"
    for view in inputs + ([output] if output.role == "InOut" else []):
        builder.load(view, Tile(r, c, view.dtype, name, str(c) if c > 1 else "1"),
                     f"load({view.name}, w)")
    if column:
        builder.load(column, Tile(r, 1, dtype, name, "1"), "load(h, w)")
    builder.walk(rng.randint(2, 10))
    value = builder.result(Tile(r, c, dtype, name, str(c) if c > 1 else "1"))
    if not value:
        return False
    builder.add(Store("store(w, {0})", [value], "y"))
    column_value = builder.result(Tile(r, 1, each.dtype, name, "1")) if r > 1 else None
    if column_value:
        builder.add(Store("store(z, w.row(), {0})", [column_value], "z"))
    else:
        each.partly = True
    leave()
    builder.kernel.body.append(loop)
    choice = sizes(builder, r, 5 * r + 3)

    def extents(_):
        n = rng.choice(choice)
        return {v.name: (n, c) if len(v.dims) == 2 else (c,) if v is row else (n,)
                for v in builder.kernel.views()}

    cases(builder, extents)
    return True


def windows(builder):
    """Windows of a matrix of any extents; inputs as they are, or transposed."""
    rng = builder.rng
    dtype, r, c = dtype_for(builder), rng.choice([1, 4, 8, 16]), rng.choice([8, 16, 32, 40])
    inputs = []
    for i in range(rng.randint(1, 2)):
        kind = rng.choice([dtype, dtype, dtype_for(builder)])
        view = builder.view(f"x{i}", "In", kind, [None, None])
        how = "plain"
        if rng.random() < 0.3 and r > 1:
            how = rng.choice(["transpose", "transposed"])
        inputs.append((view, how))
    builder.view("y", "Out", dtype, [None, None])
    maybe_number(builder)
    for view, how in inputs:
        first, second = ("rows", "cols") if how == "plain" else ("cols", "rows")
        builder.kernel.expects += [f"{view.name}.{first}() == y.rows()",
                                   f"{view.name}.{second}() == y.cols()"]
    loop = For(f"auto w : my_tiles<{r}, {c}>(y)", [], 1)
    leave = builder.inside(loop.body)
    row_name = "r" if r > 1 else "1"
    for view, how in inputs:
        text = {"plain": f"load({view.name}, w)",
                "transpose": f"transpose(load({view.name}, w.col(), w.row()))",
                "transposed": f"load({view.name}.transposed(), w)"}[how]
        builder.load(view, Tile(r, c, view.dtype, row_name, "c"), text,
                     [] if how == "plain" else [how])
    builder.walk(rng.randint(1, 8))
    value = builder.result(Tile(r, c, dtype, row_name, "c"))
    if not value:
        return False
    builder.add(Store("store(w, {0})", [value], "y"))
    leave()
    builder.kernel.body.append(loop)
    heights, widths = sizes(builder, r, 3 * r + 2), sizes(builder, c, 2 * c + 7)

    def extents(_):
        n, m = rng.choice(heights), rng.choice(widths)
        found = {"y": (n, m)}
        found.update({v.name: (n, m) if how == "plain" else (m, n) for v, how in inputs})
        return found

    cases(builder, extents)
    return True


def planes(builder):
    """Views of rank 3 and 4: planes dealt out, lines or rows inside."""
    rng = builder.rng
    dtype, c = dtype_for(builder), rng.choice([8, 16, 33, 64])
    rank, r = rng.choice([3, 3, 4]), rng.choice([1, 4])
    inputs = [builder.view(f"x{i}", "In", rng.choice([dtype, dtype_for(builder)]),
                           [None] * (rank - 1) + [c]) for i in range(rng.randint(1, 2))]
    builder.view("y", "Out", dtype, [None] * (rank - 1) + [c])
    maybe_number(builder)
    builder.kernel.expects = [f"{v.name}.extent({d}) == y.extent({d})"
                              for v in inputs for d in range(rank - 1)]
    outer = For("i64 p = core_index(); p < y.extent(0); p += core_count()", [], 1)
    middle, place = outer, "[p]"
    if rank == 4:
        middle, place = For("i64 q = 0; q < y.extent(1); ++q", [], 1), "[p][q]"
        outer.body.append(middle)
    inner = For(f"auto r : tiles<{r}>(y.extent({rank - 2}))", [], 1)
    middle.body.append(inner)
    leave = builder.inside(inner.body)
    name = "r" if r > 1 else "1"
    for view in inputs:
        builder.load(view, Tile(r, c, view.dtype, name, str(c)),
                     f"load({view.name}{place}, r, span<{c}>(0, {c}))")
    builder.walk(rng.randint(1, 6))
    value = builder.result(Tile(r, c, dtype, name, str(c)))
    if not value:
        return False
    builder.add(Store(f"store(y{place}, r, span<{c}>(0, {c}), {{0}})", [value], "y"))
    leave()
    builder.kernel.body.append(outer)
    choice = sizes(builder, r, 2 * r + 3)

    def extents(_):
        shape = tuple(rng.choice([0, 1, 2, 3]) for _ in range(rank - 2)) + (rng.choice(choice), c)
        return {v.name: shape for v in builder.kernel.views()}

    cases(builder, extents)
    return True


def long_rows(builder):
    """Rows of any length: a number is carried along each, then used on it again."""
    rng = builder.rng
    n = rng.choice([64, 100, 256])
    builder.view("x", "In", "float", [None, None])
    builder.view("y", "Out", "float", [None, None])
    maybe_number(builder)
    builder.kernel.expects = ["x.rows() == y.rows()", "x.cols() == y.cols()"]
    x = builder.kernel.views()[0]
    most = 3 * n
    outer = For("auto r : my_spans<1>(x.rows())", [], 1)
    leave_outer = builder.inside(outer.body)
    start, change, rule = rng.choice([
        ("0.0f", "{0} + sum({1})", lambda s, t: b.add("float", s, b.total("float", t, n))),
        ("-100.0f", "max({0}, maximum({1}))", lambda s, t: s.join(t)),
        ("100.0f", "min({0}, minimum({1}))", lambda s, t: s.join(t))])
    carried = builder.let(Scalar("float"), start, [],
                          lambda: Bounds(0 if start == "0.0f" else 100, 0.0, 0), "s")
    first = For(f"auto c : tiles<{n}>(x.cols())", [], most // n + 1)
    tile = Tile(1, n, "float", "1", "c")
    leave = builder.inside(first.body)
    builder.load(x, tile, "load(x, r, c)")
    builder.walk(rng.randint(0, 3))
    value = builder.result(tile)
    builder.block.append(Let(carried, change, [carried, value], rule, assigns=True))
    leave()
    if not builder.add(first):
        return False
    second = For(f"auto c : tiles<{n}>(x.cols())", [], 1)
    leave = builder.inside(second.body)
    builder.load(x, tile, "load(x, r, c)")
    builder.walk(rng.randint(1, 4))
    value = builder.let(tile, "{0} - {1}", [builder.result(tile), carried],
                        lambda t, s: b.add("float", t, s))
    if not value:
        return False
    builder.add(Store("store(y, r, c, {0})", [value], "y"))
    leave()
    builder.block.append(second)
    leave_outer()
    builder.kernel.body.append(outer)
    widths = sizes(builder, n, most)

    def extents(_):
        shape = (rng.choice([0, 1, 2, 5]), rng.choice(widths))
        return {"x": shape, "y": shape}

    cases(builder, extents)
    return True


def accumulate(builder):
    """One core carries a tile through a loop over rows."""
    rng = builder.rng
    dtype = dtype_for(builder)
    c, r = rng.choice([8, 16, 32, 33, 64]), rng.choice([2, 4, 8])
    x = builder.view("x", "In", dtype, [None, c])
    builder.view("y", "Out", dtype, [c])
    maybe_number(builder)
    most = 3 * r + 1
    outer = If("first_core()", [], [], [])
    leave_outer = builder.inside(outer.then)
    line = Tile(1, c, dtype, "1", str(c))
    start = builder.let(line, f"zeros<1, {c}, {dtype}>()", [], lambda: Bounds(0, 0.0, 0),
                        tags=["full_like"])
    if not start:
        return False
    loop = For(f"auto r : tiles<{r}>(x.rows())", [], most // r + 1)
    leave = builder.inside(loop.body)
    builder.load(x, Tile(r, c, dtype, "r", str(c)), f"load(x, r, span<{c}>(0, {c}))")
    builder.walk(rng.randint(0, 4))
    tile = builder.result(Tile(r, c, dtype, "r", str(c)))
    kind = rng.choice(["sum", "max"])
    summed = builder.let(line, f"col_{kind}({{0}})", [tile],
                         lambda t: b.total(dtype, t, r) if kind == "sum" else t,
                         tags=[f"col_{kind}"])
    if not summed:
        return False
    text, rule = ("{0} + {1}", b.add) if kind == "sum" else ("max({0}, {1})", b.choose)
    builder.block.append(Let(start, text, [start, summed],
                             lambda s, t: rule(dtype, s, t), assigns=True))
    leave()
    if not builder.add(loop):
        return False
    builder.walk(rng.randint(0, 3))
    builder.add(Store(f"store(y, span<{c}>(0, {c}), {{0}})", [builder.result(line)], "y"))
    leave_outer()
    builder.kernel.body.append(outer)
    choice = sizes(builder, r, most)
    cases(builder, lambda _: {"x": (rng.choice(choice), c), "y": (c,)})
    return True


def barrier(builder):
    """Every core leaves a number; after they have met, the first combines them."""
    rng = builder.rng
    if not builder.has("sync_cores", "float"):
        return False
    n = rng.choice([64, 100, 256])
    x = builder.view("x", "In", "float", [None])
    builder.view("part", "PerCore", "float", [None])
    builder.view("y", "Out", "float", [1])
    builder.kernel.expects = ["core_count() <= 64"]
    carried = builder.let(Scalar("float"), "0.0f", [], lambda: Bounds(0, 0.0, 0), "s")
    most = 5 * n
    loop = For(f"auto w : my_tiles<{n}>(x)", [], most // n + 1)
    tile = Tile(1, n, "float", "1", "w")
    leave = builder.inside(loop.body)
    builder.load(x, tile, "load(x, w)")
    builder.walk(rng.randint(0, 4))
    builder.block.append(Let(carried, "{0} + sum({1})", [carried, builder.result(tile)],
                             lambda s, t: b.add("float", s, b.total("float", t, n)), assigns=True))
    leave()
    if not builder.add(loop):
        return False
    builder.add(Store("store_mine(part, {0})", [carried], "part"))
    builder.block.append(Plain("sync_cores();"))
    outer = If("first_core()", [], [], [])
    leave = builder.inside(outer.then)
    total = combine(builder, carried)
    if not total:
        return False
    builder.add(Store("store(y, 0, {0})", [total], "y"))
    leave()
    builder.kernel.body.append(outer)
    choice = sizes(builder, n, most)
    cases(builder, lambda blocks: {"x": (rng.choice(choice),), "part": (blocks,), "y": (1,)})
    return True


def combine(builder, carried):
    """The sum of what at most eight cores left; carried is what each of them did."""
    var = Var(builder.fresh("s"), Scalar("float"))
    bounds = b.total("float", builder.env.values[carried], 8)
    if not builder.add(Let(var, "sum(load_all(part))", [], lambda: bounds)):
        return None
    return var


def table(builder):
    """Rows of a table by index; bad ones are data too."""
    rng = builder.rng
    dtype, c, r = dtype_for(builder), rng.choice([8, 16, 32, 64]), rng.choice([4, 8])
    policy = rng.choice(["zero", "clamp", "wrap"])
    t = builder.view("x", "In", dtype, [None, c])
    builder.view("ids", "In", "i32", [None], indices=6)
    builder.view("y", "Out", dtype, [None, c])
    builder.kernel.expects = ["ids.size() == y.rows()"]
    if policy != "zero":
        builder.kernel.expects.append("x.rows() >= 1")
    loop = For(f"auto w : my_rows<{r}>(y)", [], 1)
    leave = builder.inside(loop.body)
    tile = Tile(r, c, dtype, "w", str(c))
    if not builder.load(t, tile, f"gather<Oob::{policy}>(x, load(ids, w))", ["gather"]):
        return False
    builder.walk(rng.randint(0, 4))
    builder.add(Store("store(w, {0})", [builder.result(tile)], "y"))
    leave()
    builder.kernel.body.append(loop)
    choice = sizes(builder, r, 3 * r + 1)

    def extents(_):
        n = rng.choice(choice)
        least = 0 if policy == "zero" else 1
        return {"x": (rng.choice([least, 1, 6]), c), "ids": (n,), "y": (n, c)}

    cases(builder, extents)
    return True


SHAPES = [(lines, 6), (rows, 8), (windows, 4), (planes, 3), (long_rows, 2), (accumulate, 3),
          (barrier, 1), (table, 2)]
