"""Random kernels whose instructions are hard to order.

  fuzz_order.py N SEED [--first INDEX] [--run EVERY]
  fuzz_order.py INDEX SEED --show

Loops in loops that may have no iterations, branches with loops in them, tiles that loops
carry, several stores to the same or to other columns, rows that some loops name and others do
not, loads of what was stored, numbers read back from tiles. All are in bounds by construction,
so that nothing but their order can be in question. For each kernel and SoC,

  - insert-sync and verify-sync accept it: as it is, without any run of the kernel (so that
    every flag is one that the proof asked for), and with too few events;
  - `belay run --check --schedules 5` agrees for one kernel of EVERY: nothing is found, and
    the outputs are the same in every order of the pipes.

Exit status 1 if one of them fails.
"""
import argparse
import collections
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BELAY = pathlib.Path(os.environ.get("BELAY") or ROOT / "build" / "dev" / "bin" / "belay")
SOCS = ("Ascend910B3", "Ascend310P3", "Ascend950PR_9599")
OPTIONS = ("", "runs=0", "events=1", "runs=3 events=2")
HEADER = '#include "belay/kernel.h"\nusing namespace belay;\n'
TO_PLAN = ("ascend-lower-tiles", "ascend-schedule", "ascend-plan-memory")
# So many kernels are compiled together.
BATCH = 20
EXTENT = 3


class Generator:
    """One kernel: `x` is read, `y` and `z` are read and written, row by row of this core."""

    def __init__(self, index, seed):
        self.random = random.Random(f"{seed}/{index}")
        self.name = f"k{index}"
        self.lines, self.loops, self.tiles, self.count = [], [], [[]], 0
        self.loads = 0

    def fresh(self, prefix):
        self.count += 1
        return f"{prefix}{self.count}"

    def emit(self, text):
        self.lines.append("  " * (len(self.tiles) + 1) + text)

    def place(self):
        """Two indices below EXTENT: variables of loops, or numbers."""
        return "".join(f"[{self.random.choice(self.loops + [str(self.random.randrange(EXTENT))])}]"
                       for _ in range(2))

    def part(self):
        return self.random.choice(["span<32>(0, 32)", "span<32>(32, 32)", "span<32>(16, 32)"])

    def any_tile(self):
        return self.random.choice([tile for scope in self.tiles for tile in scope])

    def load(self):
        name = self.fresh("t")
        source = self.random.choice(["x[r]", "x[r]", "y[r]", "z[r]"])
        self.emit(f"auto {name} = load({source}{self.place()}, {self.part()});")
        self.tiles[-1].append(name)
        self.loads += 1

    def compute(self):
        name = self.fresh("t")
        a, b = self.any_tile(), self.any_tile()
        self.emit(self.random.choice([
            f"auto {name} = {a} * 0.5f + {b};", f"auto {name} = max({a}, {b});",
            f"auto {name} = {a} * sum({b}) * 0.01f;", f"auto {name} = copy({a});",
            f"auto {name} = {a} - maximum({b});"]))
        self.tiles[-1].append(name)

    def carry(self):
        """Changes a tile of a scope around: the loop between carries it."""
        tile = self.any_tile()
        self.emit(self.random.choice([
            f"{tile} = max({tile}, {self.any_tile()});", f"{tile} = {tile} * 0.5f;",
            f"{tile} = {tile} * 0.5f + load(x[r]{self.place()}, {self.part()}) * 0.5f;"]))

    def store(self):
        view = self.random.choice(["y[r]", "z[r]"])
        self.emit(f"store({view}{self.place()}, {self.part()}, {self.any_tile()});")

    def block(self, head, depth):
        self.emit(head + " {")
        self.tiles.append([])
        self.statements(depth + 1, self.random.randint(1, 4))
        self.tiles.pop()
        self.emit("}")

    def loop(self, depth):
        name = self.fresh("i")
        self.emit(f"for (i64 {name} = 0; {name} < n{self.random.randrange(3)}; ++{name}) {{")
        self.tiles.append([])
        self.loops.append(name)
        self.statements(depth + 1, self.random.randint(1, 4))
        self.loops.pop()
        self.tiles.pop()
        self.emit("}")

    def branch(self, depth):
        conditions = [f"n{self.random.randrange(3)} > {self.random.randrange(3)}"]
        conditions += [f"{loop} % 2 == 0" for loop in self.loops]
        self.block(f"if ({self.random.choice(conditions)})", depth)

    def statements(self, depth, count):
        for _ in range(count):
            kinds = [self.compute, self.carry, self.store, self.store]
            if self.loads < 6:
                kinds += [self.load, self.load]
            if depth < 4 and len(self.lines) < 40:
                kinds += [lambda: self.loop(depth), lambda: self.branch(depth)]
            self.random.choice(kinds)()

    def text(self):
        self.lines, self.tiles = [], [[]]
        self.load()
        self.statements(0, self.random.randint(3, 6))
        self.store()
        views = f"dyn, {EXTENT}, {EXTENT}, 64"
        body = "\n".join(self.lines)
        return (f"[[belay::kernel]] void {self.name}(In<float, {views}> x, InOut<float, {views}> y, "
                f"InOut<float, {views}> z, i64 n0, i64 n1, i64 n2) {{\n"
                "  expects(x.extent(0) == y.extent(0) && x.extent(0) == z.extent(0));\n"
                f"  expects(n0 <= {EXTENT} && n1 <= {EXTENT} && n2 <= {EXTENT});\n"
                "  for (i64 r = core_index(); r < x.extent(0); r += core_count()) {\n"
                f"{body}\n  }}\n}}\n")


