"""More ways to divide work, where compilers go wrong: tiles of one column or one row,
extents of nothing, columns of more rows than an instruction repeats, tiles that loops
carry, several stores, branches with loops in them, views that are read again."""
from . import bounds as b
from .bounds import Bounds
from .program import For, If, Let, Store, Tile
from .shapes import cases, dtype_for, maybe_number, sizes


def narrow(builder):
    """Rows of one or two elements, or tiles of one row; each is reduced, too."""
    rng = builder.rng
    builder.narrow = True
    dtype = dtype_for(builder)
    r, c = rng.choice([(8, 1), (16, 1), (255, 1), (2, 1), (1, 1), (1, 7), (1, 24), (1, 33), (8, 2)])
    builder.view("x", "In", dtype, [None, c])
    builder.view("y", "Out", dtype, [None, c])
    each = builder.view("z", "Out", rng.choice([dtype, "i32"]), [None])
    maybe_number(builder)
    builder.kernel.expects = ["x.rows() == y.rows()", "z.size() == y.rows()"]
    loop = For(f"auto w : my_rows<{r}>(y)", [], 1)
    leave = builder.inside(loop.body)
    tile = Tile(r, c, dtype, "w" if r > 1 else "1", str(c) if c > 1 else "1")
    builder.load(builder.kernel.views()[0], tile, "load(x, w)")
    builder.walk(rng.randint(1, 6))
    value = builder.result(tile)
    column = builder.result(Tile(r, 1, each.dtype, tile.row_name, "1"))
    if not value or not column:
        return False
    builder.add(Store("store(w, {0})", [value], "y"))
    builder.add(Store("store(z, w.row(), {0})", [column], "z"))
    leave()
    builder.kernel.body.append(loop)
    choice = sizes(builder, r, 3 * r + 2)

    def extents(_):
        n = rng.choice(choice)
        return {"x": (n, c), "y": (n, c), "z": (n,)}

    cases(builder, extents)
    return True


def many_rows(builder):
    """A column of 16 bits or more meets more rows than an instruction repeats."""
    rng = builder.rng
    dtype = rng.choice(["half", "i16", "bfloat16", "half", "float", "i32"])
    r, c = rng.choice([(249, 8), (256, 16), (257, 7), (300, 16), (500, 8)])
    x = builder.view("x", "In", dtype, [None, c])
    h = builder.view("h", "In", dtype, [None])
    builder.view("y", "Out", dtype, [None, c])
    builder.kernel.expects = ["x.rows() == y.rows()", "h.size() == y.rows()"]
    loop = For(f"auto w : my_rows<{r}>(y)", [], 1)
    leave = builder.inside(loop.body)
    tile = Tile(r, c, dtype, "w", str(c))
    a = builder.load(x, tile, "load(x, w)")
    d = builder.load(h, Tile(r, 1, dtype, "w", "1"), "load(h, w)")
    if not a or not d or not builder.has("broadcast_col", dtype):
        return False
    builder.let(tile, "max({0}, {1})", [a, d], lambda s, t: s.join(t), tags=["max"])
    builder.walk(rng.randint(0, 3))
    builder.add(Store("store(w, {0})", [builder.result(tile)], "y"))
    leave()
    builder.kernel.body.append(loop)

    def extents(_):
        n = rng.choice([1, 248, 249, r - 1, r, r + 1, 2 * r + 5])
        return {"x": (n, c), "h": (n,), "y": (n, c)}

    cases(builder, extents)
    return True


