"""Contracts: numbers as belay/launch.h has them, and descriptions that are none."""
import copy
import json
import re
import subprocess
import time

import numpy as np
import pytest
import torch
from conftest import HERE, ROOT

import belay_npu as belay
from belay_npu import _conditions, _elements, _errors, _signature
from belay_npu._conditions import BadContract, Launch
from belay_npu._contract import Contract, scalar_bytes


def value(op, *arguments, **scalars):
    def node(each):
        if isinstance(each, dict):
            return each
        name = {bool: "bool", int: "integer", float: "float"}[type(each)]
        return {name: each}
    return _conditions.evaluate({"op": op, "args": [node(each) for each in arguments]},
                                Launch({}, scalars, 1))


@pytest.mark.parametrize("op, arguments, wanted", [
    ("div", (-7, 2), -3), ("div", (7, -2), -3), ("rem", (-7, 2), -1), ("rem", (7, -2), 1),
    ("div", (1, 0), None), ("rem", (1, 0), None), ("div", (-(1 << 127), -1), None),
    ("add", ((1 << 127) - 1, 1), None), ("mul", (1 << 64, 1 << 62), 1 << 126),
    ("mul", (1 << 64, 1 << 63), None), ("neg", (5,), -5),
    ("add", (16777216.0, 1.0), 16777216.0), ("div", (1.0, 3.0), float(np.float32(1) / np.float32(3))),
    ("div", (1.0, 0.0), float("inf")), ("mul", (3e38, 10.0), float("inf")),
    ("float", (16777217,), 16777216.0), ("float", (1 << 100,), 2.0 ** 100),
    # Halfway between two floats, and one above: rounding twice would lose the one.
    ("float", ((1 << 60) + (1 << 36) + 1,), float((1 << 60) + (1 << 37))),
    ("max", (float("nan"), 2.0), 2.0), ("min", (3, -4), -4),
    ("eq", (True, False), False), ("lt", (1.5, 2.5), True),
])
def test_numbers(op, arguments, wanted):
    assert value(op, *arguments) == wanted


def test_one_side_is_enough():
    unknown = {"op": "eq", "args": [{"op": "div", "args": [{"integer": 1}, {"integer": 0}]},
                                    {"integer": 1}]}
    assert value("and", unknown, False) is False
    assert value("and", unknown, True) is None
    assert value("or", True, unknown) is True
    assert value("or", unknown, False) is None
    assert value("select", True, 1, unknown) == 1
    assert value("select", unknown, 1, 1) is None
    with pytest.raises(BadContract):
        value("add", 1, 1.0)


@pytest.mark.parametrize("code, given, number, packed", [
    ("bf16", 1.0, 1.0, b"\x80\x3f"), ("bf16", 1.00390625, 1.0, b"\x80\x3f"),
    ("bf16", 1.01171875, 1.015625, b"\x82\x3f"), ("bf16", 1e-40, 9.183549615799121e-41, b"\1\0"),
    ("bf16", float("-inf"), float("-inf"), b"\x80\xff"), ("f16", 0.1, 0.0999755859375, b"\x66\x2e"),
    ("f32", 0.1, 0.10000000149011612, b"\xcd\xcc\xcc\x3d"), ("i8", -128, -128, b"\x80"),
    ("bool", True, True, b"\x01"),
])
def test_scalars(code, given, number, packed):
    assert scalar_bytes(code, given, "s") == (number, packed)
    if code == "bf16":
        bits = torch.tensor(given, dtype=torch.float32).to(torch.bfloat16).view(torch.int16)
        assert bits.numpy().tobytes() == packed
    for wrong in ("1", None, [1]):
        with pytest.raises(belay.ContractError):
            scalar_bytes(code, wrong, "s")


@pytest.fixture(scope="module")
def description(tmp_path_factory):
    folder = tmp_path_factory.mktemp("description")
    import os

    subprocess.run([os.path.join(os.environ["BELAY_HOME"], "bin/belay"), "build",
                    HERE / "kernels.cpp", "--kernel", "parts", "-o", folder], check=True,
                   capture_output=True)
    return json.loads((folder / "parts.json").read_text())


def test_real_one(description):
    contract = Contract(description)
    assert contract.inputs == ("x", "s", "most") and contract.outputs == ("y", "z")
    launch = contract.shapes({"x": (10,)}, {"s": 1.0, "most": 99}, 4)
    assert launch.extents == {("x", 0): 10, ("y", 0): 10, ("z", 0): 5}


def places(value, path=()):
    """Every place of a JSON value."""
    yield path
    items = value.items() if isinstance(value, dict) else (
        enumerate(value) if isinstance(value, list) else ())
    for key, each in items:
        yield from places(each, (*path, key))


def test_hostile_ones(description):
    """Whatever stands at any place: a contract, or BadContract; nothing else."""
    hostile = (None, -1, 1 << 70, "x", "../x", 1.5, [], {}, [[]], {"op": "add", "args": []},
               True, "\0")
    refused = 0
    for path in places(description):
        for each in hostile:
            changed = copy.deepcopy(description)
            if path:
                at = changed
                for key in path[:-1]:
                    at = at[key]
                at[path[-1]] = each
            else:
                changed = each
            try:
                Contract(changed)
            except BadContract:
                refused += 1
    assert refused > 1000
    deep = {"integer": 1}
    for _ in range(5000):
        deep = {"op": "neg", "args": [deep]}
    description = copy.deepcopy(description)
    description["expects"][0]["condition"] = deep
    with pytest.raises(BadContract):
        Contract(description)


