"""Compares the prover with brute force.

    fuzz.py COUNT SEED

Writes COUNT random kernels as MLIR, lets `belay-opt --ascend-prove=deny` judge them,
and interprets each for every small launch: extents, scalars, cores. A kernel that was
accepted and then reads or writes outside of a view, overfills a tile, divides by zero,
stores more than it computed or lets two cores touch the same element (one writing) is
an error of the prover. Integers are unbounded here: nothing that small overflows.
"""
import itertools
import random
import re
import subprocess
import sys

SIZES = range(0, 14)
SCALARS = range(-2, 7)
CORES = (1, 2, 3)


class Wrong(Exception):
    """What no accepted kernel does."""


class Kernel:
    """A random kernel: its MLIR, and a function that runs it on one core."""

    def __init__(self, rng):
        self.rng = rng
        self.lines = []
        self.count = 0
        self.conditions = []
        self.use_scalar = rng.random() < 0.6
        self.body = []
        names = {"n": "%n", "m": "%m"}
        if self.use_scalar:
            names["a"] = "%a"
        for _ in range(rng.randint(1, 4)):
            self.expects(names)
        self.statements(self.body, dict(names, core="%core", cores="%cores"), 0)

    # Expressions are (text of the value, function of the environment).
    def value(self, text):
        self.count += 1
        self.lines.append(f"%v{self.count} = {text}")
        return f"%v{self.count}"

    def constant(self, number):
        return self.value(f"arith.constant {number} : index"), lambda e: number

    def expression(self, names, depth):
        rng = self.rng
        if depth == 0 or rng.random() < 0.25:
            if rng.random() < 0.4:
                return self.constant(rng.choice((0, 1, 1, 2, 3, 4)))
            name = rng.choice(list(names))
            return names[name], lambda e: e[name]
        op = rng.choice(
            ["addi", "subi", "minsi", "minsi", "maxsi", "muli", "divsi", "remsi", "ceildivsi"]
        )
        left, f = self.expression(names, depth - 1)
        if op in ("divsi", "remsi", "ceildivsi") and rng.random() < 0.8:
            right, g = self.constant(rng.choice((1, 2, 3)))
        else:
            right, g = self.expression(names, depth - 1)
        return self.value(f"arith.{op} {left}, {right} : index"), combine(op, f, g)

    def compare(self, names, depth):
        predicate = self.rng.choice(["slt", "sle", "sgt", "sge", "eq", "ne"])
        left, f = self.expression(names, depth)
        right, g = self.expression(names, depth)
        return (
            self.value(f"arith.cmpi {predicate}, {left}, {right} : index"),
            lambda e: TESTS[predicate](f(e), g(e)),
        )

    def expects(self, names):
        if self.rng.random() < 0.6:
            a, b = self.rng.sample(list(names), 2)
            predicate = self.rng.choice(["sle", "eq"])
            text = self.value(f"arith.cmpi {predicate}, {names[a]}, {names[b]} : index")
            test = lambda e: TESTS[predicate](e[a], e[b])
        else:
            name = self.rng.choice(list(names))
            bound, number = self.constant(self.rng.choice((0, 1, 4)))
            text = self.value(f"arith.cmpi sge, {names[name]}, {bound} : index")
            test = lambda e: e[name] >= number(e)
        self.lines.append(f'ascend.expects {text}, "random"')
        self.conditions.append(test)

    def statements(self, body, names, depth):
        for _ in range(self.rng.choice((1, 1, 2))):
            kind = self.rng.random()
            if kind < 0.55 and depth < 2:
                self.loop(body, names, depth)
            elif kind < 0.7 and depth < 3:
                self.branch(body, names, depth)
            else:
                self.access(body, names)

    def loop(self, body, names, depth):
        rng = self.rng
        if rng.random() < 0.6:
            scale = rng.choice((1, 2, 4))
            by, _ = self.constant(scale)
            low = self.value(f"arith.muli %core, {by} : index")
            step = self.value(f"arith.muli %cores, {by} : index")
            first, stride = lambda e: e["core"] * scale, lambda e: e["cores"] * scale
        else:
            low, first = self.constant(rng.choice((0, 0, 1)))
            number = rng.choice((1, 2, 4))
            step, stride = self.constant(number)
        if rng.random() < 0.6:
            name = rng.choice(("n", "m"))
            high, last = names[name], lambda e: e[name]
        else:
            high, last = self.expression(names, 1)
        variable = f"i{depth}"
        self.count += 1
        text = f"%i{self.count}"
        self.lines.append(f"scf.for {text} = {low} to {high} step {step} {{")
        inner = []
        self.statements(inner, dict(names, **{variable: text}), depth + 1)
        self.lines.append("}")

        def run(env):
            for i in range(first(env), last(env), stride(env)):
                run_all(inner, dict(env, **{variable: i}, trace=env["trace"]))

        body.append(run)

    def branch(self, body, names, depth):
        text, test = self.compare(names, 1)
        self.lines.append(f"scf.if {text} {{")
        inner = []
        self.statements(inner, names, depth + 1)
        self.lines.append("}")
        body.append(lambda env: run_all(inner, env) if test(env) else None)

    def access(self, body, names):
        """Loads a window of x and stores it to the same or another one of y."""
        at, offset = self.window_start(names)
        length, size = self.window_size(names, at, offset)
        capacity = self.rng.choice((2, 4, 16, 16))
        tile = f"tensor<1x?xf32, #ascend.capacity<1x{capacity}>>"
        loaded = self.value(f"ascend.load %x[{at}] [{length}] : !view -> {tile}")
        start, put = at, offset
        if self.rng.random() < 0.2:
            start, put = self.window_start(names)
        stored = self.rng.random() < 0.8
        if stored:
            self.lines.append(f"ascend.store {loaded}, %y[{start}] [{length}] : {tile} -> !view")

        def run(env):
            count = size(env)
            if count > capacity:
                raise Wrong("capacity")
            touch(env, "x", "n", offset(env), count, False)
            if stored:
                touch(env, "y", "m", put(env), count, True)

        body.append(run)

    def window_start(self, names):
        loops = [name for name in names if name.startswith("i")]
        if loops and self.rng.random() < 0.85:
            name = self.rng.choice(loops)
            return names[name], lambda e: e[name]
        return self.expression(names, 2)

    def window_size(self, names, at, offset):
        if self.rng.random() < 0.85:
            name = self.rng.choice(("n", "m"))
            left = self.value(f"arith.subi {names[name]}, {at} : index")
            most, number = self.constant(self.rng.choice((1, 2, 4)))
            return (
                self.value(f"arith.minsi {left}, {most} : index"),
                lambda e: min(e[name] - offset(e), number(e)),
            )
        return self.expression(names, 1)

    def text(self, number):
        roles = "{ascend.role = #ascend.role<%s>}"
        head = [
            f"func.func @k{number}(%x: !view {roles % 'in'} loc(\"x\"),",
            f"    %y: !view {roles % 'out'} loc(\"y\"), %a: index loc(\"a\"))",
            "    attributes {ascend.kernel} {",
            "%zero = arith.constant 0 : index",
            "%n = memref.dim %x, %zero : !view",
            "%m = memref.dim %y, %zero : !view",
            "%core = ascend.core_index",
            "%cores = ascend.core_count",
        ]
        return ["!view = memref<?xf32, #ascend.space<gm>>"] + head + self.lines + ["return", "}"]

    def violation(self):
        """A launch that goes wrong, or nothing."""
        scalars = SCALARS if self.use_scalar else (0,)
        for n, m, a in itertools.product(SIZES, SIZES, scalars):
            env = {"n": n, "m": m, "a": a}
            if not all(test(env) for test in self.conditions):
                continue
            for cores in CORES:
                written = {}
                for core in range(cores):
                    trace = set()
                    try:
                        run_all(self.body, dict(env, core=core, cores=cores, trace=trace))
                    except Wrong as wrong:
                        return f"{wrong} for n={n} m={m} a={a} core {core} of {cores}"
                    for view, element, writes in trace:
                        if writes and written.setdefault((view, element), core) != core:
                            return f"race for n={n} m={m} a={a} on {cores} cores"
        return None


