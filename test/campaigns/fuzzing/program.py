"""Kernels as data: what the generator builds, the printer prints, and the shrinker
takes apart."""
import copy
import dataclasses
from typing import Callable, Optional, Union

from .bounds import Bounds, fits


@dataclasses.dataclass(frozen=True)
class Tile:
    """A tile of at most rows by cols. Two tiles have the same extents at run time if
    their row and column names are equal."""

    rows: int
    cols: int
    dtype: str
    row_name: str
    col_name: str


@dataclasses.dataclass(frozen=True)
class Mask:
    """What a comparison of tiles leaves; `of` is the type of what was compared."""

    of: Tile


@dataclasses.dataclass(frozen=True)
class Scalar:
    dtype: str


@dataclasses.dataclass(frozen=True)
class Var:
    name: str
    type: Union[Tile, Mask, Scalar]


# --- statements --------------------------------------------------------------


@dataclasses.dataclass
class Let:
    """Defines a variable, or assigns to one that is there. `rule` turns the bounds of
    the arguments into those of the result, or into None if the operation is out of
    place for such values."""

    var: Var
    text: str
    args: list
    rule: Callable
    assigns: bool = False
    tags: tuple = ()  # (operation, element type): what it needs of the compiler

    def lines(self):
        value = self.text.format(*(a.name for a in self.args))
        if self.assigns:
            return [f"{self.var.name} = {value};"]
        kind = self.var.type.dtype if isinstance(self.var.type, Scalar) else "auto"
        return [f"{kind} {self.var.name} = {value};"]

    def evaluate(self, env):
        bounds = self.rule(*(env.values[a] for a in self.args))
        if bounds is None:
            raise Inadmissible
        if not isinstance(self.var.type, Mask) and not fits(bounds, self.var.type.dtype):
            raise Inadmissible
        env.values[self.var] = bounds


@dataclasses.dataclass
class Store:
    """Writes a variable to a view."""

    text: str
    args: list
    view: str

    def lines(self):
        return [self.text.format(*(a.name for a in self.args)) + ";"]

    def evaluate(self, env):
        bounds = env.values[self.args[-1]]
        old = env.outputs.get(self.view)
        env.outputs[self.view] = bounds.join(old) if old else bounds


@dataclasses.dataclass
class Plain:
    """A line of which nothing depends on values."""

    text: str

    def lines(self):
        return [self.text]

    def evaluate(self, env):
        pass


@dataclasses.dataclass
class For:
    """A loop of at most `iterations` iterations. Loops that bring windows are not unwrapped."""

    header: str
    body: list
    iterations: int = 1
    plain: bool = False

    def lines(self):
        return [f"for ({self.header}) {{", *indented(self.body), "}"]

    def evaluate(self, env):
        for _ in range(self.iterations):
            before = dict(env.values)
            evaluate(self.body, env)
            for var, bounds in before.items():
                env.values[var] = env.values[var].join(bounds)


@dataclasses.dataclass
class If:
    """A branch; `exact` are variables that both sides have to agree about."""

    condition: str
    then: list
    otherwise: list
    exact: list

    def lines(self):
        text = self.condition.format(*(a.name for a in self.exact))
        lines = [f"if ({text}) {{", *indented(self.then)]
        if self.otherwise:
            lines += ["} else {", *indented(self.otherwise)]
        return [*lines, "}"]

    def evaluate(self, env):
        if any(env.values[a].err for a in self.exact):
            raise Inadmissible
        before = dict(env.values)
        evaluate(self.then, env)
        then, env.values = env.values, before
        evaluate(self.otherwise, env)
        for var in set(then) & set(env.values):
            env.values[var] = env.values[var].join(then[var])


class Inadmissible(Exception):
    """Values would overflow, or something not continuous would see values that two
    right computations may disagree about."""


class Environment:
    def __init__(self, values):
        self.values = dict(values)
        self.outputs = {}


def evaluate(statements, env):
    for statement in statements:
        statement.evaluate(env)


def indented(statements):
    return ["  " + line for s in statements for line in s.lines()]


# --- kernels -----------------------------------------------------------------


@dataclasses.dataclass
class View:
    """A parameter in global memory. `bounds` are those of the data it begins with;
    `indices` is the largest index plus one, for data that names rows."""

    name: str
    role: str  # In, Out, InOut, PerCore
    dtype: str
    dims: tuple  # numbers, or None for dyn
    bounds: Bounds = Bounds(4.0, 0.0, 2)
    indices: Optional[int] = None
    partly: bool = False  # not all of it is written

    def declaration(self):
        if self.role == "PerCore":
            return f"PerCore<{self.dtype}> {self.name}"
        dims = [str(d) if d is not None else "dyn" for d in self.dims]
        extents = "" if dims == ["dyn"] else ", " + ", ".join(dims)
        return f"{self.role}<{self.dtype}{extents}> {self.name}"


@dataclasses.dataclass
class Number:
    """A parameter that is a number."""

    name: str
    dtype: str
    mag: int

    def declaration(self):
        return f"{self.dtype} {self.name}"


@dataclasses.dataclass
class Case:
    blocks: int
    extents: dict
    numbers: dict
    seed: int


@dataclasses.dataclass
class Kernel:
    index: int
    arch: int
    params: list
    expects: list
    body: list
    cases: list
    helpers: dict = dataclasses.field(default_factory=dict)
    # Sizes that the kernel gets as template parameters: name -> value.
    template: dict = dataclasses.field(default_factory=dict)

    @property
    def name(self):
        return f"k{self.index}"

    @property
    def symbol(self):
        return "_".join([self.name, *map(str, self.template.values())])

    @property
    def instance(self):
        if not self.template:
            return None
        return f"{self.name}<{', '.join(map(str, self.template.values()))}>"

    def views(self):
        return [p for p in self.params if isinstance(p, View)]

    def numbers(self):
        return [p for p in self.params if isinstance(p, Number)]

    def tolerances(self):
        """View -> how far its elements may differ."""
        values = {Var(n.name, Scalar(n.dtype)): Bounds(n.mag, 0.0, 2) for n in self.numbers()}
        env = Environment(values)
        evaluate(self.body, env)
        return {name: bounds.err for name, bounds in env.outputs.items()}

    def text(self):
        body = [line for s in self.body for line in s.lines()]
        whole = "\n".join(body)
        helpers = [text for name, text in self.helpers.items() if name in whole]
        lines = [text.rstrip() for text in helpers]
        if self.template:
            lines.append(f"template <{', '.join('i64 ' + n for n in self.template)}>")
        params = ", ".join(p.declaration() for p in self.params)
        lines.append(f"[[belay::kernel]] void {self.name}({params}) {{")
        if self.expects:
            lines.append(f"  expects({' && '.join(self.expects)});")
        return "\n".join([*lines, *("  " + line for line in body), "}"]) + "\n"

    def size(self):
        return sum(1 for _ in walk(self.body))

    def clone(self):
        return copy.deepcopy(self)


def walk(statements):
    """All statements, with the list that holds each and its place there."""
    for place, statement in enumerate(statements):
        yield statements, place, statement
        for inner in ("body", "then", "otherwise"):
            yield from walk(getattr(statement, inner, []))
