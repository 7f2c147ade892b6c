"""Asks what a kernel computes, twice: `belay build` and `belay run --check`, and the
host twin made by clang++. Many kernels go through each tool at once; only where
something fails is it asked again for one kernel alone.
"""
import concurrent.futures
import ctypes
import dataclasses
import os
import pathlib
import re
import subprocess
import sys

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "test" / "model"))
from harness import (  # noqa: E402
    SOC_OF_ARCH, Batch, BF16, In, InOut, Out, Scalar, belay, from_bf16, to_bf16)

from .bounds import FLOATS  # noqa: E402
from .program import View  # noqa: E402

NUMPY = {"float": np.float32, "half": np.float16, "bfloat16": np.uint16,
         "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64}
KIND = {"float": "f32", "half": "f16", "bfloat16": "bf16",
        "i8": "i8", "i16": "i16", "i32": "i32", "i64": "i64"}
HEADER = '#include "belay/kernel.h"\nusing namespace belay;\n\n'
# What `belay build` says of an operation that it has no instructions for.
NOT_YET = re.compile(r"\b(yet|so far)\b|does not have|has no (instruction|conversion)")
BUILD_TIME_LIMIT = 20  # seconds, and one more for each kernel


@dataclasses.dataclass
class Verdict:
    """kind: ok, unsupported, unproven, refused, crash, twin, finding, mismatch"""

    kind: str
    text: str = ""

    @property
    def failed(self):
        return self.kind not in ("ok", "unsupported")


# --- the compiler ------------------------------------------------------------


class Compiler:
    """`belay build`, on files of many kernels."""

    def __init__(self, folder, deny=True):
        self.folder, self.deny = folder, deny

    def source(self, kernels, name):
        path = self.folder / f"{name}.cpp"
        path.write_text(HEADER + "\n".join(k.text() for k in kernels))
        return path

    def run(self, kernels, name, deny):
        source = self.source(kernels, name)
        target = self.folder / f"{name}.{kernels[0].arch}.asc.cpp"
        command = [belay(), "build", source, "--emit", "ascendc", "-o", target,
                   "--soc", SOC_OF_ARCH[kernels[0].arch]]
        for kernel in kernels:
            command += ["--kernel", kernel.instance or kernel.name]
        command += ["--deny"] if deny else []
        limit = BUILD_TIME_LIMIT + len(kernels)
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace",
                                  timeout=limit, check=False,
                                  env={**os.environ, "NO_COLOR": "1"})
        except subprocess.TimeoutExpired:
            done = subprocess.CompletedProcess(command, -1, "", f"no end after {limit} s")
        return target, done

    def build(self, kernels, name):
        """Yields (kernels, file) of what became AscendC, (kernel, Verdict) of the rest."""
        target, done = self.run(kernels, name, self.deny)
        if done.returncode == 0:
            yield kernels, target
        elif len(kernels) > 1:
            half = len(kernels) // 2
            yield from self.build(kernels[:half], name + "l")
            yield from self.build(kernels[half:], name + "r")
        else:
            yield kernels[0], self.judge(kernels[0], name, done)

    def judge(self, kernel, name, done):
        text = done.stderr
        errors = [line for line in text.splitlines() if " error: " in line]
        if errors and all(NOT_YET.search(line) for line in errors):
            return Verdict("unsupported", "\n".join(errors))
        if "error:" not in text or "compiler failed" in text or done.returncode not in (0, 3):
            return Verdict("crash", text or f"exit status {done.returncode}")
        if self.deny and self.run([kernel], name, deny=False)[1].returncode == 0:
            return Verdict("unproven", text)
        return Verdict("refused", text)


def core_counts(ascendc, symbol, blocks):
    """What core_count() may be: on the 310P `belay build` leaves the work to the first
    core, always or where the extents make it, and says so in a remark."""
    body = re.search(rf"__global__ __aicore__ void {symbol}\(.*?^}}", ascendc, re.DOTALL | re.MULTILINE)[0]
    if "const bool alone = " in body:
        return {blocks, 1}
    return {1} if "if (GetBlockIdx() != 0) {" in body else {blocks}


# --- the twin ----------------------------------------------------------------


class Argument(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("extents", ctypes.c_int64 * 5),
                ("number", ctypes.c_double)]


