"""Launch contracts (docs/launch.md): read, validated, and held against launches."""
from __future__ import annotations

import math
import re
import struct
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from belay_npu import _conditions
from belay_npu._conditions import BadContract, Key, Launch, Number
from belay_npu._elements import BY_CODE, Element
from belay_npu._errors import ContractError

_NAME = re.compile(r"[A-Za-z_]\w*\Z", re.ASCII)
_MAX_EXTENT = 1 << 40
_MAX_PARAMETERS = 128


def _require(condition: Any, what: str) -> None:
    if not condition:
        raise BadContract(f"the description of a kernel is not one: {what}")


def _whole(value: Any, least: int, most: int, what: str) -> int:
    _require(type(value) is int and least <= value <= most, what)
    return int(value)


def _text(value: Any, what: str) -> str:
    _require(isinstance(value, str), what)
    return str(value)


@dataclass(frozen=True)
class View:
    """Memory that a kernel takes. Extents that are None are those of the launch."""

    name: str
    element: Element
    access: str
    extents: Tuple[Optional[int], ...]
    shown: Tuple[str, ...]
    offset: int

    @property
    def written(self) -> bool:
        return self.access != "in"


@dataclass(frozen=True)
class Scalar:
    """A number that a kernel takes."""

    name: str
    code: str
    offset: int


@dataclass(frozen=True)
class Expects:
    """One ``expects`` of the kernel's author."""

    text: str
    file: str
    line: int
    condition: Mapping[str, Any]


@dataclass(frozen=True)
class Buffer:
    """Where the bytes of a view come from: its address in the process."""

    address: int
    low: int
    high: int


