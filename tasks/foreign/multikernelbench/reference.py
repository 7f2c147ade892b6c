"""A reference of MultiKernelBench: its Model, and inputs that are small enough to be simulated."""
import ast
import contextlib
import math

import torch

SEED = 1024  # the benchmark's, for weights
TRIALS = 5
MAKERS = ("rand", "randn", "randint", "randperm", "full", "ones", "zeros", "empty", "arange", "linspace")


class TooLarge(Exception):
    """A tensor has more elements than may be simulated."""


@contextlib.contextmanager
def no_larger_than(largest):
    """Nothing that get_inputs() makes may have more elements; it is not made then."""
    def guarded(make):
        def made(*arguments, **named):
            number = elements_of(make.__name__, arguments, named)
            if largest and number > largest:
                raise TooLarge(number)
            return make(*arguments, **named)
        return made

    saved = {name: getattr(torch, name) for name in MAKERS}
    for name, make in saved.items():
        setattr(torch, name, guarded(make))
    try:
        yield
    finally:
        for name, make in saved.items():
            setattr(torch, name, make)


def elements_of(name, arguments, named):
    if name in ("arange", "linspace", "randperm"):
        return max([a for a in arguments if isinstance(a, (int, float))], default=0)
    if name == "full":
        arguments = arguments[:1]
    sizes = named.get("size", arguments)
    flat = []
    for size in sizes if isinstance(sizes, (list, tuple)) else [sizes]:
        flat += list(size) if isinstance(size, (list, tuple, torch.Size)) else [size]
    if name == "randint":  # its bounds come first
        tuples = [a for a in arguments if isinstance(a, (list, tuple))]
        flat = list(tuples[-1]) if tuples else list(named.get("size", []))
    return math.prod(e for e in flat if isinstance(e, int)) if flat else 1


class Reference:
    """The benchmark's own Python, executed with its shapes made smaller: the largest whole number
    of its module and of get_inputs() is halved, wherever it stands, until all tensors fit."""

    def __init__(self, path, largest):
        self.tree = ast.parse(path.read_text(), str(path))
        self.largest = largest
        self.extents = []
        for statement in self.tree.body:
            if isinstance(statement, ast.Assign) or getattr(statement, "name", "") == "get_inputs":
                self.extents += [node for node in ast.walk(statement)
                                 if isinstance(node, ast.Constant) and type(node.value) is int]
        self.smaller = False
        self.shrink()

    def shrink(self):
        while True:
            try:
                self.load()
                self.model()(*self.inputs(0))
                return
            except TooLarge as failure:
                largest = max((extent.value for extent in self.extents), default=0)
                if largest < 2:
                    raise SystemExit(f"a tensor of {failure} elements, and no number to make it smaller by") \
                        from None
                for extent in self.extents:
                    if extent.value == largest:
                        extent.value //= 2
                self.smaller = True

    def load(self):
        self.names = {"__name__": "reference"}
        exec(compile(self.tree, "reference", "exec"), self.names)

    def init_inputs(self):
        return list(self.names["get_init_inputs"]())

    def model(self):
        torch.manual_seed(SEED)
        return self.names["Model"](*self.init_inputs())

    def inputs(self, trial):
        torch.manual_seed(SEED + 1 + trial)
        with no_larger_than(self.largest):
            return list(self.names["get_inputs"]())

    def expected(self, trial):
        with torch.no_grad():
            return self.model()(*self.inputs(trial))


def agree(want, got):
    """The benchmark's rule: torch.allclose with 1e-4, and the same shape."""
    if want.shape != got.shape:
        return False, f"shape {tuple(got.shape)} instead of {tuple(want.shape)}"
    if torch.allclose(want.double(), got.double(), atol=1e-4, rtol=1e-4):
        return True, ""
    error = (want.double() - got.double()).abs().max().item()
    return False, f"largest error {error}"