TWIN = """
extern "C" __attribute__((visibility("default"))) const char *twin_{name}(
    belay::i64 cores, const belay::twin::Argument *arguments) {{
  static thread_local std::string what;
  try {{
    belay::twin::launch_with(cores, {instance}, arguments);
    return nullptr;
  }} catch (const belay::violation &wrong) {{
    what = wrong.what();
    return what.c_str();
  }}
}}
"""


class Twins:
    """The host twins of kernels, as one library."""

    def __init__(self, kernels, folder, name):
        source, library = folder / f"{name}.twin.cpp", folder / f"{name}.so"
        text = '#include "belay/twin.h"\n#include <string>\n' + HEADER
        for kernel in kernels:
            text += kernel.text()
            text += TWIN.format(name=kernel.name, instance=kernel.instance or kernel.name)
        source.write_text(text)
        compiler = os.environ.get("BELAY_TWIN_CXX", "clang++-22")
        # Nothing may be computed more precisely than the device would.
        subprocess.run([compiler, "-std=c++20", "-O0", "-ffp-contract=off", "-w", "-shared",
                        "-fPIC", "-pthread", f"-I{ROOT / 'include'}", source, "-o", library],
                       check=True)
        self.library = ctypes.CDLL(str(library))

    def run(self, kernel, case, arrays, cores):
        """What the twin writes: view name -> array; or what it found wrong."""
        arrays = {name: array.copy() for name, array in arrays.items()}
        arguments = (Argument * len(kernel.params))()
        for argument, param in zip(arguments, kernel.params):
            if isinstance(param, View):
                argument.data = arrays[param.name].ctypes.data
                for i, extent in enumerate(case.extents[param.name]):
                    argument.extents[i] = extent
            else:
                argument.number = case.numbers[param.name]
        function = getattr(self.library, f"twin_{kernel.name}")
        function.restype = ctypes.c_char_p
        wrong = function(ctypes.c_int64(cores), arguments)
        return wrong.decode() if wrong else arrays


# --- data --------------------------------------------------------------------


def data_of(view, shape, random):
    """Values within the view's bounds."""
    if view.indices is not None:
        return random.integers(-2, view.indices + 2, shape).astype(NUMPY[view.dtype])
    bounds = view.bounds
    if bounds.grid is not None:
        most = int(bounds.mag * 2**bounds.grid)
        values = random.integers(-most, most + 1, shape) / 2.0**bounds.grid
    else:
        values = random.uniform(-bounds.mag, bounds.mag, shape)
    if view.dtype == "bfloat16":
        return np.asarray(to_bf16(values)).view(np.ndarray)
    return values.astype(NUMPY[view.dtype])


def arrays_of(kernel, case):
    random = np.random.default_rng(case.seed)
    arrays = {}
    for view in kernel.views():
        shape = case.extents[view.name]
        if view.role in ("In", "InOut") or view.partly:
            arrays[view.name] = data_of(view, shape, random)
        else:
            arrays[view.name] = np.zeros(shape, NUMPY[view.dtype])
    return arrays


def simulator_arguments(kernel, case, arrays):
    args = []
    for view in kernel.views():
        array = arrays[view.name]
        array = array.view(BF16) if view.dtype == "bfloat16" else array
        if view.role == "In":
            args.append(In(array))
        elif view.role == "InOut" or view.partly:
            args.append(InOut(array))
        else:
            args.append(Out(KIND[view.dtype], array.shape))
    for view in kernel.views():
        open_dims = view.dims if view.role != "PerCore" else (None,)
        args += [Scalar("i64", extent) for dim, extent in zip(open_dims, case.extents[view.name])
                 if dim is None]
    args += [Scalar(KIND[n.dtype], case.numbers[n.name]) for n in kernel.numbers()]
    return args


# --- comparing ---------------------------------------------------------------


def as_numbers(array, dtype):
    if dtype == "bfloat16":
        return from_bf16(array).astype(np.float64)
    return array.astype(np.float64) if dtype in FLOATS else array.astype(np.int64)


