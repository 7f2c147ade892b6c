"""Random kernels that are safe: whatever they do, their windows lie in their views,
their values stay in range, and each core writes what is its own.

A kernel has a shape (how it divides its work, see SHAPES) and a body: a random walk
through the operations, starting from what it loads.
"""
import json
import pathlib
import random

from . import bounds as b
from . import operations as ops
from .bounds import FLOATS, INTS, Bounds
from .forms import has_form
from .program import (
    Environment, For, If, Inadmissible, Kernel, Let, Mask, Number, Plain, Scalar,
    Tile, Var, View, evaluate, walk)

ARCHS = (2002, 2201, 3510)
UNSUPPORTED = pathlib.Path(__file__).with_name("unsupported.json")
BYTES = {"float": 4, "half": 2, "bfloat16": 2, "i8": 1, "i16": 2, "i32": 4, "i64": 8}


class Support:
    """What becomes AscendC: operation, element type, architecture. Known is what does
    not, which scripts/fuzz-kernels --learn has seen refused."""

    def __init__(self, table=None):
        if table is None:
            table = json.loads(UNSUPPORTED.read_text())
        self.missing = {name: set(where) for name, where in table.items()}

    def has(self, name, dtype, arch):
        return has_form(name, dtype, arch) and (
            f"{dtype}@{arch}" not in self.missing.get(name, ()))

    def exclude(self, name, dtype, arch, why):
        """What was refused for one type is missing for related types, and everywhere, unless
        the message speaks of the architecture. Conversions are each for itself."""
        if "conversion" in why:
            self.missing.setdefault(name, set()).add(f"{dtype}@{arch}")
            return
        alike = FLOATS if dtype in FLOATS else INTS
        archs = [arch] if "Ascend" in why or "architecture" in why else ARCHS
        where = {f"{t}@{a}" for t in alike for a in archs}
        self.missing.setdefault(name, set()).update(where)

    def save(self):
        table = {name: sorted(where) for name, where in sorted(self.missing.items())}
        lines = [f"  {json.dumps(name)}: {json.dumps(where)}" for name, where in table.items()]
        UNSUPPORTED.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def broadcasts(tile, other):
    """What it takes for `other` to meet a tile."""
    if not isinstance(other, Tile):
        return
    if other.rows == 1 and tile.rows > 1:
        yield "broadcast_row"
    if other.cols == 1 and tile.cols > 1:
        yield "broadcast_col"


