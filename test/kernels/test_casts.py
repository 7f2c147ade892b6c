"""Every conversion of the language, with every rounding, on every architecture: the
simulated AscendC and the host twin have to give what the numbers say, at the edges of
both types, at halves, at infinities and at what is no number.

By hand: test/kernels/test_casts.py
"""
import ctypes
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent / "model"))
from harness import BF16, SOC_OF_ARCH, Batch, In, Out, Scalar, belay, from_bf16, to_bf16  # noqa: E402

FLOATS = {"float": (np.float32, "f32"), "half": (np.float16, "f16"), "bfloat16": (np.uint16, "bf16")}
INTEGERS = {"i8": (np.int8, "i8"), "i16": (np.int16, "i16"), "i32": (np.int32, "i32"), "i64": (np.int64, "i64")}
TYPES = {**FLOATS, **INTEGERS}
MODES = ("nearest", "floor", "ceil", "away", "zero")
# What no instructions of a part lead to, however many.
MISSING = {2002: {("float", "i64"), ("half", "i64"), ("i8", "i64"), ("i16", "i64"), ("i32", "i64"),
                  ("i16", "float"), ("i16", "i32"), *(("i64", t) for t in TYPES)}}
SOURCE = """#include "belay/kernel.h"
using namespace belay;
template <typename T, typename U, Round Mode>
[[belay::kernel]] void convert(In<T> x, Out<U> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<64>(y))
    store(w, cast<U, Mode>(load(x, w)));
}
template <typename T> [[belay::kernel]] void whole(In<T> x, Out<T> y) {
  expects(x.size() == y.size());
  for (auto w : my_tiles<64>(y))
    store(w, round(load(x, w)));
}
"""
TWIN = """
extern "C" __attribute__((visibility("default"))) void twin_{number}(
    belay::i64 cores, const belay::twin::Argument *arguments) {{
  belay::twin::launch_with(cores, {instance}, arguments);
}}
"""


SPELLED = {"i8": "signed char", "i16": "short", "i32": "int", "i64": "long"}


def symbol_of(instance):
    """As `belay build` names an instance: convert_float_signed_char_floor."""
    name, arguments = instance[:-1].split("<")
    words = [a.removeprefix("Round::") for a in arguments.split(", ")]
    return "_".join([name, *(SPELLED.get(w, w).replace(" ", "_") for w in words)])


class Argument(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("extents", ctypes.c_int64 * 5), ("number", ctypes.c_double)]


def values_of(dtype):
    """Numbers as wide as the type: Python's own for integers, float64 for floats."""
    random = np.random.default_rng(5)
    edges = [sign * (2.0**bits + add) for bits in (7, 8, 11, 15, 16, 24, 31, 32, 63)
             for add in (-1, -0.5, 0, 0.5, 1) for sign in (1, -1)]
    halves = [i / 4 for i in range(-40, 41)]
    if dtype in INTEGERS:
        limits = np.iinfo(INTEGERS[dtype][0])
        wide = random.integers(limits.min, limits.max, 40, endpoint=True, dtype=np.int64)
        all_ = [int(v) for v in edges + halves] + wide.tolist() + [limits.min, limits.max]
        return np.array([v for v in all_ if limits.min <= v <= limits.max], INTEGERS[dtype][0])
    wide = random.standard_normal(40) * 10.0 ** random.integers(-5, 10, 40)
    all_ = np.array(edges + halves + wide.tolist() + [np.inf, -np.inf, np.nan, 65519, 65520, 1e-8])
    with np.errstate(over="ignore"):
        return encode(all_.astype(np.float32), dtype)


def encode(numbers, dtype):
    if dtype == "bfloat16":
        return np.asarray(to_bf16(numbers)).view(np.ndarray).view(np.uint16)
    return numbers.astype(TYPES[dtype][0])


def decode(array, dtype):
    return from_bf16(array).astype(np.float32) if dtype == "bfloat16" else array


def rounded(numbers, mode):
    return {"nearest": np.rint, "floor": np.floor, "ceil": np.ceil, "zero": np.trunc,
            "away": lambda x: np.copysign(np.floor(abs(x) + 0.5), x)}[mode](numbers.astype(np.float64))


def expected(values, source, target, mode):
    numbers = decode(values, source)
    if target in INTEGERS:
        limits = np.iinfo(INTEGERS[target][0])
        if source in FLOATS:
            numbers = [0 if v != v else limits.max if v == np.inf else limits.min if v == -np.inf else int(v)
                       for v in rounded(numbers, mode)]
        return np.array([min(max(int(v), limits.min), limits.max) for v in numbers], INTEGERS[target][0])
    with np.errstate(over="ignore"):
        if target == "bfloat16":
            return encode(numbers.astype(np.float32), target)
        return numbers.astype(TYPES[target][0])