def difference(view, got, want, tolerance):
    """None, or the first element that differs by more than it may."""
    got, want = as_numbers(np.asarray(got), view.dtype), as_numbers(want, view.dtype)
    got = got.reshape(want.shape)
    with np.errstate(invalid="ignore"):
        same = (got == want) | (np.isnan(got) & np.isnan(want)) | (abs(got - want) <= tolerance)
    if same.all():
        return None
    at = tuple(int(i) for i in np.argwhere(~same)[0])
    return (f"{view.name}{list(at)} is {got[at]!r} in the simulator and {want[at]!r} in the "
            f"twin; {int((~same).sum())} of {same.size} differ by more than {tolerance:.3g}")


# --- all together ------------------------------------------------------------


class Oracle:
    """Judges kernels: kernel -> Verdict."""

    def __init__(self, folder, deny=True, jobs=2):
        self.folder, self.jobs = pathlib.Path(folder), jobs
        self.compiler = Compiler(self.folder, deny)
        self.batches = 0

    def compile_alone(self, kernels):
        """kernel -> Verdict of the compiler, without proofs; nothing runs."""
        def one(kernel):
            _, done = self.compiler.run([kernel], f"a{kernel.index}", deny=False)
            if done.returncode == 0:
                return Verdict("ok")
            return self.compiler.judge(kernel, f"a{kernel.index}", done)

        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            return dict(zip((k.index for k in kernels), pool.map(one, kernels)))

    def judge(self, kernels, batch_size=16):
        batches = []
        for arch in sorted({k.arch for k in kernels}):
            same = [k for k in kernels if k.arch == arch]
            batches += [same[i:i + batch_size] for i in range(0, len(same), batch_size)]
        names = [f"b{self.batches + n}" for n in range(len(batches))]
        self.batches += len(batches)
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            verdicts = {}
            for part in pool.map(self.judge_batch, batches, names):
                verdicts.update(part)
        return verdicts

    def judge_batch(self, kernels, name):
        verdicts, built = {}, []
        for what, result in self.compiler.build(kernels, name):
            if isinstance(result, Verdict):
                verdicts[what.index] = result
            else:
                built.append((what, result))
        remaining = [k for group, _ in built for k in group]
        if not remaining:
            return verdicts
        twins = Twins(remaining, self.folder, name)
        batch, launches = Batch(), []
        for group, file in built:
            for kernel in group:
                launches += self.launch(kernel, file, twins, batch, verdicts)
        batch.run()
        broken = {x.members["source"] for _, _, x, _ in launches
                  if x.failure and x.failure.ident == "compile-error"}
        for group, file in built:
            if str(file) in broken and len(group) > 1:  # one of them is to blame
                half = len(group) // 2
                verdicts.update(self.judge_batch(group[:half], name + "x"))
                verdicts.update(self.judge_batch(group[half:], name + "y"))
        for kernel, case, launch, want in launches:
            if kernel.index not in verdicts:
                wrong = [self.compare(kernel, case, launch, w) for w in want]
                if all(wrong):
                    verdicts[kernel.index] = wrong[0]
        for kernel in remaining:
            verdicts.setdefault(kernel.index, Verdict("ok"))
        return verdicts

    def launch(self, kernel, file, twins, batch, verdicts):
        for case in kernel.cases:
            arrays = arrays_of(kernel, case)
            want = [twins.run(kernel, case, arrays, cores)
                    for cores in core_counts(file.read_text(), kernel.symbol, case.blocks)]
            for wrong in filter(lambda w: isinstance(w, str), want):
                verdicts[kernel.index] = Verdict("twin", f"{case}\n{wrong}")
                return
            launch = batch.add(str(file), kernel=kernel.symbol, blocks=case.blocks,
                               args=simulator_arguments(kernel, case, arrays),
                               soc=kernel.arch, sanitize=True, auto_sync=False, optimise=False,
                               # An element of a core that has nothing to do.
                               allow_unwritten=[f"{v.name}Address" for v in kernel.views()
                                                if v.role == "PerCore"] or None)
            yield kernel, case, launch, want

    def compare(self, kernel, case, launch, want):
        if launch.failure:
            return Verdict("finding", f"{case}\n{launch.failure.text}")
        tolerances = kernel.tolerances()
        written = [v for v in kernel.views() if v.role != "In"]
        for view, got in zip(written, launch.outputs):
            if view.role == "PerCore":
                continue
            wrong = difference(view, got, want[view.name], tolerances.get(view.name, 0.0))
            if wrong:
                return Verdict("mismatch", f"{case}\n{wrong}")
        return None