def combine(op, f, g):
    def run(env):
        a, b = f(env), g(env)
        if op in ("divsi", "remsi", "ceildivsi") and b == 0:
            raise Wrong("division by zero")
        if op == "divsi":
            return quotient(a, b)
        if op == "remsi":
            return a - quotient(a, b) * b
        if op == "ceildivsi":
            return -(-a // b)
        return SIMPLE[op](a, b)

    return run


def quotient(a, b):
    size = abs(a) // abs(b)
    return size if (a < 0) == (b < 0) else -size


def touch(env, view, extent, start, count, writes):
    if start < 0 or count < 0 or start + count > env[extent]:
        raise Wrong(f"window [{start}, +{count}) of {view}")
    for element in range(start, start + count):
        env["trace"].add((view, element, writes))


def run_all(body, env):
    for statement in body:
        statement(env)


TESTS = {
    "slt": lambda a, b: a < b,
    "sle": lambda a, b: a <= b,
    "sgt": lambda a, b: a > b,
    "sge": lambda a, b: a >= b,
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
}
SIMPLE = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "minsi": min,
    "maxsi": max,
}


def main(make=Kernel):
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    rng = random.Random(seed)
    kernels = [make(rng) for _ in range(count)]
    lines, starts = [], []
    for number, kernel in enumerate(kernels):
        starts.append(len(lines) + 1)
        lines += kernel.text(number) + ["// -----"]
    text = "\n".join(lines) + "\n"
    result = subprocess.run(
        ["belay-opt", "-", "--split-input-file", "--ascend-prove=deny"],
        input=text,
        capture_output=True,
        text=True,
    )
    refused = set()
    for line, message in re.findall(r"^<stdin>:(\d+):\d+: error: (.*)$", result.stderr, re.M):
        # The other messages are verdicts; this one would hide a kernel from them.
        if not message.rstrip().endswith("]"):
            sys.exit(f"line {line}: {message}\n{lines[int(line) - 1]}")
        refused.add(max(i for i, start in enumerate(starts) if start <= int(line)))
    accepted = [i for i in range(count) if i not in refused]
    needlessly = 0
    for i, kernel in enumerate(kernels):
        wrong = kernel.violation()
        if wrong and i not in refused:
            print("\n".join(kernel.text(i)))
            sys.exit(f"kernel {i} of seed {seed} was accepted, but: {wrong}")
        needlessly += not wrong and i in refused
    print(f"{count} kernels: {len(accepted)} accepted, {needlessly} refused for no reason found")
    if len(accepted) < count // 20 or len(refused) < count // 20:
        sys.exit("too one-sided to say anything")


if __name__ == "__main__":
    main()