@pytest.mark.parametrize("change", [
    ("parameters", 0, "offset", 4096), ("parameters", 1, "offset", 0),
    ("parameters", 0, "bytes", 4), ("argumentBytes", 8), ("limits", "maxBlocks", 0),
])
def test_offsets_stay_inside(description, change):
    changed = copy.deepcopy(description)
    at = changed
    for key in change[:-2]:
        at = at[key]
    at[change[-2]] = change[-1]
    with pytest.raises(BadContract):
        Contract(changed)


def test_elements():
    """The table of the package is that of elements.def."""
    text = re.sub("//.*|#define.*", "", (ROOT / "include/belay/elements.def").read_text())
    case = dict(re.findall(r'BELAY_ELEMENT_CASE\((\w+), \w+, "(\w+)"', text))
    numpy = dict(re.findall(r'BELAY_ELEMENT_CASE\((\w+), \w+, "\w+", "(.*?)"\)', text))
    bits = dict(re.findall(r"BELAY_ELEMENT\((\w+), \w+, (\d+),", text))
    language = re.findall(r"BELAY_ELEMENT_LANGUAGE\((\w+), \w+, (\w+)\)", text)
    floats = {id: bits for id, *bits in re.findall(
        r"BELAY_ELEMENT_FLOAT\((\w+), (\d+), (\d+),", text)}
    floats = {id: tuple(each) for id, each in floats.items()}
    wanted = {(case[id], kernel, int(bits[id]) // 8) for id, kernel in language
              if kernel != "bool"}  # of scalars only
    assert {(e.code, e.kernel, e.bytes) for e in _elements.BY_CODE.values()} == wanted
    for id, kernel in language:
        if kernel == "bool":
            continue
        element = _elements.BY_CODE[case[id]]
        assert np.dtype(numpy[id]) == np.dtype(element.numpy), element
        assert (str(element.exponent), str(element.mantissa)) == floats.get(id, ("0", "0"))


def test_signatures():
    """Declarations as people write them."""
    found = _signature.scan("""
// template <class T> [[belay::kernel]] void commented(In<T> x) {}
const char *text = "template <class Q> [[belay::kernel]] void quoted(In<Q> x) {}";
template <typename T, i64 C = 8, bool B = (C < 4), class... Rest>
  requires(C > 2)
[[belay::kernel]] void one(belay::In<T, dyn, 2 * C> x, const Out<T, C> y, float eps) { }
struct S { template <class U> void f(); };
[[belay::kernel]] void two(InOut<float> p, PerCore<float> part, i64 n) { }
""")
    assert sorted(found) == ["one", "two"]
    one, two = found["one"], found["two"]
    assert [(t.name, t.is_type) for t in one.templates][:3] == [
        ("T", True), ("C", False), ("B", False)]
    assert [(p.name, p.access) for p in one.parameters] == [
        ("x", "in"), ("y", "out"), ("eps", "scalar")]
    assert two.templates == () and [p.access for p in two.parameters] == [
        "inout", "percore", "scalar"]


@pytest.mark.parametrize("piece", ["/*", 'R"(', '"', "'", "template <", "<", "(",
                                   "[[belay::kernel]] void f(", "In<T> x,"])
def test_hostile_sources(piece):
    """Time grows with the length of a source, not with its square."""
    start = time.process_time()
    _signature.scan("template <class T> [[belay::kernel]] void f(" + piece * 50001)
    _signature.scan(piece * 50001)
    assert time.process_time() - start < 10


@pytest.mark.parametrize("name, wanted", [
    ("f", ("f", ())), ("f<>", ("f", ())), ("f< half ,32>", ("f", ("half", "32"))),
    ("f<belay::half, -1, (1 < 2)>", ("f", ("belay::half", "-1", "(1<2)"))),
    ("f<unsigned  int, g<1, 2>>", ("f", ("unsigned int", "g<1,2>"))),
])
def test_names(name, wanted):
    assert _signature.split_name(name) == wanted


def test_catalogue_signatures():
    """The kernel library is read as the compiler reads it."""
    catalogue = json.loads((ROOT / "kernels/catalogue.json").read_text())["kernels"]
    for each in catalogue:
        signature = _signature.scan((ROOT / each["source"]).read_text())[each["kernel"]]
        assert signature.parameters, each["name"]


def test_messages():
    problems = _errors.parse_messages(
        "in kernel 'k':\na b.cpp:7:3: error: bad [thing] here [missing-sync]\n"
        "    7 | x;\na b.cpp:5: note: written here\nbelay: help: insert SetFlag\n"
        "belay: error: k.cpp was not accepted [compile-error]\n")
    assert problems == (
        belay.Problem("missing-sync", "bad [thing] here", "a b.cpp", 7, 3, "error",
                      (belay.Note("written here", "a b.cpp", 5, 0),), "insert SetFlag"),
        belay.Problem("compile-error", "k.cpp was not accepted"))
    _errors.parse_messages(": error" * 100000 + "\n" + "[" * 100000)