def run(*command):
    return subprocess.run([str(c) for c in command], capture_output=True, text=True,
                          env={**os.environ, "NO_COLOR": "1"})


def order(source, folder, counts):
    """What is wrong with the order of the kernels in a file, or nothing."""
    tiles = folder / "tiles.mlir"
    for soc in SOCS:
        done = run(BELAY, "build", source, "--deny", "--soc", soc, "--emit", "ascend-ir",
                   "-o", tiles)
        if done.returncode:
            return done.stderr
        before = ",".join(f"{name}{{soc={soc}}},canonicalize" for name in TO_PLAN)
        for options in OPTIONS:
            passes = (f"{before},ascend-insert-sync{{soc={soc} show-cost=1 {options}}},"
                      f"ascend-expand-instructions{{soc={soc}}},"
                      f"ascend-verify-sync{{soc={soc}}}")
            done = run(BELAY.with_name("belay-opt"), tiles, "-o", "/dev/null",
                       "--mlir-print-op-on-diagnostic=false",
                       f"--pass-pipeline=builtin.module(func.func({passes}))")
            if done.returncode:
                return f"{soc} with '{options}':\n{done.stderr}"
            for rung in re.findall(r"rung (\d)", done.stderr):
                counts[f"{options or 'as it is'}: rung {rung}"] += 1
    return ""


def execute(source, name, index):
    """What is found in a run, or nothing."""
    shape = f"f32:3x{EXTENT}x{EXTENT}x64"
    rng = random.Random(index)
    for numbers in ((EXTENT, EXTENT, EXTENT), tuple(rng.randint(0, EXTENT) for _ in range(3))):
        done = run(BELAY, "run", source, "--kernel", name, "--deny", "--check", "--schedules", "5",
                   "--soc", SOCS[index % 3], "--blocks", "2", "--in", f"{shape}=normal:1",
                   "--inout", f"{shape}=normal:2", "--inout", f"{shape}=normal:3",
                   *(word for n in numbers for word in ("--scalar", f"i64={n}")))
        if done.returncode:
            return f"with {numbers}:\n{done.stdout}{done.stderr}"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int)
    parser.add_argument("seed")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--run", type=int, default=0, metavar="EVERY")
    parser.add_argument("--show", action="store_true")
    args = parser.parse_args()
    if args.show:
        print(HEADER + Generator(args.count, args.seed).text(), end="")
        return 0
    counts, failures = collections.Counter(), 0
    with tempfile.TemporaryDirectory(prefix="belay-order-") as scratch:
        folder = pathlib.Path(scratch)
        source = folder / "kernels.cpp"
        for first in range(args.first, args.first + args.count, BATCH):
            indices = range(first, min(first + BATCH, args.first + args.count))
            texts = {i: Generator(i, args.seed).text() for i in indices}
            source.write_text(HEADER + "".join(texts.values()))
            if order(source, folder, counts):
                for i, text in texts.items():
                    source.write_text(HEADER + text)
                    if wrong := order(source, folder, collections.Counter()):
                        print(f"FAIL {i} {args.seed}: {wrong[:2000]}\n{text}", flush=True)
                        failures += 1
            for i in indices:
                if args.run and i % args.run == 0:
                    source.write_text(HEADER + texts[i])
                    counts["runs"] += 1
                    if wrong := execute(source, f"k{i}", i):
                        print(f"FAIL {i} {args.seed}: {wrong[:2000]}\n{texts[i]}", flush=True)
                        failures += 1
    print(f"{args.count} kernels, {failures} failures")
    for what, number in sorted(counts.items()):
        print(f"  {what}: {number}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
