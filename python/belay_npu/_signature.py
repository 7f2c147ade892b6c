"""Declarations of kernels, read from their source, and template arguments that follow.

A glance at the tokens: what it makes of them is only a name, as ``softmax<1024>``. The
compiler has the last word on the kernel, and its contract on the arguments.
"""
from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

from belay_npu._elements import of_any
from belay_npu._errors import ContractError

_TOKENS = re.compile(
    r"""//[^\n]* | /\* | R"([^()\\\s]{0,16})\( | "(?:\\.|[^"\\\n])*"
      | '(?:\\.|[^'\\\n])*' | \[\[ | \]\] | :: | [A-Za-z_]\w* | \d[\w.]* | \S""",
    re.ASCII | re.VERBOSE)
_VIEWS = {"In": "in", "Out": "out", "InOut": "inout", "PerCore": "percore"}
_MARK = ["[[", "belay", "::", "kernel", "]]"]
_CLOSERS = {"<": ">", "(": ")", "[": "]", "{": "}", "[[": "]]"}
_NAME = re.compile(r"([A-Za-z_]\w*)\s*(?:<([\w:<>,.+\-*() ]*)>)?\s*\Z", re.ASCII)
MOST_BYTES = 64 << 20
_LONGEST = 20000  # tokens of a declaration

Tokens = List[str]


@dataclass(frozen=True)
class TemplateParameter:
    """``class T`` or ``i64 N = 8``."""

    name: str
    is_type: bool
    default: Optional[str]