class Builder:
    """The body of one kernel as it grows."""

    def __init__(self, index, arch, rng, support):
        self.rng, self.support, self.arch = rng, support, arch
        self.kernel = Kernel(index, arch, [], [], [], [])
        self.env = Environment({})
        self.scope = []
        self.block = self.kernel.body
        self.names = 0
        self.narrow = False  # whether single rows and columns are reduced, too

    # --- parameters ---

    def view(self, name, role, dtype, dims, **more):
        if dtype == "bfloat16" and self.arch == 2002:
            raise Inadmissible("the 310P has no bfloat16")
        view = View(name, role, dtype, tuple(dims), self.data(dtype), **more)
        self.kernel.params.append(view)
        return view

    def data(self, dtype):
        """Bounds of input: often on a grid, so that sums are exact."""
        if dtype in INTS:
            return Bounds(self.rng.choice([3, 10]), 0.0, 0)
        if self.rng.random() < 0.6:
            return Bounds(self.rng.choice([2, 4]), 0.0, self.rng.choice([0, 1, 2]))
        # The twin and the simulator get the same rounded numbers.
        return Bounds(self.rng.choice([1, 4]) * 1.01, 0.0, None)

    def number(self, dtype="float"):
        number = Number(f"a{len(self.kernel.numbers())}", dtype, 2)
        self.kernel.params.append(number)
        var = Var(number.name, Scalar(dtype))
        self.env.values[var] = Bounds(2, 0.0, 2)
        self.scope.append(var)
        return var

    # --- statements ---

    def fresh(self, prefix="t"):
        self.names += 1
        return f"{prefix}{self.names}"

    def add(self, statement):
        """Appends a statement if its values are admissible."""
        before = dict(self.env.values), dict(self.env.outputs)
        try:
            statement.evaluate(self.env)
        except Inadmissible:
            self.env.values, self.env.outputs = before
            return False
        self.block.append(statement)
        return True

    def let(self, kind, text, args, rule, prefix="t", tags=()):
        """Tags name the operations; their types are `kind`'s unless they say so."""
        var = Var(self.fresh(prefix), kind)
        own = kind.of.dtype if isinstance(kind, Mask) else kind.dtype
        tags = tuple(t if isinstance(t, tuple) else (t, own) for t in tags)
        if not all(self.has(*tag) for tag in tags):
            return None
        if not self.add(Let(var, text, list(args), rule, tags=tags)):
            return None
        self.scope.append(var)
        return var

    def load(self, view, tile, text, tags=()):
        return self.let(tile, text, [], lambda: view.bounds, tags=["load", *tags])

    def inside(self, statement_body):
        """Statements go to the given list until the returned function is called."""
        outer, scope = self.block, list(self.scope)
        self.block = statement_body

        def leave():
            self.block, self.scope = outer, scope

        return leave

    def has(self, name, dtype):
        return self.support.has(name, dtype, self.arch)

    def tiles(self, wanted=lambda t: True):
        return [v for v in self.scope if isinstance(v.type, Tile) and wanted(v.type)]

    # --- operations ---

    def elementwise(self):
        tile = self.rng.choice(self.tiles())
        dtype = tile.type.dtype
        choices = [o for o in ops.ELEMENTWISE if dtype in o.types and self.has(o.name, dtype)]
        if not choices:
            return None
        op = self.rng.choice(choices)
        args = [tile]
        if op.arity == 2:
            others = self.tiles(lambda t: ops.meets(tile.type, t))
            args.append(self.rng.choice([v for v in others if v != tile] or others))
            if self.rng.random() < 0.5 and args[1].type == tile.type:
                args.reverse()
        if op.name == "transpose" and 1 in (tile.type.rows, tile.type.cols):
            return None
        rule = ops.scan_rule(dtype, tile.type) if op.name == "cumsum" else (
            lambda *bounds: op.rule(dtype, *bounds))
        tags = [op.name, *(t for a in args for t in broadcasts(tile.type, a.type))]
        return self.let(tile.type, op.write(dtype), args, rule, tags=tags)

    def with_number(self):
        numbers = [v for v in self.scope if isinstance(v.type, Scalar)]
        tiles = self.tiles(lambda t: any(n.type.dtype == t.dtype for n in numbers))
        if not tiles:
            return None
        tile = self.rng.choice(tiles)
        dtype = tile.type.dtype
        number = self.rng.choice([n for n in numbers if n.type.dtype == dtype])
        name, text, rule = self.rng.choice([
            ("add_scalar", "{0} + {1}", b.add), ("mul_scalar", "{0} * {1}", b.mul),
            ("scalar_sub", "{1} - {0}", b.add), ("max_scalar", "max({0}, {1})", b.choose)])
        return self.let(tile.type, text, [tile, number], lambda x, y: rule(dtype, x, y),
                        tags=[name])

    def select(self):
        tile = self.rng.choice(self.tiles())
        dtype = tile.type.dtype
        same = self.tiles(lambda t: t == tile.type)
        left, right = self.rng.sample(same, 2) if len(same) > 1 else same * 2
        compare = self.rng.choice(ops.COMPARISONS)
        if not self.has("select", dtype):
            return None

        def compared(*bounds):
            return None if any(x.err for x in bounds) else Bounds(1)

        number = self.rng.random() < 0.3
        text = f"{{0}} {compare} {ops.literal(dtype, 1)}" if number else f"{{0}} {compare} {{1}}"
        args = [self.rng.choice(same)] if number else [right, self.rng.choice(same)]
        mask = self.let(Mask(tile.type), text, args, compared, "m", ["compare" + compare])
        if not mask:
            return None
        masks = [v for v in self.scope if v.type == mask.type]
        if self.rng.random() < 0.3:
            mask = self.let(mask.type, self.rng.choice(["{0} & {1}", "{0} | {1}"]),
                            [mask, self.rng.choice(masks)], lambda x, y: x, "m",
                            ["mask_and"]) or mask
        if self.rng.random() < 0.2:
            mask = self.let(mask.type, "!{0}", [mask], lambda x: x, "m", ["mask_not"]) or mask
        if self.rng.random() < 0.3:
            return self.let(tile.type, f"select({{0}}, {{1}}, {ops.literal(dtype, 2)})",
                            [mask, left], lambda _, x: x.join(ops.constant(2)), tags=["select"])
        return self.let(tile.type, "select({0}, {1}, {2})", [mask, left, right],
                        lambda _, x, y: x.join(y), tags=["select"])

    def cast(self):
        tile = self.rng.choice(self.tiles())
        source = tile.type.dtype
        target = self.rng.choice([t for t in FLOATS + INTS if t != source])
        if not self.same_pitch(tile.type, target):
            return None
        tags = [f"cast_{source}"]
        kind = Tile(tile.type.rows, tile.type.cols, target, tile.type.row_name, tile.type.col_name)
        text = f"cast<{target}>({{0}})"
        if source in FLOATS and target in INTS:
            mode = self.rng.choice(ops.ROUNDINGS)
            tags = [f"cast_{source}_{mode}"]
            text = f"cast<{target}, Round::{mode}>({{0}})"

        def rule(x):
            return None if target in INTS and x.err else b.cast(source, target, x)

        return self.let(kind, text, [tile], rule, tags=tags)

    def same_pitch(self, tile, target):
        """Rows of both types have to be whole blocks, so far."""
        return tile.rows == 1 or tile.cols == 1 or all(
            tile.cols * BYTES[t] % 32 == 0 for t in (tile.dtype, target))

    def reduction(self):
        """A column, a row or a number."""
        least = 1 if self.narrow else 2
        tiles = self.tiles(lambda t: t.rows * t.cols >= least)
        if not tiles:
            return None
        tile = self.rng.choice(tiles)
        dtype, kind = tile.type.dtype, self.rng.choice(ops.REDUCTIONS)
        axis = self.rng.choice(["row", "col", "all"])
        if kind == "mean" and dtype in INTS:
            return None
        if axis == "row" and tile.type.cols >= least:
            rule = ops.reduce_rule(kind, dtype, tile.type.cols)
            return self.let(ops.column_of(tile.type), f"row_{kind}({{0}})", [tile], rule,
                            tags=[f"row_{kind}"])
        if axis == "col" and tile.type.rows >= least:
            rule = ops.reduce_rule(kind, dtype, tile.type.rows)
            return self.let(ops.row_of(tile.type), f"col_{kind}({{0}})", [tile], rule,
                            tags=[f"col_{kind}"])
        rule = ops.reduce_rule(kind, dtype, tile.type.rows * tile.type.cols)
        name = {"max": "maximum", "min": "minimum"}.get(kind, kind)
        return self.let(Scalar(dtype), f"{name}({{0}})", [tile], rule, "s", [f"all_{kind}"])

    def position(self):
        tiles = self.tiles(lambda t: t.cols > 1 or self.narrow)
        if not tiles:
            return None
        tile = self.rng.choice(tiles)
        column = ops.column_of(tile.type)
        column = Tile(column.rows, 1, "i32", column.row_name, "1")
        kind = self.rng.choice(["argmax", "argmin"])
        return self.let(column, f"row_{kind}({{0}})", [tile],
                        lambda x: None if x.err else Bounds(tile.type.cols, 0.0, 0),
                        tags=[("argmax", tile.type.dtype)])

    def branch(self):
        """One of two ways to change a tile."""
        numbers = [v for v in self.scope if isinstance(v.type, Scalar)
                   and not self.env.values[v].err and v.type.dtype == "float"]
        own = [s.var for s in self.block if isinstance(s, Let) and isinstance(s.var.type, Tile)]
        if not own:
            return None
        target = self.rng.choice(own)
        condition, exact = "core_index() % 2 == 0", []
        if numbers:
            condition, exact = "{0} > 0.5f", [self.rng.choice(numbers)]
        then, otherwise = self.reassignment(target), []
        if not then:
            return None
        if self.rng.random() < 0.6:
            otherwise = self.reassignment(target)
        self.add(If(condition, then, otherwise, exact))
        return target

    def repeat(self):
        """A short loop that changes a tile."""
        own = [s.var for s in self.block if isinstance(s, Let) and isinstance(s.var.type, Tile)]
        if not own:
            return None
        target = self.rng.choice(own)
        body = self.reassignment(target)
        iterations = self.rng.choice([1, 2, 3])
        if body:
            self.add(For(f"i64 k = 0; k < {iterations}; ++k", body, iterations, plain=True))
        return target

    def reassignment(self, target):
        """Statements that end in `target = ...`."""
        dtype = target.type.dtype
        choices = [o for o in ops.ELEMENTWISE
                   if dtype in o.types and self.has(o.name, dtype) and o.rule
                   and o.name not in ("copy", "transpose")]
        if not choices:
            return []
        op = self.rng.choice(choices)
        same = self.tiles(lambda t: t == target.type) or [target]
        args = [target] + [self.rng.choice(same) for _ in range(op.arity - 1)]
        return [Let(target, op.write(dtype), args, lambda *bounds: op.rule(dtype, *bounds),
                    assigns=True, tags=((op.name, dtype),))]

    def helper(self):
        """A function or lambda of the kernel's own, called with a tile."""
        tile = self.rng.choice(self.tiles())
        dtype = tile.type.dtype
        choices = [o for o in ops.ELEMENTWISE
                   if o.arity == 1 and dtype in o.types and self.has(o.name, dtype) and o.rule
                   and o.name not in ("copy", "transpose")]
        if not choices:
            return None
        first, second = self.rng.choice(choices), self.rng.choice(choices)
        tags = [first.name, second.name]

        def rule(x):
            mid = first.rule(dtype, x)
            return None if mid is None or not b.fits(mid, dtype) else second.rule(dtype, mid)

        if self.rng.random() < 0.5:
            name = f"own{self.kernel.index}_{self.names}"
            inner = second.write(dtype).format("u")
            self.kernel.helpers[name] = (
                f"template <i64 R, i64 C>\n"
                f"Tile<R, C, {dtype}> {name}(const Tile<R, C, {dtype}> &t) {{\n"
                f"  auto u = {first.write(dtype).format('t')};\n  return {inner};\n}}\n")
            return self.let(tile.type, f"{name}({{0}})", [tile], rule, tags=tags)
        name = self.fresh("f")
        text = second.write(dtype).format("(" + first.write(dtype).format("t") + ")")
        self.block.append(Plain(f"auto {name} = [&](const auto &t) {{ return {text}; }};"))
        return self.let(tile.type, f"{name}({{0}})", [tile], rule, tags=tags)

    STEPS = [(elementwise, 10), (with_number, 2), (select, 3), (cast, 3), (reduction, 3),
             (position, 1), (branch, 1), (repeat, 1), (helper, 2)]

    def walk(self, steps):
        """Adds about so many operations."""
        functions, weights = zip(*self.STEPS)
        for _ in range(steps):
            if self.tiles():
                self.rng.choices(functions, weights)[0](self)

    def result(self, wanted):
        """A value of this type to store: what nobody has used so far, taken together."""
        found = self.tiles(lambda t: t == wanted)
        if not found:
            return None
        used = {a for _, _, s in walk(self.kernel.body + self.block)
                for a in getattr(s, "args", [])}
        value = found[-1]
        for other in found[:-1]:
            if other in used:
                continue
            for op in ("add", "max"):
                text, rule = {"add": ("{0} + {1}", b.add), "max": ("max({0}, {1})", b.choose)}[op]
                both = self.let(wanted, text, [value, other],
                                lambda x, y, rule=rule: rule(wanted.dtype, x, y), tags=[op])
                if both:
                    value = both
                    break
        return value


def finish(builder):
    """The bounds of the whole kernel once more: what a loop brings back counts."""
    env = Environment({v: x for v, x in builder.env.values.items()
                       if any(n.name == v.name for n in builder.kernel.numbers())})
    evaluate(builder.kernel.body, env)
    return builder.kernel


def generate(index, seed, support=None, structures=True):
    """The kernel with this number; none of its parts depend on other numbers. Without
    structures, only of the shapes that divide work into tiles."""
    from .shapes import SHAPES
    from .structures import STRUCTURES

    choice = SHAPES + STRUCTURES if structures else SHAPES
    support = support or Support()
    attempt = 0
    while True:
        rng = random.Random(f"{seed}/{index}/{attempt}")
        attempt += 1
        builder = Builder(index, rng.choice(ARCHS), rng, support)
        makes, weights = zip(*choice)
        try:
            if rng.choices(makes, weights)[0](builder) is not False:
                return finish(builder)
        except Inadmissible:
            pass
