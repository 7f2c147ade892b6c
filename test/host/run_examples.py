#!/usr/bin/env python3
"""Runs the programs of examples/host on the simulated device and compares what
they compute with PyTorch.

  run_examples.py BELAY BIN_FOLDER SOURCE_FOLDER
"""
import os
import subprocess
import sys
import tempfile

import numpy as np
import torch

belay, programs, root = sys.argv[1:4]
folder = tempfile.mkdtemp(prefix="belay-host-")
failures = []


def path(name):
    return os.path.join(folder, name)


def run(*command, **variables):
    result = subprocess.run(
        command,
        env={**os.environ, "BELAY_DEVICE": "simulated", **variables},
        capture_output=True,
        text=True,
        timeout=300,
    )
    if result.returncode != 0 or result.stderr:
        failures.append(f"{command}: status {result.returncode}\n{result.stderr}")
    return result.stdout


def compile_kernel(source, name):
    run(belay, "object", os.path.join(root, "examples", source), "-o", path(name))


def check(what, actual, expected):
    """The tolerance of float32 kernels in test/examples."""
    if actual.shape != expected.shape or not torch.allclose(
        actual, expected, rtol=1e-5, atol=1e-6
    ):
        failures.append(f"{what}: differs from PyTorch")


def numbers(name, *shape):
    values = torch.randn(*shape)
    values.numpy().tofile(path(name))
    return values


def read(name):
    return torch.from_numpy(np.fromfile(path(name), dtype=np.float32))


torch.manual_seed(0)
compile_kernel("host/hello/kernel.cpp", "hello.o")
compile_kernel("ascendc/add_tail/add_tail.cpp", "add.o")
compile_kernel("ascendc/softmax/softmax.cpp", "softmax.o")

for check_kernels in "0", "1":
    out = run(
        os.path.join(programs, "host-hello"),
        path("hello.o"),
        BELAY_DEVICES="4",
        BELAY_CHECK=check_kernels,
    )
    lines = out.splitlines()
    if lines[:1] != ["4 x Ascend910B3, simulated"] or sorted(lines[1:]) != [
        "hello from block 0: 42",
        "hello from block 1: 42",
    ]:
        failures.append(f"hello: {out!r}")

    for size in 1, 7, 8, 100, 4096, 100003:
        x, y = numbers("x.bin", size), numbers("y.bin", size)
        run(
            os.path.join(programs, "host-vec_add"),
            path("add.o"),
            *map(path, ("x.bin", "y.bin", "z.bin")),
            BELAY_CHECK=check_kernels,
        )
        check(f"vec_add of {size}", read("z.bin"), x + y)

    for rows, columns in (1, 1), (17, 333), (64, 1024):
        x = numbers("x.bin", rows, columns) * 1.0
        run(
            os.path.join(programs, "host-softmax"),
            path("softmax.o"),
            str(rows),
            path("x.bin"),
            path("y.bin"),
            BELAY_CHECK=check_kernels,
        )
        check(
            f"softmax of {rows} x {columns}",
            read("y.bin"),
            torch.softmax(x.double(), dim=1).float().flatten(),
        )

    x, bias = numbers("x.bin", 12, 9, 50), numbers("bias.bin", 9, 50)
    run(
        os.path.join(programs, "host-pipeline"),
        path("add.o"),
        path("softmax.o"),
        "12",
        "9",
        *map(path, ("x.bin", "bias.bin", "y.bin")),
        BELAY_CHECK=check_kernels,
    )
    check(
        "pipeline",
        read("y.bin"),
        torch.softmax((x + bias).double(), dim=2).float().flatten(),
    )

for heads, rows, width in (1, 1, 1), (4, 33, 16), (8, 64, 64):
    q, k, v = (numbers(f"{name}.bin", heads, rows, width) for name in "qkv")
    weights = numbers("weights.bin", heads * width, heads * width)
    run(
        os.path.join(programs, "host-attention"),
        *map(str, (heads, rows, width)),
        *map(path, ("q.bin", "k.bin", "v.bin", "weights.bin", "y.bin")),
    )
    shares = torch.softmax(q.double() @ k.double().mT / width**0.5, dim=-1)
    joined = (shares @ v.double()).transpose(0, 1).reshape(rows, heads * width)
    check(
        f"attention of {heads} x {rows} x {width}",
        read("y.bin"),
        (joined @ weights.double()).float().flatten(),
    )

for failure in failures:
    print(failure)
sys.exit(bool(failures))