@dataclass(frozen=True)
class Parameter:
    """``In<T, dyn, C> x``: what it is accessed for, and the tokens of its type."""

    name: str
    access: str  # "scalar" if it is no view
    element: Tuple[str, ...] = ()
    extents: Tuple[Tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class Signature:
    """A function marked [[belay::kernel]]."""

    name: str
    templates: Tuple[TemplateParameter, ...]
    parameters: Tuple[Parameter, ...]

    @property
    def inputs(self) -> List[Parameter]:
        """What a caller has to give."""
        return [each for each in self.parameters if each.access in ("in", "inout", "scalar")]

    def deduce(self, explicit: Sequence[str], arrays: Mapping[str, Any]) -> str:
        """The instance for arrays by the names of parameters, as ``softmax<1024>``.

        An array has ``element`` and ``shape``.

        Raises:
          ContractError: Something does not follow, or follows in two ways.
        """
        if len(explicit) > len(self.templates):
            raise ContractError(
                "argument-mismatch", f"{self.name} has {len(self.templates)} template "
                f"parameters, not {len(explicit)}")
        bound: Dict[str, Tuple[str, str]] = {
            each.name: (value, "the template arguments")
            for each, value in zip(self.templates, explicit)}
        for parameter in self.parameters:
            if parameter.name in arrays:
                self._deduce_from(parameter, arrays[parameter.name], bound)
        values: List[Optional[str]] = [
            bound[each.name][0] if each.name in bound else None for each in self.templates]
        while values and values[-1] is None and self.templates[len(values) - 1].default:
            values.pop()
        words: List[str] = []
        for each, value in zip(self.templates, values):
            if value is None and each.default and re.match(r"\d+\Z", each.default):
                value = each.default
            if value is None:
                raise ContractError(
                    "argument-mismatch", f"template parameter '{each.name}' of "
                    f"{self.name} does not follow from the arguments; give it: "
                    f'"{self.name}<...>" or k[...]')
            words.append(value)
        return f"{self.name}<{', '.join(words)}>" if self.templates else self.name

    def _deduce_from(self, parameter: Parameter, array: Any,
                     bound: Dict[str, Tuple[str, str]]) -> None:
        types = {each.name for each in self.templates if each.is_type}
        numbers = {each.name for each in self.templates if not each.is_type}
        found: List[Tuple[str, str]] = []
        if len(parameter.element) == 1 and parameter.element[0] in types:
            found.append((parameter.element[0], array.element.kernel))
        if len(parameter.extents) == len(array.shape):
            found += [(tokens[0], str(extent))
                      for tokens, extent in zip(parameter.extents, array.shape)
                      if len(tokens) == 1 and tokens[0] in numbers]
        for name, value in found:
            before, by = bound.setdefault(name, (value, f"'{parameter.name}'"))
            if before != value:
                raise ContractError(
                    "argument-mismatch", f"{self.name}: '{name}' is {before} by {by} and "
                    f"{value} by '{parameter.name}'")


def split_name(name: str) -> Tuple[str, Tuple[str, ...]]:
    """``matmul<half, 32>`` as ("matmul", ("half", "32")).

    Raises:
      ContractError: It is no name of a kernel.
    """
    found = _NAME.match(name) if len(name) <= 1000 else None
    if not found:
        raise ContractError("argument-mismatch", f"{name!r:.100} is not the name of a kernel")
    if not found[2]:
        return found[1], ()
    parts = _split(_tokens(found[2]))
    return found[1], tuple(_joined(each) for each in parts)


def template_argument(value: Any) -> str:
    """A template argument as C++ has it: a dtype, a number, or a name.

    Raises:
      ContractError: It is none of these.
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    element = of_any(value)
    if element:
        return element.kernel
    if isinstance(value, str) and re.match(r"[\w:]+\Z", value, re.ASCII):
        return value
    raise ContractError("argument-mismatch", f"{value!r:.100} is no template argument")


def _tokens(text: str) -> Tokens:
    """Without comments and raw strings. What ends them is searched once: a text of
    beginnings without an end takes no longer than another."""
    tokens: Tokens = []
    found = _TOKENS.search(text)
    while found:
        token, after = found[0], found.end()
        end = "*/" if token == "/*" else f'){found[1]}"' if found[1] is not None else ""
        if end:
            after = text.find(end, after)
            if after < 0:
                break
            after += len(end)
        elif not token.startswith("//"):
            tokens.append(token)
        found = _TOKENS.search(text, after)
    return tokens


def _joined(tokens: Sequence[str]) -> str:
    """As C++ reads it: a space between words, none elsewhere."""
    text = ""
    for token in tokens:
        apart = re.match(r"\w", token) and re.search(r"\w\Z", text)
        text += f" {token}" if apart else token
    return text


def _step(token: str, waiting: List[str]) -> None:
    """Keeps the brackets that have to close. < in parentheses compares."""
    if waiting and token == waiting[-1]:
        waiting.pop()
    elif token in _CLOSERS and (token != "<" or not waiting or waiting[-1] == ">"):
        waiting.append(_CLOSERS[token])


def _end(tokens: Tokens, start: int) -> int:
    """The place of the bracket that closes the one at ``start``. If there is none, ``~`` of
    where the search ended, from where the reader goes on: no token is read often."""
    waiting: List[str] = []
    index = start
    for index in range(start, min(len(tokens), start + _LONGEST)):
        if tokens[index] == ";":
            break
        _step(tokens[index], waiting)
        if not waiting:
            return index
    return ~index


def _split(tokens: Sequence[str]) -> List[Tokens]:
    """Parted at the commas that are in no brackets."""
    parts: List[Tokens] = [[]]
    waiting: List[str] = []
    for token in tokens:
        _step(token, waiting)
        if token == "," and not waiting:
            parts.append([])
        else:
            parts[-1].append(token)
    return [each for each in parts if each]


def _template(tokens: Tokens) -> TemplateParameter:
    default = None
    if "=" in tokens:
        at = tokens.index("=")
        default = "".join(tokens[at + 1:])
        tokens = tokens[:at]
    number = tokens[0] in ("i64", "i32", "int", "bool", "long", "unsigned", "auto")
    return TemplateParameter(tokens[-1], not number and len(tokens) > 1, default)


def _parameter(tokens: Tokens) -> Parameter:
    name = tokens[-1]
    kind = [token for token in tokens[:-1] if token not in ("const", "belay", "::", "&")]
    if len(kind) < 4 or kind[0] not in _VIEWS or kind[1] != "<" or kind[-1] != ">":
        return Parameter(name, "scalar", tuple(kind))
    element, *extents = _split(kind[2:-1])
    return Parameter(name, _VIEWS[kind[0]], tuple(element),
                     tuple(tuple(each) for each in extents) or (("dyn",),))


def scan(text: str) -> Dict[str, Signature]:
    """The kernels of a source by their names; those that are not understood are left out."""
    tokens = _tokens(text)
    found: Dict[str, Signature] = {}
    template: List[TemplateParameter] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        if token == "template" and tokens[index + 1:index + 2] == ["<"]:
            close = _end(tokens, index + 1)
            if close > 0:
                template = [_template(each) for each in _split(tokens[index + 2:close])]
            index = max(close, ~close)
        elif token in (";", "}"):
            template = []
        elif tokens[index:index + 5] == _MARK and tokens[index + 5:index + 6] == ["void"]:
            name, opening = tokens[index + 6:index + 8] if len(tokens) > index + 7 else ("", "")
            close = _end(tokens, index + 7) if opening == "(" else ~index
            if close > 0:
                parameters = tuple(_parameter(each)
                                   for each in _split(tokens[index + 8:close]))
                found[name] = Signature(name, tuple(template), parameters)
            index = max(close, ~close)
            template = []
        index += 1
    return found
