"""Runs a task's own PyTorch code on the CPU: its inputs, its reference, its tolerance.

The code imports the plugin of the device and helpers of the benchmark; stand-ins take
their places. It is code of the checkout and runs with the rights of this process.
"""
import csv
import importlib.util
import random
import sys
import types

import numpy as np
import torch
from torch.overrides import TorchFunctionMode

from . import dilogarithm

# What the benchmark allows where a task says nothing else.
MAX_ABS_ERROR = MAX_REL_ERROR = 1e-3
NARROW = (torch.float16, torch.bfloat16)


def compare(outputs, new, max_abs_error=MAX_ABS_ERROR, max_rel_error=MAX_REL_ERROR):
    """The benchmark's comparison: an element is wrong if both its absolute and its
    relative error are too large, or if either side is not finite."""
    outputs = outputs if isinstance(outputs, list) else [outputs]
    new = new if isinstance(new, list) else [new]
    # Some references compute more than the operator was asked for.
    if not 0 < len(new) <= len(outputs):
        raise ValueError(f"{len(new)} results, expected {len(outputs)}")
    right, absolute, relative = True, [], []
    for a, b in zip(outputs, new):
        if b.dtype == torch.bool:
            a, b = a.int(), b.int()
        if not a.is_complex():
            a, b = widened(a), widened(b)
        if a.numel() != b.numel():
            raise ValueError(f"a result of {b.numel()} elements, expected {a.numel()}")
        error = torch.abs(a - b.reshape(a.shape))
        rate = error / (torch.abs(a) + 1e-7)
        absolute.append(error.reshape(-1))
        relative.append(rate.reshape(-1))
        finite = torch.isfinite(rate).all() and torch.isfinite(torch.abs(b)).all()
        wrong = ((error > max_abs_error) & (rate > max_rel_error)).any()
        right = right and bool(finite) and not bool(wrong)
    return int(right), torch.cat(absolute), torch.cat(relative)


def widened(tensor):
    return tensor.float() if tensor.dtype in NARROW else tensor


class InFloat(TorchFunctionMode):
    """PyTorch on the CPU lacks some functions for half, and random integers: computes
    them in float and rounds the result."""

    def __torch_function__(self, function, types_, args=(), kwargs=None):
        kwargs = kwargs or {}
        try:
            return function(*args, **kwargs)
        except RuntimeError as error:
            if "not implemented for" not in str(error) and "Half" not in str(error):
                raise
        if kwargs.get("dtype") is not None:  # torch.randn and its like
            values = function(*args, **{**kwargs, "dtype": torch.float32})
            wanted = kwargs["dtype"]
            # Devices draw integers, too; rounded as they are, most would be 0.
            return (values if wanted.is_floating_point else 10 * values).to(wanted)
        if function.__name__.endswith("_") and not function.__name__.endswith("__"):
            wide = args[0].float()
            function(wide, *args[1:], **kwargs)
            return args[0].copy_(wide)
        narrow = []

        def widen(x):
            if isinstance(x, torch.Tensor) and x.dtype in NARROW:
                narrow.append(x.dtype)
                return x.float()
            return x

        def round_back(x):
            wide = isinstance(x, torch.Tensor) and x.dtype == torch.float32
            return x.to(narrow[0]) if wide and narrow else x

        result = function(*each(widen, args), **{k: each(widen, v) for k, v in kwargs.items()})
        return each(round_back, result)


def each(function, x):
    """Applies a function to all that lists and tuples hold."""
    if hasattr(x, "_fields") or type(x).__module__ == "torch.return_types":
        return type(x)([each(function, y) for y in x])
    if isinstance(x, (list, tuple)) and not isinstance(x, torch.Size):
        return type(x)(each(function, y) for y in x)
    return function(x)


def copied(x):
    return each(lambda y: y.clone() if isinstance(y, torch.Tensor) else y, x)


class Operators(types.ModuleType):
    """What the tasks import as kernel_gen_ops: every name in it is the operator."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self.call


def install_stand_ins():
    torch_npu, framework = types.ModuleType("torch_npu"), types.ModuleType("framework")
    torch_npu.contrib = types.ModuleType("torch_npu.contrib")
    torch_npu.contrib.transfer_to_npu = types.ModuleType("torch_npu.contrib.transfer_to_npu")
    framework.utils = types.ModuleType("framework.utils")
    framework.utils.check_precision = compare
    operators = Operators("kernel_gen_ops")
    for module in (torch_npu, torch_npu.contrib, torch_npu.contrib.transfer_to_npu,
                   framework, framework.utils, operators):
        sys.modules[module.__name__] = module
    if importlib.util.find_spec("scipy") is None:
        scipy = types.ModuleType("scipy")
        scipy.special = types.ModuleType("scipy.special")
        scipy.special.spence = dilogarithm.spence
        sys.modules.update({"scipy": scipy, "scipy.special": scipy.special})
    return operators


def load(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def read_cases(path):
    """The rows of test_cases.csv; a column of numbers, or of truths, becomes that."""
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file, delimiter=";"))
    for column in rows[0] if rows else ():
        texts = [row[column] for row in rows]
        for row, value in zip(rows, column_values(texts)):
            row[column] = value
    return rows


def column_values(texts):
    # As pandas reads them, which the benchmark does.
    if all(t in ("True", "TRUE", "true", "False", "FALSE", "false") for t in texts):
        return [t.lower() == "true" for t in texts]
    try:
        numbers = [float(t) for t in texts]
    except (TypeError, ValueError):
        return texts
    whole = all(n == int(n) for n in numbers)
    return [int(n) for n in numbers] if whole else numbers


class Reference:
    """The module of a task, with its inputs and its comparison."""

    def __init__(self, task, operators):
        self.module = load(f"module_{task.name}", task.validation / "module.py")
        self.module.kernel_gen_ops = operators
        self.inputs = self.module
        if not hasattr(self.module, "get_init_inputs"):
            self.inputs = load(f"inputs_{task.name}", task.validation / "prepare_inputs.py")
        self.operators = operators

    def run(self, row, call):
        """Compares the reference with the model that calls the operator; returns
        whether they agree, and the largest absolute error."""
        seed = 100 + int(row["case_id"])
        torch.manual_seed(seed)
        np.random.seed(seed)
        random.seed(seed)
        self.operators.call = call
        with InFloat():
            init = self.inputs.get_init_inputs(row, device="cpu")
            arguments = self.inputs.get_inputs(row, device="cpu")
            expected = self.module.Model(*init)(*copied(arguments))
            got = self.module.ModelNew(*init)(*copied(arguments))
            check = getattr(self.inputs, "custom_check_precision", None)
            verdict = check(row, expected, got) if check else compare(expected, got)
        right, error, _ = verdict
        return bool(right), float(error.float().max()) if error.numel() else 0.0
