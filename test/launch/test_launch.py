"""What `belay build -o DIR` writes beside the AscendC: the typed launcher and the
description.

The launchers are compiled by two compilers as C++17 and C++20, without a warning,
and tested by Inputs/launchers.cpp. Descriptions fit their schema, and what they
say of `expects`, evaluated here, agrees with what the launchers decide.
"""
import itertools
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

import numpy as np
import schema

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
KERNELS = ("planes", "unnamed", "launch<8>", "check", "floats", "scale<half, 256>",
           "total", "whole_numbers", "divides")  # fmt: skip
COMPILERS = ("g++-12", "clang++-22")
STANDARDS = ("c++17", "c++20")


def build(belay, folder):
    shutil.copy(HERE / "Inputs" / "kernels.cpp", folder)
    command = [belay, "build", "kernels.cpp", "-o", "out"]
    for kernel in KERNELS:
        command += ["--kernel", kernel]
    subprocess.run(command, check=True, cwd=folder, capture_output=True)
    return folder / "out"


def compile_launchers(out, compiler, standard):
    program = out / f"launchers-{compiler}-{standard}"
    command = [compiler, f"-std={standard}", "-Wall", "-Wextra", "-Werror", "-pedantic"]
    command += [f"-I{ROOT / 'include'}", f"-I{out}", HERE / "Inputs" / "launchers.cpp", "-o", program]
    subprocess.run(command, check=True)
    return program


# --- What a program in another language would do with a description


def as_float(bits, dtype):
    if dtype == "f16":
        return np.uint16(bits).view(np.float16).astype(np.float32)
    return np.uint32(bits << 16).view(np.float32)


def divide(a, b):
    """Towards zero, as C++ does; None where there is no value."""
    if b == 0:
        return None
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


OPERATIONS = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "min": lambda a, b: np.fmin(a, b) if isinstance(a, np.float32) else min(a, b),
    "max": lambda a, b: np.fmax(a, b) if isinstance(a, np.float32) else max(a, b),
    "neg": lambda a: -a,
    "float": np.float32,
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}


def evaluate(node, scalars, blocks):
    for kind, read in (("integer", int), ("float", np.float32), ("bool", bool)):
        if kind in node:
            return read(node[kind])
    if "scalar" in node:
        return scalars[node["scalar"]]
    if "blocks" in node:
        return blocks
    args = [evaluate(arg, scalars, blocks) for arg in node["args"]]
    if node["op"] == "or":
        return any(args) or (None if None in args else False)
    if node["op"] == "and":
        return False if False in args else None if None in args else True
    if None in args:
        return None
    if node["op"] == "select":
        return args[1] if args[0] else args[2]
    if node["op"] in ("div", "rem"):
        if isinstance(args[0], np.float32):
            return args[0] / args[1]
        quotient = divide(*args)
        return quotient if node["op"] == "div" or quotient is None else args[0] - args[1] * quotient
    value = OPERATIONS[node["op"]](*args)
    fits = not isinstance(value, int) or -(2**127) <= value < 2**127
    return value if fits else None


def admits(description, scalars, blocks):
    """No value counts as no."""
    with np.errstate(all="ignore"):
        return all(bool(evaluate(e["condition"], scalars, blocks)) for e in description["expects"])


def ask(program, kernel, launches):
    lines = "".join(" ".join(map(str, launch)) + "\n" for launch in launches)
    answers = subprocess.run([program, kernel], input=lines, capture_output=True, text=True, check=True)
    return [word == "yes" for word in answers.stdout.split()]


def compare_whole_numbers(program, description):
    edges = (-1000, -8, -7, -5, -1, 0, 1, 3, 4, 5, 8, 999, 1000, 2**40, -(2**62), 2**63 - 1)
    launches = [(blocks, a, b, c) for blocks in (1, 3) for a, b in itertools.product(edges, edges) for c in (-1, 3, 5)]
    want = [admits(description, {"a": a, "b": b, "c": c}, blocks) for blocks, a, b, c in launches]
    assert ask(program, "whole_numbers", launches) == want
    assert any(want) and not all(want)
    return len(launches)


def compare_floats(program, description):
    generator = random.Random(1)
    launches, want = [], []
    for _ in range(2000):
        a = np.float32(generator.choice((0.0, 1.5, -1.5, 3e38, generator.uniform(-4, 4))))
        h, b = generator.randrange(1 << 16), generator.randrange(1 << 16)
        n, flag = generator.choice((0, 1, -3, 2**40)), generator.random() < 0.5
        launches.append((1, repr(float(a)), h, b, n, int(flag)))
        scalars = {"a": a, "h": as_float(h, "f16"), "b": as_float(b, "bf16"), "n": n, "flag": flag}
        want.append(admits(description, scalars, 1))
    assert ask(program, "floats", launches) == want
    assert any(want) and not all(want)
    return len(launches)


# --- The tests


