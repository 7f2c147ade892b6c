#!/usr/bin/env python3
"""Runs examples/host/all_reduce with all ranks in one process, and with a process
for each, and compares with training in PyTorch in one piece.

  train.py BELAY PROGRAM KERNELS
"""
import os
import subprocess
import sys
import tempfile

import numpy as np
import torch

belay, program, kernels = sys.argv[1:4]
folder = tempfile.mkdtemp(prefix="belay-train-")
failures = []
STEPS, RATE = 20, 0.1


def path(name):
    return os.path.join(folder, name)


def start(*command, **variables):
    environment = {**os.environ, "BELAY_DEVICE": "simulated", **variables}
    return subprocess.Popen(
        command, env=environment, stderr=subprocess.PIPE, text=True
    )


def finish(process, what):
    _, errors = process.communicate(timeout=200)
    if process.returncode or errors:
        failures.append(f"{what}: status {process.returncode}\n{errors}")


def expected(x, t, w):
    layer = torch.nn.Linear(x.shape[1], 1, bias=False).double()
    layer.weight.data = w.double().reshape(1, -1).clone()
    optimizer = torch.optim.SGD(layer.parameters(), lr=RATE)
    losses = []
    for _ in range(STEPS):
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(layer(x.double()).flatten(), t.double())
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0] / 4, "the example does not learn"
    return layer.weight.detach().float().flatten()


def check(what, name, reference):
    if not os.path.exists(path(name)):
        return failures.append(f"{what}: no {name}")
    result = torch.from_numpy(np.fromfile(path(name), np.float32))
    if not torch.allclose(result, reference, rtol=1e-5, atol=1e-6):
        failures.append(f"{what}: differs from PyTorch")
    return result


def write(x, t, w):
    for name, values in ("x.bin", x), ("t.bin", t), ("w.bin", w):
        values.numpy().tofile(path(name))


def train(rows, columns, ranks, **variables):
    x = torch.randn(rows, columns)
    t = x @ torch.randn(columns) + 0.01 * torch.randn(rows)
    w = torch.randn(columns)
    reference = expected(x, t, w)
    what = f"{rows} x {columns}, {ranks} ranks, {variables}"
    files = [path(name) for name in ("x.bin", "t.bin", "w.bin")]
    command = [program, path("kernels.o"), str(ranks), str(STEPS), *files]
    variables["BELAY_DEVICES"] = str(ranks)

    write(x, t, w)
    finish(start(*command, **variables), what)
    here = check(f"{what}, one process", "w.bin", reference)

    write(x, t, w)
    root = path(f"root-{rows}-{ranks}-{len(variables)}")
    processes = [
        start(*command, str(rank), root, **variables) for rank in range(ranks)
    ]
    for rank, process in enumerate(processes):
        finish(process, f"{what}, process {rank}")
    for rank in range(ranks):
        there = check(f"{what}, process {rank}", f"w.bin.{rank}", reference)
        # The order of the reduction is that of ranks, wherever they are.
        if here is not None and there is not None and not torch.equal(here, there):
            failures.append(f"{what}: process {rank} differs from one process")


torch.manual_seed(0)
finish(start(belay, "object", kernels, "-o", path("kernels.o")), "belay object")
train(96, 16, 4)
train(101, 30, 4, BELAY_CHECK="1")
train(64, 8, 1)
train(50, 100, 2)
for failure in failures:
    print(failure)
sys.exit(bool(failures))
