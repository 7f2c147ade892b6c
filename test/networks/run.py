#!/usr/bin/python3
"""Whole networks on the simulated device, against PyTorch.

    run.py BELAY [--program NAME] [--only TEXT] [--folder DIR] [--soc SOC] [--blocks N] [--check]
                 [--record]

Builds the kernels that networks/kernels.json names, each proven (--deny), compiles the programs of
networks/ and runs every network of references.py. A result is right if it is as near to PyTorch in
double precision as PyTorch in single precision is, up to a factor of 8 (products are summed in
another order), or within 16 roundings of the largest result. With --check each kernel runs under
the sanitizer. --record writes networks/results.json, which docs/coverage.md is made from.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import arrays
import numpy as np
import references
import torch

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
NETWORKS = ROOT / "networks"
ROUNDING = 2.0**-24


def build_kernel(belay, soc, folder, source, instance):
    entry = re.sub(r"\W+", "_", instance).strip("_")
    path = str(ROOT / "kernels" / f"{source}.cpp")
    if (folder / f"{entry}.o").exists():
        return
    for command in (["build", path, "--kernel", instance, "--soc", soc, "--deny", "-o", folder],
                    ["object", path, "--kernel", instance, "--soc", soc, "-o", folder / f"{entry}.o"]):  # fmt: skip
        done = subprocess.run([belay, *command], capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{instance}: {done.stderr}")


def build_program(folder, program):
    sources = [NETWORKS / f"{program}.cpp", NETWORKS / "network.cpp"]
    if "images" in references.KERNELS[program]:
        sources.append(NETWORKS / "layers/images.cpp")
    command = ["clang++-22", "-std=c++20", "-O1", "-Wall", "-Wextra", "-Werror", f"-I{ROOT / 'include'}",
               f"-I{folder}", *sources, "-ldl", "-pthread", "-o", folder / program]  # fmt: skip
    subprocess.run(command, check=True)


def reference(function, seed):
    """The arrays, and what PyTorch computes of them in both precisions."""
    weights = references.Weights(seed)
    with torch.no_grad():
        exact = function(weights).numpy()
        weights.dtype = torch.float32
        return weights.arrays, exact, function(weights).numpy()


def judge(exact, single, result):
    """(right, the error, that of PyTorch in single precision)."""
    error, theirs = (np.abs(each.astype(np.float64) - exact).max() for each in (result, single))
    allowed = max(8 * theirs, 16 * ROUNDING * np.abs(exact).max())
    return bool(np.isfinite(result).all() and error <= allowed), float(error), float(theirs)


def run(program, function, folder, options):
    name = function.__name__
    given, exact, single = reference(function, 1)
    arrays.write(folder / f"{name}.in", given)
    environment = {**os.environ, "BELAY_SOC": options.soc, "PATH": f"{options.belay.parent}:{os.environ['PATH']}"}
    if options.check:
        environment["BELAY_CHECK"] = "1"
    done = subprocess.run([folder / program, name, folder, folder / f"{name}.in", folder / f"{name}.out",
                           str(options.blocks)], capture_output=True, text=True, env=environment)  # fmt: skip
    if done.returncode:
        return {"name": name, "right": False, "why": done.stderr[-2000:]}
    result = arrays.read(folder / f"{name}.out")["result0"]
    if result.shape != exact.shape:
        return {"name": name, "right": False, "why": f"shape {result.shape} instead of {exact.shape}"}
    right, error, theirs = judge(exact, single, result)
    said = re.search(r"(\d+) launches, (\d+) bytes", done.stdout)
    return {"name": name, "right": right, "error": error, "single": theirs, "launches": int(said[1]),
            "bytes": int(said[2])}  # fmt: skip


def record(soc, commit, results):
    """Replaces what is known of these networks."""
    path = NETWORKS / "results.json"
    known = json.loads(path.read_text())["networks"] if path.exists() else []
    merged = {each["name"]: each for each in known + [{**each, "commit": commit} for each in results]}
    order = [function.__name__ for program in references.PROGRAMS.values() for function in program]
    path.write_text(json.dumps({"soc": soc, "networks": [merged[name] for name in order if name in merged]},
                               indent=1) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("belay", type=pathlib.Path)
    parser.add_argument("--program", choices=references.PROGRAMS, help="all unless told")
    parser.add_argument("--only", default="", help="networks whose name has this text")
    parser.add_argument("--folder", type=pathlib.Path, help="keeps what is built")
    parser.add_argument("--blocks", type=int, default=2)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--soc", default="Ascend910B3")
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    options.belay = options.belay.resolve()
    torch.set_num_threads(1)
    results = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = (options.folder or pathlib.Path(temporary)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        programs = [options.program] if options.program else list(references.PROGRAMS)
        table = json.loads((NETWORKS / "kernels.json").read_text())
        kernels = {tuple(row) for name in programs for group in references.KERNELS[name] for row in table[group]}
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(lambda row: build_kernel(options.belay, options.soc, folder, *row), sorted(kernels)))
        for program in programs:
            build_program(folder, program)
            for function in references.PROGRAMS[program]:
                if options.only in function.__name__:
                    results.append(run(program, function, folder, options))
                    print(json.dumps(results[-1]), flush=True)
    wrong = [each["name"] for each in results if not each["right"]]
    print(f"{len(results)} networks, {len(wrong)} wrong {' '.join(wrong)}")
    if options.record:
        commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True)
        record(options.soc, commit.stdout.strip(), [each for each in results if each["right"]])
    return 1 if wrong or not results else 0


if __name__ == "__main__":
    sys.exit(main())
