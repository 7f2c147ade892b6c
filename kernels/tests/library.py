"""Kernels of the library against PyTorch.

A category is one file here (activation.py, ...) that says for each kernel what it has
to compute, in float64, and for which launches:

    @kernel("activation/elu", "elu<{T}>", covers="activation/elu", rel=3, near=1)
    def elu(T):
        for blocks, x in vectors(T):
            yield blocks, [In(x), Out(F.elu(x.double()), T), f32(1.0)]

Every launch goes through `belay run --check --deny`: the kernel is proven, its AscendC
is emitted for each architecture, executed without the compiler's own synchronisation,
and watched by the sanitizer, which has to be silent.
"""
import dataclasses
import hashlib
import math
import pathlib
import random
from typing import Callable

import torch
from torch.nn import functional as F  # noqa: F401 (for the categories)

ROOT = pathlib.Path(__file__).resolve().parents[1]
SOCS = {2201: "Ascend910B3", 3510: "Ascend950PR_9599", 2002: "Ascend310P3"}
ALL = (2201, 3510, 2002)
SEPARATE = (2201, 3510)  # parts whose vector cores stand alone

DTYPES = {"float": torch.float32, "half": torch.float16, "bfloat16": torch.bfloat16,
          "i8": torch.int8, "i16": torch.int16, "i32": torch.int32, "i64": torch.int64}
KINDS = {torch.float32: "f32", torch.float16: "f16", torch.bfloat16: "bf16", torch.int8: "i8",
         torch.int16: "i16", torch.int32: "i32", torch.int64: "i64"}
EPS32 = 2.0**-23


class In:
    """A tensor that the kernel reads."""

    def __init__(self, data):
        self.data = data.contiguous()


class Out:
    """A tensor that the kernel writes: what it has to be, in float64 or in integers, and
    its type. `near` overrides the kernel's, for instance with one value for each element."""

    def __init__(self, want, dtype=None, near=None):
        self.want = want
        self.dtype = DTYPES.get(dtype, dtype) or want.dtype
        self.near = near


class InOut(Out):
    """A tensor that the kernel changes."""

    def __init__(self, data, want, near=None):
        super().__init__(want, data.dtype, near)
        self.data = data.contiguous()


@dataclasses.dataclass
class Scalar:
    kind: str
    value: object


def f32(value):
    return Scalar("f32", value)


def i64(value):
    return Scalar("i64", value)


def i32(value):
    return Scalar("i32", value)


@dataclasses.dataclass
class Kernel:
    """`rel` and `near` bound the error against float64, in units of float's epsilon: what
    the kernel computes may be off by eps * (rel * |result| + near), where `near` is how
    large the intermediate values are whose rounding remains in the result. Rounding to the
    output's type comes on top. A bound is derived from the operations, never from runs."""

    name: str
    instance: str
    cases: Callable
    covers: tuple
    dtypes: tuple
    archs: tuple
    rel: float
    near: object
    fails: str = ""
    unordered: bool = False
    quick: bool = True

    @property
    def source(self):
        return ROOT / f"{self.name.split(':')[0]}.cpp"

    def instances(self):
        """Instances of the template by type, or the kernel itself."""
        for dtype in self.dtypes or (None,):
            yield dtype, self.instance.replace("{T}", dtype or "")

    def archs_of(self, dtype):
        return tuple(a for a in self.archs if not (a == 2002 and dtype == "bfloat16"))


KERNELS = []
PRODUCTS = ("matmul", "convolution", "fuse", "attention")


def kernel(name, instance="", covers=(), dtypes=("float", "half", "bfloat16"), archs=ALL, rel=4,
           near=0.0, fails="", unordered=False, quick=None):
    """Registers a function that yields blocks and arguments of launches, given the element
    type if the kernel is a template over it. A name with a colon is another kernel of the
    same file. `fails`: the id with which every launch has to end. `unordered`: atomic sums,
    whose last bits depend on the order of cores. `quick`: part of the short run; of the
    categories with products, which take long to build, only those that say so."""

    def register(cases):
        instance_ = instance or name.split(":")[-1].split("/")[-1]
        types = dtypes if "{T}" in instance_ else ()
        references = (covers,) if isinstance(covers, str) else tuple(covers)
        short = name.split("/")[0] not in PRODUCTS if quick is None else quick
        KERNELS.append(Kernel(name, instance_, cases, references, types, archs, rel, near, fails,
                              unordered, short))
        return cases

    return register


# --- values ------------------------------------------------------------------


def dtype_of(T):
    return DTYPES.get(T, T)


SALT = ""  # not empty: other values and shapes than these, which everyone knows (tasks/reference.py)


def salted(*what):
    """A number that only those can compute who know the salt."""
    return int.from_bytes(hashlib.sha256(repr((SALT, *what)).encode()).digest()[:7], "big")


