"""Reductions without an instruction for them, and elements that are repeated, against PyTorch
on every architecture, in the simulator with its sanitizer: none, one, odd numbers of rows and
columns, more than a repeat, rows further apart than strides reach."""
import pathlib
import sys
import types

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE.parent / "model"), str(ROOT / "kernels" / "tests")]
from harness import belay  # noqa: E402
import os  # noqa: E402

os.environ["BELAY"] = belay()
import torch  # noqa: E402
from library import SOCS, In, Out  # noqa: E402
from runner import Stream  # noqa: E402

KERNEL = types.SimpleNamespace(source=HERE / "Inputs" / "across.cpp", name="across")
TYPES = {"float": torch.float32, "half": torch.float16, "i32": torch.int32, "i16": torch.int16}
# Of a product of up to 4352 numbers near 1, or of 200 that are further from it.
ERRORS = {torch.float32: 1e-4, torch.float16: 0.1}
REDUCTIONS = (("rows<{}, 8, 64>", 64), ("rows<{}, 20, 200>", 200), ("rows<{}, 3, 96>", 96),
              ("rows<{}, 2, 4352>", 4352), ("lines<{}, 200>", 200), ("lines<{}, 4096>", 4096))
ROWS, COLS = (0, 1, 7, 9, 41), (0, 1, 8, 17, 63, 64, 65, 129, 200, 4000)


def inputs(dtype, rows, cols):
    if not dtype.is_floating_point:
        return torch.randint(-9, 10, (rows, cols), dtype=dtype)
    spread = 0.1 if cols <= 200 else 0.01
    return (1 + spread * (torch.rand(rows, cols) - 0.45)).to(dtype)


def extremes(x):
    info = (torch.finfo if x.dtype.is_floating_point else torch.iinfo)(x.dtype)
    low, high = (-torch.inf, torch.inf) if x.dtype.is_floating_point else (info.min, info.max)
    if not x.shape[1]:
        return torch.full(x.shape[:1], low, dtype=x.dtype), torch.full(x.shape[:1], high, dtype=x.dtype)
    return x.max(1).values, x.min(1).values


def same(got, want, dtype):
    if not dtype.is_floating_point:
        return torch.equal(got, want.to(dtype))
    return torch.allclose(got.double(), want.double(), rtol=ERRORS[dtype], atol=0)


def launch(stream, soc, instance, arguments):
    answer, results = stream.launch(KERNEL, instance, soc, 2, arguments)
    shape = list(arguments[0].data.shape)
    assert answer["passed"] and not answer["problems"], (soc, instance, shape, answer["problems"])
    return shape, [got for _, got in results]


def reductions(stream, soc, kind):
    dtype = TYPES[kind]
    for instance, most in REDUCTIONS:
        instance = instance.format(kind)
        for rows, cols in ((r, c) for r in ROWS for c in sorted({*COLS, most}) if c <= most and (r < 9 or c <= 200)):
            x = inputs(dtype, rows, cols)
            wide = x.double() if dtype.is_floating_point else x.long()
            want = [wide.sum(1), wide.prod(1), *extremes(x)]
            shape, results = launch(stream, soc, instance, [In(x), *(Out(w.to(dtype)) for w in want)])
            for name, got, right in zip(("sum", "product", "largest", "least"), results, want):
                assert same(got, right, dtype), (soc, instance, shape, name, got, right)


def elements(stream, soc, kind):
    dtype = TYPES[kind]
    for tile in ("1, 200", "8, 64", "5, 40", "3, 2600"):
        for rows, cols in ((0, 3), (1, 1), (5, 7), (9, 64), (4, 131), (3, 2600)):
            x, one = inputs(dtype, rows, cols), inputs(dtype, 1, 1)[0]
            want = torch.maximum(x, one)
            instance = f"one_for_all<{kind}, {tile}>"
            shape, (got,) = launch(stream, soc, instance, [In(x), In(one), Out(want)])
            assert torch.equal(got, want), (soc, instance, shape)
    for size in (0, 1, 7, 100, 300):
        x, one = inputs(dtype, 1, size)[0], inputs(dtype, 1, 1)[0]
        want = torch.maximum(x, one)
        shape, (got,) = launch(stream, soc, f"one_for_column<{kind}, 100>", [In(x), In(one), Out(want)])
        assert torch.equal(got, want), (soc, kind, shape)


def main():
    torch.manual_seed(0)
    stream = Stream(0)
    for soc in SOCS.values():
        for kind in TYPES:
            reductions(stream, soc, kind)
            elements(stream, soc, kind)
    print("passed")


if __name__ == "__main__":
    main()
