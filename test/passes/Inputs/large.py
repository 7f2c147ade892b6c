"""Orders large kernels and holds the cost against a limit.

  large.py rows FEW MANY ...     x - row_max(x), so many times: three instructions each
  large.py loads FEW MANY ...    so many tiles loaded and multiplied: two each
  large.py rows N --show         prints the kernel
"""
import argparse
import math
import re
import subprocess
import time

HEAD = """#gm = #ascend.space<gm>
#tile = #ascend.capacity<{capacity}>
#column = #ascend.capacity<8x1>
#in = #ascend.role<in>
#out = #ascend.role<out>
func.func @large(%x: memref<?x{cols}xf32, #gm> {{ascend.role = #in}},
                 %y: memref<?x{cols}xf32, #gm> {{ascend.role = #out}}) attributes {{ascend.kernel}} {{
  %c0 = arith.constant 0 : index
  %c8 = arith.constant {rows} : index
  %rows = memref.dim %y, %c0 : memref<?x{cols}xf32, #gm>
  scf.for %at = %c0 to %rows step %c8 {{
    %left = arith.subi %rows, %at : index
    %n = arith.minsi %left, %c8 : index
"""
TAIL = """    ascend.store {last}, %y[%at, 0] [%n, {cols}] : tensor<?x{cols}xf32, #tile> -> memref<?x{cols}xf32, #gm>
  }}
  return
}}
"""


def kernel(kind, count):
    rows, cols = (8, 64) if kind == "rows" else (1, 64)
    sizes = {"capacity": f"{rows}x{cols}", "rows": rows, "cols": cols}
    tensor = f"tensor<?x{cols}xf32, #tile>"
    load = f"%at, 0] [%n, {cols}] : memref<?x{cols}xf32, #gm> -> {tensor}"
    lines = [f"    %t0 = ascend.load %x[{load}"]
    for i in range(count):
        if kind == "rows":
            lines += [f"    %m{i} = ascend.reduce <max> along <row> %t{i} : {tensor}",
                      f"    %b{i} = ascend.broadcast %m{i} [] : tensor<?x1xf32, #column> -> {tensor}",
                      f"    %t{i + 1} = arith.subf %t{i}, %b{i} : {tensor}"]
        else:
            lines += [f"    %l{i} = ascend.load %x[{load}",
                      f"    %t{i + 1} = arith.mulf %t{i}, %l{i} : {tensor}"]
    return HEAD.format(**sizes) + "\n".join(lines) + "\n" + TAIL.format(last=f"%t{count}", **sizes)


def run(text, *passes):
    before = time.monotonic()
    done = subprocess.run(["belay-opt", "-", "--mlir-print-op-on-diagnostic=false", *passes],
                          input=text, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done, time.monotonic() - before


def cost(kind, count):
    """Steps and seconds of placing and of proving."""
    planned, _ = run(kernel(kind, count), "--pass-pipeline=builtin.module(func.func(ascend-lower-tiles,"
                     "canonicalize,cse,ascend-schedule,ascend-plan-memory))")
    placed, placing = run(planned.stdout, "--ascend-insert-sync=show-cost")
    proven, proving = run(placed.stdout, "--ascend-verify-sync=show-cost")
    steps = [int(re.search(r"(\d+) steps", done.stderr)[1]) for done in (placed, proven)]
    return steps, (placing, proving)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=("rows", "loads"))
    parser.add_argument("counts", type=int, nargs="+")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--power", type=float, help="steps grow with this power of the count at most")
    parser.add_argument("--steps", type=int, nargs=2, help="of placing and of proving, at most")
    parser.add_argument("--seconds", type=float, help="for each pass, with the most")
    args = parser.parse_args()
    if args.show:
        print(kernel(args.kind, args.counts[0]), end="")
        return
    (few, _), (many, seconds) = (cost(args.kind, count) for count in args.counts)
    grown = math.log(args.counts[1] / args.counts[0])
    for name, less, more, took, most in zip(("placing", "proving"), few, many, seconds, args.steps):
        power = math.log(more / less) / grown
        print(f"{name}: {more} steps, power {power:.2f}, {took:.2f} s")
        assert power <= args.power and more <= most, f"{name} takes too many steps"
        assert took <= args.seconds, f"{name} takes too long"
    print("good")


if __name__ == "__main__":
    main()
