"""Runs kernels through `belay run` and hands their results to NumPy.

A test file looks like this, and is one ctest test:

    from harness import covers, main, run

    @covers("Add", forms=("count",), dtypes=("half",), archs=(2201,), tail=True)
    def test_add():
        z, = run("vector.cpp", kernel="add", ins=[x, y], outs=[("f16", 1000)])
        np.testing.assert_array_equal(z, x + y)

    if __name__ == "__main__":
        main()

Everything goes through the real command: arguments as .npy files, launches as a
JSON case file, results as .npy files. Source paths are relative to the test file.
"""
import inspect
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import traceback

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEFAULT_SOC = "Ascend910B3"
# One part of each architecture that the simulator runs.
SOC_OF_ARCH = {2002: "Ascend310P3", 2201: "Ascend910B3", 3510: "Ascend950PR_9599"}

# With BELAY_TEST_SCHEDULES=N every kernel runs in N random orders of its pipes as
# well, and has to give the same results: no instruction may depend on when it runs.
ORDERS = [f"--schedules={n}" for n in [os.environ.get("BELAY_TEST_SCHEDULES")] if n]

# --- element types -----------------------------------------------------------

_TYPES = {
    "float16": "f16",
    "float32": "f32",
    "float64": "f64",
    "int8": "i8",
    "uint8": "u8",
    "int16": "i16",
    "uint16": "u16",
    "int32": "i32",
    "uint32": "u32",
    "int64": "i64",
    "uint64": "u64",
    "bool": "bool",
    "complex64": "c64",
}


class BF16(np.ndarray):
    """The bits of bfloat16 values, which NumPy has no type for."""


def to_bf16(values):
    """Rounds to the nearest bfloat16, ties to even, as a BF16 array of bits."""
    single = np.ascontiguousarray(values, dtype=np.float32)
    bits = single.view(np.uint32).astype(np.uint64)
    rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
    return np.where(np.isnan(single), np.uint16(0x7FC0), rounded).view(BF16)


def from_bf16(bits):
    """float32 values of bfloat16 bits: exact."""
    plain = np.asarray(bits).view(np.ndarray).astype(np.uint32)
    return (plain << 16).view(np.float32)


def _type_of(array):
    return "bf16" if isinstance(array, BF16) else _TYPES[array.dtype.name]


def _shape_text(shape):
    shape = (shape,) if isinstance(shape, (int, np.integer)) else tuple(shape)
    return "x".join(str(int(n)) for n in shape)


# --- arguments ---------------------------------------------------------------


class In:
    """A tensor that the kernel reads: a NumPy array, BF16 for bfloat16."""

    def __init__(self, array):
        self.array = np.asanyarray(array)

    def spec(self, folder, index):
        path = folder / f"in{index}.npy"
        np.save(path, np.ascontiguousarray(self.array).view(np.ndarray))
        kind = f"{_type_of(self.array)}:{_shape_text(self.array.shape)}"
        return {"in": f"{kind}={path}"}

    def result(self):
        return None


class Out:
    """A tensor that the kernel writes, poisoned before the launch."""

    def __init__(self, kind, shape):
        self.kind, self.shape = kind, shape
        self.path = None

    def spec(self, folder, index):
        self.path = folder / f"out{index}.npy"
        return {"out": f"{self.kind}:{_shape_text(self.shape)}={self.path}"}

    def result(self):
        array = np.load(self.path)
        return array.view(BF16) if self.kind == "bf16" else array


class InOut(In):
    """A tensor that the kernel reads and writes."""

    def spec(self, folder, index):
        text = super().spec(folder, index)["in"]
        self.path = folder / f"out{index}.npy"
        return {"inout": f"{text}@{self.path}"}

    def result(self):
        array = np.load(self.path)
        return array.view(BF16) if isinstance(self.array, BF16) else array


class Absent:
    """An optional tensor that is left out."""

    def spec(self, folder, index):
        return {"in": "none"}

    def result(self):
        return None


class List:
    """Tensors of one kind, In, Out or InOut, that the kernel gets as a list."""

    def __init__(self, items):
        self.items = items

    def spec(self, folder, index):
        specs = [x.spec(folder, f"{index}-{n}") for n, x in enumerate(self.items)]
        (kind,) = {k for s in specs for k in s}
        return {kind: "[" + "; ".join(s[kind] for s in specs) + "]"}

    def result(self):
        results = [x.result() for x in self.items]
        return None if results[0] is None else results


class Scalar:
    """A number: Scalar("u32", 7)."""

    def __init__(self, kind, value):
        self.kind, self.value = kind, value

    def spec(self, folder, index):
        value = repr(float(self.value)) if "f" in self.kind else int(self.value)
        return {"scalar": f"{self.kind}={value}"}

    def result(self):
        return None