def same(got, want, dtype):
    got, want = decode(np.asarray(got), dtype), decode(np.asarray(want), dtype)
    return (got == want) | ((got != got) & (want != want))


def conversions(arch):
    """(kernel's instance, type before, type after, what has to come out)"""
    for source in TYPES:
        if arch == 2002 and source == "bfloat16":
            continue
        values = values_of(source)
        if source in FLOATS:
            numbers = np.rint(decode(values, source).astype(np.float32))
            yield f"whole<{source}>", source, source, values, encode(numbers, source)
        for target in TYPES:
            if source == target or (arch == 2002 and target == "bfloat16"):
                continue
            if (source, target) in MISSING.get(arch, ()):
                continue
            for mode in MODES if source in FLOATS and target in INTEGERS else ("nearest",):
                name = f"convert<{source}, {target}, Round::{mode}>"
                yield name, source, target, values, expected(values, source, target, mode)


def twins_of(arch, instances, folder):
    source, library = folder / f"twins{arch}.cpp", folder / f"twins{arch}.so"
    source.write_text('#include "belay/twin.h"\n' + SOURCE + "".join(
        TWIN.format(number=i, instance=name) for i, name in enumerate(instances)))
    subprocess.run(["clang++-22", "-std=c++20", "-O0", "-ffp-contract=off", "-shared", "-fPIC", "-pthread",
                    f"-I{ROOT / 'include'}", source, "-o", library], check=True)
    return ctypes.CDLL(str(library))


def run_twin(library, number, values, like):
    result = np.zeros_like(like)
    arguments = (Argument * 2)()
    for argument, array in zip(arguments, (values, result)):
        argument.data, argument.extents[0] = array.ctypes.data, array.size
    getattr(library, f"twin_{number}")(ctypes.c_int64(1), arguments)
    return result


def check_refused(arch, source, folder):
    for before, after in sorted(MISSING.get(arch, ())):
        if before == after or after == "bfloat16":
            continue
        done = subprocess.run(
            [belay(), "build", source, "--soc", SOC_OF_ARCH[arch], "--emit", "ascendc", "-o", folder / "none.cpp",
             "--kernel", f"convert<{before}, {after}, Round::nearest>"], capture_output=True, text=True)
        assert done.returncode == 3 and "[not-emitted]" in done.stderr, (arch, before, after, done.stderr)


def check(arch, folder):
    source, target = folder / "casts.cpp", folder / f"casts.{arch}.cpp"
    source.write_text(SOURCE)
    cases = list(conversions(arch))
    command = [belay(), "build", source, "--soc", SOC_OF_ARCH[arch], "--deny", "--emit", "ascendc", "-o", target]
    for name, *_ in cases:
        command += ["--kernel", name]
    subprocess.run([str(c) for c in command], check=True)
    library = twins_of(arch, [name for name, *_ in cases], folder)
    batch, launches, wrong = Batch(), [], 0
    for number, (name, before, after, values, want) in enumerate(cases):
        array = values.view(BF16) if before == "bfloat16" else values
        launches.append(batch.add(
            str(target), kernel=symbol_of(name), blocks=2, soc=arch, sanitize=True, auto_sync=False, optimise=False,
            args=[In(array), Out(TYPES[after][1], want.shape), Scalar("i64", values.size),
                  Scalar("i64", values.size)]))
        twin = run_twin(library, number, values, want)
        for at in np.flatnonzero(~same(twin, want, after))[:3]:
            wrong += 1
            print(f"{name}: the twin makes {twin[at]} of {decode(values, before)[at]}, not {want[at]}")
    batch.run()
    for (name, before, after, values, want), launch in zip(cases, launches):
        if launch.failure:
            wrong += 1
            print(f"{name} on {arch}: {launch.failure.text}")
            continue
        got = np.asarray(launch.outputs[0])
        for at in np.flatnonzero(~same(got, want, after))[:3]:
            wrong += 1
            print(f"{name} on {arch} makes {got[at]} of {decode(values, before)[at]}, not {want[at]}")
    print(f"{arch}: {len(cases)} conversions, {wrong} wrong", flush=True)
    check_refused(arch, source, folder)
    return wrong


def main():
    with tempfile.TemporaryDirectory(prefix="belay-casts-") as folder:
        wrong = sum([check(arch, pathlib.Path(folder)) for arch in (2002, 2201, 3510)])
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