class Contract:
    """Everything that a launch of a kernel has to keep to."""

    def __init__(self, description: Any) -> None:
        """Reads a description; docs/launch.schema.json has its form.

        Raises:
          BadContract: It is none.
        """
        _require(isinstance(description, dict) and description.get("schema") == 1, "schema")
        self.kernel = _text(description.get("kernel"), "kernel")
        self.entry = _text(description.get("entry"), "entry")
        _require(_NAME.match(self.entry), "entry")
        self.bytes = _whole(description.get("argumentBytes"), 0, 1 << 16, "argumentBytes")
        target, limits, source = (description.get(each) for each in
                                  ("target", "limits", "source"))
        _require(isinstance(target, dict) and isinstance(limits, dict)
                 and isinstance(source, dict), "target, limits or source")
        self.core = _text(target.get("core"), "core")
        self.soc = _text(target.get("soc"), "soc")
        self.sha256 = _text(source.get("sha256"), "sha256")
        self.max_blocks = _whole(limits.get("maxBlocks"), 1, 65535, "maxBlocks")
        self.cores_meet = bool(limits.get("coresMeet"))
        self.views: Dict[str, View] = {}
        self.scalars: Dict[str, Scalar] = {}
        self.open: List[Tuple[Key, int]] = []
        self._read_parameters(description.get("parameters"))
        self.arguments = self._read_arguments(description.get("arguments"))
        self.expects = self._read_expects(description.get("expects"))

    def _read_parameters(self, parameters: Any) -> None:
        _require(isinstance(parameters, list) and len(parameters) <= _MAX_PARAMETERS
                 and all(isinstance(each, dict) for each in parameters), "parameters")
        used = 0
        for each in parameters:
            size = _whole(each.get("bytes"), 1, 8, "bytes")
            offset = _whole(each.get("offset"), used, self.bytes - size, "offset")
            used = offset + size
            if each.get("kind") == "view":
                self._read_view(each, size, offset)
            elif each.get("kind") == "extent":
                key = (_text(each.get("of"), "of"),
                       _whole(each.get("dimension"), 0, 4, "dimension"))
                view = self.views.get(key[0])
                _require(size == 8 and view and key[1] < len(view.extents)
                         and view.extents[key[1]] is None, "extent")
                self.open.append((key, offset))
            else:
                self._read_scalar(each, size, offset)
        wanted = [(view.name, index) for view in self.views.values()
                  for index, extent in enumerate(view.extents) if extent is None]
        _require(wanted == [key for key, _ in self.open], "open extents")

    def _read_view(self, each: Mapping[str, Any], size: int, offset: int) -> None:
        name = _text(each.get("name"), "name")
        extents = each.get("extents")
        _require(size == 8 and _NAME.match(name) and name not in self.views
                 and str(each.get("dtype")) in BY_CODE
                 and each.get("access") in ("in", "out", "inout", "percore")
                 and isinstance(extents, list) and 1 <= len(extents) <= 5, "view")
        fixed: List[Optional[int]] = []
        shown: List[str] = []
        for index, extent in enumerate(extents or ()):
            if isinstance(extent, dict):
                fixed.append(None)
                shown.append(_text(extent.get("open"), "open"))
            else:
                fixed.append(_whole(extent, 0, _MAX_EXTENT, "extents"))
                shown.append(f"{name}.extent({index})")
        _require(each["access"] != "percore" or fixed[0] is None, "percore")
        self.views[name] = View(name, BY_CODE[each["dtype"]], each["access"], tuple(fixed),
                                tuple(shown), offset)

    def _read_scalar(self, each: Mapping[str, Any], size: int, offset: int) -> None:
        name, code = _text(each.get("name"), "name"), _text(each.get("dtype"), "dtype")
        sizes = {**{key: row.bytes for key, row in BY_CODE.items()}, "bool": 1}
        _require(each.get("kind") == "scalar" and _NAME.match(name)
                 and name not in self.views and name not in self.scalars
                 and sizes.get(code) == size, "scalar")
        self.scalars[name] = Scalar(name, code, offset)

    def _read_arguments(self, names: Any) -> Tuple[str, ...]:
        _require(isinstance(names, list) and all(isinstance(n, str) for n in names)
                 and sorted(names) == sorted([*self.views, *self.scalars]), "arguments")
        return tuple(names)

    def _read_expects(self, expects: Any) -> Tuple[Expects, ...]:
        _require(isinstance(expects, list), "expects")
        ranks = {view.name: len(view.extents) for view in self.views.values()}
        codes = {scalar.name: scalar.code for scalar in self.scalars.values()}
        result = []
        for each in expects:
            _require(isinstance(each, dict), "expects")
            _conditions.validate(each.get("condition"), ranks, codes)
            result.append(Expects(
                _text(each.get("text"), "text"), _text(each.get("file"), "file"),
                _whole(each.get("line"), 0, 1 << 31, "line"), each["condition"]))
        return tuple(result)

    @property
    def inputs(self) -> Tuple[str, ...]:
        """What a caller has to give, in the order of the source."""
        return tuple(name for name in self.arguments if name in self.scalars
                     or self.views[name].access in ("in", "inout"))

    @property
    def outputs(self) -> Tuple[str, ...]:
        return tuple(name for name in self.arguments if name in self.views
                     and self.views[name].access == "out")

    def default_blocks(self, cores: int) -> int:
        """As many as there are cores, or what ``expects`` says of them admits."""
        blocks = min(cores, self.max_blocks)
        about = [each.condition for each in self.expects
                 if _conditions.speaks_of_blocks_only(each.condition)]
        while blocks > 1 and not all(
                _conditions.evaluate(each, Launch({}, {}, blocks)) for each in about):
            blocks -= 1
        return blocks

    @property
    def conditions(self) -> List[_conditions.Node]:
        return [each.condition for each in self.expects]

    def wanted(self, name: str) -> str:
        """What an argument has to be: "f32 of ?x1024"."""
        if name in self.scalars:
            return self.scalars[name].code
        view = self.views[name]
        return f"{view.element.code} of " + "x".join(
            "?" if extent is None else str(extent) for extent in view.extents)

    def shapes(self, given: Mapping[str, Sequence[int]], scalars: Mapping[str, Number],
               blocks: int) -> Launch:
        """All extents of a launch: those given, and those that follow from ``expects``.

        Raises:
          ContractError: Some do not follow.
        """
        extents: Dict[Key, int] = {}
        for view in self.views.values():
            shape = given.get(view.name)
            for index, fixed in enumerate(view.extents):
                if shape is not None:
                    extents[view.name, index] = shape[index]
                elif fixed is not None:
                    extents[view.name, index] = fixed
            if view.access == "percore":
                extents[view.name, 0] = blocks
        launch = Launch(extents, scalars, blocks)
        if len(extents) < sum(len(view.extents) for view in self.views.values()):
            _conditions.solve(self.conditions, launch)
        for view in self.views.values():
            for index, shown in enumerate(view.shown):
                if (view.name, index) not in launch.extents:
                    raise ContractError(
                        "argument-mismatch",
                        f"{self.kernel}: {shown} does not follow from the arguments and "
                        f"'expects'; give out={view.name}")
        return launch

    def check(self, launch: Launch, buffers: Mapping[str, Buffer]) -> None:
        """Refuses a launch that the kernel does not admit; as belay/launch.h.

        Raises:
          ContractError: With the first thing that is wrong.
        """
        if not 1 <= launch.blocks <= self.max_blocks:
            meet = (f", since its cores wait for each other and {self.soc} has no more"
                    if self.cores_meet else "")
            raise ContractError("bad-block-count", f"{self.kernel} has 1 to "
                                f"{self.max_blocks} blocks{meet}, not {launch.blocks}")
        for view in self.views.values():
            self._check_extents(view, launch)
        self._check_overlap(buffers)
        for each in self.expects:
            value = _conditions.evaluate(each.condition, launch)
            if value is not True:
                self._refuse(each, launch, value is None)

    def _check_extents(self, view: View, launch: Launch) -> None:
        elements = 1
        for index, fixed in enumerate(view.extents):
            extent = launch.extents[view.name, index]
            if not 0 <= extent <= _MAX_EXTENT:
                wanted = "from 0 to 2^40"
            elif fixed is not None and extent != fixed:
                wanted = str(fixed)
            elif index == 0 and view.access == "percore" and extent != launch.blocks:
                wanted = f"{launch.blocks}, one for each block"
            else:
                elements *= extent
                continue
            raise ContractError("bad-extent", f"{self.kernel} takes '{view.name}', whose "
                                f"extent {index} is {wanted}, not {extent}")
        if elements > _MAX_EXTENT:
            raise ContractError("bad-extent", f"{self.kernel} takes '{view.name}', which "
                                "has more than 2^40 elements")

    def _check_overlap(self, buffers: Mapping[str, Buffer]) -> None:
        names = list(buffers)
        for index, one in enumerate(names):
            for other in names[index + 1:]:
                a, b = buffers[one], buffers[other]
                shared = min(a.high, b.high) - max(a.low, b.low)
                written = [n for n in (one, other) if self.views[n].written]
                if written and shared > 0:
                    raise ContractError(
                        "argument-overlap", f"{self.kernel} takes '{one}' and '{other}', "
                        f"which share {shared} bytes; '{written[-1]}' is written")

    def _refuse(self, each: Expects, launch: Launch, unknown: bool) -> None:
        named: Dict[str, Number] = {}
        for shown, node in _conditions.leaves(each.condition):
            if shown is None and "extent" in node:
                shown = self.views[node["extent"]].shown[node["dimension"]]
            elif shown is None:
                shown = node.get("scalar", "core_count()")
            value = _conditions.evaluate(node, launch)
            if shown is not None and value is not None:
                named[shown] = value
        why = (", which has no value (a divisor is 0, or a number leaves 128 bits): "
               if unknown else ", but ")
        values = ", ".join(f"{name} is {value:.9g}" if type(value) is float else
                           f"{name} is {value}" for name, value in named.items())
        raise ContractError(
            "expects-not-met", f"{self.kernel} expects {each.text} "
            f"({each.file}:{each.line}){why}{values}", each.file, each.line)

    def pack(self, launch: Launch, scalars: Mapping[str, bytes],
             addresses: Mapping[str, int]) -> bytes:
        """The arguments of the entry point."""
        block = bytearray(self.bytes)
        for view in self.views.values():
            struct.pack_into("<Q", block, view.offset, addresses[view.name])
        for key, offset in self.open:
            struct.pack_into("<q", block, offset, launch.extents[key])
        for scalar in self.scalars.values():
            value = scalars[scalar.name]
            block[scalar.offset:scalar.offset + len(value)] = value
        return bytes(block)