def corner(builder):
    """One core reduces a window of any extents up to its capacities; of nothing, too."""
    rng = builder.rng
    dtype = rng.choice(["float", "half", "i32", "i16", "float"])
    r, c = rng.choice([(2, 8), (8, 16), (16, 33), (4, 64), (16, 7)])
    x = builder.view("x", "In", dtype, [None, None])
    builder.view("y", "Out", dtype, [None])
    builder.view("z", "Out", dtype, [None])
    builder.kernel.expects = [f"x.rows() <= {r}", f"x.cols() <= {c}", "y.size() == x.rows()",
                              "z.size() == x.cols()"]
    outer = If("first_core()", [], [], [])
    leave = builder.inside(outer.then)
    tile = Tile(r, c, dtype, "r", "c")
    t = builder.load(x, tile, f"load(x, span<{r}>(0, x.rows()), span<{c}>(0, x.cols()))")
    kind = rng.choice(["sum", "max", "min"])
    rule = (lambda v: b.total(dtype, v, r * c)) if kind == "sum" else (lambda v: v)
    column = builder.let(Tile(r, 1, dtype, "r", "1"), f"row_{kind}({{0}})", [t], rule)
    row = builder.let(Tile(1, c, dtype, "1", "c"), f"col_{kind}({{0}})", [t], rule)
    if not column or not row:
        return False
    builder.add(Store(f"store(y, span<{r}>(0, x.rows()), {{0}})", [column], "y"))
    builder.add(Store(f"store(z, span<{c}>(0, x.cols()), {{0}})", [row], "z"))
    leave()
    builder.kernel.body.append(outer)

    def extents(_):
        n, m = rng.choice([0, 1, r - 1, r]), rng.choice([0, 1, c - 1, c])
        return {"x": (n, m), "y": (n,), "z": (m,)}

    cases(builder, extents)
    return True


def carried(builder):
    """A tile that a loop carries begins as a load or a copy, which is wanted again."""
    rng = builder.rng
    dtype, c = dtype_for(builder), rng.choice([8, 16, 33, 64, 256])
    told = rng.random() < 0.5
    x = builder.view("x", "In", dtype, [None if told else c])
    v = builder.view("v", "In", dtype, [None, None if told else c])
    builder.view("y", "Out", dtype, [c])
    builder.view("z", "Out", dtype, [c])
    if told:
        builder.kernel.expects = [f"x.size() == {c}", f"v.cols() == {c}"]
    outer = If("first_core()", [], [], [])
    leave_outer = builder.inside(outer.then)
    line = Tile(1, c, dtype, "1", str(c))
    t = builder.load(x, line, f"load(x, span<{c}>(0, {c}))")
    builder.walk(rng.randint(0, 2))
    t = builder.result(line)
    acc = builder.let(line, rng.choice(["copy({0})", "copy({0})", f"full_like({{0}}, {dtype}(1))"]), [t],
                      lambda u: u.join(Bounds(1, 0.0, 0)), tags=["full_like"])
    if not acc or not builder.has("max", dtype):
        return False
    loop = For("i64 r = 0; r < v.rows(); ++r", [], 5)
    leave = builder.inside(loop.body)
    line_text = f"load(v[r], span<{c}>(0, {'v.cols()' if told else c}))"
    builder.load(v, line, line_text)
    builder.walk(rng.randint(0, 2))
    builder.block.append(Let(acc, "max({0}, {1})", [acc, builder.result(line)],
                             lambda s, u: s.join(u), assigns=True, tags=(("max", dtype),)))
    leave()
    if not builder.add(loop):
        return False
    builder.add(Store(f"store(z, span<{c}>(0, {c}), {{0}})", [acc], "z"))
    builder.add(Store(f"store(y, span<{c}>(0, {c}), {{0}})", [t], "y"))
    leave_outer()
    builder.kernel.body.append(outer)
    cases(builder, lambda _: {"x": (c,), "v": (rng.choice([0, 1, 2, 5]), c), "y": (c,), "z": (c,)})
    return True


def halves(builder):
    """Two stores into parts of one row, in a loop; sometimes only one of them."""
    rng = builder.rng
    dtype, h = dtype_for(builder), rng.choice([1, 7, 8, 16, 32])
    x = builder.view("x", "In", dtype, [None, 2 * h])
    y = builder.view("y", rng.choice(["Out", "InOut"]), dtype, [None, 2 * h])
    builder.kernel.expects = ["x.rows() == y.rows()"]
    loop = For("i64 r = core_index(); r < x.rows(); r += core_count()", [], 1)
    leave = builder.inside(loop.body)
    part = Tile(1, h, dtype, "1", str(h) if h > 1 else "1")
    first, second = f"span<{h}>(0, {h})", f"span<{h}>({h}, {h})"
    a = builder.load(x, part, f"load(x[r], {first})")
    c = builder.load(x if y.role == "Out" else y, part, f"load({'x' if y.role == 'Out' else 'y'}[r], {second})")
    if not a or not c:
        return False
    builder.walk(rng.randint(1, 4))
    value, other = builder.result(part), builder.tiles(lambda t: t == part)[0]
    builder.add(Store(f"store(y[r], {first}, {{0}})", [value], "y"))
    builder.add(Store(f"store(y[r], {second}, {{0}})", [other], "y"))
    leave()
    builder.kernel.body.append(loop)

    def extents(_):
        shape = (rng.choice([0, 1, 2, 5, 9]), 2 * h)
        return {"x": shape, "y": shape}

    cases(builder, extents)
    return True