def generator_of(seed):
    return torch.Generator().manual_seed(salted("values", seed) if SALT else seed)


def vary(shapes):
    """Blocks and extents; with a salt, extents that leave room are up to a quarter smaller."""
    if not SALT:
        return shapes
    draw = random.Random(salted("shapes", shapes))
    return tuple((blocks, *(e - draw.randrange(e // 4 + 1) if e >= 16 else e for e in extents))
                 for blocks, *extents in shapes)


def normal(seed, *shape, T="float", scale=1.0):
    generator = generator_of(seed)
    return (torch.randn(shape, generator=generator, dtype=torch.float64) * scale).to(dtype_of(T))


def uniform(seed, low, high, *shape, T="float"):
    generator = generator_of(seed)
    return (torch.rand(shape, generator=generator, dtype=torch.float64) * (high - low) + low).to(dtype_of(T))


def integers(seed, low, high, *shape, T="i32"):
    generator = generator_of(seed)
    return torch.randint(low, high, shape, generator=generator).to(dtype_of(T))


SPECIAL = (math.nan, math.inf, -math.inf, 0.0, -0.0, 1e-30, -1e-30, 3e38, -3e38, 88.0, -88.0,
           60000.0, -60000.0, 1e-4, -1e-4, 20.5, -20.5, 0.5, -0.5, 3.0, -3.0)


def special(T="float", finite=False):
    """Values at the edges of a type and of what functions do."""
    values = torch.tensor([v for v in SPECIAL if math.isfinite(v) or not finite], dtype=torch.float64)
    values = values.to(dtype_of(T))
    return values[torch.isfinite(values)] if finite else values


# Blocks and elements: none, one, tails, idle cores, whole tiles, several of them.
SIZES = ((1, 0), (8, 1), (2, 63), (3, 8192), (2, 8193), (1, 20001))
# Blocks, rows and columns: none, one, odd tails, longer than the unified buffer.
MATRICES = ((1, 0, 5), (8, 1, 1), (2, 3, 37), (3, 9, 512), (2, 3, 4097), (3, 2, 70001))


def vectors(T, scale=3.0, sizes=SIZES, edges=True):
    """Blocks and a vector for each size; then one with all special values."""
    for seed, (blocks, n) in enumerate(vary(sizes)):
        yield blocks, normal(seed, n, T=T, scale=scale)
    if edges:
        yield 1, special(T, finite=edges == "finite")


def matrices(T, scale=1.0, shapes=None):
    """Blocks and a matrix for each shape; those that are given do not vary."""
    for seed, (blocks, rows, cols) in enumerate(shapes or vary(MATRICES)):
        yield blocks, normal(seed, rows, cols, T=T, scale=scale)


def unary(name, reference, *scalars, finite=False, **options):
    """A kernel y = f(x) of vectors in any floating type."""

    def cases(T):
        for blocks, x in vectors(T, edges="finite" if finite else True):
            yield blocks, [In(x), Out(reference(x.double()), T), *scalars]

    instance = options.pop("instance", name.split(":")[-1].split("/")[-1] + "<{T}>")
    kernel(name, instance, **options)(cases)


# --- comparison --------------------------------------------------------------


def smallest(dtype):
    """The distance between the numbers next to zero, or what hardware may flush to zero."""
    return {torch.float32: 2.0**-126, torch.float16: 2.0**-24, torch.bfloat16: 2.0**-126}[dtype]


def difference(got, argument, rel, near):
    """None, or what is wrong."""
    want = argument.want.reshape(got.shape)
    if not got.dtype.is_floating_point:
        wrong = got != want.to(got.dtype)
    else:
        rounded, want = want.to(got.dtype), want.double()
        near = near if argument.near is None else argument.near
        allowed = EPS32 * (rel * want.abs() + near) + smallest(got.dtype)
        if got.dtype != torch.float32:
            allowed = allowed + torch.finfo(got.dtype).eps / 2 * want.abs()
        same = (got == rounded) | (got.isnan() & want.isnan())
        wrong = ~(same | ((got.double() - want).abs() <= allowed))
    if not wrong.any():
        return None
    at = tuple(int(i) for i in wrong.nonzero()[0])
    return (f"{int(wrong.sum())} of {wrong.numel()} differ, first at {list(at)}: "
            f"{got[at].item()!r}, not {want[at].item()!r}")


def worst(got, argument):
    """The largest error in units of the output type's epsilon, relative to max(1, |want|)."""
    if not got.dtype.is_floating_point or not got.numel():
        return 0.0
    want = argument.want.reshape(got.shape).double()
    error = (got.double() - want).abs() / want.abs().clamp(min=1) / torch.finfo(got.dtype).eps
    error = error[torch.isfinite(error)]
    return float(error.max()) if error.numel() else 0.0
