"""Conditions of a launch contract: their values, and extents that follow from them.

Numbers are those of include/belay/launch.h: whole numbers of 128 bits, floats in single
precision; a condition without a value (a divisor is 0) is not met.
"""
from __future__ import annotations

import ctypes
import math
import operator
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Tuple, Union

Number = Union[int, float, bool]
Key = Tuple[str, int]
Node = Mapping[str, Any]

_ARITY = {"add": 2, "sub": 2, "mul": 2, "div": 2, "rem": 2, "min": 2, "max": 2, "neg": 1,
          "float": 1, "eq": 2, "ne": 2, "lt": 2, "le": 2, "gt": 2, "ge": 2, "and": 2,
          "or": 2, "select": 3}
_DEEPEST, _MOST_NODES = 200, 10000


class BadContract(ValueError):
    """A description that ``belay`` does not write."""


class Launch:
    """The numbers of one launch that conditions speak of."""

    def __init__(self, extents: Dict[Key, int], scalars: Mapping[str, Number],
                 blocks: int) -> None:
        self.extents = extents
        self.scalars = scalars
        self.blocks = blocks


def validate(node: Any, views: Mapping[str, int], scalars: Mapping[str, str]) -> None:
    """Refuses what is no condition over these views (name: rank) and scalars."""
    left = _MOST_NODES

    def visit(each: Any, depth: int) -> None:
        nonlocal left
        left -= 1
        if not isinstance(each, dict) or depth > _DEEPEST or left < 0:
            raise BadContract("a condition is no tree of operations")
        keys = set(each) - {"shown"}
        if not isinstance(each.get("shown", ""), str):
            raise BadContract("the name of a value is no text")
        if keys == {"integer"}:
            good = type(each["integer"]) is int
        elif keys == {"float"}:
            good = isinstance(each["float"], (int, float)) or each["float"] in (
                "inf", "-inf", "nan")
        elif keys == {"bool"}:
            good = isinstance(each["bool"], bool)
        elif keys == {"extent", "dimension"}:
            rank = views.get(each["extent"]) if isinstance(each["extent"], str) else None
            good = rank is not None and type(each["dimension"]) is int and (
                0 <= each["dimension"] < rank)
        elif keys == {"scalar"}:
            good = isinstance(each["scalar"], str) and each["scalar"] in scalars
        elif keys == {"blocks"}:
            good = each["blocks"] is True
        elif keys == {"op", "args"}:
            good = isinstance(each["args"], list) and (
                _ARITY.get(str(each["op"])) == len(each["args"]))
        else:
            good = False
        if not good:
            raise BadContract(f"a condition holds {each!r:.200}")
        for argument in each.get("args", ()):
            visit(argument, depth + 1)

    visit(node, 0)


def to_float(value: Number) -> float:
    """Rounded once to single precision."""
    if isinstance(value, int) and abs(value) >= 1 << 53:
        # Through double it would be rounded twice.
        size = abs(value).bit_length() - 24
        kept, rest = divmod(abs(value), 1 << size)
        kept += rest * 2 > 1 << size or (rest * 2 == 1 << size and kept % 2 == 1)
        value = math.ldexp(kept if value > 0 else -kept, size)
    return float(ctypes.c_float(value).value)


def _whole(value: int) -> Optional[int]:
    return value if -(1 << 127) <= value < 1 << 127 else None


def _divide(a: Number, b: Number) -> Optional[Number]:
    if type(a) is int and type(b) is int:
        if b == 0:
            return None
        quotient = abs(a) // abs(b)
        return _whole(quotient if (a < 0) == (b < 0) else -quotient)
    if b == 0:
        if a == 0 or math.isnan(a):
            return math.nan
        return math.copysign(math.inf, a) * math.copysign(1.0, b)
    return to_float(a / b)


def _remainder(a: Number, b: Number) -> Optional[Number]:
    if b == 0 or type(a) is not int or type(b) is not int:
        return None
    return int(math.copysign(1, a)) * (abs(a) % abs(b))


def _fold(pick: Callable[..., Number]) -> Callable[..., Optional[Number]]:
    def fold(a: Number, b: Number) -> Optional[Number]:
        if a != a or b != b:  # the number, if one is none
            return b if a != a else a
        return pick(a, b)
    return fold


def _rounded(compute: Callable[[Any, Any], Any]) -> Callable[..., Optional[Number]]:
    def apply(a: Number, b: Number) -> Optional[Number]:
        result: Number = compute(a, b)
        return _whole(result) if type(result) is int else to_float(result)
    return apply


_BINARY: Dict[str, Callable[..., Optional[Number]]] = {
    "add": _rounded(operator.add), "sub": _rounded(operator.sub),
    "mul": _rounded(operator.mul), "div": _divide, "rem": _remainder,
    "min": _fold(min), "max": _fold(max),
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le,
    "gt": operator.gt, "ge": operator.ge,
}