def branches(builder):
    """A branch with a loop in it, inside a loop that carries a tile."""
    rng = builder.rng
    dtype, c = dtype_for(builder), rng.choice([7, 8, 16, 33])
    x = builder.view("x", "In", dtype, [None, c])
    g = builder.view("g", "In", dtype, [None, c])
    builder.view("y", "Out", dtype, [None, c])
    builder.kernel.expects = ["x.rows() == y.rows()"]
    if not builder.has("max", dtype):
        return False
    outer = For("i64 r = core_index(); r < x.rows(); r += core_count()", [], 1)
    leave_outer = builder.inside(outer.body)
    line, whole = Tile(1, c, dtype, "1", str(c)), f"span<{c}>(0, {c})"
    acc = builder.load(x, line, f"load(x[r], {whole})")
    branch = If("r % 2 == 0", [], [], [])
    leave_branch = builder.inside(branch.then)
    inner = For("i64 k = 0; k < g.rows(); ++k", [], 3)
    leave = builder.inside(inner.body)
    builder.load(g, line, f"load(g[k], {whole})")
    builder.walk(rng.randint(0, 2))
    builder.block.append(Let(acc, "max({0}, {1})", [acc, builder.result(line)],
                             lambda s, u: s.join(u), assigns=True, tags=(("max", dtype),)))
    leave()
    builder.block.append(inner)
    leave_branch()
    if rng.random() < 0.5:
        branch.otherwise = builder.reassignment(acc)
    if not builder.add(branch):
        return False
    builder.walk(rng.randint(0, 2))
    builder.add(Store(f"store(y[r], {whole}, {{0}})", [builder.result(line)], "y"))
    leave_outer()
    builder.kernel.body.append(outer)

    def extents(_):
        n = rng.choice([0, 1, 2, 7])
        return {"x": (n, c), "g": (rng.choice([0, 1, 3]), c), "y": (n, c)}

    cases(builder, extents)
    return True


def read_back(builder):
    """Rows that a core writes, reads again and writes once more."""
    rng = builder.rng
    dtype, c = dtype_for(builder), rng.choice([1, 7, 8, 16, 33, 61])
    x = builder.view("x", "InOut", dtype, [None, c])
    loop = For("i64 r = core_index(); r < x.rows(); r += core_count()", [], 1)
    leave = builder.inside(loop.body)
    line, whole = Tile(1, c, dtype, "1", str(c) if c > 1 else "1"), f"span<{c}>(0, {c})"
    builder.load(x, line, f"load(x[r], {whole})")
    builder.walk(rng.randint(1, 3))
    first = builder.result(line)
    builder.add(Store(f"store(x[r], {whole}, {{0}})", [first], "x"))
    bounds = builder.env.values[first]
    again = builder.let(line, f"load(x[r], {whole})", [], lambda: bounds, tags=["load"])
    if not again:
        return False
    builder.scope = [again]
    builder.walk(rng.randint(1, 3))
    builder.add(Store(f"store(x[r], {whole}, {{0}})", [builder.result(line)], "x"))
    leave()
    builder.kernel.body.append(loop)
    cases(builder, lambda _: {"x": (rng.choice([0, 1, 2, 9]), c)})
    return True


STRUCTURES = [(narrow, 4), (many_rows, 2), (corner, 3), (carried, 3), (halves, 3), (branches, 2),
              (read_back, 2)]