def scalar_bytes(code: str, value: Any, name: str) -> Tuple[Number, bytes]:
    """A scalar argument as conditions see it, and its bytes.

    Raises:
      ContractError: It is not of that type, or does not fit.
    """
    wrong = ContractError("argument-mismatch", f"'{name}' is {code}, not {value!r:.100}")
    if hasattr(value, "item") and getattr(value, "ndim", 1) == 0:
        value = value.item()  # a scalar of NumPy or a tensor without dimensions
    if code == "bool" or isinstance(value, bool):
        if code != "bool" or not isinstance(value, bool):
            raise wrong
        return value, struct.pack("<?", value)
    if code.startswith("i"):
        bits = int(code[1:]) - 1
        if not isinstance(value, int) or not -(1 << bits) <= value < 1 << bits:
            raise wrong
        return value, struct.pack(BY_CODE[code].packed, value)
    if not isinstance(value, (int, float)):
        raise wrong
    try:
        number = _conditions.to_float(float(value))
        if code == "bf16":
            return _to_bfloat(number)
        packed = struct.pack(BY_CODE[code].packed, number)
    except OverflowError:
        raise wrong from None
    if abs(number) == float("inf") and abs(float(value)) != float("inf"):
        raise wrong
    return float(struct.unpack(BY_CODE[code].packed, packed)[0]), packed


def _to_bfloat(value: float) -> Tuple[Number, bytes]:
    """Rounded to nearest, ties to even: eight bits are left of the mantissa."""
    if math.isfinite(value):
        exponent = max(math.frexp(value)[1] - 8, -133)
        value = math.ldexp(round(math.ldexp(value, -exponent)), exponent)
    return value, struct.pack("<f", value)[2:]