def check_descriptions(out):
    rules = json.loads((ROOT / "docs" / "launch.schema.json").read_text())
    descriptions = {}
    for path in sorted(out.glob("*.json")):
        description = json.loads(path.read_text())
        assert not list(schema.mistakes(description, rules)), list(schema.mistakes(description, rules))
        assert description["entry"] == path.stem
        for file in description["files"].values():
            assert (out / file).exists()
        descriptions[path.stem] = description
    assert len(descriptions) == len(KERNELS)

    # The schema notices what is wrong.
    broken = json.loads((out / "planes.json").read_text())
    broken["parameters"][0]["access"] = "write"
    broken["surprise"] = 1
    assert len(list(schema.mistakes(broken, rules))) == 2

    guards = descriptions["divides"]["guards"]
    assert {"id": "division-by-zero", "text": "b != 0", "file": "kernels.cpp", "line": 39} in guards
    assert descriptions["planes"]["guards"] == []

    planes = descriptions["planes"]
    assert planes["arguments"] == ["x", "ids", "y"]
    kinds = [p["kind"] for p in planes["parameters"]]
    assert kinds == 3 * ["view"] + 5 * ["extent"]
    assert planes["parameters"][0]["extents"] == [{"open": "x.extent(0)"}, {"open": "x.extent(1)"}, 2, 8]
    assert planes["disjoint"] == [["x", "y"], ["ids", "y"]]
    assert planes["expects"][0]["text"] == "x.extent(0) * x.extent(1) == y.rows()"
    assert descriptions["total"]["limits"] == {"maxBlocks": 40, "coresMeet": True, "maxExtent": 2**40}
    scale = descriptions["scale_half_256"]
    assert scale["kernel"] == "scale<belay::half, 256>"
    assert [p.get("name", p.get("of")) for p in scale["parameters"]] == ["x", "y", "x", "y", "factor"]
    return descriptions


def check_same_twice(belay, folder, out):
    before = {path.name: path.read_bytes() for path in out.iterdir() if path.suffix in (".cpp", ".h", ".json")}
    # A link in the folder is replaced, and what it points to is left alone.
    victim = folder / "victim"
    victim.write_text("mine")
    (out / "planes.cpp").unlink()
    (out / "planes.cpp").symlink_to(victim)
    build(belay, folder)
    after = {path.name: path.read_bytes() for path in out.iterdir() if path.suffix in (".cpp", ".h", ".json")}
    assert before == after
    assert victim.read_text() == "mine"
    assert len(before) == 3 * len(KERNELS)


def check_on_device(belay, folder):
    """examples/launch on the simulated device: the block of arguments that the
    launcher makes is the one that the compiled kernel reads."""
    build = pathlib.Path(belay).parents[1]
    libraries = build / "lib" / "belay" / "device"
    source = ROOT / "examples" / "kernels" / "softmax.cpp"
    out = folder / "device"
    subprocess.run([belay, "build", source, "--kernel", "softmax<1024>", "--deny", "-o", out], check=True, capture_output=True)
    subprocess.run([belay, "object", source, "--kernel", "softmax<1024>", "-o", out / "kernel.o"], check=True)
    # What was written is the same kernel.
    subprocess.run([belay, "object", out / "softmax_1024.cpp", "-o", out / "written.o"], check=True)
    command = ["g++-12", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-g", ROOT / "examples" / "launch" / "softmax_main.cpp"]
    command += [f"-I{out}", f"-I{ROOT / 'include'}", f"-I{ROOT / 'include' / 'belay' / 'compat'}"]
    command += [f"-L{libraries}", f"-Wl,-rpath,{libraries}", "-lascendcl", "-o", out / "main"]
    subprocess.run(command, check=True)

    def run(object, rows_x, rows_y):
        environment = os.environ | {"BELAY_CHECK": "1"}
        return subprocess.run([out / "main", out / object, str(rows_x), str(rows_y)], capture_output=True, text=True, env=environment)

    for object in ("kernel.o", "written.o"):
        done = run(object, 100, 100)
        assert done.returncode == 0, done.stderr
        assert float(done.stdout.removeprefix("rows sum to 1 within ")) < 1e-5, done.stdout
    done = run("kernel.o", 100, 99)
    assert done.returncode == 1, done.stderr
    want = f"softmax<1024> expects x.rows() == y.rows() ({source}:7), but x.rows() is 100, y.rows() is 99 [expects-not-met]\n"
    assert done.stderr == want, done.stderr


def main():
    belay = sys.argv[1]
    with tempfile.TemporaryDirectory(prefix="belay-launch-") as name:
        folder = pathlib.Path(name)
        out = build(belay, folder)
        check_same_twice(belay, folder, out)
        check_on_device(belay, folder)
        descriptions = check_descriptions(out)
        for compiler, standard in itertools.product(COMPILERS, STANDARDS):
            program = compile_launchers(out, compiler, standard)
            subprocess.run([program], check=True)
        cases = compare_whole_numbers(program, descriptions["whole_numbers"])
        cases += compare_floats(program, descriptions["floats"])
    print(f"{len(descriptions)} kernels, {cases} launches decided alike by header and description")


if __name__ == "__main__":
    main()
