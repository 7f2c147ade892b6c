"""docs/generate/kernel-catalogue: each kernel with scalar accesses has a reason, and a run of some instances
keeps what is known of the others."""
import importlib.machinery
import importlib.util
import json
import pathlib
import sys

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]


def generator():
    loader = importlib.machinery.SourceFileLoader("kernel_catalogue", str(ROOT / "docs/generate/kernel-catalogue"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("kernel_catalogue", loader))
    loader.exec_module(module)
    return module


def refused(table, entries):
    try:
        table(entries)
    except AssertionError as said:
        return str(said)
    return ""


def reasons(made):
    entries = json.loads((ROOT / "kernels" / "catalogue.json").read_text())["kernels"]
    assert refused(made.scalar_table, entries) == ""
    more = [*entries, {"title": "math/new", "scalarAccesses": made.FEW}]
    assert "no reason for them: ['math/new']" in refused(made.scalar_table, more)
    named = next(e for e in entries if e["scalarAccesses"] >= made.FEW)
    fewer = [{**e, "scalarAccesses": 0} if e is named else e for e in entries]
    assert f"need no reason for scalar accesses: ['{named['title']}']" in refused(made.scalar_table, fewer)


def merging(made):
    old = {"instances": ["f<float>", "f<half>"], "socs": ["A", "B"], "dtypes": ["float", "half"], "launches": 8,
           "errorInEps": {"float": 3.0, "half": 1.0}, "scalarAccesses": 2.0, "runs": {"one": 4}}
    new = {"instances": ["f<float>"], "socs": ["A"], "dtypes": ["float"], "launches": 2, "failures": 0,
           "errorInEps": {"float": 1.0}, "scalarAccesses": 0.0, "runs": {"two": 1}}
    records = [{"instance": "f<float>", "soc": "A", "expectsFailure": False, "launches": 2}]
    both = made.merged(old, new, records)
    assert both["runs"] == {"one": 3, "two": 1} and both["socs"] == ["A", "B"], both
    assert both["launches"] == 8, both  # of those that were run before, no launch counts twice
    assert both["errorInEps"] == {"float": 3.0, "half": 1.0} and both["scalarAccesses"] == 0.0
    silent = {k: v for k, v in old.items() if k != "runs"}  # counted with earlier runs
    assert made.merged(silent, new, records)["runs"] == {}
    assert made.merged({**old, "instances": ["f<float>"], "socs": ["A"]}, new, records) is new
    assert made.merged(None, new, records) is new


made = generator()
reasons(made)
merging(made)
print("ok")
