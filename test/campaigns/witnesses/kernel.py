"""Kernels with what is needed to launch them and to know what they have to compute."""
import dataclasses
import itertools
import random
import tempfile
import zlib
from typing import Callable, Optional

import numpy as np

from .values import FLOATS, INTS, STORED, narrow, widen

# The extents of every direction, in all combinations where there are at most two.
EXTENTS = tuple(range(41))
# Tiles and rows of static size.
TEMPLATE = (1, 2, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 255, 256, 257)
ARCHS = {2201: "Ascend910B3", 2002: "Ascend310P3", 3510: "Ascend950PR_9599"}
CORES = (1, 2, 3)
POOL = 1 << 15


@dataclasses.dataclass
class View:
    """A parameter in global memory. Each extent is a number, or an expression of the
    launch's sizes. Data are multiples of 2**-grid within [-mag, mag], or if `indices` is
    given, an expression too, indices of so many rows; `bad` ones among them or not."""

    name: str
    role: str  # In, Out, InOut, PerCore
    dtype: str
    dims: tuple
    mag: float = 4
    grid: int = 2
    indices: Optional[str] = None
    bad: bool = False
    # Gigabytes, of which only the beginning of each row holds anything: a file with holes.
    sparse: bool = False

    def declaration(self):
        if self.role == "PerCore":
            return f"PerCore<{self.dtype}> {self.name}"
        dims = [str(d) if isinstance(d, int) else "dyn" for d in self.dims]
        extents = "" if dims == ["dyn"] else ", " + ", ".join(dims)
        return f"{self.role}<{self.dtype}{extents}> {self.name}"

    def shape(self, sizes):
        return tuple(d if isinstance(d, int) else sizes[d] if d in sizes else eval(d, {}, sizes)
                     for d in self.dims)

    @property
    def bits(self):
        return 0 if self.dtype in INTS else self.grid


@dataclasses.dataclass
class Number:
    """A parameter by value: `value`, or the size of that name."""

    name: str
    dtype: str
    value: object

    def of(self, sizes):
        return sizes[self.value] if isinstance(self.value, str) else self.value

    def declaration(self):
        return f"{self.dtype} {self.name}"


@dataclasses.dataclass
class Kernel:
    """`reference` gets wide arrays and sizes, and returns a wide array for each view that
    is written, or a pair of it and of how far elements may be from it."""

    name: str
    text: str  # the source, or the path of a file
    instance: str
    params: list
    reference: Callable
    directions: dict
    admits: Callable = lambda sizes: True
    archs: tuple = tuple(ARCHS)
    cap: int = 2200  # launches; what has more is sampled
    tolerance: dict = dataclasses.field(default_factory=dict)
    tags: tuple = ()

    @property
    def seed(self):
        return zlib.crc32(self.name.encode())

    def views(self):
        return [p for p in self.params if isinstance(p, View)]

    def written(self):
        return [v for v in self.views() if v.role in ("Out", "InOut")]

    def launches(self):
        """(number, sizes, cores) of every launch: one direction with every number of
        cores, several with the numbers in rotation."""
        names = list(self.directions)
        sizes = [dict(zip(names, values)) for values in itertools.product(*self.directions.values())]
        sizes = [s for s in sizes if self.admits(s)]
        if len(sizes) * (3 if len(names) < 2 else 1) > self.cap:
            sizes = sample(sizes, self.cap, self.seed)
        if len(names) < 2:
            sizes = [s for s in sizes for _ in CORES]
        return [(n, s, CORES[n % len(CORES)]) for n, s in enumerate(sizes)]


def sample(items, count, seed):
    """The first and last, where edges are, and others at random."""
    chosen = set(random.Random(seed).sample(range(len(items)), count - 2)) | {0, len(items) - 1}
    return [items[i] for i in sorted(chosen)]


def edges(tile, most=40):
    """0 to most, and around the ends of the first tiles."""
    near = {tile - 1, tile, tile + 1, 2 * tile, 2 * tile + 1} if tile < 600 else set()
    return tuple(sorted(set(range(most + 1)) | {n for n in near if n >= 0}))


class Data:
    """The arguments of a kernel's launches, from pools of random numbers: a launch takes
    its part, all of one sign every second time."""

    def __init__(self, kernel):
        self.kernel = kernel
        random_ = np.random.default_rng(kernel.seed)
        self.pools = {}
        for view in kernel.views():
            if view.indices is None and view.role in ("In", "InOut"):
                self.folder = tempfile.TemporaryDirectory(dir="/dev/shm") if view.sparse else None
                self.pools[view.name] = self.pool(view, random_)
        self.indices = random_.integers(0, 1 << 40, POOL)

    @staticmethod
    def pool(view, random_):
        if view.dtype in FLOATS and view.grid is not None:
            most = int(view.mag * 2**view.grid)
            return (random_.integers(-most, most + 1, POOL) / 2.0**view.grid).astype(np.float32)
        if view.dtype in FLOATS:
            return random_.uniform(-view.mag, view.mag, POOL).astype(np.float32)
        most = int(view.mag)
        return random_.integers(-most, most + 1, POOL, dtype=np.int64)

    def part(self, pool, number, count):
        start = number * 977 % max(1, POOL - count)
        return pool[start:start + count] if count <= POOL else np.resize(pool, count)

    def of(self, number, sizes):
        """View -> stored array, for what is read."""
        arrays = {}
        for n, view in enumerate(self.kernel.views()):
            shape = view.shape(sizes)
            if view.sparse:
                arrays[view.name] = self.with_holes(view, number, shape)
                continue
            count = int(np.prod(shape))
            if view.indices is not None:
                rows = eval(view.indices, {}, sizes)
                values = self.part(self.indices, number + 5 * n, count) % max(1, rows + 4 * view.bad)
                values = values - 2 * view.bad
            elif view.role in ("In", "InOut"):
                values = self.part(self.pools[view.name], number + 31 * n, count)
                if number % 4 == 1:
                    values = -np.maximum(abs(values), 1)
                elif number % 4 == 3:
                    values = abs(values)
            else:
                arrays[view.name] = np.zeros(shape, STORED[view.dtype])
                continue
            arrays[view.name] = narrow(values, view.dtype).reshape(shape)
        return arrays

    def with_holes(self, view, number, shape):
        path = f"{self.folder.name}/{number}.bin"
        array = np.memmap(path, STORED[view.dtype], "w+", shape=shape)
        for n, row in enumerate(array):
            row[:256] = narrow(self.part(self.pools[view.name], number + 7 * n, 256), view.dtype)
        return array

    def wide(self, arrays):
        """What is read, for the reference; what has holes, as it is stored."""
        return {v.name: arrays[v.name] if v.sparse else widen(arrays[v.name], v.dtype)
                for v in self.kernel.views() if v.role in ("In", "InOut")}