# --- launches ----------------------------------------------------------------


class Failure(AssertionError):
    """A run that did not end well. `ident` is the id of the first diagnostic,
    `places` are the file:line of it and its notes, `text` is all that was said."""

    def __init__(self, problems, printed=""):
        self.ident = problems[0]["id"]
        self.places = [_place(x) for p in problems for x in [p, *p["notes"]]]
        self.text = "\n".join(
            f"{_place(x)}: {x['message']}" + (f" [{x['id']}]" if "id" in x else "")
            for p in problems
            for x in [p, *p["notes"]]
        )
        helps = [p["help"] for p in problems if "help" in p]
        self.text += "".join(f"\nhelp: {text}" for text in helps)
        self.text += f"\n{printed}" if printed else ""
        super().__init__(self.text)


def _place(thing):
    name = pathlib.Path(thing.get("file", "")).name
    return f"{name}:{thing['line']}" if "line" in thing else name


class Launch:
    """One case of a batch. After the batch ran, results() or `failure`; `printed` is
    what the kernels of the whole batch printed."""

    def __init__(self, args, members):
        self.args, self.members = args, members
        self.failure = None
        self.ran = False

    def case(self, folder, name):
        folder.mkdir()
        specs = [arg.spec(folder, n) for n, arg in enumerate(self.args)]
        return {"name": name, "args": specs, **self.members}

    def take(self, answer, process):
        self.ran, self.printed = True, process.stderr
        if answer is None:
            text = process.stdout + process.stderr
            ident = re.search(r"error: .*\[([a-z0-9-]+)\]", text, re.DOTALL)
            problem = {"id": ident and ident.group(1), "message": text, "notes": []}
            self.failure = Failure([problem])
        elif not answer["passed"]:
            self.failure = Failure(answer["problems"], process.stderr)
        else:
            self.warnings = [problem["id"] for problem in answer["problems"]]
            results = (arg.result() for arg in self.args)
            self.outputs = [r for r in results if r is not None]

    def results(self):
        """What the kernel wrote: inouts and outs, in the order of parameters."""
        assert self.ran, "the batch has not run yet"
        if self.failure:
            raise self.failure
        return self.outputs


def _caller_folder():
    """The folder of the first frame outside this file: the test's."""
    for frame in inspect.stack()[1:]:
        if pathlib.Path(frame.filename).resolve() != pathlib.Path(__file__).resolve():
            return pathlib.Path(frame.filename).resolve().parent
    raise RuntimeError("no caller")


def _make_launch(
    source,
    kernel=None,
    ins=(),
    outs=(),
    scalars=(),
    blocks=1,
    soc=DEFAULT_SOC,
    tiling=None,
    defines=None,
    task=None,
    inouts=(),
    workspace=None,
    args=None,
    tiling_struct=None,
    tiling_header=None,
    tiling_key=None,
    includes=(),
    time_limit=60,
    memory_limit=None,
    sanitize=None,
    allow_unwritten=None,
    auto_sync=None,
    optimise=None,
    op_host=(),
    op=None,
    attrs=None,
):
    """Arguments are bound in the order ins, inouts, outs, scalars; `args`, a list
    of In, InOut, Out, Scalar, List and Absent, says another order."""
    folder = _caller_folder()
    if args is None:
        args = (
            [In(a) for a in ins]
            + [InOut(a) for a in inouts]
            + [Out(*o) for o in outs]
            + [Scalar(*s) for s in scalars]
        )
    members = {
        "source": str(folder / source),
        "blocks": int(blocks),
        "soc": SOC_OF_ARCH.get(soc, soc),
        "timeLimit": time_limit,
    }
    optional = {
        "kernel": kernel,
        "tiling": str(folder / tiling) if isinstance(tiling, str) else tiling,
        "tilingStruct": tiling_struct,
        "tilingHeader": tiling_header and str(folder / tiling_header),
        "tilingKey": tiling_key,
        "workspace": workspace,
        "task": task,
        "memoryLimit": memory_limit,
        "check": sanitize,
        "allowUnwritten": allow_unwritten,
        "autoSync": auto_sync,
        "optimise": optimise,
        "includes": [str(folder / i) for i in includes] or None,
        "opHost": [str(folder / s) for s in op_host] or None,
        "op": op,
        "attrs": attrs,
        "defines": [k if v is None else f"{k}={v}" for k, v in (defines or {}).items()]
        or None,
    }
    members.update({k: v for k, v in optional.items() if v is not None})
    return Launch(args, members)


def belay():
    """The command under test."""
    if "BELAY" in os.environ:
        return os.environ["BELAY"]
    built = sorted(
        ROOT.glob("build/*/bin/belay"), key=lambda p: p.stat().st_mtime, reverse=True
    )
    installed = shutil.which("belay")
    if not built and not installed:
        sys.exit("no belay: build it, put it into PATH, or name it in the environment as BELAY")
    return str(built[0]) if built else installed