def evaluate(node: Node, launch: Launch) -> Optional[Number]:
    """The value of a condition; None if it has none."""
    if "integer" in node:
        return int(node["integer"])
    if "extent" in node:
        return launch.extents.get((node["extent"], node["dimension"]))
    if "scalar" in node:
        return launch.scalars[node["scalar"]]
    if "blocks" in node:
        return launch.blocks
    if "bool" in node:
        return bool(node["bool"])
    if "float" in node:
        return to_float(float(node["float"]))
    op: str = node["op"]
    values = [evaluate(each, launch) for each in node["args"]]
    if op in ("and", "or"):
        enough = op == "or"
        if enough in values:  # one side can be enough
            return enough
        return None if None in values else not enough
    if op == "select":
        return None if values[0] is None else values[1] if values[0] else values[2]
    if None in values:
        return None
    if op == "neg":
        value = values[0]
        assert value is not None
        return _whole(-value) if type(value) is int else -value
    if op == "float":
        assert values[0] is not None
        return to_float(values[0])
    a, b = values
    if (type(a) is float) != (type(b) is float) or (type(a) is bool) != (type(b) is bool):
        raise BadContract(f"'{op}' has operands of two types")
    return _BINARY[op](a, b)


def leaves(node: Node) -> Iterator[Tuple[Optional[str], Node]]:
    """What a message shows of a condition: (a name of its own, the node)."""
    if "shown" in node:
        yield node["shown"], node
    elif "op" in node:
        for each in node["args"]:
            yield from leaves(each)
    elif "extent" in node or "scalar" in node or "blocks" in node:
        yield None, node


def speaks_of_blocks_only(node: Node) -> bool:
    """Whether the number of blocks decides it."""
    if "op" in node:
        return all(speaks_of_blocks_only(each) for each in node["args"])
    return "extent" not in node and "scalar" not in node


def conjuncts(node: Node) -> Iterator[Node]:
    """The parts that all have to hold."""
    if node.get("op") == "and":
        for each in node["args"]:
            yield from conjuncts(each)
    else:
        yield node


# What is left of a sum: the factor of each unknown extent, and a number.
_Sum = Tuple[Dict[Key, int], int]


def _linear(node: Node, launch: Launch) -> Optional[_Sum]:
    value = evaluate(node, launch)
    if value is not None:
        return ({}, value) if type(value) is int else None
    if "extent" in node:
        return {(node["extent"], node["dimension"]): 1}, 0
    op = node.get("op")
    if op not in ("add", "sub", "mul", "neg"):
        return None
    sums = [_linear(each, launch) for each in node["args"]]
    first, second = sums[0], sums[-1]
    if first is None or second is None:
        return None
    if op == "neg":
        return _scaled(first, -1)
    if op == "mul":
        if first[0] and second[0]:
            return None
        return _scaled(first, second[1]) if first[0] else _scaled(second, first[1])
    if op == "sub":
        second = _scaled(second, -1)
    factors = dict(first[0])
    for key, factor in second[0].items():
        factors[key] = factors.get(key, 0) + factor
    return {key: each for key, each in factors.items() if each}, first[1] + second[1]


def _scaled(total: _Sum, by: int) -> _Sum:
    return {key: each * by for key, each in total[0].items() if each * by}, total[1] * by


def solve(conditions: List[Node], launch: Launch) -> None:
    """Adds to the launch the extents that follow from equalities."""
    equalities = [each for condition in conditions for each in conjuncts(condition)
                  if each.get("op") == "eq"]
    progress = True
    while progress:
        progress = False
        for each in equalities:
            left = _linear(each["args"][0], launch)
            right = _linear(each["args"][1], launch)
            if left is None or right is None:
                continue
            factors = dict(left[0])
            for key, factor in right[0].items():
                factors[key] = factors.get(key, 0) - factor
            factors = {key: factor for key, factor in factors.items() if factor}
            if len(factors) != 1:
                continue
            (key, factor), = factors.items()
            value, rest = divmod(right[1] - left[1], factor)
            if rest == 0 and value >= 0:
                launch.extents[key] = value
                progress = True


def same_extents(conditions: List[Node]) -> Dict[Key, Key]:
    """Extents that conditions say are one: each with the representative of its class."""
    parent: Dict[Key, Key] = {}

    def find(key: Key) -> Key:
        while parent.setdefault(key, key) != key:
            key = parent[key]
        return key

    for condition in conditions:
        for each in conjuncts(condition):
            if each.get("op") == "eq" and all("extent" in side for side in each["args"]):
                one, other = ((side["extent"], side["dimension"]) for side in each["args"])
                parent[find(one)] = find(other)
    return {key: find(key) for key in list(parent)}