class Batch:
    """Many launches in one `belay run` process:

    batch = Batch()
    sums = [batch.add("add.cpp", ins=[x, y], outs=[("f16", n)]) for ...]
    batch.run()
    for launch in sums:
        z, = launch.results()
    """

    def __init__(self):
        self.launches = []

    def add(self, *args, **kwargs):
        launch = _make_launch(*args, **kwargs)
        self.launches.append(launch)
        return launch

    def run(self):
        with tempfile.TemporaryDirectory(prefix="belay-test-") as folder:
            _run_all(self.launches, pathlib.Path(folder))
        return self


def _run_all(launches, folder):
    cases = [x.case(folder / str(n), str(n)) for n, x in enumerate(launches)]
    (folder / "cases.json").write_text(json.dumps({"cases": cases}))
    done = subprocess.run(
        [belay(), "run", str(folder / "cases.json"), "--format", "json", *ORDERS],
        capture_output=True,
        env={**os.environ, "NO_COLOR": "1"},
        text=True,
        errors="replace",
    )
    try:
        answers = {case["name"]: case for case in json.loads(done.stdout)["cases"]}
    except (ValueError, KeyError):  # not one case could be understood
        answers = {}
    for n, launch in enumerate(launches):
        launch.take(answers.get(str(n)), done)


def run(source, kernel=None, check=True, **kwargs):
    """Runs one kernel; returns its outputs (inouts first), or raises Failure with
    the report. With check=False, returns the Launch instead."""
    batch = Batch()
    launch = batch.add(source, kernel, **kwargs)
    batch.run()
    return launch.results() if check else launch


def line_of(source, marker):
    """The number of the only line of a source that contains the marker."""
    path = _caller_folder() / source
    hits = [
        n for n, text in enumerate(path.read_text().splitlines(), 1) if marker in text
    ]
    assert len(hits) == 1, f"{source}: {len(hits)} lines contain {marker!r}"
    return hits[0]


def expect_failure(ident, source, line=None, contains=(), **kwargs):
    """Asserts that a run ends with the diagnostic `ident`: at a line, given by its
    number or by a text that only that line of the source has, and with each of
    `contains` in the report. Returns the report."""
    if isinstance(line, str):
        line = line_of(source, line)
    launch = run(source, check=False, **kwargs)
    assert launch.failure, f"expected {ident}, but the run passed"
    text = launch.failure.text
    assert launch.failure.ident == ident, f"expected {ident}, got:\n{text}"
    if line is not None:
        where = f"{pathlib.Path(source).name}:{line}"
        assert where in launch.failure.places, f"expected it at {where}, got:\n{text}"
    for part in [contains] if isinstance(contains, str) else contains:
        assert part in text, f"expected {part!r} in the report:\n{text}"
    return text


# --- coverage ----------------------------------------------------------------

COVERED = []


def covers(*names, forms=(), dtypes=(), archs=(2201,), tail=False):
    """Notes what a test shows about APIs; docs/generate/api-coverage prints the notes.

    forms   "count", "mask" (lanes), "bits", "2d", ... as the API has them
    dtypes  AscendC's names: "half", "bfloat16_t", "float", "int32_t", ...
    tail    True if a count that fills no whole block or repeat is among the cases
    """

    def note(test):
        for name in names:
            COVERED.append(
                {
                    "name": name,
                    "forms": list(forms),
                    "dtypes": list(dtypes),
                    "archs": list(archs),
                    "tail": tail,
                    "test": test.__name__,
                    "file": str(pathlib.Path(inspect.getfile(test)).resolve()),
                }
            )
        return test

    return note


# --- running a test file -----------------------------------------------------


def main():
    """Runs the test_* functions of the calling file, those whose names contain an
    argument if there are arguments. Exits with 1 if one fails."""
    module = sys.modules["__main__"]
    wanted = sys.argv[1:]
    tests = [
        (name, function)
        for name, function in vars(module).items()
        if name.startswith("test_") and callable(function)
    ]
    if wanted:
        tests = [t for t in tests if any(w in t[0] for w in wanted)]
    failed = 0
    for name, function in tests:
        start = time.monotonic()
        try:
            function()
            print(f"ok    {name} ({time.monotonic() - start:.2f} s)", flush=True)
        except Exception:  # every failure of a test is reported the same way
            failed += 1
            print(f"FAIL  {name}\n{traceback.format_exc()}", flush=True)
    print(f"{len(tests) - failed} passed, {failed} failed")
    # A file whose tests all vanished must not look like success.
    sys.exit(1 if failed or not tests else 0)
